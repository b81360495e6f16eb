"""The common part of all agents that search with the core.

``SearchAgent`` needs the full state, so in hidden games it cheats. ``ViewSearchAgent`` searches what a view allows.
"""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from typing import Any, ClassVar

from kiebitz._core import Game, State, View
from kiebitz.agents.analysis import AnalysisLike
from kiebitz.agents.base import Agent
from kiebitz.search import Uct, ViewSearch

CALLS = ("all", "last", "none")
"""Declarations that a search considers: all, those at the last possible moment, or none."""


def with_budget(options: Any, **default: int) -> dict[str, Any]:
    """The options of a search as the core takes them, with a default budget where none was given.

    >>> from kiebitz.agents.flat_mc import FlatOptions
    >>> with_budget(FlatOptions(), iterations=1000)
    {'iterations': 1000, 'streams': 1, 'threads': 1}
    >>> with_budget(FlatOptions(seconds=2.0), iterations=1000)
    {'seconds': 2.0, 'streams': 1, 'threads': 1}
    """
    given = {key: value for key, value in dataclasses.asdict(options).items() if value is not None}
    return given if given.keys() & {"depth", "iterations", "nodes", "seconds"} else {**default, **given}


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

    @property
    def pure(self) -> bool:
        """False with a time budget."""
        return getattr(self.options, "seconds", None) is None

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


class ViewSearchAgent(Agent):
    """Searches the worlds that a view allows; where nothing is hidden there is one, for a tree search as usual.

    Subclasses override ``view_search`` and ``open_search``, and end their ``__init__`` with ``_try_search``.
    """

    @abstractmethod
    def view_search(self, seed: int) -> ViewSearch:
        """The hook for hidden games."""

    @abstractmethod
    def open_search(self, seed: int) -> Uct:
        """The hook for games in which nothing is hidden."""

    def move(self, view: View) -> int:
        """The best action of the analysis; nothing to think about where there is one."""
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
        """Refuses what the core refuses, before the game begins."""
        if self.game.info.hidden:
            self.view_search(0)
        else:
            self.open_search(0)
