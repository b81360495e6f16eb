"""Doppelkopf as players read it: a view turned into hand, tricks, parties and calls.

Everything here comes from a view and its outline, so it cannot tell a seat what it may not know, and the rules stay in
the core. What is said about all this is in words.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kiebitz._core import View
from kiebitz.games.declaration.words import Language

SEATS = 4
SYMBOLS = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}
_GERMAN_RANKS = {"Q": "D", "J": "B"}
SWINE = ("piglets", "superpiglets", "hyperpiglets")
STEPS = ("re-kontra", "no90", "no60", "no30", "black")


# --- Cards ------------------------------------------------------------------------------------------------------------


def card_name(card: str, language: Language = "en") -> str:
    """A card with its symbol and its letter in a language; in English as actions are called.

    >>> card_name("CQ"), card_name("HT"), card_name("CQ", "de")
    ('♣Q', '♥10', '♣D')
    """
    rank = "10" if card[1] == "T" else card[1]
    return SYMBOLS[card[0]] + (_GERMAN_RANKS.get(rank, rank) if language == "de" else rank)


CODES = {card_name(suit + rank): suit + rank for suit in SYMBOLS for rank in "9TJQKA"}
"""Each card by its name, as the fields of views write it."""


@dataclass(frozen=True)
class Trick:
    """Cards with their seats in the order of play, the seat that takes them so far, and their worth."""

    cards: tuple[tuple[int, str], ...]
    taker: int
    eyes: int

    @property
    def leader(self) -> int:
        """The seat that led."""
        return self.cards[0][0]

    @property
    def complete(self) -> bool:
        """Whether all four have played."""
        return len(self.cards) == SEATS

    def card_of(self, seat: int) -> str | None:
        """What a seat played."""
        return dict(self.cards).get(seat)


# --- A view, read -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """A call: cards on the table before it, speaker, party and step (1: Re or Kontra, 2: no 90, ...)."""

    before: int
    seat: int
    party: str
    step: int

    @staticmethod
    def read(text: str) -> Call:
        """From the notation of views.

        >>> Call.read("4:1:re-no90")
        Call(before=4, seat=1, party='re', step=2)
        """
        before, seat, name = text.split(":")
        party, _, step = name.partition("-")
        return Call(int(before), int(seat), party, STEPS.index(step) + 1 if step else 1)


@dataclass(frozen=True)
class Situation:
    """What a seat knows of the game, as players would say it."""

    observer: int
    start: int
    phase: str
    """deal, reservation, poverty (cards to be taken), exchange (cards to be given back), call (the observer is asked),
    card, genscher (a partner may be chosen), wait (the observer's card is next), over."""
    hand: tuple[tuple[str, ...], ...]
    """Sorted: trumps, then the side suits."""
    reservations: tuple[str, ...]
    contract: str | None
    """normal, wedding, a solo or, by house rules, poverty or throw-in, once all have spoken."""
    declarer: int | None
    """Who plays the solo or the wedding."""
    partner: int | None
    """Found by a wedding, or who took the cards in poverty."""
    alone: bool
    """A wedding that found no partner."""
    parties: tuple[str | None, ...]
    """re or kontra by seat, if the observer can be certain, else None."""
    piglets: Mapping[str, int]
    """House rule: the seats that showed or announced piglets, superpiglets and hyperpiglets."""
    exchange: Mapping[str, Any] | None
    """House rule: who put down how many trumps in poverty, who took them, and how many came back."""
    genscher: Mapping[str, Any] | None
    """House rule: who played both kings of diamonds, and the partner that was chosen, if any."""
    thrown: Mapping[str, Any] | None
    """House rule: the seat that ended the deal before the first card, and its hand."""
    trumps: tuple[str, ...]
    """The highest first."""
    led: str | None
    """What must be followed now: trump or a suit."""
    tricks: tuple[Trick, ...]
    """All so far; the last may be incomplete."""
    eyes: tuple[int, ...]
    """Taken so far, by seat."""
    calls: tuple[Call, ...]
    turn: int | None
    """Who speaks in the reservation round, or whose card is next."""
    size: int
    """Tricks in the game."""

    @staticmethod
    def of(view: View) -> Situation:
        """Reads a view.

        >>> import kiebitz as kb
        >>> state = kb.game("doppelkopf").new(seed=7)
        >>> Situation.of(state.view(2)).hand[0]
        ('HQ', 'DQ', 'CJ', 'SJ', 'HJ', 'DJ', 'DA', 'DT', 'DK')
        """
        seen, told = view.fields(), view.outline()
        tricks = zip(told["tricks"], told["leaders"], told["takers"], told["trick_eyes"], strict=True)
        return Situation(
            observer=view.observer,
            start=seen["start"],
            phase=seen["phase"],
            hand=tuple(tuple(group.split()) for group in told["hand"]),
            reservations=tuple(seen["reservations"]),
            contract=told["contract"],
            declarer=told["declarer"],
            partner=told["partner"],
            alone=told["alone"],
            parties=tuple(party or None for party in told["parties"]),
            piglets={kind: told[kind] for kind in SWINE if told.get(kind) is not None},
            exchange=told.get("exchange"),
            genscher=told.get("genscher"),
            thrown=told.get("thrown"),
            trumps=tuple(told["trumps"]),
            led=told["led"],
            tricks=tuple(
                Trick(tuple(((leader + i) % SEATS, card) for i, card in enumerate(cards.split())), taker, eyes)
                for cards, leader, taker, eyes in tricks
            ),
            eyes=tuple(told["eyes"]),
            calls=tuple(Call.read(text) for text in seen["calls"]),
            turn=told["turn"],
            size=told["size"],
        )

    @property
    def current(self) -> Trick | None:
        """The trick on the table."""
        return self.tricks[-1] if self.tricks and not self.tricks[-1].complete else None

    @property
    def last(self) -> Trick | None:
        """The trick before."""
        return next((trick for trick in reversed(self.tricks) if trick.complete), None)


# --- Actions ----------------------------------------------------------------------------------------------------------


def options(view: View) -> list[int]:
    """The legal actions as people number them: cards as they are sorted in the hand, everything else in its usual
    order.

    >>> import kiebitz as kb
    >>> view = kb.game("doppelkopf").new(seed=7).view(3)
    >>> [view.name(action) for action in options(view)][:3]
    ['healthy', 'wedding', 'solo-diamonds']
    """
    legal = view.legal()
    if not legal or view.phase not in ("card", "exchange"):
        return legal
    place = {card: i for i, card in enumerate(card for group in Situation.of(view).hand for card in group)}
    return sorted(legal, key=lambda action: place[CODES[view.name(action)]])


def key_cards(situation: Situation) -> list[str]:
    """The cards whose holders matter most: the two highest trumps, the club queens and foxes if parties are to be
    found, and the aces of the suit led; in a game without trumps all aces.

    >>> import kiebitz as kb
    >>> key_cards(Situation.of(kb.game("doppelkopf").new(seed=7).view(0)))
    ['HT', 'CQ', 'DA']
    """
    cards = list(situation.trumps[:2])
    if situation.contract in (None, "normal", "wedding"):
        cards += [card for card in ("CQ", "DA") if card not in cards]
    suits = [suit for suit in SYMBOLS if suit == situation.led or not situation.trumps]
    return cards + [suit + "A" for suit in suits if suit + "A" not in cards]
