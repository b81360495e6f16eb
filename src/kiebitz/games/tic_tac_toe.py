"""Tic-tac-toe, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from kiebitz._core import Game, View
from kiebitz.games.declaration import Bounds, Declaration, Facts, Peer, Players
from kiebitz.games.declaration.facts import Public
from kiebitz.games.scene import Scene


class TicTacToePeer(Peer):
    """``tic_tac_toe`` of OpenSpiel."""

    def name(self, game: Game) -> str:
        """There is only one."""
        del game
        return "tic_tac_toe"

    def actions(self, position: Mapping[str, Any]) -> Sequence[int]:
        """In any order: if nobody has three in a row at the end, nobody had on the way."""
        crosses, noughts = ([i for i, cell in enumerate(position["board"]) if cell == mark] for mark in "xo")
        return [cell for pair in zip_longest(crosses, noughts) for cell in pair if cell is not None]


PLAYERS = Players(
    levels={
        "casual": "uct(iterations=15)",
        "strong": "uct(iterations=100)",
        "best": "alphabeta(depth=9)",
    },
    peer=TicTacToePeer(),
)


class TicTacToeFacts(Facts):
    """The board."""

    def public(self, scene: Scene) -> Public:
        """What everybody knows."""
        return {"board": scene.state.position()["board"]}

    def text(self, view: View) -> None:
        """Pages draw the game."""


DECLARATION = Declaration(
    players=PLAYERS,
    facts=TicTacToeFacts(),
    bounds=Bounds(place=7),
)
