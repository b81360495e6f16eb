"""Five learners of one small game, side by side: how well each plays after some seconds of learning."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from matplotlib.figure import Figure

from kiebitz.arena import Result
from kiebitz.experiments.report import Column, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Conclusion, Evidence
from kiebitz.experiments.training import Rows, Training, measured, train_all
from kiebitz.files import replacing
from kiebitz.stats import Estimate, wilson

GAME = "tic_tac_toe"
WAYS = {
    "q_learning": "a table of positions (q_learning)",
    "dqn": "a net in place of the table (dqn)",
    "actor_critic": "a policy and a critic (actor_critic)",
    "supervised": "imitation of a teacher (supervised)",
    "alphazero": "search that teaches itself (alphazero)",
}
FROM_RANDOM = ("q_learning", "dqn", "actor_critic")
"""Whose opponent while they learn plays at random."""
PERFECT = "alphabeta(depth=9)"
OPENING = 1
GAMES = {"quick": 20, "laptop": 400, "thesis": 2000}
"""Against each opponent; from random first moves, each played twice, seats swapped."""
TRAINING_SECONDS = 4.0

LOST_TO_RANDOM = Column("random_lost", "lost to random", "share")
WON_FROM_RANDOM = Column("random_won", "won from random", "share")
LOST_TO_PERFECT = Column("perfect_lost", "lost to perfect play", "share")
CPU = Column("seconds", "CPU seconds", "number")


def seconds() -> dict[str, float]:
    """The estimated cost by preset, in seconds of one core."""
    return {preset: len(WAYS) * (TRAINING_SECONDS + 0.01 * games) for preset, games in GAMES.items()}


def key_of(way: str, opponent: str) -> str:
    """The name of a comparison.

    >>> key_of("dqn", "random")
    'dqn against random'
    """
    return f"{way} against {opponent}"


def train(evidence: Evidence) -> list[Comparison]:
    """All five, each with its preset `toy`; then whom they meet."""
    folder = runs(evidence)
    todo = [Training(way, GAME, way, preset="toy", options={"seed": evidence.seed}) for way in WAYS]
    train_all(todo, folder, evidence.tick, evidence.workers)
    return [
        Comparison(
            key_of(way, opponent),
            (f'net(file="{folder / way / "net.npz"}")', opponent),
            GAMES[evidence.preset] // 2,
            "match",
            opening=OPENING,
        )
        for way in WAYS
        for opponent in ("random", PERFECT)
    ]


def runs(evidence: Evidence) -> Path:
    """Where they are trained."""
    assert evidence.folder is not None
    return evidence.folder / "runs"


def conclude(evidence: Evidence) -> Conclusion:
    """How they play, and what they measured of themselves while they learned."""
    curves = {way: measured(runs(evidence) / way) for way in WAYS}
    lines, lost = [], {}
    for way, title in WAYS.items():
        results = [evidence.results.get(key_of(way, opponent)) for opponent in ("random", PERFECT)]
        if None in results:
            continue
        random, perfect = (shares(result) for result in results if result is not None)
        ours = {"random_won": random[0], "random_lost": random[1], "perfect_lost": perfect[1]}
        ours["seconds"] = Estimate(curves[way][-1]["cpu_seconds"], None, None)
        lines.append(ReportLine(title, ours, games=2 * GAMES[evidence.preset]))
        lost[way] = perfect[1]
    if evidence.folder is not None:
        draw(curves, {way: share.value for way, share in lost.items()}, evidence.folder / "curves.png")
    findings = []
    if len(lost) == len(WAYS):
        never = "alphazero, whom nobody taught, loses hardly a game to perfect play"
        findings.append(Finding.of(never, LOST_TO_PERFECT, "most", 0.01, lost["alphazero"]))
        findings.append(
            Finding(
                "Who learned from random play loses more often to perfect play than who learned from good play",
                min(lost[way].value for way in FROM_RANDOM)
                > max(lost[way].value for way in WAYS if way not in FROM_RANDOM),
                ", ".join(f"{way} {LOST_TO_PERFECT.show(share.value)}" for way, share in lost.items()),
            )
        )
    columns = (WON_FROM_RANDOM, LOST_TO_RANDOM, LOST_TO_PERFECT, CPU)
    note = (
        "Every game begins with a random move of each opening and is played twice, seats swapped. Who plays perfectly "
        "never loses, but may draw with random."
    )
    return Conclusion(
        [ReportTable("Five learners without any search", "way", columns, lines, "random_won", note)], findings
    )


def shares(result: Result) -> tuple[Estimate, Estimate]:
    """The share of games that the first agent won, and lost."""
    payoffs = [row.payoffs[row.seating.index(0)] for row in result.rows]
    return wilson(sum(p > 0 for p in payoffs), len(payoffs)), wilson(sum(p < 0 for p in payoffs), len(payoffs))


MEASURED = {
    "won": "won from random",
    "score_random": "points against random",
    "validation_accuracy": "moves as the teacher's",
}
"""What the methods measure of themselves, as a curve shows it."""


def draw(curves: Mapping[str, Rows], lost: Mapping[str, float], path: Path) -> None:
    """A panel for each way, over CPU time; then who loses to perfect play."""
    figure = Figure(figsize=(11, 2.6))
    *panels, last = figure.subplots(1, len(curves) + 1)
    for axes, (way, rows) in zip(panels, curves.items(), strict=True):
        name = next((name for name in MEASURED if rows and name in rows[0]), None)
        if name is not None:
            axes.plot([row["cpu_seconds"] for row in rows], [row[name] for row in rows], color="#1f6f50", marker=".")
            axes.set_title(f"{way}\n{MEASURED[name]}", fontsize=8)
        axes.set(xlabel="CPU seconds", xlim=(0, None), ylim=(0, 1.02))
        axes.grid(alpha=0.3)
    last.barh(list(lost), list(lost.values()), color="#b3462c")
    last.invert_yaxis()
    last.set_title("at the end:\nlost to perfect play", fontsize=8)
    last.set(xlim=(0, 1))
    for axes in (*panels, last):
        axes.tick_params(labelsize=7)
        axes.xaxis.label.set_size(7)
    figure.tight_layout()
    with replacing(path) as file:
        figure.savefig(file, format="png", dpi=110)
