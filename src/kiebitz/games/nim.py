"""Nim, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kiebitz._core import Game, State, View
from kiebitz.games.declaration import Bounds, Declaration, Facts, Language, Peer, Players, Terminal, Words, fields_of
from kiebitz.games.declaration.fields import Fields, observer, whole
from kiebitz.games.declaration.words import Phrase, phrase
from kiebitz.games.scene import Scene

if TYPE_CHECKING:
    from rich.console import RenderableType


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


class NimTerminal(Terminal):
    """A line per heap."""

    def draw(self, position: State | View, viewer: int | None = None, language: Language = "en") -> RenderableType:
        """The heaps, each as a number and as a row."""
        del viewer
        from rich.text import Text

        heaps: list[int] = fields_of(position)["heaps"]
        text = Text()
        for number, heap in enumerate(heaps, 1):
            text.append("\n" if number > 1 else "")
            text.append(f"{'heap' if language == 'en' else 'Haufen'} {number:>2} ", style="dim")
            text.append(f"{heap:>4}  ")
            text.append("● " * min(heap, 30) + ("…" if heap > 30 else ""), style="yellow")
        text.rstrip()
        return text


FIELDS: Fields = {
    "view.observer": observer(2),
    "view.heaps[]": whole("what is left of each heap", 0, 255),
    "view.player": whole("the player to move", 0, 1),
    "outline.public.heaps[]": whole("as in the view", 0, 255),
}

DECLARATION = Declaration(
    players=PLAYERS,
    facts=Facts(drawn=True),
    words=NimWords(),
    terminal=NimTerminal(lists_choices=False),
    bounds=Bounds(place=8, most={"heaps": 32}, lengths={"heaps": (1, 12)}),
    fields=FIELDS,
)
