"""Ablations of neural fictitious self-play: those of the paper (Heinrich and Silver 2016), and the defects of a
thesis that rebuilt it (D. Joos, Ravensburg-Weingarten 2018), each as one switch against the same base."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kiebitz.experiments.report import Column, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Conclusion, Evidence
from kiebitz.experiments.training import Trained, Training, draw_curves, over_seeds, train_all
from kiebitz.stats import Estimate

STEPS = {"quick": 1000, "laptop": 50_000, "thesis": 400_000}
SEEDS = 3
SECONDS_PER_STEP = 0.0008
EXPLOITABILITY = Column("exploitability", "exploitability", "number", digits=3)
GREEDY = Column("greedy_exploitability", "of the best responses", "number", digits=3)
DIFFERENCE = Column("difference", "difference to the base", "number", digits=3)

CALL = 1
"""What an illegal action is played as, as in the authors' release."""


@dataclass(frozen=True)
class Ablation:
    """A switch, what it does in words, and what the source expects of it."""

    key: str
    words: str
    options: Mapping[str, Any] = field(default_factory=dict)
    expected: str = ""
    worse: bool = False
    """Whether the source says that it is worse."""
    rules: str | None = None


BASE = Ablation("base", "as in the paper: 64 neurons, illegal actions are calls")
SETTINGS = (
    BASE,
    Ablation("hidden-8", "8 neurons", {"hidden": 8}, "larger is better", worse=True),
    Ablation("hidden-16", "16 neurons", {"hidden": 16}, "larger is better", worse=True),
    Ablation("hidden-32", "32 neurons", {"hidden": 32}, "larger is better"),
    Ablation("hidden-128", "128 neurons", {"hidden": 128}, "larger is better"),
    Ablation(
        "window", "average policy of the newest 200,000 rows", {"window": True, "sl_memory": 200_000}, "diverges", True
    ),
    Ablation("eta", "half of the hands by the best response", {"eta": 0.5}, "flattens"),
    Ablation(
        "fading",
        "a full memory of 200,000 takes a quarter of the new rows",
        {"fading": 0.25, "sl_memory": 200_000},
        "noisy",
    ),
    Ablation("dqn", "best responses alone (DQN against itself)", {"eta": 1.0}, "does not converge"),
    Ablation("masked", "illegal actions are left out", {"instead": -1}, "to be compared"),
    Ablation("no-target", "no target net", {"target_every": 0}, "unknown"),
    Ablation("chips", "rewards in chips instead of 26ths of them", {"reward_scale": 1.0}, "quicker at first"),
    Ablation("late", "the payoff at the end instead of chips as they are paid", {"rewards": "end"}, "equivalent"),
    Ablation(
        "values", "the average policy learns the softmax of the values", {"imitate": "values"}, "poor learning", True
    ),
    Ablation("relu", "no negative values", {"relu_output": True}, "one action alone", True),
    Ablation("d1", "D1: cross-entropy of outputs that are no softmax", {"linear": True}, "no distribution", True),
    Ablation("d2", "D2: exploration over after five updates", {"decay": "factorial"}, "unknown alone"),
    Ablation("d3", "D3: actions not taken are pulled to the target net", {"pull": True}, "unknown alone"),
    Ablation("d2-d3", "D2 and D3 together", {"decay": "factorial", "pull": True}, "worse", True),
    Ablation("d4", "D4: two updates from the same rows", {"same_batch": True}, "two correlated steps"),
    Ablation("d5", "D5: the average policy plays its best action", {"argmax": True}, "breaks the mixture", True),
    Ablation("d6", "D6: hands without an own action are remembered", {"unplayed": True}, "meaningless rows"),
    Ablation(
        "d8", "D8: an update after every action (one game, a 128th of the hands)", {"games": 1}, "many updates a hand"
    ),
    Ablation("d9", "D9: illegal actions are left out instead of played as calls", {"instead": -1}, "to be compared"),
    Ablation(
        "d10",
        "D10: the rules of the thesis (blinds; another scale)",
        {"reward_scale": 0.1},
        "not comparable",
        rules="thesis",
    ),
)


def seconds() -> dict[str, float]:
    """The estimated cost by preset, in seconds of one core."""
    return {preset: len(distinct()) * SEEDS * steps * SECONDS_PER_STEP for preset, steps in STEPS.items()}


def distinct() -> list[Ablation]:
    """The settings that have to be trained: two of them are the same switch under two names."""
    return [setting for setting in SETTINGS if setting.key != "d9"]


def trainings(preset: str, first_seed: int) -> list[Training]:
    """All that has to be trained."""
    steps = STEPS[preset]
    base: dict[str, Any] = {"steps": steps, "measure_every": max(steps // 50, 100)}
    base |= {"instead": CALL, "rewards": "paid", "reward_scale": 0.0385}
    if preset == "quick":
        base |= {"start": 200, "games": 64, "hidden": 16}
    return [
        Training(
            f"{setting.key}-{seed}",
            "leduc",
            "nfsp",
            setting.rules,
            None,
            {**base, **setting.options, "seed": first_seed + seed},
        )
        for setting in distinct()
        for seed in range(SEEDS)
    ]


def conclude(evidence: Evidence) -> Conclusion:
    """Trains all settings and compares their ends."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = evidence.folder or Path(scratch)
        runs = train_all(trainings(evidence.preset, evidence.seed), folder / "runs", evidence.tick, evidence.workers)
        ends = {setting.key: [runs[f"{setting.key}-{seed}"] for seed in range(SEEDS)] for setting in distinct()}
        ends["d9"] = ends["masked"]
        if evidence.folder is not None:
            names = ("base", "hidden-128", "window", "eta", "d5", "d2-d3")
            draw_curves(
                {name: [run.rows for run in ends[name]] for name in names},
                "exploitability",
                evidence.folder / "curves.png",
                "Leduc, exploitability in chips",
            )
    lines = [
        ReportLine(
            f"{setting.words} ({setting.expected})" if setting.expected else setting.words,
            figures(ends[setting.key], ends["base"]),
            games=SEEDS,
        )
        for setting in SETTINGS
    ]
    columns = (EXPLOITABILITY, DIFFERENCE, GREEDY)
    table = ReportTable(
        f"After {STEPS[evidence.preset]:,} iterations",
        "setting (what the source says)",
        columns,
        lines,
        "exploitability",
        "Exploitability is half of NashConv, in chips of the rules `standard` (of `thesis` in the line of D10).",
        "seeds",
    )
    stopped = [f"{setting.words}: {run.failed}" for setting in distinct() for run in ends[setting.key] if run.failed]
    notes = [*DEFECTS_WITHOUT_SWITCH, one_row_at_a_time(), *(f"Stopped: {text}" for text in stopped)]
    if evidence.folder is not None:
        notes.append("![Curves of some of them](curves.png)")
    return Conclusion([table], findings(ends), notes)


def figures(runs: Sequence[Trained], base: Sequence[Trained]) -> dict[str, Estimate]:
    """What became of a setting, over its seeds."""
    ends = [run.last("exploitability") for run in runs]
    starts = [run.last("exploitability") for run in base]
    return {
        "exploitability": over_seeds(ends),
        "difference": over_seeds([end - start for end, start in zip(ends, starts, strict=True)]),
        "greedy_exploitability": over_seeds([run.last("greedy_exploitability") for run in runs]),
    }


def findings(ends: Mapping[str, Sequence[Trained]]) -> list[Finding]:
    """What the sources say is worse, and whether it is."""
    out = []
    for setting in SETTINGS:
        if not setting.worse:
            continue
        runs = ends[setting.key]
        if any(run.failed for run in runs):
            out.append(Finding(f"{setting.words}: worse than the base", True, "weights became infinite: no net at all"))
            continue
        difference = figures(runs, ends["base"])["difference"]
        out.append(Finding.of(f"{setting.words}: worse than the base", DIFFERENCE, "above", 0.0, difference))
    return out


DEFECTS_WITHOUT_SWITCH = (
    "D7 (the line check, raise, raise, call cannot be played) has no switch: the listing asks the wrong seat, and what "
    "then happens is not said. D11 (exploitability estimated from few states) is measured in the experiment `nfsp`. "
    "D13 (settings not printed) and D14 (names) cost nothing here: every run keeps its configuration.",
)


def one_row_at_a_time() -> str:
    """D12: what it costs to ask a net for one row at a time."""
    from kiebitz.learn.seats import Seats

    nets = Seats([30, 64, 3], 2, np.random.default_rng(1))
    rows = np.zeros((2, 128, 30), np.float32)

    def clock(work: Any) -> float:
        times = []
        for _ in range(20):
            begun = time.process_time()
            work()
            times.append(time.process_time() - begun)
        return float(np.median(times))

    def single() -> None:
        for row in range(128):
            nets.outputs(rows[:, row : row + 1])

    ratio = clock(single) / max(clock(lambda: nets.outputs(rows)), 1e-9)
    return (
        f"D12 (a call of the net for each row): {ratio:.0f} times the time of one call for 128 rows."
        if math.isfinite(ratio)
        else ""
    )
