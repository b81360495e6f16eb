"""minimax: plain depth-limited minimax (Shannon 1950), every position visited; ties go to the lowest action."""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import State
from kiebitz.agents.analysis import AnalysisLike
from kiebitz.agents.base import register
from kiebitz.agents.search import SearchAgent
from kiebitz.options import budget, option
from kiebitz.search import AlphaBeta


@dataclass(frozen=True)
class MinimaxOptions:
    """Options of ``minimax``."""

    depth: int = option(4, "plies to look ahead", low=1, high=1000)
    evaluation: str = option("", "name of the game's evaluation; nothing: its first; zero: constant 0")
    terminals: str = option("payoff", "worth of a finished game in the search", choices=("payoff", "evaluation"))
    seconds: float | None = budget("time per move (then the move depends on the machine)", seconds=True)


@register("minimax")
class Minimax(SearchAgent):
    """Looks a fixed number of plies ahead without any pruning: the slow, simple reference for alphabeta."""

    opposed = True
    Options = MinimaxOptions
    options: MinimaxOptions

    def search(self, state: State, seed: int) -> AnalysisLike:
        """All positions up to the depth."""
        options = self.options
        return AlphaBeta(
            self.game,
            depth=options.depth,
            seconds=options.seconds,
            deepen=options.seconds is not None,
            cut="none",
            order="index",
            evaluation=options.evaluation,
            terminals=options.terminals,
        ).search(state, self.stop)
