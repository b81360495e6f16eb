"""The common part of all agents that search with the core.

``SearchAgent`` needs the full state, so in hidden games it cheats. ``ViewSearchAgent`` searches what a view allows.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from kiebitz._core import Game, State, View
from kiebitz.agents.base import Agent
from kiebitz.agents.guided import guiding_megabytes
from kiebitz.analysis import AnalysisLike
from kiebitz.options import arguments
from kiebitz.search import Uct, ViewSearch

NODE_BYTES = 40
"""About what a node of a tree takes."""


def tree_megabytes(options: Any, game: Game) -> float:
    """The largest tree that a search with these options can grow; 0 for a search without one.

    >>> import kiebitz as kb
    >>> [round(kb.agent(spec, kb.game("connect_four")).megabytes, 2) for spec in ("uct", "uct(seconds=1, memory_mb=9)")]
    [0.27, 9.0]
    """
    if not hasattr(options, "memory_mb"):
        return 0.0
    given = arguments(options)
    children = game.info.branching or game.info.max_legal
    grown = [given.get("nodes"), given.get("iterations", 0) * children]
    return float(min([options.memory_mb, *(NODE_BYTES * nodes / 2**20 for nodes in grown if nodes)]))


class SearchAgent(Agent):
    """Searches from the full state. Subclasses override ``search``."""

    needs_state = True
    opposed: ClassVar[bool] = False
    """True for agents that need two players with opposed interests."""

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

    @property
    def megabytes(self) -> float:
        """Its table, its tree and what nets said."""
        return super().megabytes + tree_megabytes(self.options, self.game) + guiding_megabytes(self.options)

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
        """The search from a given state."""
        view = state.view(state.player)
        self._check_turn(view.player, view.observer)
        return self.search(state, self.seed_for(view))


class ViewSearchAgent(Agent):
    """Searches the worlds that a view allows; where nothing is hidden it is a plain tree search.

    Subclasses override ``view_search`` and ``open_search``, and end their ``__init__`` with ``_try_search``.
    """

    @property
    def megabytes(self) -> float:
        """Its tree and what nets said."""
        return tree_megabytes(self.options, self.game) + guiding_megabytes(self.options)

    @abstractmethod
    def view_search(self, seed: int) -> ViewSearch:
        """The hook for hidden games."""

    @abstractmethod
    def open_search(self, seed: int) -> Uct:
        """The hook for games in which nothing is hidden."""

    def move(self, view: View) -> int:
        """The best action of the analysis, or the only legal action."""
        legal = view.legal()
        return legal[0] if len(legal) == 1 else self.analyse(view).best

    def analyse(self, view: View) -> AnalysisLike:
        """The search of the worlds that the view allows."""
        self._check_turn(view.player, view.observer)
        seed = self.seed_for(view)
        if not self.game.info.hidden:
            return self.open_search(seed).search(view.sample(0), self.stop)
        return self.search(view, seed)

    def search(self, view: View, seed: int) -> AnalysisLike:
        """The search of a view in a hidden game."""
        return self.view_search(seed).search(view, self.stop)

    def _try_search(self) -> None:
        """Lets the core check the options, before the game begins."""
        if self.game.info.hidden:
            self.view_search(0)
        else:
            self.open_search(0)
