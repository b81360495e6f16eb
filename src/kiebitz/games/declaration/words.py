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
Reason = Callable[[Names, Language], str]
"""Why a move was better, with the names of the players and in a language."""


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


def signed(value: float, language: Language, digits: int = 2) -> str:
    """A payoff as score sheets write it, with at most so many places.

    >>> signed(2.0, "en"), signed(-0.5, "de"), signed(1 / 3, "en"), signed(-0.001, "en")
    ('+2', '−0,5', '+0.33', '0')
    """
    rounded = round(value, digits)
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
    """What people count in: a payoff of ``v`` is shown as ``zero + scale * v`` with ``digits`` decimals."""

    name: Phrase
    """What a loss is counted in, within a sentence."""
    title: Phrase
    """What a value is, above a column of numbers."""
    short: Phrase
    """What stands behind a number where there is little room."""
    digits: int
    small: float
    """Losses of less, in this unit, are not worth mentioning."""
    scale: float = 1.0
    zero: float = 0.0

    def shows(self, difference: float) -> bool:
        """Whether two payoffs that differ by so much are shown as different numbers, about.

        >>> POINTS.shows(0.04), POINTS.shows(0.06)
        (False, True)
        """
        return self.scale * difference >= 0.5 * 10.0**-self.digits

    def counts(self, loss: float) -> bool:
        """Whether a loss of payoff is worth mentioning.

        >>> POINTS.counts(0.04), POINTS.counts(2.18), WINNING_CHANCE.counts(0.5)
        (False, True, True)
        """
        return self.scale * loss >= self.small

    def told(self, value: float, language: Language) -> str:
        """A payoff as a number of this unit.

        >>> POINTS.told(1.26, "de"), WINNING_CHANCE.told(0.5, "en")
        ('+1,3', '75 %')
        """
        if not self.zero:
            return signed(value * self.scale, language, self.digits)
        return f"{self.zero + value * self.scale:.{self.digits}f} {self.short[language]}"


def counted(name: str, german: str, digits: int, small: float, scale: float = 1.0) -> Unit:
    """The unit of a game in which things are won: points, chips.

    >>> counted("points", "Punkte", 1, 0.25).title
    {'en': 'Expected points', 'de': 'Erwartete Punkte'}
    """
    name_, title = phrase(name, german), phrase(f"Expected {name}", f"Erwartete {german}")
    return Unit(name_, title, name_, digits, small, scale)


POINTS = counted("points", "Punkte", 1, 0.25)
CHIPS = counted("chips", "Chips", 2, 0.02)
WINNING_CHANCE = Unit(
    phrase("percentage points of winning chance", "Prozentpunkte Gewinnaussicht"),
    phrase("Winning chance", "Gewinnaussicht"),
    phrase("%", "%"),
    digits=0,
    small=2.0,
    scale=50.0,
    zero=50.0,
)
"""For payoffs from -1 to 1; a draw counts as half a win."""


def payoffs(game: Game) -> Unit:
    """The unit of a game that declares none: payoffs as they are; a hundredth of their range is small.

    >>> import kiebitz as kb
    >>> payoffs(kb.game("leduc")).small
    0.26
    """
    title = phrase("Expected payoff", "Erwartetes Ergebnis")
    small = (game.info.max_payoff - game.info.min_payoff) / 100
    return Unit(phrase("", ""), title, phrase("", ""), 2, small)


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

    def unit(self, game: Game) -> Unit:
        """What values and losses are counted in, wherever people see them."""
        return WINNING_CHANCE if (game.info.min_payoff, game.info.max_payoff) == (-1, 1) else payoffs(game)

    def reason(self, view: View, played: int, best: int) -> Reason | None:
        """What the game knows beside the numbers about why an action was better; None if it knows nothing."""
        del view, played, best
        return None
