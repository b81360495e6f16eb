"""Tables 5.3 and 5.4: MCTS against random and against alpha-beta, by cycles."""

from __future__ import annotations

from kiebitz.experiments.oware import thesis
from kiebitz.experiments.oware.agents import MODES, RANDOM, Mode, alphabeta, mcts
from kiebitz.experiments.oware.figures import (
    DEVIATION,
    DRAWN,
    GAP,
    LOST,
    MARGIN,
    MOVES,
    WON,
    WON_FIRST,
    WON_SECOND,
    OwareComparison,
    figures,
    gap,
    guarded,
    published,
)
from kiebitz.experiments.report import Bar, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Conclusion, Evidence

SIZES: dict[str, tuple[int, tuple[int, ...], tuple[int, ...]]] = {
    "quick": (5, (200, 600), (2, 4)),
    "laptop": (200, thesis.CYCLES, thesis.AGAINST),
    "thesis": (50, thesis.CYCLES, thesis.AGAINST),
}
"""Deals (two games each, seats alternating), cycles and depths."""
CLOSE = 0.10
"""A cell of table 5.3 is reproduced if its win rate differs by no more than this (OW-24)."""
ENOUGH = 22
"""How many of the 28 cells have to be reproduced."""


def random_key(cycles: int) -> str:
    """The name of a comparison with random.

    >>> random_key(200)
    'MCTS(200) against random'
    """
    return f"MCTS({cycles}) against random"


def key_of(cycles: int, depth: int, mode: Mode) -> str:
    """The name of a comparison with alpha-beta.

    >>> key_of(200, 8, "strong")
    'MCTS(200) against alpha-beta(8), strong'
    """
    return f"MCTS({cycles}) against alpha-beta({depth}), {mode}"


def comparisons(preset: str) -> list[Comparison]:
    """Every number of cycles against random and against every depth in both modes."""
    deals, cycles, depths = SIZES[preset]
    against_random = [OwareComparison(random_key(n), (mcts(n), RANDOM), deals, "two_against_two") for n in cycles]
    return [
        *against_random,
        *(
            OwareComparison(key_of(n, depth, mode), (mcts(n), alphabeta(depth, mode)), deals, "two_against_two")
            for mode in MODES
            for n in cycles
            for depth in depths
        ),
    ]


def conclude(evidence: Evidence) -> Conclusion:
    """The tables, and whether OW-22 to OW-25 and OW-57 are met."""
    random_lines = [_random_line(evidence, cycles) for cycles in thesis.CYCLES]
    tables = [
        ReportTable(
            "MCTS against random (tables 5.3 and 5.4)",
            "cycles",
            (WON, LOST, DRAWN, MOVES, DEVIATION, WON_FIRST, WON_SECOND),
            random_lines,
            "moves",
        )
    ]
    findings = []
    for line in random_lines:
        if line.ours is None:
            continue
        most = thesis.MCTS_MOVES[int(line.name)].high
        claim = f"OW-22: MCTS({line.name}) wins at least 99 % against random"
        findings.append(Finding.of(claim, WON, "reach", 0.99, line.ours["won"]))
        claim = f"OW-23: MCTS({line.name}) needs at most {most} moves"
        findings.append(Finding.of(claim, MOVES, "most", most, line.ours["moves"]))
    for mode in MODES:
        lines = [_line(evidence, cycles, depth, mode) for cycles in thesis.CYCLES for depth in thesis.AGAINST]
        columns = (WON, LOST, DRAWN, GAP, MARGIN, WON_FIRST, WON_SECOND)
        tables.append(
            ReportTable(f"MCTS against alpha-beta, {mode} mode (table 5.3)", "cycles, depth", columns, lines, "won")
        )
        findings += _findings(lines, mode)
    notes = [
        "Seats alternate. A win rate agrees with the thesis if 0 lies in the interval of the difference, which has the "
        "noise of both samples; a payoff above 0 means that MCTS is the stronger player, below 0 alpha-beta.",
        guarded(evidence.results),
    ]
    return Conclusion(tables, findings, notes)


def _random_line(evidence: Evidence, cycles: int) -> ReportLine:
    result = evidence.results.get(random_key(cycles))
    row = published(*thesis.MCTS_RANDOM, thesis.MCTS_MOVES[cycles])
    if result is None:
        return ReportLine(str(cycles), None, row)
    bars = [Bar("won", "reach", 0.99), Bar("moves", "most", thesis.MCTS_MOVES[cycles].high)]
    return ReportLine(str(cycles), figures(result), row, bars, len(result.rows))


def _line(evidence: Evidence, cycles: int, depth: int, mode: Mode) -> ReportLine:
    result = evidence.results.get(key_of(cycles, depth, mode))
    cell = thesis.MCTS_ALPHABETA[cycles][depth]
    if result is None:
        return ReportLine(f"{cycles}, {depth}", None, published(*cell))
    ours = figures(result)
    ours["gap"] = gap(ours["won"], cell[0])
    bars = [Bar("gap", "near", 0.0), Bar("margin", "above", 0.0)]
    return ReportLine(f"{cycles}, {depth}", ours, published(*cell), bars, len(result.rows))


def _findings(lines: list[ReportLine], mode: Mode) -> list[Finding]:
    played = {line.name: (line.ours, line.published) for line in lines if line.ours is not None}
    if not played:
        return []
    near = sum(abs(ours["won"].value - row["won"]) <= CLOSE for ours, row in played.values())
    ahead = sum(ours["won"].value > 0.5 for ours, _ in played.values())
    stronger = [name for name, (ours, _) in played.items() if (ours["margin"].low or 0) > 0]
    weaker = [name for name, (ours, _) in played.items() if (ours["margin"].high or 0) < 0]
    whole = len(played) == len(lines)
    sides = f"MCTS is shown to be stronger in {len(stronger)} cells, alpha-beta in {len(weaker)}"
    if weaker:
        sides += f" ({'; '.join(weaker)})"
    claim = f"OW-25: in every cell one of the two is shown to be stronger ({mode} mode)"
    out = [Finding(claim, len(stronger) + len(weaker) == len(played), sides)]
    if mode == "thesis":
        out += [
            Finding(
                f"OW-24: at least {ENOUGH} of {len(lines)} cells within 10 points of the thesis",
                near >= ENOUGH if whole else None,
                f"{near} of {len(played)}",
            ),
            Finding(
                "OW-24: MCTS wins more than half of the games in all cells", ahead == len(played), f"{ahead} cells"
            ),
        ]
    else:
        out.append(
            Finding(
                "The thesis' result, MCTS superior in all cells, holds for strong alpha-beta, too",
                len(stronger) == len(lines) if whole else None,
                f"{len(stronger)} of {len(played)} cells; {near} within 10 points of the thesis",
            )
        )
    best = played.get("1000, 8")
    if best is not None:
        claim = f"OW-57: MCTS(1000) is stronger than alpha-beta(8) ({mode} mode)"
        out.append(Finding.of(claim, MARGIN, "above", 0.0, best[0]["margin"]))
    return out
