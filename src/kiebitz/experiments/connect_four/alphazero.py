"""Wrong moves of the shipped net, which learned from nothing but games against itself (Silver et al. 2018), beside
those published of AlphaZero.jl, whose benchmark has positions of the same kinds."""

from __future__ import annotations

from kiebitz.experiments.connect_four.judge import KINDS, judge, positions
from kiebitz.experiments.report import Bar, Column, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Conclusion, Evidence

MOST: dict[str, int | None] = {"quick": 5, "laptop": None, "thesis": None}
"""Positions of each kind; None: all."""
NET = "net(file=shipped)"
SEARCH = "uct(prior=shipped, iterations=600)"
PLAYERS = (NET, SEARCH, "uct(iterations=600)", "uct(iterations=10_000)", "alphabeta(nodes=1_000_000)")
SECONDS_A_MOVE = 0.02
PUBLISHED = {
    "begin_easy": 0.002,
    "begin_medium": 0.028,
    "begin_hard": 0.07,
    "middle_easy": 0.002,
    "middle_medium": 0.028,
    "end_easy": 0.002,
}
"""At most so many wrong moves of AlphaZero.jl with 600 simulations, after 15 hours on a graphics card."""


def seconds(preset: str) -> float:
    """Estimated cost in seconds of one core.

    >>> seconds("quick") < 10
    True
    """
    most = MOST[preset]
    count = sum(len(rows[:most]) for rows in positions().values())
    return count * len(PLAYERS) * SECONDS_A_MOVE


def comparisons(preset: str) -> list[Comparison]:
    """Nobody meets anybody here."""
    del preset
    return []


def conclude(evidence: Evidence) -> Conclusion:
    """The share of wrong moves by player and kind."""
    columns = tuple(Column(kind, kind.replace("_", ", "), "share") for kind in KINDS)
    most = MOST[evidence.preset]
    lines, findings = [], []
    for number, player in enumerate(PLAYERS):
        evidence.tick(player, number, len(PLAYERS))
        judged = {row.kind: row for row in judge(player, most=most, seed=evidence.seed)}
        bars = [Bar(kind, "most", most_wrong) for kind, most_wrong in PUBLISHED.items()] if player == SEARCH else []
        figures = {kind: row.share for kind, row in judged.items()}
        lines.append(ReportLine(player, figures, bars=bars, games=sum(row.positions for row in judged.values())))
        if player == SEARCH:
            met = [kind for kind, row in judged.items() if row.wrong <= PUBLISHED[kind] * row.positions]
            wrong = ", ".join(
                f"{kind.replace('_', ' ')} {row.wrong} of {row.positions}" for kind, row in judged.items()
            )
            findings.append(
                Finding(f"{player} errs on no kind more often than AlphaZero.jl", len(met) == len(KINDS), wrong)
            )
    evidence.tick("", len(PLAYERS), len(PLAYERS))
    table = ReportTable(
        "Wrong moves",
        "player",
        columns,
        lines,
        "begin_hard",
        "A move is wrong if it gives away a win or a draw. Begin: 8 to 13 stones on the board, middle: 14 to 28, end: "
        "29 and more; easy: best play takes less than 14 plies more, medium: less than 29, hard: more. Positions come "
        "from random play; the outcome of every move is proven.",
        "positions",
    )
    return Conclusion([table], findings)
