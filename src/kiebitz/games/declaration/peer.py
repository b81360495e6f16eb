"""The same game in OpenSpiel: its name there, and its states for positions of ours."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import Game, View


class Peer(ABC):
    """A game that OpenSpiel plays by the same rules, and can be given a position of."""

    draws_worlds = False
    """Whether OpenSpiel can draw worlds from what a player knows, as its ISMCTS needs."""

    @abstractmethod
    def name(self, game: Game) -> str | None:
        """What OpenSpiel calls the game, with parameters; None if the rules differ."""

    @abstractmethod
    def state(self, game: Game, position: Mapping[str, Any]) -> Any:
        """OpenSpiel's state for a position."""


class PlayedPeer(Peer):
    """A game whose positions are reached in OpenSpiel by playing to them."""

    @abstractmethod
    def actions(self, position: Mapping[str, Any]) -> Sequence[int]:
        """OpenSpiel's actions from the start that lead to a position."""

    def state(self, game: Game, position: Mapping[str, Any]) -> Any:
        """The state after these actions."""
        import pyspiel

        state = pyspiel.load_game(self.name(game)).new_initial_state()
        for action in self.actions(position):
            state.apply_action(action)
        return state


class FollowedPeer(PlayedPeer):
    """A game whose positions do not tell how they were reached: it has to be followed from its start."""

    @abstractmethod
    def follow(self, view: View, line: Sequence[int]) -> list[int]:
        """The moves that lead to a view; `line` led to an earlier one of the same game."""

    def actions(self, position: Mapping[str, Any]) -> Sequence[int]:
        """Those of ``line``, which the caller adds to the position."""
        return list(position["line"])
