"""ismcts: information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), single observer.

One tree for all worlds: every iteration draws a world and walks the part of the tree that it allows, so the player
never decides differently in states that look the same to it.
"""

from __future__ import annotations

from kiebitz._core import Game
from kiebitz.agents.base import register
from kiebitz.agents.guided import cache_option, default_policy_option, guides, prior_option, value_option
from kiebitz.agents.search import ViewSearchAgent
from kiebitz.beliefs import EXACT
from kiebitz.options import arguments, search_options
from kiebitz.search import Ismcts, Uct


@search_options("ismcts", budget={"iterations": 10_000}, belief=EXACT)
class IsmctsOptions:
    """Options of ``ismcts``."""

    prior: str = prior_option()
    value: str = value_option()
    default_policy: str = default_policy_option()
    cache_mb: int | None = cache_option()


@register("ismcts")
class IsmctsAgent(ViewSearchAgent):
    """Tree search over what the player knows: all sampled worlds share one tree."""

    Options = IsmctsOptions
    options: IsmctsOptions
    offered = 85

    def __init__(self, game: Game, options: IsmctsOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        self._guides = guides(options, game)
        self._try_search()

    def view_search(self, seed: int) -> Ismcts:
        """One tree for all worlds of a view."""
        return Ismcts(self.game, seed=seed, **{**arguments(self.options), **self._guides})

    def open_search(self, seed: int) -> Uct:
        """Where nothing is hidden there is one world and every action is always available: that is uct."""
        given = arguments(self.options)
        del given["availability"], given["belief"]
        return Uct(self.game, seed=seed, **{**given, **self._guides})
