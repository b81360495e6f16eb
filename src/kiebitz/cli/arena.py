"""kiebitz match, compare and tournament: agents play, and intervals show what that proves."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from kiebitz._core import Game
from kiebitz.agents.strengths import strengths
from kiebitz.arena import Estimate, Limits, Openings, Result
from kiebitz.arena.matches import make_plan, plan_deals, play_plan
from kiebitz.arena.plan import Plan
from kiebitz.arena.seatings import FORMATS
from kiebitz.arena.sprt import Sprt, SprtBounds
from kiebitz.cli.common import (
    AGENT,
    AsJson,
    GameArgument,
    ParamOption,
    PresetOption,
    SeedOption,
    conclude,
    err,
    make_game,
    number,
    out,
    progress,
    read_agent,
    seconds,
)
from kiebitz.cli.tables import (
    AgentRow,
    Labels,
    WidthOption,
    check_width,
    print_agents,
    print_needed,
    print_notes,
    remarks,
)
from kiebitz.errors import ParameterError

NO_STORE = "none"
MARKS = "¹²³⁴⁵⁶⁷⁸⁹"
"""Of notes below a table."""
MOST_SCORES = 20
"""Lines of a running score."""

WorkersOption = Annotated[
    int | None, typer.Option(help="Processes on this machine; without it, one for each core.", min=1)
]
ClusterOption = Annotated[
    str | None, typer.Option(help="Play on a Ray cluster instead: its address, or 'local' to start one here.")
]
DbOption = Annotated[
    str | None,
    typer.Option(help="Where games are kept: a file or SQLAlchemy URL; 'none' keeps nothing. Default: your own store."),
]
RecordOption = Annotated[Path | None, typer.Option(help="Append every game to this file, to replay and analyse.")]
OpeningOption = Annotated[
    str | None,
    typer.Option(help="Begin games with this number of random moves, or with the lines of a file, in turn."),
]
MoveTimeOption = Annotated[float | None, typer.Option(help="Seconds for a move; late agents get a legal default.")]
GameTimeOption = Annotated[float | None, typer.Option(help="Seconds for all moves of a seat in a game.")]
MetricOption = Annotated[
    list[str] | None,
    typer.Option("--metric", help="What else to keep of a game, by name or module:function; may be repeated."),
]
SprtOption = Annotated[
    str | None,
    typer.Option(
        help="Stop as soon as the test decides between two margins for the first agent: 0,0.5 (payoff) or 0,20elo."
    ),
]


@dataclass(frozen=True)
class How:
    """How a plan is played and shown; shared by the three commands."""

    workers: int | None
    cluster: str | None
    db: str | None
    record: Path | None
    sprt: str | None
    width: float | None
    json: bool
    kind: str

    def play(self, plan: Plan) -> Result:
        """Plays it with a progress bar."""
        plan.check()
        rule = None if self.sprt is None else read_sprt(self.sprt, plan)
        from kiebitz.store.store import Store  # slow to load

        store = None if self.db == NO_STORE else Store.open(self.db)
        with progress(plan.game.info.title, plan.games) as bar:

            def advance(done: int, _: int) -> None:
                bar.update(bar.task_ids[0], completed=done)

            try:
                return play_plan(
                    plan,
                    store=store,
                    record=self.record,
                    workers=self.workers,
                    cluster=self.cluster,
                    progress=advance,
                    stopping=rule,
                    kind=self.kind,
                    command=shlex.join(["kiebitz", *map(without_password, sys.argv[1:])]),
                )
            finally:
                if store is not None:
                    store.close()


def without_password(argument: str) -> str:
    """An argument of the command line as it may be stored: the address of a database can hold a password.

    >>> without_password("--db=postgresql://ada:secret@host/games"), without_password("uct(iterations=5)")
    ('--db=postgresql://ada:***@host/games', 'uct(iterations=5)')
    """
    return re.sub(r"(://[^/\s:@]*):[^/\s@]*@", r"\1:***@", argument)


def read_openings(text: str | None) -> Openings:
    """Openings from a number of random plies, or from a file with one opening per line, its moves separated by spaces.

    >>> read_openings("4")
    Openings(plies=4, lines=())
    """
    if text is None:
        return Openings()
    if text.isdecimal():
        return Openings(plies=int(text))
    file = Path(text)
    if not file.is_file():
        raise ParameterError(f"--opening: expected a number of random moves or a file, got '{text:.60}'")
    try:
        lines = [line.split("#", 1)[0].split() for line in file.read_text(encoding="utf-8").splitlines()]
    except UnicodeDecodeError:
        raise ParameterError(f"{file}: expected an opening a line, as text") from None
    found = tuple(tuple(line) for line in lines if line)
    if not found:
        raise ParameterError(f"{file}: expected an opening a line")
    return Openings(lines=found)


def read_sprt(text: str, plan: Plan) -> Sprt:
    """A sequential test from its bounds: payoffs as in ``0,0.5``, or Elo points as in ``0,20elo``.

    >>> import kiebitz as kb
    >>> read_sprt("0,20elo", make_plan(kb.game("nim"), ["random", "greedy"], 10)).bounds.elo
    True
    """
    elo = text.endswith("elo")
    try:
        lower, upper = (float(part) for part in text.removesuffix("elo").split(","))
    except ValueError:
        raise ParameterError(f"--sprt: expected two bounds such as 0,0.5 or 0,20elo, got '{text:.60}'") from None
    if len(plan.agents) != 2:
        raise ParameterError(f"--sprt: expected two agents, got {len(plan.agents)}")
    return Sprt(SprtBounds(lower, upper, elo=elo))


def _rules(opening: str | None, move_time: float | None, game_time: float | None, metric: list[str] | None) -> Any:
    limits = Limits(move_time, game_time)
    return {"openings": read_openings(opening), "limits": limits, "metrics": metric}


# --- The commands -----------------------------------------------------------------------------------------------------


def match(  # noqa: PLR0917 (options for Typer)
    game: GameArgument,
    specs: Annotated[list[str], typer.Argument(help=f"One agent for each seat: {AGENT}.")],
    games: Annotated[int, typer.Option("--games", "-n", help="How many games; seats are rotated.")] = 100,
    permutations: Annotated[bool, typer.Option("--permutations", help="Every order of seats, not only turns.")] = False,
    series: Annotated[
        bool, typer.Option("--series", help="As at a real table: new cards every game, seats move on, a running score.")
    ] = False,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    db: DbOption = None,
    record: RecordOption = None,
    opening: OpeningOption = None,
    move_time: MoveTimeOption = None,
    game_time: GameTimeOption = None,
    metric: MetricOption = None,
    width: WidthOption = None,
    sprt: SprtOption = None,
    preset: PresetOption = None,
    param: ParamOption = None,
    json: AsJson = False,
) -> None:
    """Let agents play many games against each other."""
    rules = make_game(game, preset, param)
    if permutations and series:
        raise ParameterError("--series and --permutations cannot be combined")
    form = "permutations" if permutations else "series" if series else "match"
    plan = make_plan(
        rules, [*map(read_agent, specs)], games, seed, format=form, **_rules(opening, move_time, game_time, metric)
    )
    _finish(How(workers, cluster, db, record, sprt, width, json, "match"), plan, rules)


def compare(  # noqa: PLR0917 (options for Typer)
    game: GameArgument,
    specs: Annotated[list[str], typer.Argument(help=f"The agents, each {AGENT}.")],
    deals: Annotated[int, typer.Option("--deals", "-n", help="How many deals, each played in all seatings.")] = 100,
    seatings: Annotated[
        str, typer.Option(help="two_against_two (all seatings of two agents), constellations or self_play.")
    ] = "two_against_two",
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    db: DbOption = None,
    record: RecordOption = None,
    opening: OpeningOption = None,
    move_time: MoveTimeOption = None,
    game_time: GameTimeOption = None,
    metric: MetricOption = None,
    width: WidthOption = None,
    sprt: SprtOption = None,
    preset: PresetOption = None,
    param: ParamOption = None,
    json: AsJson = False,
) -> None:
    """Compare agents on the same deals: the difference of their mean payoffs, deal by deal."""
    rules = make_game(game, preset, param)
    plan = make_plan(
        rules, [*map(read_agent, specs)], 1, seed, format=seatings, **_rules(opening, move_time, game_time, metric)
    )
    _finish(How(workers, cluster, db, record, sprt, width, json, "compare"), plan_deals(plan, deals), rules)


def tournament(  # noqa: PLR0917 (options for Typer)
    game: GameArgument,
    specs: Annotated[
        list[str] | None, typer.Argument(help=f"The agents, each {AGENT}; without any, the game's own strengths.")
    ] = None,
    deals: Annotated[int, typer.Option("--deals", "-n", help="How many deals, each played by every pair.")] = 20,
    format: Annotated[str, typer.Option(help=f"One of {', '.join(FORMATS)}.")] = "round_robin",
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    db: DbOption = None,
    record: RecordOption = None,
    opening: OpeningOption = None,
    move_time: MoveTimeOption = None,
    game_time: GameTimeOption = None,
    metric: MetricOption = None,
    width: WidthOption = None,
    preset: PresetOption = None,
    param: ParamOption = None,
    json: AsJson = False,
) -> None:
    """Several agents: everybody against everybody, or the first against all others; a crosstable and ratings with
    intervals."""
    rules = make_game(game, preset, param)
    agents = [*map(read_agent, specs)] if specs else [level.spec for level in strengths(rules)]
    plan = make_plan(rules, agents, 1, seed, format=format, **_rules(opening, move_time, game_time, metric))
    _finish(How(workers, cluster, db, record, None, width, json, "tournament"), plan_deals(plan, deals), rules)


# --- For people -------------------------------------------------------------------------------------------------------


def _finish(how: How, plan: Plan, game: Game) -> None:
    check_width(how.width)
    result = how.play(plan)
    done = f"{result.games:,} of {result.plan.games:,} games"
    conclude(result, how.json, lambda: show(result, game.info.title, how.width, how.record), done)


def show(result: Result, title: str, width: float | None = None, record: Path | None = None) -> None:
    """Prints the summary of a run."""
    run = result.run
    out.print(
        f"[bold]{title}[/bold], {result.games:,} games {_shared(result)}, seed {result.plan.seed}, "
        f"{seconds(run.seconds)}"
    )
    if not result.games:
        print_notes(remarks(result))
        return
    rows = [
        AgentRow(
            spec,
            result.cheats[agent],
            (
                _estimate(result.payoff(agent)),
                f"{result.deviation(agent):.2f}",
                "/".join(f"{count:,}" for count in vars(result.outcomes(agent)).values()),
                _rate(result.outcomes(agent).win_rate),
            ),
            *result.effort(agent),
        )
        for agent, spec in enumerate(result.specs)
    ]
    labels = print_agents(("payoff", "deviation", "won/drawn/lost", "win rate"), rows, [*_notes(result)])
    if result.plan.format == "series":
        _print_score(result, labels)
    if result.plan.format == "self_play":
        _print_style(result)
    if len(result.specs) > 2:
        _print_ratings(result)
        _print_crosstable(result, labels)
    for _, _, words in result.verdicts():
        out.print(words, markup=False, soft_wrap=True)
    if width is not None:
        print_needed(result, width)
    if run.test is not None:
        out.print(run.test.words(), style="bold", markup=False, soft_wrap=True)
    if run.resumed:
        err.print(f"{run.resumed:,} of these games were in the store already (run {run.id})", style="dim")
        if record is not None:
            hint = f"they are not in {record}: kiebitz results {run.id} --records FILE writes all of the run"
            err.print(hint, style="yellow", markup=False, soft_wrap=True)
    elif run.id is not None:
        err.print(f"kept as run {run.id}: kiebitz results {run.id}, kiebitz report {run.id}", style="dim")


def _shared(result: Result) -> str:
    return f"{'on' if result.blocks_name == 'deals' else 'in'} {result.deals:,} {result.blocks_name}"


def _notes(result: Result) -> list[str]:
    line = f"{result.plies()[0].value:.1f} moves a game; 95 % intervals, from the spread between {result.blocks_name}"
    if any(result.payoff(agent).flat for agent in range(len(result.specs))):
        line += f"; no interval where all {result.blocks_name} paid the same"
    if result.guarded is not None:
        line += f"; {result.guarded:,} games ended by the guard against endless play"
    return [f"[dim]{line}[/dim]", *remarks(result)]


def _print_score(result: Result, known: Labels) -> None:
    """The running score of a series: every game of a short one, some lines of a long one and the last."""
    table = Table(box=None, pad_edge=False, title="running score", title_justify="left")
    first = "after game"
    labels = Labels(result.specs, (out.width - len(first)) // len(result.specs) - 2)
    if not known.numbered:
        labels.print()
    for name in (first, *(labels[agent] for agent in range(len(result.specs)))):
        table.add_column(escape(name), justify="right")
    scores = [result.bankroll(agent) for agent in range(len(result.specs))]
    step = -(-result.games // MOST_SCORES)
    for game in sorted({*range(step, result.games + 1, step), result.games}):
        table.add_row(f"{game:,}", *(number(float(score[game - 1])) for score in scores))
    out.print(table)


def _print_style(result: Result) -> None:
    """How an agent plays when it sits at all seats: the metrics of the game."""
    table = Table(box=None, pad_edge=False, title="style", title_justify="left")
    table.add_column("metric")
    table.add_column("per seat, or per game", justify="right")
    for name in result.columns:
        words, kind = name.replace("_", " "), result.kind(name)
        if kind == "text":
            counts = result.histogram(name)
            shares = [f"{value} {count / sum(counts.values()):.1%}" for value, count in counts.items()]
            table.add_row(words, ", ".join(shares))
        elif kind == "share":
            table.add_row(words, _rate(result.share(name)))
        else:
            table.add_row(words, _estimate(result.metric_mean(name)))
    if table.row_count:
        out.print(table)


def _print_ratings(result: Result) -> None:
    """A line per agent; a note that several share stands once below the table."""
    table = Table(box=None, pad_edge=False, title="ratings", title_justify="left")
    table.add_column("agent", overflow="fold")
    for name in ("Elo", "95 % interval", "games"):
        table.add_column(name, justify="right", no_wrap=True)
    notes: dict[str, str] = {}
    for rating in sorted(result.ratings, key=lambda rating: (rating.group, -rating.value)):
        low, high = ("?" if bound is None else f"{bound:+.0f}" for bound in (rating.low, rating.high))
        mark = notes.setdefault(rating.note, MARKS[len(notes) % len(MARKS)]) if rating.note else ""
        interval = f"{low} to {high}{mark or ' '}"
        table.add_row(escape(result.specs[rating.agent]), f"{rating.value:+.0f}", interval, f"{rating.games:,.0f}")
    out.print(table)
    for note, mark in notes.items():
        out.print(f"{mark} {note}", style="dim", markup=False)


def _print_crosstable(result: Result, known: Labels) -> None:
    """Everybody against everybody, the columns numbered like the rows."""
    agents = range(len(result.specs))
    cells = [
        ["" if (a, b) not in result.crosstable else _estimate(result.crosstable[a, b].difference) for b in agents]
        for a in agents
    ]
    figures = sum(max(map(len, column)) + 2 for column in zip(*cells, strict=True))
    labels = Labels(result.specs, out.width - figures - 2 - len(str(len(agents))))
    table = Table(box=None, pad_edge=False, title="row against column", title_justify="left")
    table.add_column("")
    for agent in agents:
        table.add_column(str(agent + 1), justify="right", no_wrap=True)
    for agent, row in enumerate(cells):
        table.add_row(str(agent + 1) if labels.numbered else escape(f"{agent + 1} {labels[agent]}"), *row)
    if not known.numbered:
        labels.print()
    out.print(table)


def _estimate(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None or estimate.flat:
        return number(estimate.value)
    return f"{number(estimate.value)} ± {estimate.high - estimate.value:.3f}"


def _rate(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "-"
    return f"{estimate.value:.1%} ({100 * estimate.low:.0f} to {100 * estimate.high:.0f})"
