"""Judging players of Connect Four: the shipped positions are what they say, and mistakes are counted."""

from __future__ import annotations

import pytest

import kiebitz as kb
from kiebitz.experiments.connect_four.__main__ import main
from kiebitz.experiments.connect_four.judge import KINDS, OUTCOMES, judge, positions, replayed, sample
from kiebitz.games.connect_four.solver import PositionSolver

GAME = kb.game("connect_four")


@pytest.mark.parametrize("kind", KINDS)
def test_the_positions_of_a_kind_are_different_and_have_its_stones(kind: str) -> None:
    rows = positions()[kind]
    least, most = KINDS[kind].stones
    assert len(rows) == 120
    boards = {replayed(GAME, row.moves).position()["board"] for row in rows}
    assert len(boards) == len(rows)
    for row in rows:
        assert least <= len(row.moves) <= most
        state = replayed(GAME, row.moves)
        assert [action for action, outcome in enumerate(row.outcomes) if outcome != "-"] == state.legal()
        assert set(row.outcomes) <= set("wdl-")


@pytest.mark.parametrize("kind", ["middle_easy", "middle_medium", "end_easy"])
def test_the_shipped_outcomes_and_distances_are_proven_again(kind: str) -> None:
    solver, asked = PositionSolver(GAME, table_mb=32, book=False), KINDS[kind]
    for row in positions()[kind][:30]:
        state = replayed(GAME, row.moves)
        worth = solver.worth(state)
        assert worth is not None
        assert worth[1] is not None
        assert asked.plies[0] <= worth[1] <= asked.plies[1]
        for proven in solver.prove(state, weak=True):
            assert OUTCOMES[int(proven.value)] == row.outcomes[proven.action]


def test_the_perfect_player_never_errs_and_a_random_one_often() -> None:
    perfect = judge("connect_four_perfect(table_mb=32)", kinds=["middle_medium", "end_easy"], most=30)
    assert [(row.positions, row.wrong) for row in perfect] == [(30, 0), (30, 0)]
    (lazy,) = judge("random", kinds=["middle_easy"])
    share = lazy.share
    assert share.low is not None
    assert share.high is not None
    assert 0 < share.low <= share.value <= share.high < 1


def test_samples_depend_on_the_seed_alone() -> None:
    solver = PositionSolver(GAME, table_mb=16, book=False)
    first, again = (list(sample("end_easy", 5, 3, solver)) for _ in range(2))
    assert first == again
    assert first != list(sample("end_easy", 5, 4, solver))


def test_the_command_prints_a_line_for_each_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["random", "--most", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(KINDS)
    assert main(["no_such_player"]) == 2


def test_what_cannot_be_judged_is_refused() -> None:
    with pytest.raises(kb.ParameterError, match="kinds: expected some of"):
        judge("random", kinds=["hardest"])
    with pytest.raises(kb.ParameterError, match="most: expected at least 1"):
        judge("random", most=0)
    with pytest.raises(kb.UnsuitableGame):
        judge("nim_perfect")
