"""The table of state-space complexities ships as data and agrees with what the games say about themselves."""

import pytest

import kiebitz as kb
from kiebitz.experiments.complexity import complexity_table


@pytest.mark.requirement("DL-3")
def test_exponents_of_the_course() -> None:
    exponents = {entry.title: entry.exponent for entry in complexity_table()}
    assert exponents == {"Tic-tac-toe": 3, "Connect Four": 13, "Backgammon": 20, "Chess": 47, "Go 19x19": 170}


@pytest.mark.requirement("DL-3")
def test_agrees_with_the_descriptors_of_our_games() -> None:
    ours = [entry for entry in complexity_table() if entry.game is not None]
    assert [entry.game for entry in ours] == ["tic_tac_toe", "connect_four"]
    for entry in ours:
        assert entry.game is not None
        assert abs(kb.game(entry.game).info.log10_states - entry.exponent) < 1
