"""Supervised learning from recorded games: a policy that moves as the players did, and a value that knows how their
games ended, as moves and results of masters in Silver et al. 2016 (Mastering the game of Go with deep neural networks
and tree search).

Whole games are put aside: some to notice when the net begins to learn by heart what it was shown (early stopping,
Prechelt 1998), others to test it at the end. No position of a game that it is judged by was ever learned from.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from kiebitz import records
from kiebitz._core import TERMINAL, Game
from kiebitz.agents import agent
from kiebitz.agents.strengths import LEVELS, spec_of
from kiebitz.errors import LimitError, ParameterError, UnsuitableGame
from kiebitz.games import declaration_of
from kiebitz.learn.measure import opening
from kiebitz.learn.memories import Batch
from kiebitz.learn.method import register
from kiebitz.learn.networks import PolicyValueNet
from kiebitz.learn.run import Run
from kiebitz.learn.symmetries import Symmetries
from kiebitz.nets import NetFile
from kiebitz.options import option
from kiebitz.records import Record, RecordError, record_of
from kiebitz.seeds import derive_seed
from kiebitz.solve.compiled import read_path, rules_of
from kiebitz.stats import wilson

MOST_BYTES = 1 << 33
"""Of all positions together."""
ROWS = 4096
"""Judged at a time."""


@dataclass(frozen=True)
class SupervisedOptions:
    """Options of ``supervised``."""

    STEPS_DECIDE: ClassVar[bool] = True  # the learning rate falls towards the last one

    steps: int = option(30, "epochs at most: in each, every position is learned from once", low=1)
    seed: int = option(1, "random numbers", low=0)
    # Games.
    records: str = option("", "file of recorded games, as matches and the table write them; empty: the teacher plays")
    teacher: str = option("strong", "who plays games where none are recorded: an agent, or a strength of the game")
    games: int = option(1000, "games that the teacher plays against itself", low=3, high=1 << 24)
    opening_plies: int = option(
        4, "random actions with which those begin, so that no two are alike; nothing is learned from them", low=0
    )
    validation: float = option(0.15, "share of games that say when to stop", low=0.01, high=0.9)
    test: float = option(0.15, "share of games that say how good the net is", low=0.01, high=0.9)
    # Net.
    learns: str = option("both", "the moves, how the games end, or both", choices=("policy", "value", "both"))
    chooses: str = option("best", "how the net plays on its own: its best action, or drawn", choices=("best", "draw"))
    dense: bool = option(False, "dense layers even where the game has a board")
    channels: int = option(32, "channels of convolutions, where the game has a board", low=1, high=1024)
    blocks: int = option(3, "residual blocks; dense layers where the game has no board", low=1, high=100)
    hidden: int = option(64, "neurons of a dense layer", low=1, high=4096)
    # Learning.
    batch: int = option(256, "rows in one update", low=2)
    rate: float = option(0.003, "learning rate (AdamW) at the start; it follows a cosine down to 0", low=0, high=1e6)
    decay: float = option(0.01, "weight decay", low=0)
    value_weight: float = option(1.0, "weight of the value's error beside the policy's", low=0)
    symmetries: bool = option(True, "positions are turned and mirrored, where the game has symmetries")
    patience: int = option(4, "epochs without a better one after which learning ends", low=1)


@register("supervised", SupervisedOptions)
def supervised(game: Game, options: SupervisedOptions, run: Run) -> NetFile:
    """Supervised learning: imitates recorded games and predicts how they end; for every game that has a tensor."""
    teacher = check(game, options)
    data = split(game, recorded(game, options.records), options) if options.records else None
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    info, encoding = game.info, declaration_of(game).encoding
    symmetries = Symmetries(encoding.symmetries(game) if options.symmetries else (), info.tensor_size, info.actions)
    net, best = (
        PolicyValueNet(
            info.tensor_size, actions=info.actions, values=values_of(game),
            board=(0, 0, 0) if options.dense else encoding.board(game),
            channels=options.channels, blocks=options.blocks, hidden=options.hidden, counts=encoding.counts(game),
        )
        for _ in range(2)
    )  # fmt: skip
    best.load_state_dict(net.state_dict())
    optimizer = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=options.decay)
    marks = np.array([math.inf, math.inf, 0])  # the best epoch: loss of validation, loss of learning, its number
    digest = np.zeros(16, np.uint8)
    run.keep(net=net, best=best, optimizer=optimizer, rng=rng, marks=marks, digest=digest)
    run.drawn = ("validation_loss", "training_loss")

    if data is None:
        games = taught(game, options, teacher, run)
        if len(games) < options.games:  # somebody asked it to stop; it will go on with the next one
            return net_file(best, options, run, "nothing yet", {})
        data = split(game, games, options)
    learned, validation, test = data
    if digest.any() and (digest != digest_of(data)).any():
        source = options.records or run.folder / "games.jsonl"
        raise ParameterError(f"{source}: expected the games with which the training in {run.folder} began")
    digest[:] = digest_of(data)
    source = Path(options.records).name if options.records else f"{teacher} against itself"
    said = f"{sum(len(part.games) for part in data):,} games of {source}, " + ", ".join(map(str, data))
    batch = min(options.batch, len(learned))

    for step in run.steps(options.steps, enough=lambda: bool(run.step - marks[2] >= options.patience)):
        for group in optimizer.param_groups:
            group["lr"] = options.rate * (1 + math.cos(math.pi * (step - 1) / options.steps)) / 2
        order = rng.permutation(len(learned))
        starts = range(0, len(order) - batch + 1, batch)
        training_loss = 0.0
        for start in starts:
            rows = symmetries.turned(learned.rows(order[start : start + batch]), rng)
            training_loss += learn(net, optimizer, rows, options) / len(starts)
        results = measured(net, validation, learned, options)
        run.check(net, outputs=np.array([training_loss, results["loss"]], np.float32))
        better = results["loss"] < marks[0]
        if better:
            best.load_state_dict(net.state_dict())
            marks[:] = results["loss"], training_loss, step
        run.log(
            net=net_file(best, options, run, said, {"validation_loss": results["loss"]}) if better else None,
            validation_loss=results.pop("loss"), training_loss=training_loss,
            **{f"validation_{name}": number for name, number in results.items()},
        )  # fmt: skip
    results = {**measured(best, test, learned, options), "epoch": int(marks[2])}
    if over_fits(run.rows, marks, options):
        most, rest = list(results.items())[:2], list(results.items())[2:]
        results = dict([*most, ("overfits_after", int(marks[2])), *rest])
    return net_file(best, options, run, said, results)


def check(game: Game, options: SupervisedOptions) -> str:
    """Refuses options that cannot work; returns the spec of the teacher."""
    if options.validation + options.test > 0.95:
        raise ParameterError(
            "validation and test: expected at most 0.95 together, so that games to learn from are left, "
            f"got {options.validation} and {options.test}"
        )
    if options.records:
        return ""
    teacher = spec_of(game, options.teacher) if options.teacher in LEVELS else options.teacher
    agent(teacher, game)
    return teacher


# --- Games ------------------------------------------------------------------------------------------------------------


def recorded(game: Game, path: str) -> list[Record]:
    """The records of a file, each played through the rules."""
    found = []
    try:
        for record in records.load(read_path(path)):
            played = records.replay(record).game
            if rules_of(played) != rules_of(game):
                raise UnsuitableGame(
                    f"{path}: line {record.line}: expected a game of {game.name} with {game.params}, got one of "
                    f"{played.name} with {played.params}"
                )
            found.append(record)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    if not found:
        raise RecordError(f"{path}: expected recorded games, got an empty file")
    return found


def taught(game: Game, options: SupervisedOptions, teacher: str, run: Run) -> list[Record]:
    """Games of the teacher, kept in the folder of the run; fewer if somebody asks it to stop.

    A game depends on the seed and its number alone, so a run that was killed goes on after the last one that was kept.
    """
    path = run.folder / "games.jsonl"
    games = recorded(game, str(path)) if path.exists() else []
    kept, since = len(games), time.monotonic()

    def keep() -> None:
        nonlocal kept, since
        if len(games) > kept:
            records.save(path, games, append=False)
            run.checkpoint()  # the time that they took counts
            kept, since = len(games), time.monotonic()

    def report() -> None:
        if run.report is not None:
            run.report(len(games), options.games, {"phase": "the teacher plays"})

    if kept < options.games:
        report()
    try:
        while len(games) < options.games and not run.stop.requested:
            games.append(lesson(game, options, teacher, derive_seed(options.seed, "game", len(games))))
            if time.monotonic() - since > run.checkpoint_seconds:
                keep()
            report()
    finally:
        keep()
    return games


def lesson(game: Game, options: SupervisedOptions, teacher: str, seed: int) -> Record:
    """A game of the teacher against itself, from a random opening."""
    state = opening(game, seed, options.opening_plies)
    start, skipped = state.position(), len(state.history)
    seats = [agent(teacher, game, seed=derive_seed(seed, seat)) for seat in range(game.info.players)]
    while state.player != TERMINAL:
        legal = state.legal()
        state.apply(legal[0] if len(legal) == 1 else seats[state.player].act(state.view(state.player)))
    whole = record_of(state, [teacher] * len(seats), seed)
    return replace(whole, start=start, actions=whole.actions[skipped:])


def split(game: Game, games: Sequence[Record], options: SupervisedOptions) -> tuple[Examples, Examples, Examples]:
    """Games to learn from, to say when to stop, and to test."""
    parts = parts_of(games, options)
    learned, validation, test = (
        Examples(game, [each for each, part in zip(games, parts, strict=True) if part == number], options, use)
        for number, use in enumerate(("to learn from", "to say when to stop", "to test"))
    )
    return learned, validation, test


def parts_of(games: Sequence[Record], options: SupervisedOptions) -> NDArray[np.int64]:
    """The part of each game, drawn; games that are alike, action by action, are in the same part.

    >>> games = [Record({"name": "nim"}, ((n // 2, "a1"),)) for n in range(20)]
    >>> parts = parts_of(games, SupervisedOptions(validation=0.2, test=0.3))
    >>> np.bincount(parts).tolist(), bool((parts[::2] == parts[1::2]).all())
    ([10, 4, 6], True)
    """
    keys = [(repr(game.start), tuple(action for action, _ in game.actions)) for game in games]
    different = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    if len(different) < 3:
        raise ParameterError(
            f"expected at least 3 different games (to learn from, to say when to stop, to test), got {len(different)}"
        )
    order = np.random.default_rng(options.seed).permutation(len(different))
    validation, test = (max(round(share * len(order)), 1) for share in (options.validation, options.test))
    test = min(test, len(order) - 2)
    validation = min(validation, len(order) - test - 1)
    parts = np.zeros(len(order), np.int64)
    parts[order[:validation]] = 1
    parts[order[validation : validation + test]] = 2
    return parts[[different[key] for key in keys]]


def digest_of(data: Sequence[Examples]) -> NDArray[np.uint8]:
    """A fingerprint of the games, so that a run goes on with those that it began with."""
    numbers = hashlib.blake2b(digest_size=16)
    for part in data:
        for game in part.games:
            numbers.update(repr((game.start, game.actions, game.returns, game.resigned)).encode())
    return np.frombuffer(numbers.digest(), np.uint8)


class Examples:
    """The positions of games as rows: what the player to move knew and was allowed, what they did, and what the game
    paid. Left out is who stood in for a player who had given up, and, if only moves are learned, who had no choice.

    >>> import kiebitz as kb
    >>> state = kb.game("tic_tac_toe").new()
    >>> for name in ("b2", "a1", "a2", "c2", "b1", "b3", "c1", "a3", "c3"):
    ...     state.apply(state.parse(name))
    >>> rows = Examples(state.game, [record_of(state)], SupervisedOptions())
    >>> len(rows), rows.actions[:3].tolist(), rows.values[:3, 0].tolist()
    (9, [4, 0, 3], [0.0, 0.0, 0.0])
    """

    def __init__(self, game: Game, games: Sequence[Record], options: SupervisedOptions, use: str = "") -> None:
        self.games = games
        self.use = use
        info, count = game.info, values_of(game)
        middle, half = (info.max_payoff + info.min_payoff) / 2, (info.max_payoff - info.min_payoff) / 2
        self.half = half
        self.choices = info.actions
        least = 2 if options.learns == "policy" else 1
        tensors, legals, actions, values = [], [], [], []
        for record in games:
            walk = game.root() if record.start is None else game.load(record.start)
            rows = []
            for ply, (action, _) in enumerate(record.actions):
                seat = walk.player
                if seat >= 0 and not record.stood_in(seat, ply) and len(legal := walk.legal()) >= least:
                    rows.append((walk.view(seat).tensor(), legal, action, seat))
                walk.apply(action)
            paid = records.outcome(walk, record.resigned)
            if paid is None and options.learns != "policy":
                continue  # nobody knows how it ended
            payoffs = np.zeros(info.players) if paid is None else (np.asarray(paid) - middle) / half + 0.0
            for tensor, legal, action, seat in rows:
                tensors.append(tensor)
                allowed = np.zeros(info.actions, bool)
                allowed[legal] = True
                legals.append(allowed)
                actions.append(action)
                values.append(np.roll(payoffs, -seat)[:count])
            if len(actions) * 4 * (info.tensor_size + info.actions) > MOST_BYTES:
                raise LimitError(f"expected fewer games: their positions need more than {MOST_BYTES >> 30} GB")
        if len(actions) < 2:
            raise ParameterError(f"expected positions in the games {use}, got {len(actions)} of {len(games)} games")
        self.tensors = np.array(tensors, np.float32)
        self.legal = np.array(legals)
        self.actions = np.array(actions)
        self.values = np.array(values, np.float32)

    def __len__(self) -> int:
        return len(self.actions)

    def __str__(self) -> str:
        return f"{len(self.games):,} {self.use}"

    def rows(self, chosen: NDArray[np.int64] | slice) -> Batch:
        """Some of them, as nets learn from them."""
        return {
            "tensor": self.tensors[chosen],
            "legal": self.legal[chosen],
            "policy": np.eye(self.choices, dtype=np.float32)[self.actions[chosen]],
            "value": self.values[chosen],
        }


def values_of(game: Game) -> int:
    """How many values a net of the game has: that of the player to move says all, where two share a constant sum."""
    info = game.info
    return 1 if info.players == 2 and info.utility in ("zero_sum", "constant_sum") else info.players


# --- Learning and measuring -------------------------------------------------------------------------------------------


def losses(net: PolicyValueNet, rows: Mapping[str, NDArray[np.float32]]) -> tuple[Tensor, Tensor]:
    """Cross-entropy of the actions that were taken, and squared error of the values, for each row."""
    chances, values = outputs(net, rows)
    policy = -(torch.from_numpy(rows["policy"]) * chances).sum(dim=1)
    return policy, (values - torch.from_numpy(rows["value"])).square().mean(dim=1)


def outputs(net: PolicyValueNet, rows: Mapping[str, NDArray[np.float32]]) -> tuple[Tensor, Tensor]:
    """Logarithms of the probabilities of legal actions, and values from -1 to 1."""
    logits, raw = net(torch.from_numpy(rows["tensor"]))
    legal = torch.from_numpy(rows["legal"])
    return functional.log_softmax(logits.masked_fill(~legal, -1e9), dim=1), torch.tanh(raw)


def weighted(policy: Tensor, value: Tensor, options: SupervisedOptions) -> Tensor:
    """The loss of what is learned, for each row."""
    parts = {"policy": policy, "value": options.value_weight * value}
    return parts[options.learns] if options.learns in parts else parts["policy"] + parts["value"]


def learn(net: PolicyValueNet, optimizer: torch.optim.Optimizer, rows: Batch, options: SupervisedOptions) -> float:
    """One update; returns the loss."""
    net.train()
    loss = weighted(*losses(net, rows), options).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss.detach())


def measured(
    net: PolicyValueNet, examples: Examples, learned: Examples, options: SupervisedOptions
) -> dict[str, float]:
    """How well a net does on games that it did not learn from, beside what needs no net: the legal action that was
    taken most often in the games to learn from, and the mean of their results. Moves count where there was a choice;
    the intervals take them for independent of each other."""
    net.eval()
    decisions, hits, guessed = 0, 0, 0
    entropy, plain_entropy, squares, plain_squares, loss = 0.0, 0.0, 0.0, 0.0, 0.0
    often = np.bincount(learned.actions, minlength=learned.choices) + 1.0
    usual = learned.values.mean(axis=0)
    for start in range(0, len(examples), ROWS):
        rows = examples.rows(slice(start, start + ROWS))
        with torch.no_grad():
            chances, values = outputs(net, rows)
            policy, value = losses(net, rows)
            loss += float(weighted(policy, value, options).double().sum())
        taken, legal = rows["policy"].argmax(axis=1), rows["legal"]
        chose = legal.sum(axis=1) > 1
        decisions += int(chose.sum())
        hits += int((chances.numpy().argmax(axis=1) == taken)[chose].sum())
        entropy += float(policy.double().sum())
        shares = np.where(legal, often, 0.0)
        guessed += int((shares.argmax(axis=1) == taken)[chose].sum())
        plain_entropy -= float(np.log(shares[np.arange(len(taken)), taken] / shares.sum(axis=1)).sum())
        squares += float(np.square(values.numpy().astype(float) - rows["value"]).mean(axis=1).sum())
        plain_squares += float(np.square(usual - rows["value"].astype(float)).mean(axis=1).sum())
    count = len(examples)
    out: dict[str, float] = {}
    if options.learns != "value":
        for name, number in (("accuracy", hits), ("majority", guessed)):
            share = wilson(number, max(decisions, 1))
            assert share.low is not None
            assert share.high is not None
            out |= {name: share.value, f"{name}_low": share.low, f"{name}_high": share.high}
        out["cross_entropy"] = entropy / max(decisions, 1)
        out["majority_cross_entropy"] = plain_entropy / max(decisions, 1)
    if options.learns != "policy":
        out["value_error"] = examples.half * math.sqrt(squares / count)
        out["mean_value_error"] = examples.half * math.sqrt(plain_squares / count)
    order = ("accuracy", "majority", "value_error", "mean_value_error")
    first = {name: out[name] for name in order if name in out}
    return {**first, **out, "decisions": decisions, "positions": count, "loss": loss / count}


def over_fits(rows: Sequence[Mapping[str, float]], marks: NDArray[np.float64], options: SupervisedOptions) -> bool:
    """Whether the net went on to get better at what it was shown, and at nothing else."""
    stopped = len(rows) - marks[2] >= options.patience
    return bool(stopped and rows[-1]["training_loss"] < marks[1])


def net_file(
    net: PolicyValueNet, options: SupervisedOptions, run: Run, data: str, results: Mapping[str, float]
) -> NetFile:
    """The net for files, without the head that learned nothing."""
    layers = net.layers()
    for head in {"policy", "value"} - {options.learns} if options.learns != "both" else ():
        del layers[head]
    card = run.card(chooses=options.chooses, data=data, results=dict(results))
    return NetFile(run.game, card, [layers], net.board)
