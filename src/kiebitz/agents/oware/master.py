"""oware_master: Oware by deep alpha-beta, with endings from a table of the core.

While many seeds are in play it searches like ``alphabeta``, and a capture that leads into the table needs no search
below it. With few seeds in play it follows the table, which is exact unless a repetition ends the game. If it does, the
table has bounds that hold only if no position since the last capture comes up again, so the agent proves what the
position is worth given its past. If half of its budget is too little for a proof, it follows the table if that is exact
or wins without a past, and otherwise searches with the other half. Its analysis says where the move comes from
(``endgame proof``, ``endgame table``, ``alphabeta``) and whether its value is certain.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property

from kiebitz._core import Game, OwareEndgame, OwareProver, State
from kiebitz.agents.alphabeta import DEFAULT_NODES
from kiebitz.agents.base import register
from kiebitz.agents.search import SearchAgent
from kiebitz.analysis import AnalysisLike, Bound, PlainAnalysis, Status
from kiebitz.games.oware.endgame import MOST_SEEDS, SEEDS, endgame
from kiebitz.options import option, search_option, search_options
from kiebitz.search import AlphaBeta

GUARD_DISTANCE = 100
"""With fewer plies left before the guard ends the game, only a search is right."""
PROOF_DISTANCE = 400
"""The same for proofs, which ignore the guard: play without repetition can take longer."""
PROOF_NODES = 4_000_000
"""Positions that a proof may examine if no budget is given."""


@search_options("alphabeta", "nodes", "seconds", "seeds", "table_mb")
class OwareMasterOptions:
    """Options of ``oware_master``."""

    nodes: int | None = search_option(
        "alphabeta", "nodes", help="positions per move; 1,000,000 where no budget is given, and 4,000,000 for proofs"
    )
    seconds: float | None
    seeds: int = option(
        SEEDS, "seeds in play up to which the table is asked; 0: no table", low=0, high=MOST_SEEDS, most=SEEDS
    )
    table_mb: int = search_option("alphabeta", "table_mb", default=64, help="transposition table in megabytes", low=1)


@register("oware_master")
class OwareMaster(SearchAgent):
    """Plays Oware well, and settled endings with few seeds perfectly.

    >>> import kiebitz as kb
    >>> game = kb.game("oware")
    >>> state = game.load({"pits": [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 2], "captured": [16, 16], "player": 0})
    >>> kb.agent("oware_master(seeds=4)", game).analyse(state.view(0)).value
    1.0
    """

    Options = OwareMasterOptions
    options: OwareMasterOptions
    offered = 30

    @classmethod
    def unsuitable(cls, game: Game, cheating: bool = False) -> str | None:
        """It plays one game only."""
        return None if game.name == "oware" else f"oware_master plays only oware, not {game.name}"

    def __init__(self, game: Game, options: OwareMasterOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        self.table: OwareEndgame | None = endgame(game, options.seeds) if options.seeds else None
        self._prover = OwareProver(self.table) if self.table is not None and game.params["repetition"] else None
        # With a budget, a proof gets one half of it, and the search after a failed proof the other half.
        unlimited = options.nodes is None and options.seconds is None
        self._half = None if options.nodes is None else max(1, options.nodes // 2)
        self._proof_nodes = PROOF_NODES if unlimited else self._half or 0
        self._search = self._alphabeta(DEFAULT_NODES if unlimited else options.nodes, options.seconds)

    @property
    def megabytes(self) -> float:
        """The tables of its two searches; all agents share one endgame table."""
        return 2 * super().megabytes

    @cached_property
    def _rest(self) -> AlphaBeta:
        """The search after a failed proof, with the other half of the budget."""
        if self._prover is None or (self._half is None and self.options.seconds is None):
            return self._search
        return self._alphabeta(self._half, None if self.options.seconds is None else self.options.seconds / 2)

    def _alphabeta(self, nodes: int | None, seconds: float | None) -> AlphaBeta:
        return AlphaBeta(
            self.game,
            nodes=nodes,
            seconds=seconds,
            order="full",
            deepen=True,
            narrow=True,
            table_mb=self.options.table_mb,
            known=self.table,
        )

    def search(self, state: State, seed: int) -> AnalysisLike:
        """The answer of the table or of a proof if that settles it, else a search."""
        ending = self._ending(state)
        if ending is None:
            return self._search.search(state, self.stop)
        low, high, move = ending
        value = self._payoff(state, low)
        settled = low == high or (value > 0 and self.game.params["payoff"] != "seeds")
        if self._prover is None:
            if settled:
                return _settled("endgame table", state, move, value, status="proven")
            return self._search.search(state, self.stop)
        proof = self._prove(state)
        if proof.low == proof.high:
            best = move if proof.move is None else proof.move
            return _settled("endgame proof", state, best, proof.low, status="proven", nodes=proof.nodes)
        if settled and proof.low < value <= proof.high:
            return _settled("endgame table", state, move, value, nodes=proof.nodes)
        if proof.move is not None:
            return _settled("endgame proof", state, proof.move, proof.low, status="bounded", nodes=proof.nodes)
        if self.stop is not None and self.stop.requested:  # no time is left for a search
            value = min(max(value, proof.low), proof.high)
            return _settled("endgame table", state, move, value, nodes=proof.nodes)
        return self._rest.search(state, self.stop)

    def _payoff(self, state: State, gain: int) -> float:
        """The payoff of the player to move if they gain `gain` seeds more than the other from here on."""
        lead = _lead(state) + gain
        return float(lead if self.game.params["payoff"] == "seeds" else (lead > 0) - (lead < 0))

    def _ending(self, state: State) -> tuple[int, int, int] | None:
        """The entry of the table, unless the end of the game is cut short."""
        found = None if self.table is None else self.table.find(state)
        position, rules = state.position(), self.game.params
        near_guard = position["plies"] + GUARD_DISTANCE > rules["max_plies"]
        # With seeds as payoffs, a majority may end the game before the last seeds are shared out.
        most = max(position["captured"]) + sum(position["pits"])
        cut_short = rules["payoff"] == "seeds" and 2 * most > 12 * rules["seeds"]
        return None if near_guard or cut_short else found

    def _prove(self, state: State) -> _Proof:
        """What the player to move can be sure of if a repetition may end the game, within half of the budget."""
        position, params = state.position(), self.game.params
        lead, seeds = _lead(state), sum(position["pits"])
        goals = [-seeds, *(range(2 - seeds, seeds + 1, 2) if params["payoff"] == "seeds" else (-lead, 1 - lead))]
        end = None if self.options.seconds is None else time.monotonic() + self.options.seconds / 2
        sure, refuted, asked = 1, len(goals), 0  # goals below `sure` are proven, from `refuted` on they are refuted
        move: int | None = None
        while sure < refuted and self._prover and position["plies"] + PROOF_DISTANCE <= params["max_plies"]:
            middle = (sure + refuted) // 2
            nodes = max(1, self._proof_nodes - asked) if self._proof_nodes else 0
            seconds = 0.0 if end is None else max(1e-6, end - time.monotonic())
            answer, found, looked = self._prover.at_least(state, goals[middle], nodes, seconds, self.stop)
            asked += looked
            if answer == 0:
                break
            if answer > 0:
                sure, move = middle + 1, found
            else:
                refuted = middle
        return _Proof(self._payoff(state, goals[sure - 1]), self._payoff(state, goals[refuted - 1]), move, asked)


@dataclass(frozen=True)
class _Proof:
    """The outcome of a proof: the payoff lies between these, and the move secures the lower one."""

    low: float
    high: float
    move: int | None
    nodes: int


def _lead(state: State) -> int:
    """Captured seeds of the player to move minus the other's."""
    captured = state.position()["captured"]
    return int(captured[state.player]) - int(captured[1 - state.player])


def _settled(
    method: str, state: State, move: int, value: float, *, status: Status = "estimated", nodes: int = 0
) -> PlainAnalysis:
    """A move and its value; proven means certain, apart from the guard, and bounded that it is worth at least this."""
    analysis = PlainAnalysis.of_move(method, state.view(state.player), move)
    bound: Bound = "lower" if status == "bounded" else "none"
    actions = [replace(a, value=value, status=status, bound=bound) if a.action == move else a for a in analysis.actions]
    return replace(analysis, value=value, status=status, bound=bound, actions=actions, nodes=nodes)
