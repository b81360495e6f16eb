"""The command line: one command per verb, thin. ``kiebitz --help`` lists them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import kiebitz as kb
from kiebitz.cli.agents import agents
from kiebitz.cli.analyse import analyse
from kiebitz.cli.arena import compare, match, tournament
from kiebitz.cli.bench import bench
from kiebitz.cli.common import INTERRUPTED, Group
from kiebitz.cli.experiment import experiment
from kiebitz.cli.games import games
from kiebitz.cli.play import play
from kiebitz.cli.report import report
from kiebitz.cli.results import results
from kiebitz.cli.serve import serve
from kiebitz.cli.solve import solve
from kiebitz.cli.train import train

app = typer.Typer(
    cls=Group,
    help="Kiebitz plays, studies and solves games, above all games with hidden cards.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for command in (
    play,
    serve,
    match,
    compare,
    tournament,
    results,
    report,
    experiment,
    solve,
    train,
    analyse,
    games,
    agents,
    bench,
):
    app.command()(command)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"kiebitz {kb.__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    del version


def main() -> None:
    """Runs the command line; the entry point of the ``kiebitz`` script."""
    try:
        app()
    except KeyboardInterrupt:  # before or after a command; inside one, Group sees it
        sys.exit(INTERRUPTED)
