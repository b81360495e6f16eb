"""Metrics: what a finished game says beyond its payoffs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kiebitz._core import Game, State

Metric = Callable[[State, Sequence[tuple[int, int]]], dict[str, Any]]
"""From the final state of a game and its moves (seat, action) to named values: true or false, numbers or text for the
whole game, lists for one value per seat."""


@dataclass(frozen=True)
class ResultMetric:
    """A metric that needs only the result of a game and the number of moves of each seat. Games that are played in
    batches have no more, so only such metrics can be taken there.

    >>> import kiebitz as kb
    >>> moves = ResultMetric(lambda result, counts: {"own_moves": list(counts)})
    >>> state = kb.game("tic_tac_toe").load({"board": "xxxoo...."})
    >>> moves(state, [(0, 0), (1, 3), (0, 1), (1, 4), (0, 2)])
    {'own_moves': [3, 2]}
    """

    of: Callable[[Mapping[str, Any], Sequence[int]], dict[str, Any]]

    def __call__(self, state: State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
        """The same from a state and the moves."""
        counts = [0] * len(state.returns())
        for seat, _ in moves:
            counts[seat] += 1
        return self.of(state.result(), counts)


@dataclass(frozen=True)
class Metrics:
    """What the arena measures in a game."""

    named: Mapping[str, Metric] = field(default_factory=dict)
    """Metrics made for this game, by name; the arena takes them unless told otherwise."""

    def bet(self, game: Game) -> float | None:
        """What one bet is worth, the unit of bets per hand; None in a game without bets."""
        del game
        return None
