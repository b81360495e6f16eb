"""VectorEnv: the same games as played state by state, for every game; refusals change nothing."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import kiebitz as kb
from kiebitz.env import VectorEnv
from kiebitz.errors import Error, IllegalAction, LimitError, ParameterError, UnknownName, UnsuitableGame
from tests.contract.cases import CASES, Case

WITH_TENSOR = [case for case in CASES if case.make().info.tensor_size > 0]
ARRAYS = ("observation", "mask", "player", "rewards", "done", "gains", "episode", "seed")


def random_actions(env: VectorEnv, random: np.random.Generator) -> NDArray[np.int64]:
    """A uniformly random legal action in each game."""
    return np.asarray(np.where(env.mask, random.random(env.mask.shape), -1.0).argmax(axis=1))


def snapshot(env: VectorEnv) -> list[bytes]:
    return [getattr(env, name).tobytes() for name in ARRAYS]


def check_row(env: VectorEnv, row: int, state: kb.State) -> None:
    """What the arrays say of a game is what its state says."""
    assert env.player[row] == state.player
    assert np.flatnonzero(env.mask[row]).tolist() == state.legal()
    if state.player >= 0:
        assert np.array_equal(env.observation[row], state.view(state.player).tensor())


@pytest.mark.parametrize("case", WITH_TENSOR, ids=lambda case: case.id)
def test_the_same_games_as_state_by_state(case: Case) -> None:
    game = case.make()
    games = 3
    env = VectorEnv(game, games, seed=5)
    random = np.random.default_rng(1)
    states = [game.new(seed=int(seed)) for seed in env.seed]
    finished = 0
    for _ in range(150):
        for row, state in enumerate(states):
            check_row(env, row, state)
        actions = random_actions(env, random)
        episodes = env.episode.copy()
        env.step(actions)
        for row, state in enumerate(states):
            if state.player != kb.TERMINAL:
                state.apply(int(actions[row]))
            over = state.player == kb.TERMINAL
            assert env.done[row] == over
            if over:
                finished += 1
                assert env.rewards[row].tolist() == list(state.returns())
                assert env.episode[row] == episodes[row] + games
                states[row] = game.new(seed=int(env.seed[row]))
            else:
                assert not env.rewards[row].any()
                assert env.episode[row] == episodes[row]
    assert finished > 0 or game.info.max_length > 150


@given(
    seed=st.integers(0, 2**64 - 1), games=st.integers(1, 20), steps=st.integers(0, 30), choices=st.integers(0, 2**32)
)
@settings(max_examples=30)
def test_the_same_seed_and_actions_give_the_same_games(seed: int, games: int, steps: int, choices: int) -> None:
    one, other = VectorEnv("leduc", games, seed), VectorEnv("leduc", games, 0)
    other.reset(seed)
    random = np.random.default_rng(choices)
    for _ in range(steps):
        assert snapshot(one) == snapshot(other)
        actions = random_actions(one, random)
        one.step(actions)
        other.step(actions)
    assert snapshot(one) == snapshot(other)


def test_rows_do_not_depend_on_each_other() -> None:
    """Always the first legal action: a row meets the same games whatever the others do."""
    env, mixed = VectorEnv("leduc", 4, seed=9), VectorEnv("leduc", 4, seed=9)
    random = np.random.default_rng(0)
    for _ in range(60):
        env.step(env.mask.argmax(axis=1))
        actions = random_actions(mixed, random)
        actions[2] = mixed.mask[2].argmax()
        mixed.step(actions)
        assert np.array_equal(env.observation[2], mixed.observation[2])
        assert env.episode[2] == mixed.episode[2]


def test_episodes_of_a_batch_meet_different_chance() -> None:
    env = VectorEnv("leduc", 1000, seed=1)
    assert len(set(env.seed.tolist())) == 1000
    assert len({row.tobytes() for row in env.observation}) == 3, "three ranks"
    shares = env.observation[:, :3].mean(axis=0)
    assert np.allclose(shares, 1 / 3, atol=0.06)
    other = VectorEnv("leduc", 1000, seed=2)
    assert not set(env.seed.tolist()) & set(other.seed.tolist())


@given(
    row=st.integers(0, 7),
    wrong=st.one_of(st.integers(-(2**63), -1), st.integers(3, 2**63 - 1)),
    steps=st.integers(0, 9),
)
def test_one_illegal_action_and_no_game_changes(row: int, wrong: int, steps: int) -> None:
    env = VectorEnv("leduc", 8, seed=2)
    for _ in range(steps):
        env.step(env.mask.argmax(axis=1))
    before = snapshot(env)
    actions = env.mask.argmax(axis=1)
    actions[row] = wrong
    with pytest.raises(IllegalAction, match=f"row {row}: action {wrong} is not legal; expected one of"):
        env.step(actions)
    assert snapshot(env) == before
    env.step(env.mask.argmax(axis=1))


@pytest.mark.parametrize(
    "actions",
    [[0.0] * 4, [True] * 4, ["0"] * 4, [0] * 3, [0] * 5, [[0] * 4], 0, [], None, [None] * 4, [2**70] * 4],
    ids=str,
)
def test_anything_but_one_whole_number_per_game_is_refused(actions: Any) -> None:
    env = VectorEnv("tic_tac_toe", 4)
    before = snapshot(env)
    with pytest.raises(ParameterError, match="expected 4 whole numbers"):
        env.step(actions)
    assert snapshot(env) == before


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64])
def test_whole_numbers_of_every_size_are_taken(kind: type) -> None:
    env = VectorEnv("tic_tac_toe", 4)
    env.step(np.array([0, 1, 2, 3, 9, 9, 9, 9], kind)[:4])
    env.step(np.array([4, 9, 4, 9, 4, 9, 4, 9], kind)[::2])
    assert env.mask.sum() == 4 * 7


def test_some_rows_can_wait_and_others_be_given_up() -> None:
    env = VectorEnv("leduc", 4, seed=2)
    before = env.observation.copy()
    env.step(env.mask.argmax(axis=1), np.array([True, False, True, False]))
    moved = (env.observation != before).any(axis=1)
    assert moved.tolist() == [True, False, True, False]
    env.step(np.array([1, -7, 1, 99]), np.array([True, False, True, False]))  # who waits plays nothing
    env.restart(np.array([False, True, True, False]))
    assert env.episode.tolist() == [0, 5, 6, 3]
    assert not env.done.any()
    fresh = VectorEnv("leduc", 4, seed=2)
    assert np.array_equal(env.observation[3], fresh.observation[3])
    for rows in (np.ones(3, bool), np.ones(4, int), [True] * 3, [[True]], "all"):
        with pytest.raises(ParameterError, match="rows: expected true or false for each of 4 games"):
            env.step(env.mask.argmax(axis=1), rows)  # type: ignore[arg-type]
        with pytest.raises(ParameterError, match="rows: expected true or false for each of 4 games"):
            env.restart(rows)  # type: ignore[arg-type]


def test_gains_are_what_an_evaluation_rises_by() -> None:
    game = kb.game("oware", preset="thesis")
    env = VectorEnv(game, 3, gains="own")
    random = np.random.default_rng(1)
    states = [game.new() for _ in range(3)]
    gained = 0.0
    for _ in range(300):
        actions = random_actions(env, random)
        before = [[state.evaluate("own", seat) for seat in range(2)] for state in states]
        env.step(actions)
        for row, state in enumerate(states):
            state.apply(int(actions[row]))
            rises = [state.evaluate("own", seat) - before[row][seat] for seat in range(2)]
            assert env.gains[row].tolist() == pytest.approx(rises, abs=1e-12)
            gained += sum(rises)
            states[row] = game.new() if env.done[row] else state
    assert gained > 1
    assert not VectorEnv(game, 3).gains.any()
    with pytest.raises(UnknownName, match=r"gains: expected an evaluation of leduc \(it has none\)"):
        VectorEnv("leduc", 2, gains="own")


def test_scribbling_into_the_arrays_changes_no_game() -> None:
    env, clean = VectorEnv("leduc", 4, seed=3), VectorEnv("leduc", 4, seed=3)
    for _ in range(30):
        actions = clean.mask.argmax(axis=1)
        for name in ARRAYS:
            getattr(env, name)[...] = 1
        env.step(actions)
        clean.step(actions)
        for name in ("observation", "mask", "player", "rewards", "done"):
            assert np.array_equal(getattr(env, name), getattr(clean, name)), name
    env.reset(seed=4)
    clean.reset(seed=4)
    assert snapshot(env) == snapshot(clean)


def test_the_arrays_outlive_the_environment() -> None:
    observation = VectorEnv("leduc", 100, seed=1).observation
    assert observation.sum() == 100


@pytest.mark.parametrize("games", [0, -1, 2**31, 2**70, 1.5, True, "4", None])
def test_a_bad_number_of_games_is_refused(games: Any) -> None:
    with pytest.raises(ParameterError, match="games: expected"):
        VectorEnv("leduc", games)


def test_more_games_than_fit_into_memory_are_refused() -> None:
    with pytest.raises(LimitError, match="8 GB"):
        VectorEnv("doppelkopf", 2**31 - 1)


@pytest.mark.parametrize("seed", [-1, 2**64, 0.5, None, "1", True])
def test_a_bad_seed_is_refused(seed: Any) -> None:
    env = VectorEnv("leduc", 2)
    before = snapshot(env)
    with pytest.raises(ParameterError, match="seed: expected"):
        env.reset(seed)
    assert snapshot(env) == before


def test_a_game_without_a_tensor_is_refused() -> None:
    with pytest.raises(UnsuitableGame, match="has no tensor"):
        VectorEnv("little_poker", 2)


def test_a_game_that_ends_before_anybody_moves_goes_on() -> None:
    chance = [
        {"name": "now", "probability": "1/2", "node": {"payoffs": [7]}},
        {"name": "later", "probability": "1/2", "node": {"player": 0, "actions": {"go": {"payoffs": [1]}}}},
    ]
    env = VectorEnv(kb.game("tree", tree={"players": ["Anna"], "root": {"chance": chance}}), 500, seed=1)
    over = env.player == kb.TERMINAL
    assert 0.4 < over.mean() < 0.6
    assert not env.mask[over].any()
    assert not env.observation[over].any()
    env.step(np.zeros(500, np.int64))
    assert env.done.all()
    assert np.array_equal(env.rewards[:, 0], np.where(over, 7.0, 1.0))


class FailingState(kb.PythonState):
    """Fails in its second move."""

    def __init__(self) -> None:
        self.moves = 0

    def player(self) -> int:
        return 0 if self.moves < 3 else kb.TERMINAL

    def legal(self) -> list[int]:
        return [0] if self.moves < 3 else []

    def apply(self, action: int) -> None:
        if self.moves == 1:
            raise RuntimeError("the game has a fault")
        self.moves += 1

    def returns(self) -> list[float]:
        return [0.0]


class Failing(kb.PythonGame):
    """A faulty game."""

    name = "failing_for_tests"
    state = FailingState
    players = 1
    actions = 1
    max_length = 3
    tensor_size = 1


def test_a_game_that_fails_half_way_must_be_reset() -> None:
    env = VectorEnv(Failing.make(), 2)
    env.step([0, 0])
    with pytest.raises(RuntimeError, match="the game has a fault"):
        env.step([0, 0])
    with pytest.raises(Error, match="reset the environment first"):
        env.step([0, 0])
    env.reset()
    env.step([0, 0])


def test_two_threads_cannot_step_the_same_games() -> None:
    """The second caller is refused in words; nothing breaks, and the games stay games."""
    env = VectorEnv("doppelkopf", 200, seed=1)
    refused: list[str] = []

    def play() -> None:
        for _ in range(100):
            try:
                env.step(env.mask.argmax(axis=1))
            except Error as error:
                refused.append(str(error))

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("another thread" in words or "is not legal" in words for words in refused)
    env.step(env.mask.argmax(axis=1))
    assert env.mask.any(axis=1).all()
