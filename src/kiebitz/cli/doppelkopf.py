"""Doppelkopf in the terminal: the table, advice in points and cards, the score item by item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table as Grid
from rich.text import Text

from kiebitz._core import View
from kiebitz.agents import AnalysisLike
from kiebitz.cli.table import Table
from kiebitz.errors import IllegalAction, UnsuitableGame
from kiebitz.games.declaration import Language
from kiebitz.games.doppelkopf import situation as dk
from kiebitz.games.doppelkopf.words import action_text, explain, news, question, seat_name, word
from kiebitz.games.render import render_doppelkopf

HELP = (
    """\
Type a card as ♣Q, cq or 'kreuz dame', or the number under it. Other commands:
  moves   list what you can play or say
  hint    expected points of each option, and who may hold the key cards
  quiet   no call, and do not ask again before somebody calls
  board   show the table again
  score   the games of this series so far
  help    this text
  quit    leave the game""",
    """\
Eine Karte als ♣Q, cq oder 'kreuz dame' eingeben, oder die Zahl darunter. Außerdem:
  moves   was du spielen oder sagen kannst
  hint    zu erwartende Punkte, und wer die wichtigen Karten haben kann
  quiet   keine Ansage, und keine Frage mehr, bis jemand etwas ansagt
  board   den Tisch noch einmal zeigen
  score   die Spiele dieser Serie bis jetzt
  help    dieser Text
  quit    aufhören""",
)


class DoppelkopfTable(Table):
    """Doppelkopf: seats are left, opposite and right, what happens is a short line, calls are asked in plain words.

    Everything shown comes from the view of the person's seat. Who is asked for a call, and who passes, depends on
    hidden cards, so neither is ever shown.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.help = HELP[self.language == "de"]
        self.observer = self.people[0] if self.people else 0
        self.seen = dk.Situation.of(self.state.view(self.observer))
        self.drawn = ""
        """The hand that was drawn last: between two own cards, questions do not repeat the whole table."""
        self.quiet: int | None = None
        """Calls made when the person asked not to be asked again."""

    def _who(self, player: int) -> str:
        return seat_name(player, self._you, self.language)

    def _greet(self) -> None:
        self.console.print(f"[bold]{self.game.info.title}[/bold]")
        for i, spec in enumerate(self.seats):
            name = seat_name(i, self._you, self.language, numbered=True)
            self.console.print(f"  {name}" if i == self._you else f"  {name}: {spec}", markup=False)
        if self.people:
            self.console.print(word("help note", self.language), style="dim")
        self.console.print()

    def _show(self, player: int) -> None:
        """The table as a person sees it; who only looks on gets all cards at the start and follows the lines."""
        if not self.people and set(self.seen.reservations) == {"-"}:
            self.console.print(str(self.state), markup=False)
        if self.people:
            view = self.state.view(player)
            self.console.print()
            self.console.print(render_doppelkopf(view, self._you, self.language))
            self.console.print()
            self.drawn = view.fields()["hand"]

    def _announce(self, player: int, name: str) -> None:
        del player, name
        now = dk.Situation.of(self.state.view(self.observer))
        for line in news(self.seen, now, self._you, self.language):
            self.console.print(_coloured(line))
        self.seen = now

    # --- Questions --------------------------------------------------------------------------------------------------

    def _turn(self, player: int) -> None:
        view = self.state.view(player)
        if view.legal()[0] >= dk.FIRST_CALL and self.quiet == len(self.seen.calls) and player == self._you:
            self._apply(player, view.legal()[-1])
        else:
            super()._turn(player)

    def _ask(self, view: View) -> None:
        asked = view.legal()[0] >= dk.FIRST_RESERVATION
        if not asked or view.fields()["hand"] != self.drawn or len(self.people) > 1:
            self._show(view.observer)
        if asked:
            self.console.print(question(view, self.language), style="bold", markup=False)
        if view.legal()[0] in range(dk.FIRST_RESERVATION, dk.FIRST_CALL):
            self.console.print(self._moves(view), markup=False)

    def _prompt(self, view: View) -> str:
        keys = {"reservation": "your reservation", "call": "your answer", "card": "your card"}
        return word(keys[view.fields()["phase"]], self.language) + ": "

    def _moves(self, view: View) -> str:
        names = [f"{i} {action_text(view, a, self.language)}" for i, a in enumerate(dk.options(view), 1)]
        lines = [""]
        for name in names:
            if len(lines[-1]) + len(name) + 3 > self.console.width:
                lines.append("")
            lines[-1] += f"  {name} "
        return "\n".join(line.rstrip() for line in lines)

    def _read(self, view: View, text: str) -> int:
        """Also yes and no where a call is asked for, and the rule that a card would break."""
        options, plain = dk.options(view), text.lower()
        if options[0] >= dk.FIRST_CALL:
            if plain in ("y", "yes", "j", "ja"):
                return options[0]
            if plain in ("", "n", "no", "nein", "quiet"):
                self.quiet = len(self.seen.calls) if plain == "quiet" else None
                return options[-1]
        try:
            return view.parse(text)
        except IllegalAction:
            if text.isascii() and text.isdecimal() and len(text) < 9 and 1 <= int(text) <= len(options):
                return options[int(text) - 1]
            raise IllegalAction(self._refusal(view, text)) from None

    def _refusal(self, view: View, text: str) -> str:
        now, options = dk.Situation.of(view), dk.options(view)
        some = ", ".join(action_text(view, action, self.language) for action in options)
        message = word("no such move", self.language, text[:40], some)
        held = {card for group in now.hand for card in group}
        if now.led is not None and options[0] < dk.FIRST_RESERVATION and len(options) < len(held):
            message += f"; {word('must follow', self.language, word(now.led, self.language))}"
        return message

    def _answer(self, command: str, view: View) -> bool:
        """Enter passes where a call is asked for, and so does quiet, for longer."""
        if view.legal()[0] >= dk.FIRST_CALL and command in ("", "quiet"):
            return False
        return super()._answer(command, view)

    def _hint(self, view: View, analysis: AnalysisLike) -> None:
        situation = dk.Situation.of(view)
        title = f"{word('expected points', self.language)} ({analysis.method})"
        self.console.print(title, style="dim", markup=False)
        self.console.print(points_table(analysis, view, self.language))
        try:
            beliefs = view.beliefs()
        except UnsuitableGame:
            return
        self.console.print(word("holders", self.language), style="dim")
        self.console.print(holders_table(beliefs, situation, self._you, self.language))

    # --- The end ----------------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        result = self.state.result()
        head, items, sums = explain(result, self._you, self.language)
        won = self._you is not None and self._you in result.get(result["winner"], [])
        lost = self._you is not None and result["winner"] != "none" and not won
        self.console.print()
        self.console.print(head[0], style="bold green" if won else "bold red" if lost else "bold", markup=False)
        for line in head[1:]:
            self.console.print(f"  {line}", markup=False)
        grid = Grid(box=None, show_header=False, padding=(0, 2))
        grid.add_column()
        grid.add_column(justify="right")
        for text, points in items:
            grid.add_row(text, f"{points:+d}")
        self.console.print(grid)
        for line in sums[:-1]:
            self.console.print(f"  {line}", markup=False)
        self.console.print(sums[-1], style="bold", markup=False)


def _coloured(line: str) -> Text:
    """A line of news with its red cards in red."""
    text = Text(line)
    text.highlight_regex(r"[♥♦]\w+", "red")
    return text


def points_table(analysis: AnalysisLike, view: View, language: Language = "en") -> Grid:
    """Expected points of every option with their standard error, the suggestion first, then from the best down."""
    table = Grid(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for i in range(4):
        table.add_column(justify="right" if i == 2 else "left")
    order = sorted(analysis.actions, key=lambda a: (a.action != analysis.best, not a.visits, -a.value))
    for action in order:
        best = action.action == analysis.best
        value = f"{action.value:+.2f}" if action.visits else "-"
        error = f"± {action.error:.2f}" if action.visits and action.error else ""
        name = action_text(view, action.action, language)
        style = "red" if name[0] in "♥♦" else ""
        table.add_row("→" if best else " ", Text(name, style), value, error, style="bold" if best else "")
    return table


def holders_table(
    beliefs: Mapping[str, Any], situation: dk.Situation, you: int | None, language: Language = "en"
) -> Grid:
    """How likely each of the others holds at least one more of the key cards, and belongs to Re."""
    seats = [(situation.observer + i) % dk.SEATS for i in range(1, dk.SEATS)]
    table = Grid(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("")
    for seat in seats:
        table.add_column(seat_name(seat, you, language), justify="right")
    for card in map(dk.card_name, dk.key_cards(situation)):
        shares = beliefs["cards"].get(card)
        if shares is not None and any(shares[seat] > 0 for seat in seats):
            style = "red" if card[0] in "♥♦" else ""
            table.add_row(Text(card, style), *(_percent(shares[seat]) for seat in seats))
    known = situation.parties
    if beliefs["re"] and any(
        known[seat] is None for seat in seats
    ):  # nothing to say while a wedding looks for a partner
        table.add_row(word("re probability", language), *(_percent(beliefs["re"][seat]) for seat in seats))
    return table


def _percent(share: float) -> str:
    """A probability; only what is certain is written as 0 or 100 %.

    >>> [_percent(x) for x in (0, 0.001, 0.234, 0.999, 1)]
    ['-', '<1 %', '23 %', '>99 %', '100 %']
    """
    if share in (0, 1):
        return "100 %" if share else "-"
    return "<1 %" if share < 0.01 else ">99 %" if share > 0.99 else f"{100 * share:.0f} %"
