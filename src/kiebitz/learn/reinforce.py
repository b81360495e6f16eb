"""REINFORCE (Williams 1992, Simple statistical gradient-following algorithms for connectionist reinforcement learning):
whole games are played by the policy, and what was done before good endings becomes likelier.

A baseline that depends on the position alone changes nothing on average and makes the steps less noisy; here it is a
second net that learns the returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import Game
from kiebitz.learn.method import register
from kiebitz.learn.run import Run
from kiebitz.learn.seats import Seats, neurons, softmax
from kiebitz.learn.solo import SoloOptions, Tally, expectation, value_layers, whole_games
from kiebitz.nets import NetFile
from kiebitz.options import option

Values = NDArray[np.float32]


@dataclass(frozen=True)
class ReinforceOptions(SoloOptions):
    """Options of ``reinforce``."""

    steps: int = option(2000, "iterations: a whole game in each row, then one update", low=1)
    seed: int = option(1, "random numbers", low=0)
    hidden: str = option("64", "neurons of the hidden layers")
    optimizer: str = option("adam", "how the nets climb", choices=("adam", "sgd"))
    rate: float = option(0.003, "learning rate of the policy", low=0)
    baseline: bool = option(True, "subtract from a return what a second net expects")
    baseline_rate: float = option(0.003, "learning rate of that net", low=0)
    entropy: float = option(0.0, "reward for the policy's entropy, which keeps it exploring", low=0)


@register("reinforce", ReinforceOptions)
def reinforce(game: Game, options: ReinforceOptions, run: Run) -> NetFile:
    """REINFORCE: what came before good endings becomes likelier; with or without a baseline."""
    rng = np.random.default_rng(options.seed)
    numbers, actions = game.info.tensor_size, game.info.actions
    adam = options.optimizer == "adam"
    policy = Seats([numbers, *neurons(options.hidden), actions], 1, rng, adam=adam)
    baseline = Seats([numbers, *neurons(options.hidden), 1], 1, rng, adam=adam)
    if first := options.first_net(game, "reinforce"):
        policy.begin(first.seats[0]["policy"])
        if first.has("value"):
            *below, last = first.seats[0]["value"]
            weights, bias = expectation(game, last, options.payoff)
            baseline.begin([*below, {**last, "weights": weights, "bias": bias}])

    def logits(view: Values, allowed: NDArray[np.bool_]) -> Values:
        said = policy.say(view, np.zeros(len(view), np.int64))
        run.check(outputs=said)
        return np.where(allowed, said, -np.inf)

    def best(view: Values, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
        chosen: NDArray[np.int64] = logits(view, allowed).argmax(axis=1)
        return chosen

    def draw(view: Values, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
        chosen: NDArray[np.int64] = (logits(view, allowed) + rng.gumbel(size=allowed.shape)).argmax(axis=1)
        return chosen

    env = options.env(game, draw, options.seed)
    measure = options.yardstick(game, best, options.seed)
    tally = Tally(env)
    run.keep(policy=policy, baseline=baseline, env=env, tally=tally, rng=rng)

    for step in run.steps(options.steps):
        played = whole_games(env, draw, tally)
        there = played.there
        view, action = played.view[there], played.action[there]
        allowed = played.allowed[there]
        advantage = played.returns(options.gamma)[there]
        if options.baseline:
            expected = baseline.outputs(view[None])
            errors = expected[0, :, 0] - advantage
            baseline.descend(errors[None, :, None] / np.float32(len(errors)), options.baseline_rate)
            advantage = -errors
        slopes = policy_slopes(
            np.where(allowed, policy.outputs(view[None])[0], -np.inf), action, advantage, options.entropy
        )
        policy.descend(slopes[None] / np.float32(env.games), options.rate)

        if step % options.measure_every == 0 or step == options.steps:
            run.check(policy, baseline)
            results = measure(step)
            run.log(net=net_file(game, policy, baseline, run, results), **results, **tally.taken("training_"))
        if options.keep_every and step % options.keep_every == 0:
            run.keep_net(net_file(game, policy, baseline, run, {}))
    return net_file(game, policy, baseline, run, measure(run.step))


def policy_slopes(logits: Values, action: NDArray[np.int64], advantage: Values, entropy: float) -> Values:
    """Of -advantage x log p(action), and of -entropy x H(p): the derivative by each logit, row by row. Illegal actions
    have the logit -inf.

    >>> logits = np.zeros((1, 2), np.float32)
    >>> policy_slopes(logits, np.array([0]), np.array([3.0], np.float32), 0.0).tolist()
    [[-1.5, 1.5]]
    """
    chances = softmax(logits)
    taken = np.eye(logits.shape[1], dtype=np.float32)[action]
    slopes: Values = (chances - taken) * advantage[:, None]
    if entropy > 0:
        logs = np.log(np.maximum(chances, 1e-30))
        slopes += np.float32(entropy) * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))
    return slopes


def net_file(game: Game, policy: Seats, baseline: Seats, run: Run, results: Mapping[str, float]) -> NetFile:
    """The policy for files, which draws its actions; the baseline is their value."""
    card = run.card(chooses="draw", data=f"games against {run.options.opponent}", results=dict(results))
    parts: dict[str, list[dict[str, Any]]] = {"policy": policy.layers(0, game.info.actions)}
    if run.options.baseline:
        parts["value"] = value_layers(game, baseline.layers(0, 1), run.options.payoff)
    return NetFile(game, card, [parts])
