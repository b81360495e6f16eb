"""Nim, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import Game, View
from kiebitz.games.declaration import Bounds, Declaration, Facts, Language, Peer, Players, Words
from kiebitz.games.declaration.facts import Public
from kiebitz.games.declaration.words import Phrase, phrase
from kiebitz.games.scene import Scene


class NimPeer(Peer):
    """``nim`` of OpenSpiel."""

    def name(self, game: Game) -> str:
        """The rules are the same with any heaps, normal and misère."""
        return _name(game.params)

    def state(self, game: Game, position: Mapping[str, Any]) -> Any:
        """What is left is a game of its own."""
        import pyspiel

        return pyspiel.load_game(_name({**game.params, **position})).new_initial_state()


def _name(params: Mapping[str, Any]) -> str:
    heaps = ";".join(str(heap) for heap in params["heaps"])
    return f"nim(pile_sizes={heaps},is_misere={str(params['misere']).lower()})"


PLAYERS = Players(
    levels={
        "casual": "uct(iterations=20)",
        "strong": "uct(iterations=300)",
        "best": "nim_perfect",
    },
    peer=NimPeer(),
)


class NimFacts(Facts):
    """The heaps."""

    def public(self, scene: Scene) -> Public:
        """What everybody knows."""
        return {"heaps": scene.state.position()["heaps"]}

    def text(self, view: View) -> None:
        """Pages draw the game."""


def taken_text(name: str, language: Language) -> str:
    """What a move takes.

    >>> taken_text("2:3", "en"), taken_text("2:3", "de")
    ('3 from heap 2', '3 von Haufen 2')
    """
    heap, _, taken = name.partition(":")
    return f"{taken} from heap {heap}" if language == "en" else f"{taken} von Haufen {heap}"


class NimWords(Words):
    """Moves in words."""

    def deed(self, scene: Scene, action: int) -> Phrase:
        """What the log tells.

        >>> import kiebitz as kb
        >>> state = kb.game("nim").new()
        >>> NimWords().deed(Scene(state), state.parse("2:3"))
        {'en': 'takes 3 from heap 2', 'de': 'nimmt 3 von Haufen 2'}
        """
        name = scene.state.name(action)
        return phrase(f"takes {taken_text(name, 'en')}", f"nimmt {taken_text(name, 'de')}")

    def moves(self, view: View, names: Sequence[str], language: Language) -> list[str]:
        """What each takes."""
        return [taken_text(name, language) for name in names]


DECLARATION = Declaration(
    players=PLAYERS,
    facts=NimFacts(),
    words=NimWords(),
    bounds=Bounds(place=8, most={"heaps": 32}, lengths={"heaps": (1, 12)}),
)
