"""Dynamics of two-player tables: two players, who know only their own payoffs, adapt to each other step by step.

The rules run in the core (core/solve/dynamics.hpp): regret matching (Hart and Mas-Colell 2000), fictitious play (Brown
1951), replicator dynamics as multiplicative weights (Taylor and Jonker 1978), gradient steps and the lagging anchor
(Dahl 2002). NashConv says how far from an equilibrium they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from kiebitz import _core
from kiebitz._core import CompiledGame, StopToken
from kiebitz.errors import ParameterError, UnsuitableGame
from kiebitz.games.matrix import Array, MatrixGame, Profile
from kiebitz.solve.normal_form import normal_form

RULES = ("regret_matching", "fictitious_play", "replicator", "gradient", "lagging_anchor")


def regret_matching(regrets: ArrayLike) -> Array:
    """The strategy in proportion to the positive regrets (Hart and Mas-Colell 2000); uniform if there are none.

    >>> regret_matching([1, 3, -2]).tolist()
    [0.25, 0.75, 0.0]
    >>> regret_matching([-1, 0]).tolist()
    [0.5, 0.5]
    """
    try:
        given = np.array(regrets, dtype=np.float64)
    except (TypeError, ValueError):
        given = np.empty(0)
    if given.ndim != 1 or given.size == 0 or not np.all(np.isfinite(given)):
        raise ParameterError("regrets: expected a row of numbers")
    positive: Array = np.maximum(given, 0.0)
    top = positive.max()
    if top == 0:
        return np.full(len(given), 1 / len(given))
    positive /= top  # sums of huge regrets overflow otherwise
    positive /= positive.sum()
    return positive


class DynamicsPoint(NamedTuple):
    """A point of a curve: after how many steps, and NashConv of the average and of the current strategies."""

    steps: int
    average: float
    current: float


@dataclass(frozen=True)
class DynamicsRun:
    """How two players adapted to each other."""

    rule: str
    averages: tuple[Array, Array]
    """The mean of all strategies, the start included: what regret matching, fictitious play and replicator promise."""
    current: tuple[Array, Array]
    """The last strategies: what the lagging anchor promises."""
    anchors: tuple[Array, Array] | None
    """Of the lagging anchor only."""
    curve: list[DynamicsPoint]


def dynamics(
    matrix: MatrixGame,
    rule: str,
    steps: int = 10_000,
    *,
    alpha: float = 0.02,
    eta: float = 1.0,
    start: Profile | None = None,
) -> DynamicsRun:
    """Lets two players adapt to each other, both at the same time in every step, by one of `RULES`.

    `alpha` is the size of a step (replicator, gradient, lagging anchor), `eta` how hard strategy and anchor pull at
    each other. `start` is uniform by default, which in some games is already the equilibrium. The curve has points
    after 1, 2, 5, 10, 20, 50, ... steps and at the end.

    >>> import kiebitz as kb
    >>> rps = MatrixGame.from_game(kb.game("rock_paper_scissors"))
    >>> dynamics(rps, "fictitious_play", 10_000).curve[-1].average < 0.02
    True
    >>> off = [[0.5, 0.3, 0.2], [0.2, 0.5, 0.3]]
    >>> dynamics(rps, "lagging_anchor", 5_000, alpha=0.01, start=off).curve[-1].current < 1e-9
    True
    """
    if not isinstance(steps, int) or isinstance(steps, bool) or steps < 1:
        raise ParameterError(f"steps: expected a whole number from 1 up, got {steps!r:.60}")
    run = _begin(matrix, rule, alpha, eta, start)

    def both(strategy_of: Callable[[int], Any]) -> tuple[Array, Array]:
        return strategy_of(0), strategy_of(1)

    curve = []
    done = 0
    for check in _checkpoints(steps):
        run.iterate(check - done)
        done = check
        points = (matrix.nash_conv(both(run.average)), matrix.nash_conv(both(run.current)))
        curve.append(DynamicsPoint(done, *points))
    anchors = both(run.anchor) if rule == "lagging_anchor" else None
    return DynamicsRun(rule, both(run.average), both(run.current), anchors, curve)


class NormalFormSolver:
    """One of `RULES` on the normal form of a game, as a solver of the game.

    >>> from kiebitz.solve.compiled import compile_game
    >>> solver = NormalFormSolver(compile_game("kuhn"), "fictitious_play")
    >>> solver.iterate(100)
    >>> solver.iterations
    100
    """

    def __init__(self, compiled: CompiledGame, rule: str, *, alpha: float = 0.02, eta: float = 1.0) -> None:
        self._form = normal_form(compiled.game)
        self._run = _begin(self._form, rule, alpha, eta, None)

    @property
    def iterations(self) -> int:
        """Steps so far."""
        return self._run.steps

    def iterate(self, count: int, stop: StopToken | None = None) -> None:
        """Runs `count` more steps."""
        self._run.iterate(count, stop)

    def average(self, player: int) -> Array:
        """The policy that pays the same as the mean of all mixed strategies so far."""
        return self._form.behaviour(player, self._run.average(player))

    def memory(self) -> tuple[Any, ...]:
        """What `load` takes."""
        return self._run.memory()

    def load(self, *memory: Any) -> None:
        """Continues where `memory` was taken."""
        self._run.load(*memory)


def _begin(matrix: MatrixGame, rule: str, alpha: float, eta: float, start: Profile | None) -> _core.Dynamics:
    if matrix.players != 2:
        raise UnsuitableGame(f"dynamics need two players, this game has {matrix.players}")
    begun = matrix._checked(matrix.uniform() if start is None else start)
    first, second = (np.ascontiguousarray(table) for table in matrix.payoffs)
    return _core.Dynamics(first, second, begun, rule, alpha, eta)


def _checkpoints(last: int) -> list[int]:
    digits = range(len(str(last)))
    return [*(n * 10**k for k in digits for n in (1, 2, 5) if n * 10**k < last), last]
