"""The public facts of square boards name the cells of complete lines; compared with a search cell by cell."""

from __future__ import annotations

import itertools

import pytest

import kiebitz as kb
from tests.contract.walks import walk


def complete_lines(rows: list[str], length: int) -> list[int]:
    """The cells of all lines of equal stones, numbered row by row."""
    found = set()
    width = len(rows[0])
    for row, column in itertools.product(range(len(rows)), range(width)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            cells = [(row + down * k, column + right * k) for k in range(length)]
            if all(r < len(rows) and 0 <= c < width for r, c in cells):
                stones = {rows[r][c] for r, c in cells}
                found |= {r * width + c for r, c in cells} if stones in ({"x"}, {"o"}) else set()
    return sorted(found)


@pytest.mark.parametrize(
    "game",
    [
        kb.game("tic_tac_toe"),
        kb.game("connect_four"),
        kb.game("connect_four", rows=7, columns=8, connect=3),
        kb.game("connect_four", rows=4, columns=6, connect=5),
        kb.game("connect_four", rows=2, columns=2, connect=2),
    ],
    ids=str,
)
def test_a_complete_line_is_a_public_fact(game: kb.Game) -> None:
    won = 0
    for seed in range(40):
        for state in walk(game, seed):
            facts = state.view(0).public()
            board = facts["board"]
            rows = board.split("/") if "/" in board else [board[i : i + 3] for i in (0, 3, 6)]
            assert facts["line"] == complete_lines(rows, game.params.get("connect", 3))
            assert facts == {**state.position(), "line": facts["line"]}
        assert bool(facts["line"]) == (state.returns() != [0.0, 0.0])
        won += bool(facts["line"])
    assert won > 3


def test_two_lines_completed_by_one_stone_are_both_named() -> None:
    state = kb.game("tic_tac_toe").load({"board": "xxxxooxoo"})
    assert state.view(1).public()["line"] == [0, 1, 2, 3, 6]
