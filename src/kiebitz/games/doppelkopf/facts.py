"""What is known of a game of Doppelkopf: where a decision stands, and which rule an illegal action would break."""

from __future__ import annotations

from typing import Any

from kiebitz._core import CHANCE, TERMINAL, State, View
from kiebitz.games.declaration import Facts
from kiebitz.games.doppelkopf.situation import FIRST_RESERVATION, Situation, card_code, card_name

SUIT_NAMES = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds", "trump": "trump"}


class DoppelkopfFacts(Facts):
    """Tricks, reservations and calls."""

    def place(self, view: View) -> dict[str, Any]:
        """The trick, from 1, and whether a reservation, a call or a card is decided.

        >>> import kiebitz as kb
        >>> DoppelkopfFacts().place(kb.game("doppelkopf").new(seed=1).view(1))
        {'trick': 1, 'decision': 'reservation'}
        """
        now = Situation.of(view)
        return {"trick": len(now.tricks) + (now.current is None), "decision": view.phase}

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


def _refused(situation: Situation, card: str) -> str:
    if not any(card in group for group in situation.hand):
        return f"does not hold {card_name(card)}"
    assert situation.led is not None, "a card that is held can be led"
    return f"has to follow {SUIT_NAMES[situation.led]}"
