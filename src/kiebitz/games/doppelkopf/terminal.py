"""Doppelkopf in a terminal: seats are left, opposite and right, calls are asked in plain words, advice is in points.

Everything comes from the view of the person's seat. Who is asked for a call, and who passes, depends on hidden cards,
so neither is ever shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kiebitz._core import State, View
from kiebitz.analysis import AnalysisLike
from kiebitz.errors import UnsuitableGame
from kiebitz.games.declaration import Language, Terminal
from kiebitz.games.doppelkopf import situation as dk
from kiebitz.games.doppelkopf.words import action_text, contract_name, explain, news, question, seat_name, word

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class DoppelkopfTerminal(Terminal):
    """Doppelkopf as it is played at a table, in English and German."""

    # --- What is shown --------------------------------------------------------------------------------------------

    def draw(self, position: State | View, viewer: int | None = None, language: Language = "en") -> RenderableType:
        """The table from a seat; a state with all cards is text."""
        from kiebitz.games.doppelkopf.drawing import draw

        return draw(position, viewer, language) if isinstance(position, View) else super().draw(position)

    def redraws(self, drawn: View | None, view: View) -> bool:
        """Before every card; questions between two cards do not repeat the whole table."""
        return view.phase == "card" or drawn is None or drawn.fields()["hand"] != view.fields()["hand"]

    def seat(self, seat: int, you: int | None, language: Language = "en") -> str:
        """Left, opposite or right of you."""
        return seat_name(seat, you, language)

    def greeting(self, seat: int, spec: str, you: int | None, language: Language = "en") -> str:
        """Names and numbers of the seats."""
        name = seat_name(seat, you, language, numbered=True)
        return name if seat == you else f"{name}: {spec}"

    def news(self, before: View, after: View, you: int | None, language: Language = "en") -> Sequence[RenderableType]:
        """Reservations, calls, cards and tricks."""
        from kiebitz.games.doppelkopf.drawing import coloured

        lines = news(dk.Situation.of(before), dk.Situation.of(after), you, language)
        return [coloured(line) for line in lines]

    # --- What is asked --------------------------------------------------------------------------------------------

    def question(self, view: View, language: Language = "en") -> str | None:
        """Whether there is a reservation or a call."""
        return None if view.phase == "card" else question(view, language)

    def lists(self, view: View) -> bool:
        """Reservations and partners: cards have their numbers in the drawing, other questions are answered with yes or
        no."""
        return view.phase in ("reservation", "genscher")

    def prompt(self, view: View, you: int | None, language: Language = "en") -> str:
        """Your reservation, your answer or your card."""
        del you
        keys = {"reservation": "your reservation", "call": "your answer", "card": "your card"}
        keys |= {"poverty": "your answer", "exchange": "your card back", "genscher": "your partner"}
        return word(keys[view.phase], language)

    def options(self, view: View) -> list[int]:
        """Cards as they are sorted in the hand."""
        return dk.options(view)

    def action(self, view: View, action: int, language: Language = "en") -> str:
        """A card, a reservation or a call."""
        return action_text(view, action, language)

    def rule(self, view: View, language: Language = "en") -> str | None:
        """The duty to follow, where it leaves out cards of the hand."""
        now = dk.Situation.of(view)
        held = {card for group in now.hand for card in group}
        if now.led is None or view.phase != "card" or len(view.legal()) == len(held):
            return None
        return word("must follow", language, word(now.led, language))

    def announced(self, view: View) -> int:
        """The number of calls."""
        return len(dk.Situation.of(view).calls)

    def how_to_type(self, language: Language = "en") -> str:
        """Cards in any of their names."""
        return word("how to type", language)

    def hint(
        self, view: View, advice: AnalysisLike, you: int | None, language: Language = "en"
    ) -> Sequence[RenderableType]:
        """Expected points of every option, and who may hold the key cards."""
        from kiebitz.games.doppelkopf.drawing import dim, holders_table, points_table

        lines: list[RenderableType] = [dim(word("expected points", language))]
        lines.append(points_table(advice, view, language))
        try:
            beliefs = view.beliefs()
        except UnsuitableGame:
            return lines
        return [
            *lines,
            dim(word("holders", language)),
            holders_table(beliefs, dk.Situation.of(view), you, language),
        ]

    # --- The end --------------------------------------------------------------------------------------------------

    def result(self, state: State, you: int | None, language: Language = "en") -> Sequence[RenderableType]:
        """Who won with what, the score item by item, and points."""
        from kiebitz.games.doppelkopf.drawing import score

        result = state.result()
        won = None if you is None or result["winner"] == "none" else you in result[result["winner"]]
        return score(*explain(result, you, language), won)

    def score_columns(self, language: Language = "en") -> Sequence[str]:
        """Contract and winner."""
        return [word("contract name", language), word("winner", language)]

    def score_cells(self, result: Mapping[str, Any], language: Language = "en") -> Sequence[str]:
        """Contract and winner of a game."""
        return [contract_name(result, language), word(result["winner"], language)]
