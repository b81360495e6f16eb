"""Shared by all commands: errors as one plain message, JSON output, game options, late progress bars."""

from __future__ import annotations

import json
import math
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text
from typer.core import TyperGroup

import kiebitz as kb
from kiebitz import records
from kiebitz._core import TERMINAL, Game, State
from kiebitz.analysis import AnalysisLike
from kiebitz.errors import Error, IllegalAction, ParameterError, UnknownName
from kiebitz.spec import Spec, SpecError, Value, parse

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells expect."""

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


class Group(TyperGroup):
    """The commands; any mistake of the user ends as one message on stderr, never as a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Runs a command: exit code 2 for bad input, 130 after Ctrl-C."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            err.print("\ninterrupted", style="yellow")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            raise  # Typer exits quietly when the reader of a pipe is gone
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            fail(f"{where}{error.strerror or error}")
        except (Error, MemoryError) as error:
            fail(str(error) or "not enough memory")


def fail(message: str) -> None:
    """Ends the command with one message."""
    err.print(f"error: {message}", style="red", markup=False, soft_wrap=True)
    raise typer.Exit(2)


# --- Options that several commands have -----------------------------------------------------------------------------

GAME = "a name from 'kiebitz games', a .py file (a game written in Python) or a .json, .efg or .nfg file (a tree)"
"""What a command accepts as a game; for its help text."""

GameArgument = Annotated[str, typer.Argument(help=f"The game: {GAME}.")]
AGENT = "a spec, such as 'uct(iterations=500)', or a .py file that registers one"
"""What a command accepts as an agent; for its help text."""
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text for people.")]
PresetOption = Annotated[str | None, typer.Option("--preset", help="A named set of rules; see 'kiebitz games GAME'.")]
ParamOption = Annotated[
    list[str] | None,
    typer.Option("--param", "-p", metavar="KEY=VALUE", help="A rule parameter, such as -p seeds=4; may be repeated."),
]
SeedOption = Annotated[int, typer.Option(help="Everything that is random comes from this number.", min=0, max=2**62)]


def make_game(name: str, preset: str | None = None, params: Sequence[str] | None = None) -> Game:
    """The game that a command was asked for; 'Connect Four' and 'connect-four' also work.

    A Python file is run and gives the game it registers, built with the parameters; a JSON or Gambit file is an
    explicit tree, which takes none.
    """
    values = dict(parse_param(item) for item in params or ())
    reader = kb.games.reader_of(name)
    if reader is not None:
        if preset is not None or values:
            raise ParameterError(f"{name}: its rules are in the file; expected no --preset and no -p beside it")
        return kb.game(reader, file=name)
    if is_python_file(name):
        name = kb.games.load_file(name)
    else:
        name = name.strip().lower().replace("-", "_").replace(" ", "_")
    if preset is not None and name in kb.list_games() and not kb.game(name).presets:
        raise UnknownName(f"--preset: {name} has no presets")
    try:
        return kb.game(name, preset=preset, **values)
    except TypeError as error:  # a game written in Python whose __init__ has no such parameter
        raise ParameterError(f"{name}: {error}") from error


def read_agent(text: str) -> str:
    """The spec of an agent that a command was asked for: a spec, or a Python file that registers an agent, with options
    in brackets if it has any.

    >>> read_agent("uct(iterations=5)")
    'uct(iterations=5)'
    """
    file, bracket, options = text.partition("(")
    return kb.agents.load(file) + bracket + options if is_python_file(file) else text


def is_python_file(name: str) -> bool:
    """Whether a game or an agent is given as a Python file.

    >>> is_python_file("examples/hexapawn.py"), is_python_file("nim")
    (True, False)
    """
    return Path(name).suffix.lower() == ".py"


def parse_param(item: str) -> tuple[str, Any]:
    """A rule parameter from ``key=value``; the value is read like the value of an option in a spec, else as plain text.

    >>> parse_param("heaps=[1, 3, 5]"), parse_param("misere=true"), parse_param("file=games/a.efg")
    (('heaps', [1, 3, 5]), ('misere', True), ('file', 'games/a.efg'))
    """
    key, equals, text = item.partition("=")
    if not equals or not key.strip().isidentifier():
        raise ParameterError(f"-p: expected KEY=VALUE, such as seeds=4, got '{item[:60]}'")
    try:
        (value,) = parse(f"p({text})").args
    except (SpecError, ValueError):
        return key.strip(), text
    return key.strip(), _plain(value, text)


def _plain(value: Value, text: str) -> Any:
    if isinstance(value, Spec):
        return value.name if not value.args and not value.kwargs else text
    if isinstance(value, tuple):
        return [_plain(item, str(item)) for item in value]
    return value


# --- Positions --------------------------------------------------------------------------------------------------------

MAX_INPUT = 1_000_000
"""Most characters of a position read from a file or from stdin."""


def read_position(source: str) -> dict[str, Any]:
    """A position that was given as JSON, as @FILE or as - for stdin."""
    if source == "-":
        text = sys.stdin.read(MAX_INPUT + 1)
    elif source.startswith("@"):
        with open(source[1:], encoding="utf-8", errors="replace") as stream:
            text = stream.read(MAX_INPUT + 1)
    else:
        text = source
    if len(text) > MAX_INPUT:
        raise ParameterError(f"--position: expected at most {MAX_INPUT:,} characters")
    data = records.parse_json(text)
    if not isinstance(data, dict):
        raise ParameterError('--position: expected a JSON object, such as {"board": "x...o...."}')
    return data


def play_moves(state: State, moves: str) -> None:
    """Plays moves given as text, separated by spaces or commas, or by semicolons if names have spaces."""
    separator = r"\s*;\s*" if ";" in moves else r"[\s,]+"
    for ply, text in enumerate((m for m in re.split(separator, moves.strip()) if m), 1):
        if state.player == TERMINAL:
            raise IllegalAction(f"--moves: the game is over before move {ply}, '{text}'")
        try:
            state.apply(state.parse(text))
        except IllegalAction as error:
            raise IllegalAction(f"--moves: move {ply}: {error}") from None


# --- Output ---------------------------------------------------------------------------------------------------------


def print_json(data: Any) -> None:
    """One JSON document on stdout."""
    typer.echo(json.dumps(clean(data), indent=2, ensure_ascii=False, allow_nan=False))


def clean(data: Any) -> Any:
    """The same data with None in place of numbers that JSON does not have."""
    if isinstance(data, float) and not math.isfinite(data):
        return None
    if isinstance(data, dict):
        return {str(key): clean(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [clean(item) for item in data]
    return data


class Outcome(Protocol):
    """The result of a long command, complete or cut short by Ctrl-C."""

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""


def conclude(outcome: Outcome, as_json: bool, show: Callable[[], None], done: str) -> None:
    """Ends a command: prints its result and, if it was cut short, how far it came (``done``)."""
    if as_json:
        print_json(outcome.to_dict())
    else:
        show()
    if outcome.interrupted:
        err.print(f"interrupted after {done}", style="yellow")
        raise typer.Exit(INTERRUPTED)


def number(value: float, digits: int = 3) -> str:
    """A value with its sign, as short as possible.

    >>> number(1.0), number(-0.25), number(0.0)
    ('+1', '-0.25', '0')
    """
    text = f"{value:+.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("+0", "-0") else text


def seconds(value: float) -> str:
    """A time in a unit that people read easily.

    >>> seconds(0.0000123), seconds(0.25), seconds(75)
    ('12 µs', '250 ms', '75.0 s')
    """
    if value < 0.001:
        return f"{value * 1e6:.0f} µs"
    return f"{value * 1000:.3g} ms" if value < 1 else f"{value:.1f} s"


class _Rate(ProgressColumn):
    """The number of steps per second."""

    def render(self, task: Task) -> Text:
        """The text of the column."""
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.3g}/s" if speed < 100 else f"{speed:,.0f}/s", style="dim")


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Progress]:
    """A progress bar on stderr that appears only in a terminal and if the work takes longer than a second.

    The caller advances ``bar.task_ids[0]``; without a total it just spins.
    """
    columns: list[ProgressColumn] = [SpinnerColumn(), TextColumn("{task.description}")]
    if total is None:
        columns.append(TimeElapsedColumn())
    else:
        columns += [BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn(elapsed_when_finished=True)]
    bar = Progress(*columns, console=err, transient=True)
    bar.add_task(label, total=total)
    timer = threading.Timer(1.0, bar.start)
    timer.daemon = True
    if err.is_terminal:
        timer.start()
    try:
        yield bar
    finally:
        timer.cancel()
        if timer.is_alive():
            timer.join()
        if bar.live.is_started:
            bar.stop()


def think(label: str, agent: kb.agents.Agent, state: kb.State) -> AnalysisLike:
    """Lets an agent analyse the position of the player to move, giving it no more than it may see."""
    with progress(label):
        return agent.analyse_state(state) if agent.sees_state else agent.analyse(state.view(state.player))
