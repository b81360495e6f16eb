"""kiebitz solve --normal-form: a small game as one table, and what it shows."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from kiebitz._core import Game
from kiebitz.cli.common import number, out, print_json
from kiebitz.errors import UnsuitableGame
from kiebitz.games.matrix import Array, MatrixGame
from kiebitz.solve.dominance import Reduction, iterated_dominance
from kiebitz.solve.normal_form import NormalForm, maximin, normal_form, pure_equilibria

MOST_COLUMNS = 8
"""Widest table that is printed."""
MOST_LINES = 20


def show_normal_form(game: Game, as_json: bool) -> None:
    """Prints the table over pure strategies, what dominance removes, all pure equilibria and, if it is defined, the
    maximin solution."""
    form = normal_form(game)
    reduction = iterated_dominance(form)
    pure = [_names(form, cell) for cell in pure_equilibria(form)]
    try:
        solution = maximin(form)
    except UnsuitableGame:
        solution = None
    mixed = [_support(form, player, part) for player, part in enumerate(solution.strategies)] if solution else []
    if as_json:
        print_json(
            {
                "game": game.to_json(),
                "actions": form.actions,
                "payoffs": form.payoffs.tolist(),
                "removed": [removal._asdict() for removal in reduction.removed],
                "left": reduction.game.actions,
                "pure_equilibria": pure,
                "maximin": {"value": solution.value, "strategies": mixed} if solution else None,
            }
        )
        return
    out.print(f"{game.info.title} as a table: {_size(form)} pure strategies")
    _print_sets(form)
    _print_table(form)
    _print_dominance(reduction)
    out.print(f"\npure equilibria: {len(pure) or 'none'}")
    for cell in pure[:MOST_LINES]:
        out.print("  " + " | ".join(cell), markup=False)
    if len(pure) > MOST_LINES:
        out.print(f"  ... and {len(pure) - MOST_LINES} more", style="dim")
    if solution is not None:
        out.print(f"\nmaximin: value {number(solution.value, 6)} for player 0")
        for player, support in enumerate(mixed):
            for name, probability in support.items():
                out.print(f"  player {player}  {probability:6.1%}  {name}", markup=False)


def _names(form: MatrixGame, cell: tuple[int, ...]) -> list[str]:
    return [form.actions[player][action] for player, action in enumerate(cell)]


def _support(form: MatrixGame, player: int, mixed: Array) -> dict[str, float]:
    """The strategies that are played, the most frequent first."""
    played = sorted(zip(form.actions[player], mixed.tolist(), strict=True), key=lambda pair: -pair[1])
    return {name: probability for name, probability in played if probability > 1e-9}


def _size(form: MatrixGame) -> str:
    return " x ".join(str(size) for size in form.shape)


def _print_sets(form: NormalForm) -> None:
    """What the parts of a plan are for."""
    for player in range(form.players):
        sets = form.views(player)
        if 1 < len(sets) <= MOST_COLUMNS:
            places = " | ".join("; ".join(line.strip() for line in str(view).splitlines()) for view in sets)
            out.print(f"plans of player {player}: {places}", style="dim", markup=False, soft_wrap=True)


def _print_table(form: MatrixGame) -> None:
    if form.players != 2 or form.shape[0] > MOST_LINES or form.shape[1] > MOST_COLUMNS:
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for name in form.actions[1]:
        table.add_column(name, justify="right")
    shown = form.payoffs[:1] if form.is_zero_sum else form.payoffs
    for row, name in enumerate(form.actions[0]):
        table.add_row(name, *(_cell(shown[:, row, column].tolist()) for column in range(form.shape[1])))
    out.print(f"payoffs of {'player 0' if form.is_zero_sum else 'player 0 / player 1'}:", style="dim")
    out.print(table)


def _cell(payoffs: list[Any]) -> str:
    return " / ".join(number(payoff) for payoff in payoffs)


def _print_dominance(reduction: Reduction) -> None:
    if not reduction.removed:
        out.print("\nstrict dominance removes nothing")
        return
    out.print(f"\nstrict dominance leaves {_size(reduction.game)}:")
    for removal in reduction.removed[:MOST_LINES]:
        by = " + ".join(f"{p:.3g} x ({name})" if p < 1 else f"({name})" for name, p in removal.by.items())
        text = f"  round {removal.round}: player {removal.player} never needs ({removal.action}), worse than {by}"
        out.print(text, markup=False, soft_wrap=True)
    if len(reduction.removed) > MOST_LINES:
        out.print(f"  ... and {len(reduction.removed) - MOST_LINES} more", style="dim")
