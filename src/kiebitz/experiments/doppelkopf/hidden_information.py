"""Experiments with players that see only their own cards: strategies against each other, the number of worlds, hidden
against open cards, our best player against the thesis', and the worth of each option."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kiebitz.arena import Result
from kiebitz.experiments.doppelkopf import thesis
from kiebitz.experiments.doppelkopf.agents import RULE_OF_THUMB, best, determinized, perfect
from kiebitz.experiments.doppelkopf.columns import (
    BOTH_CALLED,
    CALLS_WON,
    DENIAL_RATE,
    DIFFERENCE,
    POINTS,
    STYLE,
    figures,
)
from kiebitz.experiments.doppelkopf.perfect_information import GAIN, WON, name_of, style_tables
from kiebitz.experiments.report import Bar, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Conclusion, Evidence
from kiebitz.stats import share_difference


def _line(
    name: str,
    result: Result | None,
    agent: int = 0,
    published: Mapping[str, float] | None = None,
    *bars: Bar,
) -> ReportLine:
    if result is None:
        return ReportLine(name, None, published or {}, bars)
    return ReportLine(name, figures(result, agent), published or {}, bars, len(result.rows))


# --- Strategies against each other ------------------------------------------------------------------------------------

SIX_SIZES = {"quick": (50, 30, 12), "laptop": (500, 300, 12), "thesis": (200_000, 500, 12)}
"""Iterations, deals, and how many of the 120 constellations play each deal."""
SIX_WORLDS = 5


def _six(iterations: int) -> dict[str, str]:
    return {
        "MCTS+CAP average": determinized(iterations, SIX_WORLDS),
        "MCTS+CAP rank": determinized(iterations, SIX_WORLDS, fusion="rank"),
        "MCTS+CAP average, leaky": determinized(iterations, SIX_WORLDS, leak=True),
        "MCTS+CAP rank, leaky": determinized(iterations, SIX_WORLDS, fusion="rank", leak=True),
        "rule of thumb": RULE_OF_THUMB,
        "best": best(iterations, SIX_WORLDS),
    }


def six_way_comparisons(preset: str) -> list[Comparison]:
    """Six strategies at one table, all constellations."""
    iterations, deals, per_deal = SIX_SIZES[preset]
    return [Comparison("all", tuple(_six(iterations).values()), deals, "constellations", per_deal)]


def six_way_conclude(evidence: Evidence) -> Conclusion:
    """The thesis' ranking of the fusions, and the place of our best player."""
    names = list(_six(1))
    result = evidence.results.get("all")
    lines = [
        _line(name, result, agent, thesis.SIX_WAY.get(name.removesuffix(", leaky")) if "leaky" in name else None)
        for agent, name in enumerate(names)
    ]
    findings = []
    if result is not None:
        pairs = [(0, 1), (2, 3), (2, 0), (5, 0), (5, 2), (5, 4)]
        findings = [
            Finding.of(f"{names[a]} beats {names[b]}", DIFFERENCE, "above", 0.0, result.difference(a, b))
            for a, b in pairs
        ]
    iterations = SIX_SIZES[evidence.preset][0]
    notes = [
        f"The thesis has 200,000 iterations and {SIX_WORLDS} worlds; here it is {iterations:,} iterations. Its field "
        "had strategies with trained networks where ours has the fair variants, a player by rules of thumb and our "
        "best, so only the order of the points can be compared. Its program knew the true parties, so its figures are "
        "compared with our leaky variants, which cheat.",
        WON,
    ]
    table = ReportTable("Strategies against each other", "strategy", (*STYLE, POINTS), lines, "points")
    return Conclusion([table], findings, notes)


# --- How many worlds --------------------------------------------------------------------------------------------------

WORLDS_SIZES: dict[str, tuple[int, dict[tuple[int, int], int]]] = {
    "quick": (20, {(5, 10): 30}),
    "laptop": (200, {(5, 10): 300, (10, 15): 120, (15, 25): 80, (25, 50): 40}),
    "thesis": (200_000, dict.fromkeys(thesis.WORLDS_DIRECT, 1_000)),
}
"""Iterations, and deals by the two numbers of worlds; every deal is played in all six seatings."""
JOINT_SIZES = {
    "quick": ((10, 20, 40), 27, 9),
    "laptop": ((50, 100, 200), 96, 9),
    "thesis": ((100_000, 200_000, 500_000), 648, 9),
}
"""Iterations, deals, and how many of the 486 constellations play each deal."""


def worlds_comparisons(preset: str) -> list[Comparison]:
    """More worlds against fewer, then nine settings at one table."""
    iterations, sizes = WORLDS_SIZES[preset]
    out = [
        Comparison(f"{more} against {fewer}", (determinized(iterations, more), determinized(iterations, fewer)), deals)
        for (fewer, more), deals in sizes.items()
    ]
    numbers, deals, per_deal = JOINT_SIZES[preset]
    joint = tuple(determinized(number, worlds) for number in numbers for worlds in (5, 10, 15))
    return [*out, Comparison("joint", joint, deals, "constellations", per_deal)]


def worlds_conclude(evidence: Evidence) -> Conclusion:
    """The advantage of the larger number; two against two, its mean is half of the difference."""
    direct, findings = [], []
    for (fewer, more), gain in thesis.WORLDS_DIRECT.items():
        name = f"{more} against {fewer}"
        line = _line(name, evidence.results.get(name), 0, {"points": gain}, Bar("points", "reach", gain))
        direct.append(line)
        if line.ours is not None:
            claim = f"DK-64: {more} worlds are better than {fewer}"
            findings.append(Finding.of(claim, DIFFERENCE, "above", 0.0, line.ours["difference"]))
    joint = evidence.results.get("joint")
    iterations, (numbers, _, _) = WORLDS_SIZES[evidence.preset][0], JOINT_SIZES[evidence.preset]
    lines = [
        _line(f"{numbers[i // 3]:,} iterations, {worlds} worlds", joint, i, {"points": points})
        for i, ((_, worlds), points) in enumerate(thesis.WORLDS_JOINT.items())
    ]
    notes = [
        "The thesis studies this with a learned belief (MCTS+AR); here the belief is CAP. "
        f"It has 200,000 iterations in the direct comparison, here it is {iterations:,}; and 100,000, 200,000 and "
        f"500,000 in the joint one, here {', '.join(f'{number:,}' for number in numbers)}."
    ]
    tables = [
        ReportTable("More worlds against fewer", "worlds", (POINTS, DIFFERENCE, *STYLE), direct, "points"),
        ReportTable("Iterations and worlds at one table", "setting", (POINTS, *STYLE), lines, "points"),
    ]
    return Conclusion(tables, findings, notes)


# --- Hidden against open cards ----------------------------------------------------------------------------------------

IMPERFECT_SIZES: dict[str, tuple[dict[int, int], tuple[int, int]]] = {
    "quick": ({10: 100, 100: 50}, (100, 10)),
    "laptop": ({10: 600, 100: 600, 1_000: 200}, (1_000, 60)),
    "thesis": (dict.fromkeys(thesis.SELF_PLAY_HIDDEN, 6_000), (200_000, 1_000)),
}
"""Games of self-play by iterations; iterations and deals of the direct comparison."""
IMPERFECT_WORLDS = 25


def imperfect_comparisons(preset: str) -> list[Comparison]:
    """Self-play with hidden and with open cards, then both at one table."""
    sizes, (iterations, deals) = IMPERFECT_SIZES[preset]
    out = []
    for number, games in sizes.items():
        out.append(
            Comparison(f"{name_of(number)}, hidden", (determinized(number, IMPERFECT_WORLDS),), games, "self_play")
        )
        out.append(Comparison(f"{name_of(number)}, open", (perfect(number),), games, "self_play"))
    return [*out, Comparison("open against hidden", (perfect(iterations), determinized(iterations)), deals)]


def imperfect_conclude(evidence: Evidence) -> Conclusion:
    """Solo and call rates compared with the thesis', and what seeing the cards is worth."""
    played = evidence.results
    lines, findings = [], []
    for number, published in thesis.SELF_PLAY_HIDDEN.items():
        hidden, visible = (played.get(f"{name_of(number)}, {kind}") for kind in ("hidden", "open"))
        bars = [Bar("calls_won", "reach", published["calls_won"])]
        lines.append(_line(f"{name_of(number)}, hidden", hidden, 0, published, *bars))
        if visible is not None:
            lines.append(_line(f"{name_of(number)}, open", visible))
        if hidden is None or visible is None:
            continue
        for what, words in (("solo", "solos"), ("denied", "denials")):
            claim = f"DK-66: {name_of(number)}: fewer {words} with hidden cards than with open ones"
            change = share_difference(hidden.share(what), visible.share(what))
            findings.append(Finding.of(claim, GAIN, "below", 0.0, change))
    direct = played.get("open against hidden")
    if direct is not None:
        claim = "A player that sees all cards beats one that does not"
        findings.append(Finding.of(claim, DIFFERENCE, "above", 0.0, direct.difference()))
    notes = [
        "The thesis' figures are those of MCTS with a learned belief (MCTS+AR) and 25 worlds; here the belief is CAP.",
        WON,
    ]
    columns = (*STYLE, DENIAL_RATE, BOTH_CALLED)
    return Conclusion([ReportTable("Self-play", "player", columns, lines, "solos")], findings, notes)


# --- The best player --------------------------------------------------------------------------------------------------

BEST_SIZES: dict[str, dict[str, tuple[int, int]]] = {
    "quick": dict.fromkeys(("thesis", "calls", "solos", "thumb", "style"), (50, 10)),
    "laptop": {
        "thesis": (1_000, 1_000),
        "calls": (300, 300),
        "solos": (300, 600),
        "thumb": (1_000, 200),
        "style": (1_000, 300),
    },
    "thesis": dict.fromkeys(("thesis", "calls", "solos", "thumb"), (1_000, 1_000)) | {"style": (1_000, 6_000)},
}
"""Iterations for each of ten worlds, and deals (six games each; in self-play one)."""


def best_comparisons(preset: str) -> list[Comparison]:
    """Against the thesis' player, against itself without calls and without solos, against rules of thumb, self-play."""
    sizes = BEST_SIZES[preset]

    def two(key: str, name: str, other: str) -> Comparison:
        iterations, deals = sizes[key]
        return Comparison(name, (best(iterations), other), deals)

    style, games = sizes["style"]
    return [
        two("thesis", "against MCTS+CAP average", determinized(sizes["thesis"][0])),
        two("calls", "against itself without calls", best(sizes["calls"][0], calls=False)),
        two("solos", "against itself without solos", best(sizes["solos"][0], solos=False)),
        two("thumb", "against rules of thumb", RULE_OF_THUMB),
        Comparison("best", (best(style),), games, "self_play"),
        Comparison("MCTS+CAP average", (determinized(style),), games, "self_play"),
    ]


def best_conclude(evidence: Evidence) -> Conclusion:
    """The bars for the best player, and its style next to that of the thesis' players."""
    played = evidence.results
    above: dict[str, list[Bar]] = {
        "against MCTS+CAP average": [Bar("difference", "least", 0.5), Bar("difference", "above", 0.2)],
        "against itself without calls": [Bar("difference", "above", 0.0)],
        "against itself without solos": [Bar("difference", "above", 0.0)],
        "against rules of thumb": [Bar("difference", "above", 0.0)],
    }
    lines = [_line(name, played.get(name), 0, None, *bars) for name, bars in above.items()]
    words: dict[str, str] = {"least": "gains at least", "above": "gains certainly more than"}
    findings = [
        Finding.of(
            f"The best player {line.name}: {words[bar.rule]} {bar.value}",
            DIFFERENCE,
            bar.rule,
            bar.value,
            line.ours["difference"],
        )
        for line in lines
        if line.ours is not None
        for bar in line.bars
    ]
    mine, theirs = (played.get(name) for name in ("best", "MCTS+CAP average"))
    if mine is not None and theirs is not None:
        change = share_difference(mine.share("both"), theirs.share("both"))
        claim = "Both parties call in fewer games than with MCTS+CAP average"
        findings.append(Finding.of(claim, GAIN, "below", 0.0, change))
    tables = [ReportTable("Two against two", "best player", (DIFFERENCE, *STYLE), lines, "difference")]
    published = thesis.SELF_PLAY_HIDDEN[1_000_000]
    style = style_tables({name: c for name, c in played.items() if c.plan.format == "self_play"})
    thesis_line = ReportLine("MCTS+AR average, 1,000,000 iterations, 25 worlds", None, published)
    notes = [
        f"Ten worlds; calls are compared at {BEST_SIZES[evidence.preset]['calls'][0]:,} iterations per world, solos at "
        f"{BEST_SIZES[evidence.preset]['solos'][0]:,}, all else at {BEST_SIZES[evidence.preset]['thesis'][0]:,}. A "
        "difference is the mean of the best player minus that of the other, per player and game."
    ]
    return Conclusion([*tables, *_with_line(style, thesis_line)], findings, notes)


def _with_line(tables: list[ReportTable], line: ReportLine) -> list[ReportTable]:
    """The tables, with a published line at the end of the first."""
    first, *others = tables
    return [ReportTable(first.title, first.key, first.columns, [*first.lines, line], first.plotted), *others]


# --- What each option is worth ----------------------------------------------------------------------------------------

OPEN_OPTIONS: dict[str, dict[str, Any]] = {
    "thesis": {},
    "calls in the tree, last moment": {"tree_calls": "last"},
    "least share for risky actions": {"class_share": 0.1},
    "a margin before calls and solos": {"margin": 2.0},
    "payoffs scaled between siblings": {"scale": "siblings"},
    "variance-aware formula": {"formula": "ucb1_tuned"},
}
"""Options of MCTS with open cards, each added to the thesis' player to see what it does to calls in self-play."""

HIDDEN_OPTIONS: dict[str, dict[str, Any]] = {
    "exact belief": {"belief": "exact"},
    "calls at the last moment": {"calls": "last"},
    "care before calls and solos": {"care": 2.0},
    "exact last tricks": {"exact_last": 16},
    "exact values in leaves": {"search": {"solve_last": 8}},
    "playouts by rules of thumb": {"search": {"playout": "thumb"}},
    "values fused": {"fusion": "value"},
    "half of the visits for risky actions": {"search": {"class_share": 0.5}},
    "half of the visits, and care": {"care": 2.0, "search": {"class_share": 0.5}},
    "calls in the tree, last moment": {"search": {"tree_calls": "last"}},
}
"""Options of the thesis' player with hidden cards, each added to it to see what it gains."""

ABLATION_SIZES = {
    "quick": (100, 100, 50, 10),
    "laptop": (1_000, 400, 200, 55),
    "thesis": (100_000, 6_000, 1_000, 1_000),
}
"""With open cards, iterations and games; with hidden cards, iterations per world (of ten) and deals."""


def ablation_comparisons(preset: str) -> list[Comparison]:
    """With the option against without it, two against two; with open cards also self-play."""
    open_iterations, games, iterations, deals = ABLATION_SIZES[preset]
    visible = [
        Comparison(f"open: {name}", (perfect(open_iterations, **options),), games, "self_play")
        for name, options in OPEN_OPTIONS.items()
    ]
    hidden = [
        Comparison(f"hidden: {name}", (determinized(iterations, **options), determinized(iterations)), deals)
        for name, options in HIDDEN_OPTIONS.items()
    ]
    direct = [
        Comparison(f"open, direct: {name}", (perfect(open_iterations, **options), perfect(open_iterations)), deals)
        for name, options in OPEN_OPTIONS.items()
        if options
    ]
    return [*visible, *direct, *hidden]


def ablation_conclude(evidence: Evidence) -> Conclusion:
    """Whether an option improves calls with open cards, and gains points with open and hidden ones."""
    played = evidence.results
    bar = thesis.C_BY_ITERATIONS[1_000_000][2.5]["calls_won"]
    base = played.get("open: thesis")
    visible, findings = [], []
    for name in OPEN_OPTIONS:
        result = played.get(f"open: {name}")
        visible.append(_line(name, result, 0, None, Bar("calls_won", "reach", bar)))
        if result is None or base is None or name == "thesis":
            continue
        change = share_difference(result.share("both"), base.share("both"))
        claim = f"DK-84: {name}: both parties call in fewer games (open cards)"
        findings.append(Finding.of(claim, GAIN, "below", 0.0, change))
        won = result.share("gained", given="called")
        claim = f"DK-84: {name}: more of the called games are won than the thesis' {CALLS_WON.show(bar)} (open cards)"
        findings.append(Finding.of(claim, CALLS_WON, "least", bar, won))
    gains = Bar("difference", "above", 0.0)
    direct = [
        _line(name, played.get(f"open, direct: {name}"), 0, None, gains) for name in OPEN_OPTIONS if name != "thesis"
    ]
    hidden = [_line(name, played.get(f"hidden: {name}"), 0, None, gains) for name in HIDDEN_OPTIONS]
    findings += [
        Finding.of(f"{line.name}: gains points ({cards} cards)", DIFFERENCE, "above", 0.0, line.ours["difference"])
        for cards, lines in (("open", direct), ("hidden", hidden))
        for line in lines
        if line.ours is not None
    ]
    tables = [
        ReportTable("Open cards, self-play", "option", (*STYLE, DENIAL_RATE, BOTH_CALLED), visible, "calls_won"),
        ReportTable(
            "Open cards, with the option against without it", "option", (DIFFERENCE, *STYLE), direct, "difference"
        ),
        ReportTable(
            "Hidden cards, with the option against without it", "option", (DIFFERENCE, *STYLE), hidden, "difference"
        ),
    ]
    return Conclusion(tables, findings, [WON])
