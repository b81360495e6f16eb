"""Trainings of an experiment, on all cores: each in a folder of its own, from where it was if it was interrupted."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from kiebitz._core import StopToken
from kiebitz.errors import Error
from kiebitz.files import replacing
from kiebitz.games import game as make_game
from kiebitz.stats import Estimate, mean_interval

Rows = list[dict[str, float]]


@dataclass(frozen=True)
class Training:
    """What to train: a game, a method with a preset, and the options that differ from it."""

    key: str
    game: str
    method: str
    rules: str | None = None
    preset: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Trained:
    """What came of it: the measurements, and why it ended early, if it did."""

    rows: Rows
    failed: str = ""

    def last(self, name: str) -> float:
        """The last measurement of a kind; not a number if there is none."""
        return self.rows[-1][name] if self.rows and not self.failed else math.nan


def train_all(
    trainings: Sequence[Training],
    folder: Path,
    tick: Callable[[str, int, int], None],
    workers: int | None = None,
) -> dict[str, Trained]:
    """Trains what is not trained yet; the results by key."""
    out: dict[str, Trained] = {}
    spawn = multiprocessing.get_context("spawn")
    tick("trainings", 0, len(trainings))
    with ProcessPoolExecutor(workers or os.cpu_count(), mp_context=spawn, initializer=_quiet) as pool:
        jobs = {pool.submit(_train, each, folder / each.key): each for each in trainings}
        try:
            for done, job in enumerate(as_completed(jobs), 1):
                out[jobs[job].key] = Trained(measured(folder / jobs[job].key), job.result())
                tick(jobs[job].key, done, len(trainings))
        except KeyboardInterrupt:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return out


def measured(folder: Path) -> Rows:
    """The log of a training."""
    path = folder / "log.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def over_seeds(values: Sequence[float]) -> Estimate:
    """The mean over seeds with its interval; without one for a single seed.

    >>> over_seeds([0.5]).value, round(over_seeds([0.1, 0.2, 0.3]).value, 6)
    (0.5, 0.2)
    """
    if len(values) < 2 or any(math.isnan(value) for value in values):
        return Estimate(float(np.mean(values)), None, None)
    return mean_interval([[value] for value in values])


def draw_curves(curves: Mapping[str, Sequence[Rows]], name: str, path: Path, title: str) -> None:
    """The mean over seeds with its range, on a linear and on a logarithmic axis."""
    figure = Figure(figsize=(11, 4.2))
    for axes, scale in zip(figure.subplots(1, 2), ("linear", "log"), strict=True):
        for label, seeds in curves.items():
            length = min((len(rows) for rows in seeds), default=0)
            if length == 0:
                continue
            steps = [row["step"] for row in seeds[0][:length]]
            values = np.array([[row[name] for row in rows[:length]] for rows in seeds])
            (line,) = axes.plot(steps, values.mean(axis=0), label=label)
            axes.fill_between(steps, values.min(axis=0), values.max(axis=0), color=line.get_color(), alpha=0.2)
        axes.set(yscale=scale, xlabel="iterations", ylabel=name.replace("_", " "))
        axes.locator_params(axis="x", nbins=6)
        axes.grid(alpha=0.3, which="both")
    figure.axes[0].legend(fontsize=8)
    figure.suptitle(title)
    with replacing(path) as file:
        figure.savefig(file, format="png", dpi=110, bbox_inches="tight")


def draw_smoothed(curves: Mapping[str, Rows], name: str, path: Path, title: str, width: int = 25) -> None:
    """A curve in a picture of its own each: what was measured, faint, and its moving average."""
    rows_of_panels = math.ceil(len(curves) / 2)
    figure = Figure(figsize=(11, 2.6 * rows_of_panels))
    panels = list(figure.subplots(rows_of_panels, 2, squeeze=False).flat)
    for axes in panels[len(curves) :]:
        axes.set_visible(False)
    for axes, (label, rows) in zip(panels, curves.items(), strict=False):
        steps, values = [row["step"] for row in rows if name in row], [row[name] for row in rows if name in row]
        axes.plot(steps, values, color="#1f6f50", alpha=0.25)
        axes.plot(steps, smoothed(values, width), color="#1f6f50")
        axes.set_title(label, fontsize=9)
        axes.locator_params(axis="x", nbins=6)
        axes.grid(alpha=0.3)
    figure.suptitle(title)
    figure.tight_layout()
    with replacing(path) as file:
        figure.savefig(file, format="png", dpi=110)


def smoothed(values: Sequence[float], width: int) -> list[float]:
    """The moving average: of each value and so many before it; of fewer at the start.

    >>> smoothed([1.0, 2.0, 3.0, 4.0], 2)
    [1.0, 1.5, 2.5, 3.5]
    """
    sums = np.cumsum([0.0, *values])
    ends = np.arange(1, len(values) + 1)
    starts = np.maximum(ends - width, 0)
    return [float(value) for value in (sums[ends] - sums[starts]) / (ends - starts)]


_stop = StopToken()


def _quiet() -> None:
    """Ctrl-C ends a training with a checkpoint."""
    signal.signal(signal.SIGINT, lambda *_: _stop.request())


def _train(training: Training, folder: Path) -> str:
    """Trains in a process of its own; the error that ended it, if there was one."""
    from kiebitz.learn import train

    game = make_game(training.game, preset=training.rules)
    try:
        train(game, training.method, folder, training.preset, stop=_stop, **training.options)
    except Error as error:
        return str(error)
    return ""
