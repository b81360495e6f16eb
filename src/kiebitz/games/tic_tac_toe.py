"""Tic-tac-toe, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from kiebitz._core import Game, State, View
from kiebitz.games.declaration import Bounds, Declaration, Facts, Language, PlayedPeer, Players, Terminal, fields_of
from kiebitz.games.declaration.fields import Fields, observer, pattern, whole

if TYPE_CHECKING:
    from rich.console import RenderableType


class TicTacToePeer(PlayedPeer):
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


_MARKS = {"x": ("X", "bold cyan"), "o": ("O", "bold magenta"), ".": ("·", "dim")}


class TicTacToeTerminal(Terminal):
    """The board with its coordinates."""

    def draw(self, position: State | View, viewer: int | None = None, language: Language = "en") -> RenderableType:
        """The board."""
        del viewer, language
        from rich.text import Text

        board: str = fields_of(position)["board"]
        text = Text("    a   b   c")
        for row in range(3):
            text.append("\n   ───┼───┼───" if row else "")
            text.append(f"\n{row + 1}   ")
            for column in range(3):
                text.append(" │ " if column else "")
                text.append(*_MARKS[board[3 * row + column]])
        return text


FIELDS: Fields = {
    "view.observer": observer(2),
    "view.board": pattern("the cells row by row from the top; the first player has x", "[.xo]{9}", "xo..x...."),
    "outline.public.board": pattern("as in the view", "[.xo]{9}", "xo..x...."),
    "outline.public.line[]": whole("cells of complete lines, by their place on the board", 0, 8),
}

DECLARATION = Declaration(
    players=PLAYERS,
    facts=Facts(drawn=True),
    terminal=TicTacToeTerminal(lists_choices=False),
    bounds=Bounds(place=7),
    fields=FIELDS,
)
