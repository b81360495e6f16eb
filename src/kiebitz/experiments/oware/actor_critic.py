"""Tables 5.9 and 5.10 and figures 4.8 to 4.10: the actor that learns from whole games, and how it plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kiebitz.experiments.oware import errata, thesis
from kiebitz.experiments.oware.agents import MODES, RANDOM, alphabeta
from kiebitz.experiments.oware.dqn import exact, title
from kiebitz.experiments.oware.figures import LOST, MOVES, WON, OwareComparison, figures, guarded
from kiebitz.experiments.oware.learners import (
    RANDOM_COLUMNS,
    SECONDS,
    SIZES,
    agreement,
    deep_folder,
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
from kiebitz.experiments.training import Rows, Training, draw_smoothed, measured, smoothed, train_all

NAME = "AC"
FIRST = "Random"
WITH_CAPTURES = "Perfekt2, captures of both"
OWN_ALONE = "Perfekt2, own captures alone"
GAINS = {WITH_CAPTURES: "difference_no_award", OWN_ALONE: "own_no_award"}
"""The two rewards of the second stage."""
WIDTH = 25
ILLEGAL = Column("illegal", "ended by an illegal move", "share")
SHARE_WON = Column("won", "won", "share")
SHARE_DRAWN = Column("drawn", "drawn", "share")
SHARE_LOST = Column("lost", "lost", "share")
REWARD = Column("reward", "mean reward", "number")
FINAL = Column("final", "reward at the end, smoothed", "number")
HIGHEST = Column("highest", "highest", "number")
MINUTES = Column("minutes", "CPU minutes", "number")


def seconds() -> dict[str, float]:
    """The estimated cost by preset, in seconds of one core: the actor's three trainings and those of its opponents."""
    from kiebitz.experiments.oware import dqn

    return {
        preset: 2 * SECONDS["episodes"] * sizes["episodes"] + dqn.seconds()[preset] for preset, sizes in SIZES.items()
    }


def folder_of(evidence: Evidence) -> Path:
    """Where the actor is trained."""
    assert evidence.folder is not None
    return evidence.folder / "runs"


def stage(key: str, opponent: str, start: Path | None, steps: int, evidence: Evidence) -> Training:
    """A stage: the options are those of the preset `thesis` but for these."""
    options: dict[str, Any] = {"steps": steps, "opponent": opponent, "seed": evidence.seed}
    options["keep_every"] = SIZES[evidence.preset]["episodes"] // 2 if start is None else 0
    options |= {} if start is None else {"start_from": str(start), "gains": GAINS[key]}
    return Training(key, "oware", "actor_critic", "thesis", "thesis", options)


def train(evidence: Evidence) -> list[Comparison]:
    """Both stages, the second with both rewards; then whom the net of the first meets."""
    train_deep(evidence)
    folder, episodes = folder_of(evidence), SIZES[evidence.preset]["episodes"]
    train_all([stage(FIRST, RANDOM, None, episodes, evidence)], folder, evidence.tick, evidence.workers)
    start = folder / FIRST / f"net-{episodes // 2}.npz"
    more = [stage(key, alphabeta(2, "thesis"), start, episodes // 2, evidence) for key in GAINS]
    train_all(more, folder, evidence.tick, evidence.workers)
    own = spec_of(folder / FIRST / "net.npz")
    out = meetings(NAME, own, evidence.preset)
    for name in thesis.NETS:
        other = spec_of(deep_folder(evidence) / name / "net.npz")
        out.append(OwareComparison(key_of(NAME, title(name)), (own, other), 1, "two_against_two"))
    return out


def conclude(evidence: Evidence) -> Conclusion:
    """The tables, the curves, and whether OW-40 to OW-44 and OW-57 are met."""
    folder = folder_of(evidence)
    rows = {key: measured(folder / key) for key in (FIRST, *GAINS)}
    if evidence.folder is not None:
        draw_smoothed(
            rows,
            "training_reward",
            evidence.folder / "curves.png",
            "Oware, actor and critic: mean reward of a hundred games while learning, and its moving average of 25",
        )
        draw_smoothed(
            rows,
            "training_illegal",
            evidence.folder / "illegal.png",
            "Oware, actor and critic: share of games that an illegal move ended",
        )
    net = folder / FIRST / "net.npz"
    masked = masked_choices(net, SIZES[evidence.preset]["random"], evidence.seed)
    first = line(evidence, key_of(NAME, RANDOM), NAME, thesis.AC_RANDOM, moves=thesis.AC_MOVES, more={"masked": masked})
    tables = [
        ReportTable("Against random, the net moving first (tables 5.9 and 5.10)", "net", RANDOM_COLUMNS, [first], "won")
    ]
    tables += search_tables(
        evidence, [NAME], {NAME: thesis.AC_ALPHABETA}, {NAME: thesis.AC_MCTS}, ("table 5.9", "table 5.9")
    )
    deep = [
        line(evidence, key_of(NAME, title(name)), f"{NAME}, {title(name)}", thesis.AC_DQN[name]) for name in thesis.NETS
    ]
    tables.append(
        ReportTable(
            "Against deep Q-learners, the actor moving first (table 5.9)",
            "net, opponent",
            tables[1].columns,
            deep,
            "won",
        )
    )
    findings = [
        *against_random(first),
        agreement(tables, "table 5.9"),
        *against_search(evidence),
        quick_enough(evidence),
    ]
    findings += [*learning(rows, evidence.preset), ranking(evidence)]
    tables += [varied_table(evidence, [NAME]), outcomes(rows[FIRST]), ends(rows)]
    notes = [
        "The net moves first, as it did while it learned; the last column has the games in which it moved second. It "
        "plays its likeliest move and leaves empty pits out; `choices masked` counts how often that decided. "
        "Against players that always do the same a cell is one game for each seat.",
        "![Learning curves](curves.png)",
        "![Illegal moves](illegal.png)",
        guarded(evidence.results),
    ]
    return Conclusion(tables, findings, notes, errata.section())


def against_random(first: ReportLine) -> list[Finding]:
    """OW-42."""
    if first.ours is None:
        return []
    most = thesis.AC_MOVES.mean
    return [
        Finding.of("OW-42: the actor wins at least 80 % against random", WON, "reach", 0.80, first.ours["won"]),
        Finding.of("OW-42: it loses at most 15 %", LOST, "most", 0.15, first.ours["lost"]),
        Finding.of(f"OW-42: it needs at most {most} moves", MOVES, "most", most, first.ours["moves"]),
    ]


def against_search(evidence: Evidence) -> list[Finding]:
    """OW-43."""
    won = [
        f"{depth}, {mode}"
        for mode in MODES
        for depth in thesis.DEEP_AGAINST
        if (result := evidence.results.get(key_of(NAME, f"alpha-beta({depth}), {mode}"))) is not None
        and any(row.payoffs[row.seating.index(0)] > 0 for row in result.rows)
    ]
    out = [
        Finding(
            "OW-43, beyond: the actor beats alpha-beta at some depth, in either seat",
            bool(won),
            "; ".join(won) or "none",
        )
    ]
    result = evidence.results.get(key_of(NAME, "MCTS(200)"))
    if result is not None:
        ours = figures(result)["won"]
        out.append(Finding.of("OW-43, beyond: it wins more than 1 % against MCTS(200)", WON, "above", 0.01, ours))
    return out


def quick_enough(evidence: Evidence) -> Finding:
    """OW-44."""
    ours = seconds_per_move(evidence, key_of(NAME, RANDOM))
    claim = f"OW-44: a move takes at most {thesis.AC_SECONDS} s"
    return Finding(claim, ours.value <= thesis.AC_SECONDS, f"{ours.value:.2g} s")


def at(rows: Rows, episodes: int) -> dict[str, float]:
    """The mean of the ten measurements, of a hundred games each, around a number of episodes."""
    near = [row for row in rows if abs(row["step"] - episodes) <= 500]
    names = ("reward", "won", "drawn", "lost", "illegal")
    return {name: sum(row[f"training_{name}"] for row in near) / len(near) if near else float("nan") for name in names}


def learning(rows: dict[str, Rows], preset: str) -> list[Finding]:
    """OW-40 and OW-41."""
    whole = preset != "quick"
    values = smoothed([row["training_reward"] for row in rows[FIRST]], WIDTH)
    last = values[-1] if values else float("nan")
    out = [
        Finding("OW-40: the smoothed reward ends at 25 or above", last >= 25 if whole else None, f"{last:.0f}"),
    ]
    for episodes, most in thesis.AC_ILLEGAL.items():
        share = at(rows[FIRST], episodes)["illegal"]
        claim = f"OW-40: around episode {episodes:,} at most {100 * most:.0f} % of the games end by an illegal move"
        out.append(Finding(claim, share <= most if whole else None, f"{100 * share:.0f} %"))
    share = at(rows[FIRST], 150_000)["won"]
    claim = "OW-40: around episode 150,000 at least half of the games are won, empty pits not left out"
    out.append(Finding(claim, share >= 0.5 if whole else None, f"{100 * share:.0f} %"))
    illegal = {key: smoothed([row["training_illegal"] for row in rows[key]], WIDTH) for key in GAINS}
    first, end = (illegal[WITH_CAPTURES][place] if illegal[WITH_CAPTURES] else float("nan") for place in (0, -1))
    out.append(
        Finding(
            "OW-41: with the captures of both as reward, ever more games end by an illegal move",
            end > first if whole else None,
            f"from {100 * first:.0f} to {100 * end:.0f} %",
        )
    )
    highest = max(smoothed([row["training_reward"] for row in rows[OWN_ALONE]], WIDTH), default=float("nan"))
    claim = "OW-41: with the own captures alone the smoothed reward reaches 90 at some time"
    out.append(Finding(claim, highest >= 90 if whole else None, f"highest {highest:.0f}"))
    return out


def ranking(evidence: Evidence) -> Finding:
    """OW-57, as far as the nets are concerned."""
    opponents = ["alpha-beta(8), thesis", "MCTS(1000)"]
    results = [evidence.results.get(key_of(NAME, opponent)) for opponent in opponents]
    shares = [figures(result)["won"].value for result in results if result is not None]
    claim = "OW-57: MCTS(1000) and alpha-beta(8) (thesis mode) win most games against the actor, both seats"
    return Finding(
        claim, all(share < 0.5 for share in shares) if shares else None, ", ".join(f"{100 * s:.0f} %" for s in shares)
    )


def outcomes(rows: Rows) -> ReportTable:
    """Figure 4.9: how games ended while the actor learned."""
    lines = []
    for episodes in (1000, 30_000, 100_000, 150_000, 200_000):
        if any(abs(row["step"] - episodes) <= 500 for row in rows):
            known = {"illegal": thesis.AC_ILLEGAL[episodes]} if episodes in thesis.AC_ILLEGAL else {}
            numbers = {name: exact(value) for name, value in at(rows, episodes).items()}
            lines.append(ReportLine(f"{episodes:,}", numbers, known, games=1000))
    return ReportTable(
        "How games ended while it learned from random (figure 4.9)", "episodes",
        (ILLEGAL, SHARE_WON, SHARE_DRAWN, SHARE_LOST, REWARD), lines, "illegal",
        "Means over about a thousand games around each point; moves are drawn, and empty pits are not left out. The "
        "thesis has a hundred games for each, and half of them won after 150,000.",
    )  # fmt: skip


def ends(rows: dict[str, Rows]) -> ReportTable:
    """What became of the rewards."""
    lines = []
    for key, each in rows.items():
        values = smoothed([row["training_reward"] for row in each], WIDTH)
        numbers = {
            "highest": exact(max(values, default=float("nan"))),
            "final": exact(values[-1] if values else float("nan")),
            "illegal": exact(smoothed([row["training_illegal"] for row in each], WIDTH)[-1] if each else float("nan")),
            "minutes": exact(each[-1]["cpu_seconds"] / 60 if each else float("nan")),
        }
        lines.append(ReportLine(key, numbers, games=int(each[-1]["step"]) if each else 0))
    return ReportTable(
        "While learning", "stage", (HIGHEST, FINAL, ILLEGAL, MINUTES), lines, "final",
        f"Mean reward of a hundred games, moves drawn; moving average of {WIDTH}. A win is 100, an illegal move -100.",
        "episodes",
    )  # fmt: skip
