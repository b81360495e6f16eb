"""What a review may say about a card: how often it brings the trick home."""

from __future__ import annotations

from kiebitz._core import View
from kiebitz.games.doppelkopf.situation import SEATS

WORLDS = 60
"""Worlds on which a trick is played out."""
TELLING = 10.0
"""Per cent by which the trick must be won more often, or less, to be worth saying."""


def trick_share(view: View, action: int, worlds: int = WORLDS, seed: int = 0) -> float:
    """In what share of sampled worlds a card brings the trick to the player's side, if the others then play by rules of
    thumb.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> while state.phase != "card":
    ...     state.apply(state.parse("healthy" if state.phase == "reservation" else "pass"))
    >>> view = state.view(state.player)
    >>> trick_share(view, view.parse("♥A")) > trick_share(view, view.parse("♦9"))
    True
    """
    trick, taken = sum(view.public()["tricks_taken"]), 0
    for state in view.worlds(worlds, seed):
        sides = [state.view(seat).outline()["parties"][seat] for seat in range(SEATS)]
        state.apply(action)
        while sum((seen := state.view(view.observer).public())["tricks_taken"]) == trick:
            state.apply(state.view(state.player).rule_of_thumb())
        taker = seen["last"]["taker"]
        taken += taker == view.observer or (sides[taker] != "" and sides[taker] == sides[view.observer])
    return taken / worlds
