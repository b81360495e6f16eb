"""Gambit's .nfg files: tables in both formats, read cell by cell, and everything that is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.errors import LimitError, TreeError
from kiebitz.games import tree
from kiebitz.games.matrix import MatrixGame


def test_nfg_files_of_both_kinds_are_tables(tmp_path: Path) -> None:
    """The example of Gambit's manual, with the strategies of the first player varying fastest."""
    payoffs = 'NFG 1 R "Selten" { "Ann" "Bob" } { { "1" "2" "3" } { "1" "2" } } "c" 1 1 0 2 0 2 1 1 0 3 2 0'
    outcomes = """
    NFG 1 R "Selten" { "Ann" "Bob" } { 3 2 } "c"
    { { "" 1 1 } { "" 0, 2 } { "x" 0 2 } { "" 1 1 } { "" 0 3 } { "" 2 0 } } 1 2 3 4 5 6
    """
    assert tree.parse_tree(payoffs) == tree.parse_tree(outcomes)
    file = tmp_path / "selten.nfg"
    file.write_text(payoffs, encoding="utf-8")
    table = MatrixGame.from_game(kb.game("tree", file=file))
    assert table.payoffs.tolist() == [[[1, 1], [0, 0], [0, 2]], [[1, 1], [2, 3], [2, 0]]]


@settings(max_examples=40)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.integers(0, 10**6))
def test_nfg_tables_are_read_cell_by_cell(sizes: list[int], seed: int) -> None:
    cells = np.random.default_rng(seed).integers(-9, 10, (*reversed(sizes), len(sizes)))
    names = " ".join(f'"{player}"' for player in range(len(sizes)))
    numbers = " ".join(map(str, cells.flat))
    game = kb.game("tree", tree=f'NFG 1 R "" {{ {names} }} {{ {" ".join(map(str, sizes))} }} {numbers}')
    table = MatrixGame.from_game(game)
    assert table.shape == tuple(sizes)
    assert (table.payoffs == cells.T).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('NFG 2 R "x" { "A" } { 1 } 0', "expected version 1"),
        ('NFG 1 R "x" { "A" "B" } { 2 } 0', "strategies of 2 players, got 1"),
        ('NFG 1 R "x" { "A" } { 0 } 0', "a number of strategies (1 to"),
        ('NFG 1 R "x" { "A" } { { } } 0', "at least one strategy"),
        ('NFG 1 R "x" { "A" } { 2 } 1', "expected a payoff, got 'the end of the file'"),
        ('NFG 1 R "x" { "A" } { 2 } 1 2 3', "the table is complete"),
        ('NFG 1 R "x" { "A" } { 2 } { { "" 1 } } 1 2', "number of an outcome (0 to 1)"),
        ('NFG 1 R "x" { "A" } { 1 } { { "" 1 2 } } 1', "} behind the payoffs"),
    ],
)
def test_broken_nfg_files_are_refused(text: str, message: str) -> None:
    with pytest.raises(TreeError) as caught:
        tree.parse_tree(text)
    assert message in str(caught.value)


def test_nfg_tables_have_a_limit() -> None:
    with pytest.raises(LimitError, match="nodes"):
        tree.parse_tree('NFG 1 R "x" { "A" "B" } { 2000 2000 } 0')
