"""An approximate best response, for games that are too large for an exact one.

A responder learns against fixed opponents by UCT over its own information states (the ISMCTS response of Timbers et al.
2022), then plays new games with what it learned. A best response wins at least as much, so the mean is a lower bound;
the interval is that of the sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple

from kiebitz._core import TERMINAL, View
from kiebitz.errors import ParameterError
from kiebitz.solve.compiled import GameLike, game_of
from kiebitz.solve.measures import fitting
from kiebitz.solve.policy import Actor, Policy
from kiebitz.stats import Estimate, mean_interval

_MOST = 10**12  # games

Opponents = Policy | Callable[[int], Actor]
"""A policy, or a function that makes an opponent from a seed: every game has a new one."""


class LowerBound(NamedTuple):
    """What a learned response won; a best response wins at least as much."""

    payoff: Estimate
    """Mean of the games that were not learned from, with its interval."""
    learned: int
    """Games that the response was learned from."""
    games: int
    """Games that it was measured in."""

    def __str__(self) -> str:
        low, high = self.payoff.low, self.payoff.high
        span = "" if low is None or high is None else f" ({low:.4g} to {high:.4g})"
        return f"a best response gets at least {self.payoff.value:.4g}{span}: sampled lower bound, {self.games:,} games"


def approximate_best_response(
    game: GameLike,
    opponents: Opponents,
    player: int,
    *,
    learn: int = 10_000,
    games: int = 2_000,
    exploration: float = 1.0,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> LowerBound:
    """A sampled lower bound of what a best response of `player` gets against fixed opponents.

    The response is learned from the first `learn` games and measured in `games` others. `exploration` is in units of
    the payoff range; `progress` is called after every game with the games done and the number of all games.

    >>> found = approximate_best_response("kuhn", Policy.uniform("kuhn"), 0, learn=2000, games=2000, seed=1)
    >>> found.payoff.low < 0.5 and found.payoff.value > 0.4  # a best response gets exactly 0.5
    True
    """
    game = game_of(game)
    for name, number, least, most in (
        ("player", player, 0, game.info.players - 1),
        ("learn", learn, 1, _MOST),
        ("games", games, 1, _MOST),
        ("seed", seed, 0, 2**62),
    ):
        if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
            raise ParameterError(f"{name}: expected a whole number from {least} to {most}, got {number!r:.60}")
    if not isinstance(exploration, int | float) or isinstance(exploration, bool) or not 0 <= exploration < math.inf:
        raise ParameterError(f"exploration: expected a number from 0 up, got {exploration!r:.60}")
    if isinstance(opponents, Policy):
        fitting(game, opponents)
    elif not callable(opponents):
        raise ParameterError(
            f"opponents: expected a policy or a function that makes an agent from a seed, got "
            f"{type(opponents).__name__}"
        )
    seeds = Random(seed)
    responder = _Responder(exploration * (game.info.max_payoff - game.info.min_payoff), Random(seeds.getrandbits(60)))
    won: list[list[float]] = []
    for number in range(learn + games):
        learning = number < learn
        state = game.new(seed=seeds.getrandbits(60))
        opponent = _seat(opponents, seeds.getrandbits(60))
        path: list[tuple[_Node, int]] = []
        while state.player != TERMINAL:
            view = state.view(state.player)
            if state.player != player:
                state.apply(opponent(view))
                continue
            node = responder.node(view)
            index = responder.explore(node) if learning else responder.best(node)
            path.append((node, index))
            state.apply(node.actions[index])
        payoff = state.returns()[player]
        if learning:
            for node, index in path:
                node.visits[index] += 1
                node.totals[index] += payoff
        else:
            won.append([payoff])
        if progress is not None:
            progress(number + 1, learn + games)
    return LowerBound(mean_interval(won), learn, games)


class _Node:
    """What the responder knows of one information state."""

    def __init__(self, actions: list[int]) -> None:
        self.actions = actions
        self.visits = [0] * len(actions)
        self.totals = [0.0] * len(actions)


class _Responder:
    def __init__(self, scale: float, random: Random) -> None:
        self.scale = scale
        self.random = random
        self.nodes: dict[str, _Node] = {}

    def node(self, view: View) -> _Node:
        key = view.key
        if key not in self.nodes:
            self.nodes[key] = _Node(view.legal())
        return self.nodes[key]

    def explore(self, node: _Node) -> int:
        """UCB1; untried actions come first."""
        untried = [index for index, visits in enumerate(node.visits) if visits == 0]
        if untried:
            return self.random.choice(untried)
        log = math.log(sum(node.visits))
        return max(
            range(len(node.actions)),
            key=lambda i: node.totals[i] / node.visits[i] + self.scale * math.sqrt(log / node.visits[i]) / 2,
        )

    def best(self, node: _Node) -> int:
        """The action with the best mean; in a state that was never seen, any."""
        tried = [index for index, visits in enumerate(node.visits) if visits > 0]
        if not tried:
            return self.random.randrange(len(node.actions))
        return max(tried, key=lambda i: node.totals[i] / node.visits[i])


def _seat(opponents: Opponents, seed: int) -> Callable[[View], int]:
    if not isinstance(opponents, Policy):
        return opponents(seed).act
    random = Random(seed)

    def draw(view: View) -> int:
        chances: Mapping[int, float] = opponents.probabilities(view)
        return random.choices(list(chances), list(chances.values()))[0]

    return draw
