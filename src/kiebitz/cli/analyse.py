"""kiebitz analyse: what an agent thinks of a position, or of every move of a recorded game.

``kiebitz.agents.review`` defines losses and mistakes.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

import kiebitz as kb
from kiebitz import records
from kiebitz._core import TERMINAL, State
from kiebitz.agents import Agent, AnalysisLike, agent
from kiebitz.agents.advice import study
from kiebitz.agents.opinion import Opinion, opinion_of
from kiebitz.agents.review import Judge, decisions, last_calls, summary
from kiebitz.cli.common import (
    GAME,
    AsJson,
    ParamOption,
    PresetOption,
    SeedOption,
    is_python_file,
    make_game,
    number,
    out,
    play_moves,
    print_json,
    progress,
    read_agent,
    read_position,
    think,
)
from kiebitz.cli.tables import print_analysis
from kiebitz.errors import ParameterError
from kiebitz.games import declaration_of


def analyse(  # noqa: PLR0917 (options for Typer)
    game: Annotated[
        str | None,
        typer.Argument(
            help=f"The game: {GAME}; or a file of recorded games. With --record only the .py file of a game in Python."
        ),
    ] = None,
    moves: Annotated[str | None, typer.Option(help="Moves from the start, such as 'b2 a1 c3'.")] = None,
    position: Annotated[
        str | None, typer.Option(help="A position as JSON, or @FILE, or - for stdin; moves are played from there.")
    ] = None,
    record: Annotated[Path | None, typer.Option(help="A file of recorded games; - for stdin.")] = None,
    number_: Annotated[int, typer.Option("--number", help="Which game of the file, counted from 1.", min=1)] = 1,
    ply: Annotated[int | None, typer.Option(help="The position before this action of the record, from 0.")] = None,
    agent_: Annotated[
        str | None,
        typer.Option("--agent", "-a", metavar="SPEC", help="The agent that analyses; usually the best one."),
    ] = None,
    seed: SeedOption = 0,
    preset: PresetOption = None,
    param: ParamOption = None,
    json: AsJson = False,
) -> None:
    """Analyse a position, or a recorded game move by move."""
    if record is None and game is not None and is_record_file(game):
        record, game = Path(game), None
    if record is not None:
        if moves is not None or position is not None or preset is not None or param:
            raise ParameterError("--record: expected no moves, position or rules beside it")
        if game is not None:
            if not is_python_file(game):
                raise ParameterError("--record: expected no game beside it, except for the .py file of one in Python")
            kb.games.load_file(game)
        chosen = _nth(record, number_)
        if ply is None:
            _whole(chosen, agent_, seed, json)
            return
        state = records.replay(chosen, ply)
    else:
        if game is None:
            raise ParameterError("expected a game, or --record FILE, or just the file of a recorded game")
        if ply is not None:
            raise ParameterError("--ply: expected only together with --record")
        rules = make_game(game, preset, param)
        fresh = rules.new(seed=seed) if rules.info.chance else rules.root()
        state = fresh if position is None else rules.load(read_position(position))
        play_moves(state, moves or "")
    if state.player < 0:
        over = state.player == TERMINAL
        raise ParameterError(
            "the game is over: nothing to analyse" if over else "expected a position with a player to move"
        )
    judge = None if agent_ is None else agent(read_agent(agent_), state.game, seed)
    analysis = _think(state, judge, seed)
    net = opinion_of(state.view(state.player), analysis)
    if json:
        about = {"game": state.game.to_json(), "position": state.position(), **_who(judge)}
        print_json({**about, "analysis": analysis.to_dict(), "net": net and _plain(net, state)})
        return
    shown = state.view(state.player) if state.game.info.hidden else state
    out.print(declaration_of(state.game).terminal.draw(shown, state.player))
    who = f"player {state.player + 1}"
    out.print(f"you are {who}, to move\n" if state.game.info.hidden else f"{who} to move\n")
    _print_who(judge)
    print_analysis(analysis, net)


def _plain(net: Opinion, state: State) -> dict[str, Any]:
    """What a net thinks, by the names of actions."""
    return {"value": net.value, "policy": {state.name(action): share for action, share in net.policy.items()}}


def _think(state: State, judge: Agent | None, seed: int) -> AnalysisLike:
    if judge is None:
        with progress("thinking"):
            return study(state.view(state.player), "quick", seed).analysis
    return think("thinking", judge, state)


def _who(judge: Agent | None) -> dict[str, Any]:
    """The agent that analyses, for programs; None stands for the advice that people get."""
    return {"agent": None if judge is None else judge.spec, "cheats": judge is not None and judge.sees_state}


def _print_who(judge: Agent | None) -> None:
    """The agent that analyses, for people: cheating is never silent."""
    if judge is not None:
        out.print(f"agent: {judge.spec}{' *' if judge.sees_state else ''}", markup=False)
        if judge.sees_state:
            out.print("* cheats: sees everything, so its advice is not for a player", style="yellow")


def _nth(path: Path, n: int) -> records.Record:
    source = sys.stdin if str(path) == "-" else path
    found = next(itertools.islice(records.load(source), n - 1, None), None)
    if found is None:
        raise records.RecordError(f"--number: expected a file with at least {n} game{'s' if n > 1 else ''}")
    name = found.game.get("name")
    if isinstance(name, str) and name not in kb.list_games():
        hint = "if it was written in Python, give its .py file before --record"
        raise records.RecordError(f"game: unknown game '{name[:60]}'; {hint}", found.line)
    return found


def is_record_file(name: str) -> bool:
    """Whether an argument that could be a game names a file of recorded games.

    Trees are JSON files, too, so a ``.json`` file counts only if it begins with a record.

    >>> is_record_file("games.jsonl"), is_record_file("nim"), is_record_file("examples/hexapawn.py")
    (True, False, False)
    """
    path = Path(name)
    kind = path.suffix.lower()
    if kind == ".jsonl":
        return True
    if kind in (".py", ".efg", ".nfg") or not path.is_file():
        return False
    if kind != ".json":
        return True
    try:
        with path.open(encoding="utf-8") as stream:
            next(records.load(stream), None)
    except (records.RecordError, OSError):
        return False
    return True


# --- Every move of a game ---------------------------------------------------------------------------------------------


def _whole(record: records.Record, spec: str | None, seed: int, as_json: bool) -> None:
    """Every decision of a game: what was played, what was best, and what the difference cost."""
    final = records.replay(record)
    rules = final.game
    judge: Agent | None = None if spec is None else agent(read_agent(spec), rules, seed)
    rows: list[dict[str, Any]] = []
    place: list[str] = []
    with progress("analysing", len(record.actions)) as bar:
        for decision in decisions(record, _judge(judge, seed), waits=judge is None):
            if decision is not None:
                rows.append(decision.row())
                place = list(declaration_of(rules).facts.place(decision.view))
            bar.advance(bar.task_ids[0])
    players = [summary(rows, player) for player in range(rules.info.players)]
    if as_json:
        print_json({"record": record.to_json(), **_who(judge), "moves": rows, "players": players})
        return
    seats = record.seats or ("",) * rules.info.players
    names = ", ".join(f"{i} {name}".rstrip() for i, name in enumerate(seats, 1))
    out.print(f"[bold]{rules.info.title}[/bold]: {escape(names)}")
    _print_who(judge)
    out.print(_moves_table(rows, place))
    out.print()
    out.print(_players_table(players, seats))
    if record.returns is not None:
        out.print("payoffs: " + ", ".join(number(value) for value in record.returns))


def _judge(judge: Agent | None, seed: int) -> Judge:
    """The judge: an agent, or the advice that people get."""
    if judge is None:
        return lambda state, action: (
            study(state.view(state.player), "glance", seed, calls=last_calls(state, action)).analysis
        )
    if judge.sees_state:
        return lambda state, _: judge.analyse_state(state)
    return lambda state, _: judge.analyse(state.view(state.player))


def _moves_table(rows: Sequence[dict[str, Any]], place: Sequence[str]) -> Table:
    """A line per decision; forced moves of hidden games are left out. ``place`` has the keys by
    which a game says where a decision stands: they are shown instead of plies and values."""
    table = Table(box=None, pad_edge=False)
    titles = [*place[:1], "seat", *place[1:], "played", "best"]
    if not place:
        titles = ["ply", "player", "played", "value", "best", "value"]
    words = {key for row in rows for key in place if isinstance(row[key], str)}
    for title in (*titles, "lost", ""):
        left = title in words or title in ("played", "best", "")
        table.add_column(title, justify="left" if left else "right", no_wrap=True)
    digits = 2 if place else 3
    for row in rows:
        if row["forced"] or row["later"]:
            continue
        lost, error = row["lost"], row["error"]
        loss = "" if not lost or lost < 0.5 * 10**-digits else f"{lost:.{digits}f}"
        loss += f" ± {error:.{digits}f}" if loss and error else ""
        if place:
            first, *others = (str(row[key]) for key in place)
            cells = [first, str(row["player"] + 1), *others, row["played"], row["best"]]
        else:
            value = "" if row["value"] is None else number(row["value"])
            cells = [
                str(row["ply"]),
                str(row["player"] + 1),
                row["played"],
                value,
                row["best"],
                number(row["best_value"]),
            ]
        mark = "mistake" if row["mistake"] else ""
        table.add_row(*cells, loss, mark, style="bold" if row["mistake"] else "")
    return table


def _players_table(players: Sequence[dict[str, Any]], seats: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False, title="lost in total", title_justify="left", title_style="dim")
    table.add_column("player", overflow="fold")
    for title in ("decisions", "mistakes", "lost", "by mistakes"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in players:
        table.add_row(
            f"{row['player'] + 1} {seats[row['player']]}".rstrip(),
            str(row["decisions"]),
            str(row["mistakes"]),
            f"{row['lost']:.2f}",
            f"{row['lost_by_mistakes']:.2f}",
        )
    return table
