"""Tabular Q-learning (Watkins 1989) and SARSA (Rummery and Niranjan 1994): a number for each action in each position.

The table is kept as a net, so that it plays like any other: a neuron for each position that fires there and nowhere
else, and the worth of each action there as the weights behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import Game
from kiebitz.errors import LimitError, UnsuitableGame
from kiebitz.learn.method import register
from kiebitz.learn.run import Run
from kiebitz.learn.solo import SoloOptions, Tally
from kiebitz.nets import NetFile
from kiebitz.options import option

Array = NDArray[np.float64]


@dataclass(frozen=True)
class QLearningOptions(SoloOptions):
    """Options of ``q_learning``."""

    steps: int = option(20_000, "iterations: one action in each game", low=1)
    seed: int = option(1, "random numbers", low=0)
    rate: float = option(0.1, "learning rate", low=0, high=1)
    fading: float = option(0.0, "the rate is divided by the visits of an action to this power", low=0, high=1)
    epsilon: float = option(0.1, "share of random actions", low=0, high=1)
    sarsa: bool = option(False, "learn the worth of what is played, exploring included, not of the best action")
    positions: int = option(100_000, "most positions in the table", low=1, high=1_000_000)


@register("q_learning", QLearningOptions)
def q_learning(game: Game, options: QLearningOptions, run: Run) -> NetFile:
    """Tabular Q-learning, and SARSA as an option: a number for each action in each position, for small games."""
    rng = np.random.default_rng(options.seed)
    table = Table(game, options.positions)
    if first := options.first_net(game, "q_learning"):
        table.begin(first)

    def best(view: NDArray[np.float32], allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
        values = table.values[table.places(view, add=False)]
        chosen: NDArray[np.int64] = np.where(allowed, values, -np.inf).argmax(axis=1)
        return chosen

    def explore(view: NDArray[np.float32], allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
        random = (rng.random(allowed.shape) * allowed).argmax(axis=1)
        return np.where(rng.random(len(view)) < options.epsilon, random, best(view, allowed))

    env = options.env(game, explore, options.seed)
    measure = options.yardstick(game, best, options.seed)
    tally = Tally(env)
    action = explore(env.observation, env.allowed)
    run.keep(table=table, env=env, tally=tally, rng=rng, action=action)

    for step in run.steps(options.steps):
        places = table.places(env.observation)
        env.step(action)
        tally.add(env)
        allowed = env.allowed
        after, following = table.places(env.observation), explore(env.observation, allowed)
        for game_number, (place, chosen) in enumerate(zip(places, action, strict=True)):
            table.visits[place, chosen] += 1
            rate = options.rate / table.visits[place, chosen] ** options.fading
            then = table.values[after[game_number]]
            if env.done[game_number]:
                expected = 0.0
            elif options.sarsa:
                expected = then[following[game_number]]
            else:
                expected = then[allowed[game_number]].max()
            learn(table.values, place, chosen, float(env.reward[game_number]), expected, rate, options.gamma)
        action[:] = following

        if step % options.measure_every == 0 or step == options.steps:
            run.check(table)
            results = measure(step)
            file = net_file(game, table, run, results)
            run.log(net=file, **results, **tally.taken("training_"), positions=len(table))
        if options.keep_every and step % options.keep_every == 0:
            run.keep_net(net_file(game, table, run, {}))
    return net_file(game, table, run, measure(run.step))


def learn(  # noqa: PLR0917 (the symbols of the rule)
    values: Array, place: int, action: int, reward: float, expected: float, rate: float, gamma: float
) -> None:
    """The rule: an action is worth its reward and what is expected after it.

    >>> values = np.zeros((1, 2))
    >>> learn(values, 0, 1, reward=3.0, expected=10.0, rate=0.5, gamma=0.9)
    >>> values.tolist()
    [[0.0, 6.0]]
    """
    values[place, action] += rate * (reward + gamma * expected - values[place, action])


class Table:
    """Values and visits of actions by what is seen; place 0 stands for whatever was never seen.

    >>> import kiebitz as kb
    >>> table = Table(kb.game("tic_tac_toe"), 100)
    >>> seen = np.eye(3, 27, dtype=np.float32)
    >>> table.places(seen).tolist(), table.places(seen[::-1], add=False).tolist(), len(table)
    ([1, 2, 3], [3, 2, 1], 3)
    """

    def __init__(self, game: Game, most: int) -> None:
        self.game, self.most = game, most
        self._places: dict[bytes, int] = {}
        self.views = np.zeros((1, game.info.tensor_size), np.float32)
        self.values = np.zeros((1, game.info.actions))
        self.visits = np.zeros((1, game.info.actions), np.int64)

    def __len__(self) -> int:
        return len(self._places)

    def places(self, views: NDArray[np.float32], add: bool = True) -> NDArray[np.int64]:
        """Where each is in the table; new ones get a place, or 0."""
        out = np.zeros(len(views), np.int64)
        for row, view in enumerate(views):
            place = self._places.get(view.tobytes(), 0)
            out[row] = self._add(view) if add and place == 0 else place
        return out

    def _add(self, view: NDArray[np.float32]) -> int:
        if not np.isin(view, (0, 1)).all():
            raise UnsuitableGame(
                f"q_learning needs a game whose tensor is zeros and ones, which {self.game.name} is not"
            )
        place = len(self) + 1
        if place > self.most:
            raise LimitError(
                f"positions: {self.game.name} has more than {self.most:,}; allow more, or learn with a net"
            )
        if place == len(self.views):
            self.views, self.values, self.visits = (
                np.concatenate([each, np.zeros_like(each)]) for each in (self.views, self.values, self.visits)
            )
        self._places[view.tobytes()] = place
        self.views[place] = view
        return place

    def layers(self) -> list[dict[str, Any]]:
        """The table as two dense layers. A neuron counts in how many places a view differs from its own: with none it
        says 1, otherwise 0."""
        views, values = self.views[1 : len(self) + 1], self.values[1 : len(self) + 1]
        if not len(self):
            views, values = self.views[:1], self.values[:1]
        return [
            {"kind": "dense", "weights": 2 * views - 1, "bias": 1 - views.sum(axis=1), "relu": True},
            {"kind": "dense", "weights": values.T.astype(np.float32), "bias": np.zeros(values.shape[1], np.float32)},
        ]

    def begin(self, file: NetFile) -> None:
        """Takes the values of another table."""
        first, second = file.seats[0]["policy"]
        places = self.places((first["weights"] > 0).astype(np.float32))
        self.values[places] = np.transpose(second["weights"])

    def parameters(self) -> list[Array]:
        """All values."""
        return [self.values]

    def memory(self) -> dict[str, NDArray[Any]]:
        """All of it as arrays."""
        return {name: getattr(self, name)[1 : len(self) + 1] for name in ("views", "values", "visits")}

    def load(self, memory: Mapping[str, NDArray[Any]]) -> None:
        """Takes what `memory` gave."""
        places = self.places(memory["views"])
        self.values[places], self.visits[places] = memory["values"], memory["visits"]


def net_file(game: Game, table: Table, run: Run, results: Mapping[str, float]) -> NetFile:
    """The table as a net."""
    card = run.card(chooses="best", data=f"games against {run.options.opponent}", results=dict(results))
    return NetFile(game, card, [{"policy": table.layers()}])
