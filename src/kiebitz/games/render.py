"""Positions drawn for people in a terminal. Games without a drawing of their own are shown as their plain text.

What is drawn comes from ``State.position()`` or, in hidden games, from the text of the view alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from kiebitz._core import State, View

_STONES = {"x": ("●", "bold yellow"), "o": ("○", "bold red"), ".": ("·", "dim")}
_MARKS = {"x": ("X", "bold cyan"), "o": ("O", "bold magenta"), ".": ("·", "dim")}


def render(position: State | View, viewer: int | None = None) -> RenderableType:
    """A drawing of a state or view; ``viewer`` is the player whose side is nearest (oware turns the board).

    >>> import kiebitz as kb
    >>> print(render(kb.game("tic_tac_toe").load({"board": "x...o...."})))
        a   b   c
    1   X │ · │ ·
       ───┼───┼───
    2   · │ O │ ·
       ───┼───┼───
    3   · │ · │ ·
    """
    game = position.game
    draw = _DRAWINGS.get(game.name)
    if draw is None or game.info.hidden:
        return Text(str(position).rstrip("\n"))
    state = position.sample(0) if isinstance(position, View) else position
    return draw(state.position(), 0 if viewer is None else viewer)


def _tic_tac_toe(position: dict[str, Any], viewer: int) -> Text:
    del viewer
    board: str = position["board"]
    text = Text("    a   b   c")
    for row in range(3):
        text.append("\n   ───┼───┼───" if row else "")
        text.append(f"\n{row + 1}   ")
        for column in range(3):
            text.append(" │ " if column else "")
            text.append(*_MARKS[board[3 * row + column]])
    return text


def _connect_four(position: dict[str, Any], viewer: int) -> Text:
    """Full yellow stones are player 0, open red ones player 1: told apart without colours, too."""
    del viewer
    rows: list[str] = position["board"].split("/")
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


def _oware(position: dict[str, Any], viewer: int) -> Text:
    """The viewer's row is below; sowing runs to the right there and to the left above."""
    pits: list[int] = position["pits"]
    names = "ABCDEFabcdef"
    near = [(viewer * 6 + i) % 12 for i in range(6)]
    far = [(viewer * 6 + 11 - i) % 12 for i in range(6)]
    captured = position["captured"]

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
            row(far) + store(1 - viewer),
            Text("  ├" + edge.replace("┬", "┼") + "┤"),
            row(near) + store(viewer),
            Text("  └" + edge.replace("┬", "┴") + "┘"),
            Text(letters(near)),
        ]
    )


def _nim(position: dict[str, Any], viewer: int) -> Text:
    del viewer
    heaps: list[int] = position["heaps"]
    text = Text()
    for number, heap in enumerate(heaps, 1):
        text.append("\n" if number > 1 else "")
        text.append(f"heap {number:>2} ", style="dim")
        text.append(f"{heap:>4}  ")
        text.append("● " * min(heap, 30) + ("…" if heap > 30 else ""), style="yellow")
    text.rstrip()
    return text


_DRAWINGS: dict[str, Callable[[dict[str, Any], int], Text]] = {
    "tic_tac_toe": _tic_tac_toe,
    "connect_four": _connect_four,
    "oware": _oware,
    "nim": _nim,
}
