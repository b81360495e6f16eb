"""ismcts: information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), single observer.

One tree for all worlds: every iteration draws a world and walks the part of the tree that it allows, so the player
never decides differently in states that he cannot tell apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from kiebitz._core import Game
from kiebitz.agents.base import register
from kiebitz.agents.search import CALLS, ViewSearchAgent, with_budget
from kiebitz.beliefs import EXACT
from kiebitz.options import budget, option
from kiebitz.search import Ismcts, Uct

DEFAULT_ITERATIONS = 10_000


@dataclass(frozen=True)
class IsmctsOptions:
    """Options of ``ismcts``."""

    iterations: int | None = budget("simulations per move, a world each; 10000 where no budget is given")
    nodes: int | None = budget("most nodes in the tree")
    seconds: float | None = budget("time per move (then the move depends on the machine)", seconds=True)
    c: float = option(math.sqrt(2), "exploration constant", low=0, high=1e6)
    formula: str = option(
        "ucb1",
        "c*sqrt(ln N/n), c*sqrt(2 ln N/n) or 2c*sqrt(2 ln N/n)",
        choices=("ucb1", "ucb1_sqrt2", "ucb1_2sqrt2"),
    )
    scale: str = option(
        "unit",
        "payoffs mapped to 0..1 by the game's range, raw, or between worst and best sibling",
        choices=("unit", "raw", "siblings"),
    )
    final: str = option("visits", "the move played: most visits or best mean", choices=("visits", "value"))
    availability: bool = option(True, "N counts when an action was available; false: the visits of its parent")
    belief: str = option(EXACT, "how worlds are drawn: one of the game's beliefs")
    streams: int = option(1, "independent trees whose visits are added up", low=1, high=256)
    threads: int = option(1, "threads that share the trees; does not change the move", low=1, high=64)
    memory_mb: int = option(1024, "memory limit in megabytes", low=1, high=1_000_000)
    tree_calls: str = option(
        "all", "declarations below the root: all, at the last possible moment, or none", choices=CALLS
    )
    playout_calls: str = option("all", "declarations in playouts, likewise", choices=CALLS)
    solve_last: int = option(0, "exact values instead of playouts so many actions before the end", low=0, high=32)


@register("ismcts")
class IsmctsAgent(ViewSearchAgent):
    """Tree search over what the player knows: all sampled worlds share one tree."""

    Options = IsmctsOptions
    options: IsmctsOptions

    def __init__(self, game: Game, options: IsmctsOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        self._try_search()

    @property
    def pure(self) -> bool:
        """False with a time budget."""
        return self.options.seconds is None

    def view_search(self, seed: int) -> Ismcts:
        """One tree for all worlds of a view."""
        return Ismcts(self.game, seed=seed, **self._arguments())

    def open_search(self, seed: int) -> Uct:
        """Where nothing is hidden there is one world, and every action of the tree is always available: that is uct."""
        given = self._arguments()
        del given["availability"], given["belief"]
        return Uct(self.game, seed=seed, **given)

    def _arguments(self) -> dict[str, Any]:
        return with_budget(self.options, iterations=DEFAULT_ITERATIONS)
