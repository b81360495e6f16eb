"""kiebitz train: nets that teach themselves."""

from __future__ import annotations

import re
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from kiebitz import learn
from kiebitz._core import Game, StopToken
from kiebitz.cli.arena import NO_STORE, without_password
from kiebitz.cli.common import GAME, INTERRUPTED, AsJson, ParamOption, err, make_game, out, print_json
from kiebitz.errors import UnsuitableGame
from kiebitz.games import declaration_of

if TYPE_CHECKING:
    from kiebitz.store.store import Store

SHOWN = 3
"""Results that are shown at the end, the most important ones; the log has all."""
SPEED_SECONDS = 1800
"""The time left is estimated from so many seconds: a step, or a game of a strong teacher, may take minutes."""


def train(  # noqa: PLR0917 (options for Typer)
    game: Annotated[str | None, typer.Argument(help=f"The game: {GAME}. Without one: list all methods.")] = None,
    method: Annotated[
        str | None,
        typer.Argument(
            help="How to learn, with options as in 'nfsp(hidden=128)'. Without one: list what suits the game, with its "
            "presets."
        ),
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
    if game is None:
        _list(json)
        return
    made = make_game(game, rules, param)
    if method is None:
        _list_for(made, ["kiebitz", "train", game, *_rules_again(rules, param)], json)
        return
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
            speed_estimate_period=SPEED_SECONDS,
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
        done = f"{found.name} after {net.card.steps:,} steps and {_time(net.card.hours)}"
        out.print(f"{done}: {results}" if results else done)
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
    """What is going on, or the most important number that was measured last."""
    if "phase" in row:
        return f"{method}: {row['phase']}"
    from kiebitz.learn.run import NOT_DRAWN  # not before PyTorch is needed

    first = next(((name, value) for name, value in row.items() if name not in NOT_DRAWN), None)
    return method if first is None else f"{method}: {_plain(first[0])} {first[1]:.4g}"


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _time(hours: float) -> str:
    """CPU time in a unit that people read easily.

    >>> _time(0.0016), _time(0.5)
    ('5.8 CPU seconds', '30.0 CPU minutes')
    """
    return f"{hours * 3600:.2g} CPU seconds" if hours < 1 / 60 else f"{hours * 60:.1f} CPU minutes"


def _list(json: bool) -> None:
    """All methods."""
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


def _list_for(game: Game, command: Sequence[str], json: bool) -> None:
    """The methods that suit a game, each with the presets that the game declares for it."""
    suited, refused = [], []
    for each in learn.methods().values():
        try:
            each.check(game)
        except UnsuitableGame as error:
            refused.append(error)
        else:
            suited.append(each)
    if not suited:
        raise refused[0]
    declared = declaration_of(game).learning
    presets = {each.name: list(declared.get(each.name, {})) for each in suited}
    if json:
        print_json([{"name": each.name, "title": each.title, "presets": presets[each.name]} for each in suited])
        return
    table = Table("method", "presets", "what it does", box=None)
    for each in suited:
        table.add_row(each.name, ", ".join(presets[each.name]) or "-", each.title)
    out.print(table)
    for why in refused:
        out.print(str(why), style="dim", markup=False)
    name, preset = next(((name, names[0]) for name, names in presets.items() if names), (suited[0].name, None))
    example = shlex.join([*command, name, *(["--preset", preset] if preset else [])])
    out.print(f"for example: {example}", markup=False, soft_wrap=True)
    out.print("without a preset a method runs with its defaults", style="dim")


def _rules_again(rules: str | None, param: Sequence[str] | None) -> list[str]:
    """The options that chose the rules, as they are typed."""
    return [*(["--rules", rules] if rules else []), *(word for each in param or () for word in ("-p", each))]
