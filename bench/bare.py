"""Runs the bare loops of bare.cpp: the cost of the rules alone, which bounds a search."""

from __future__ import annotations

import json
import subprocess

from bench.measure import Row, Settings, Spread, Work, rate
from bench.native import build


def rates(settings: Settings, repetitions: int, loop: str = "") -> dict[str, list[float]]:
    """Games or nodes per second of one loop or of all loops; empty without a compiler."""
    program = build("bare")
    if program is None:
        return {}
    command = [str(program), str(repetitions), "10" if settings.quick else "1", *([loop] if loop else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, list[float]] = {}
    for line in done.stdout.splitlines():
        fields = json.loads(line)
        found.setdefault(fields["name"], []).append(fields["count"] / fields["seconds"])
    return found


def bound(settings: Settings, row: Row, ours: Work, loop: str) -> list[Row]:
    """The fraction of the bare loop's speed that the work of a row reaches; both take turns, as everywhere."""
    if build("bare") is None:
        return []
    own: list[float] = []
    bare: list[float] = []
    for _ in range(settings.repetitions):
        own.append(rate(ours, settings.seconds))
        bare += rates(settings, 1, loop)[loop]
    return [against(row, f"bare loop: {loop}", own, bare)]


def against(row: Row, peer: str, own: list[float], limit: list[float]) -> Row:
    """A row with the fraction of a limit that was reached."""
    part = Spread.of([a / b for a, b in zip(own, limit, strict=True)])
    return Row(f"{row.name}-bound", row.work, peer, row.unit, Spread.of(own), Spread.of(limit), part)
