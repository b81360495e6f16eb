"""random: the yardstick every other agent is measured against."""

from __future__ import annotations

from kiebitz._core import View
from kiebitz.agents.base import Agent, register


@register("random")
class RandomAgent(Agent):
    """Plays every legal action with the same probability."""

    def move(self, view: View) -> int:
        """A uniform choice: the seed of the view is a hash of 63 bits, so its remainder is as good as a draw."""
        legal = view.legal()
        return legal[self.seed_for(view) % len(legal)]
