"""Neural fictitious self-play (Heinrich and Silver 2016, Deep reinforcement learning from self-play in
imperfect-information games): each seat learns a best response by Q-learning, and by imitation the average of its own
best responses. The average policies approach an equilibrium.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import Game
from kiebitz.env import VectorEnv
from kiebitz.errors import ParameterError
from kiebitz.games import declaration_of
from kiebitz.learn.measure import Sheet
from kiebitz.learn.memories import Batch, Circular, Reservoir, RowMemory
from kiebitz.learn.method import register
from kiebitz.learn.run import Run
from kiebitz.learn.seats import Seats, softmax
from kiebitz.nets import NetFile
from kiebitz.options import option
from kiebitz.solve.method import ZERO_SUM_FOR_TWO

Values = NDArray[np.float32]


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
    rewards: str = option(
        "end",
        "when they come: with the payoff at the end, or chips as soon as they are paid",
        choices=("end", "paid"),
    )
    reward_scale: float = option(1.0, "they are multiplied by this")
    window: bool = option(False, "the average policy learns from the newest rows alone, not from a reservoir")
    fading: float = option(
        0.0, "a full reservoir takes each new row with this probability; 0: a true reservoir", low=0, high=1
    )
    recency: float = option(0.0, "later rows count more in a full reservoir: with their number to this power", low=0)
    argmax: bool = option(False, "the average policy plays its best action instead of drawing one")
    pull: bool = option(False, "actions not taken are pulled towards the target net, as in the thesis")
    relu_output: bool = option(False, "no negative values of actions, as in the thesis' first attempt")
    imitate: str = option(
        "action",
        "what an average policy learns: the action played, the best one (also where a random one was played), or the "
        "softmax of the values",
        choices=("action", "best", "values"),
    )
    linear: bool = option(False, "cross-entropy of outputs that are no softmax, as printed in the thesis")
    unplayed: bool = option(False, "seats that have not acted in a hand remember one, too, as in the thesis")
    instead: int = option(
        -1, "the action that is played in place of an illegal one; -1: illegal ones are left out", low=-1
    )
    measure_every: int = option(1000, "iterations between two measurements", low=1)


@register("nfsp", NfspOptions, needs=(ZERO_SUM_FOR_TWO,))
def nfsp(game: Game, options: NfspOptions, run: Run) -> NetFile:
    """Neural fictitious self-play: approaches equilibria of games with hidden cards."""
    rng = np.random.default_rng(options.seed)
    env = VectorEnv(game, options.games, options.seed)
    sheet = Sheet(game)
    seats, numbers = game.info.players, game.info.tensor_size
    actions = 1 + max(int(np.flatnonzero(legal.any(axis=0)).max()) for legal in sheet.legal)
    instead = None if options.instead < 0 else options.instead
    check(options, sheet, instead)
    payments(game, options, np.zeros(1, np.int64), np.zeros((1, numbers), np.float32))
    sizes = [numbers, options.hidden, actions]
    best, target = (Seats(sizes, seats, rng, relu_output=options.relu_output) for _ in range(2))
    target.copy(best)
    average = Seats(sizes, seats, rng)
    row = {"view": ((numbers,), np.float32), "legal": ((actions,), np.bool_)}
    choice = {**row, "goal": ((actions,), np.float32)}
    transition = {**row, "action": ((), np.int64), "reward": ((), np.float32), "next": ((numbers,), np.float32),
                  "over": ((), np.float32)}  # fmt: skip
    played = [Circular(options.rl_memory, transition) for _ in range(seats)]
    imitated: Sequence[Circular | Reservoir] = [
        Circular(options.sl_memory, choice)
        if options.window
        else Reservoir(options.sl_memory, choice, rng, options.fading, options.recency)
        for _ in range(seats)
    ]

    # What each seat did last in its current hand, and whether it plays this hand by its best response.
    games = np.arange(options.games)
    last_view = np.zeros((options.games, seats, numbers), np.float32)
    last_action = np.zeros((options.games, seats), np.int64)
    last_paid = np.zeros((options.games, seats), np.float32)
    has_acted = np.full((options.games, seats), options.unplayed)
    by_best = rng.random((options.games, seats)) < options.eta
    counts = np.zeros(3, np.int64)  # hands, updates of the best responses, hands of a seat by its best response
    run.keep(
        best=best, target=target, average=average, env=env, rng=rng, last_view=last_view, last_action=last_action,
        last_paid=last_paid, has_acted=has_acted, by_best=by_best, counts=counts,
        **{f"played{seat}": memory for seat, memory in enumerate(played)},
        **{f"imitated{seat}": memory for seat, memory in enumerate(imitated)},
    )  # fmt: skip

    for step in run.steps(options.steps):
        # One action in each game.
        view, seat = env.observation.copy(), env.player.astype(np.int64)
        paid = payments(game, options, seat, view)
        legal = env.mask[:, :actions].astype(bool)
        values, logits = best.say(view, seat), average.say(view, seat)
        run.check(outputs=values)
        run.check(outputs=logits)
        allowed = legal if instead is None else np.ones_like(legal)
        values, logits = np.where(allowed, values, -np.inf), np.where(allowed, logits, -np.inf)
        explores = rng.random(options.games) < epsilon(options, step, int(counts[1]))
        greedy = np.where(explores, (rng.random(values.shape) * allowed).argmax(axis=1), values.argmax(axis=1))
        drawn = logits.argmax(axis=1) if options.argmax else (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
        best_mode = by_best[games, seat]
        action = np.where(best_mode, greedy, drawn)
        if options.imitate == "values":
            goal = softmax(values)
        else:
            goal = np.eye(actions, dtype=np.float32)[action if options.imitate == "action" else values.argmax(axis=1)]
        for each in range(seats):
            acted = (seat == each) & has_acted[:, each]
            rows = {"view": last_view[acted, each], "action": last_action[acted, each], "legal": legal[acted]}
            remember(played[each], rows, next=view[acted], reward=last_paid[acted, each] - paid[acted])
            own = (seat == each) & best_mode
            imitated[each].add(view=view[own], goal=goal[own], legal=legal[own])
        last_view[games, seat], last_action[games, seat], last_paid[games, seat] = view, action, paid
        has_acted[games, seat] = True
        env.step(action if instead is None else np.where(legal[games, action], action, instead))

        # Hands that are over.
        over = np.flatnonzero(env.done)
        rewards = env.rewards.astype(np.float32) * np.float32(options.reward_scale)
        for each in range(seats):
            acted = over[has_acted[over, each]]
            nothing = np.zeros((len(acted), actions), bool)
            rows = {"view": last_view[acted, each], "action": last_action[acted, each], "legal": nothing}
            remember(played[each], rows, reward=rewards[acted, each] + last_paid[acted, each])
        has_acted[over], last_view[over], last_action[over], last_paid[over] = options.unplayed, 0, 0, 0
        by_best[over] = rng.random((len(over), seats)) < options.eta
        counts[0] += len(over)
        counts[2] += by_best[over].sum()

        # Learning.
        cooled = 1 + options.cooling * step / 100_000
        if min(len(memory) for memory in played) > max(options.start, options.batch):
            draw = batches(played, rng, options)
            for _ in range(options.updates):
                slopes = best_response_slopes(
                    best, target if options.target_every else best, draw(), instead, options.pull
                )
                best.descend(slopes, options.rl_rate / cooled)
                counts[1] += 1
                if options.target_every and counts[1] % options.target_every == 0:
                    target.copy(best)
        if min(len(memory) for memory in imitated) > max(options.start, options.batch):
            draw = batches(imitated, rng, options)
            for _ in range(options.updates):
                slopes = average_policy_slopes(average, draw(), instead, options.linear)
                average.descend(slopes, options.sl_rate / cooled)

        if step % options.measure_every == 0 or step == options.steps:
            run.check(best, average)
            measures = measure(run, sheet, best, average, instead)
            run.log(
                net=net_file(game, average, options, run, measures),
                hands=int(counts[0]), epsilon=epsilon(options, step, int(counts[1])), **measures,
                **{f"played{seat}": len(memory) for seat, memory in enumerate(played)},
                **{f"imitated{seat}": len(memory) for seat, memory in enumerate(imitated)},
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


def payments(game: Game, options: NfspOptions, seats: NDArray[np.int64], views: Values) -> Values:
    """What the seat of each row has paid so far, in rewards; nothing if they come at the end.

    A reward is what a seat got or paid since its last decision, so that the sum over a hand is its payoff either way.
    With what is paid at once, folding costs nothing any more, whatever the pot.
    """
    if options.rewards == "end":
        return np.zeros(len(seats), np.float32)
    paid = declaration_of(game).encoding.paid(game, seats, views)
    if paid is None:
        raise ParameterError(
            f"rewards: expected end, because {game.name} does not tell what is paid before it, got paid"
        )
    return paid * np.float32(options.reward_scale)


def remember(memory: Circular, rows: Batch, reward: Values, next: Values | None = None) -> None:
    """Adds transitions: to the next own decision (`next`), or to the end of the hand."""
    count = len(rows["action"])
    memory.add(
        **rows,
        reward=reward,
        next=np.zeros_like(rows["view"]) if next is None else next,
        over=np.full(count, next is None, np.float32),
    )


def batches(memories: Sequence[RowMemory], rng: np.random.Generator, options: NfspOptions) -> Callable[[], Batch]:
    """Rows for one update after the other: those of all seats side by side, fresh ones unless told otherwise."""

    def draw() -> Batch:
        rows = {
            name: np.empty((len(memories), options.batch, *array.shape[1:]), array.dtype)
            for name, array in memories[0].arrays.items()
        }
        for seat, memory in enumerate(memories):
            memory.sample_into(rng, {name: array[seat] for name, array in rows.items()})
        return rows

    if not options.same_batch:
        return draw
    kept = draw()
    return lambda: kept


def best_response_slopes(best: Seats, target: Seats, batch: Batch, instead: int | None, pull: bool) -> Values:
    """The squared error of the taken action against the reward, or the largest value after the next own decision:
    its derivative by each output, for the mean of the rows of a seat."""
    after = target.outputs(batch["next"])
    if instead is None:
        after = np.where(batch["legal"], after, -np.inf)
    # At the end of a hand nothing is legal any more, and nothing comes after it.
    goal = batch["reward"] + np.where(batch["over"] > 0, 0, after.max(axis=2))
    taken = batch["action"][:, :, None]
    if pull:
        goals = target.outputs(batch["view"])
        np.put_along_axis(goals, taken, goal[:, :, None], axis=2)
        errors = best.outputs(batch["view"]) - goals
    else:
        values = best.outputs(batch["view"])
        errors = np.zeros_like(values)
        np.put_along_axis(errors, taken, np.take_along_axis(values, taken, axis=2) - goal[:, :, None], axis=2)
    slopes: Values = 2 * errors / np.float32(goal.shape[1])
    return slopes


def average_policy_slopes(average: Seats, batch: Batch, instead: int | None, linear: bool = False) -> Values:
    """The cross-entropy of the own best actions: its derivative by each output, for the mean of the rows of a seat."""
    outputs, goal = average.outputs(batch["view"]), batch["goal"]
    if linear:
        # Shares of the sum, as far from 0 and 1 as the framework of the thesis keeps them; nothing moves beyond that.
        total = outputs.sum(axis=2, keepdims=True)
        counted = np.where((outputs / total > 1e-7) & (outputs / total < 1 - 1e-7), goal, 0)
        slopes: Values = counted.sum(axis=2, keepdims=True) / total - counted / outputs
    else:
        slopes = softmax(outputs if instead is not None else np.where(batch["legal"], outputs, -np.inf)) - goal
    return slopes / np.float32(goal.shape[1])


def measure(run: Run, sheet: Sheet, best: Seats, average: Seats, instead: int | None) -> dict[str, float]:
    """Exact: how far the average policies are from an equilibrium, and the best responses from being best."""

    def outputs(nets: Seats, seat: int) -> Values:
        rows = np.broadcast_to(sheet.tensors[seat], (len(sheet.tensors), *sheet.tensors[seat].shape))
        numbers: Values = nets.outputs(rows)[seat]
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
    seats = [{"policy": average.layers(seat, game.info.actions)} for seat in range(game.info.players)]
    instead = None if options.instead < 0 else options.instead
    return NetFile(game, run.card(chooses="draw", instead=instead, data="games against itself", results=results), seats)
