"""kiebitz train: nets that teach themselves."""

from __future__ import annotations

import re
import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from kiebitz import learn
from kiebitz._core import StopToken
from kiebitz.cli.arena import NO_STORE, without_password
from kiebitz.cli.common import GAME, INTERRUPTED, AsJson, ParamOption, err, make_game, out, print_json

if TYPE_CHECKING:
    from kiebitz.store.store import Store

SHOWN = 3
"""Results that are shown at the end, the most important ones; the log has all."""


def train(  # noqa: PLR0917 (options for Typer)
    game: Annotated[str | None, typer.Argument(help=f"The game: {GAME}. Without one: list the methods.")] = None,
    method: Annotated[
        str | None, typer.Argument(help="How to learn, with options as in 'nfsp(hidden=128)'; see 'kiebitz train'.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="How much: toy (seconds), laptop (up to hours) or thesis (as published).")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Random numbers.", min=0)] = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where the run is kept; one that is there goes on. Default: in runs/."),
    ] = None,
    rules: Annotated[str | None, typer.Option(help="A named set of rules; see 'kiebitz games GAME'.")] = None,
    param: ParamOption = None,
    db: Annotated[
        str | None,
        typer.Option(
            help="Where the run is listed: a file or SQLAlchemy URL; 'none' keeps nothing. Default: your own store."
        ),
    ] = None,
    steps: Annotated[int | None, typer.Option(help="How long; more than before make a kept run longer.", min=1)] = None,
    json: AsJson = False,
) -> None:
    """Train a net by playing. Ctrl-C keeps everything, and the same command goes on from there."""
    if game is None or method is None:
        if game is not None:
            err.print("error: expected a method after the game; these are known:", style="red")
        _list(json)
        raise typer.Exit(0 if game is None else 2)
    made = make_game(game, rules, param)
    more = {name: value for name, value in (("seed", seed), ("steps", steps)) if value is not None}
    found, options = learn.find(method, made, preset, **more)
    words = [game, rules, *(param or []), found.name, preset, f"seed{getattr(options, 'seed', 0)}"]
    kept = folder or Path("runs") / "-".join(re.sub(r"[^\w.=]+", "_", word) for word in words if word)
    stop = StopToken()
    store = _open(db)
    command = shlex.join(["kiebitz", *map(without_password, sys.argv[1:])])
    before = signal.signal(signal.SIGINT, lambda *_: stop.request())
    try:
        with Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=err,
            transient=True,
            disable=json,
        ) as bars:
            task = bars.add_task(f"{found.name}, {made.info.title}", total=options.steps)

            def report(step: int, last: int, row: dict[str, Any]) -> None:
                if step % max(last // 1000, 1) == 0 or step == last:
                    bars.update(task, completed=step, total=last, description=_words(found.name, row))

            net = learn.train(
                made, method, kept, preset, stop=stop, report=report, store=store, command=command, warn=_warn, **more
            )
    finally:
        signal.signal(signal.SIGINT, before)
        if store is not None:
            store.close()
    if json:
        print_json({"folder": str(kept), "card": vars(net.card), "stopped": stop.requested})
    else:
        results = ", ".join(f"{_plain(name)} {value:.4g}" for name, value in list(net.card.results.items())[:SHOWN])
        out.print(f"{found.name} after {net.card.steps:,} steps and {net.card.hours * 60:.1f} CPU minutes: {results}")
        out.print(f"kept in {kept}; play it with 'net(file=\"{kept / 'net.npz'}\")'", style="dim")
    if stop.requested:
        err.print("interrupted: the same command goes on from here", style="yellow")
        raise typer.Exit(INTERRUPTED)


def _open(db: str | None) -> Store | None:
    """The store, unless it is not wanted or cannot be used: a training does not depend on it. One that was named and
    cannot be used is an error."""
    if db == NO_STORE:
        return None
    from kiebitz.store.database import StoreError  # slow to load
    from kiebitz.store.store import Store

    try:
        return Store.open(db)
    except StoreError as error:
        if db is not None:
            raise
        _warn(f"the training is not listed in the store: {error}")
        return None


def _warn(words: str) -> None:
    err.print(words, style="yellow", markup=False)


def _words(method: str, row: dict[str, Any]) -> str:
    from kiebitz.learn.run import NOT_DRAWN  # not before PyTorch is needed

    first = next(((name, value) for name, value in row.items() if name not in NOT_DRAWN), None)
    return method if first is None else f"{method}: {_plain(first[0])} {first[1]:.4g}"


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _list(json: bool) -> None:
    known = learn.methods()
    if json:
        print_json(
            [{"name": m.name, "title": m.title, "options": [o.to_dict() for o in m.options]} for m in known.values()]
        )
        return
    table = Table("method", "what it does", box=None)
    for each in known.values():
        table.add_row(each.name, each.title)
    out.print(table)
