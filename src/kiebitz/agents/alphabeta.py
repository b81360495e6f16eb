"""alphabeta: iterative deepening with alpha-beta pruning (Knuth and Moore 1975) and everything that makes it quick."""

from __future__ import annotations

from kiebitz._core import Game, State
from kiebitz.agents.base import register
from kiebitz.agents.guided import net_with
from kiebitz.agents.search import SearchAgent
from kiebitz.analysis import AnalysisLike
from kiebitz.errors import BudgetError
from kiebitz.nets import SHIPPED
from kiebitz.options import arguments, option, search_option, search_options
from kiebitz.search import AlphaBeta

DEFAULT_NODES = 1_000_000
NET_NODES = 50_000
"""The same where a net judges leaves, which takes longer."""


@search_options("alphabeta", budget={"nodes": DEFAULT_NODES}, order="full", deepen=True, narrow=True, table_mb=16)
class AlphaBetaOptions:
    """Options of ``alphabeta``."""

    nodes: int | None
    seconds: float | None

    depth: int | None = search_option(
        "alphabeta", "depth", default=None, help="plies to look ahead", low=1, high=1000, error=BudgetError
    )
    value: str = option(
        "", f"net whose value leaves get; then {NET_NODES:,} nodes where no budget is given", file=(SHIPPED,)
    )


@register("alphabeta")
class AlphaBetaAgent(SearchAgent):
    """Looks as deep as its budget allows, leaving out what cannot matter."""

    opposed = True
    Options = AlphaBetaOptions
    options: AlphaBetaOptions
    offered = 75

    def __init__(self, game: Game, options: AlphaBetaOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        # Made once: the table takes longer to make than a short move may take. A search forgets what came before it.
        given = arguments(options)
        if options.value:
            given["evaluator"] = net_with("value", options.value, game, "value").net
            if options.depth is options.nodes is options.seconds is None:
                given["nodes"] = NET_NODES
        self._search = AlphaBeta(game, **given)

    def search(self, state: State, seed: int) -> AnalysisLike:
        """Iterative deepening from the state."""
        return self._search.search(state, self.stop)
