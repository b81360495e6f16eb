"""Doppelkopf drawn in a terminal: the table with contract, seats and hand; advice and score as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from kiebitz._core import View
from kiebitz.analysis import AnalysisLike
from kiebitz.games.declaration import Language
from kiebitz.games.doppelkopf import situation as dk
from kiebitz.games.doppelkopf.words import action_text, call_text, contract_text, seat_name, word


def draw(view: View, you: int | None, language: Language = "en") -> RenderableType:
    """What a seat sees: contract, a line per seat, and the hand with a number under every card that may be played.

    ``you`` is the seat of the person who looks, from which the others are called left, opposite and right.

    >>> import kiebitz as kb
    >>> from rich.console import Console
    >>> console = Console(width=80)
    >>> with console.capture() as drawing:
    ...     console.print(draw(kb.game("doppelkopf").new(seed=7).view(3), 3))
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
    if now.thrown is not None:
        parts += [
            word("shown hand", language, seat_name(now.thrown["seat"], you, language)),
            _shown(now.thrown, language),
            "",
        ]
    if now.hand:
        title = (
            word("your hand", language)
            if you == now.observer
            else word("hand of", language, seat_name(now.observer, you, language))
        )
        parts += [Text(title), _hand(now, view, language)]
    return Group(*parts[: None if now.hand else -1])


def _shown(thrown: Mapping[str, Any], language: Language) -> Text:
    """The hand that ended the deal."""
    groups = [[_card(card, language) for card in group.split()] for group in thrown["hand"]]
    return Text("   ").join(Text(" ").join(group) for group in groups)


def _card(card: str, language: Language, style: str = "") -> Text:
    return Text(dk.card_name(card, language), f"{style} red".strip() if card[0] in "HD" else style)


def _seats(now: dk.Situation, you: int | None, language: Language) -> Table:
    """A line per seat, clockwise from the observer: party, eyes, calls, the last trick, the trick on the table."""
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
    """A seat's calls as players write them; between the first and the last one no step is left out."""
    words = [call.replace("keine ", "k") for call in calls]
    return ", ".join(words) if len(words) < 3 else f"{words[0]} … {words[-1]}"


def _played(trick: dk.Trick | None, seat: int, language: Language) -> Text:
    """A seat's card in a trick, and what it did there."""
    card = None if trick is None else trick.card_of(seat)
    if trick is None or card is None:
        return Text("")
    text = _card(card, language)
    if trick.complete:
        return text if seat != trick.taker else text + Text(" " + word("took", language, trick.eyes), "dim")
    marks = [word("leads", language)] if seat == trick.leader else []
    marks += [word("highest", language)] if seat == trick.taker and len(trick.cards) > 1 else []
    return text + Text(" " + ", ".join(marks), "dim") if marks else text


def _hand(now: dk.Situation, view: View, language: Language) -> Text:
    """The sorted hand; under it the numbers of the cards that may be played."""
    numbers = {
        dk.CODES[view.name(a)]: str(i) for i, a in enumerate(dk.options(view), 1) if view.kind(a) in ("card", "give")
    }
    cards, marks = Text(" "), ""
    for i, group in enumerate(now.hand):
        cards.append("  " if i else "")
        marks += "  " if i else ""
        for card in group:
            width = max(len(dk.card_name(card)), len(numbers.get(card, "")))
            style = "bold" if card in numbers else "dim" if numbers else ""
            cards.append(" ").append_text(_card(card, language, style))
            cards.append(" " * (width - len(dk.card_name(card))))
            marks += f" {numbers.get(card, ''):<{width}}"
    return cards.append("\n " + marks.rstrip(), "dim") if numbers else cards


# --- Lines and tables -------------------------------------------------------------------------------------------------


def coloured(line: str) -> Text:
    """A line of news with its red cards in red."""
    text = Text(line)
    text.highlight_regex(r"[♥♦]\w+", "red")
    return text


def dim(line: str) -> Text:
    """A heading."""
    return Text(line, "dim")


def score(
    head: Sequence[str], items: Sequence[tuple[str, int]], sums: Sequence[str], won: bool | None
) -> list[RenderableType]:
    """A finished game as `explain` has it; ``won`` is whether the person did, None if there is nobody to say it to."""
    style = {True: "bold green", False: "bold red", None: "bold"}[won]
    table = Table(box=None, show_header=False, padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    for text, points in items:
        table.add_row(text, f"{points:+d}")
    return [
        Text(head[0], style),
        *(Text(f"  {line}") for line in head[1:]),
        table,
        *(Text(f"  {line}") for line in sums[:-1]),
        Text(sums[-1], "bold"),
    ]


def points_table(advice: AnalysisLike, view: View, language: Language = "en") -> Table:
    """Expected points of every option with their standard error, the suggestion first, then from the best down."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for i in range(4):
        table.add_column(justify="right" if i == 2 else "left")
    order = sorted(advice.actions, key=lambda a: (a.action != advice.best, not a.visits, -a.value))

    def written(number: str) -> str:
        return number.replace("-", "−").replace(".", "," if language == "de" else ".")

    for action in order:
        best = action.action == advice.best
        value = written(f"{action.value:+.2f}") if action.visits else "-"
        error = written(f"± {action.error:.2f}") if action.visits and action.error else ""
        name = action_text(view, action.action, language)
        style = "red" if name[0] in "♥♦" else ""
        table.add_row("→" if best else " ", Text(name, style), value, error, style="bold" if best else "")
    return table


def holders_table(
    beliefs: Mapping[str, Any], situation: dk.Situation, you: int | None, language: Language = "en"
) -> Table:
    """How likely each of the others holds at least one more of the key cards, and belongs to Re."""
    seats = [(situation.observer + i) % dk.SEATS for i in range(1, dk.SEATS)]
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("")
    for seat in seats:
        table.add_column(seat_name(seat, you, language), justify="right")
    for card in dk.key_cards(situation):
        shares = beliefs["cards"].get(dk.card_name(card))
        if shares is not None and any(shares[seat] > 0 for seat in seats):
            table.add_row(_card(card, language), *(_percent(shares[seat]) for seat in seats))
    known = situation.parties
    if beliefs["re"] and any(known[seat] is None for seat in seats):  # empty while a wedding looks for a partner
        table.add_row(word("re probability", language), *(_percent(beliefs["re"][seat]) for seat in seats))
    return table


def _percent(share: float) -> str:
    """A probability; only certainty is written as 0 or 100 %.

    >>> [_percent(x) for x in (0, 0.001, 0.234, 0.999, 1)]
    ['-', '<1 %', '23 %', '>99 %', '100 %']
    """
    if share in (0, 1):
        return "100 %" if share else "-"
    return "<1 %" if share < 0.01 else ">99 %" if share > 0.99 else f"{100 * share:.0f} %"
