"""greedy: looks one ply ahead and takes what looks best; ties go to the lowest action."""

from __future__ import annotations

from kiebitz._core import Game, State
from kiebitz.agents.base import register
from kiebitz.agents.search import SearchAgent
from kiebitz.analysis import AnalysisLike
from kiebitz.options import arguments, search_options
from kiebitz.search import AlphaBeta


@search_options("alphabeta", "evaluation")
class GreedyOptions:
    """Options of ``greedy``."""


@register("greedy")
class Greedy(SearchAgent):
    """Takes the action after which the game's evaluation (or the payoff, at the end) is best for it."""

    opposed = True
    Options = GreedyOptions
    offered = 50
    searches = False

    def __init__(self, game: Game, options: GreedyOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        self._made()  # lets the core check the options, before the game begins

    def search(self, state: State, seed: int) -> AnalysisLike:
        """One ply of minimax."""
        return self._made().search(state, self.stop)

    def _made(self) -> AlphaBeta:
        return AlphaBeta(self.game, depth=1, cut="none", order="index", **arguments(self.options))
