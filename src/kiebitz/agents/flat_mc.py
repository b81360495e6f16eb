"""flat_mc: flat Monte Carlo. Plays out every action equally often at random and takes the best mean."""

from __future__ import annotations

from kiebitz._core import State
from kiebitz.agents.base import register
from kiebitz.agents.search import SearchAgent
from kiebitz.analysis import AnalysisLike
from kiebitz.options import arguments, search_options
from kiebitz.search import Uct


@search_options("uct", "iterations", "seconds", "streams", "threads", budget={"iterations": 1000})
class FlatOptions:
    """Options of ``flat_mc``."""


@register("flat_mc")
class FlatMonteCarlo(SearchAgent):
    """Tries every action in turn with random playouts and plays the one with the best mean."""

    Options = FlatOptions
    offered = 60

    def search(self, state: State, seed: int) -> AnalysisLike:
        """The same number of playouts for every action."""
        search = Uct(self.game, select="round_robin", tree_depth=1, final="value", seed=seed, **arguments(self.options))
        return search.search(state, self.stop)
