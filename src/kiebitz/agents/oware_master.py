"""oware_master: Oware by deep alpha-beta, with endings from a table (core/games/oware_endgame.hpp).

While many seeds are in play it searches like ``alphabeta``, and a capture that leads into the table needs no search
below it. With few seeds in play it follows the table: without a rule of repetition the table is exact there. With one
it follows the table when that forces a win, or when the table is exact, and searches otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kiebitz._core import Game, OwareEndgame, State
from kiebitz.agents.alphabeta import DEFAULT_NODES
from kiebitz.agents.analysis import AnalysisLike, PlainAnalysis
from kiebitz.agents.base import register
from kiebitz.agents.options import budget, option
from kiebitz.agents.search import SearchAgent
from kiebitz.games.oware_table import MOST_SEEDS, SEEDS, endgame
from kiebitz.search import AlphaBeta

GUARD_DISTANCE = 100
"""With fewer plies left before the guard ends the game only searching is right."""


@dataclass(frozen=True)
class OwareMasterOptions:
    """Options of ``oware_master``."""

    nodes: int | None = budget("positions per move; 1,000,000 where no budget is given")
    seconds: float | None = budget("time per move (then the move depends on the machine)", seconds=True)
    seeds: int = option(SEEDS, "seeds in play up to which the table is asked; 0: no table", low=0, high=MOST_SEEDS)
    table_mb: int = option(64, "transposition table in megabytes", low=1, high=65_536)


@register("oware_master")
class OwareMaster(SearchAgent):
    """Plays Oware well, and endings with few seeds perfectly.

    >>> import kiebitz as kb
    >>> game = kb.game("oware")
    >>> state = game.load({"pits": [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 2], "captured": [16, 16], "player": 0})
    >>> kb.agent("oware_master(seeds=4)", game).analyse(state.view(0)).value
    1.0
    """

    Options = OwareMasterOptions
    options: OwareMasterOptions

    @classmethod
    def unsuitable(cls, game: Game, cheating: bool = False) -> str | None:
        """It knows one game."""
        return None if game.name == "oware" else f"oware_master plays only oware, not {game.name}"

    def __init__(self, game: Game, options: OwareMasterOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        self.table: OwareEndgame | None = endgame(game, options.seeds) if options.seeds else None
        unlimited = options.nodes is None and options.seconds is None
        self._search = AlphaBeta(
            game,
            nodes=DEFAULT_NODES if unlimited else options.nodes,
            seconds=options.seconds,
            order="full",
            deepen=True,
            narrow=True,
            table_mb=options.table_mb,
            known=self.table,
        )

    def search(self, state: State, seed: int) -> AnalysisLike:
        """What the table says, where that settles it, else a search."""
        return self._by_table(state) or self._search.search(state, self.stop)

    def _by_table(self, state: State) -> AnalysisLike | None:
        """The table's move where that is known to be best, or to win."""
        found = None if self.table is None else self.table.find(state)
        if found is None:
            return None
        low, high, move = found
        position, rules = state.position(), self.game.params
        captured = position["captured"]
        lead = captured[state.player] - captured[1 - state.player]
        by_seeds = rules["payoff"] == "seeds"
        near_guard = position["plies"] + GUARD_DISTANCE > rules["max_plies"]
        # With seeds as payoffs a majority may end the game before the last seeds are shared out.
        cut_short = by_seeds and 2 * (max(captured) + sum(position["pits"])) > 12 * rules["seeds"]
        wins = not by_seeds and lead + low > 0
        if near_guard or cut_short or not (low == high or wins):
            return None
        value = lead + low if by_seeds else (lead + low > 0) - (lead + low < 0)
        return replace(PlainAnalysis.of_move("endgame table", state.view(state.player), move), value=float(value))
