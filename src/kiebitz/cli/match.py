"""kiebitz match: n games between agents, with confidence intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kiebitz.arena import Estimate, Result
from kiebitz.arena import match as play_match
from kiebitz.cli.common import (
    AsJson,
    GameArgument,
    ParamOption,
    PresetOption,
    SeedOption,
    conclude,
    make_game,
    number,
    out,
    progress,
    seconds,
)
from kiebitz.cli.tables import AgentRow, print_agents


def match(  # noqa: PLR0917 (options for Typer)
    game: GameArgument,
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
    with progress(rules.info.title, games) as bar:

        def advance(result: Result) -> None:
            bar.update(bar.task_ids[0], completed=result.games)

        result = play_match(rules, specs, games=games, seed=seed, progress=advance, record=record)
    conclude(result, json, lambda: _show(result, rules.info.title), f"{result.games} of {result.planned} games")


def _show(result: Result, title: str) -> None:
    out.print(f"[bold]{title}[/bold], {result.games:,} games, seed {result.seed}, {seconds(result.seconds)}")
    if not result.games:
        return
    rows = [
        AgentRow(
            score.spec,
            score.cheats,
            (_payoff(score.payoff), f"{score.wins:,}/{score.draws:,}/{score.losses:,}", _rate(score.win_rate)),
            score.moves,
            score.seconds,
        )
        for score in result.scores
    ]
    line = f"{result.mean_plies:.1f} moves a game; payoffs and win rates with 95 % confidence intervals"
    if any(_same(score.payoff) for score in result.scores):
        line += "; no interval where every deal paid the same"
    if result.guarded is not None:
        line += f"; {result.guarded:,} games ended by the guard against endless play"
    print_agents(("payoff", "won/drawn/lost", "win rate"), rows, [f"[dim]{line}[/dim]"])


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
