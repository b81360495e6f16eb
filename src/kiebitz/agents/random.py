"""random: the yardstick every other agent is measured against."""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import View
from kiebitz.agents.base import Agent, register
from kiebitz.options import option


@dataclass(frozen=True)
class RandomOptions:
    """Options of ``random``."""

    calls: bool = option(True, "make announcements, in games that have them; false: decline them all")


@register("random")
class RandomAgent(Agent):
    """Plays every legal action with the same probability.

    >>> import kiebitz as kb
    >>> kb.agent("random(calls=false)", kb.game("doppelkopf")).spec
    'random(calls=false)'
    """

    Options = RandomOptions
    options: RandomOptions
    offered = 10
    searches = False

    def move(self, view: View) -> int:
        """A uniform choice, drawn as the batches of the core do: the remainder of 64 random bits is uniform enough."""
        choices = self._choices(view)
        return choices[view.draw(self.seed) % len(choices)]

    def distribution(self, view: View) -> dict[int, float]:
        """The probability of each action that it chooses from.

        >>> import kiebitz as kb
        >>> game = kb.game("rock_paper_scissors", rounds=1)
        >>> kb.agent("random", game).distribution(game.new().view(0))[0] == 1 / 3
        True
        """
        choices = self._choices(view)
        return dict.fromkeys(choices, 1 / len(choices))

    def _choices(self, view: View) -> list[int]:
        if self.options.calls:
            return view.legal()
        calls = self.game.info.calls
        return [action for action in view.legal() if action not in calls]
