"""What is known at a table of Doppelkopf, and to whom.

The rules ask a seat for a call only if it has something to say, and that depends on its party. So who is asked, and
whether anybody is, would give parties away: calls are a secret round before every card for which some seat *could* have
something to say, judging by what is public.
"""

from __future__ import annotations

from typing import Any

from kiebitz._core import State, View
from kiebitz.games.declaration.facts import Facts, Hands
from kiebitz.games.doppelkopf.situation import CODES, SEATS
from kiebitz.games.scene import Scene


class DoppelkopfFacts(Facts):
    """Cards by their codes."""

    def round_fields(self, scene: Scene, seat: int, asked: View | None) -> dict[str, Any]:
        """A seat whose card is next waits."""
        waits = asked is None and scene.turn == seat
        return {**super().round_fields(scene, seat, asked), **({"phase": "wait"} if waits else {})}

    def code(self, view: View, action: int) -> str:
        """The code of a card, the name of anything else."""
        return CODES.get(view.name(action), view.name(action))

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
        return {CODES[name]: chances for name, chances in super().beliefs(view).items()}


FACTS = DoppelkopfFacts(
    drawn=True, prompts=("reservation", "poverty", "exchange", "genscher"), secret_phase="call", given="rules"
)
