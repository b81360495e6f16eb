"""Prints the table: in the terminal, as Markdown for the docs, as JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.measure import Row, Spread


def quantity(value: float) -> str:
    """Three significant digits, with thousands separators.

    >>> quantity(2_913_456), quantity(17.26), quantity(0.5)
    ('2,910,000', '17.3', '0.5')
    """
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:g}"


def score(row: Row) -> str:
    """The figure that counts with its quartiles."""
    if row.theirs is None:
        return ""
    if row.at_most:
        return f"{row.score.high:+.2f} %"
    unit = "x" if row.measure == "x" else f" {row.measure}"
    return f"{quantity(row.score.median)}{unit} [{quantity(row.score.low)}, {quantity(row.score.high)}]"


def target(row: Row) -> str:
    """The target."""
    if row.target is None:
        return ""
    unit = {"x": "x", "%": " %"}.get(row.measure, " plies")
    return f"{'at most' if row.at_most else 'at least'} {row.target:g}{unit}"


def verdict(row: Row) -> str:
    """Whether the target was reached."""
    return {None: "", True: "yes", False: "NO"}[row.passed]


def _rate(spread: Spread | None, unit: str) -> str:
    return "" if spread is None else f"{quantity(spread.median)} {unit}"


def text(rows: Sequence[Row]) -> str:
    """The rows as text, one block each, for 100 columns."""
    out = []
    for row in rows:
        head = f"{row.name:<24} {score(row):<36} {target(row):<16} {verdict(row)}".rstrip()
        other = f"; {row.peer}: {_rate(row.theirs, row.unit)}" if row.theirs is not None else ""
        spread = f" [{quantity(row.ours.low)}, {quantity(row.ours.high)}]"
        out += [head, f"    {row.work}", f"    ours: {_rate(row.ours, row.unit)}{spread}{other}; n = {row.score.count}"]
        if row.note:
            out.append(f"    {row.note}")
    return "\n".join(out)


def markdown(rows: Sequence[Row], machine: str, command: str) -> str:
    """The rows as a Markdown table with the command that reproduces it."""
    out = [
        f"`{command}` on {machine}. Medians, quartiles in brackets, n repetitions.",
        "",
        "| name | work | ours | peer or bound | figure | asked for | reached | n |",
        "|---|---|---:|---:|---:|---|---|---:|",
    ]
    for row in rows:
        other = f"{row.peer}: {_rate(row.theirs, row.unit)}" if row.theirs is not None else ""
        work = f"{row.work} ({row.note})" if row.note else row.work
        cells = (
            row.name,
            work,
            _rate(row.ours, row.unit),
            other,
            score(row),
            target(row),
            verdict(row),
            row.score.count,
        )
        out.append(f"| {' | '.join(str(cell) for cell in cells)} |")
    return "\n".join(out)


def as_json(rows: Sequence[Row], machine: str, extra: dict[str, Any]) -> str:
    """Everything that was measured, as JSON."""
    fields = [dataclasses.asdict(row) | {"passed": row.passed} for row in rows]
    return json.dumps({"machine": machine, "rows": fields, **extra}, indent=2) + "\n"


def replace_block(path: Path, name: str, content: str) -> None:
    """Puts the content between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->` in a file that has these markers."""
    begin, end = f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"
    old = path.read_text("utf-8")
    if old.count(begin) != 1 or old.count(end) != 1:
        raise SystemExit(f"{path}: expected the markers {begin} and {end}, once each")
    head, rest = old.split(begin)
    _, tail = rest.split(end)
    path.write_text(f"{head}{begin}\n{content}\n{end}{tail}", "utf-8")
