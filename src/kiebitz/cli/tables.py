"""Tables for people: analyses, agents after a match, score sheets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from kiebitz._core import State, View
from kiebitz.agents.equilibrium import MixedActionValue
from kiebitz.agents.opinion import Opinion, opinion_of
from kiebitz.agents.review import outcome_of
from kiebitz.analysis import AnalysisLike
from kiebitz.arena.summary import Summary, rounded
from kiebitz.cli.common import number, out, seconds
from kiebitz.cli.words import word
from kiebitz.errors import ParameterError
from kiebitz.games import declaration_of
from kiebitz.games.declaration import Language

MOST_ROWS = 30
SIGNS = {"none": "", "lower": "≥ ", "upper": "≤ "}
"""How a bound is written. A search with cuts values the best move; others it may only know to be no better."""


def print_analysis(
    analysis: AnalysisLike, opinion: Opinion | None = None, rows: int = MOST_ROWS, console: Console = out
) -> None:
    """Prints what was found: a line per action, best first, beside what a net thinks of it, and the principal line."""
    parts = [f"{analysis.method}: best [bold]{analysis.best_name}[/bold]"]
    if analysis.nodes or analysis.iterations:
        parts.append(f"value {SIGNS[analysis.bound]}{number(analysis.value)} for player {analysis.player + 1}")
        parts.append(analysis.status)
    if analysis.iterations:
        parts.append(f"{analysis.iterations:,} iterations")
    if analysis.nodes:
        parts.append(f"{analysis.nodes:,} nodes")
    if analysis.depth:
        parts.append(f"depth {analysis.depth}")
    if analysis.seconds:
        parts.append(seconds(analysis.seconds))
    if analysis.stopped:
        parts.append("stopped")
    console.print(", ".join(parts))
    policy = {} if opinion is None else opinion.policy
    if policy or any(action.visits for action in analysis.actions):
        console.print(analysis_table(analysis, policy, rows))
        if len(analysis.actions) > rows:
            console.print(f"... and {len(analysis.actions) - rows} more actions", style="dim")
    if opinion is not None and opinion.value is not None:
        console.print(f"the net alone, without looking ahead: value {number(opinion.value)}", style="dim")
    if len(analysis.line_names) > 1:
        console.print("line: " + " ".join(analysis.line_names))


def analysis_table(analysis: AnalysisLike, policy: Mapping[int, float], rows: int = MOST_ROWS) -> Table:
    """A line per action: the best first, then by visits and value; of a policy, how often each is played; of a net, the
    probability that it gives each."""
    table = Table(box=None, pad_edge=False)
    table.add_column("action")
    mixed = any(isinstance(action, MixedActionValue) for action in analysis.actions)
    net = bool(policy)
    for title in ("played" if mixed else "visits", "value", "error", *["net"] * net):
        table.add_column(title, justify="right")
    order = sorted(analysis.actions, key=lambda a: (a.action != analysis.best, -a.visits, -a.value))
    for action in order[:rows]:
        value = f"{SIGNS[action.bound]}{number(action.value)}" if action.visits else ""
        proven = {"proven": "proven", "bounded": "proven bound"}.get(action.status, "")
        error = proven or (f"±{action.error:.3f}" if action.error else "")
        visits = f"{action.share:.1%}" if isinstance(action, MixedActionValue) else f"{action.visits:,}"
        style = "bold" if action.action == analysis.best else ""
        prior = [f"{policy.get(action.action, 0.0):.1%}"] * net
        table.add_row(action.name, visits, value, error, *prior, style=style)
    return table


def advice_table(view: View, analysis: AnalysisLike, language: Language = "en", rows: int = 5) -> Table:
    """What a search thinks of the best moves, in the game's own unit; of a policy, how often it plays each; where there
    is a net, how likely it finds each without looking ahead."""
    declared = declaration_of(view.game)
    unit = declared.words.unit(view.game)
    table = Table(box=None, pad_edge=False)
    table.add_column(word("move", language))
    mixed = any(isinstance(action, MixedActionValue) for action in analysis.actions)
    net = opinion_of(view, analysis)
    policy = {} if net is None else net.policy
    nets = [word("net", language)] * bool(policy)
    for title in [word("how often", language)] * mixed + [unit.title[language]] + nets:
        table.add_column(title, justify="right")
    order = sorted(analysis.actions, key=lambda a: (a.action != analysis.best, -a.visits, -a.value))
    for action in order[:rows]:
        best = action.action == analysis.best
        share = [f"{action.share:.0%}" if isinstance(action, MixedActionValue) else ""] * mixed
        name = declared.terminal.action(view, action.action, language)
        end = outcome_of(view.game, action)
        value = word(end, language) if end else unit.told(action.value, language) if action.visits else ""
        prior = [f"{policy.get(action.action, 0.0):.0%}"] * bool(policy)
        table.add_row(("→ " if best else "  ") + name, *share, value, *prior, style="bold" if best else "")
    if net is not None and net.value is not None:
        table.caption = f"{word('net alone', language)} {unit.told(net.value, language)}"
        table.caption_justify = "left"
    return table


# --- Agents that have played ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AgentRow:
    """How one agent did in a match or a comparison."""

    spec: str
    cheats: bool
    cells: Sequence[str]
    """What the command counts, as text."""
    moves: int
    seconds: float
    """The time taken for all moves."""


@dataclass(frozen=True)
class Labels:
    """What agents are called in tables: by their specs where those leave room for the figures, else by numbers, which a
    list explains once."""

    specs: Sequence[str]
    room: int
    """Characters left for a spec."""

    @property
    def numbered(self) -> bool:
        """Whether the agents are called by numbers."""
        return max(map(len, self.specs), default=0) > self.room

    def __getitem__(self, agent: int) -> str:
        return str(agent + 1) if self.numbered else self.specs[agent]

    def print(self) -> None:
        """Prints the list that explains the numbers, if there are any."""
        for agent, spec in enumerate(self.specs if self.numbered else (), 1):
            out.print(f"{agent}  {spec}", markup=False, soft_wrap=True)


def print_agents(columns: Sequence[str], rows: Sequence[AgentRow], notes: Sequence[str]) -> Labels:
    """Prints a line per agent with a column for each of its cells and the time per move, and the notes below; what the
    agents are called there."""
    specs = [f"{row.spec} *" if row.cheats else row.spec for row in rows]
    lines = [[*row.cells, seconds(row.seconds / row.moves) if row.moves else ""] for row in rows]
    titles = [*columns, "per move"]
    figures = sum(max(map(len, column)) + 2 for column in zip(titles, *lines, strict=True))
    labels = Labels(specs, out.width - figures)
    labels.print()
    table = Table(box=None, pad_edge=False)
    table.add_column("agent", overflow="fold")
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    for agent, line in enumerate(lines):
        table.add_row(escape(labels[agent]), *line)
    out.print(table)
    print_notes(notes)
    if any(row.cheats for row in rows):
        out.print("* cheats: sees everything, so its result says nothing about fair play", style="yellow")
    return labels


def print_notes(notes: Sequence[str]) -> None:
    """Prints a line per note."""
    for note in notes:
        out.print(note)


def remarks(summary: Summary) -> list[str]:
    """What a reader of the figures should know, as notes."""
    return [f"[yellow]{escape(words)}[/yellow]" for words in summary.remarks()]


WidthOption = Annotated[
    float | None,
    typer.Option(help="Say how many more games would make the intervals as narrow as plus and minus this."),
]


def check_width(width: float | None) -> None:
    """Refuses a width that is not a positive number."""
    if width is not None and not 0 < width < math.inf:
        raise ParameterError(f"--width: expected a number above 0, got {width}")


def print_needed(summary: Summary, width: float) -> None:
    """How many more games every payoff needs for an interval of that width, and with two agents their difference."""
    what = {spec: summary.games_needed(width, agent) for agent, spec in enumerate(summary.specs)}
    if len(summary.specs) == 2:
        what["the difference"] = summary.games_needed(width, 0, 1)
    for name, needed in what.items():
        words = "not known yet" if needed is None else "none" if not needed else f"about {rounded(needed)}"
        out.print(f"more games for {name} within ± {width:g}: {words}", markup=False, soft_wrap=True)


# --- Score sheets -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FinishedGame:
    """A line of a score sheet."""

    payoffs: Sequence[float]
    cells: Sequence[str]
    """What the game declares beside its payoffs."""
    start: int | None
    """The seat that began, if that rotates."""


@dataclass
class ScoreSheet:
    """The finished games of a series, a line each, with running totals."""

    seats: Sequence[str]
    """What the seats are called."""
    language: Language = "en"
    games: list[FinishedGame] = field(default_factory=list)
    columns: Sequence[str] = ()
    """Titles of the columns that the game declares."""

    def add(self, state: State, start: int | None = None) -> None:
        """Writes down a finished game; ``start`` is the seat that began, if that rotates."""
        terminal = declaration_of(state.game).terminal
        self.columns = terminal.score_columns(self.language)
        cells = terminal.score_cells(state.result(), self.language)
        self.games.append(FinishedGame(list(state.returns()), cells, start))

    @property
    def totals(self) -> list[float]:
        """The sum of all payoffs by seat."""
        return [sum(game.payoffs[seat] for game in self.games) for seat in range(len(self.seats))]

    def table(self) -> Table:
        """A column per seat: the total so far and, in brackets, what the game paid."""
        starts = any(game.start is not None for game in self.games)
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 1, 0, 0))
        table.add_column(word("game", self.language), justify="right")
        if starts:
            table.add_column(word("start", self.language), no_wrap=True)
        for title in self.columns:
            table.add_column(title)
        for name in self.seats:
            table.add_column(name, justify="right", no_wrap=True)
        totals = [0.0] * len(self.seats)
        for i, game in enumerate(self.games, 1):
            totals = [total + value for total, value in zip(totals, game.payoffs, strict=True)]
            began = [] if not starts else ["" if game.start is None else self.seats[game.start]]
            paid = [
                Text(number(total)).append(f" ({number(value)})", "dim")
                for value, total in zip(game.payoffs, totals, strict=True)
            ]
            table.add_row(str(i), *began, *game.cells, *paid)
        return table
