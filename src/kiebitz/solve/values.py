"""What each action is worth in an information set, against players who keep to a policy.

The value of an action is what the player to move gets on average if it plays the action and goes on as well as
possible, while all others follow the policy. How likely each hidden world is follows from the deal and from what the
others, by the policy, would have done in it. So that this is defined after moves that the policy never makes, the
others are taken to choose at random once in a million times (Selten 1975, trembling hand).
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from kiebitz._core import CHANCE, CompiledGame, State, View
from kiebitz.errors import ParameterError
from kiebitz.solve.compiled import view_of
from kiebitz.solve.policy import Array, Policy

TREMBLE = 1e-6
"""How often players of the policy are taken to choose at random."""


class InformationSet(NamedTuple):
    """An information set under a policy."""

    probabilities: dict[int, float]
    """Of each action, by the policy."""
    values: dict[int, float]
    """Of each action, for the player to move."""
    reach: float
    """How often deals and the other players lead there, if the player to move plays towards it."""


Places = dict[str, tuple[int, int]]
"""Player and number of an information set by the key of its view."""


def places_of(compiled: CompiledGame) -> Places:
    """Where the information sets of a game are.

    >>> from kiebitz.solve.compiled import compile_game
    >>> len(places_of(compile_game("kuhn")))
    12
    """
    return {
        view_of(compiled, player, number).key: (player, number)
        for player in range(compiled.players)
        for number in range(compiled.sets(player))
    }


class Values:
    """The values of all actions under one policy, computed once and asked by view.

    >>> from kiebitz.solve import solve
    >>> values = Values(solve("kuhn", "lp"))
    >>> queen = values.policy.game.deal(["Q", "J"], start=0)
    >>> {queen.name(a): round(value, 3) for a, value in values.of(queen.view(0)).values.items()}
    {'pass': -0.333, 'bet': -0.5}
    """

    def __init__(self, policy: Policy, places: Places | None = None) -> None:
        if not policy.game.info.hidden:
            raise ParameterError(f"values: expected a game with hidden information, got {policy.game.name}")
        self.policy = policy
        self.compiled = policy.compiled
        self._places = places_of(self.compiled) if places is None else places
        uniform = [self.compiled.uniform(player) for player in range(self.compiled.players)]
        self._trembling = [
            (1 - TREMBLE) * strategy + TREMBLE * np.asarray(alike)
            for strategy, alike in zip(policy.strategies, uniform, strict=True)
        ]

    def of(self, view: View) -> InformationSet:
        """Probabilities and values in the information set of a view."""
        player, number = self._place(view)
        choices, actions = self.policy.choices(player, number)
        reach = sum(weight for weight, _ in self.worlds(view))
        totals = self._totals[player][choices] / reach
        return InformationSet(self.probabilities(view), dict(zip(actions, totals.tolist(), strict=True)), reach)

    def probabilities(self, view: View) -> dict[int, float]:
        """The probabilities of the policy in a view."""
        player, number = self._place(view)
        choices, actions = self.policy.choices(player, number)
        return dict(zip(actions, self.policy.strategies[player][choices].tolist(), strict=True))

    def worlds(self, view: View) -> list[tuple[float, State]]:
        """All hidden worlds of a view, each with its weight: chance times what the others did, by the policy."""
        player, number = self._place(view)
        path = self.compiled.path(player, number)
        state = self.compiled.game.root()
        seen: list[View] = []
        for action in path:
            state.apply(action)
            seen.append(state.view(player))
        ways = [(1.0, self.compiled.game.root())]
        for own, known in zip(path, seen, strict=True):  # follows every path that the player cannot tell from this one
            further = []
            for weight, state in ways:
                for action, chance in self._chances(state, player, own):
                    child = state.copy()
                    child.apply(action)
                    if child.view(player) == known:
                        further.append((weight * chance, child))
            ways = further
        return ways

    def _chances(self, state: State, player: int, own: int) -> list[tuple[int, float]]:
        mover = state.player
        if mover == CHANCE:
            return state.outcomes()
        if mover == player:
            return [(own, 1.0)]
        choices, actions = self.policy.choices(*self._place(state.view(mover)))
        return list(zip(actions, self._trembling[mover][choices].tolist(), strict=True))

    def _place(self, view: View) -> tuple[int, int]:
        place = self._places.get(view.key)
        if place is None or view.player != view.observer:
            raise ParameterError(f"values: expected the view of the player to move in {self.compiled.game.name}")
        return place

    @cached_property
    def _totals(self) -> list[Array]:
        """For each sequence of each player: what it is worth with best play after it, times the reach."""
        plans = [np.asarray(self.compiled.plan(p, strategy)) for p, strategy in enumerate(self._trembling)]
        return [self._totals_of(player, plans) for player in range(self.compiled.players)]

    def _totals_of(self, player: int, plans: list[Array]) -> Array:
        own, others, payoffs = self.compiled.ends(player)
        rest = [p for p in range(self.compiled.players) if p != player]
        weights = np.array(payoffs, dtype=float)
        for place, other in enumerate(rest):
            weights *= plans[other][np.asarray(others).reshape(-1, len(rest))[:, place]]
        totals: Array = np.bincount(np.asarray(own), weights=weights, minlength=self.compiled.sequences(player)).astype(
            np.float64
        )
        parents = np.asarray(self.compiled.parents(player)).tolist()
        places = [self.policy.choices(player, number)[0] for number in range(len(parents))]
        # A set comes after the sequence that leads to it, so the last one is settled first.
        for number in sorted(range(len(places)), key=lambda number: places[number].start, reverse=True):
            totals[parents[number]] += totals[places[number]].max()
        return totals
