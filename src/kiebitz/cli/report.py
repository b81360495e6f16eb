"""kiebitz report: one self-contained HTML page about stored runs, with figures beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kiebitz.cli.common import AsJson, out, print_json, progress
from kiebitz.errors import ParameterError

if TYPE_CHECKING:
    from kiebitz.arena.entries import Entry


def report(
    runs: Annotated[
        list[str], typer.Argument(help="The runs: numbers from 'kiebitz results', or files of exported games (.jsonl).")
    ],
    folder: Annotated[
        Path, typer.Option("--out", "-o", help="Where to write: a folder, or the page itself (.html).")
    ] = Path("report"),
    db: Annotated[
        str | None, typer.Option(help="Where games are kept: a file or SQLAlchemy URL. Default: your own store.")
    ] = None,
    title: Annotated[str, typer.Option(help="Above the page; without it, the names of the games.")] = "",
    json: AsJson = False,
) -> None:
    """Write a report on one or several runs: tables, ratings, curves and how to repeat it."""
    # Templates, figures and the store are slow to load, and other commands do not need them.
    from kiebitz.arena.report import write_report

    with progress("report"):
        entries = read(runs, db)
        page = write_report(entries, folder, title)
    if json:
        print_json({"page": str(page), "runs": [entry.to_dict() for entry in entries]})
        return
    games = sum(entry.summary.games for entry in entries)
    out.print(f"{page}: {len(entries)} run{'s' * (len(entries) != 1)}, {games:,} games", markup=False, soft_wrap=True)


def read(runs: list[str], db: str | None) -> list[Entry]:
    """The runs that a command names, from the store or from files."""
    from kiebitz.arena.entries import from_file, from_store
    from kiebitz.store.store import Store

    wrong = [run for run in runs if not run.isdecimal() and not Path(run).is_file()]
    if wrong:
        raise ParameterError(f"{wrong[0]:.100}: expected the number of a run or a file of exported games")
    if not any(run.isdecimal() for run in runs):
        return [from_file(run) for run in runs]
    with Store.open(db, create=False, reading=True) as store:
        return [from_store(store, int(run)) if run.isdecimal() else from_file(run) for run in runs]
