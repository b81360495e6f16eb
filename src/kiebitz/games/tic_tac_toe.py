"""Tic-tac-toe, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from kiebitz._core import Game, State, View
from kiebitz.games.declaration import (
    BoardEncoding,
    Bounds,
    Declaration,
    Facts,
    Language,
    PlayedPeer,
    Players,
    Symmetry,
    Terminal,
    fields_of,
)
from kiebitz.games.declaration.fields import Fields, observer, pattern, whole

if TYPE_CHECKING:
    from rich.console import RenderableType


class TicTacToePeer(PlayedPeer):
    """``tic_tac_toe`` of OpenSpiel."""

    def name(self, game: Game) -> str:
        """There is only one."""
        del game
        return "tic_tac_toe"

    def actions(self, position: Mapping[str, Any]) -> Sequence[int]:
        """In any order: if nobody has three in a row at the end, nobody had on the way."""
        crosses, noughts = ([i for i, cell in enumerate(position["board"]) if cell == mark] for mark in "xo")
        return [cell for pair in zip_longest(crosses, noughts) for cell in pair if cell is not None]


class TicTacToeEncoding(BoardEncoding):
    """The board, which may be turned and mirrored."""

    def cells(self, game: Game) -> tuple[int, int]:
        """Always the same."""
        del game
        return 3, 3

    def symmetries(self, game: Game) -> Sequence[Symmetry]:
        """The seven that a square has; an action is a cell."""
        board = np.arange(9).reshape(3, 3)
        turned = [np.rot90(side, turns) for side in (board, board.T) for turns in range(4)][1:]
        return [Symmetry(self.moved(game, cells), cells.reshape(-1).copy()) for cells in turned]


PLAYERS = Players(
    levels={
        "casual": "uct(iterations=15)",
        "strong": "uct(iterations=100)",
        "best": "alphabeta(depth=9)",
    },
    peer=TicTacToePeer(),
)


_MARKS = {"x": ("X", "bold cyan"), "o": ("O", "bold magenta"), ".": ("·", "dim")}


class TicTacToeTerminal(Terminal):
    """The board with its coordinates."""

    def draw(self, position: State | View, viewer: int | None = None, language: Language = "en") -> RenderableType:
        """The board."""
        del viewer, language
        from rich.text import Text

        board: str = fields_of(position)["board"]
        text = Text("    a   b   c")
        for row in range(3):
            text.append("\n   ───┼───┼───" if row else "")
            text.append(f"\n{row + 1}   ")
            for column in range(3):
                text.append(" │ " if column else "")
                text.append(*_MARKS[board[3 * row + column]])
        return text


FIELDS: Fields = {
    "view.observer": observer(2),
    "view.board": pattern("the cells row by row from the top; the first player has x", "[.xo]{9}", "xo..x...."),
    "outline.public.board": pattern("as in the view", "[.xo]{9}", "xo..x...."),
    "outline.public.line[]": whole("cells of complete lines, by their place on the board", 0, 8),
}

LEARNED = {
    "toy": {
        "steps": 12,
        "games": 100,
        "channels": 16,
        "blocks": 1,
        "hidden": 32,
        "simulations": 24,
        "batch": 64,
        "opponent": "uct(iterations=100)",
        "opening_plies": 1,
        "measured_games": 60,
        "measure_every": 3,
    },
}
"""Options of ``alphazero``."""

ALONE = {"opponent": "random", "measure_every": 500, "measured_games": 200}
"""Learning from random play, what all of these methods have in common."""

TOYS: dict[str, dict[str, Any]] = {
    "q_learning": {**ALONE, "steps": 12_000, "rate": 0.2},
    "dqn": {**ALONE, "steps": 5000},
    "reinforce": {**ALONE, "steps": 1500, "games": 32, "rate": 0.01, "baseline_rate": 0.01, "measure_every": 100},
    "actor_critic": {**ALONE, "steps": 1500, "games": 32, "rate": 0.01, "measure_every": 100},
}
"""Presets ``toy`` of the methods for a single learner."""

IMITATED = {
    "toy": {
        "teacher": "alphabeta(depth=9)",
        "games": 1500,
        "opening_plies": 3,
        "steps": 15,
        "channels": 16,
        "blocks": 1,
        "hidden": 32,
        "batch": 64,
    }
}
"""Options of ``supervised``."""

DECLARATION = Declaration(
    players=PLAYERS,
    facts=Facts(drawn=True),
    terminal=TicTacToeTerminal(lists_choices=False),
    bounds=Bounds(place=7),
    fields=FIELDS,
    encoding=TicTacToeEncoding(),
    learning={
        "alphazero": LEARNED,
        "supervised": IMITATED,
        **{method: {"toy": options} for method, options in TOYS.items()},
    },
)
