"""Lemke and Howson, "Equilibrium points of bimatrix games" (1964): an exact equilibrium of any two-player table.

Both players' best-response conditions are systems of inequalities, and each vertex of one has as many labels as it has
dimensions: strategies that are not played, and strategies that are best responses. A pair of vertices that has all
labels together is an equilibrium. The path starts where nobody plays anything, gives up one label, and moves along
edges until that label is found again. Pivoting is by whole numbers (von Stengel, "Computing equilibria for two-person
games", 2002), and ties are broken lexicographically, so rounding cannot lead astray and no path runs in circles.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kiebitz.errors import Error, LimitError, ParameterError, UnsuitableGame
from kiebitz.games.matrix import Array, MatrixGame

MOST_CELLS = 40_000
"""Largest table that is taken; whole numbers grow with it."""
_SIMPLE = 10**6  # payoffs are fractions with smaller denominators, where such a fraction is the same float

Whole = NDArray[np.object_]  # of Python's whole numbers, which have no end


class Equilibrium(NamedTuple):
    """Mixed strategies of two players that are best responses to each other, and what each player gets."""

    strategies: tuple[Array, Array]
    payoffs: tuple[float, float]
    exact: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
    """The same strategies as fractions: neither player can gain anything at all."""


def lemke_howson(matrix: MatrixGame, label: int = 0) -> Equilibrium:
    """An equilibrium of a two-player table, whatever its payoffs add up to; proved in exact arithmetic.

    `label` is the strategy that the path begins with: those of player 0, then those of player 1. Different labels may
    lead to different equilibria, but not always to all of them. The work grows with the size of the table, in the worst
    case exponentially.

    >>> battle = MatrixGame([[[3, 0], [0, 2]], [[2, 0], [0, 3]]])
    >>> [[str(p) for p in lemke_howson(battle, label).exact[0]] for label in (0, 1)]
    [['1', '0'], ['0', '1']]
    >>> chicken = lemke_howson(MatrixGame([[[0, 7], [2, 6]], [[0, 2], [7, 6]]]))
    >>> chicken.payoffs
    (7.0, 2.0)
    """
    if matrix.players != 2:
        raise UnsuitableGame(f"lemke_howson needs two players, got {matrix.players}")
    rows, columns = matrix.shape
    if rows * columns > MOST_CELLS:
        raise LimitError(f"lemke_howson: expected a table of at most {MOST_CELLS} cells, got {rows} x {columns}")
    if not isinstance(label, int) or isinstance(label, bool) or not 0 <= label < rows + columns:
        raise ParameterError(f"label: expected a whole number from 0 to {rows + columns - 1}, got {label!r:.60}")
    tables = [_whole(table) for table in matrix.payoffs]
    # Vertices of player 0 have a slack for each column, those of player 1 one for each row.
    first = _Vertex(_positive(tables[1]).T, list(range(rows, rows + columns)), list(range(rows)))
    second = _Vertex(_positive(tables[0]), list(range(rows)), list(range(rows, rows + columns)))
    entering, moving, other = label, *((first, second) if label < rows else (second, first))
    while True:
        entering = moving.pivot(entering)
        if entering == label:
            break
        moving, other = other, moving
    exact = first.strategy(range(rows)), second.strategy(range(rows, rows + columns))
    _prove(tables, exact)
    mixed = [np.array([float(p) for p in strategy]) for strategy in exact]
    x, y = (part / part.sum() for part in mixed)
    return Equilibrium((x, y), (float(x @ matrix.payoffs[0] @ y), float(x @ matrix.payoffs[1] @ y)), exact)


class _Vertex:
    """A vertex of the inequalities of one player, as a tableau of whole numbers: every row is divided by `_scale`."""

    def __init__(self, table: Whole, slacks: list[int], variables: list[int]) -> None:
        size = len(slacks)
        one: Whole = np.array([[int(i == j) for j in range(size)] for i in range(size)], dtype=object)
        # Columns: the right-hand side, the slacks (in which ties are broken), the variables.
        self._table: Whole = np.hstack([np.ones((size, 1), dtype=object), one, table])
        self._column = {name: 1 + place for place, name in enumerate([*slacks, *variables])}
        self._basis = list(slacks)
        self._scale = 1

    def pivot(self, entering: int) -> int:
        """Brings a label into the basis; returns the one that leaves."""
        column = self._column[entering]
        pivots = self._table[:, column]
        row = min((r for r in range(len(pivots)) if pivots[r] > 0), key=lambda r: self._ratio(r, pivots[r]))
        pivot = pivots[row]
        kept = self._table[row].copy()
        self._table = (self._table * pivot - np.outer(pivots, kept)) // self._scale
        self._table[row] = kept
        self._scale = pivot
        leaving, self._basis[row] = self._basis[row], entering
        return leaving

    def _ratio(self, row: int, pivot: Any) -> list[Fraction]:
        return [Fraction(entry, pivot) for entry in self._table[row, : 1 + len(self._basis)]]

    def strategy(self, names: range) -> tuple[Fraction, ...]:
        """The weights of a player's strategies, scaled to probabilities."""
        weights = dict.fromkeys(names, 0) | dict(zip(self._basis, self._table[:, 0].tolist(), strict=True))
        total = sum(weights[name] for name in names)
        return tuple(Fraction(weights[name], total) for name in names)


def _whole(table: Array) -> Whole:
    """The payoffs times a common denominator."""
    simple = [Fraction(value).limit_denominator(_SIMPLE) for value in table.flat]
    exact = [part if float(part) == value else Fraction(value) for part, value in zip(simple, table.flat, strict=True)]
    scale = math.lcm(*(part.denominator for part in exact))
    return np.array([int(part * scale) for part in exact], dtype=object).reshape(table.shape)


def _positive(table: Whole) -> Whole:
    """The table moved so that all payoffs are above 0, which changes no best response."""
    moved: Whole = table - table.min() + 1
    return moved


def _prove(tables: list[Whole], exact: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]) -> None:
    """Checks without rounding that neither player can gain by playing anything else."""
    x, y = (np.array(strategy, dtype=object) for strategy in exact)
    for values, own in ((tables[0] @ y, x), (x @ tables[1], y)):
        if max(values) != own @ values:
            raise Error("lemke_howson: the result is not an equilibrium")
