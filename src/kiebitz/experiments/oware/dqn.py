"""Tables 5.5 to 5.8 and figures 4.4 to 4.6, A.1, A.2: deep Q-learners, stage after stage, and how they play."""

from __future__ import annotations

from dataclasses import replace

from kiebitz.experiments.oware import errata, thesis
from kiebitz.experiments.oware.agents import MODES, RANDOM
from kiebitz.experiments.oware.figures import MOVES, WON, figures, guarded
from kiebitz.experiments.oware.learners import (
    RANDOM_COLUMNS,
    SECONDS,
    SIZES,
    agreement,
    deep_folder,
    deep_name,
    first_stage,
    key_of,
    line,
    masked_choices,
    meetings,
    search_tables,
    seconds_per_move,
    spec_of,
    train_deep,
    varied_table,
)
from kiebitz.experiments.report import Column, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Conclusion, Evidence
from kiebitz.experiments.training import Rows, draw_smoothed, measured, smoothed, train_all
from kiebitz.stats import Estimate

STRONG = [deep_name(depth, "strong") for depth in (2, 4, 6)]
AT_ONCE = "Random-at-once"
"""The first stage with the other reading of the thesis: the target net is a copy of the net after every update."""
PLAYING = [*thesis.NETS, *STRONG]
NAMES = [*PLAYING, "Mcts", AT_ONCE]
"""Every net that is trained; the thesis abandons Mcts, which does not play."""
FINAL = Column("final", "reward at the end, smoothed", "number")
HIGHEST = Column("highest", "highest", "number")
EARLY = Column("early", "after 15,000", "number")
HELD = Column("held", "share above 90 after that", "share")
MINUTES = Column("minutes", "CPU minutes", "number")
WIDTH = 25


def seconds() -> dict[str, float]:
    """The estimated cost by preset, in seconds of one core: nine trainings."""
    return {
        preset: SECONDS["dqn"] * (2 * sizes["fresh"] + 7 * sizes["more"]) + 0.05 * sizes["mcts"] * 28
        for preset, sizes in SIZES.items()
    }


def title(name: str) -> str:
    """A net as the thesis calls it.

    >>> title("Random")
    'DQN-Random'
    """
    return f"DQN-{name}"


def train(evidence: Evidence) -> list[Comparison]:
    """All stages, and the first once more with a target net that follows at once; then whom the nets meet."""
    train_deep(evidence)
    folder, first = deep_folder(evidence), first_stage(evidence)
    other = replace(first, key=AT_ONCE, options={**first.options, "target_every": 1, "keep_every": 0})
    train_all([other], folder, evidence.tick, evidence.workers)
    return [
        comparison
        for name in PLAYING
        for comparison in meetings(title(name), spec_of(folder / name / "net.npz"), evidence.preset)
    ]


def conclude(evidence: Evidence) -> Conclusion:
    """The tables, the curves, and whether OW-32 to OW-38, OW-46 and OW-56 are met."""
    folder = deep_folder(evidence)
    rows = {name: measured(folder / name) for name in NAMES}
    if evidence.folder is not None:
        draw_smoothed(
            {title(name): each for name, each in rows.items()},
            "reward",
            evidence.folder / "curves.png",
            "Oware, deep Q-learning: mean reward of ten games without exploring, and its moving average of 25",
        )
    tables = [random_table(evidence)]
    tables += search_tables(
        evidence,
        [title(name) for name in PLAYING],
        {title(name): cells for name, cells in thesis.DQN_ALPHABETA.items()},
        {title(name): cells for name, cells in thesis.DQN_MCTS.items()},
        ("table 5.6", "table 5.7"),
    )
    findings = [*against_random(tables[0]), agreement(tables, "tables 5.5 to 5.7"), *against_search(evidence)]
    tables += [varied_table(evidence, [title(name) for name in PLAYING]), curve_table(rows)]
    findings += [*learning(rows, evidence.preset), quick_enough(evidence), *beyond(evidence)]
    end, whole = rows[AT_ONCE][-1]["step"] if rows[AT_ONCE] else 0, SIZES[evidence.preset]["fresh"]
    claim = (
        "With a target net that is copied after every update (the default of the thesis' library) learning stays finite"
    )
    holds = None if evidence.preset == "quick" else end == whole
    findings.append(Finding(claim, holds, f"{end:,} of {whole:,} iterations with finite weights"))
    notes = [
        "Every net moves first, as it did while it learned; the last column has the games in which it moved second. "
        "Nets leave empty pits out when they play; `choices masked` counts how often that decided. A cell agrees with "
        "the thesis if 0 lies in the interval of the difference, which has the noise of both samples. Against "
        "alpha-beta both players always do the same, so a cell is one game for each seat.",
        "*Thesis mode* and *strong mode* are those of the [study](../../oware-study.md): what alpha-beta counts. "
        "The nets named `-strong` learned from strong alpha-beta.",
        "![Learning curves](curves.png)",
        guarded(evidence.results),
    ]
    return Conclusion(tables, findings, notes, errata.section())


def random_table(evidence: Evidence) -> ReportTable:
    """Tables 5.5 and 5.8."""
    lines = []
    for name in PLAYING:
        net = deep_folder(evidence) / name / "net.npz"
        masked = masked_choices(net, SIZES[evidence.preset]["random"], evidence.seed)
        cell, moves = thesis.DQN_RANDOM.get(name), thesis.DQN_MOVES.get(name)
        lines.append(
            line(evidence, key_of(title(name), RANDOM), title(name), cell, moves=moves, more={"masked": masked})
        )
    return ReportTable("Against random, the net moving first (tables 5.5 and 5.8)", "net", RANDOM_COLUMNS, lines, "won")


def against_random(table: ReportTable) -> list[Finding]:
    """OW-32, OW-33, OW-37."""
    out = []
    for name, each in zip(PLAYING, table.lines, strict=True):
        if name not in thesis.DQN_RANDOM or each.ours is None:
            continue
        number, goal, most = (
            ("OW-32" if name == "Random" else "OW-33"),
            thesis.DQN_RANDOM[name][0],
            thesis.DQN_MOVES[name],
        )
        claim = f"{number}: {title(name)} wins at least {goal} % against random"
        out.append(Finding.of(claim, WON, "reach", goal / 100, each.ours["won"]))
        claim = f"OW-37: {title(name)} needs at most {most.mean} moves"
        out.append(Finding.of(claim, MOVES, "most", most.mean, each.ours["moves"]))
    best = max((each for each in table.lines if each.ours is not None), key=wins, default=None)
    if best is not None and best.ours is not None:
        claim = (
            f"OW-32, beyond: the best net ({best.name}) wins more than 94 % against random, as one ply of search does"
        )
        out.append(Finding.of(claim, WON, "above", 0.94, best.ours["won"]))
    return out


def wins(each: ReportLine) -> float:
    """The share of games won in a line."""
    return 0.0 if each.ours is None else each.ours["won"].value


def against_search(evidence: Evidence) -> list[Finding]:
    """OW-34 and OW-36."""
    out = []
    for mode in MODES:
        for depth in (2, 4, 6):
            name = deep_name(depth, mode)
            result = evidence.results.get(key_of(title(name), f"alpha-beta({depth}), {mode}"))
            if result is not None:
                won = any(row.payoffs[0] > 0 for row in result.rows if row.seating[0] == 0)
                claim = f"OW-34: {title(name)} beats alpha-beta({depth}), {mode} mode, from which it learned"
                out.append(Finding(claim, won, "won" if won else "not won"))
    beaten = {
        name: sum(
            any(row.payoffs[0] > 0 for row in result.rows if row.seating[0] == 0)
            for depth in thesis.DEEP_AGAINST
            if (result := evidence.results.get(key_of(title(name), f"alpha-beta({depth}), thesis"))) is not None
        )
        for name in PLAYING
    }
    best = max(beaten, key=lambda name: beaten[name])
    claim = "OW-36: the best net beats at least 3 of 4 depths of alpha-beta (thesis mode)"
    out.append(Finding(claim, beaten[best] >= 3, f"{title(best)}: {beaten[best]} of 4"))
    for cycles in thesis.DEEP_CYCLES:
        goal = max(cells[cycles][0] for cells in thesis.DQN_MCTS.values())
        shares = {
            name: figures(result, first_only=True)["won"]
            for name in PLAYING
            if (result := evidence.results.get(key_of(title(name), f"MCTS({cycles})"))) is not None
        }
        if shares:
            name = max(shares, key=lambda each: shares[each].value)
            claim = f"OW-36: the best net ({title(name)}) wins at least {goal} % against MCTS({cycles})"
            out.append(Finding.of(claim, WON, "reach", goal / 100, shares[name]))
    return out


def curve_table(rows: dict[str, Rows]) -> ReportTable:
    """What became of the rewards while the nets learned."""
    lines = []
    for name, each in rows.items():
        values = smoothed([row["reward"] for row in each], WIDTH)
        steps = [row["step"] for row in each]
        late = [value for value, step in zip(values, steps, strict=True) if step >= 15_000]
        numbers = {
            "early": exact(late[0] if late else float("nan")),
            "held": exact(sum(value >= 90 for value in late) / len(late) if late else float("nan")),
            "highest": exact(max(values, default=float("nan"))),
            "final": exact(values[-1] if values else float("nan")),
            "minutes": exact(each[-1]["cpu_seconds"] / 60 if each else float("nan")),
        }
        lines.append(ReportLine(title(name), numbers, games=int(steps[-1]) if steps else 0))
    return ReportTable(
        "While learning", "net", (EARLY, HELD, HIGHEST, FINAL, MINUTES), lines, "final",
        f"Mean reward of ten games without exploring, every 100 iterations; moving average of {WIDTH}. A win is 100, "
        "an illegal action -100.", "iterations",
    )  # fmt: skip


def exact(value: float) -> Estimate:
    """A number that was measured once."""
    return Estimate(value, None, None)


def learning(rows: dict[str, Rows], preset: str) -> list[Finding]:
    """OW-35 and OW-56."""
    values = {name: smoothed([row["reward"] for row in each], WIDTH) for name, each in rows.items()}
    steps = [row["step"] for row in rows["Perfekt2"]]
    early = [value for value, step in zip(values["Perfekt2"], steps, strict=True) if step <= 15_000][WIDTH:]
    late = [value for value, step in zip(values["Perfekt2"], steps, strict=True) if step > 15_000]
    whole = preset != "quick" and bool(early and late)
    held = sum(value >= 90 for value in late) / len(late) if late else 0.0
    last = values["Mcts"][-1] if values["Mcts"] else float("nan")
    minutes = rows["Mcts"][-1]["cpu_seconds"] / 60 if rows["Mcts"] else float("nan")
    return [
        Finding(
            "OW-35: DQN-Perfekt2 reaches a smoothed reward of 90 within 15,000 iterations and mostly holds it",
            max(early) >= 90 and held > 0.5 if whole else None,
            f"highest {max(early, default=float('nan')):.0f} by then; above 90 in {100 * held:.0f} % of what follows",
        ),
        Finding(
            "OW-56: learning from MCTS(100) takes less than 24 hours",
            minutes < 24 * 60,
            f"{minutes:.1f} CPU minutes",
        ),
        Finding("OW-56, beyond: its smoothed reward ends above 0", last > 0 if whole else None, f"{last:.0f}"),
    ]


def quick_enough(evidence: Evidence) -> Finding:
    """OW-38."""
    ours = seconds_per_move(evidence, key_of(title("Random"), RANDOM))
    claim = f"OW-38: a move takes at most {thesis.DQN_SECONDS} s"
    return Finding(claim, ours.value <= thesis.DQN_SECONDS, f"{ours.value:.2g} s")


def beyond(evidence: Evidence) -> list[Finding]:
    """OW-46: both seats, random openings."""
    out = []
    for opponent, rule, goal in (
        (RANDOM, "reach", 0.95),
        ("alpha-beta(2), strong", "above", 0.5),
        ("alpha-beta(4), strong", "above", 0.5),
    ):
        shares = {
            name: figures(result)["won"]
            for name in PLAYING
            if (result := evidence.results.get(key_of(title(name), f"{opponent}, random openings"))) is not None
        }
        if shares:
            name = max(shares, key=lambda each: shares[each].value)
            claim = f"OW-46: the best net ({title(name)}) against {opponent}, both seats, random openings"
            out.append(Finding.of(claim, WON, rule, goal, shares[name]))  # type: ignore[arg-type]
    return out
