"""kiebitz experiment: published tables beside ours, in three sizes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.markdown import Markdown
from rich.markup import escape
from rich.table import Table

from kiebitz.cli.common import INTERRUPTED, AsJson, SeedOption, err, out, print_json, progress
from kiebitz.experiments import GAMES, PRESETS, list_experiments
from kiebitz.experiments import experiment as find_experiment
from kiebitz.experiments import run as run_experiment
from kiebitz.experiments.report import Report, ReportTable

MOST_COLUMNS = 6
"""Of a table in a terminal: one with more is turned if that makes it narrower."""


def experiment(  # noqa: PLR0917 (options for Typer)
    game: Annotated[str, typer.Argument(help=f"The game the experiments are about: {' or '.join(GAMES)}.")],
    name: Annotated[str | None, typer.Argument(help="Which experiment; without it they are listed.")] = None,
    preset: Annotated[str, typer.Option(help=f"The size: {', '.join(PRESETS)}.")] = "quick",
    out_folder: Annotated[Path, typer.Option("--out", help="The folder for report, plot and figures.")] = Path(
        "experiments"
    ),
    workers: Annotated[int | None, typer.Option(help="Processes; without it, one for each core.", min=1)] = None,
    seed: SeedOption = 1,
    json: AsJson = False,
) -> None:
    """Run a published experiment and compare. Ctrl-C stops it; the same command resumes it."""
    if name is None:
        _list(game, workers or os.cpu_count() or 1, json)
        return
    chosen = find_experiment(game, name)
    with progress(chosen.title, 1) as bar:

        def advance(what: str, done: int, total: int) -> None:
            bar.update(bar.task_ids[0], description=f"{chosen.name}: {what}", completed=done, total=total)

        report = run_experiment(chosen, preset, seed, out_folder, workers=workers, progress=advance)
    if json:
        print_json(report.to_dict())
    else:
        _show(report)
        folder = out_folder / f"{game}-{name}-{preset}"
        out.print(f"\nreport, plot and all figures: {folder}", style="dim", markup=False, soft_wrap=True)
    if report.interrupted:
        err.print("interrupted: the same command goes on from here", style="yellow")
        raise typer.Exit(INTERRUPTED)


def _show(report: Report) -> None:
    """The report for a terminal: what was found, and the tables, those with many columns turned."""
    out.print(f"[bold]{escape(report.title)}[/bold]")
    out.print(report.shows, markup=False)
    out.print(report.took, style="dim", markup=False)
    for note in report.notes:
        out.print()
        out.print(Markdown(note))
    if report.findings:
        table = Table(title="\nwhat was found", title_justify="left", box=None, pad_edge=False)
        table.add_column("shown", no_wrap=True)
        table.add_column("statement", ratio=3)
        table.add_column("figures", ratio=2)
        for item in report.findings:
            table.add_row(report.shown(item), escape(item.claim), escape(item.figures))
        out.print(table)
    for each in report.tables:
        out.print(_table(each, judged=not report.findings))


def _table(shown: ReportTable, judged: bool) -> Table:
    rows = shown.rows(judged)
    if len(rows[0]) > MOST_COLUMNS and len(rows) < len(rows[0]):
        rows = [list(row) for row in zip(*rows, strict=True)]
    table = Table(title=f"\n{escape(shown.title)}", title_justify="left", box=None, pad_edge=False)
    for title in rows[0]:
        table.add_column(escape(title), overflow="fold")
    for row in rows[1:]:
        table.add_row(*map(escape, row))
    return table


def _list(game: str, workers: int, json: bool) -> None:
    chosen = list_experiments(game)
    times = {item.name: {preset: item.seconds(preset) / workers for preset in PRESETS} for item in chosen}
    if json:
        print_json([{"name": item.name, "shows": item.shows, "seconds": times[item.name]} for item in chosen])
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("experiment", no_wrap=True)
    table.add_column("shows")
    for preset in PRESETS:
        table.add_column(preset, justify="right", no_wrap=True)
    for item in chosen:
        table.add_row(item.name, item.shows, *(duration(seconds) for seconds in times[item.name].values()))
    total = [duration(sum(times[item.name][preset] for item in chosen)) for preset in PRESETS]
    table.add_row("all", "", *total, style="bold")
    out.print(table)
    out.print(f"\nestimated for {workers} cores; presets:", style="dim")
    for preset, meaning in PRESETS.items():
        out.print(f"  {preset}: {meaning}", style="dim")


def duration(seconds: float) -> str:
    """A long time in a unit that people read easily.

    >>> duration(20), duration(600), duration(7200 * 5), duration(1e6), duration(1e8)
    ('20 s', '10 min', '10 h', '12 days', '3.2 years')
    """
    if seconds < 100:
        return f"{max(seconds, 1):.0f} s"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} min"
    if seconds < 48 * 3600:
        return f"{seconds / 3600:.0f} h"
    days = seconds / 86400
    return f"{days:.0f} days" if days < 365 else f"{days / 365.25:.1f} years"
