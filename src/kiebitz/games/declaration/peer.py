"""The same game in OpenSpiel: its name there, and its states for positions of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import Game, View


class Peer:
    """A game that OpenSpiel plays by the same rules; a game overrides at least ``name`` and ``actions``."""

    draws_worlds = False
    """Whether OpenSpiel can draw worlds from what a player knows, as its ISMCTS needs."""
    follows = False
    """Whether a position needs the moves that led to it (``line``), which ``follow`` finds."""

    def name(self, game: Game) -> str | None:
        """What OpenSpiel calls the game, with parameters; None if the rules differ."""
        raise NotImplementedError

    def actions(self, position: Mapping[str, Any]) -> Sequence[int]:
        """OpenSpiel's actions from the start that lead to a position."""
        raise NotImplementedError

    def state(self, game: Game, position: Mapping[str, Any]) -> Any:
        """OpenSpiel's state for a position."""
        import pyspiel

        state = pyspiel.load_game(self.name(game)).new_initial_state()
        for action in self.actions(position):
            state.apply_action(action)
        return state

    def follow(self, view: View, line: Sequence[int]) -> list[int]:
        """The moves that lead to a view; `line` led to an earlier one of the same game."""
        raise NotImplementedError
