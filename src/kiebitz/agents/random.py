"""random: the yardstick every other agent is measured against."""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import View
from kiebitz.agents.base import Agent, register
from kiebitz.agents.options import option


@dataclass(frozen=True)
class RandomOptions:
    """Options of ``random``."""

    calls: bool = option(True, "make calls (Doppelkopf); false: decline them all, as the thesis' random player does")


@register("random")
class RandomAgent(Agent):
    """Plays every legal action with the same probability.

    >>> import kiebitz as kb
    >>> kb.agent("random(calls=false)", kb.game("doppelkopf")).spec
    'random(calls=false)'
    """

    Options = RandomOptions
    options: RandomOptions

    def move(self, view: View) -> int:
        """A uniform choice: the seed of the view is a hash of 63 bits, so its remainder is as good as a draw."""
        legal = view.legal()
        if not self.options.calls:
            calls = self.game.info.calls
            legal = [action for action in legal if action not in calls]
        return legal[self.seed_for(view) % len(legal)]
