"""Measuring: whole pieces of work in CPU time, ours and the peer's in turn, medians with quartiles."""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

Work = Callable[[], float]
"""Does one piece of work and returns how much it was: simulations, games, nodes."""


@dataclass(frozen=True)
class Settings:
    """How long a run may take."""

    repetitions: int = 5
    seconds: float = 0.3
    """Least CPU time of one repetition."""
    quick: bool = False
    """Less work: the figures only show that nothing is broken."""


@dataclass(frozen=True)
class Spread:
    """The median of some repetitions with their quartiles."""

    median: float
    low: float
    high: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Median and quartiles of the values."""
        if len(values) == 1:
            return cls(values[0], values[0], values[0], 1)
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(median, low, high, len(values))


@dataclass(frozen=True)
class Row:
    """A row of the table: what was measured, against what, and the target."""

    name: str
    work: str
    peer: str
    unit: str
    """Unit of `ours` and `theirs`."""
    ours: Spread
    theirs: Spread | None
    score: Spread
    """The figure that counts, in `measure`: the median of the ratios (or differences) of neighbouring repetitions."""
    measure: str = "x"
    target: float | None = None
    at_most: bool = False
    """The target is an upper limit for the worst repetition, not for the median."""
    note: str = ""

    @property
    def passed(self) -> bool | None:
        """Whether the target is met; None without one."""
        if self.target is None:
            return None
        return self.score.high <= self.target if self.at_most else self.score.median >= self.target


def rate(work: Work, seconds: float, clock: Callable[[], float] = time.process_time) -> float:
    """Repeats the work until the time has passed; returns how much was done per second."""
    done = 0.0
    start = clock()
    while True:
        done += work()
        took = clock() - start
        if took >= seconds and took > 0:
            return done / took


def alternate(settings: Settings, *works: Work, clock: Callable[[], float] = time.process_time) -> list[list[float]]:
    """Rates of each work, one list per work. They take turns, so a change in the machine's speed affects all of them.

    Each work is done once before, unmeasured, to warm up caches, lazy imports and first allocations.
    """
    for work in works:
        work()
    rates: list[list[float]] = [[] for _ in works]
    for _ in range(settings.repetitions):
        for work, into in zip(works, rates, strict=True):
            into.append(rate(work, settings.seconds, clock))
    return rates


def versus(
    settings: Settings,
    ours: Work,
    theirs: Work,
    *,
    name: str,
    work: str,
    peer: str,
    unit: str,
    target: float | None = None,
    note: str = "",
    clock: Callable[[], float] = time.process_time,
) -> Row:
    """A row with the ratio of two rates."""
    own, other = alternate(settings, ours, theirs, clock=clock)
    ratios = [a / b for a, b in zip(own, other, strict=True)]
    return Row(name, work, peer, unit, Spread.of(own), Spread.of(other), Spread.of(ratios), "x", target, note=note)


def machine() -> str:
    """The machine in one line: processor, cores, load, Python, compiler."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{_processor()}, {os.cpu_count()} cores{load}; "
        f"{platform.python_implementation()} {platform.python_version()}; {compiler_line()}"
    )


def compiler() -> str:
    """The C++ compiler of this machine: `CXX`, or c++; empty if there is none."""
    return os.environ.get("CXX") or shutil.which("c++") or ""


def compiler_line() -> str:
    """Name and version of the compiler."""
    if not compiler():
        return "no C++ compiler"
    done = subprocess.run([compiler(), "--version"], capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[0] if done.stdout else compiler()


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
