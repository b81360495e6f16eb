"""A call round of Doppelkopf as one public phase.

The rules ask a seat for a call only if it has something to say, and that depends on its party. So who is asked, and
whether anybody is, would give parties away. Here the table is in phase ``call`` whenever some seat *could* have
something to say as far as everybody knows, and all of those are asked at the same time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kiebitz._core import State, View
from kiebitz.errors import ViewError
from kiebitz.games.doppelkopf.situation import FIRST_CALL, SEATS, Call

PASS = 38
STEPS = 5
RE, KONTRA = "re", "kontra"
Fields = dict[str, Any]


@dataclass
class CallRound:
    """A round of prompts before a card: who may speak as far as everybody knows, and what was said so far in secret."""

    able: tuple[int, ...]
    answers: dict[int, int] = field(default_factory=dict)


def hand_sizes(state: State) -> list[int]:
    """Cards in each hand: everybody can count them.

    >>> import kiebitz as kb
    >>> hand_sizes(kb.game("doppelkopf", nines=False).new(seed=1))
    [10, 10, 10, 10]
    """
    return sizes_of(state.view(0).outline())


def sizes_of(told: Fields) -> list[int]:
    """The same from the outline of any view."""
    played = [0] * SEATS
    for cards, leader in zip(told["tricks"], told["leaders"], strict=True):
        for i in range(len(cards.split())):
            played[(leader + i) % SEATS] += 1
    return [int(told["size"]) - count for count in played]


def public_parties(state: State) -> list[str]:
    """The party of each seat as everybody knows it, without anybody's hand; empty where it is open.

    Contract, calls and club queens on the table tell it; so does a trump that was not followed. Both Re seats known
    leave Kontra for the others, three of Kontra leave Re for the last.
    """
    view = state.view(0)
    return parties_of(view.fields(), view.outline())


def parties_of(seen: Fields, told: Fields) -> list[str]:
    """The same from the fields and the outline of any view: of its hand nothing is used."""
    contract, declarer, partner = told["contract"], told["declarer"], told["partner"]
    if contract is None:
        return [""] * SEATS
    if contract != "normal":
        known = contract != "wedding" or partner is not None or told["alone"]
        rest = KONTRA if known else ""
        return [RE if seat in (declarer, partner) else rest for seat in range(SEATS)]
    parties = [""] * SEATS
    for call in map(Call.read, seen["calls"]):
        parties[call.seat] = call.party
    queens = 0
    trumps = set(told["trumps"])
    for text, leader in zip(told["tricks"], told["leaders"], strict=True):
        cards = text.split()
        for i, card in enumerate(cards):
            seat = (leader + i) % SEATS
            if card == "CQ":
                parties[seat] = RE
                queens += 1
            elif cards[0] in trumps and card not in trumps and not parties[seat]:
                parties[seat] = KONTRA
    if queens == 2 or parties.count(RE) == 2:
        parties = [party or KONTRA for party in parties]
    elif parties.count(KONTRA) == 3:
        parties = [party or RE for party in parties]
    return parties


def able_seats(state: State) -> tuple[int, ...]:
    """The seats that could have something to say before the next card, as far as everybody knows.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> able_seats(state)  # reservations come first
    ()
    >>> for _ in range(4):
    ...     state.apply(state.parse("healthy"))
    >>> able_seats(state)
    (0, 1, 2, 3)
    """
    view = state.view(0)
    seen, told = view.fields(), view.outline()
    if told["contract"] is None or told["turn"] is None:
        return ()
    if told["contract"] == "wedding" and told["partner"] is None and not told["alone"]:
        return ()
    level = {RE: 0, KONTRA: 0}
    for call in map(Call.read, seen["calls"]):
        level[call.party] = call.step
    shift = _wedding_shift(told) if told["contract"] == "wedding" else 0
    sizes, parties = sizes_of(told), parties_of(seen, told)

    def may(seat: int, party: str) -> bool:
        own, other = level[party], level[KONTRA if party == RE else RE]
        reply = other if own == 0 else 0
        limit = int(told["size"]) - (own + 1) - reply - shift
        return parties[seat] in ("", party) and own < STEPS and sizes[seat] >= limit

    return tuple(seat for seat in range(SEATS) if may(seat, RE) or may(seat, KONTRA))


def _wedding_shift(told: Fields) -> int:
    """The clarifying trick, counted from 0: by so much all limits fall."""
    if told["alone"]:
        return 2
    return next(i for i, taker in enumerate(told["takers"]) if taker == told["partner"])


def asks(state: State) -> bool:
    """Whether the rules ask somebody for a call now. Hidden: nobody outside may learn it."""
    return state.player >= 0 and state.legal()[0] >= FIRST_CALL


def call_view(state: State, seat: int) -> View | None:
    """The view of a seat as if it were asked now; nothing if it has nothing to say. A function of its own view alone.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> for _ in range(4):
    ...     state.apply(state.parse("healthy"))
    >>> view = call_view(state, 1)
    >>> view is not None and [view.name(action) for action in view.legal()]
    ['kontra', 'pass']
    """
    try:
        return state.game.load_view({**state.view(seat).fields(), "phase": "call"})
    except ViewError:
        return None


def known_view(state: State, seat: int) -> View:
    """What a seat knows in a call round, whether it has something to say or not: nothing of whom the rules ask."""
    asked = call_view(state, seat)
    return state.game.load_view({**state.view(seat).fields(), "phase": "card"}) if asked is None else asked
