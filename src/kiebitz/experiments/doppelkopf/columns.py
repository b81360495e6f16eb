"""The columns of the Doppelkopf tables, and how they are computed from a result.

When both parties miss what they called, nobody wins by the rules, yet one of them scores points. The thesis does not
say how it counts such games, but its figures fit "won" as points above 0: with 10 iterations, where nearly all parties
call too much, 55 % of its called games are won. That is about the share that gains points here, and many times the
share that wins by the rules. So the columns compared with its figures count points above 0, and wins by the rules have
columns of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from kiebitz.arena import Result
from kiebitz.experiments.report import Column
from kiebitz.stats import Estimate, wilson

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


def figures(result: Result, agent: int) -> dict[str, Estimate]:
    """Every column, for one agent."""
    plies, branching = result.plies()[0], result.branching()[0]
    two = len(result.specs) == 2
    return {
        "calls": result.share("called", agent),
        "calls_won": result.share("gained", agent, given="called"),
        "calls_won_by_rule": result.share("won", agent, given="called"),
        "denials": result.share("denied", agent),
        "solos": result.share("solo", agent),
        "solos_won": result.share("gained", agent, given="solo"),
        "solos_won_by_rule": result.share("won", agent, given="solo"),
        "points": result.payoff(agent),
        "deviation": Estimate(result.deviation(agent), None, None),
        "both": result.share("both"),
        "plies": plies,
        "branching": branching,
        "difference": result.difference(agent, 1 - agent) if two else Estimate(float("nan"), None, None),
    }


def shares(result: Result, what: str, names: Sequence[str]) -> dict[str, Estimate]:
    """How often a metric of the whole game had each of the values."""
    counts = result.histogram(what)
    return {name: wilson(counts.get(name, 0), len(result.rows)) for name in names}
