"""uct: Monte Carlo tree search with UCB1 (Kocsis and Szepesvári 2006, Bandit based Monte-Carlo planning)."""

from __future__ import annotations

from kiebitz._core import State
from kiebitz.agents.base import register
from kiebitz.agents.search import SearchAgent
from kiebitz.analysis import AnalysisLike
from kiebitz.options import arguments, search_options
from kiebitz.search import Uct


@search_options("uct", budget={"iterations": 1000})
class UctOptions:
    """Options of ``uct``."""

    reuse: bool


@register("uct")
class UctAgent(SearchAgent):
    """Monte Carlo tree search: simulates games, ever more of them along the promising lines."""

    Options = UctOptions
    options: UctOptions
    offered = 80

    _kept: Uct | None = None
    """The search object, where trees are reused."""

    def search(self, state: State, seed: int) -> AnalysisLike:
        """A tree search from the state."""
        search = self._kept or Uct(self.game, seed=seed, **arguments(self.options))
        if self.options.reuse:
            self._kept = search
        return search.search(state, self.stop)
