"""The common part of all agents that search with the core: they need the full state, so in hidden games they cheat."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from kiebitz._core import Game, State, View
from kiebitz.agents.analysis import AnalysisLike
from kiebitz.agents.base import Agent


class SearchAgent(Agent):
    """Searches from the full state. Subclasses override ``search``."""

    needs_state = True
    opposed: ClassVar[bool] = False
    """True for agents that need two players who want the opposite."""

    @classmethod
    def unsuitable(cls, game: Game, cheating: bool = False) -> str | None:
        """Besides hidden information: the wrong number of players, or interests that are not opposed."""
        utility = game.info.utility
        if cls.opposed and (game.info.players != 2 or utility not in ("zero_sum", "constant_sum")):
            kind = "general-sum" if utility == "general" else utility.replace("_", "-")
            return (
                f"{cls.name} plays zero-sum games for two, and {game.name} is {kind} "
                f"for {game.info.players}: try uct or flat_mc"
            )
        return super().unsuitable(game, cheating)

    @abstractmethod
    def search(self, state: State, seed: int) -> AnalysisLike:
        """The hook: an analysis of a state with somebody to move."""

    def move(self, view: View) -> int:
        """The best action of the analysis."""
        return self.analyse(view).best

    def analyse(self, view: View) -> AnalysisLike:
        """The search from the state, which the view of an open game determines."""
        self._check_turn(view.player, view.observer)
        return self.search(view.sample(0), self.seed_for(view))

    def analyse_state(self, state: State) -> AnalysisLike:
        """The search from a state that was shown."""
        view = state.view(state.player)
        self._check_turn(view.player, view.observer)
        return self.search(state, self.seed_for(view))
