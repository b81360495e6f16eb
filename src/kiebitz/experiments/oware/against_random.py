"""Tables 5.1 and 5.2: alpha-beta against random by depth, alpha-beta moving first."""

from __future__ import annotations

from kiebitz.experiments.oware import thesis
from kiebitz.experiments.oware.agents import MODES, RANDOM, Mode, alphabeta
from kiebitz.experiments.oware.figures import (
    DEVIATION,
    DRAWN,
    GAP,
    LOST,
    MOVES,
    WON,
    WON_SECOND,
    OwareComparison,
    figures,
    gap,
    guarded,
    published,
    shares,
)
from kiebitz.experiments.report import Bar, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Conclusion, Evidence

SIZES = {"quick": (20, 4), "laptop": (1_000, 8), "thesis": (100, 8)}
"""Deals and largest depth. A deal is two games; the one where alpha-beta moves first is the thesis' setting."""


def key_of(mode: Mode, depth: int) -> str:
    """The name of a comparison.

    >>> key_of("strong", 3)
    'strong, depth 3'
    """
    return f"{mode}, depth {depth}"


def comparisons(preset: str) -> list[Comparison]:
    """Every depth in both modes."""
    deals, deepest = SIZES[preset]
    return [
        OwareComparison(key_of(mode, depth), (alphabeta(depth, mode), RANDOM), deals, "two_against_two")
        for mode in MODES
        for depth in range(1, deepest + 1)
    ]


def conclude(evidence: Evidence) -> Conclusion:
    """Both tables for each mode; strong mode has to meet OW-18 and OW-19."""
    tables, findings = [], []
    for mode in MODES:
        lines = [_line(evidence, mode, depth) for depth in thesis.DEPTHS]
        tables.append(
            ReportTable(
                f"Alpha-beta against random, alpha-beta first, {mode} mode (tables 5.1 and 5.2)",
                "depth",
                (WON, LOST, DRAWN, GAP, MOVES, DEVIATION, WON_SECOND),
                lines,
                "won",
            )
        )
        if mode == "strong":
            for depth, line in zip(thesis.DEPTHS, lines, strict=True):
                if line.ours is None:
                    continue
                goal, most = thesis.ALPHABETA_GOAL[depth], thesis.ALPHABETA_MOVES[depth].high
                claim = f"OW-18: depth {depth} wins at least {WON.show(goal)}"
                findings.append(Finding.of(claim, WON, "reach", goal, line.ours["won"]))
                claim = f"OW-19: depth {depth} needs at most {most} moves"
                findings.append(Finding.of(claim, MOVES, "most", most, line.ours["moves"]))
    notes = [
        "All columns but the last are about games in which alpha-beta moved first, as in the thesis. A win rate agrees "
        "with the thesis if 0 lies in the interval of the difference, which has the noise of both samples (the thesis "
        "played 100 games per cell). Intervals of moves follow the thesis: mean ± 1.96 · deviation / √(wins − 1).",
        "Depth 2: the thesis' 100 wins in table 5.1 do not fit the interval in its table 5.2, which implies about 91.",
        guarded(evidence.results),
    ]
    return Conclusion(tables, findings, notes)


def _line(evidence: Evidence, mode: Mode, depth: int) -> ReportLine:
    result = evidence.results.get(key_of(mode, depth))
    cell = thesis.ALPHABETA_RANDOM[depth]
    row = published(*cell, thesis.ALPHABETA_MOVES[depth])
    if result is None:
        return ReportLine(str(depth), None, row)
    ours = figures(result, first_only=True)
    ours["gap"] = gap(ours["won"], cell[0])
    ours["won_second"] = shares([(r, 1) for r in result.rows if r.seating[1] == 0])["won"]
    bars = [Bar("gap", "near", 0.0), Bar("moves", "most", thesis.ALPHABETA_MOVES[depth].high)]
    return ReportLine(str(depth), ours, row, bars, sum(r.seating[0] == 0 for r in result.rows))
