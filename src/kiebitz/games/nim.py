"""Nim, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kiebitz._core import Game
from kiebitz.games.declaration import Bounds, Declaration, Peer, Players


class NimPeer(Peer):
    """``nim`` of OpenSpiel."""

    def name(self, game: Game) -> str:
        """The rules are the same with any heaps, normal and misère."""
        return _name(game.params)

    def state(self, game: Game, position: Mapping[str, Any]) -> Any:
        """What is left is a game of its own."""
        import pyspiel

        return pyspiel.load_game(_name({**game.params, **position})).new_initial_state()


def _name(params: Mapping[str, Any]) -> str:
    heaps = ";".join(str(heap) for heap in params["heaps"])
    return f"nim(pile_sizes={heaps},is_misere={str(params['misere']).lower()})"


PLAYERS = Players(
    levels={
        "casual": "uct(iterations=20)",
        "strong": "uct(iterations=300)",
        "best": "nim_perfect",
    },
    peer=NimPeer(),
)

DECLARATION = Declaration(
    players=PLAYERS,
    bounds=Bounds(place=8, most={"heaps": 32}, lengths={"heaps": (1, 12)}),
)
