"""The log and the result of a game in English and German, as its declaration words them."""

from __future__ import annotations

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
    words, out = declaration_of(state.game).words, {}
    for language in LANGUAGES:
        called = [name_of(names, seat, language) for seat in range(state.game.info.players)]
        points = [f"{name} {signed(value, language)}" for name, value in zip(called, state.returns(), strict=True)]
        out[language] = [*words.result(state, called, language), ", ".join(points)]
    return out
