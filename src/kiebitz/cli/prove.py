"""kiebitz solve for games that declare a solver of their own: what every action of one position is worth."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from kiebitz._core import Game, State
from kiebitz.cli.common import err, number, out, play_moves, print_json, read_position, seconds
from kiebitz.errors import Error, ParameterError
from kiebitz.games import declaration_of
from kiebitz.games.declaration import ExactSolver, Proven


def prove(
    rules: Game,
    solver: ExactSolver,
    *,
    moves: str | None,
    position: str | None,
    weak: bool,
    limit: float,
    as_json: bool,
) -> None:
    """Proves a position, the empty board unless another one is asked for, and shows each action as it is proven; those
    that can be proven in so many seconds (0: all)."""
    state = rules.root() if position is None else rules.load(read_position(position))
    play_moves(state, moves or "")
    if state.player < 0:
        raise ParameterError("the game is over: nothing to solve")
    started = time.monotonic()
    with _progress(solver, state) as bar:
        task = bar.task_ids[0]

        def told(proven: Proven) -> None:
            bar.update(task, advance=1)
            if not as_json:
                bar.console.print(f"{state.name(proven.action)}: {_words(proven)}")

        found = solver.prove(state, weak=weak, seconds=limit, progress=told)
    if not found:
        raise Error(f"--time: {limit:g} seconds were too few to prove any action")
    missing = len(state.legal()) - len(found)
    best = max(found, key=lambda proven: proven.rank)
    taken = time.monotonic() - started
    if as_json:
        print_json(
            {
                "game": rules.to_json(),
                "position": state.position(),
                "player": state.player,
                "value": best.value,
                "plies": best.plies,
                "whole": not missing,
                "actions": [
                    {"action": p.action, "name": state.name(p.action), "value": p.value, "plies": p.plies}
                    for p in found
                ],
                "nodes": solver.nodes,
                "seconds": taken,
            }
        )
        return
    out.print(declaration_of(rules).terminal.draw(state, state.player))
    table = Table(box=None, pad_edge=False)
    table.add_column("action")
    table.add_column("value", justify="right")
    table.add_column("with best play")
    for proven in sorted(found, key=lambda proven: proven.rank, reverse=True):
        style = "bold" if proven.rank == best.rank else ""
        table.add_row(state.name(proven.action), number(proven.value), _words(proven), style=style)
    out.print(table)
    if missing and best.value < rules.info.max_payoff:
        left = f"{missing} action{'s' if missing > 1 else ''}"
        out.print(f"player {state.player + 1}, to move, at least {_words(best)}; no time was left for {left}")
        return
    out.print(
        f"proven: player {state.player + 1}, to move, {_words(best)}; {solver.nodes:,} positions, {seconds(taken)}"
    )


def _words(proven: Proven) -> str:
    result = "draws" if proven.value == 0 else "wins" if proven.value > 0 else "loses"
    if proven.plies is None or proven.value == 0:
        return result
    return f"{result} in {proven.plies} {'ply' if proven.plies == 1 else 'plies'}"


def _progress(solver: ExactSolver, state: State) -> Progress:
    """Actions done, positions looked at and time, while a proof runs in a terminal."""
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}, {task.completed} of {task.total} actions,"),
        _Nodes(lambda: solver.nodes),
        TimeElapsedColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
    bar.add_task("proving", total=len(state.legal()))
    return bar


class _Nodes(TextColumn):
    """The number of positions looked at, asked anew each time it is drawn."""

    def __init__(self, nodes: Callable[[], int]) -> None:
        super().__init__("")
        self._nodes = nodes

    def render(self, task: Any) -> Any:
        """The text of the column."""
        self.text_format = f"{self._nodes():,} positions"
        return super().render(task)
