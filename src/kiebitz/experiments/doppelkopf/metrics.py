"""What a finished game of Doppelkopf says about style: who called, who played a solo, who won, which contract.

Where both parties miss what they called, nobody wins by the rules, yet one of them has points. The thesis does not say
how it counts such games; its figures fit "won" as points above 0: with 10 iterations, where nearly all parties call too
much, it has 55 % of the called games won, which is about what gains points here and many times what wins by the rules.
So the columns beside its figures count points above 0, and wins by the rules have columns of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kiebitz._core import State
from kiebitz.arena import Result
from kiebitz.experiments.report import Column
from kiebitz.games import game
from kiebitz.stats import Estimate, wilson

CALLS = game("doppelkopf").info.calls
"""The actions re-kontra, no90, no60, no30 and black."""
DENIALS = CALLS[1:]
SOLOS = (
    "solo-trumpless",
    "solo-jacks",
    "solo-queens",
    "solo-clubs",
    "solo-spades",
    "solo-hearts",
    "solo-diamonds",
)
CONTRACTS = ("normal", "wedding", "silent-solo", *SOLOS)
STEPS = ("none", "re-kontra", "no90", "no60", "no30", "black")

POINTS = Column("points", "points", "points")
DIFFERENCE = Column("difference", "difference", "points")
DEVIATION = Column("deviation", "their deviation", "number")
CALL_RATE = Column("calls", "games with a call", "share")
CALLS_WON = Column("calls_won", "called games won", "share")
DENIAL_RATE = Column("denials", "games with a denial", "share")
CALLS_WON_BY_RULE = Column("calls_won_by_rule", "by the rules", "share")
SOLO_RATE = Column("solos", "games with a solo", "share")
SOLOS_WON = Column("solos_won", "solos won", "share")
SOLOS_WON_BY_RULE = Column("solos_won_by_rule", "by the rules", "share")
BOTH_CALLED = Column("both", "games both parties called", "share")
PLIES = Column("plies", "plies", "number")
BRANCHING = Column("branching", "legal actions per ply", "number")

STYLE = (CALL_RATE, CALLS_WON, SOLO_RATE, SOLOS_WON)
"""The columns of the thesis' tables before the points."""
STYLE_BY_RULE = (CALL_RATE, CALLS_WON, CALLS_WON_BY_RULE, SOLO_RATE, SOLOS_WON, SOLOS_WON_BY_RULE)


def metrics(state: State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """The metrics of one game: for each seat whether it called, denied, played a solo, gained points and won; for the
    game its contract and the strongest call of each party."""
    result = state.result()
    return {**of_result(result), **of_moves(moves)}


def of_result(result: dict[str, Any]) -> dict[str, Any]:
    """What the result says.

    >>> found = of_result({"type": "solo-jacks", "silent_solo": False, "re": [2], "kontra": [0, 1, 3],
    ...                    "winner": "re", "points": [-4, -4, 12, -4], "lowest_re": "no90", "lowest_kontra": None})
    >>> found["contract"], found["solo"], found["won"], found["both"]
    ('solo-jacks', [False, False, True, False], [False, False, True, False], False)
    """
    winners = result.get(result["winner"], ())
    solo = result["type"] in SOLOS
    highest = {party: result[f"lowest_{party}"] or "none" for party in ("re", "kontra")}
    return {
        "contract": "silent-solo" if result["silent_solo"] else result["type"],
        "solo": [solo and seat in result["re"] for seat in range(4)],
        "gained": [points > 0 for points in result["points"]],
        "won": [seat in winners for seat in range(4)],
        "high_re": highest["re"],
        "high_kontra": highest["kontra"],
        "re_called": highest["re"] != "none",
        "kontra_called": highest["kontra"] != "none",
        "both": "none" not in highest.values(),
    }


def of_moves(moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """What the moves say.

    >>> of_moves([(0, 24), (1, 33), (1, 34), (2, 38), (3, 33)])["called"]
    [False, True, False, True]
    """
    called = {seat for seat, action in moves if action in CALLS}
    denied = {seat for seat, action in moves if action in DENIALS}
    return {"called": [seat in called for seat in range(4)], "denied": [seat in denied for seat in range(4)]}


def figures(comparison: Result, agent: int) -> dict[str, Estimate]:
    """Every column for one agent of a comparison."""
    plies, branching = comparison.plies()[0], comparison.branching()[0]
    two = len(comparison.specs) == 2
    return {
        "calls": comparison.share("called", agent),
        "calls_won": comparison.share("gained", agent, given="called"),
        "calls_won_by_rule": comparison.share("won", agent, given="called"),
        "denials": comparison.share("denied", agent),
        "solos": comparison.share("solo", agent),
        "solos_won": comparison.share("gained", agent, given="solo"),
        "solos_won_by_rule": comparison.share("won", agent, given="solo"),
        "points": comparison.payoff(agent),
        "deviation": Estimate(comparison.deviation(agent), None, None),
        "both": comparison.share("both"),
        "plies": plies,
        "branching": branching,
        "difference": comparison.difference(agent, 1 - agent) if two else Estimate(float("nan"), None, None),
    }


def shares(comparison: Result, what: str, names: Sequence[str]) -> dict[str, Estimate]:
    """How often a metric of the whole game had each of the values."""
    counts = comparison.histogram(what)
    return {name: wilson(counts.get(name, 0), len(comparison.rows)) for name in names}
