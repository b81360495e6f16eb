"""connect_four_perfect: Connect Four by proof. It wins as soon as it can, and loses as late as it can.

With a time limit it proves first who wins after each move, then how soon. What the time does not suffice for, as in the
first moves of a game, ``alphabeta`` decides among the moves that are not proven to be worse. The analysis says which
values are proven.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from kiebitz._core import Game, State
from kiebitz.agents.base import register
from kiebitz.agents.search import SearchAgent
from kiebitz.analysis import AnalysisLike, PlainActionValue, PlainAnalysis
from kiebitz.games.connect_four.solver import TABLE_MB, PositionSolver
from kiebitz.games.declaration import Proven
from kiebitz.options import option, search_option
from kiebitz.search import AlphaBeta

NODES = 5_000_000
"""Positions of the search where the time is too short for a proof, at most."""
PROVING = 0.8
"""The share of the time that proofs may take; the rest is for that search."""


@dataclass(frozen=True)
class ConnectFourPerfectOptions:
    """Options of ``connect_four_perfect``."""

    seconds: float | None = search_option(
        "alphabeta", "seconds", default=None, help="time for proofs per move; none: until everything is proven"
    )
    table_mb: int = search_option("alphabeta", "table_mb", default=TABLE_MB, help="bounds in megabytes", low=4)
    book: bool = option(True, "know the opening book")


@register("connect_four_perfect")
class ConnectFourPerfect(SearchAgent):
    """Plays Connect Four perfectly.

    >>> import kiebitz as kb
    >>> game = kb.game("connect_four")
    >>> state = game.load({"board": ".o...../.x...../.o.xo../.o.xo../.x.oxxx/oxxxooo"})
    >>> analysis = kb.agent("connect_four_perfect", game).analyse(state.view(0))
    >>> analysis.best_name, analysis.value, analysis.depth, analysis.exact
    ('e', 1.0, 17, True)
    """

    Options = ConnectFourPerfectOptions
    options: ConnectFourPerfectOptions

    @classmethod
    def unsuitable(cls, game: Game, cheating: bool = False) -> str | None:
        """It plays one game only, with lines of four."""
        if game.name != "connect_four":
            return f"connect_four_perfect plays only connect_four, not {game.name}"
        if game.params["connect"] != 4:
            return f"connect_four_perfect plays with connect=4, not with connect={game.params['connect']}"
        return None

    @property
    def megabytes(self) -> float:
        """The table of the proofs, and that of the search."""
        return super().megabytes * (1 if self.options.seconds is None else 2)

    @cached_property
    def _solver(self) -> PositionSolver:
        return PositionSolver(self.game, table_mb=self.options.table_mb, book=self.options.book)

    @cached_property
    def _search(self) -> AlphaBeta:
        limit = self.options.seconds
        return AlphaBeta(
            self.game, nodes=NODES, seconds=0.0 if limit is None else (1 - PROVING) * limit,
            order="full", deepen=True, narrow=True, table_mb=self.options.table_mb,
        )  # fmt: skip

    def prepare(self, seconds: float | None = None) -> None:
        """Makes its tables."""
        del seconds
        _ = self._solver if self.options.seconds is None else (self._solver, self._search)

    def search(self, state: State, seed: int) -> AnalysisLike:
        """What is proven of each action; if nothing is proven of the best one, the choice of the search."""
        del seed
        limit, nodes, started = self.options.seconds, self._solver.nodes, time.monotonic()
        proven: dict[int, Proven] = {}
        if limit is not None:
            limit *= PROVING
            proven = _by_action(self._solver.prove(state, weak=True, seconds=limit, stop=self.stop))
        left = 0.0 if limit is None else max(1e-6, limit - (time.monotonic() - started))
        if limit is None or len(proven) == len(state.legal()):
            proven = {**proven, **_by_action(self._solver.prove(state, seconds=left, stop=self.stop))}
        found = self._answer(state, proven)
        return replace(found, nodes=found.nodes + self._solver.nodes - nodes, seconds=time.monotonic() - started)

    def _answer(self, state: State, proven: Mapping[int, Proven]) -> PlainAnalysis:
        known = max(proven.values(), key=lambda each: each.rank, default=None)
        open_ = [action for action in state.legal() if action not in proven]
        if known is not None and (not open_ or known.value == 1):
            found = _analysis("proof", state, known.action, proven)
            return replace(found, value=known.value, status="proven", depth=known.plies or 0)
        if self.stop is not None and self.stop.requested:
            return _analysis("proof", state, open_[0] if known is None or known.value < 0 else known.action, proven)
        searched = self._search.search(state, self.stop)
        best = searched.best
        if best in proven and proven[best].value < 0:  # what is not proven may be better
            best = open_[0] if known is None or known.value < 0 else known.action
        found = _analysis("alphabeta", state, best, proven)
        return replace(found, value=searched.value, depth=searched.depth, nodes=searched.nodes)


def _by_action(found: list[Proven]) -> dict[int, Proven]:
    return {proven.action: proven for proven in found}


def _analysis(method: str, state: State, best: int, proven: Mapping[int, Proven]) -> PlainAnalysis:
    """A move, and of each action what is proven."""
    analysis = PlainAnalysis.of_move(method, state.view(state.player), best)
    actions = [
        PlainActionValue(each.action, each.name, visits=1, value=proven[each.action].value, status="proven")
        if each.action in proven
        else each
        for each in analysis.actions
    ]
    return replace(analysis, actions=actions)
