"""Liar's dice, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kiebitz._core import Game, State, View
from kiebitz.games.declaration import Bounds, Declaration, Facts, Language, PlayedPeer, Players, Terminal, Words
from kiebitz.games.declaration.fields import Fields, listed, observer, pattern, truth, whole
from kiebitz.games.declaration.words import Line, Phrase, phrase
from kiebitz.games.scene import Scene

if TYPE_CHECKING:
    from rich.console import RenderableType


class LiarsDicePeer(PlayedPeer):
    """``liars_dice`` of OpenSpiel."""

    def name(self, game: Game) -> str | None:
        """The rules are the same for two players."""
        dice = f"liars_dice(numdice={game.params['dice']},dice_sides={game.params['sides']})"
        return dice if game.params["players"] == 2 else None

    def actions(self, position: Mapping[str, Any]) -> Sequence[int]:
        """Dice, then bids."""
        return [*position["dice"], *position["bids"]]


PLAYERS = Players(
    levels={
        "casual": "equilibrium(iterations=5)",
        "strong": "equilibrium(iterations=15)",
        "best": "equilibrium",
    },
    peer=LiarsDicePeer(),
)


_COUNTS: dict[Language, tuple[str, ...]] = {
    "en": ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    "de": ("eine", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"),
}
_DOUBT: Phrase = phrase("liar", "anzweifeln")
_FACES: dict[Language, tuple[str, ...]] = {
    "en": ("one", "two", "three", "four", "five", "six"),
    "de": ("Eins", "Zwei", "Drei", "Vier", "Fünf", "Sechs"),
}


def bid_text(bid: str, language: Language) -> str:
    """A bid in words; numbers that are too large for them stay digits.

    >>> bid_text("1x1", "en"), bid_text("3x6", "en"), bid_text("1x1", "de"), bid_text("3x6", "de")
    ('one one', 'three sixes', 'eine Eins', 'drei Sechsen')
    >>> bid_text("13x20", "en"), bid_text("2x7", "de")
    ('13 20s', 'zwei 7er')
    """
    count, face = (int(part) for part in bid.split("x"))
    many = _COUNTS[language][count - 1] if count <= len(_COUNTS[language]) else str(count)
    if face > len(_FACES[language]):
        ending = "er" if language == "de" else "s" if count > 1 else ""
        return f"{many} {face}{ending}"
    ending = "" if count == 1 else "en" if language == "de" else "es" if face == 6 else "s"
    return f"{many} {_FACES[language][face - 1]}{ending}"


class LiarsDiceWords(Words):
    """Bids and doubts."""

    def deed(self, scene: Scene, action: int) -> Phrase:
        """What the log tells.

        >>> import kiebitz as kb
        >>> state = kb.game("liars_dice").new(seed=1)
        >>> LiarsDiceWords().deed(Scene(state), state.parse("2x5"))
        {'en': 'bids two fives', 'de': 'bietet zwei Fünfen'}
        """
        name = scene.state.name(action)
        if name == "liar":
            return phrase("doubts the bid", "zweifelt das Gebot an")
        return phrase(f"bids {bid_text(name, 'en')}", f"bietet {bid_text(name, 'de')}")

    def events(self, before: Scene, after: Scene) -> list[Line]:
        """Every bid is public."""
        return [self.move(before, after)]

    def moves(self, view: View, names: Sequence[str], language: Language) -> list[str]:
        """Bids in words."""
        return [_DOUBT[language] if name == "liar" else bid_text(name, language) for name in names]


class LiarsDiceTerminal(Terminal):
    """Dice and bids in words."""

    def draw(self, position: State | View, viewer: int | None = None, language: Language = "en") -> RenderableType:
        """Everybody's dice as far as they may be seen, and all bids."""
        from rich.text import Text

        seats = range(position.game.info.players)
        views = [position] if isinstance(position, View) else [position.view(seat) for seat in seats]
        told = {view.observer: view.outline() for view in views}
        public = next(iter(told.values()))["public"]
        lines = []
        for seat, (count, shown) in enumerate(zip(public["counts"], public["shown"], strict=True)):
            dice = told[seat]["hand"] if seat in told else shown or "?" * count
            lines.append(f"{self.seat(seat, viewer, language)}: {' '.join(str(die) for die in dice)}")
        names = [self.seat(bid["seat"], viewer, language) for bid in public["bids"]]
        bids = [f"{name}: {bid_text(bid['bid'], language)}" for name, bid in zip(names, public["bids"], strict=True)]
        nothing = "nothing yet" if language == "en" else "noch nichts"
        lines.append(" · ".join(["bids" if language == "en" else "Gebote", *(bids or [nothing])]))
        return Text("\n".join(lines))

    def action(self, view: View, action: int, language: Language = "en") -> str:
        """A bid as it is typed, and in words."""
        name = view.name(action)
        return f"{name} ({bid_text(name, language)})" if name != "liar" else _DOUBT[language]

    def details(self, state: State, language: Language = "en") -> list[str]:
        """How many dice fit the bid that was doubted.

        >>> import kiebitz as kb
        >>> state = kb.game("liars_dice").new(seed=3)
        >>> for name in ("1x2", "2x4", "liar"):
        ...     state.apply(state.parse(name))
        >>> LiarsDiceTerminal().details(state)
        ['The bid: two fours; dice that fit: 1.']
        """
        result = state.result()
        bid, count = bid_text(result["bid"], language), result["matching"]
        if language == "en":
            return [f"The bid: {bid}; dice that fit: {count}."]
        return [f"Gebot: {bid}; passende Würfel: {count}."]


FIELDS: Fields = {
    "view.observer": observer(10),
    "view.rolled": whole("dice rolled so far"),
    "view.dice[]": whole("your dice, each one less than its face", 0),
    "view.bids[]": whole("all bids in order, by the numbers of their actions"),
    "view.called": truth("whether the last bid was called a lie"),
    "outline.hand[]": pattern("your dice by their faces", "[0-9]+", "5"),
    "outline.public.bids[].seat": whole("who made each bid", 0, 9),
    "outline.public.bids[].bid": pattern("how many dice of which face", "[0-9]+x[0-9]+", "2x6"),
    "outline.public.called": truth("as in the view"),
    "outline.public.counts[]": whole("dice of each seat", 1),
    "outline.public.shown[]": listed("the dice of each seat, before the end", null=True),
    "outline.public.shown[][]": whole("the faces of each seat's dice, at the end", 1),
}

DECLARATION = Declaration(
    players=PLAYERS,
    facts=Facts(drawn=True),
    words=LiarsDiceWords(),
    terminal=LiarsDiceTerminal(),
    bounds=Bounds(place=5, most={"players": 6, "dice": 5, "sides": 10}),
    fields=FIELDS,
)
