"""Doppelkopf as players read it: a view turned into hand, tricks, parties and calls.

Everything here comes from the fields of a view, so it cannot tell a seat what it may not know. The rules are those of
core/games/doppelkopf.hpp; the order of the cards is written down again, because sorting a hand and naming the taker of
a trick need it, and a test holds it against the engine. What is said about all this is in doppelkopf_words.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kiebitz._core import CHANCE, TERMINAL, State, View

SEATS = 4
SUITS = "CSHD"
"""Clubs, spades, hearts, diamonds: as queens and jacks rank, and as side suits are sorted."""
RANKS = "ATKQJ9"
SYMBOLS = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}
EYES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
STEPS = ("re-kontra", "no90", "no60", "no30", "black")
FIRST_RESERVATION, FIRST_CALL = 24, 33
SUIT_NAMES = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds", "trump": "trump"}


# --- Cards ------------------------------------------------------------------------------------------------------------


def card_code(action: int) -> str:
    """The card of an action as fields of views write it.

    >>> card_code(15), card_code(7)
    ('CQ', 'HT')
    """
    return "DHCS"[action // 6] + "9TJQKA"[action % 6]


def card_name(card: str) -> str:
    """A card with its symbol.

    >>> card_name("CQ"), card_name("HT")
    ('♣Q', '♥10')
    """
    return SYMBOLS[card[0]] + ("10" if card[1] == "T" else card[1])


def trumps(contract: str, piglets: bool = False) -> list[str]:
    """The trumps of a contract, the highest first.

    >>> trumps("solo-queens"), trumps("normal", piglets=True)[:3]
    (['CQ', 'SQ', 'HQ', 'DQ'], ['DA', 'HT', 'CQ'])
    """
    queens, jacks = [s + "Q" for s in SUITS], [s + "J" for s in SUITS]
    if contract in ("solo-trumpless", "solo-queens", "solo-jacks"):
        return {"solo-trumpless": [], "solo-queens": queens, "solo-jacks": jacks}[contract]
    suit = {"solo-hearts": "H", "solo-spades": "S", "solo-clubs": "C"}.get(contract, "D")
    order = ["HT", *queens, *jacks, *(suit + rank for rank in "ATK9" if suit + rank != "HT")]
    return ["DA", *(card for card in order if card != "DA")] if piglets else order


def sort_hand(cards: Sequence[str], order: Sequence[str]) -> list[list[str]]:
    """A hand as players sort it: trumps from the highest, then clubs, spades, hearts, diamonds; empty groups left out.

    >>> sort_hand(["H9", "CQ", "SA", "HT", "SK"], trumps("normal"))
    [['HT', 'CQ'], ['SA', 'SK'], ['H9']]
    """
    groups = [sorted((card for card in cards if card in order), key=order.index)]
    for suit in SUITS:
        side = [card for card in cards if card[0] == suit and card not in order]
        groups.append(sorted(side, key=lambda card: RANKS.index(card[1])))
    return [group for group in groups if group]


def category(card: str, order: Sequence[str]) -> str:
    """What others must follow when the card is led: ``trump`` or a suit."""
    return "trump" if card in order else card[0]


@dataclass(frozen=True)
class Trick:
    """Cards in the order they were played, and who takes them as far as they go."""

    cards: tuple[tuple[int, str], ...]
    taker: int

    @property
    def leader(self) -> int:
        """Who led."""
        return self.cards[0][0]

    @property
    def eyes(self) -> int:
        """Their worth."""
        return sum(EYES[card[1]] for _, card in self.cards)

    @property
    def complete(self) -> bool:
        """Whether all four have played."""
        return len(self.cards) == SEATS

    def card_of(self, seat: int) -> str | None:
        """What a seat played."""
        return dict(self.cards).get(seat)


def _taker(cards: Sequence[tuple[int, str]], order: Sequence[str], second_ten: bool) -> int:
    """Who takes a trick: of equal cards the first, except the tens of hearts under that house rule."""
    best_seat, best = cards[0]
    for seat, card in cards[1:]:
        if card in order:
            higher = best not in order or order.index(card) < order.index(best)
        else:
            higher = best not in order and card[0] == best[0] and RANKS.index(card[1]) < RANKS.index(best[1])
        if higher or (second_ten and card == best == "HT" and card in order):
            best_seat, best = seat, card
    return best_seat


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
    """deal, reservation, call (the observer is asked), card, wait (the observer's card is next), over."""
    hand: tuple[tuple[str, ...], ...]
    """Sorted: trumps, then the side suits."""
    reservations: tuple[str, ...]
    contract: str | None
    """normal, wedding or a solo, once all have spoken."""
    declarer: int | None
    """Who plays the solo or the wedding."""
    partner: int | None
    """Found by a wedding."""
    piglets: int | None
    """House rule: who showed both foxes."""
    trumps: tuple[str, ...]
    tricks: tuple[Trick, ...]
    """All so far; the last may be incomplete."""
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
        fields, params = view.fields(), view.game.params
        start: int = fields["start"]
        said: list[str] = fields["reservations"]
        contract, declarer = _contract(said, start)
        piglets = None if fields["piglets"] < 0 else int(fields["piglets"])
        order = trumps(contract or "normal", piglets is not None)
        tricks = _tricks(fields["cards"].split(), start, order, bool(params["second_ten"]))
        partner = None
        if contract == "wedding":
            takers = [trick.taker for trick in tricks[:3] if trick.complete]
            partner = next((taker for taker in takers if taker != declarer), None)
        turn: int | None = None
        if contract is None:
            turn = view.player if view.player >= 0 else None
        elif fields["phase"] != "over":
            last = tricks[-1] if tricks else None
            turn = start if last is None else last.taker if last.complete else (last.leader + len(last.cards)) % SEATS
        return Situation(
            view.observer,
            start,
            fields["phase"],
            tuple(tuple(group) for group in sort_hand(fields["hand"].split(), order)),
            tuple(said),
            contract,
            declarer,
            partner,
            piglets,
            tuple(order),
            tuple(tricks),
            tuple(Call.read(text) for text in fields["calls"]),
            turn,
            12 if params["nines"] else 10,
        )

    @property
    def eyes(self) -> list[int]:
        """Eyes taken so far, by seat."""
        return [sum(t.eyes for t in self.tricks if t.complete and t.taker == seat) for seat in range(SEATS)]

    @property
    def current(self) -> Trick | None:
        """The trick on the table."""
        return self.tricks[-1] if self.tricks and not self.tricks[-1].complete else None

    @property
    def last(self) -> Trick | None:
        """The trick before."""
        return next((trick for trick in reversed(self.tricks) if trick.complete), None)

    @property
    def alone(self) -> bool:
        """A wedding that found no partner."""
        solved = sum(trick.complete for trick in self.tricks) >= 3
        return self.contract == "wedding" and self.partner is None and solved

    def parties(self) -> list[str | None]:
        """The party of each seat as far as calls, club queens and contract tell the observer.

        >>> import kiebitz as kb
        >>> state = kb.game("doppelkopf").new(seed=7)
        >>> state.apply(state.parse("wedding"))
        >>> for _ in range(3):
        ...     state.apply(state.parse("healthy"))
        >>> Situation.of(state.view(0)).parties()
        [None, None, None, 're']
        """
        if self.contract is None:
            return [None] * SEATS
        if self.contract == "wedding" and self.partner is None and not self.alone:
            return ["re" if seat == self.declarer else None for seat in range(SEATS)]
        if self.contract != "normal":
            return ["re" if seat in (self.declarer, self.partner) else "kontra" for seat in range(SEATS)]
        played = [seat for trick in self.tricks for seat, card in trick.cards if card == "CQ"]
        own = sum(group.count("CQ") for group in self.hand) + played.count(self.observer)
        possible = []
        for first in range(SEATS):
            for second in range(first, SEATS):
                holders = [first, second]
                if (
                    holders.count(self.observer) == own
                    and all(holders.count(seat) >= played.count(seat) for seat in played)
                    and all((call.seat in holders) == (call.party == "re") for call in self.calls)
                ):
                    possible.append(holders)
        return [
            "re" if all(seat in h for h in possible) else "kontra" if all(seat not in h for h in possible) else None
            for seat in range(SEATS)
        ]


def _contract(said: Sequence[str], start: int) -> tuple[str | None, int | None]:
    """The contract and its player: the first solo in speaking order, else a wedding, else a normal game."""
    if start < 0 or "-" in said:
        return None, None
    order = [(start + i) % SEATS for i in range(SEATS)]
    for kind in ("solo", "wedding"):
        for seat in order:
            if said[seat].startswith(kind):
                return said[seat], seat
    return "normal", None


def _tricks(cards: Sequence[str], start: int, order: Sequence[str], second_ten: bool) -> list[Trick]:
    tricks: list[Trick] = []
    leader = start
    for first in range(0, len(cards), SEATS):
        played = [((leader + i) % SEATS, card) for i, card in enumerate(cards[first : first + SEATS])]
        leader = _taker(played, order, second_ten)
        tricks.append(Trick(tuple(played), leader))
    return tricks


# --- Actions ----------------------------------------------------------------------------------------------------------


def options(view: View) -> list[int]:
    """The legal actions as people number them: cards as they are sorted in the hand, all else in its own order.

    >>> import kiebitz as kb
    >>> view = kb.game("doppelkopf").new(seed=7).view(3)
    >>> [view.name(action) for action in options(view)][:3]
    ['healthy', 'wedding', 'solo-diamonds']
    """
    legal = view.legal()
    if not legal or legal[0] >= FIRST_RESERVATION:
        return legal
    place = {card: i for i, card in enumerate(card for group in Situation.of(view).hand for card in group)}
    return sorted(legal, key=lambda action: place[card_code(action)])


def key_cards(situation: Situation) -> list[str]:
    """The cards whose holders matter most: the two highest trumps, where there are parties to find the club queens and
    foxes, and the aces of the suit led; in a game without trumps all aces.

    >>> import kiebitz as kb
    >>> key_cards(Situation.of(kb.game("doppelkopf").new(seed=7).view(0)))
    ['HT', 'CQ', 'DA']
    """
    cards = list(situation.trumps[:2])
    if situation.contract in (None, "normal", "wedding"):
        cards += [card for card in ("CQ", "DA") if card not in cards]
    led = situation.current.cards[0][1] if situation.current else None
    suits = SUITS if not situation.trumps else led[0] if led is not None and led not in situation.trumps else ""
    return cards + [suit + "A" for suit in suits if suit + "A" not in cards]


def why_not(state: State, action: int) -> str:
    """The rule that an illegal action would break.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> state.apply(state.parse("healthy"))
    >>> why_not(state, 25)
    'a wedding needs both ♣Q'
    """
    if state.player == TERMINAL:
        return "the game is over"
    if state.player == CHANCE:
        if len(state.history) == 0:
            return "the start seat is 0 to 3"
        if not 0 <= action < FIRST_RESERVATION:
            return "only cards are dealt"
        nine = card_code(action)[1] == "9" and not state.game.params["nines"]
        return "the pack has no nines" if nine else f"both {card_name(card_code(action))} have been dealt already"
    situation = Situation.of(state.view(state.player))
    first = state.legal()[0]
    if first >= FIRST_CALL:
        return f"seat {state.player} may call {state.name(first)} or pass"
    if first >= FIRST_RESERVATION:
        return "a wedding needs both ♣Q" if action == FIRST_RESERVATION + 1 else "expected a reservation or healthy"
    if not 0 <= action < FIRST_RESERVATION:
        return f"seat {state.player} has to play a card"
    return f"seat {state.player} {_refused(situation, card_code(action))}"


def _refused(situation: Situation, card: str) -> str:
    if not any(card in group for group in situation.hand):
        return f"does not hold {card_name(card)}"
    assert situation.current is not None, "a card that is held can be led"
    led = category(situation.current.cards[0][1], situation.trumps)
    return f"has to follow {SUIT_NAMES[led]}"
