"""What an exact solver of a game answers: for a position and for each action, who wins with best play, and how soon.

A game that has one declares it (``Players.solver``); it proves values by search, position by position. Known endings of
alpha-beta (``Players.endings``) answer at once and only for some positions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from kiebitz._core import State, StopToken


@dataclass(frozen=True)
class Proven:
    """What an action is worth with best play, for the player to move."""

    action: int
    value: float
    """The payoff."""
    plies: int | None
    """From the position before the action to the end of the game, if the winner hurries and the loser delays; None if
    only the payoff was asked for."""

    @property
    def rank(self) -> tuple[float, float]:
        """The better an action the higher: first the payoff, then a quick win or a late loss. A win that takes nobody
        knows how long comes after the others.

        >>> quick, slow, some = Proven(0, 1.0, 3), Proven(1, 1.0, 9), Proven(2, 1.0, None)
        >>> [proven.action for proven in sorted([slow, some, quick], key=lambda proven: proven.rank)]
        [2, 1, 0]
        """
        if self.value > 0:
            return self.value, -math.inf if self.plies is None else -self.plies
        return self.value, self.plies or 0


class ExactSolver(Protocol):
    """Proves what positions of one game are worth."""

    @property
    def nodes(self) -> int:
        """Positions looked at so far; may be asked while it solves."""

    def prove(
        self,
        state: State,
        *,
        weak: bool = False,
        seconds: float = 0,
        stop: StopToken | None = None,
        progress: Callable[[Proven], None] | None = None,
    ) -> list[Proven]:
        """What the actions of a position are worth, one by one as they are proven; fewer if it was stopped or if
        so many seconds (0: no limit) were too few. `weak`: payoffs without plies, which is faster. `progress` is told
        each."""
