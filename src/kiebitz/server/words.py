"""The log and the result of a game in English and German, as its declaration words them."""

from __future__ import annotations

from collections.abc import Sequence

from kiebitz._core import State
from kiebitz.games import declaration_of
from kiebitz.games.declaration.words import LANGUAGES, Language, Line, Names, name_of, signed
from kiebitz.games.scene import Scene


def log_lines(before: Scene, after: Scene) -> list[Line]:
    """What everybody saw happen between two states of a game, the oldest first, and the outcome if it is over."""
    words = declaration_of(after.game).words
    lines = words.events(before, after)
    if after.over and not before.over:
        lines.append(Line(None, "result", {language: words.outcome(after.state, language) for language in LANGUAGES}))
    return lines


def result_words(state: State, names: Names = ()) -> dict[Language, list[str]]:
    """The result of a finished game as sentences in both languages; the last one lists all points.

    >>> import kiebitz as kb
    >>> result_words(kb.game("tic_tac_toe").load({"board": "xxxoo...."}), ["Ada", "Bob"])
    {'en': ['Ada wins', 'Ada +1, Bob −1'], 'de': ['Ada gewinnt', 'Ada +1, Bob −1']}
    """
    words, returns = declaration_of(state.game).words, state.returns()
    out: dict[Language, list[str]] = {}
    for language in LANGUAGES:
        called = [name_of(names, seat, language) for seat in range(len(returns))]
        out[language] = [*words.result(state, called, language), _points(called, returns, language)]
    return out


def lost_words(
    seat: int, returns: Sequence[float], names: Names = (), *, late: bool = False
) -> dict[Language, list[str]]:
    """The same for a game of two that a seat gave up, or in which its time was up.

    >>> lost_words(1, [1.0, -1.0], ["Ada", "Bob"])["de"]
    ['Bob hat aufgegeben: Ada gewinnt', 'Ada +1, Bob −1']
    """
    out: dict[Language, list[str]] = {}
    for language in LANGUAGES:
        called = [name_of(names, each, language) for each in range(len(returns))]
        said, wins = _LOST[language][late], _WINS[language]
        out[language] = [f"{called[seat]} {said}: {called[1 - seat]} {wins}", _points(called, returns, language)]
    return out


_LOST: dict[Language, tuple[str, str]] = {
    "en": ("gave up", "ran out of time"),
    "de": ("hat aufgegeben", "hat die Bedenkzeit überschritten"),
}
_WINS: dict[Language, str] = {"en": "wins", "de": "gewinnt"}


def _points(called: Sequence[str], returns: Sequence[float], language: Language) -> str:
    return ", ".join(f"{name} {signed(value, language)}" for name, value in zip(called, returns, strict=True))
