"""Connect Four, declared for the layers above the rules."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kiebitz._core import Game, State, View
from kiebitz.games.declaration import (
    BoardEncoding,
    Bounds,
    Declaration,
    ExactSolver,
    Facts,
    Language,
    Peer,
    Players,
    Symmetry,
    Terminal,
    fields_of,
)
from kiebitz.games.declaration.fields import Fields, observer, pattern, whole

if TYPE_CHECKING:
    from rich.console import RenderableType


class ConnectFourPeer(Peer):
    """``connect_four`` of OpenSpiel, which takes positions as they are."""

    def name(self, game: Game) -> str:
        """The rules are the same on boards of any size."""
        rules = game.params
        return f"connect_four(rows={rules['rows']},columns={rules['columns']},x_in_row={rules['connect']})"

    def state(self, game: Game, position: Mapping[str, Any]) -> Any:
        """A board in OpenSpiel's JSON, the lowest row first."""
        import pyspiel

        rows = [list(row) for row in reversed(position["board"].split("/"))]
        stones = sum(cell != "." for row in rows for cell in row)
        board = {"board": rows, "current_player": "xo"[stones % 2], "is_terminal": False, "winner": ""}
        return pyspiel.load_game(self.name(game)).new_initial_state(json.dumps(board))


class ConnectFourEncoding(BoardEncoding):
    """The board, which may be mirrored."""

    def cells(self, game: Game) -> tuple[int, int]:
        """Of any size."""
        return game.params["rows"], game.params["columns"]

    def symmetries(self, game: Game) -> Sequence[Symmetry]:
        """Left for right."""
        rows, columns = self.cells(game)
        mirrored = np.arange(rows * columns).reshape(rows, columns)[:, ::-1]
        return [Symmetry(self.moved(game, mirrored), np.arange(columns)[::-1].copy())]


class ConnectFourPlayers(Players):
    """The exact solver."""

    def solver(self, game: Game, table_mb: int | None = None) -> ExactSolver | None:
        """For lines of four on boards of any size; it proves everything itself, without the opening book."""
        if game.params["connect"] != 4:
            return None
        from kiebitz.games.connect_four.solver import TABLE_MB, PositionSolver  # a command, too

        return PositionSolver(game, table_mb=table_mb or TABLE_MB, book=False)


PLAYERS = ConnectFourPlayers(
    levels={
        "casual": "uct(iterations=100)",
        "strong": "uct(iterations=3000)",
        "learned": "uct(iterations=600, prior=shipped)",
        "best": "alphabeta(nodes=5_000_000)",
    },
    tree_judges=True,
    peer=ConnectFourPeer(),
)


_STONES = {"x": ("●", "bold yellow"), "o": ("○", "bold red"), ".": ("·", "dim")}


class ConnectFourTerminal(Terminal):
    """The board with its columns."""

    def draw(self, position: State | View, viewer: int | None = None, language: Language = "en") -> RenderableType:
        """Full yellow stones are player 0, open red ones player 1, so that they differ without colours, too."""
        del viewer, language
        from rich.text import Text

        rows: list[str] = fields_of(position)["board"].split("/")
        columns = len(rows[0])
        text = Text()
        for row in rows:
            text.append("│ ")
            for cell in row:
                text.append(*_STONES[cell])
                text.append(" ")
            text.append("│\n")
        text.append("└" + "─" * (2 * columns + 1) + "┘\n")
        text.append("  " + " ".join(chr(ord("a") + column) for column in range(columns)))
        return text


FIELDS: Fields = {
    "view.observer": observer(2),
    "view.board": pattern(
        "the rows from the top; the first player has x", "[.xo]+(/[.xo]+)*", "......./...o.../..xx..."
    ),
    "outline.public.board": pattern("as in the view", "[.xo]+(/[.xo]+)*", "......./...o.../..xx..."),
    "outline.public.line[]": whole("cells of complete lines, row by row from the top"),
}

LEARNED = {
    "toy": {
        "steps": 10,
        "games": 200,
        "channels": 16,
        "blocks": 2,
        "hidden": 32,
        "simulations": 24,
        "opponent": "uct(iterations=50)",
        "measured_games": 60,
        "measure_every": 2,
    },
    "laptop": {
        "steps": 300,
        "games": 500,
        "channels": 32,
        "blocks": 4,
        "simulations": 48,
        "fast_simulations": 10,
        "full_share": 0.4,
        "random_plies": 8,
        "threads": 2,
        "window": 300_000,
        "opponent": "uct(iterations=1000)",
        "measured_games": 100,
        "measure_every": 10,
    },
}
"""Options of ``alphazero``; ``laptop`` made the net that is shipped (seed 1)."""

IMITATED: dict[str, dict[str, Any]] = {
    "toy": {
        "teacher": "uct(iterations=300)",
        "games": 800,
        "steps": 8,
        "channels": 16,
        "blocks": 2,
        "rate": 0.002,
        "decay": 0.1,
    },
    "laptop": {"games": 20_000, "steps": 30, "channels": 32, "blocks": 5, "decay": 0.1},
}
"""Options of ``supervised``."""

DECLARATION = Declaration(
    players=PLAYERS,
    facts=Facts(drawn=True),
    terminal=ConnectFourTerminal(lists_choices=False),
    bounds=Bounds(place=6),
    fields=FIELDS,
    encoding=ConnectFourEncoding(),
    learning={"alphazero": LEARNED, "supervised": IMITATED},
)
