"""Connect Four, declared for the layers above the rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kiebitz._core import Game, State, View
from kiebitz.games.declaration import Bounds, Declaration, Facts, Language, Peer, Players, Terminal, fields_of
from kiebitz.games.declaration.fields import Fields, observer, pattern, whole

if TYPE_CHECKING:
    from rich.console import RenderableType


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


_STONES = {"x": ("●", "bold yellow"), "o": ("○", "bold red"), ".": ("·", "dim")}


class ConnectFourTerminal(Terminal):
    """The board with its columns."""

    def draw(self, position: State | View, viewer: int | None = None, language: Language = "en") -> RenderableType:
        """Full yellow stones are player 0, open red ones player 1, so that they differ without colours, too."""
        del viewer, language
        from rich.text import Text

        rows: list[str] = fields_of(position)["board"].split("/")
        columns = len(rows[0])
        text = Text()
        for row in rows:
            text.append("│ ")
            for cell in row:
                text.append(*_STONES[cell])
                text.append(" ")
            text.append("│\n")
        text.append("└" + "─" * (2 * columns + 1) + "┘\n")
        text.append("  " + " ".join(chr(ord("a") + column) for column in range(columns)))
        return text


FIELDS: Fields = {
    "view.observer": observer(2),
    "view.board": pattern(
        "the rows from the top; the first player has x", "[.xo]+(/[.xo]+)*", "......./...o.../..xx..."
    ),
    "outline.public.board": pattern("as in the view", "[.xo]+(/[.xo]+)*", "......./...o.../..xx..."),
    "outline.public.line[]": whole("cells of complete lines, row by row from the top"),
}

DECLARATION = Declaration(
    players=PLAYERS,
    facts=Facts(drawn=True),
    terminal=ConnectFourTerminal(lists_choices=False),
    bounds=Bounds(place=6),
    fields=FIELDS,
)
