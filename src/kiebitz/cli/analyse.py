"""kiebitz analyse: what an agent thinks of a position, or of every move of a recorded game.

The loss of a move is the value of the best action minus that of the one played. Where the analysis has values on
sampled worlds, both are compared on the same worlds, so that the luck of the deal cancels; a loss of more than two
standard errors is a mistake.
"""

from __future__ import annotations

import itertools
import math
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

import kiebitz as kb
from kiebitz import records
from kiebitz._core import CHANCE, TERMINAL, Game, State, View
from kiebitz.agents import Agent, AnalysisLike, agent
from kiebitz.cli.advice import advise
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
    print_json,
    progress,
    think,
)
from kiebitz.cli.tables import print_analysis
from kiebitz.errors import IllegalAction, ParameterError
from kiebitz.games import doppelkopf as dk
from kiebitz.games.render import render

SIGNIFICANT = 2.0
"""Standard errors by which a loss must differ from nothing to be called a mistake."""
MAX_INPUT = 1_000_000
"""Most characters of a position read from a file or from stdin."""


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
        str | None, typer.Option("--agent", "-a", metavar="SPEC", help="Who analyses; without it, a tree search.")
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
        state = fresh if position is None else rules.load(_read_position(position))
        _play_moves(state, moves or "")
    if state.player < 0:
        over = state.player == TERMINAL
        raise ParameterError(
            "the game is over: nothing to analyse" if over else "expected a position with a player to move"
        )
    judge = None if agent_ is None else agent(agent_, state.game, seed)
    analysis = _think(state, judge, seed)
    if json:
        about = {"game": state.game.to_json(), "position": state.position(), **_who(judge)}
        print_json({**about, "analysis": analysis.to_dict()})
        return
    hidden = state.game.info.hidden
    out.print(render(state.view(state.player) if hidden else state, state.player))
    out.print(f"player {state.player} to move\n")
    _print_who(judge)
    print_analysis(analysis)


def _think(state: State, judge: Agent | None, seed: int) -> AnalysisLike:
    if judge is None:
        with progress("thinking"):
            return advise(state.view(state.player), seed)
    return think("thinking", judge, state)


def _who(judge: Agent | None) -> dict[str, Any]:
    """Who analyses, for programs; nobody's spec stands for the advice that people get."""
    return {"agent": None if judge is None else judge.spec, "cheats": judge is not None and judge.sees_state}


def _print_who(judge: Agent | None) -> None:
    """Who analyses, for people: cheating is never silent."""
    if judge is not None:
        out.print(f"agent: {judge.spec}{' *' if judge.sees_state else ''}", markup=False)
        if judge.sees_state:
            out.print("* cheats: sees everything, so its advice is not for a player", style="yellow")


def _read_position(source: str) -> dict[str, Any]:
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


def _play_moves(state: State, moves: str) -> None:
    """Plays moves given as text, separated by spaces or commas, or by semicolons where names have spaces."""
    separator = r"\s*;\s*" if ";" in moves else r"[\s,]+"
    for ply, text in enumerate((m for m in re.split(separator, moves.strip()) if m), 1):
        if state.player == TERMINAL:
            raise IllegalAction(f"--moves: the game is over before move {ply}, '{text}'")
        try:
            state.apply(state.parse(text))
        except IllegalAction as error:
            raise IllegalAction(f"--moves: move {ply}: {error}") from None


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
    """Whether what stands where a game is expected names a file of recorded games.

    Trees are JSON files, too, so a ``.json`` file counts only if it begins with a record.

    >>> is_record_file("games.jsonl"), is_record_file("nim"), is_record_file("examples/hexapawn.py")
    (True, False, False)
    """
    path = Path(name)
    kind = path.suffix.lower()
    if kind == ".jsonl":
        return True
    if kind in (".py", ".efg") or not path.is_file():
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


@dataclass(frozen=True)
class Loss:
    """What a move cost against the best one, in payoff units."""

    value: float | None
    """Nothing where the move or the best one was not looked at."""
    error: float | None = None
    """Standard error; nothing where it is not known."""
    worlds: int = 0
    """Worlds on which both moves were compared; 0: compared by their means."""

    @property
    def mistake(self) -> bool:
        """Whether the loss is more than chance explains."""
        if self.value is None or self.error is None:
            return False
        return self.value > max(SIGNIFICANT * self.error, 1e-9)


def loss_of(analysis: AnalysisLike, action: int) -> Loss:
    """The loss of an action against the analysis' best.

    With values on sampled worlds (``world_values``: for each world a value per action, in the order of ``actions``, nan
    where it was not visited) it is the mean of the differences on worlds that know both, and its error that of their
    mean. Without, the errors of the two values are taken as independent, which overstates that of the difference.

    >>> import kiebitz as kb
    >>> state = kb.game("tic_tac_toe").load({"board": "xx.oo...."})
    >>> analysis = kb.agent("minimax(depth=9)", state.game).analyse(state.view(0))
    >>> loss_of(analysis, state.parse("c1")).mistake, loss_of(analysis, state.parse("a3")).mistake
    (False, True)
    """
    if action == analysis.best:
        return Loss(0.0, 0.0)
    places = {entry.action: i for i, entry in enumerate(analysis.actions)}
    if action not in places or analysis.best not in places:
        return Loss(None)
    worlds: Sequence[Sequence[float]] = getattr(analysis, "world_values", None) or ()
    if worlds:
        table = np.asarray(worlds, dtype=float)
        differences = table[:, places[analysis.best]] - table[:, places[action]]
        differences = differences[np.isfinite(differences)]
        if len(differences) > 1:
            error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
            return Loss(float(differences.mean()), error, len(differences))
    best, played = analysis.actions[places[analysis.best]], analysis.actions[places[action]]
    if not best.visits or not played.visits:
        return Loss(None)
    known = all(entry.error or entry.exact or not analysis.iterations for entry in (best, played))
    return Loss(best.value - played.value, math.hypot(best.error, played.error) if known else None)


def _whole(record: records.Record, spec: str | None, seed: int, as_json: bool) -> None:
    """Every decision of a game: what was played, what was best, and what the difference cost."""
    final = records.replay(record)
    rules = final.game
    judge: Agent | None = None if spec is None else agent(spec, rules, seed)
    state = rules.root() if record.start is None else rules.load(record.start)
    rows: list[dict[str, Any]] = []
    with progress("analysing", len(record.actions)) as bar:
        for ply, (action, _) in enumerate(record.actions):
            if state.player != CHANCE:
                rows.append({"ply": ply, **_row(state, action, judge, seed)})
            state.apply(action)
            bar.advance(bar.task_ids[0])
    summary = [_summary(rows, player) for player in range(rules.info.players)]
    if as_json:
        print_json({"record": record.to_json(), **_who(judge), "moves": rows, "players": summary})
        return
    seats = record.seats or tuple(f"player {i}" for i in range(rules.info.players))
    out.print(f"[bold]{rules.info.title}[/bold]: " + ", ".join(f"{i} {name}" for i, name in enumerate(seats)))
    _print_who(judge)
    out.print(_moves_table(rows, rules))
    out.print()
    out.print(_players_table(summary, seats))
    if record.returns is not None:
        out.print("payoffs: " + ", ".join(number(value) for value in record.returns))


def _row(state: State, action: int, judge: Agent | None, seed: int) -> dict[str, Any]:
    """One decision. Where nothing could be chosen in a hidden game, nothing is searched."""
    view, name = state.view(state.player), state.name(action)
    row = {"player": state.player, **_where(view), "action": action, "played": name}
    if len(state.legal()) == 1 and state.game.info.hidden:
        certain = {"value": None, "best": name, "best_value": None, "lost": 0.0, "error": 0.0}
        return {**row, "forced": True, "later": False, **certain, "worlds": 0, "mistake": False}
    if judge is None:
        # Who passes can still call later, up to the last possible moment: only there a pass can cost something.
        analysis: AnalysisLike = advise(view, seed, calls="last" if name == "pass" else "all")
    else:
        analysis = judge.analyse_state(state) if judge.sees_state else judge.analyse(view)
    entry = next((a for a in analysis.actions if a.action == action and a.visits), None)
    best = next((a for a in analysis.actions if a.action == analysis.best and a.visits), None)
    loss = loss_of(analysis, action)
    return {
        **row,
        "forced": False,
        # A call that was declined and can still be made: nothing was decided yet.
        "later": judge is None and name == "pass" and action == analysis.best and not analysis.iterations,
        "value": None if entry is None else entry.value,
        "best": analysis.best_name,
        "best_value": best.value if best is not None else None if view.game.info.hidden else analysis.value,
        # What the judge would not have played may still turn out better: that is no loss.
        "lost": None if loss.value is None else max(0.0, loss.value),
        "error": loss.error,
        "worlds": loss.worlds,
        "mistake": loss.mistake,
    }


def _where(view: View) -> dict[str, Any]:
    """Where in the game a decision stands, in words of the game; nothing where plies are all there is."""
    if view.game.name != "doppelkopf":
        return {}
    first = view.legal()[0]
    kind = "card" if first < dk.FIRST_RESERVATION else "reservation" if first < dk.FIRST_CALL else "call"
    now = dk.Situation.of(view)
    return {"trick": len(now.tricks) + (now.current is None), "decision": kind}


def _summary(rows: Sequence[dict[str, Any]], player: int) -> dict[str, Any]:
    own = [row for row in rows if row["player"] == player and not (row["forced"] or row["later"])]
    return {
        "player": player,
        "decisions": len(own),
        "mistakes": sum(row["mistake"] for row in own),
        "lost": math.fsum(row["lost"] or 0.0 for row in own),
        "lost_by_mistakes": math.fsum(row["lost"] for row in own if row["mistake"]),
    }


def _moves_table(rows: Sequence[dict[str, Any]], rules: Game) -> Table:
    """A line per decision; forced moves of hidden games are left out."""
    table = Table(box=None, pad_edge=False)
    cards = rules.name == "doppelkopf"
    titles = (
        ["trick", "seat", "decision", "played", "best"]
        if cards
        else ["ply", "player", "played", "value", "best", "value"]
    )
    for title in (*titles, "lost", ""):
        left = title in ("decision", "played", "best", "")
        table.add_column(title, justify="left" if left else "right", no_wrap=True)
    digits = 2 if cards else 3
    for row in rows:
        if row["forced"] or row["later"]:
            continue
        lost, error = row["lost"], row["error"]
        loss = "" if not lost or lost < 0.5 * 10**-digits else f"{lost:.{digits}f}"
        loss += f" ± {error:.{digits}f}" if loss and error else ""
        if cards:
            cells = [str(row["trick"]), str(row["player"]), row["decision"], row["played"], row["best"]]
        else:
            value = "" if row["value"] is None else number(row["value"])
            cells = [str(row["ply"]), str(row["player"]), row["played"], value, row["best"], number(row["best_value"])]
        mark = "mistake" if row["mistake"] else ""
        table.add_row(*cells, loss, mark, style="bold" if row["mistake"] else "")
    return table


def _players_table(summary: Sequence[dict[str, Any]], seats: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False, title="lost in all", title_justify="left", title_style="dim")
    table.add_column("player", overflow="fold")
    for title in ("decisions", "mistakes", "lost", "by mistakes"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in summary:
        table.add_row(
            f"{row['player']} {seats[row['player']]}",
            str(row["decisions"]),
            str(row["mistakes"]),
            f"{row['lost']:.2f}",
            f"{row['lost_by_mistakes']:.2f}",
        )
    return table
