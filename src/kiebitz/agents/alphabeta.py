"""alphabeta: iterative deepening with alpha-beta pruning (Knuth and Moore 1975) and everything that makes it quick."""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import Game, State
from kiebitz.agents.analysis import AnalysisLike
from kiebitz.agents.base import register
from kiebitz.agents.search import SearchAgent, with_budget
from kiebitz.errors import BudgetError
from kiebitz.options import budget, option
from kiebitz.search import AlphaBeta

DEFAULT_NODES = 1_000_000


@dataclass(frozen=True)
class AlphaBetaOptions:
    """Options of ``alphabeta``."""

    depth: int | None = option(None, "plies to look ahead", low=1, high=1000, error=BudgetError)
    nodes: int | None = budget("positions per move; 1,000,000 where no budget is given")
    seconds: float | None = budget("time per move (then the move depends on the machine)", seconds=True)
    evaluation: str = option("", "name of the game's evaluation; nothing: its first; zero: constant 0")
    terminals: str = option("payoff", "worth of a finished game in the search", choices=("payoff", "evaluation"))
    cut: str = option(
        "equal", "prune where alpha > beta (strict) or also where equal", choices=("none", "strict", "equal")
    )
    order: str = option(
        "full",
        "order of moves: by number, by the game's guess, or with hash move, killers and history on top",
        choices=("index", "game", "full"),
    )
    deepen: bool = option(True, "iterative deepening")
    narrow: bool = option(True, "null windows behind the first move (principal variation search)")
    table_mb: int = option(16, "transposition table in megabytes; 0: none", low=0, high=65_536)


@register("alphabeta")
class AlphaBetaAgent(SearchAgent):
    """Looks as deep as its budget allows, leaving out what cannot matter."""

    opposed = True
    Options = AlphaBetaOptions
    options: AlphaBetaOptions

    def __init__(self, game: Game, options: AlphaBetaOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        # Made once: the table takes longer to make than a short move may take. A search forgets what came before it.
        self._search = AlphaBeta(game, **with_budget(options, nodes=DEFAULT_NODES))

    def search(self, state: State, seed: int) -> AnalysisLike:
        """Iterative deepening from the state."""
        return self._search.search(state, self.stop)
