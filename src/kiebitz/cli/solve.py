"""kiebitz solve: equilibria of small games, with the distance to an equilibrium on the way; proofs of positions where a
game declares a solver of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.live import Live
from rich.table import Table
from rich.text import Text

from kiebitz._core import Game
from kiebitz.cli.common import (
    GAME,
    INTERRUPTED,
    AsJson,
    ParamOption,
    PresetOption,
    err,
    make_game,
    number,
    out,
    print_json,
    progress,
    seconds,
)
from kiebitz.cli.normal_form import show_normal_form
from kiebitz.cli.prove import prove
from kiebitz.errors import ParameterError
from kiebitz.games import declaration_of
from kiebitz.solve import METHODS, Method, Point, Policy, SolverRun, answer, compile_game
from kiebitz.solve import solve as run_solver
from kiebitz.solve.method import find_method, method_spec
from kiebitz.solve.plot import picture_path, plot_curves
from kiebitz.solve.run import curve_rows

PROOF_MB = 256
"""Memory of proofs."""
MOST_ROWS = 40
"""Information sets that a table shows unless all are asked for."""


def solve(  # noqa: PLR0917 (options for Typer)
    game: Annotated[str, typer.Argument(help=f"The game: {GAME}; or 'jamfold', the tournament endgame of poker.")],
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method", "-m", help=f"{', '.join(METHODS)}; with options as in 'dcfr(alpha=2)'; may be repeated."
        ),
    ] = None,
    preset: PresetOption = None,
    param: ParamOption = None,
    iterations: Annotated[int | None, typer.Option(help="Stop after this many.", min=1)] = None,
    time: Annotated[float | None, typer.Option(help="Stop after this many seconds of solving.")] = None,
    target: Annotated[
        float | None, typer.Option(help="Stop at this exploitability (NashConv where there is none).")
    ] = None,
    check_every: Annotated[int | None, typer.Option(help="Iterations between two measurements.", min=1)] = None,
    opponent: Annotated[Path | None, typer.Option(help="rnr: the policy file of the opponent.")] = None,
    save: Annotated[Path | None, typer.Option(help="Write the policy to this file, for 'policy(file=...)'.")] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="Write the solver's memory here, once a minute and at the end.")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on from such a file.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Save the curves as a picture: .png, .svg or .pdf.")] = None,
    over: Annotated[str, typer.Option(help="What the picture counts: iterations or seconds.")] = "iterations",
    table: Annotated[bool, typer.Option("--table", help="Print the whole policy by information set.")] = False,
    as_table: Annotated[
        bool,
        typer.Option("--normal-form", help="Show the table over pure strategies, dominance and pure equilibria."),
    ] = False,
    moves: Annotated[
        str | None, typer.Option(help="Proofs: moves from the start, such as 'd d c', to the position to prove.")
    ] = None,
    position: Annotated[
        str | None, typer.Option(help="Proofs: a position as JSON, or @FILE, or - for stdin; moves go on from there.")
    ] = None,
    weak: Annotated[bool, typer.Option("--weak", help="Proofs: who wins, not how soon, which is faster.")] = False,
    table_mb: Annotated[int | None, typer.Option(help="Proofs: memory in megabytes.", min=1)] = None,
    stack: Annotated[int | None, typer.Option(help="jamfold: the chips of the player.", min=1)] = None,
    json: AsJson = False,
) -> None:
    """Solve a small game and report how far from an equilibrium the result is. Ctrl-C keeps the average so far.

    A game that declares an exact solver of its own is proven by it unless a method is named.
    """
    about_methods = (iterations, target, check_every, opponent, save, checkpoint, resume, plot)
    by_method = method is not None or table or as_table
    about_proofs = moves is not None or position is not None or weak or table_mb is not None
    if game.strip().lower() == "jamfold":
        from kiebitz.cli.jamfold import jamfold  # only jam or fold needs its table

        others = (method, preset, iterations, time, target, check_every, opponent, save, checkpoint, resume)
        if any(option is not None for option in others) or table or as_table or about_proofs:
            raise ParameterError("jamfold: expected only --stack, --plot, --json and -p, it has one way to be solved")
        jamfold(stack, plot, json, param)
        return
    if stack is not None:
        raise ParameterError("--stack: only 'kiebitz solve jamfold' has stacks")
    rules = make_game(game, preset, param)
    solver = None if by_method else declaration_of(rules).players.solver(rules, table_mb or PROOF_MB)
    if solver is not None:
        if any(option is not None for option in about_methods):
            raise ParameterError(
                f"{rules.name} is proven by a solver of its own: expected a method (-m) beside options of methods"
            )
        prove(rules, solver, moves=moves, position=position, weak=weak, limit=time or 0, as_json=json)
        return
    if about_proofs:
        raise ParameterError(
            "--moves, --position, --weak and --table-mb: expected no method beside them"
            if by_method
            else f"--moves, --position, --weak and --table-mb: {rules.name} has no solver of its own for these rules"
        )
    if as_table:
        show_normal_form(rules, json)
        return
    methods = method or ["dcfr"]
    if len(methods) > 1 and any(path is not None for path in (save, checkpoint, resume)):
        raise ParameterError("--save, --checkpoint and --resume: expected one method")
    given = {} if opponent is None else {"opponent": Policy.load(opponent, rules)}
    found = [find_method(name, given) for name in methods]  # refuse bad input before the first method runs
    if plot is not None:
        picture_path(plot)
    for path in (save, checkpoint, plot):
        if path is not None and not path.parent.is_dir():
            raise ParameterError(f"{path}: there is no folder {path.parent}")
    limits: dict[str, Any] = {
        "iterations": iterations,
        "seconds": time,
        "target": target,
        "check_every": check_every,
        "checkpoint": checkpoint,
        "resume": resume,
    }
    size = _size(rules)
    if not json:
        out.print(size)
    policies: list[Policy] = []
    for chosen, options in found:
        at_once = chosen.at_once and len(methods) > 1  # the limits apply to other methods
        policy = _run(rules, chosen, options, {} if at_once else limits, quiet=json)
        policies.append(policy)
        if _how(policy).stopped:
            break
    if save is not None:
        policies[0].save(save)
    if plot is not None:
        plot_curves({_how(policy).method: _how(policy).curve for policy in policies}, plot, _title(rules), over)
    if json:
        print_json({"game": rules.to_json(), "runs": [_data(policy) for policy in policies]})
    else:
        if table or (len(policies) == 1 and len(policies[0]) <= MOST_ROWS):
            for policy in policies:
                out.print(policy_table(policy, _how(policy).method if len(policies) > 1 else None))
        for path in (save, checkpoint, plot):
            if path is not None:
                out.print(f"written to {path}", style="dim")
    if any(_how(policy).stopped for policy in policies):
        err.print("interrupted: this is the average so far", style="yellow")
        raise typer.Exit(INTERRUPTED)


def _how(policy: Policy) -> SolverRun:
    assert policy.run is not None
    return policy.run


def _size(game: Game) -> str:
    with progress(f"compiling {game.info.title}"):
        compiled = compile_game(game)
    sets = sum(compiled.sets(player) for player in range(compiled.players))
    return f"{game.info.title}: {compiled.nodes:,} nodes, {sets:,} information sets"


def _title(game: Game) -> str:
    rules = [f"{name} {value}" for name, value in game.to_json().items() if name != "name"]
    if not rules and game.presets:
        rules = [f"preset {game.presets[0].name}"]  # a bare name means the first one
    return ", ".join([game.info.title, *rules])


def _run(game: Game, method: Method, options: dict[str, Any], limits: dict[str, Any], quiet: bool) -> Policy:
    given = {name: value for name, value in limits.items() if value is not None}
    if quiet:
        return run_solver(game, method.name, **given, **options)
    name = method_spec(method, options)
    with Live(console=err, transient=True, refresh_per_second=4) as live:
        policy = run_solver(
            game, method.name, progress=lambda point: live.update(Text(_line(name, point))), **given, **options
        )
    run = _how(policy)
    if run.warning is not None:
        err.print(run.warning, style="yellow")
    out.print(_line(name, run.last))
    values = ", ".join(f"player {player} {number(value, 6)}" for player, value in enumerate(run.last.values))
    out.print(f"  value: {values}")
    if "opponent" in options:
        player, opponent = options["player"], options["opponent"]
        wins = answer(policy, opponent, player)
        out.print(
            f"  player {player} wins {number(wins.value, 6)} against the opponent, {number(wins.worst, 6)} at worst"
        )
    return policy


def _line(method: str, point: Point) -> str:
    done = "solved at once" if METHODS[method.partition("(")[0]].at_once else f"{point.iterations:,} iterations"
    half = "" if point.exploitability is None else f"exploitability {point.exploitability:.3g}, "
    return f"{method}: {done}, {half}NashConv {point.nash_conv:.3g}, {seconds(point.seconds)}"


def policy_table(policy: Policy, title: str | None = None) -> Table:
    """A policy by information set, for people."""
    table = Table(box=None, pad_edge=False, title=title, title_justify="left")
    table.add_column("player", justify="right")
    table.add_column("sees")
    table.add_column("plays")
    for row in policy.rows():
        table.add_row(str(row.player), row.sees, row.plays)
    return table


def _data(policy: Policy) -> dict[str, Any]:
    run = _how(policy)
    return {
        "method": run.method,
        "iterations": run.iterations,
        "seconds": run.seconds,
        "nash_conv": run.last.nash_conv,
        "exploitability": run.last.exploitability,
        "values": run.last.values,
        "stopped": run.stopped,
        "warning": run.warning,
        "curve": curve_rows(run.curve),
    }
