"""Positions drawn for people in a terminal. Games without a drawing of their own are shown as their plain text.

What is drawn comes from ``State.position()`` or, in hidden games, from the view alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kiebitz._core import State, View
from kiebitz.games.declaration import Language
from kiebitz.games.doppelkopf import situation as dk
from kiebitz.games.doppelkopf.words import call_text, contract_text, seat_name, word

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
    if game.name == "doppelkopf" and isinstance(position, View):
        return render_doppelkopf(position, position.observer)
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


# --- Doppelkopf -------------------------------------------------------------------------------------------------------


def render_doppelkopf(view: View, you: int | None, language: Language = "en") -> RenderableType:
    """What a seat sees: contract, a line per seat, and the hand with a number under every card that may be played.

    ``you`` is the seat of the person who looks, from which the others are called left, opposite and right.

    >>> import kiebitz as kb
    >>> from rich.console import Console
    >>> console = Console(width=80)
    >>> with console.capture() as drawing:
    ...     console.print(render_doppelkopf(kb.game("doppelkopf").new(seed=7).view(3), 3))
    >>> for line in drawing.get().splitlines()[-2:]:
    ...     print(line)
    your hand
      ♥10 ♣Q ♣Q ♠Q ♠J ♦9   ♣10 ♣9 ♣9   ♠A   ♥A ♥A
    """
    now = dk.Situation.of(view)
    if now.contract is None:
        stage = word("speaking", language)
    elif now.phase == "over":
        stage = word("over", language)
    else:
        stage = word("of", language, len(now.tricks) + (now.current is None), now.size)
    head = Text(" · ".join(part for part in ("Doppelkopf", contract_text(now, you, language), stage) if part), "bold")
    own = now.reservations[now.observer]
    if now.contract not in (None, own) and own.startswith("solo"):
        head.append(f" · {word('own reservation', language, word(own, language))}", "not bold")
    parts: list[RenderableType] = [head, "", _seats(now, you, language), ""]
    if now.hand:
        title = (
            word("your hand", language)
            if you == now.observer
            else word("hand of", language, seat_name(now.observer, you, language))
        )
        parts += [Text(title), _hand(now, dk.options(view))]
    return Group(*parts[: None if now.hand else -1])


def _card(card: str, style: str = "") -> Text:
    return Text(dk.card_name(card), f"{style} red".strip() if card[0] in "HD" else style)


def _seats(now: dk.Situation, you: int | None, language: Language) -> Table:
    """A line per seat, clockwise from who looks: party, eyes, calls, the last trick, the trick on the table."""
    table = Table(
        box=None, pad_edge=False, show_header=now.contract is not None, header_style="dim", padding=(0, 2, 0, 0)
    )
    number = len(now.tricks) + (now.current is None)
    titles = ["party", "eyes", "called", "last trick"] if now.contract is not None else [""]
    for title in ["", "", *titles, *(["trick number"] if now.contract is not None and now.phase != "over" else [])]:
        text = word(title, language, number) if title else ""
        table.add_column(text, justify="right" if title == "eyes" else "left")
    parties, eyes = now.parties, now.eyes
    for i in range(dk.SEATS):
        seat = (now.observer + i) % dk.SEATS
        mark = "▸" if seat == now.turn else " "
        name = Text(f"{seat_name(seat, you, language, numbered=True)}", "bold" if seat == you else "")
        if now.contract is None:
            said = now.reservations[seat]
            text = "" if said == "-" else word("reserved" if said != "healthy" else "healthy", language)
            table.add_row(mark, name, text)
            continue
        party = parties[seat]
        row: list[str | Text] = [
            mark,
            name,
            "?" if party is None else word(party, language),
            str(eyes[seat]),
            _called([call_text(call, language) for call in now.calls if call.seat == seat]),
            _played(now.last, seat, language),
            _played(now.current, seat, language),
        ]
        table.add_row(*row[: len(table.columns)])
    return table


def _called(calls: list[str]) -> str:
    """A seat's calls, shortened as players write them; between the first and the last the ladder has no gaps."""
    words = [call.replace("keine ", "k") for call in calls]
    return ", ".join(words) if len(words) < 3 else f"{words[0]} … {words[-1]}"


def _played(trick: dk.Trick | None, seat: int, language: Language) -> Text:
    """A seat's card in a trick, and what it did there."""
    card = None if trick is None else trick.card_of(seat)
    if trick is None or card is None:
        return Text("")
    text = _card(card)
    if trick.complete:
        return text if seat != trick.taker else text + Text(" " + word("took", language, trick.eyes), "dim")
    marks = [word("leads", language)] if seat == trick.leader else []
    marks += [word("highest", language)] if seat == trick.taker and len(trick.cards) > 1 else []
    return text + Text(" " + ", ".join(marks), "dim") if marks else text


def _hand(now: dk.Situation, options: list[int]) -> Text:
    """The sorted hand; under it the numbers of the cards that may be played."""
    numbers = {dk.card_code(a): str(i) for i, a in enumerate(options, 1) if a < dk.FIRST_RESERVATION}
    cards, marks = Text(" "), ""
    for i, group in enumerate(now.hand):
        cards.append("  " if i else "")
        marks += "  " if i else ""
        for card in group:
            width = max(len(dk.card_name(card)), len(numbers.get(card, "")))
            cards.append(" ").append_text(_card(card, "bold" if card in numbers else "dim" if numbers else ""))
            cards.append(" " * (width - len(dk.card_name(card))))
            marks += f" {numbers.get(card, ''):<{width}}"
    return cards.append("\n " + marks.rstrip(), "dim") if numbers else cards


_DRAWINGS: dict[str, Callable[[dict[str, Any], int], Text]] = {
    "tic_tac_toe": _tic_tac_toe,
    "connect_four": _connect_four,
    "oware": _oware,
    "nim": _nim,
}
