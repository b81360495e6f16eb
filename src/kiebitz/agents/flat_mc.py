"""flat_mc: flat Monte Carlo. Plays out every action equally often at random and takes the best mean."""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import State
from kiebitz.agents.analysis import AnalysisLike
from kiebitz.agents.base import register
from kiebitz.agents.search import SearchAgent, with_budget
from kiebitz.options import budget, option
from kiebitz.search import Uct

DEFAULT_ITERATIONS = 1000


@dataclass(frozen=True)
class FlatOptions:
    """Options of ``flat_mc``."""

    iterations: int | None = budget("playouts per move; 1000 where no budget is given")
    seconds: float | None = budget("time per move (then the move depends on the machine)", seconds=True)
    streams: int = option(1, "independent sets of playouts", low=1, high=256)
    threads: int = option(1, "threads that share them; does not change the move", low=1, high=256)


@register("flat_mc")
class FlatMonteCarlo(SearchAgent):
    """Tries every action in turn with random playouts and plays the one with the best mean."""

    Options = FlatOptions
    options: FlatOptions

    def search(self, state: State, seed: int) -> AnalysisLike:
        """The same number of playouts for every action."""
        given = with_budget(self.options, iterations=DEFAULT_ITERATIONS)
        return Uct(self.game, select="round_robin", tree_depth=1, final="value", seed=seed, **given).search(
            state, self.stop
        )
