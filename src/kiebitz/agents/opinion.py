"""What a net thinks of a position without looking ahead, to be shown beside what a search found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kiebitz._core import View
from kiebitz.analysis import AnalysisLike
from kiebitz.nets import SHIPPED, named, shipped


@dataclass(frozen=True)
class Opinion:
    """Of the position for the player to move, and of each action."""

    value: float | None
    """In payoffs; None: the net has no value."""
    policy: Mapping[int, float]
    """The probability of each action; empty: the net has no policy."""


def opinion_of(view: View, analysis: AnalysisLike) -> Opinion | None:
    """The opinion of the net that guided an analysis, or of the one that comes with the game; None: there is none.

    >>> import kiebitz as kb
    >>> game = kb.game("tic_tac_toe")
    >>> view = game.new().view(0)
    >>> opinion_of(view, kb.agent("uct(iterations=10)", game).analyse(view)) is None
    True
    """
    policy = {entry.action: entry.prior for entry in analysis.actions if entry.prior is not None}
    if policy or analysis.prior_value is not None:
        return Opinion(analysis.prior_value, policy)
    if view.player != view.observer or shipped(view.game) is None:
        return None
    net = named(SHIPPED, view.game)
    value = net.values(view)[view.observer] if net.has("value") else None
    return Opinion(value, net.probabilities(view) if net.has("policy") else {})
