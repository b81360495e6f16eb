"""random: the yardstick every other agent is measured against."""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import View
from kiebitz.agents.base import Agent, register
from kiebitz.options import option


@dataclass(frozen=True)
class RandomOptions:
    """Options of ``random``."""

    calls: bool = option(True, "make announcements; false: decline them all")


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
        """A uniform choice: a draw has 64 bits, so its remainder is uniform enough. Batches of the core draw alike."""
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
