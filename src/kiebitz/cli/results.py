"""kiebitz results: earlier runs from the store, for people, as CSV and as JSON lines (docs/results.md)."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from kiebitz._core import Game
from kiebitz.arena.matches import record_of_row
from kiebitz.arena.plan import Plan
from kiebitz.arena.summary import Summary
from kiebitz.cli.common import AsJson, clean, number, out, print_json, progress, seconds
from kiebitz.cli.tables import AgentRow, WidthOption, check_width, print_agents, print_needed, print_notes, remarks
from kiebitz.errors import Error, ParameterError
from kiebitz.files import replacing
from kiebitz.games import from_json
from kiebitz.store.rows import Row

if TYPE_CHECKING:
    from kiebitz.store.store import RunInfo, Store

TRAINING = "training"
"""The kind of runs that trained a net: they have steps, no games."""

DbOption = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="PATH|URL",
        help="The database: an SQLite file or an SQLAlchemy URL; without it $KIEBITZ_DB, or the user's own.",
    ),
]


def results(  # noqa: PLR0917 (options for Typer)
    run: Annotated[int | None, typer.Argument(metavar="[ID]", help="One run, by its number in the list.")] = None,
    game: Annotated[str | None, typer.Option(help="Only runs of this game.")] = None,
    agent: Annotated[str | None, typer.Option(help="Only runs with an agent whose spec has this text in it.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="Only runs of this kind, such as match, tournament or training.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Only runs begun since a day (2026-01-31) or a time, or within a span (12h, 7d).")
    ] = None,
    to_csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE|-", help="Write the games of the run as CSV.")
    ] = None,
    to_jsonl: Annotated[
        str | None, typer.Option("--jsonl", metavar="FILE|-", help="Write the games of the run as JSON lines.")
    ] = None,
    to_records: Annotated[
        str | None,
        typer.Option(
            "--records", metavar="FILE|-", help="Write the games of the run as records, to replay and analyse."
        ),
    ] = None,
    delete: Annotated[int | None, typer.Option("--delete", metavar="ID", help="Delete a run and its games.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
    width: WidthOption = None,
    db: DbOption = None,
    json: AsJson = False,
) -> None:
    """Show earlier runs and trainings: all of them, one run, or its games as CSV, JSON lines or records."""
    from kiebitz.store.store import Store  # SQLAlchemy is slow to load

    filters: dict[str, Any] = {"game": game, "agent": agent, "kind": kind}
    filters["since"] = None if since is None else parse_since(since, datetime.now())
    _check(run, any(value is not None for value in filters.values()), [to_csv, to_jsonl, to_records], delete)
    check_width(width)
    with Store.open(db, create=db is None, reading=delete is None) as store:
        if delete is not None:
            _delete(store, store.run(delete), yes, json)
        elif run is None:
            _list(store.runs(**filters), json)
        elif to_csv is not None:
            info = _with_games(store, run)
            _export(to_csv, lambda file: write_csv(file, info, _shown(store, info)))
        elif to_jsonl is not None:
            info = _with_games(store, run)
            _export(to_jsonl, lambda file: write_jsonl(file, info, _shown(store, info)))
        elif to_records is not None:
            info = _with_games(store, run)
            _export(to_records, lambda file: write_records(file, info, _shown(store, info)))
        else:
            _show(store, store.run(run), json, width)


def _check(run: int | None, filtered: bool, files: list[str | None], delete: int | None) -> None:
    exports = [file for file in files if file is not None]
    if len(exports) > 1:
        raise ParameterError("expected one of --csv, --jsonl and --records")
    if exports and run is None:
        raise ParameterError("expected the number of a run to export, such as 'kiebitz results 3 --csv games.csv'")
    if run is not None and filtered:
        raise ParameterError("expected the number of a run or filters, got both")
    if delete is not None and (run is not None or filtered or exports):
        raise ParameterError("--delete: expected only the number of the run to delete")


def _with_games(store: Store, run: int) -> RunInfo:
    info = store.run(run)
    if info.kind == TRAINING:
        raise ParameterError(f"run {run} trained a net: it has no games; its log is in {info.plan.get('folder')}")
    return info


def parse_since(text: str, now: datetime) -> datetime:
    """A local time from a day, a time, or a time span before now.

    >>> now = datetime(2026, 3, 10, 12)
    >>> parse_since("2026-03-01", now), parse_since("36h", now), parse_since("2w", now)
    (datetime.datetime(2026, 3, 1, 0, 0), datetime.datetime(2026, 3, 9, 0, 0), datetime.datetime(2026, 2, 24, 12, 0))
    """
    units = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
    ago = re.fullmatch(r"(\d{1,5})\s*([mhdw])", text.strip())
    try:
        if ago is not None:
            return now - timedelta(**{units[ago[2]]: int(ago[1])})
        moment = datetime.fromisoformat(text.strip())
        moment.astimezone(UTC)  # the first and last days of the calendar do not exist in every time zone
        return moment
    except (ValueError, OverflowError):
        raise ParameterError(f"--since: expected a day such as 2026-01-31, or 12h or 7d, got '{text:.40}'") from None


# --- Runs -------------------------------------------------------------------------------------------------------------


def _list(runs: list[RunInfo], as_json: bool) -> None:
    if as_json:
        print_json([info.to_dict() for info in runs])
        return
    if not runs:
        out.print("no runs")
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("run", justify="right")
    for title in ("begun", "kind", "game"):
        table.add_column(title, no_wrap=True)
    table.add_column("games", justify="right", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("agents", overflow="fold", ratio=1)
    for info in runs:
        begun = f"{info.created.astimezone():%d %b %H:%M}"
        table.add_row(
            str(info.id), begun, info.kind, info.game, _games(info), _state(info), escape(", ".join(info.agents))
        )
    out.print(table)


def _games(info: RunInfo) -> str:
    if info.kind == TRAINING:
        steps, planned = (info.training or {}).get("steps", 0), info.plan.get("steps") or 0
        return f"{steps:,} of {planned:,} steps"
    return f"{info.done:,}" if info.planned is None else f"{info.done:,} of {info.planned:,}"


def _state(info: RunInfo) -> str:
    return "unfinished" if info.finished is None else "finished" if info.counted is None else "decided"


def _show_training(info: RunInfo, as_json: bool) -> None:
    if as_json:
        print_json(info.to_dict())
        return
    found = info.training or {}
    out.print(f"[bold]run {info.id}[/bold]: {info.kind}, {info.game}, {_games(info)}, {_state(info)}")
    hours = float(found.get("cpu_hours") or 0)
    out.print(f"begun {info.created.astimezone():%Y-%m-%d %H:%M}, {hours * 60:,.1f} CPU minutes")
    out.print(info.hardware or f"Kiebitz {info.version}", markup=False)
    if info.command:
        out.print(info.command, markup=False, soft_wrap=True)
    out.print(f"{', '.join(info.agents)}\nin {info.plan.get('folder', '')}", markup=False, soft_wrap=True)
    if found.get("net"):
        out.print(f"net {found['net']}", markup=False)
    if found.get("results"):
        table = Table("measured last", "", box=None, pad_edge=False)
        for name, value in found["results"].items():
            table.add_row(name.replace("_", " "), number(value) if isinstance(value, int | float) else str(value))
        out.print()
        out.print(table)


def _show(store: Store, info: RunInfo, as_json: bool, width: float | None) -> None:
    if info.kind == TRAINING:
        _show_training(info, as_json)
        return
    cheats = [spec.startswith("cheat(") for spec in info.agents]
    summary = Summary(_shown(store, info, actions=False, below=info.counted), info.agents, _game(info), cheats)
    if as_json:
        print_json({**info.to_dict(), "results": summary.to_dict() if summary.games else None})
        return
    out.print(f"[bold]run {info.id}[/bold]: {info.kind}, {info.game}, {_games(info)} games, {_state(info)}")
    out.print(f"begun {info.created.astimezone():%Y-%m-%d %H:%M}, {seconds(info.seconds)} of play")
    out.print(info.hardware or f"Kiebitz {info.version}", markup=False)
    if info.command:
        out.print(info.command, markup=False, soft_wrap=True)
    if summary.games:
        out.print()
        blocks = summary.blocks_name
        note = f"[dim]payoff per player and game, with 95 % intervals from the spread between {blocks}[/dim]"
        titles = ("games", "payoff", "won/drawn/lost", "slowest")
        rows = [_agent_row(summary, agent) for agent in range(len(info.agents))]
        print_agents(titles, rows, [note, *remarks(summary)])
        if info.test is not None:
            out.print(str(info.test.get("words", "")), style="bold", markup=False, soft_wrap=True)
        if width is not None:
            print_needed(summary, width)
    else:
        print_notes(remarks(summary))


def _game(info: RunInfo) -> Game | None:
    try:
        return from_json(info.plan["game"])
    except (Error, KeyError):  # a game of somebody's own that is not loaded
        return None


def _agent_row(summary: Summary, agent: int) -> AgentRow:
    outcomes, payoff = summary.outcomes(agent), summary.payoff(agent)
    text = number(payoff.value)
    if payoff.low is not None and payoff.high is not None:
        text += f" ({number(payoff.low)} to {number(payoff.high)})"
    cells = (
        f"{outcomes.games:,}",
        text if outcomes.games else "",
        f"{outcomes.wins:,}/{outcomes.draws:,}/{outcomes.losses:,}",
        seconds(summary.slowest(agent)),
    )
    return AgentRow(summary.specs[agent], summary.cheats[agent], cells, *summary.effort(agent))


def _delete(store: Store, info: RunInfo, yes: bool, as_json: bool) -> None:
    what = f"run {info.id} ({info.kind}, {info.game})"
    what += "; its folder stays" if info.kind == TRAINING else f" and its {info.done:,} games"
    if not yes:
        typer.confirm(f"Delete {what}?", abort=True, err=True)
    store.delete(info.id)
    if as_json:
        print_json({"deleted": info.id, "games": info.done})
    else:
        out.print(f"deleted {what}", markup=False)


# --- Games ------------------------------------------------------------------------------------------------------------

BEFORE = ("run", "number", "deal", "plies", "choices")
SEAT = ("agent", "payoff", "moves", "seconds", "slowest")
AFTER = ("events", "metrics", "actions")
"""The columns of a CSV file: columns of the game, columns repeated for each seat, columns after them."""


def write_csv(file: IO[str], info: RunInfo, rows: Iterable[Row]) -> None:
    """A header line, then a line per game."""
    writer = csv.writer(file, lineterminator="\n")
    agents = info.agents
    seats: int | None = None
    for row in rows:
        if seats is None:
            seats = len(row.seating)
            writer.writerow(_header(seats))
        cells: list[Any] = [info.id, row.number, row.deal, row.plies, row.choices]
        for seat, agent in enumerate(row.seating):
            cells += [agents[agent], row.payoffs[seat], row.moves[seat], row.seconds[seat], row.slowest[seat]]
        events = json.dumps(row.events) if row.events else ""
        metrics = json.dumps(row.metrics, sort_keys=True) if row.metrics else ""
        writer.writerow([*cells, events, metrics, " ".join(map(str, row.actions))])
    if seats is None:
        writer.writerow(_header(0))


def _header(seats: int) -> list[str]:
    return [*BEFORE, *(f"{name}_{seat}" for seat in range(seats) for name in SEAT), *AFTER]


def write_jsonl(file: IO[str], info: RunInfo, rows: Iterable[Row]) -> None:
    """A line for the run with its plan, then one per game, as `Row.from_json` reads it."""
    for data in chain([info.to_dict()], (row.to_json() for row in rows)):
        file.write(json.dumps(clean(data), ensure_ascii=False, allow_nan=False) + "\n")


def write_records(file: IO[str], info: RunInfo, rows: Iterable[Row]) -> None:
    """A line per game as a record; games that could not be played are left out."""
    plan = Plan.from_json(info.plan)
    for row in rows:
        if row.void is None:
            file.write(json.dumps(record_of_row(plan, row).to_json(), ensure_ascii=False, allow_nan=False) + "\n")


def _shown(store: Store, info: RunInfo, actions: bool = True, below: int | None = None) -> Iterator[Row]:
    """The games of a run, with a progress bar if that takes long."""
    with progress("reading", info.done if below is None else min(info.done, below)) as bar:
        for row in store.rows(info.id, actions=actions, below=below):
            yield row
            bar.advance(bar.task_ids[0])


def _export(name: str, write: Callable[[IO[str]], None]) -> None:
    """Writes to stdout, or replaces a file in one step."""
    if name == "-":
        write(sys.stdout)
        return
    path = Path(name)
    if path.is_dir():
        raise ParameterError(f"{name}: expected a file, got a folder")
    with replacing(path) as raw:
        file = io.TextIOWrapper(raw, encoding="utf-8", newline="", write_through=True)
        write(file)
        file.detach()
