"""uct: Monte Carlo tree search with UCB1 (Kocsis and Szepesvári 2006, Bandit based Monte-Carlo planning), or guided by
nets (docs/search.md)."""

from __future__ import annotations

from typing import Any

from kiebitz._core import Game, State
from kiebitz.agents.base import register
from kiebitz.agents.guided import cache_option, default_policy_option, guides, prior_option, value_option
from kiebitz.agents.search import SearchAgent
from kiebitz.analysis import AnalysisLike
from kiebitz.options import arguments, search_options
from kiebitz.search import Uct


@search_options("uct", budget={"iterations": 1000})
class UctOptions:
    """Options of ``uct``."""

    reuse: bool
    prior: str = prior_option()
    value: str = value_option()
    default_policy: str = default_policy_option()
    cache_mb: int | None = cache_option()


@register("uct")
class UctAgent(SearchAgent):
    """Monte Carlo tree search: simulates games, ever more of them along the promising lines."""

    Options = UctOptions
    options: UctOptions
    offered = 80

    _kept: Uct | None = None
    """The search object, where trees are reused."""

    def __init__(self, game: Game, options: UctOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        self._guides = guides(options, game)
        if self._guides:
            self._made(0)  # lets the core check the options, before the game begins

    def _made(self, seed: int) -> Uct:
        given: dict[str, Any] = {**arguments(self.options), **self._guides, "seed": seed}
        return Uct(self.game, **given)

    def search(self, state: State, seed: int) -> AnalysisLike:
        """A tree search from the state."""
        search = self._kept or self._made(seed)
        if self.options.reuse:
            self._kept = search
        return search.search(state, self.stop)
