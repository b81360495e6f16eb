"""kiebitz compare: agents on shared deals, in all seatings, on all cores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kiebitz.arena import Comparison, Estimate
from kiebitz.arena import compare as play_comparison
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


def compare(  # noqa: PLR0917 (options for Typer)
    game: GameArgument,
    specs: Annotated[list[str], typer.Argument(help="The agents, such as random 'uct(iterations=500)'.")],
    deals: Annotated[int, typer.Option("--deals", "-n", help="How many deals, each played in all seatings.")] = 100,
    seatings: Annotated[
        str, typer.Option(help="two_against_two (all seatings of two agents), constellations or self_play.")
    ] = "two_against_two",
    seed: SeedOption = 0,
    workers: Annotated[int | None, typer.Option(help="Processes; without it, one for each core.", min=1)] = None,
    checkpoint: Annotated[Path | None, typer.Option(help="A file that keeps finished deals, to go on later.")] = None,
    preset: PresetOption = None,
    param: ParamOption = None,
    json: AsJson = False,
) -> None:
    """Compare agents on the same deals: the difference of their mean payoffs, deal by deal."""
    rules = make_game(game, preset, param)
    with progress(rules.info.title, deals) as bar:

        def advance(done: int) -> None:
            bar.update(bar.task_ids[0], completed=done)

        result = play_comparison(
            rules, specs, deals, seed, seatings=seatings, workers=workers, checkpoint=checkpoint, progress=advance
        )
    conclude(result, json, lambda: _show(result, rules.info.title), f"{result.deals} of {result.planned} deals")


def _show(result: Comparison, title: str) -> None:
    out.print(
        f"[bold]{title}[/bold], {result.deals:,} deals, {len(result.rows):,} games, seed {result.seed}, "
        f"{seconds(result.seconds)}"
    )
    if not result.rows:
        return
    rows = [
        AgentRow(
            spec,
            result.cheats[agent],
            (_estimate(result.payoff(agent)), f"{result.deviation(agent):.2f}"),
            *result.effort(agent),
        )
        for agent, spec in enumerate(result.specs)
    ]
    notes = ["[dim]per player and game, with 95 % intervals from the spread between deals[/dim]"]
    if len(rows) == 2:
        notes.insert(0, f"the first against the second: {_estimate(result.difference())}")
    print_agents(("payoff", "deviation"), rows, notes)


def _estimate(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return number(estimate.value)
    return f"{number(estimate.value)} ({number(estimate.low)} to {number(estimate.high)})"
