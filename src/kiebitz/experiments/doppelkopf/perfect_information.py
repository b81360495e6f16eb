"""Experiments with MCTS that sees all cards: the constant C, play against random, more iterations against fewer, and
style."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from kiebitz.arena import Result
from kiebitz.experiments.doppelkopf import thesis
from kiebitz.experiments.doppelkopf.agents import RANDOM, perfect
from kiebitz.experiments.doppelkopf.columns import (
    BOTH_CALLED,
    BRANCHING,
    DENIAL_RATE,
    DEVIATION,
    DIFFERENCE,
    PLIES,
    POINTS,
    STYLE,
    STYLE_BY_RULE,
    figures,
    shares,
)
from kiebitz.experiments.report import Bar, Column, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Conclusion, Evidence
from kiebitz.games.doppelkopf.metrics import CONTRACTS, SOLOS, STEPS
from kiebitz.stats import Estimate, share_difference

LADDER = tuple(thesis.C_BY_ITERATIONS)
"""The thesis' numbers of iterations."""

GAIN = Column("gain", "gain", "share")
WON = "Called games and solos count as won if they gained points, which is how the thesis appears to count them."


def name_of(iterations: int) -> str:
    """The name of a setting in the tables."""
    return f"I = {iterations:,}"


# --- The constant C ---------------------------------------------------------------------------------------------------

C_PASSES = {"first pass": thesis.C_FIRST, "second pass": thesis.C_SECOND}
C_PASS_SIZES = {"quick": (100, 4), "laptop": (2_000, 24), "thesis": (100_000, 750)}
"""Iterations and deals; every deal is played by all 31 constellations."""
C_SIZES: dict[str, dict[int, int]] = {
    "quick": {10: 100, 100: 100},
    "laptop": {10: 1_000, 20: 1_000, 100: 1_000, 1_000: 600, 10_000: 120},
    "thesis": dict.fromkeys(LADDER, 2_000),
}
"""Deals by iterations; every deal is played by all three constellations."""


def c_comparisons(preset: str) -> list[Comparison]:
    """Both passes with four values of C, then three values at each number of iterations."""
    iterations, deals = C_PASS_SIZES[preset]
    out = [
        Comparison(name, tuple(perfect(iterations, c) for c in values), deals, "constellations")
        for name, values in C_PASSES.items()
    ]
    for number, count in C_SIZES[preset].items():
        specs = tuple(perfect(number, c) for c in thesis.C_BY_ITERATIONS[number])
        out.append(Comparison(name_of(number), specs, count, "constellations"))
    return out


def c_conclude(evidence: Evidence) -> Conclusion:
    """The thesis' three tables, and whether a larger C makes calls better without changing points."""
    played, iterations = evidence.results, C_PASS_SIZES[evidence.preset][0]
    columns = (*STYLE, POINTS, DEVIATION)
    tables = [
        ReportTable(
            f"C, {name}", "C", columns, _lines(played.get(name), [(f"C = {c}", values[c]) for c in values]), "points"
        )
        for name, values in C_PASSES.items()
    ]
    lines: list[ReportLine] = []
    for number, values in thesis.C_BY_ITERATIONS.items():
        rows = [(f"{name_of(number)}, C = {c}", values[c]) for c in values]
        lines += _lines(played.get(name_of(number)), rows, near=("calls_won", "points"))
    tables.append(ReportTable("C by iterations", "setting", (*STYLE, POINTS), lines, "calls_won"))
    findings = []
    largest = [number for number in LADDER if name_of(number) in played]
    for number in largest[-2:]:
        result = played[name_of(number)]
        gain = share_difference(*(result.share("gained", agent, given="called") for agent in (2, 0)))
        claim = f"DK-37: at {name_of(number)} more of the called games are won with C = 5 than with C = 2.5"
        findings.append(Finding.of(claim, GAIN, "above", 0.0, gain))
        spread = max((result.difference(a, b) for a, b in ((2, 0), (1, 0), (2, 1))), key=lambda e: abs(e.value))
        claim = f"DK-37: at {name_of(number)} the points of the three values of C differ by at most 0.3"
        findings.append(Finding.of(claim, POINTS, "most", 0.3, _absolute(spread)))
    note = f"The thesis' passes have 100,000 iterations; ours have {iterations:,}."
    return Conclusion(tables, findings, [WON, *([] if iterations == 100_000 else [note])])


def _lines(
    result: Result | None, rows: list[tuple[str, thesis.Figures]], near: tuple[str, ...] = ("points",)
) -> list[ReportLine]:
    """A line for each agent, compared with the published figures."""
    return [
        ReportLine(
            name,
            None if result is None else figures(result, agent),
            published,
            [Bar(column, "near", published[column]) for column in near],
            0 if result is None else len(result.rows),
        )
        for agent, (name, published) in enumerate(rows)
    ]


def _absolute(estimate: Estimate) -> Estimate:
    if estimate.value >= 0 or estimate.low is None or estimate.high is None:
        return Estimate(abs(estimate.value), estimate.low, estimate.high)
    return Estimate(-estimate.value, -estimate.high, -estimate.low)


# --- Against random players -------------------------------------------------------------------------------------------

RANDOM_SIZES: dict[str, dict[int, int]] = {
    "quick": {10: 200, 100: 200, 1_000: 60},
    "laptop": {10: 2_000, 20: 2_000, 100: 2_000, 200: 2_000, 1_000: 2_000, 10_000: 300},
    "thesis": dict.fromkeys(thesis.AGAINST_RANDOM, 2_000),
}
"""Deals by iterations; every deal is played at a 3-1, a 2-2 and a 1-3 table."""


def random_comparisons(preset: str) -> list[Comparison]:
    """MCTS against random players, in the thesis' format."""
    return [
        Comparison(name_of(number), (perfect(number), RANDOM), deals, "constellations")
        for number, deals in RANDOM_SIZES[preset].items()
    ]


def random_conclude(evidence: Evidence) -> Conclusion:
    """The thesis' table; points and the share of called games won must reach its figures."""
    lines = []
    for number, published in thesis.AGAINST_RANDOM.items():
        result = evidence.results.get(name_of(number))
        bars = [Bar(column, "reach", published[column]) for column in ("points", "calls_won")]
        ours = None if result is None else figures(result, 0)
        lines.append(ReportLine(name_of(number), ours, published, bars, 0 if result is None else len(result.rows)))
    table = ReportTable(
        "MCTS with perfect information, C = 2.5", "iterations", (*STYLE, POINTS, DEVIATION), lines, "points"
    )
    findings = [
        Finding.of(
            f"DK-35: {line.name} gains at least {POINTS.show(line.published['points'])} points",
            POINTS,
            "reach",
            line.published["points"],
            line.ours["points"],
        )
        for line in lines
        if line.ours is not None and line.name in {name_of(number) for number in (100, 1_000, 10_000, 100_000)}
    ]
    return Conclusion([table], findings, [WON])


# --- Iterations against fewer iterations ------------------------------------------------------------------------------

LADDER_SIZES: dict[str, dict[int, int]] = {
    "quick": {10: 50, 20: 50, 100: 50},
    "laptop": {10: 500, 20: 500, 100: 500, 1_000: 300, 10_000: 120},
    "thesis": dict.fromkeys(LADDER, 1_000),
}
"""Deals by the larger number of iterations; every deal is played in all six seatings."""


def _steps() -> list[tuple[int | None, int]]:
    return [(None, LADDER[0]), *pairwise(LADDER)]


def _step_name(fewer: int | None, more: int) -> str:
    return f"{more:,} against {'random' if fewer is None else f'{fewer:,}'}"


def ladder_comparisons(preset: str) -> list[Comparison]:
    """Each number of iterations against the next smaller one, the smallest against random players."""
    return [
        Comparison(_step_name(fewer, more), (perfect(more), RANDOM if fewer is None else perfect(fewer)), deals)
        for fewer, more in _steps()
        if (deals := LADDER_SIZES[preset].get(more))
    ]


def ladder_conclude(evidence: Evidence) -> Conclusion:
    """The gain of each step; every step must help."""
    lines, findings = [], []
    for fewer, more in _steps():
        name = _step_name(fewer, more)
        result = evidence.results.get(name)
        ours = None if result is None else figures(result, 0)
        games = 0 if result is None else len(result.rows)
        lines.append(ReportLine(name, ours, bars=[Bar("difference", "above", 0.0)], games=games))
        if ours is not None:
            claim = f"DK-36: {name} iterations is better"
            findings.append(Finding.of(claim, DIFFERENCE, "above", 0.0, ours["difference"]))
    note = (
        "The thesis shows this as a plot whose values are lost; it says that every increase helps and that gains get "
        "small at the top. Two seats have more iterations and two have fewer, in all six seatings of every deal."
    )
    return Conclusion([ReportTable("Steps", "iterations", (DIFFERENCE, *STYLE), lines, "difference", note)], findings)


# --- Style in self-play -----------------------------------------------------------------------------------------------

STYLE_SIZES: dict[str, dict[int, int]] = {
    "quick": {10: 300, 100: 300, 1_000: 50},
    "laptop": {10: 3_000, 100: 3_000, 1_000: 2_000, 10_000: 300},
    "thesis": dict.fromkeys(LADDER, 3_000),
}
"""Games by iterations."""


def style_comparisons(preset: str) -> list[Comparison]:
    """Four copies of a player that sees all cards."""
    return [Comparison(name_of(i), (perfect(i),), deals, "self_play") for i, deals in STYLE_SIZES[preset].items()]


def style_conclude(evidence: Evidence) -> Conclusion:
    """Rates, contracts and strongest calls by iterations, and the thesis' statements about its plots."""
    tables = style_tables(evidence.results)
    findings: list[Finding] = []
    largest = [number for number in LADDER if name_of(number) in evidence.results]
    if largest:
        findings = _style_findings(name_of(largest[-1]), evidence.results[name_of(largest[-1])])
    return Conclusion(tables, findings, ["The thesis shows these as plots whose values are lost."])


def style_tables(played: Mapping[str, Result]) -> list[ReportTable]:
    """Self-play: style, contracts, and the strongest call of each party."""
    columns = (*STYLE_BY_RULE, DENIAL_RATE, BOTH_CALLED, PLIES, BRANCHING)
    out = [
        ReportTable(
            "Style",
            "player",
            columns,
            [ReportLine(n, figures(c, 0), games=len(c.rows)) for n, c in played.items()],
            "both",
        )
    ]
    for title, what, names in (
        ("Contracts", "contract", CONTRACTS),
        ("Strongest call of Re", "high_re", STEPS),
        ("Strongest call of Kontra", "high_kontra", STEPS),
    ):
        lines = [ReportLine(name, shares(c, what, names), games=len(c.rows)) for name, c in played.items()]
        out.append(ReportTable(title, "player", [Column(name, name, "share") for name in names], lines, names[0]))
    return out


def _style_findings(name: str, result: Result) -> list[Finding]:
    plies, branching = result.plies()[0], result.branching()[0]
    re, kontra = result.share("re_called"), result.share("kontra_called")
    solos = {name: count for name, count in result.histogram("contract").items() if name in SOLOS}
    ordered = ", ".join(f"{kind} {count}" for kind, count in solos.items())
    silent = result.histogram("contract").get("silent-solo", 0)
    return [
        Finding(
            f"DK-16: about {thesis.PLIES:.0f} plies a game (within 5)",
            abs(plies.value - thesis.PLIES) <= 5,
            f"{PLIES.show_interval(plies)} at {name}, the thesis at 100,000 iterations",
        ),
        Finding(
            f"DK-16: about {thesis.BRANCHING} legal actions per ply (within 0.15)",
            abs(branching.value - thesis.BRANCHING) <= 0.15,
            f"{BRANCHING.show_interval(branching)} at {name}",
        ),
        Finding.of(f"Re calls more than Kontra ({name})", GAIN, "above", 0.0, share_difference(re, kontra)),
        Finding(
            f"The trumpless solo is the most common kind of solo ({name})",
            next(iter(solos)) == "solo-trumpless" if solos else None,
            ordered or "no solos",
        ),
        Finding(
            f"Silent solos are almost never played ({name})",
            silent <= 0.01 * len(result.rows),
            f"{silent} of {len(result.rows):,} games",
        ),
    ]
