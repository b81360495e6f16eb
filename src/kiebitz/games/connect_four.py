"""Connect Four, declared for the layers above the rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kiebitz._core import Game, View
from kiebitz.games.declaration import Bounds, Declaration, Facts, Peer, Players
from kiebitz.games.declaration.facts import Public
from kiebitz.games.scene import Scene


class ConnectFourPeer(Peer):
    """``connect_four`` of OpenSpiel, which takes positions as they are."""

    def name(self, game: Game) -> str:
        """The rules are the same on boards of any size."""
        rules = game.params
        return f"connect_four(rows={rules['rows']},columns={rules['columns']},x_in_row={rules['connect']})"

    def state(self, game: Game, position: Mapping[str, Any]) -> Any:
        """A board in OpenSpiel's JSON, the lowest row first."""
        import pyspiel

        rows = [list(row) for row in reversed(position["board"].split("/"))]
        stones = sum(cell != "." for row in rows for cell in row)
        board = {"board": rows, "current_player": "xo"[stones % 2], "is_terminal": False, "winner": ""}
        return pyspiel.load_game(self.name(game)).new_initial_state(json.dumps(board))


PLAYERS = Players(
    levels={
        "casual": "uct(iterations=100)",
        "strong": "uct(iterations=3000)",
        "best": "alphabeta(nodes=5_000_000)",
    },
    tree_judges=True,
    peer=ConnectFourPeer(),
)


class ConnectFourFacts(Facts):
    """The board."""

    def public(self, scene: Scene) -> Public:
        """What everybody knows."""
        return {"board": scene.state.position()["board"]}

    def text(self, view: View) -> None:
        """Pages draw the game."""


DECLARATION = Declaration(
    players=PLAYERS,
    facts=ConnectFourFacts(),
    bounds=Bounds(place=6),
)
