"""Tic-tac-toe, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from kiebitz._core import Game
from kiebitz.games.declaration import Bounds, Declaration, Peer, Players


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

DECLARATION = Declaration(
    players=PLAYERS,
    bounds=Bounds(place=7),
)
