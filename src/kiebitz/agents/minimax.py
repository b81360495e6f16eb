"""minimax: plain depth-limited minimax (Shannon 1950), every position visited; ties go to the lowest action."""

from __future__ import annotations

from kiebitz._core import Game, State
from kiebitz.agents.base import register
from kiebitz.agents.search import SearchAgent
from kiebitz.analysis import AnalysisLike
from kiebitz.options import arguments, search_option, search_options
from kiebitz.search import AlphaBeta


@search_options("alphabeta", "depth", "evaluation", "terminals", "seconds")
class MinimaxOptions:
    """Options of ``minimax``."""

    depth: int = search_option("alphabeta", "depth", default=4, help="plies to look ahead", low=1, high=1000)
    seconds: float | None


@register("minimax")
class Minimax(SearchAgent):
    """Looks a fixed number of plies ahead without any pruning: the slow, simple reference for alphabeta."""

    opposed = True
    Options = MinimaxOptions
    options: MinimaxOptions
    offered = 70

    def __init__(self, game: Game, options: MinimaxOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        self._made()  # lets the core check the options, before the game begins

    def search(self, state: State, seed: int) -> AnalysisLike:
        """All positions up to the depth."""
        return self._made().search(state, self.stop)

    def _made(self) -> AlphaBeta:
        deepen = self.options.seconds is not None
        return AlphaBeta(self.game, deepen=deepen, cut="none", order="index", **arguments(self.options))
