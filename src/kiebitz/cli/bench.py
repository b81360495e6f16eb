"""kiebitz bench: how fast the games and the tree search are on this machine, in a few seconds."""

from __future__ import annotations

import random
import time
from typing import Annotated, Any

import typer
from rich.table import Table

import kiebitz as kb
from kiebitz._core import TERMINAL, Game
from kiebitz.cli.common import GAME, AsJson, make_game, out, print_json, progress
from kiebitz.errors import Error
from kiebitz.search import Uct

SIGNATURE_ITERATIONS = 2000


def bench(
    games: Annotated[
        list[str] | None, typer.Argument(help=f"The games to measure, each {GAME}; without it, all.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Time for each figure.", min=0.01, max=60)] = 0.3,
    json: AsJson = False,
) -> None:
    """Measure the speed of games and search on this machine, one thread. 'make bench' compares with other programs."""
    chosen = [make_game(name) for name in games] if games else _all()
    rows = []
    with progress("measuring", len(chosen)) as bar:
        for game in chosen:
            rows.append(measure(game, seconds))
            bar.advance(bar.task_ids[0])
    signature = sum(int(row["signature"]) for row in rows)
    if json:
        print_json({"games": rows, "signature": signature})
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("game")
    for title in ("Python games/s", "playouts/s", "UCT simulations/s", "signature"):
        table.add_column(title, justify="right")
    for row in rows:
        rates = (f"{row[key]:,.0f}" for key in ("python_games", "playouts", "simulations"))
        table.add_row(str(row["game"]), *rates, f"{row['signature']:,}")
    out.print(table)
    out.print(f"\nsignature {signature:,}: what fixed searches found; it changes when play does", style="dim")


def measure(game: Game, seconds: float) -> dict[str, Any]:
    """The figures of one game per second: random games driven from Python, playouts and simulations of the core."""
    return {
        "game": game.name,
        "python_games": _python_games(game, seconds),
        "playouts": _rate(game, seconds, tree_depth=1, select="round_robin"),
        "simulations": _rate(game, seconds),
        "signature": signature_of(game),
    }


def signature_of(game: Game) -> int:
    """A number that changes when the search plays differently: the sum of what a fixed search finds at the root."""
    analysis = Uct(game, iterations=SIGNATURE_ITERATIONS, seed=1).search(game.new(seed=1))
    return analysis.nodes + sum((i + 1) * entry.visits for i, entry in enumerate(analysis.actions))


def _python_games(game: Game, seconds: float) -> float:
    choice = random.Random(1).choice
    begun = time.perf_counter()
    count = 0
    while (took := time.perf_counter() - begun) < seconds or count == 0:
        state = game.new(seed=count)
        while state.player != TERMINAL:
            state.apply(choice(state.legal()))
        count += 1
    return count / took


def _rate(game: Game, seconds: float, **options: Any) -> float:
    """Iterations per second of a search from the start (of one deal)."""
    state = game.new(seed=1)
    analysis = Uct(game, seconds=seconds, seed=1, **options).search(state)
    return analysis.iterations / analysis.seconds if analysis.seconds > 0 else 0.0


def _all() -> list[Game]:
    """Every game that has default rules."""
    found = []
    for name in kb.list_games():
        try:
            found.append(kb.game(name))
        except Error:
            continue  # a game that needs parameters
    return found
