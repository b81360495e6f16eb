"""every_move: alpha-beta that values every move of a position, not only the best one.

An ordinary alpha-beta search only proves that most moves are no better than the best one. Here every move gets a search
of its own, all to the same depth, so that their values can be compared. It costs several times as much and is meant for
people who study a position. Endings come from a table, where a game has one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from kiebitz._core import TERMINAL, Analysis, Game, State
from kiebitz.agents.base import register
from kiebitz.agents.search import SearchAgent
from kiebitz.analysis import PlainActionValue, PlainAnalysis, Status
from kiebitz.errors import LimitError
from kiebitz.games import declaration_of
from kiebitz.options import option
from kiebitz.search import AlphaBeta

TABLE_MB = 16


@dataclass(frozen=True)
class EveryMoveOptions:
    """Options of ``every_move``."""

    nodes: int = option(1_000_000, "positions for all moves together, about", low=100, high=10**12)
    exact: bool = option(False, "prove every value, or fail if the positions do not suffice", most=False)


@dataclass(frozen=True)
class _Searched:
    """One move: its value for the mover, and how play would continue."""

    value: float
    nodes: int
    depth: int
    line: list[int]
    names: list[str]
    whole: bool
    """All lines that matter were followed to the end of the game."""
    exact: bool
    """The value is proven; where a repetition ends the game, following all lines is not enough."""


@register("every_move")
class EveryMove(SearchAgent):
    """Searches every move on its own, all to the same depth.

    >>> import kiebitz as kb
    >>> state = kb.game("tic_tac_toe").load({"board": "xx.oo...."})
    >>> found = kb.agent("every_move", state.game).analyse(state.view(0))
    >>> found.best_name, {a.name: a.value for a in found.actions}
    ('c1', {'c1': 1.0, 'c2': 0.0, 'a3': -1.0, 'b3': -1.0, 'c3': -1.0})
    """

    opposed = True
    Options = EveryMoveOptions
    options: EveryMoveOptions

    def search(self, state: State, seed: int) -> PlainAnalysis:
        """Searches each move with its share of the nodes, then all to the depth that every one of them reached."""
        begun = time.perf_counter()
        first = self._proven(state) if self.options.exact else self._even(state)
        open_ones = [found for found in first.values() if not found.whole]
        depth = max(1, min((found.depth for found in open_ones), default=1))
        final = {
            action: found if found.whole or found.depth == depth else self._below(state, action, depth=depth)
            for action, found in first.items()
        }
        entries: list[PlainActionValue] = []
        for action, found in final.items():
            error = 0.0 if found.whole else self._unrest(state, action, found.value, depth)
            visits = max(1, first[action].nodes)
            status: Status = "proven" if found.exact else "estimated"
            entries.append(PlainActionValue(action, state.name(action), visits, found.value, error, status))
        best = max(entries, key=lambda entry: entry.value)
        if best.value <= self.game.info.min_payoff:  # lost: hold out as long as possible
            best = max(entries, key=lambda entry: len(final[entry.action].line))
        chosen = final[best.action]
        won = best.value >= self.game.info.max_payoff
        bounded = best.exact and not won and not all(entry.exact for entry in entries)
        return PlainAnalysis(
            "alpha-beta, every move",
            state.player,
            best.action,
            best.name,
            value=best.value,
            status="bounded" if bounded else best.status,
            bound="lower" if bounded else "none",
            actions=entries,
            line=[best.action, *chosen.line],
            line_names=[best.name, *chosen.names],
            nodes=sum(entry.visits for entry in entries),
            depth=1 + (depth if open_ones else max(found.depth for found in final.values())),
            seconds=time.perf_counter() - begun,
            stopped=bool(open_ones) or (self.stop is not None and self.stop.requested),
        )

    def _even(self, state: State) -> dict[int, _Searched]:
        """Every move with the same share of the nodes."""
        legal = state.legal()
        share = max(50, self.options.nodes // len(legal))
        return {action: self._below(state, action, nodes=share) for action in legal}

    def _proven(self, state: State) -> dict[int, _Searched]:
        """Every move with as many nodes as its proof takes."""
        found: dict[int, _Searched] = {}
        left = self.options.nodes
        for action in state.legal():
            found[action] = self._below(state, action, nodes=max(1, left))
            left -= found[action].nodes
            if not found[action].exact and not (self.stop is not None and self.stop.requested):
                raise LimitError(
                    f"every_move: {len(found) - 1} of {len(state.legal())} values proven with "
                    f"nodes={self.options.nodes}; give it more, or exact=false for estimates"
                )
        return found

    def _unrest(self, state: State, action: int, value: float, depth: int) -> float:
        """How much the value of a move still changes with depth: the error of a value at the horizon."""
        if depth < 3 or not self.game.info.evaluations:
            return abs(self.game.info.max_payoff)
        before = [self._below(state, action, depth=depth - less).value for less in (1, 2)]
        return max(abs(value - other) for other in before) or 1e-9

    def _below(self, state: State, action: int, *, nodes: int | None = None, depth: int = 0) -> _Searched:
        mover = state.player
        child = state.copy()
        child.apply(action)
        if child.player == TERMINAL:
            return _Searched(child.returns()[mover], 1, 0, [], [], whole=True, exact=True)
        search = AlphaBeta(
            self.game,
            depth=depth,
            nodes=nodes,
            order="full",
            deepen=True,
            narrow=True,
            table_mb=0 if self.options.exact and self.game.info.repetition else TABLE_MB,  # see docs/search.md
            known=declaration_of(self.game).players.endings(self.game),
        )
        found: Analysis = search.search(child, self.stop)
        value = found.value if child.player == mover else self.game.info.payoff_sum - found.value
        whole = found.exact or (nodes is not None and not found.stopped)
        return _Searched(value, found.nodes, found.depth, list(found.line), list(found.line_names), whole, found.exact)


def comparable(game: Game) -> bool:
    """Whether every move of a game can be compared like this.

    >>> import kiebitz as kb
    >>> comparable(kb.game("connect_four")), comparable(kb.game("kuhn"))
    (True, False)
    """
    return EveryMove.unsuitable(game) is None
