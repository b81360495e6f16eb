"""Actor and critic (Sutton and Barto 2018, Reinforcement Learning, chapter 13): one net with two heads, of which one
plays and the other learns what to expect; actions that turn out better than expected become likelier.

Either after every step, from what the critic expects then (one-step), or after every game, from how it went
(Monte Carlo).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import Game
from kiebitz.learn.method import register
from kiebitz.learn.run import Run
from kiebitz.learn.seats import Seats, neurons, softmax
from kiebitz.learn.solo import Choose, SoloOptions, Tally, expectation, value_layers, whole_games
from kiebitz.nets import NetFile
from kiebitz.options import option

Values = NDArray[np.float32]


@dataclass(frozen=True)
class ActorCriticOptions(SoloOptions):
    """Options of ``actor_critic``."""

    steps: int = option(2000, "iterations: monte_carlo: a whole game in each row; one_step: one action", low=1)
    seed: int = option(1, "random numbers", low=0)
    learn: str = option("monte_carlo", "what an action is judged by", choices=("monte_carlo", "one_step"))
    hidden: str = option("64", "neurons of the hidden layers, which both heads share")
    optimizer: str = option("adam", "how the net descends", choices=("adam", "sgd"))
    rate: float = option(0.003, "learning rate", low=0)
    critic: float = option(1.0, "weight of the critic's loss", low=0)
    delta: float = option(1.0, "the critic's loss is Huber's: square up to this error, then linear", low=1e-9)
    sums: bool = option(False, "monte_carlo: losses are summed over a game instead of averaged over its steps")
    standardised: bool = option(False, "monte_carlo: the returns of a game have mean 0 and deviation 1")
    flows: bool = option(False, "monte_carlo: the actor's loss moves the critic, too, as where nobody stops it")
    entropy: float = option(0.0, "reward for the policy's entropy, which keeps it exploring", low=0)
    best: bool = option(True, "the net plays its likeliest action; false: it draws one")


@register("actor_critic", ActorCriticOptions)
def actor_critic(game: Game, options: ActorCriticOptions, run: Run) -> NetFile:
    """Actor and critic: better than expected becomes likelier; judged by one step or by whole games."""
    rng = np.random.default_rng(options.seed)
    numbers, actions = game.info.tensor_size, game.info.actions
    net = Seats([numbers, *neurons(options.hidden), actions + 1], 1, rng, adam=options.optimizer == "adam")
    if first := options.first_net(game, "actor_critic"):
        net.begin(layers_of(first, options))

    def logits(view: Values, allowed: NDArray[np.bool_]) -> Values:
        said = net.say(view, np.zeros(len(view), np.int64))[:, :actions]
        run.check(outputs=said)
        return np.where(allowed, said, -np.inf)

    def best(view: Values, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
        chosen: NDArray[np.int64] = logits(view, allowed).argmax(axis=1)
        return chosen

    def drawn_by(dice: np.random.Generator) -> Choose:
        return lambda view, allowed: (logits(view, allowed) + dice.gumbel(size=allowed.shape)).argmax(axis=1)

    draw, dice = drawn_by(rng), np.random.default_rng(options.seed)
    env = options.env(game, draw, options.seed)
    measure = options.yardstick(game, best if options.best else drawn_by(dice), options.seed, dice)
    tally = Tally(env)
    discount = np.ones(env.games, np.float32)  # one_step: gamma to the number of own decisions so far
    run.keep(net=net, env=env, tally=tally, rng=rng, discount=discount)

    for step in run.steps(options.steps):
        if options.learn == "monte_carlo":
            played = whole_games(env, draw, tally)
            there = played.there
            returns = played.returns(options.gamma)
            if options.standardised:
                returns = standardised(returns, there)
            allowed = played.allowed[there]
            outputs = net.outputs(played.view[there][None])[0]
            weight = np.full(len(allowed), 1 / env.games if options.sums else 1 / len(allowed), np.float32)
            slopes = slopes_of(outputs, allowed, played.action[there], returns[there], weight, weight, options)
        else:
            view, allowed = env.observation.copy(), env.allowed
            action = draw(view, allowed)
            env.step(action)
            tally.add(env)
            after = net.say(env.observation, np.zeros(env.games, np.int64))[:, actions]
            goal: Values = env.reward + np.float32(options.gamma) * after * ~env.done
            weight = np.full(env.games, 1 / env.games, np.float32)
            slopes = slopes_of(net.outputs(view[None])[0], allowed, action, goal, weight * discount, weight, options)
            discount[:] = np.where(env.done, 1, discount * np.float32(options.gamma))
        net.descend(slopes[None], options.rate)

        if step % options.measure_every == 0 or step == options.steps:
            run.check(net)
            results = measure(step)
            run.log(net=net_file(game, net, options, run, results), **results, **tally.taken("training_"))
        if options.keep_every and step % options.keep_every == 0:
            run.keep_net(net_file(game, net, options, run, {}))
    return net_file(game, net, options, run, measure(run.step))


def slopes_of(  # noqa: PLR0917 (what a row is, and its weights)
    outputs: Values, allowed: NDArray[np.bool_], action: NDArray[np.int64], goal: Values,
    actor_weight: Values, critic_weight: Values, options: ActorCriticOptions,
) -> Values:  # fmt: skip
    """The loss -log p(action) x (goal - V) + Huber(goal - V), V constant in its first part unless it flows: its
    derivative by each logit and by V, the last of the outputs, row by row."""
    logits = np.where(allowed, outputs[:, :-1], -np.inf)
    chances = softmax(logits)
    advantage = goal - outputs[:, -1]
    slopes = np.empty_like(outputs)
    taken = np.eye(allowed.shape[1], dtype=np.float32)[action]
    slopes[:, :-1] = (chances - taken) * advantage[:, None]
    logs = np.log(np.maximum(chances, 1e-30))
    if options.entropy > 0:
        slopes[:, :-1] += np.float32(options.entropy) * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))
    slopes[:, :-1] *= actor_weight[:, None]
    delta = np.float32(options.delta)
    slopes[:, -1] = np.float32(options.critic) * critic_weight * np.clip(-advantage, -delta, delta)
    if options.flows:
        slopes[:, -1] += actor_weight * logs[np.arange(len(action)), action]
    return slopes


def standardised(returns: Values, there: NDArray[np.bool_]) -> Values:
    """The returns of each game (steps x games) with mean 0 and deviation 1; those of a single step are 0.

    >>> standardised(np.array([[1.0], [3.0], [9.0]], np.float32), np.array([[True], [True], [False]]))[:2, 0].tolist()
    [-0.9999998807907104, 0.9999998807907104]
    """
    count = there.sum(axis=0)
    centred = np.where(there, returns - np.where(there, returns, 0).sum(axis=0) / count, 0)
    deviation = np.sqrt((centred**2).sum(axis=0) / count)
    out: Values = (centred / (deviation + np.finfo(np.float32).eps)).astype(np.float32)
    return out


def net_file(game: Game, net: Seats, options: ActorCriticOptions, run: Run, results: Mapping[str, float]) -> NetFile:
    """Actor and critic for files."""
    card = run.card(
        chooses="best" if options.best else "draw", data=f"games against {options.opponent}", results=dict(results)
    )
    *trunk, last = net.layers(0, game.info.actions + 1)
    policy = {**last, "weights": last["weights"][:-1], "bias": last["bias"][:-1]}
    value = value_layers(game, [last], options.payoff)
    return NetFile(game, card, [{"trunk": trunk, "policy": [policy], "value": value}])


def layers_of(file: NetFile, options: ActorCriticOptions) -> list[dict[str, object]]:
    """The layers of a file as they learn: both heads in one."""
    parts = file.seats[0]
    if not parts["policy"] or not parts["value"]:
        return [*parts["trunk"], *parts["policy"]]  # refused for its shape
    policy, value = parts["policy"][-1], parts["value"][-1]
    weights, bias = expectation(file.game, value, options.payoff)
    both = {"weights": np.concatenate([policy["weights"], weights]), "bias": np.concatenate([policy["bias"], bias])}
    return [*parts["trunk"], {**policy, **both}]
