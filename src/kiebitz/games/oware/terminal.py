"""Oware in a terminal: the board, turned towards the viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiebitz._core import State, View
from kiebitz.games.declaration import Language, Terminal, fields_of

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text


class OwareTerminal(Terminal):
    """The two rows of pits and what was captured."""

    def draw(self, position: State | View, viewer: int | None = None, language: Language = "en") -> RenderableType:
        """The viewer's row is below; sowing runs to the right there and to the left above."""
        del language
        from rich.text import Text

        fields, near_seat = fields_of(position), viewer or 0
        pits: list[int] = fields["pits"]
        names = "ABCDEFabcdef"
        near = [(near_seat * 6 + i) % 12 for i in range(6)]
        far = [(near_seat * 6 + 11 - i) % 12 for i in range(6)]
        captured = fields["captured"]

        def row(indices: list[int]) -> Text:
            line = Text("  │")
            for index in indices:
                seeds = pits[index]
                line.append(f" {seeds:>2} ", style="dim" if seeds == 0 else "bold")
                line.append("│")
            return line

        def letters(indices: list[int]) -> str:
            return "  " + "".join(f"   {names[index]} " for index in indices).rstrip()

        def store(player: int) -> Text:
            return Text(f"   player {player}: {captured[player]} captured")

        edge = "────┬" * 5 + "────"
        return Text("\n").join(
            [
                Text(letters(far)),
                Text("  ┌" + edge + "┐"),
                row(far) + store(1 - near_seat),
                Text("  ├" + edge.replace("┬", "┼") + "┤"),
                row(near) + store(near_seat),
                Text("  └" + edge.replace("┬", "┴") + "┘"),
                Text(letters(near)),
            ]
        )
