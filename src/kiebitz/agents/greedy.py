"""greedy: looks one ply ahead and takes what looks best; ties go to the lowest action."""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import Game, State
from kiebitz.agents.analysis import AnalysisLike
from kiebitz.agents.base import register
from kiebitz.agents.options import option
from kiebitz.agents.search import SearchAgent
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

    Options = GreedyOptions
    options: GreedyOptions

    @classmethod
    def unsuitable(cls, game: Game, cheating: bool = False) -> str | None:
        """It needs two players who want the opposite."""
        if game.info.players != 2 or game.info.utility not in ("zero_sum", "constant_sum"):
            return (
                f"greedy plays zero-sum games for two, and {game.name} is {game.info.utility} "
                f"for {game.info.players}: try random or flat_mc"
            )
        return super().unsuitable(game, cheating)

    def search(self, state: State, seed: int) -> AnalysisLike:
        """One ply of minimax."""
        return AlphaBeta(self.game, depth=1, cut="none", order="index", evaluation=self.options.evaluation).search(
            state
        )
