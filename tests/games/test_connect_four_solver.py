"""The exact solver of Connect Four through Python: against backward induction, arrays, refusals, the opening book."""

from __future__ import annotations

import json
import random
import threading
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import kiebitz as kb
from kiebitz._core import StopToken
from kiebitz.games.connect_four.solver import BOOK, FULL, PositionSolver, boards_of, main, make_book
from kiebitz.games.declaration import Proven

USUAL = kb.game("connect_four")
SMALL = {shape: kb.game("connect_four", rows=shape[0], columns=shape[1]) for shape in ((4, 4), (5, 4), (3, 5))}


@cache
def small(shape: tuple[int, int]) -> PositionSolver:
    return PositionSolver(SMALL[shape], table_mb=4)


def random_states(game: kb.Game, least: int, most: int, count: int, seed: int = 1) -> list[kb.State]:
    """Positions that are not over, with so many stones, from random play."""
    rng = random.Random(seed)
    states: list[kb.State] = []
    while len(states) < count:
        state = game.root()
        for _ in range(rng.randint(least, most)):
            if state.player >= 0:
                state.apply(rng.choice(state.legal()))
        if state.player >= 0:
            states.append(state)
    return states


@pytest.mark.parametrize("shape", SMALL)
def test_outcomes_and_best_moves_are_those_of_backward_induction(shape: tuple[int, int]) -> None:
    game, solver = SMALL[shape], small(shape)
    solution = kb.search.solve(game.root())
    states = random_states(game, 0, shape[0] * shape[1] - 1, 400)
    outcomes, _ = solver.moves(boards_of(states))
    for state, row in zip(states, outcomes, strict=True):
        values, optimal = solution.value_of(state), solution.optimal(state)
        assert values is not None
        assert optimal is not None
        assert max(row) == values[state.player]
        assert {action for action in state.legal() if row[action] == max(row)} == set(optimal)


@pytest.mark.parametrize("shape", SMALL)
def test_play_between_best_moves_ends_after_as_many_plies_as_proven(shape: tuple[int, int]) -> None:
    solver = small(shape)
    for state in random_states(SMALL[shape], 0, 10, 25, seed=2):
        worth = solver.worth(state)
        assert worth is not None
        mover, plies = state.player, 0
        while state.player >= 0:
            state.apply(max(solver.prove(state), key=lambda proven: proven.rank).action)
            plies += 1
        assert (state.returns()[mover], plies) == worth


def test_arrays_lists_and_single_positions_agree() -> None:
    solver = PositionSolver(USUAL, table_mb=16)
    states = random_states(USUAL, 20, 40, 60, seed=3)
    outcomes, plies = solver.moves(boards_of(states))
    weak, no_plies = solver.moves(boards_of(states), weak=True)
    assert (weak == outcomes).all()
    assert (no_plies == -1).all()
    for state, row, distances in zip(states, outcomes, plies, strict=True):
        assert [action for action in range(7) if row[action] != FULL] == state.legal()
        found = solver.prove(state)
        assert [(p.value, p.plies) for p in found] == [(row[p.action], distances[p.action]) for p in found]
        best = max(found, key=lambda proven: proven.rank)
        assert solver.worth(state) == (best.value, best.plies)
        assert solver.worth(state, weak=True) == (best.value, None)


def test_the_boards_are_the_planes_of_the_tensor() -> None:
    states = random_states(USUAL, 0, 30, 20)
    planes = np.array([state.view(state.player).tensor() for state in states]).reshape(len(states), 3, 42)
    assert (boards_of(states) == planes[:, 1] - planes[:, 2]).all()


def test_each_action_is_told_as_it_is_proven() -> None:
    (state,) = random_states(USUAL, 26, 26, 1)
    told: list[Proven] = []
    found = PositionSolver(USUAL, table_mb=4).prove(state, progress=told.append)
    assert sorted(told, key=lambda proven: proven.action) == found
    assert [proven.action for proven in found] == state.legal()


def test_mirror_images_are_proven_once() -> None:
    game = SMALL[4, 4]
    solver = PositionSolver(game, table_mb=4)
    found = solver.prove(game.root())
    assert [p.value for p in found] == [p.value for p in reversed(found)]
    once = solver.nodes
    solver.prove(game.root())
    assert solver.nodes <= 2 * once


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ([0] * 41, "expected 42 cells in a row, got 41"),
        ([2] + [0] * 41, r"boards\[0\]: expected -1, 0 or 1 in each cell"),
        ([1] + [0] * 41, r"boards\[0\]: expected as many 1 as -1, or one less"),
        ([0] * 7 + [-1] + [0] * 34, r"boards\[0\]: board: a stone of column a hangs in the air"),
        ([-1, -1, -1, -1, 1, 1, 1] + [0] * 35, r"boards\[0\]: the game is over"),
    ],
)
def test_boards_that_cannot_be_are_refused(board: list[int], message: str) -> None:
    with pytest.raises(kb.PositionError, match=message):
        PositionSolver(USUAL, table_mb=4).moves(np.array([board], dtype=np.int8))


def test_other_games_boards_and_lines_are_refused() -> None:
    solver = PositionSolver(USUAL, table_mb=4)
    with pytest.raises(kb.UnsuitableGame, match="expected connect_four, got nim"):
        PositionSolver(kb.game("nim"), table_mb=4)
    with pytest.raises(kb.UnsuitableGame, match="expected connect=4, got connect=3"):
        PositionSolver(kb.game("connect_four", connect=3), table_mb=4)
    with pytest.raises(kb.UnsuitableGame, match="another board"):
        solver.worth(SMALL[4, 4].root())
    with pytest.raises(kb.UnsuitableGame, match="expected connect_four, got oware"):
        solver.worth(kb.game("oware").root())
    with pytest.raises(kb.ParameterError, match="table_mb: expected 4 to"):
        PositionSolver(USUAL, table_mb=1)
    with pytest.raises(kb.BudgetError, match="seconds"):
        solver.worth(USUAL.root(), seconds=-1)
    over = USUAL.root()
    for action in (0, 1, 0, 1, 0, 1, 0):
        over.apply(action)
    with pytest.raises(kb.PositionError, match="the game is over"):
        solver.worth(over)


def test_it_stops_when_asked() -> None:
    solver, stop = PositionSolver(USUAL, table_mb=4, book=False), StopToken()
    timer = threading.Timer(0.1, stop.request)
    timer.start()
    assert solver.worth(USUAL.root(), stop=stop) is None
    assert solver.prove(USUAL.root(), stop=stop) == []
    outcomes, _ = solver.moves(boards_of([USUAL.root()]), stop=stop)
    assert outcomes.shape == (0, 7)


def test_one_call_at_a_time_and_its_count_can_be_asked_meanwhile() -> None:
    solver, stop = PositionSolver(USUAL, table_mb=4, book=False), StopToken()
    thread = threading.Thread(target=solver.worth, args=(USUAL.root(),), kwargs={"stop": stop})
    thread.start()
    try:
        while not solver.nodes:  # the other thread is in the search
            time.sleep(0.001)
        with pytest.raises(kb.Error, match="in use by another thread"):
            solver.worth(USUAL.root())
    finally:
        stop.request()
        thread.join()


def test_it_gives_up_when_the_time_is_over() -> None:
    solver = PositionSolver(USUAL, table_mb=4, book=False)
    assert solver.worth(USUAL.root(), seconds=0.05) is None
    assert len(solver.prove(USUAL.root(), seconds=0.05)) < 7


# --- The opening book -------------------------------------------------------------------------------------------------


def test_the_book_follows_from_itself() -> None:
    """What a position is worth is the best of what follows; all that follows is there, up to the last ply."""
    plies = json.loads(BOOK.read_text(encoding="utf-8"))["plies"]
    solver = PositionSolver(USUAL, table_mb=4)
    assert len(solver) == len(plies)
    assert plies[""] == 41
    deepest = max(map(len, plies))
    for text in plies:
        if len(text) == deepest:
            continue
        state = USUAL.root()
        for move in text:
            state.apply(state.parse(move))
        before = solver.nodes
        found = solver.prove(state)
        best = max(found, key=lambda proven: proven.rank)
        assert best.plies is not None
        assert (best.value, best.plies) == (np.sign(plies[text]), abs(plies[text]) or 42 - len(text))
        assert solver.nodes - before <= 100  # nothing is searched


def test_a_wrong_entry_is_refused() -> None:
    solver = PositionSolver(USUAL, table_mb=4, book=False)
    with pytest.raises(kb.PositionError, match="cannot be worth 1 in 40 plies"):
        solver.learn(USUAL.root(), 40)
    late = random_states(USUAL, 20, 20, 1)[0]
    with pytest.raises(kb.PositionError, match="at most 8 stones"):
        solver.learn(late, 21)
    assert len(solver) == 0


def test_the_command_goes_on_with_what_a_file_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = {text: plies for text, plies, _ in make_book(SMALL[4, 4], 2, {}, table_mb=4)}
    assert set(full.values()) == {0}
    shipped = json.loads(BOOK.read_text(encoding="utf-8"))["plies"]
    file = tmp_path / "book.json"
    file.write_text(json.dumps({"plies": {text: plies for text, plies in shipped.items() if len(text) == 1}}))
    assert main(["--stones", "0", "--table-mb", "4", "--file", str(file)]) == 0  # from its answers, at once
    assert json.loads(file.read_text())["plies"][""] == 41
