"""Three Tricks, declared for the layers above the rules: the example of docs/add-a-game.md."""

from __future__ import annotations

from collections.abc import Sequence

from kiebitz._core import State, View
from kiebitz.games.declaration import Bounds, Declaration, Facts, Language, Players, Words
from kiebitz.games.declaration.fields import Fields, listed, observer, pattern, whole
from kiebitz.games.declaration.words import Line, Phrase, did, phrase
from kiebitz.games.scene import Scene

SUITS = {"C": "♣", "H": "♥", "S": "♠"}
GERMAN_RANKS = {"Q": "D"}


def card_text(code: str, language: Language) -> str:
    """A card as players write it.

    >>> card_text("CQ", "en"), card_text("CQ", "de")
    ('♣Q', '♣D')
    """
    rank = code[1]
    return SUITS[code[0]] + (GERMAN_RANKS.get(rank, rank) if language == "de" else rank)


class ThreeTricksWords(Words):
    """Cards and tricks."""

    def deed(self, scene: Scene, action: int) -> Phrase:
        """What the log tells."""
        code = scene.state.name(action)
        return phrase(f"plays {card_text(code, 'en')}", f"spielt {card_text(code, 'de')}")

    def events(self, before: Scene, after: Scene) -> list[Line]:
        """Every card is public, and the last one of a trick brings it to somebody."""
        lines = [self.move(before, after)]
        taken = zip(before.public["tricks"], after.public["tricks"], strict=True)
        return lines + [
            did(seat, "trick", phrase("takes the trick", "macht den Stich"))
            for seat, (old, new) in enumerate(taken)
            if new > old
        ]

    def result(self, state: State, names: Sequence[str], language: Language) -> list[str]:
        """Who took how many tricks."""
        tricks = state.result()["tricks"]
        words = ("trick", "tricks") if language == "en" else ("Stich", "Stiche")
        counts = [f"{name}: {count} {words[count != 1]}" for name, count in zip(names, tricks, strict=True)]
        return [*super().result(state, names, language), ", ".join(counts)]

    def moves(self, view: View, names: Sequence[str], language: Language) -> list[str]:
        """Cards with their symbols."""
        del view
        return [card_text(name, language) for name in names]


CARD = "[CHS][QKA]"
CARDS = f"({CARD}( {CARD})*)?"

FIELDS: Fields = {
    "view.observer": observer(3),
    "view.dealt": whole("cards dealt so far", 0, 9),
    "view.hand": pattern("your cards: suit (C, H, S) and rank (Q, K, A)", CARDS, "CA HK"),
    "view.played": pattern("all cards played, in order", CARDS, "CA CQ SK"),
    "outline.hand[]": pattern("your cards", CARD, "CA"),
    "outline.playable[]": pattern("those that you may play to the trick on the table", CARD, "CA"),
    "outline.public.turn": whole("who plays next", 0, 2, null=True),
    "outline.public.trick[].seat": whole("who played each card of the trick on the table", 0, 2),
    "outline.public.trick[].card": pattern("the card", CARD, "CA"),
    "outline.public.last": listed("the trick before", null=True),
    "outline.public.last.cards[].seat": whole("who played each of its cards", 0, 2),
    "outline.public.last.cards[].card": pattern("the card", CARD, "CA"),
    "outline.public.last.taker": whole("who took it", 0, 2),
    "outline.public.tricks[]": whole("tricks that each seat has taken", 0, 3),
    "outline.public.sizes[]": whole("cards in each hand", 0, 3),
}

DECLARATION = Declaration(
    players=Players(
        levels={
            "casual": "best(iterations=20, worlds=4)",
            "strong": "best(iterations=100, worlds=20)",
            "best": "best(iterations=1000, worlds=60)",
        }
    ),
    facts=Facts(drawn=True, given="rules"),
    words=ThreeTricksWords(),
    bounds=Bounds(place=9),
    fields=FIELDS,
)
