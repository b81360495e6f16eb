"""Neural fictitious self-play (Heinrich and Silver 2016, Deep reinforcement learning from self-play in
imperfect-information games): each seat learns a best response by Q-learning, and by imitation the average of its own
best responses. The average policies approach an equilibrium.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kiebitz._core import Game
from kiebitz.env import VectorEnv
from kiebitz.errors import ParameterError
from kiebitz.learn.measure import Sheet
from kiebitz.learn.memories import Batch, Circular, Reservoir, RowMemory
from kiebitz.learn.method import register
from kiebitz.learn.networks import Seats, padded
from kiebitz.learn.run import Run
from kiebitz.nets import NetFile
from kiebitz.options import option
from kiebitz.solve.method import ZERO_SUM_FOR_TWO


@dataclass(frozen=True)
class NfspOptions:
    """Options of ``nfsp``; the defaults are those of the paper."""

    steps: int = option(100_000, "iterations: one action in each game, then one round of learning", low=1)
    seed: int = option(1, "random numbers", low=0)
    games: int = option(128, "games played side by side", low=1, high=65_536)
    hidden: int = option(64, "neurons in the hidden layer of each net", low=1, high=4096)
    eta: float = option(
        0.1, "share of hands played by the best response; the others by the average policy", low=0, high=1
    )
    epsilon: float = option(0.06, "random actions of the best response at the start", low=0, high=1)
    decay: str = option("root", "how they become fewer", choices=("root", "release", "factorial", "none"))
    rl_rate: float = option(0.1, "learning rate of the best response", low=0)
    sl_rate: float = option(0.005, "learning rate of the average policy", low=0)
    cooling: float = option(0.0, "both rates are divided by 1 + this x iterations / 100,000", low=0)
    rl_memory: int = option(200_000, "transitions that a best response learns from", low=1)
    sl_memory: int = option(2_000_000, "own best actions that an average policy learns from", low=1)
    batch: int = option(128, "rows in one update", low=1)
    updates: int = option(2, "updates of each net in an iteration", low=0)
    same_batch: bool = option(False, "the updates of an iteration take the same rows, as in the thesis")
    target_every: int = option(300, "updates after which the target net follows; 0: there is none", low=0)
    start: int = option(1000, "rows that a memory needs before learning starts", low=1)
    reward_scale: float = option(1.0, "payoffs are multiplied by this")
    window: bool = option(False, "the average policy learns from the newest rows alone, not from a reservoir")
    fading: float = option(0.0, "a full reservoir takes each new row with this probability; 0: a true reservoir", low=0)
    argmax: bool = option(False, "the average policy plays its best action instead of drawing one")
    pull: bool = option(False, "actions not taken are pulled towards the target net, as in the thesis")
    relu_output: bool = option(False, "no negative values of actions, as in the thesis' first attempt")
    instead: int = option(
        -1, "the action that is played in place of an illegal one; -1: illegal ones are left out", low=-1
    )
    measure_every: int = option(1000, "iterations between two measurements", low=1)


@register("nfsp", NfspOptions, needs=(ZERO_SUM_FOR_TWO,))
def nfsp(game: Game, options: NfspOptions, run: Run) -> NetFile:
    """Neural fictitious self-play: approaches equilibria of games with hidden cards."""
    rng = np.random.default_rng(options.seed)
    torch.manual_seed(options.seed)
    env = VectorEnv(game, options.games, options.seed)
    sheet = Sheet(game)
    seats, numbers = game.info.players, game.info.tensor_size
    actions = 1 + max(int(np.flatnonzero(legal.any(axis=0)).max()) for legal in sheet.legal)
    instead = None if options.instead < 0 else options.instead
    check(options, sheet, instead)
    sizes = [numbers, options.hidden, actions]
    best, target = (Seats(sizes, seats, relu_output=options.relu_output) for _ in range(2))
    target.load_state_dict(best.state_dict())
    average = Seats(sizes, seats)
    learn_best = torch.optim.SGD(best.parameters(), options.rl_rate)
    learn_average = torch.optim.SGD(average.parameters(), options.sl_rate)
    row = {"view": ((numbers,), np.float32), "action": ((), np.int64), "legal": ((actions,), np.bool_)}
    transition = {**row, "reward": ((), np.float32), "next": ((numbers,), np.float32), "over": ((), np.float32)}
    played = [Circular(options.rl_memory, transition) for _ in range(seats)]
    imitated: Sequence[Circular | Reservoir] = [
        Circular(options.sl_memory, row) if options.window else Reservoir(options.sl_memory, row, rng, options.fading)
        for _ in range(seats)
    ]

    # What each seat did last in its current hand, and whether it plays this hand by its best response.
    games = np.arange(options.games)
    last_view = np.zeros((options.games, seats, numbers), np.float32)
    last_action = np.zeros((options.games, seats), np.int64)
    has_acted = np.zeros((options.games, seats), bool)
    by_best = rng.random((options.games, seats)) < options.eta
    counts = np.zeros(3, np.int64)  # hands, updates of the best responses, hands of a seat by its best response
    run.keep(
        best=best, target=target, average=average, env=env, rng=rng, last_view=last_view, last_action=last_action,
        has_acted=has_acted, by_best=by_best, counts=counts,
        **{f"played{seat}": memory for seat, memory in enumerate(played)},
        **{f"imitated{seat}": memory for seat, memory in enumerate(imitated)},
    )  # fmt: skip

    for step in run.steps(options.steps):
        # One action in each game.
        view, seat = env.observation.copy(), env.player.astype(np.int64)
        legal = env.mask[:, :actions].astype(bool)
        with torch.no_grad():
            seen = torch.from_numpy(view).expand(seats, -1, -1)
            values, logits = (net(seen).numpy()[seat, games] for net in (best, average))
        allowed = legal if instead is None else np.ones_like(legal)
        values, logits = np.where(allowed, values, -np.inf), np.where(allowed, logits, -np.inf)
        explores = rng.random(options.games) < epsilon(options, step, int(counts[1]))
        greedy = np.where(explores, (rng.random(values.shape) * allowed).argmax(axis=1), values.argmax(axis=1))
        drawn = logits.argmax(axis=1) if options.argmax else (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
        best_mode = by_best[games, seat]
        action = np.where(best_mode, greedy, drawn)
        for each in range(seats):
            acted = (seat == each) & has_acted[:, each]
            rows = {"view": last_view[acted, each], "action": last_action[acted, each], "legal": legal[acted]}
            remember(played[each], rows, next=view[acted])
            own = (seat == each) & best_mode
            imitated[each].add(view=view[own], action=action[own], legal=legal[own])
        last_view[games, seat], last_action[games, seat], has_acted[games, seat] = view, action, True
        env.step(action if instead is None else np.where(legal[games, action], action, instead))

        # Hands that are over.
        over = np.flatnonzero(env.done)
        rewards = env.rewards.astype(np.float32) * np.float32(options.reward_scale)
        for each in range(seats):
            acted = over[has_acted[over, each]]
            nothing = np.zeros((len(acted), actions), bool)
            rows = {"view": last_view[acted, each], "action": last_action[acted, each], "legal": nothing}
            remember(played[each], rows, reward=rewards[acted, each])
        has_acted[over] = False
        by_best[over] = rng.random((len(over), seats)) < options.eta
        counts[0] += len(over)
        counts[2] += by_best[over].sum()

        # Learning.
        cooled = 1 + options.cooling * step / 100_000
        learn_best.param_groups[0]["lr"] = options.rl_rate / cooled
        learn_average.param_groups[0]["lr"] = options.sl_rate / cooled
        if min(len(memory) for memory in played) > max(options.start, options.batch):
            draw = batches(played, rng, options)
            for _ in range(options.updates):
                loss = best_response_loss(best, target if options.target_every else best, draw(), instead, options.pull)
                learn_best.zero_grad()
                loss.backward()
                learn_best.step()
                counts[1] += 1
                if options.target_every and counts[1] % options.target_every == 0:
                    target.load_state_dict(best.state_dict())
        if min(len(memory) for memory in imitated) > max(options.start, options.batch):
            draw = batches(imitated, rng, options)
            for _ in range(options.updates):
                loss = average_policy_loss(average, draw(), instead)
                learn_average.zero_grad()
                loss.backward()
                learn_average.step()

        if step % options.measure_every == 0 or step == options.steps:
            run.check(best, average)
            measures = measure(run, sheet, best, average, instead)
            run.log(
                net=net_file(game, average, options, run, measures),
                hands=int(counts[0]), epsilon=epsilon(options, step, int(counts[1])), **measures,
            )  # fmt: skip
    return net_file(game, average, options, run, measure(run, sheet, best, average, instead))


def check(options: NfspOptions, sheet: Sheet, instead: int | None) -> None:
    """Refuses options that cannot work."""
    if instead is not None and not all(instead < legal.shape[1] and legal[:, instead].all() for legal in sheet.legal):
        raise ParameterError(f"instead: expected an action that is legal in every decision, got {instead}")
    least = max(options.start, options.batch)
    for name in ("rl_memory", "sl_memory"):
        if getattr(options, name) <= least:
            raise ParameterError(f"{name}: expected more than start and batch ({least}), got {getattr(options, name)}")


def epsilon(options: NfspOptions, step: int, updates: int) -> float:
    """The share of random actions: with the root of the iterations, as in the authors' release, or (thesis) divided by
    the number of every update, which is over after a few of them.

    >>> [round(epsilon(NfspOptions(), step, 0), 6) for step in (1, 10_000, 1_000_000)]
    [0.06, 0.0006, 6e-05]
    >>> [round(epsilon(NfspOptions(decay="release"), step, 0), 6) for step in (1, 10_000, 1_000_000)]
    [0.059406, 0.03, 0.005455]
    >>> round(epsilon(NfspOptions(decay="factorial"), 9, updates=4), 6)
    0.0025
    """
    if options.decay == "root":
        return options.epsilon / math.sqrt(step)
    if options.decay == "release":
        return options.epsilon / (1 + 0.01 * math.sqrt(step))
    if options.decay == "factorial":
        return 0.0 if updates > 100 else options.epsilon / math.factorial(updates)
    return options.epsilon


def remember(
    memory: Circular, rows: Batch, next: NDArray[np.float32] | None = None, reward: NDArray[np.float32] | None = None
) -> None:
    """Adds transitions: to the next own decision (`next`), or to the end of the hand with its `reward`."""
    count = len(rows["action"])
    memory.add(
        **rows,
        reward=np.zeros(count, np.float32) if reward is None else reward,
        next=np.zeros_like(rows["view"]) if next is None else next,
        over=np.full(count, next is None, np.float32),
    )


def batches(
    memories: Sequence[RowMemory], rng: np.random.Generator, options: NfspOptions
) -> Callable[[], dict[str, Tensor]]:
    """Rows for one update after the other: those of all seats side by side, fresh ones unless told otherwise."""

    def draw() -> dict[str, Tensor]:
        drawn: list[Batch] = [memory.sample(rng, options.batch) for memory in memories]
        return {name: torch.from_numpy(np.stack([batch[name] for batch in drawn])) for name in drawn[0]}

    if not options.same_batch:
        return draw
    kept = draw()
    return lambda: kept


def best_response_loss(
    best: Seats, target: nn.Module, batch: dict[str, Tensor], instead: int | None, pull: bool
) -> Tensor:
    """Mean squared error of the taken action against the reward, or the largest value after the next own decision."""
    with torch.no_grad():
        after = target(batch["next"])
        if instead is None:
            after = after.masked_fill(~batch["legal"], -torch.inf)
        # At the end of a hand nothing is legal any more, and nothing comes after it.
        value = torch.where(batch["over"] > 0, 0.0, after.max(dim=2).values)
        goal = batch["reward"] + value
    taken = batch["action"][:, :, None]
    values = best(batch["view"])
    if pull:
        with torch.no_grad():
            goals = target(batch["view"]).scatter(2, taken, goal[:, :, None])
        loss: Tensor = ((values - goals) ** 2).sum(dim=2).mean(dim=1).sum()
    else:
        loss = ((values.gather(2, taken)[:, :, 0] - goal) ** 2).mean(dim=1).sum()
    return loss


def average_policy_loss(average: Seats, batch: dict[str, Tensor], instead: int | None) -> Tensor:
    """Cross-entropy of the own best actions."""
    logits = average(batch["view"])
    if instead is None:
        logits = logits.masked_fill(~batch["legal"], -torch.inf)
    taken = batch["action"][:, :, None]
    return -torch.log_softmax(logits, dim=2).gather(2, taken).mean(dim=(1, 2)).sum()


def measure(run: Run, sheet: Sheet, best: Seats, average: Seats, instead: int | None) -> dict[str, float]:
    """Exact: how far the average policies are from an equilibrium, and the best responses from being best."""

    def outputs(nets: Seats, seat: int) -> NDArray[np.float32]:
        rows = torch.from_numpy(sheet.tensors[seat]).expand(len(sheet.tensors), -1, -1)
        with torch.no_grad():
            numbers: NDArray[np.float32] = nets(rows)[seat].numpy()
        run.check(outputs=numbers)
        return numbers

    seats = range(len(sheet.tensors))
    strategies = [sheet.strategy(seat, outputs(average, seat), instead) for seat in seats]
    greedy = [sheet.strategy(seat, 1e9 * outputs(best, seat).astype(float), instead) for seat in seats]
    most = sheet.best_values(strategies)
    out = {
        "exploitability": sum(most) / 2,
        "nash_conv": sum(most),
        "greedy_exploitability": sheet.exploitability(greedy),
    }
    out["self_play"] = sheet.payoffs(strategies)[0]
    for seat, value in enumerate(most):
        against = [greedy[seat] if each == seat else strategy for each, strategy in enumerate(strategies)]
        out[f"best_value{seat}"] = value
        out[f"gap{seat}"] = value - sheet.payoffs(against)[seat]
    return out


def net_file(game: Game, average: Seats, options: NfspOptions, run: Run, results: dict[str, float]) -> NetFile:
    """The average policies of all seats."""
    seats = [{"policy": padded(average.layers(seat), game.info.actions)} for seat in range(game.info.players)]
    instead = None if options.instead < 0 else options.instead
    return NetFile(game, run.card(chooses="draw", instead=instead, data="games against itself", results=results), seats)
