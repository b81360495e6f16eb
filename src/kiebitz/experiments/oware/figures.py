"""The columns of the Oware study's tables: games won, lost and drawn, and moves in won games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kiebitz._core import Game
from kiebitz.arena import Result
from kiebitz.arena.effort import iterations_of
from kiebitz.experiments.oware import thesis
from kiebitz.experiments.report import Column
from kiebitz.experiments.run import Comparison
from kiebitz.spec import parse
from kiebitz.stats import Estimate, population, share_difference, thesis_interval, wilson
from kiebitz.store.rows import Row

WON = Column("won", "won", "share")
LOST = Column("lost", "lost", "share")
DRAWN = Column("drawn", "drawn", "share")
GAP = Column("gap", "won, minus thesis", "share")
MARGIN = Column("margin", "payoff", "points")
MOVES = Column("moves", "own moves in wins", "number")
DEVIATION = Column("deviation", "their deviation", "number")
WON_FIRST = Column("won_first", "won moving first", "share")
WON_SECOND = Column("won_second", "won moving second", "share")


def figures(result: Result, *, first_only: bool = False) -> dict[str, Estimate]:
    """Every column for agent 0; with ``first_only``, only from games in which it moved first."""
    rows = [(row, row.seating.index(0)) for row in result.rows]
    if first_only:
        rows = [(row, seat) for row, seat in rows if seat == 0]
    moves = [row.metrics["own_moves"][seat] for row, seat in rows if row.payoffs[seat] > 0]
    mean, deviation = population(moves)
    return {
        **shares(rows),
        "margin": result.payoff(0),
        "moves": thesis_interval(mean, deviation, len(moves)),
        "deviation": Estimate(deviation, None, None),
        "won_first": shares([(row, seat) for row, seat in rows if seat == 0])["won"],
        "won_second": shares([(row, seat) for row, seat in rows if seat == 1])["won"],
    }


def shares(rows: Sequence[tuple[Row, int]]) -> dict[str, Estimate]:
    """Games won, lost and drawn; each row comes with the seat whose result counts."""
    payoffs = [row.payoffs[seat] for row, seat in rows]
    return {
        "won": wilson(sum(value > 0 for value in payoffs), len(payoffs)),
        "lost": wilson(sum(value < 0 for value in payoffs), len(payoffs)),
        "drawn": wilson(sum(value == 0 for value in payoffs), len(payoffs)),
    }


def published(won: int, lost: int, drawn: int, moves: thesis.Moves | None = None) -> dict[str, float]:
    """A cell of the thesis' tables.

    >>> published(91, 8, 1)
    {'won': 0.91, 'lost': 0.08, 'drawn': 0.01}
    """
    out = {"won": won / 100, "lost": lost / 100, "drawn": drawn / 100}
    return out if moves is None else out | {"moves": moves.mean, "deviation": moves.deviation}


def gap(ours: Estimate, won: int) -> Estimate:
    """The share won here minus the thesis', with an interval for the noise of both.

    >>> gap(wilson(370, 400), 91).value
    0.015
    """
    difference = share_difference(ours, wilson(won, thesis.GAMES))
    return Estimate(round(difference.value, 9), difference.low, difference.high)


def guarded(comparisons: Mapping[str, Result]) -> str:
    """A sentence on how many games the guard against endless play ended (OW-9)."""
    rows = [row for result in comparisons.values() for row in result.rows]
    count = sum(row.metrics["ended"] == "guard" for row in rows)
    return f"The guard against endless play ended {count:,} of {len(rows):,} games."


# --- What it costs ----------------------------------------------------------------------------------------------------

OWN_MOVES = 20
"""Moves of one player in a game."""
GAME_SECONDS = 0.003
"""Cost of a game without any search."""
CYCLES_PER_SECOND = 700_000
NODES_PER_SECOND = 30_000_000
BRANCHING = 2.9
"""Factor by which alpha-beta's nodes grow with each ply."""


@dataclass(frozen=True)
class OwareComparison(Comparison):
    """A comparison with this game's cost model."""

    def seconds(self, game: Game) -> float:
        """Estimated cost in seconds of one core; every deal is played in both seatings."""
        return 2 * self.deals * (GAME_SECONDS + sum(OWN_MOVES * move_seconds(spec) for spec in self.specs))


def move_seconds(spec: str) -> float:
    """Cost of an agent's move by a simple model, in seconds.

    >>> move_seconds("uct(iterations=700)"), move_seconds("random")
    (0.001, 0.0)
    """
    options = dict(parse(spec).kwargs)
    if "depth" in options:
        return BRANCHING ** int(str(options["depth"])) / NODES_PER_SECOND
    return (iterations_of(spec) or 0) / CYCLES_PER_SECOND
