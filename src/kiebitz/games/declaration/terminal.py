"""A game in a terminal: its drawing, what is said and asked, its hints and its score.

The generic terminal shows a position as text and lists the choices. A game overrides what it can do better. Rich is
imported where something is drawn, so that a game can be made without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kiebitz._core import State, View
from kiebitz.analysis import AnalysisLike
from kiebitz.games.declaration.words import LANGUAGES, Language

if TYPE_CHECKING:
    from rich.console import RenderableType


_WORDS: dict[str, tuple[str, str]] = {
    "you": ("you", "du"),
    "player": ("player {0}", "Spieler {0}"),
    "your move": ("your move", "dein Zug"),
    "how to type": (
        "Type a move by its name or its number in the list.",
        "Gib einen Zug mit seinem Namen oder seiner Nummer in der Liste ein.",
    ),
}


def _word(key: str, language: Language, *values: object) -> str:
    return _WORDS[key][LANGUAGES.index(language)].format(*values)


@dataclass(frozen=True)
class Terminal:
    """How a game is played in a terminal. ``you`` is the seat of the only person at the table, if there is just one.

    Seats are counted from 0 here, as everywhere in the library, and from 1 in what people read.
    """

    lists_choices: bool = True
    """Whether the choices are listed at every turn; not needed where the drawing shows them."""

    # --- What is shown --------------------------------------------------------------------------------------------

    def draw(self, position: State | View, viewer: int | None = None, language: Language = "en") -> RenderableType:
        """A drawing of a state or view, as the player at seat ``viewer`` sees it."""
        del viewer, language
        from rich.text import Text

        return Text(str(position).rstrip("\n"))

    def redraws(self, drawn: View | None, view: View) -> bool:
        """Whether to draw the position before a person is asked; ``drawn`` is the view of the last drawing."""
        del drawn, view
        return True

    def seat(self, seat: int, you: int | None, language: Language = "en") -> str:
        """What a seat is called in text.

        >>> Terminal().seat(0, you=0), Terminal().seat(1, you=0), Terminal().seat(1, None, "de")
        ('you', 'player 2', 'Spieler 2')
        """
        return _word("you", language) if seat == you else _word("player", language, seat + 1)

    def greeting(self, seat: int, spec: str, you: int | None, language: Language = "en") -> str:
        """The line that says who sits where; ``spec`` is an agent's, or ``person``."""
        return f"{_word('player', language, seat + 1)}: {_word('you', language) if seat == you else spec}"

    def news(
        self, before: View, after: View, you: int | None, language: Language = "en"
    ) -> Sequence[RenderableType] | None:
        """What an observer saw happen between two of their views, a line each; None: the table says who moved."""
        del before, after, you, language
        return None

    # --- What is asked --------------------------------------------------------------------------------------------

    def question(self, view: View, language: Language = "en") -> str | None:
        """What the observer is asked in plain words, other than to make a move."""
        del view, language
        return None

    def lists(self, view: View) -> bool:
        """Whether the choices are listed at this turn."""
        del view
        return self.lists_choices

    def prompt(self, view: View, you: int | None, language: Language = "en") -> str:
        """The text before the cursor."""
        return _word("your move", language) if view.observer == you else self.seat(view.observer, you, language)

    def options(self, view: View) -> list[int]:
        """The legal actions in the order in which people number them."""
        return view.legal()

    def action(self, view: View, action: int, language: Language = "en") -> str:
        """An action of the observer in words."""
        del language
        return view.name(action)

    def rule(self, view: View, language: Language = "en") -> str | None:
        """The rule that restricts the observer's choice now, to be named when a move is refused."""
        del view, language
        return None

    def announced(self, view: View) -> int:
        """How many announcements were made so far: after each, people who declined are asked again."""
        del view
        return 0

    def how_to_type(self, language: Language = "en") -> str:
        """The first line of the help text."""
        return _word("how to type", language)

    def hint(
        self, view: View, advice: AnalysisLike, you: int | None, language: Language = "en"
    ) -> Sequence[RenderableType] | None:
        """An analysis as the game's players read it; None: a table of all actions."""
        del view, advice, you, language
        return None

    # --- The end --------------------------------------------------------------------------------------------------

    def result(self, state: State, you: int | None, language: Language = "en") -> Sequence[RenderableType] | None:
        """A finished game in words; None: the last position, the winner and `details`."""
        del state, you, language
        return None

    def details(self, state: State, language: Language = "en") -> Sequence[str]:
        """What a result says beside who won, a line each.

        >>> import kiebitz as kb
        >>> end = {"pits": [0] * 12, "captured": [18, 18], "player": 0, "ended": "starvation"}
        >>> Terminal().details(kb.game("oware").load(end))
        ['captured: 18, 18', 'ended: starvation']
        """
        del language
        fields = {k: v for k, v in state.result().items() if k not in ("returns", "winner") and v not in ("", [])}
        return [f"{key.replace('_', ' ')}: {_listed(value)}" for key, value in fields.items()]

    def score_columns(self, language: Language = "en") -> Sequence[str]:
        """Titles of columns that a score sheet has beside the payoffs."""
        del language
        return ()

    def score_cells(self, result: Mapping[str, Any], language: Language = "en") -> Sequence[str]:
        """The cells of these columns for a finished game."""
        del result, language
        return ()


def _listed(value: Any) -> str:
    items = list(value) if isinstance(value, list | tuple) else [value]
    return ", ".join(f"{item:g}" if isinstance(item, float) else str(item) for item in items)


def fields_of(position: State | View) -> dict[str, Any]:
    """The fields of a position of a game that hides nothing, for drawings.

    >>> import kiebitz as kb
    >>> fields_of(kb.game("nim", heaps=[2, 3]).new().view(0))["heaps"]
    [2, 3]
    """
    return (position.sample(0) if isinstance(position, View) else position).position()
