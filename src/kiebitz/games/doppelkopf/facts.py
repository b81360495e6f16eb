"""What is known at a table of Doppelkopf, and to whom.

The rules ask a seat for a call only if it has something to say, and that depends on its party. So who is asked, and
whether anybody is, would give parties away: calls are a secret round before every card for which some seat *could* have
something to say as far as everybody knows.
"""

from __future__ import annotations

from typing import Any

from kiebitz._core import CHANCE, TERMINAL, Game, State, View
from kiebitz.errors import ViewError
from kiebitz.games.declaration.facts import Beliefs, Facts, Hands, Public, SecretRound
from kiebitz.games.doppelkopf.situation import (
    FIRST_CALL,
    FIRST_RESERVATION,
    SEATS,
    Call,
    Situation,
    card_code,
    card_name,
)
from kiebitz.games.scene import Scene

PASS = 38
STEPS = 5
RE, KONTRA = "re", "kontra"
Fields = dict[str, Any]
SUIT_NAMES = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds", "trump": "trump"}
_CODES = {card_name(card_code(action)): card_code(action) for action in range(FIRST_RESERVATION)}


class DoppelkopfFacts(Facts):
    """Tricks, calls, parties as far as everybody knows them, and calls as secret rounds."""

    prompts = ("reservation",)

    def public(self, scene: Scene) -> Public:
        """What everybody knows."""
        seen, told = scene.view(0).fields(), scene.outline(0)
        assert told is not None, "every view has an outline"
        tricks = [
            {
                "leader": leader,
                "cards": [{"seat": (leader + i) % SEATS, "card": card} for i, card in enumerate(cards.split())],
                "taker": taker,
                "eyes": eyes,
            }
            for cards, leader, taker, eyes in zip(
                told["tricks"], told["leaders"], told["takers"], told["trick_eyes"], strict=True
            )
        ]
        complete = [trick for trick in tricks if len(trick["cards"]) == SEATS]
        current = tricks[-1] if tricks and len(tricks[-1]["cards"]) < SEATS else None
        taken = [sum(trick["taker"] == seat for trick in complete) for seat in range(SEATS)]
        last = complete[-1] if complete else None
        return {
            "start": seen["start"],
            "contract": told["contract"],
            "declarer": told["declarer"],
            "partner": told["partner"],
            "alone": told["alone"],
            "piglets": told["piglets"],
            "trumps": told["trumps"],
            "turn": told["turn"],
            "led": told["led"],
            "trick": current["cards"] if current else [],
            "leader": current["leader"] if current else told["turn"],
            "last": last and {"cards": last["cards"], "taker": last["taker"], "eyes": last["eyes"]},
            "tricks_taken": taken,
            "eyes": told["eyes"],
            "calls": [_call(text) for text in seen["calls"]],
            "reservations": shown_reservations(scene),
            "sizes": _sizes(told),
            "parties": _parties(seen, told),
        }

    def turn(self, scene: Scene) -> int | None:
        """Who speaks, or whose card is next."""
        turn = scene.public["turn"]
        assert turn is None or isinstance(turn, int)
        return turn

    def phase(self, scene: Scene) -> str:
        """Reservations, then cards."""
        return "reservation" if scene.public["contract"] is None else "card"

    def text(self, view: View) -> None:
        """Pages draw the game."""

    # --- Calls --------------------------------------------------------------------------------------------------------

    def round(self, scene: Scene) -> SecretRound | None:
        """A call round."""
        able = able_seats(scene)
        return SecretRound("call", able, PASS, "pass") if able else None

    def asks(self, state: State) -> bool:
        """Whether the rules ask somebody for a call now."""
        return state.player >= 0 and state.legal()[0] >= FIRST_CALL

    def if_asked(self, view: View) -> View | None:
        """The view of a seat that may call."""
        try:
            return view.game.load_view({**view.fields(), "phase": "call"})
        except ViewError:
            return None

    def unasked(self, view: View) -> View:
        """The view of a seat that waits for a card."""
        return view.game.load_view({**view.fields(), "phase": "card"})

    def round_fields(self, scene: Scene, seat: int, asked: View | None) -> dict[str, Any]:
        """A seat whose card is next waits."""
        phase = "call" if asked is not None else "wait" if scene.public["turn"] == seat else "card"
        return {**scene.view(seat).fields(), "phase": phase}

    # --- Actions ------------------------------------------------------------------------------------------------------

    def code(self, view: View, action: int) -> str:
        """The code of a card, the name of anything else."""
        return card_code(action) if action < FIRST_RESERVATION else view.name(action)

    def refusal(self, state: State, action: int) -> str:
        """The rule that an illegal action would break.

        >>> import kiebitz as kb
        >>> state = kb.game("doppelkopf").new(seed=7)
        >>> state.apply(state.parse("healthy"))
        >>> DoppelkopfFacts().refusal(state, 25)
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
        if state.phase == "call":
            return f"seat {state.player} may call {state.name(state.legal()[0])} or pass"
        if state.phase == "reservation":
            return "a wedding needs both ♣Q" if action == FIRST_RESERVATION + 1 else "expected a reservation or healthy"
        if not 0 <= action < FIRST_RESERVATION:
            return f"seat {state.player} has to play a card"
        return f"seat {state.player} {_refused(Situation.of(state.view(state.player)), card_code(action))}"

    def place(self, view: View) -> dict[str, Any]:
        """The number of the trick, and what is decided."""
        return place_of(view)

    # --- Hands --------------------------------------------------------------------------------------------------------

    def holdings(self, game: Game) -> list[str]:
        """The cards of the pack."""
        return [code for code in _CODES.values() if game.params["nines"] or code[1] != "9"]

    def hands(self, state: State) -> Hands:
        """The cards of each seat."""
        return [str(state.view(seat).fields()["hand"]).split() for seat in range(SEATS)]

    def beliefs(self, view: View, seed: int) -> Beliefs:
        """Exact: the rules know who could not follow and who declared what."""
        known: dict[str, list[float]] = view.beliefs()["cards"]
        return Beliefs({_CODES[name]: list(chances) for name, chances in known.items()}, True, "rules")


def place_of(view: View) -> dict[str, Any]:
    """Where in the game a decision stands.

    >>> import kiebitz as kb
    >>> place_of(kb.game("doppelkopf").new(seed=1).view(1))
    {'trick': 1, 'decision': 'reservation'}
    """
    now = Situation.of(view)
    return {"trick": len(now.tricks) + (now.current is None), "decision": view.phase}


def shown_reservations(scene: Scene) -> list[str]:
    """What each seat said, as the others know it: ``-`` for nothing yet, ``hidden`` for something.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> state.apply(state.parse("wedding"))
    >>> shown_reservations(Scene(state))
    ['-', '-', '-', 'hidden']
    """
    by_others = [scene.view(seat).fields()["reservations"] for seat in (0, 1)]
    return [by_others[1 if seat == 0 else 0][seat] for seat in range(SEATS)]


def _call(text: str) -> Public:
    at, seat, name = text.split(":")
    return {"seat": int(seat), "call": name, "at": int(at)}


def _sizes(told: Fields) -> list[int]:
    """Cards in each hand: everybody can count them."""
    played = [0] * SEATS
    for cards, leader in zip(told["tricks"], told["leaders"], strict=True):
        for i in range(len(cards.split())):
            played[(leader + i) % SEATS] += 1
    return [int(told["size"]) - count for count in played]


def _parties(seen: Fields, told: Fields) -> list[str]:
    """The party of each seat as everybody knows it, without anybody's hand; empty where it is open.

    Contract, calls and club queens on the table tell it; so does a trump that was not followed. Both Re seats known
    leave Kontra for the others, three of Kontra leave Re for the last.
    """
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


def able_seats(scene: Scene) -> tuple[int, ...]:
    """The seats that could have something to say before the next card, as far as everybody knows.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> able_seats(Scene(state))  # reservations come first
    ()
    >>> for _ in range(4):
    ...     state.apply(state.parse("healthy"))
    >>> able_seats(Scene(state))
    (0, 1, 2, 3)
    """
    seen, told = scene.view(0).fields(), scene.outline(0)
    assert told is not None, "every view has an outline"
    if told["contract"] is None or told["turn"] is None:
        return ()
    if told["contract"] == "wedding" and told["partner"] is None and not told["alone"]:
        return ()
    level = {RE: 0, KONTRA: 0}
    for call in map(Call.read, seen["calls"]):
        level[call.party] = call.step
    shift = _wedding_shift(told) if told["contract"] == "wedding" else 0
    sizes, parties = scene.public["sizes"], scene.public["parties"]

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


def _refused(situation: Situation, card: str) -> str:
    if not any(card in group for group in situation.hand):
        return f"does not hold {card_name(card)}"
    assert situation.led is not None, "a card that is held can be led"
    return f"has to follow {SUIT_NAMES[situation.led]}"
