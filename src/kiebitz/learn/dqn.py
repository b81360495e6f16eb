"""Deep Q-learning (Mnih et al. 2015, Human-level control through deep reinforcement learning): a net learns what each
action is worth, from remembered steps and from a slower copy of itself.

Optional are double Q-learning (van Hasselt et al. 2016) and prioritised replay (Schaul et al. 2016).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import Game
from kiebitz.errors import ParameterError
from kiebitz.learn.memories import Batch, Circular, Prioritised
from kiebitz.learn.method import register
from kiebitz.learn.run import Run
from kiebitz.learn.seats import Seats, neurons
from kiebitz.learn.solo import SoloOptions, Tally
from kiebitz.nets import NetFile
from kiebitz.options import option

Values = NDArray[np.float32]


@dataclass(frozen=True)
class DqnOptions(SoloOptions):
    """Options of ``dqn``."""

    STEPS_DECIDE: ClassVar[bool] = True  # exploration falls towards the last one

    steps: int = option(20_000, "iterations: one action in each game, then a round of learning", low=1)
    seed: int = option(1, "random numbers", low=0)
    hidden: str = option("64,64", "neurons of the hidden layers")
    optimizer: str = option("adam", "how the net descends", choices=("adam", "sgd"))
    rate: float = option(0.001, "learning rate", low=0)
    loss: str = option("square", "of the error: its square, or Huber's", choices=("square", "huber"))
    memory: int = option(100_000, "steps that are remembered", low=1)
    batch: int = option(64, "rows in one update", low=1)
    updates: int = option(1, "updates in an iteration", low=0)
    warm_up: int = option(500, "steps at random before learning starts", low=1)
    target_every: int = option(200, "updates after which the target net follows", low=1)
    epsilon: float = option(1.0, "share of random actions at the start", low=0, high=1)
    last_epsilon: float = option(0.05, "share of random actions that stays", low=0, high=1)
    exploring: float = option(0.3, "share of the iterations in which one becomes the other", low=0, high=1)
    double: bool = option(False, "the net chooses the next action, the target net judges it")
    prioritised: bool = option(False, "surprising steps are learned from more often")
    alpha: float = option(0.6, "prioritised: how much more often", low=0, high=1)
    beta: float = option(
        0.4, "prioritised: how much of that is made up for at the start; all of it at the end", low=0, high=1
    )


@register("dqn", DqnOptions)
def dqn(game: Game, options: DqnOptions, run: Run) -> NetFile:
    """Deep Q-learning: what each action is worth, from remembered steps; double and prioritised as options."""
    check(options)
    rng = np.random.default_rng(options.seed)
    numbers, actions = game.info.tensor_size, game.info.actions
    sizes = [numbers, *neurons(options.hidden), actions]
    net, target = (Seats(sizes, 1, rng, adam=options.optimizer == "adam") for _ in range(2))
    if first := options.first_net(game, "dqn"):
        net.begin(first.seats[0]["policy"])
    target.copy(net)

    def best(view: Values, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
        values = net.say(view, np.zeros(len(view), np.int64))
        run.check(outputs=values)
        chosen: NDArray[np.int64] = np.where(allowed, values, -np.inf).argmax(axis=1)
        return chosen

    def explore(view: Values, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
        random = (rng.random(allowed.shape) * allowed).argmax(axis=1)
        explores = rng.random(len(view)) < epsilon(options, run.step, memory.offered)
        return np.where(explores, random, best(view, allowed))

    row = {
        "view": ((numbers,), np.float32), "action": ((), np.int64), "reward": ((), np.float32),
        "next": ((numbers,), np.float32), "allowed": ((actions,), np.bool_), "over": ((), np.bool_),
    }  # fmt: skip
    memory = Prioritised(options.memory, row, options.alpha) if options.prioritised else Circular(options.memory, row)
    env = options.env(game, explore, options.seed)
    measure = options.yardstick(game, best, options.seed)
    tally = Tally(env)
    updates = np.zeros((), np.int64)
    run.keep(net=net, target=target, memory=memory, env=env, tally=tally, rng=rng, updates=updates)

    for step in run.steps(options.steps):
        view = env.observation.copy()
        action = explore(view, env.allowed)
        env.step(action)
        tally.add(env)
        memory.add(
            view=view, action=action, reward=env.reward, next=env.observation, allowed=env.allowed, over=env.done
        )  # fmt: skip
        if memory.offered >= options.warm_up:
            for _ in range(options.updates):
                batch = memory.sample(rng, options.batch)
                slopes, errors = slopes_and_errors(net, target, batch, options, step / options.steps)
                net.descend(slopes, options.rate)
                if isinstance(memory, Prioritised):
                    memory.update(batch["place"], np.abs(errors) + 1e-3)
                updates += 1
                if updates % options.target_every == 0:
                    target.copy(net)

        if step % options.measure_every == 0 or step == options.steps:
            run.check(net)
            results = measure(step)
            run.log(
                net=net_file(game, net, run, results), **results, **tally.taken("training_"),
                epsilon=epsilon(options, step, memory.offered), updates=int(updates),
            )  # fmt: skip
        if options.keep_every and step % options.keep_every == 0:
            run.keep_net(net_file(game, net, run, {}))
    return net_file(game, net, run, measure(run.step))


def check(options: DqnOptions) -> None:
    """Refuses options that cannot work."""
    if options.memory < max(options.warm_up, options.batch):
        raise ParameterError(
            f"memory: expected at least warm_up and batch ({max(options.warm_up, options.batch)}), got {options.memory}"
        )


def epsilon(options: DqnOptions, step: int, seen: int) -> float:
    """The share of random actions: all of them while the memory warms up, then linearly down.

    >>> options = DqnOptions(steps=1000, warm_up=10)
    >>> [round(epsilon(options, step, 10), 3) for step in (0, 150, 300, 900)], epsilon(options, 900, 9)
    ([1.0, 0.525, 0.05, 0.05], 1.0)
    """
    if seen < options.warm_up:
        return 1.0
    left = max(1 - step / max(options.exploring * options.steps, 1), 0)
    return options.last_epsilon + (options.epsilon - options.last_epsilon) * left


def slopes_and_errors(
    net: Seats, target: Seats, batch: Batch, options: DqnOptions, done: float
) -> tuple[Values, NDArray[np.float32]]:
    """The mean loss of the taken actions: its derivative by each output of the net, and the error of each row."""
    rows = np.arange(len(batch["action"]))
    after = target.outputs(batch["next"][None])[0]
    chooser = net.outputs(batch["next"][None])[0] if options.double else after
    following = after[rows, np.where(batch["allowed"], chooser, -np.inf).argmax(axis=1)]
    goal = batch["reward"] + np.float32(options.gamma) * np.where(batch["over"], 0, following)

    values = net.outputs(batch["view"][None])
    errors: NDArray[np.float32] = values[0, rows, batch["action"]] - goal
    slope = 2 * errors if options.loss == "square" else np.clip(errors, -1, 1)
    slopes = np.zeros_like(values)
    slopes[0, rows, batch["action"]] = slope * weights(batch, options, done) / np.float32(len(rows))
    return slopes, errors


def weights(batch: Mapping[str, NDArray[np.float64]], options: DqnOptions, done: float) -> NDArray[np.float32] | float:
    """Rows that are drawn more often count less, in the end so much less that it makes no difference."""
    if not options.prioritised:
        return 1.0
    beta = options.beta + (1 - options.beta) * done
    rare = batch["probability"] ** -beta
    scaled: NDArray[np.float32] = (rare / rare.max()).astype(np.float32)
    return scaled


def net_file(game: Game, net: Seats, run: Run, results: Mapping[str, float]) -> NetFile:
    """The net for files: it plays the action of which it expects most."""
    card = run.card(chooses="best", data=f"games against {run.options.opponent}", results=dict(results))
    return NetFile(game, card, [{"policy": net.layers(0, game.info.actions)}])
