"""Leduc hold'em, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import Game
from kiebitz.games.declaration import Bounds, Declaration, Peer, Players
from kiebitz.games.registry import game as make_game


class LeducPeer(Peer):
    """``leduc_poker`` of OpenSpiel."""

    draws_worlds = True

    def name(self, game: Game) -> str | None:
        """Only the standard rules are the same there."""
        return "leduc_poker" if game.params == make_game("leduc", "standard").params else None

    def actions(self, position: Mapping[str, Any]) -> Sequence[int]:
        """Cards, then the betting with the public card between its rounds."""
        numbers = {"f": 0, "c": 1, "r": 2, "/": position["public"]}
        return [*position["cards"], *(numbers[letter] for letter in position["betting"])]


PLAYERS = Players(
    levels={
        "casual": "equilibrium(iterations=8)",
        "strong": "equilibrium(iterations=20)",
        "best": "equilibrium",
    },
    peer=LeducPeer(),
)

DECLARATION = Declaration(
    players=PLAYERS,
    bounds=Bounds(place=3),
)
