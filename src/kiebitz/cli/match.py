"""kiebitz match: n games between agents, with confidence intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from kiebitz.arena import Estimate, Result
from kiebitz.arena import match as play_match
from kiebitz.cli.common import (
    GAME,
    INTERRUPTED,
    AsJson,
    ParamOption,
    PresetOption,
    SeedOption,
    err,
    make_game,
    number,
    out,
    print_json,
    progress,
    seconds,
)


def match(  # noqa: PLR0917 (options for Typer)
    game: Annotated[str, typer.Argument(help=f"The game: {GAME}.")],
    specs: Annotated[list[str], typer.Argument(help="One agent for each seat, such as random 'uct(iterations=500)'.")],
    games: Annotated[int, typer.Option("--games", "-n", help="How many games; seats are rotated.")] = 100,
    seed: SeedOption = 0,
    record: Annotated[Path | None, typer.Option(help="Append every game to this file.")] = None,
    preset: PresetOption = None,
    param: ParamOption = None,
    json: AsJson = False,
) -> None:
    """Let agents play many games against each other."""
    rules = make_game(game, preset, param)
    with progress(f"{rules.info.title}", games) as bar:

        def advance(result: Result) -> None:
            bar.update(bar.task_ids[0], completed=result.games)

        result = play_match(rules, specs, games=games, seed=seed, progress=advance, record=record)
    if json:
        print_json(result.to_dict())
    else:
        _show(result, rules.info.title)
    if result.interrupted:
        err.print(f"interrupted after {result.games} of {result.planned} games", style="yellow")
        raise typer.Exit(INTERRUPTED)


def _show(result: Result, title: str) -> None:
    out.print(f"[bold]{title}[/bold], {result.games:,} games, seed {result.seed}, {seconds(result.seconds)}")
    if not result.games:
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("agent", overflow="fold")
    for column in ("payoff", "won/drawn/lost", "win rate", "per move"):
        table.add_column(column, justify="right", no_wrap=True)
    for score in result.scores:
        table.add_row(
            f"{score.spec} *" if score.cheats else score.spec,
            _payoff(score.payoff),
            f"{score.wins:,}/{score.draws:,}/{score.losses:,}",
            _rate(score.win_rate),
            seconds(score.seconds / score.moves) if score.moves else "",
        )
    out.print(table)
    line = f"{result.mean_plies:.1f} moves a game; payoffs and win rates with 95 % confidence intervals"
    if any(_same(score.payoff) for score in result.scores):
        line += "; no interval where every deal paid the same"
    if result.guarded is not None:
        line += f"; {result.guarded:,} games ended by the guard against endless play"
    out.print(line, style="dim")
    if any(score.cheats for score in result.scores):
        out.print("* cheats: sees everything, so its result says nothing about fair play", style="yellow")


def _same(estimate: Estimate) -> bool:
    """Whether every block paid the same, so that their spread says nothing about the next one."""
    return estimate.high is not None and estimate.high - estimate.value < 1e-9


def _payoff(estimate: Estimate) -> str:
    if estimate.high is None or _same(estimate):
        return number(estimate.value)
    return f"{number(estimate.value)} ± {estimate.high - estimate.value:.3f}"


def _rate(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "-"
    return f"{estimate.value:.1%} ({100 * estimate.low:.0f} to {100 * estimate.high:.0f})"
