"""What is said about a game, in English and German: events for the log, results, and mistakes in reviews.

Names of players are put in last and as they are: whatever somebody typed is text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from kiebitz._core import Game, State, View

if TYPE_CHECKING:
    from kiebitz.games.scene import Scene

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = ("en", "de")

Phrase = dict[Language, str]
Names = Sequence[str]
"""What everybody is called by seat; may be empty, and so may each name."""
Sentence = tuple[str | int, ...]
"""Texts, and seats where their names belong."""
Reason = Callable[[Language, str], str]
"""Why a move was better, in a language and with the name of the player."""


def phrase(english: str, german: str) -> Phrase:
    """The same in both languages.

    >>> phrase("passes", "passt")
    {'en': 'passes', 'de': 'passt'}
    """
    return {"en": english, "de": german}


def name_of(names: Names, seat: int, language: Language) -> str:
    """The name of a seat in a sentence.

    >>> name_of(["Ada", ""], 0, "de"), name_of(["Ada", ""], 1, "de"), name_of([], 1, "en")
    ('Ada', 'Platz 2', 'Seat 2')
    """
    name = names[seat] if seat < len(names) else ""
    return name or f"{'Seat' if language == 'en' else 'Platz'} {seat + 1}"


def written(sentence: Sentence, names: Names, language: Language) -> str:
    """A sentence with its names.

    >>> written((1, " wins"), ["Ada", "Bob"], "en")
    'Bob wins'
    """
    return "".join(part if isinstance(part, str) else name_of(names, part, language) for part in sentence)


def signed(value: float, language: Language) -> str:
    """A payoff as score sheets write it, at most two places.

    >>> signed(2.0, "en"), signed(-0.5, "de"), signed(1 / 3, "en"), signed(-0.001, "en")
    ('+2', '−0,5', '+0.33', '0')
    """
    rounded = round(value, 2)
    text = f"{rounded:+.12g}".replace("-", "−") if rounded else "0"
    return text.replace(".", ",") if language == "de" else text


@dataclass(frozen=True)
class Line:
    """A line of the log before names are put in."""

    seat: int | None
    kind: str
    text: dict[Language, Sentence]

    def told(self, names: Names) -> dict[str, Any]:
        """The line as it is shown.

        >>> did(1, "move", phrase("passes", "passt")).told(["Ada", "{0}"])
        {'seat': 1, 'kind': 'move', 'text': {'en': '{0} passes', 'de': '{0} passt'}}
        """
        text = {language: written(sentence, names, language) for language, sentence in self.text.items()}
        return {"seat": self.seat, "kind": self.kind, "text": text}


def did(seat: int, kind: str, words: Phrase) -> Line:
    """That somebody did something: the name, then the words."""
    return Line(seat, kind, {language: (seat, f" {text}") for language, text in words.items()})


def happened(kind: str, words: Phrase) -> Line:
    """That something happened by itself."""
    return Line(None, kind, {language: (text,) for language, text in words.items()})


class Unit(NamedTuple):
    """What people count losses in: payoffs times ``scale`` with ``digits`` decimals, and the name of the unit."""

    scale: float
    digits: int
    name: Phrase


POINTS = Unit(1.0, 1, phrase("points", "Punkte"))
CHIPS = Unit(1.0, 2, phrase("chips", "Chips"))
PLAIN = Unit(1.0, 2, phrase("", ""))
WINNING_CHANCE = Unit(50.0, 0, phrase("percentage points of winning chance", "Prozentpunkte Gewinnaussicht"))
"""For payoffs from -1 to 1; a draw counts as half a win."""


@dataclass(frozen=True)
class Words:
    """What is said about a game, in English and German."""

    # --- The log ------------------------------------------------------------------------------------------------------

    def deed(self, scene: Scene, action: int) -> Phrase:
        """What the player to move does, as the log tells it after the name."""
        name = scene.state.name(action)
        return phrase(f"plays {name}", f"spielt {name}")

    def events(self, before: Scene, after: Scene) -> list[Line]:
        """What everybody saw happen between two states, the oldest first; the result is added by the caller.

        In a hidden game we do not know who sees an action, so the log only says that a move was made, if even that is
        public.
        """
        if before.turn is None:
            return []
        if before.game.info.hidden:
            return [did(before.turn, "move", phrase("has moved", "hat gezogen"))]
        return [self.move(before, after)]

    def move(self, before: Scene, after: Scene) -> Line:
        """The public action between two states as a line."""
        action = after.state.history[len(before.state.history)]
        return did(before.state.player, "move", self.deed(before, action))

    # --- The result ---------------------------------------------------------------------------------------------------

    def outcome(self, state: State, language: Language) -> Sentence:
        """Who won, in one sentence."""
        returns = list(state.returns())
        winners = [seat for seat, value in enumerate(returns) if value == max(returns)]
        if len(winners) == len(returns):
            return ("A draw" if language == "en" else "Unentschieden",)
        if len(winners) == 1:
            return (winners[0], " wins" if language == "en" else " gewinnt")
        parts: list[str | int] = []
        for place, seat in enumerate(winners):
            last = " and " if language == "en" else " und "
            parts += [", " if 0 < place < len(winners) - 1 else last, seat] if place else [seat]
        return (*parts, " share the win" if language == "en" else " gewinnen gemeinsam")

    def result(self, state: State, names: Names, language: Language) -> list[str]:
        """A finished game, a sentence each; everybody's points are added by the caller."""
        return [written(self.outcome(state, language), names, language)]

    # --- Reviews ------------------------------------------------------------------------------------------------------

    def place(self, view: View, number: int, language: Language) -> str:
        """Which decision is meant; ``number`` counts those of the game from 1."""
        del view
        return f"Move {number}" if language == "en" else f"Zug {number}"

    def action(self, view: View, action: int, language: Language) -> str:
        """An action of the observer within a sentence."""
        return self.moves(view, [view.name(action)], language)[0]

    def moves(self, view: View, names: Sequence[str], language: Language) -> list[str]:
        """Actions that follow one another from a view on, given by name, each within a sentence."""
        del view, language
        return list(names)

    def unit(self, game: Game, proven: bool) -> Unit:
        """What losses are counted in; ``proven``: the values are results of games, not estimates."""
        del proven
        return WINNING_CHANCE if (game.info.min_payoff, game.info.max_payoff) == (-1, 1) else PLAIN

    def reason(self, view: View, played: int, best: int) -> Reason | None:
        """What the game knows beside the numbers about why an action was better; None if it knows nothing."""
        del view, played, best
        return None
