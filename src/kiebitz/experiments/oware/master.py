"""Beyond the thesis: our best player against strong alpha-beta to depth 8, random openings, seats alternating."""

from __future__ import annotations

from kiebitz.experiments.oware.agents import master
from kiebitz.experiments.oware.figures import DRAWN, LOST, MOVES, WON, WON_FIRST, WON_SECOND, figures
from kiebitz.experiments.report import Bar, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Conclusion, Evidence

SIZES = {"quick": (10, 0.02), "laptop": (100, 1.0), "thesis": (400, 1.0)}
"""Games for each set of rules, and seconds per move."""
OPENING = 6
"""Random plies at the start."""
GOAL = 0.9
OPPONENT = "alphabeta(depth=8)"
"""Strong mode with all speed-ups; unlike the study's, it values finished games by their result."""
MOVES_A_GAME = {"thesis": 17, "abapa": 28}


def seconds(preset: str) -> float:
    """Estimated cost in seconds of one core.

    >>> round(seconds("laptop"))
    4500
    """
    games, each = SIZES[preset]
    return sum(MOVES_A_GAME.values()) * games * each


def comparisons(preset: str) -> list[Comparison]:
    """A match for each set of rules."""
    games, each = SIZES[preset]
    specs = (master(each), OPPONENT)
    return [Comparison(rules, specs, -(-games // 2), "match", opening=OPENING, rules=rules) for rules in MOVES_A_GAME]


def conclude(evidence: Evidence) -> Conclusion:
    """The share of games won; a draw is not a win."""
    lines, findings = [], []
    for rules, result in evidence.results.items():
        ours, player = figures(result), result.specs[0]
        lines.append(ReportLine(rules, ours, bars=[Bar("won", "least", GOAL)], games=len(result.rows)))
        claim = f"{player} wins at least {WON.show(GOAL)} against {OPPONENT}, rules of {rules}"
        findings.append(Finding.of(claim, WON, "least", GOAL, ours["won"]))
    columns = (WON, LOST, DRAWN, MOVES, WON_FIRST, WON_SECOND)
    table = ReportTable("Our best player against alpha-beta(8), strong mode", "rules", columns, lines, "won")
    note = f"Every opening has {OPENING} random plies and is played twice, seats swapped. A draw is not a win."
    return Conclusion([table], findings, [note])
