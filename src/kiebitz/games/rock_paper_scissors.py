"""Rock, paper, scissors, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kiebitz._core import State, View
from kiebitz.games.declaration import Declaration, Language, Terminal, Words
from kiebitz.games.declaration.fields import Fields, observer, pattern, text, whole

if TYPE_CHECKING:
    from rich.console import RenderableType

FIELDS: Fields = {
    "view.observer": observer(2),
    "view.choices": pattern("all choices in order, both players in turn; ? is still hidden", r"[rps]*\??", "rps?"),
    "outline.public.rounds[][]": text("the choices of each finished round, by seat", "rock", "paper", "scissors"),
    "outline.public.total": whole("rounds of the game", 1),
    "outline.public.wins[]": whole("rounds that each player has won"),
    "outline.public.turn": whole("who chooses next", 0, 1, null=True),
}

_GERMAN = {"rock": "Stein", "paper": "Papier", "scissors": "Schere"}


class RockPaperScissorsWords(Words):
    """Choices by their names."""

    def moves(self, view: View, names: Sequence[str], language: Language) -> list[str]:
        """In German, too."""
        del view
        return [_GERMAN.get(name, name) if language == "de" else name for name in names]


class RockPaperScissorsTerminal(Terminal):
    """Choices by their names, and the rounds of a game."""

    def draw(self, position: State | View, viewer: int | None = None, language: Language = "en") -> RenderableType:
        """A line for each finished round, and which one is played."""
        from rich.text import Text

        public = (position if isinstance(position, View) else position.view(0)).public()
        title = "round" if language == "en" else "Runde"
        lines = []
        for number, choices in enumerate(public["rounds"], 1):
            said = [_GERMAN[choice] if language == "de" else choice for choice in choices]
            done = [f"{self.seat(seat, viewer, language)}: {choice}" for seat, choice in enumerate(said)]
            lines.append(" · ".join([f"{title} {number}", *done]))
        if len(public["rounds"]) < public["total"]:
            of = "of" if language == "en" else "von"
            lines.append(f"{title} {len(public['rounds']) + 1} {of} {public['total']}")
        return Text("\n".join(lines))

    def action(self, view: View, action: int, language: Language = "en") -> str:
        """By its name."""
        return RockPaperScissorsWords().action(view, action, language)

    def details(self, state: State, language: Language = "en") -> list[str]:
        """Rounds won and drawn.

        >>> import kiebitz as kb
        >>> state = kb.game("rock_paper_scissors").new()
        >>> for name in ("rock", "scissors"):
        ...     state.apply(state.parse(name))
        >>> RockPaperScissorsTerminal().details(state)
        ['rounds won: 1, 0; drawn: 0']
        """
        result = state.result()
        wins = ", ".join(str(count) for count in result["wins"])
        if language == "en":
            return [f"rounds won: {wins}; drawn: {result['draws']}"]
        return [f"gewonnene Runden: {wins}; unentschieden: {result['draws']}"]


DECLARATION = Declaration(words=RockPaperScissorsWords(), terminal=RockPaperScissorsTerminal(), fields=FIELDS)
