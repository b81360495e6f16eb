"""uct: Monte Carlo tree search with UCB1 (Kocsis and Szepesvári 2006, Bandit based Monte-Carlo planning)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from kiebitz._core import State
from kiebitz.agents.analysis import AnalysisLike
from kiebitz.agents.base import register
from kiebitz.agents.search import CALLS, SearchAgent, with_budget
from kiebitz.options import budget, option
from kiebitz.search import Uct

DEFAULT_ITERATIONS = 1000


@dataclass(frozen=True)
class UctOptions:
    """Options of ``uct``."""

    iterations: int | None = budget("simulations per move; 1000 where no budget is given")
    nodes: int | None = budget("most nodes in the tree")
    seconds: float | None = budget("time per move (then the move depends on the machine)", seconds=True)
    c: float = option(math.sqrt(2), "exploration constant", low=0, high=1e6)
    formula: str = option(
        "ucb1",
        "c*sqrt(ln N/n), c*sqrt(2 ln N/n), 2c*sqrt(2 ln N/n), or with the observed variance (tuned)",
        choices=("ucb1", "ucb1_sqrt2", "ucb1_2sqrt2", "ucb1_tuned"),
    )
    scale: str = option(
        "unit",
        "payoffs mapped to 0..1 by the game's range, raw, or between worst and best sibling",
        choices=("unit", "raw", "siblings"),
    )
    expand: str = option("one", "new nodes per simulation: one child or all children", choices=("one", "all"))
    final: str = option("visits", "the move played: most visits or best mean", choices=("visits", "value"))
    tree_depth: int = option(0, "actions kept in the tree; 0: no limit", low=0, high=10_000)
    streams: int = option(1, "independent trees whose visits are added up", low=1, high=256)
    threads: int = option(1, "threads that share the trees; does not change the move", low=1, high=64)
    reuse: bool = option(False, "keep the subtree of what was played (then the move depends on the game so far)")
    memory_mb: int = option(1024, "memory limit in megabytes", low=1, high=1_000_000)
    tree_calls: str = option(
        "all", "declarations below the root: all, at the last possible moment, or none", choices=CALLS
    )
    playout_calls: str = option(
        "all", "declarations in playouts, likewise; never more than below the root", choices=CALLS
    )
    class_share: float = option(
        0.0, "smallest share of the visits for risky actions (calls, solos) and for the others", low=0, high=0.5
    )
    margin: float = option(
        0.0, "what a risky action (a call, a solo) has to be worth more than the best other one", low=0, high=1e6
    )
    playout: str = option(
        "random",
        "how a leaf is valued: random actions, the game's evaluation, or its rules of thumb with some noise",
        choices=("random", "evaluation", "thumb"),
    )
    noise: float = option(0.1, "share of random actions in playouts by thumb", low=0, high=1)
    solve_last: int = option(0, "exact values instead of playouts so many actions before the end", low=0, high=32)


def arguments(options: UctOptions) -> dict[str, Any]:
    """The options as the core takes them, with a budget where none was given.

    >>> arguments(UctOptions(nodes=50))["nodes"], arguments(UctOptions())["iterations"]
    (50, 1000)
    """
    return with_budget(options, iterations=DEFAULT_ITERATIONS)


@register("uct")
class UctAgent(SearchAgent):
    """Monte Carlo tree search: simulates games, ever more of them along the promising lines."""

    Options = UctOptions
    options: UctOptions

    _kept: Uct | None = None
    """The search object, where trees are reused."""

    @property
    def pure(self) -> bool:
        """False with a time budget or with reuse of the tree."""
        return super().pure and not self.options.reuse

    def search(self, state: State, seed: int) -> AnalysisLike:
        """A tree search from the state."""
        if not self.options.reuse:
            return Uct(self.game, seed=seed, **arguments(self.options)).search(state, self.stop)
        if self._kept is None:
            self._kept = Uct(self.game, seed=seed, **arguments(self.options))
        return self._kept.search(state, self.stop)
