"""What a seat can infer about hidden hands: probabilities by card and seat, and a few sampled worlds."""

from __future__ import annotations

from typing import Any

from kiebitz._core import View
from kiebitz.games import declaration_of

SHOWN = 5
"""Number of sampled worlds."""


def beliefs(view: View, seed: int = 0) -> dict[str, Any]:
    """For each card (or face of a die) the probability that each seat holds it, and up to five sampled worlds.

    >>> import kiebitz as kb
    >>> found = beliefs(kb.game("kuhn").deal(["Q", "J"], start=0).view(0))
    >>> found["cards"], found["exact"], found["given"]
    ({'J': [0.0, 0.5], 'Q': [1.0, 0.0], 'K': [0.0, 0.5]}, True, 'deal')
    """
    facts = declaration_of(view.game).facts
    cards = facts.beliefs(view)
    drawn = (facts.hands(state) for state in view.worlds(SHOWN, seed))
    different = list({repr(hands): hands for hands in drawn}.values())
    return {"cards": cards, "exact": True, "given": facts.given, "worlds": [{"hands": hands} for hands in different]}
