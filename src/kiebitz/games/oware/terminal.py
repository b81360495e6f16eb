"""Oware in a terminal: the board, turned towards the viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiebitz._core import State, View
from kiebitz.games.declaration import Language, Terminal, fields_of
from kiebitz.games.declaration.words import Phrase, phrase

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text


_ENDINGS: dict[str, Phrase] = {
    "majority": phrase(" with more than half of the seeds", " mit mehr als der Hälfte der Samen"),
    "starvation": phrase(" because a row was empty", ", weil eine Reihe leer war"),
    "repetition": phrase(" because a position came up again", ", weil sich eine Stellung wiederholt hat"),
    "guard": phrase(" after the most moves that the rules allow", " nach den meisten Zügen, die die Regeln erlauben"),
}


class OwareTerminal(Terminal):
    """The two rows of pits and what was captured."""

    def details(self, state: State, language: Language = "en") -> list[str]:
        """How it ended; the drawing has the seeds.

        >>> import kiebitz as kb
        >>> end = {"pits": [0] * 12, "captured": [18, 18], "player": 0, "ended": "starvation"}
        >>> OwareTerminal().details(kb.game("oware").load(end), "de")
        ['Das Spiel endete, weil eine Reihe leer war.']
        """
        start = "The game ended" if language == "en" else "Das Spiel endete"
        return [f"{start}{_ENDINGS[state.result()['ended']][language]}."]

    def draw(self, position: State | View, viewer: int | None = None, language: Language = "en") -> RenderableType:
        """The viewer's row is below; sowing runs to the right there and to the left above."""
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
            who = self.seat(player, None, language)
            return Text(f"   {who}: {captured[player]} {'captured' if language == 'en' else 'gefangen'}")

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
