"""Entries of a report: runs with everything that is said about them, from a result, the store or an exported file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from kiebitz._core import Game
from kiebitz.agents.base import create
from kiebitz.arena.matches import Result
from kiebitz.arena.ratings import Rating, bradley_terry, openskill
from kiebitz.arena.summary import Summary
from kiebitz.errors import Error, ParameterError
from kiebitz.games.registry import from_json
from kiebitz.machine import VERSION, hardware_text
from kiebitz.stats import Estimate
from kiebitz.store.rows import Row
from kiebitz.store.store import Store

MOST_RATED = 100_000
"""Longest run for which openskill is computed: it takes games one by one."""


@dataclass(frozen=True)
class Entry:
    """A run in a report."""

    summary: Summary
    name: str
    game: Game
    format: str
    seed: int
    command: str
    machine: str
    version: str
    seconds: float
    planned: int | None = None
    date: str = ""
    test: str = ""
    """The outcome of a sequential test."""

    @property
    def games_per_second(self) -> float | None:
        """Over the whole run and all workers."""
        return self.summary.games / self.seconds if self.seconds > 0 else None

    @cached_property
    def ratings(self) -> list[Rating]:
        """Bradley-Terry, the best of each group first."""
        return sorted(bradley_terry(self.summary), key=lambda rating: (rating.group, -rating.value))

    @cached_property
    def openskill(self) -> dict[int, Rating]:
        """By agent; empty for very long runs."""
        if self.summary.games > MOST_RATED:
            return {}
        return {rating.agent: rating for rating in openskill(self.summary)}

    @property
    def metrics(self) -> list[tuple[str, str]]:
        """Name and kind of the metrics that have a value per agent."""
        columns = self.summary.columns
        found = [(name, self.summary.kind(name)) for name, column in columns.items() if column.seats]
        return [item for item in found if item[1] != "text"]

    @property
    def words(self) -> list[str]:
        """Metrics of whole games whose values are texts."""
        return [name for name in self.summary.columns if self.summary.kind(name) == "text"]

    @property
    def noted(self) -> bool:
        """Whether any rating needs a note."""
        return any(rating.note for rating in self.ratings)

    def metric(self, name: str, agent: int) -> Estimate:
        """A metric of an agent: its share or its mean."""
        share = self.summary.kind(name) == "share"
        return self.summary.share(name, agent) if share else self.summary.metric_mean(name, agent)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        return {
            "name": self.name,
            "game": self.game.to_json(),
            "format": self.format,
            "seed": self.seed,
            "command": self.command,
            "machine": self.machine,
            "version": self.version,
            "seconds": self.seconds,
            "games_per_second": self.games_per_second,
            "planned": self.planned,
            "date": self.date,
            "test": self.test,
            **self.summary.to_dict(),
            "ratings": [rating.to_dict() for rating in self.ratings],
            "openskill": [rating.to_dict() for rating in self.openskill.values()],
        }


# --- Where entries come from ------------------------------------------------------------------------------------------


def from_result(result: Result, name: str = "run", command: str = "") -> Entry:
    """An entry from a result in memory."""
    plan = result.plan
    machine, version = hardware_text(), f"Kiebitz {VERSION}"
    test = "" if result.run.test is None else result.run.test.words()
    played = result.run.seconds
    return Entry(
        result, name, plan.game, plan.format, plan.seed, command, machine, version, played, plan.games, test=test
    )


def from_store(store: Store, run: int) -> Entry:
    """An entry from a run of a store."""
    info = store.run(run)
    rows = store.rows(run, actions=False, below=info.counted)
    return _from_info(vars(info), rows, f"run {run}", info.created)


def from_file(path: str | Path) -> Entry:
    """An entry from a file of JSON lines: first the run with its ``plan``, then one row per line."""
    path = Path(path)
    with path.open(encoding="utf-8", errors="replace") as file:  # text that cannot be decoded is not JSON either
        lines = enumerate(file, 1)
        info = _line(path, *next(lines, (1, "")))
        if not isinstance(info.get("plan"), Mapping):
            raise ParameterError(f"{path}: line 1: expected a run with its plan")

        def rows() -> Iterator[Row]:
            for number, line in lines:
                data = _line(path, number, line)
                data.pop("run", None)
                row = Row.from_json(data)
                if info.get("counted") is None or row.number < info["counted"]:
                    yield row

        try:
            created = datetime.fromisoformat(str(info["created"])) if info.get("created") else None
        except ValueError:
            raise ParameterError(f"{path}: line 1: expected a date, got {info['created']!r:.60}") from None
        return _from_info(info, rows(), path.name, created)


def _line(path: Path, number: int, text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise ParameterError(f"{path}: line {number}: expected a JSON object")
    return data


def _from_info(data: Mapping[str, Any], rows: Iterator[Row], name: str, created: datetime | None) -> Entry:
    plan = data["plan"]
    try:
        game, specs = from_json(plan["game"]), [str(spec) for spec in plan["agents"]]
        summary = Summary(rows, specs, game, [_cheats(spec, game) for spec in specs])
        return Entry(
            summary=summary,
            name=name,
            game=game,
            format=str(plan.get("format", "")),
            seed=int(plan.get("seed", 0)),
            command=str(data.get("command") or ""),
            machine=str(data.get("hardware") or ""),
            version=f"Kiebitz {data['version']}" if data.get("version") else "",
            seconds=float(data.get("seconds") or 0.0),
            planned=plan.get("games"),
            date="" if created is None else created.strftime("%Y-%m-%d %H:%M"),
            test=str((data.get("test") or {}).get("words", "")),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ParameterError(f"{name}: expected a plan with its game and agents: {error!s:.100}") from None


def _cheats(spec: str, game: Game) -> bool:
    try:
        return create(spec, game).sees_state
    except Error:  # an agent that no longer exists
        return False
