"""The row of poker hands: seven-card hands, against an independent evaluator in C."""

from __future__ import annotations

from itertools import starmap

import numpy as np

from bench.measure import Row, Settings, Work, versus
from kiebitz import _core

HANDS = 200_000


def poker(settings: Settings) -> list[Row]:
    """Ranks random seven-card hands. The peer needs one call from Python per hand, ours one call for all of them."""
    from phevaluator._pheval import evaluate_7cards

    rng = np.random.default_rng(1)
    hands = np.argsort(rng.random((HANDS, 52)), axis=1)[:, :7].astype(np.uint8)
    rows = hands.tolist()

    def ours() -> float:
        _core.evaluate_hands(hands)
        return HANDS

    def theirs() -> float:
        for _ in starmap(evaluate_7cards, rows):
            pass
        return HANDS

    work: tuple[Work, Work] = (ours, theirs)
    return [
        versus(
            settings,
            *work,
            name="poker-hands",
            work="ranks of random seven-card hands, checks included, from Python",
            peer="phevaluator (C), one call per hand",
            unit="hands/s",
            target=5,
        )
    ]
