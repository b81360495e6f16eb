"""What is known at a table of Doppelkopf, and to whom.

The rules ask a seat for a call only if it has something to say, and that depends on its party. So who is asked, and
whether anybody is, would give parties away: calls are a secret round before every card for which some seat *could* have
something to say, judging by what is public.
"""

from __future__ import annotations

from typing import Any

from kiebitz._core import CHANCE, TERMINAL, State, View
from kiebitz.games.declaration.facts import Facts, Hands
from kiebitz.games.doppelkopf.situation import FIRST_RESERVATION, SEATS, Situation, card_code, card_name
from kiebitz.games.scene import Scene

SUIT_NAMES = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds", "trump": "trump"}
_CODES = {card_name(card_code(action)): card_code(action) for action in range(FIRST_RESERVATION)}


class DoppelkopfFacts(Facts):
    """Cards by their codes, and which rule an illegal action would break."""

    def round_fields(self, scene: Scene, seat: int, asked: View | None) -> dict[str, Any]:
        """A seat whose card is next waits."""
        waits = asked is None and scene.turn == seat
        return {**super().round_fields(scene, seat, asked), **({"phase": "wait"} if waits else {})}

    def code(self, view: View, action: int) -> str:
        """The code of a card, the name of anything else."""
        return _CODES.get(view.name(action), view.name(action))

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
        """The trick, from 1, and whether a reservation, a call or a card is decided.

        >>> import kiebitz as kb
        >>> DoppelkopfFacts().place(kb.game("doppelkopf").new(seed=1).view(1))
        {'trick': 1, 'decision': 'reservation'}
        """
        return {"trick": sum(view.public()["tricks_taken"]) + 1, "decision": view.phase}

    def hands(self, state: State) -> Hands:
        """The cards of each seat."""
        return [state.view(seat).fields()["hand"].split() for seat in range(SEATS)]

    def beliefs(self, view: View) -> dict[str, list[float]]:
        """By the codes of cards."""
        return {_CODES[name]: chances for name, chances in super().beliefs(view).items()}


FACTS = DoppelkopfFacts(drawn=True, prompts=("reservation",), secret_phase="call", given="rules")


def _refused(situation: Situation, card: str) -> str:
    if not any(card in group for group in situation.hand):
        return f"does not hold {card_name(card)}"
    assert situation.led is not None, "a card that is held can be led"
    return f"has to follow {SUIT_NAMES[situation.led]}"
