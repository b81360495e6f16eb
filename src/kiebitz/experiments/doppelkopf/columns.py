"""The columns of the Doppelkopf tables, and what a comparison says in each.

Where both parties miss what they called, nobody wins by the rules, yet one of them has points. The thesis does not say
how it counts such games; its figures fit "won" as points above 0: with 10 iterations, where nearly all parties call too
much, it has 55 % of the called games won, which is about what gains points here and many times what wins by the rules.
So the columns beside its figures count points above 0, and wins by the rules have columns of their own.
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
