"""greedy: looks one ply ahead and takes what looks best; ties go to the lowest action."""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import State
from kiebitz.agents.analysis import AnalysisLike
from kiebitz.agents.base import register
from kiebitz.agents.search import SearchAgent
from kiebitz.options import option
from kiebitz.search import AlphaBeta


@dataclass(frozen=True)
class GreedyOptions:
    """Options of ``greedy``."""

    evaluation: str = option(
        "", "name of the game's evaluation; nothing: its first, or payoffs alone where it has none"
    )


@register("greedy")
class Greedy(SearchAgent):
    """Takes the action after which the game's evaluation (or the payoff, at the end) is best for it."""

    opposed = True
    Options = GreedyOptions
    options: GreedyOptions

    def search(self, state: State, seed: int) -> AnalysisLike:
        """One ply of minimax."""
        return AlphaBeta(self.game, depth=1, cut="none", order="index", evaluation=self.options.evaluation).search(
            state, self.stop
        )
