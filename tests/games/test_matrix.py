"""Matrix games: algebra of mixed strategies, the way from a game to its table, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.errors import LimitError, ParameterError, UnsuitableGame
from kiebitz.games import matrix
from kiebitz.games.matrix import Array, MatrixGame

DILEMMA = MatrixGame([[[3, 0], [5, 1]], [[3, 5], [0, 1]]], [["cooperate", "defect"]] * 2)


@st.composite
def mixed_strategy(draw: st.DrawFn, size: int) -> Array:
    weights = draw(st.lists(st.integers(0, 100), min_size=size, max_size=size).filter(any))
    return np.array(weights) / sum(weights)


@st.composite
def played(draw: st.DrawFn) -> tuple[MatrixGame, list[Array]]:
    """A game with one to four players and a profile of it."""
    shape = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    count = len(shape) * int(np.prod(shape))
    payoffs = draw(st.lists(st.integers(-50, 50), min_size=count, max_size=count))
    game = MatrixGame(np.reshape(payoffs, (len(shape), *shape)))
    return game, [draw(mixed_strategy(size)) for size in shape]


def naive_payoff(game: MatrixGame, profile: list[Array]) -> list[float]:
    """The sum over all cells of probability times payoff, by the definition."""
    total = np.zeros(game.players)
    for cell in np.ndindex(*game.shape):
        chance = float(np.prod([profile[player][action] for player, action in enumerate(cell)]))
        total += chance * game.payoffs[(..., *cell)]
    return [float(value) for value in total]


@given(played())
def test_payoff_is_the_expectation_over_cells(example: tuple[MatrixGame, list[Array]]) -> None:
    game, profile = example
    assert game.payoff(profile) == pytest.approx(naive_payoff(game, profile), abs=1e-9)


@given(played(), st.data())
def test_payoff_is_multilinear(example: tuple[MatrixGame, list[Array]], data: st.DataObject) -> None:
    game, profile = example
    player = data.draw(st.integers(0, game.players - 1))
    share = data.draw(st.floats(0, 1))
    other = profile.copy()
    other[player] = data.draw(mixed_strategy(game.shape[player]))
    between = profile.copy()
    between[player] = share * profile[player] + (1 - share) * other[player]
    expected = share * game.payoff(profile) + (1 - share) * game.payoff(other)
    assert game.payoff(between) == pytest.approx(expected, abs=1e-9)


@given(played())
def test_action_values_are_payoffs_of_pure_strategies(example: tuple[MatrixGame, list[Array]]) -> None:
    game, profile = example
    for player, size in enumerate(game.shape):
        values = game.action_values(player, profile)
        for action in range(size):
            pure = profile.copy()
            pure[player] = np.eye(size)[action]
            assert values[action] == pytest.approx(game.payoff(pure)[player], abs=1e-9)


@given(played())
def test_best_responses_and_nash_conv(example: tuple[MatrixGame, list[Array]]) -> None:
    """A best response is worth at least the payoff; NashConv is the sum of the differences and never negative."""
    game, profile = example
    payoff = game.payoff(profile)
    gains = []
    for player in range(game.players):
        values = game.action_values(player, profile)
        best = game.best_response(player, profile)
        assert best.value == values.max()
        assert best.actions == tuple(a for a, value in enumerate(values) if value > best.value - 1e-9)
        assert best.value >= payoff[player] - 1e-9
        gains.append(best.value - payoff[player])
    assert game.nash_conv(profile) >= 0
    assert game.nash_conv(profile) == pytest.approx(sum(gains), abs=1e-9)


@given(played())
def test_exploitability_is_the_mean_of_the_best_response_values(example: tuple[MatrixGame, list[Array]]) -> None:
    general, profile = example
    if general.players != 2:
        with pytest.raises(UnsuitableGame):
            general.exploitability(profile)
        return
    game = MatrixGame([general.payoffs[0], -general.payoffs[0]])
    assert game.is_zero_sum
    mean = (game.best_response(0, profile).value + game.best_response(1, profile).value) / 2
    assert game.exploitability(profile) == pytest.approx(mean, abs=1e-9)
    assert game.exploitability(profile) == game.nash_conv(profile) / 2


def test_prisoners_dilemma() -> None:
    """Defecting is the only equilibrium, and is a best response to everything."""
    assert DILEMMA.nash_conv([[0, 1], [0, 1]]) == 0
    assert DILEMMA.best_response(0, DILEMMA.uniform()) == ((1,), 3.0)
    assert DILEMMA.payoff([[1, 0], [0, 1]]).tolist() == [0, 5]


def test_three_players_keep_their_axes() -> None:
    """Player p gets the tens, hundreds, ... of the cell: any exchange of axes would show."""
    cells = np.fromfunction(lambda i, j, k: 100 * i + 10 * j + k, (2, 3, 4))
    game = MatrixGame([cells, -cells, 2 * cells])
    profile = [[0, 1], [0, 0, 1], [0, 0, 0, 1]]
    assert game.payoff(profile).tolist() == [123, -123, 246]
    assert game.action_values(1, profile).tolist() == [-103, -113, -123]
    assert game.best_response(1, profile) == ((0,), -103.0)
    assert game.nash_conv(profile) == 20


def test_payoffs_are_a_copy_that_cannot_change() -> None:
    table = np.zeros((2, 1, 1))
    game = MatrixGame(table)
    table[0] = 7
    assert game.payoffs.max() == 0
    with pytest.raises(ValueError, match="read-only"):
        game.payoffs[0, 0, 0] = 1


def test_fractions_are_numbers() -> None:
    third: Any = [Fraction(1, 3)] * 3
    rps = MatrixGame.from_game(kb.game("rock_paper_scissors"))
    assert rps.nash_conv([third, third]) == pytest.approx(0, abs=1e-12)


def test_a_profile_is_not_changed() -> None:
    strategy = np.array([0.5, 0.5 + 1e-10])
    DILEMMA.payoff([strategy, strategy])
    assert strategy.tolist() == [0.5, 0.5 + 1e-10]


@pytest.mark.parametrize(
    ("payoffs", "message"),
    [
        (1, "one table per player"),
        ([], "one table per player"),
        ([1, 2], "one table per player"),
        ([[1, 2], [3, 4]], r"got the shape \(2, 2\)"),
        ([[[]], [[]]], "one table per player"),
        ([[[1, 2], [3]], [[1, 2], [3, 4]]], "rows of the same length"),
        ([["1", "2"]], "expected numbers"),
        ([[True, False]], "expected numbers"),
        ([[1j]], "expected numbers"),
        ([[None]], "expected numbers"),
        ([[10**400]], "expected numbers"),
        ([[nan]], "between -1e.18 and 1e.18"),
        ([[1e19]], "between -1e.18 and 1e.18"),
    ],
)
def test_bad_payoffs(payoffs: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        MatrixGame(payoffs)


@pytest.mark.parametrize("actions", [[], [["a", "b"]], [["a"], ["b"]], [["a", "b"], [1, 2]], 5, [1, 2]])
def test_bad_action_names(actions: Any) -> None:
    with pytest.raises(ParameterError, match="expected 2 and 2 names"):
        MatrixGame(DILEMMA.payoffs, actions)


def test_equal_action_names() -> None:
    with pytest.raises(ParameterError, match="different names for the actions of player 1"):
        MatrixGame(DILEMMA.payoffs, [["a", "b"], ["c", "c"]])


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        (None, "expected 2 strategies"),
        ([], "expected 2 strategies"),
        ([[1, 0]], "expected 2 strategies"),
        ([[1, 0]] * 3, "expected 2 strategies"),
        ([[1, 0], [1, 0, 0]], "player 1: expected 2 probabilities"),
        ([[[1, 0]], [1, 0]], "player 0: expected 2 probabilities"),
        ([1, [1, 0]], "player 0: expected 2 probabilities"),
        ([[1.5, -0.5], [1, 0]], "player 0: expected probabilities from 0 to 1"),
        ([[1, 0], [nan, 1]], "player 1: expected probabilities from 0 to 1"),
        ([[0.5, 0.4], [1, 0]], "player 0: expected probabilities that sum to 1, got 0.9"),
        ([[1, 0], [0, 0]], "player 1: expected probabilities that sum to 1, got 0"),
        ([["a", "b"], [1, 0]], "player 0: expected numbers"),
    ],
)
@pytest.mark.parametrize(
    "ask",
    [
        DILEMMA.payoff,
        DILEMMA.nash_conv,
        lambda profile: DILEMMA.action_values(0, profile),
        lambda profile: DILEMMA.best_response(1, profile),
    ],
    ids=["payoff", "nash_conv", "action_values", "best_response"],
)
def test_bad_profiles(ask: Callable[[Any], object], profile: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ask(profile)


@pytest.mark.parametrize("player", [-1, 2, 0.5, "0", None])
def test_bad_players(player: Any) -> None:
    with pytest.raises(ParameterError, match="player: expected a number from 0 to 1"):
        DILEMMA.best_response(player, DILEMMA.uniform())
    with pytest.raises(ParameterError, match="player: expected a number from 0 to 1"):
        DILEMMA.action_values(player, DILEMMA.uniform())


def simultaneous(sizes: list[int]) -> dict[str, Any]:
    """A tree in which player after player chooses unseen; player p gets p + 1 times the number of the play."""

    def node(player: int, number: int) -> dict[str, Any]:
        if player == len(sizes):
            return {"payoffs": [(p + 1) * number for p in range(len(sizes))]}
        children = {f"a{i}": node(player + 1, number * sizes[player] + i) for i in range(sizes[player])}
        return {"player": player, "set": f"set {player}", "actions": children}

    return {"players": [f"P{p}" for p in range(len(sizes))], "root": node(0, 0)}


def test_from_game_three_players() -> None:
    game = MatrixGame.from_game(kb.game("tree", tree=simultaneous([2, 3, 2])))
    numbers = np.arange(12).reshape(2, 3, 2)
    assert (game.payoffs == [numbers, 2 * numbers, 3 * numbers]).all()
    assert game.actions == (("a0", "a1"), ("a0", "a1", "a2"), ("a0", "a1"))


def test_from_game_takes_players_in_any_order() -> None:
    """Player 1 is asked first: the axes are still those of the players."""
    ends = {first: {second: {"payoffs": [ord(first), ord(second)]} for second in "xyz"} for first in "ab"}
    root = {
        "player": 1,
        "actions": {first: {"player": 0, "set": "unseen", "actions": then} for first, then in ends.items()},
    }
    game = MatrixGame.from_game(kb.game("tree", tree={"players": ["A", "B"], "root": root}))
    assert game.shape == (3, 2)
    assert game.actions == (("x", "y", "z"), ("a", "b"))
    assert game.payoffs[:, 2, 0].tolist() == [ord("a"), ord("z")]


@pytest.mark.parametrize(
    ("name", "params", "why"),
    [
        ("kuhn", {}, "it has chance moves"),
        ("tree", {"example": "rps_visible"}, "player 1 knows something of the others' choices"),
        ("rock_paper_scissors", {"rounds": 2}, "player 0 moves more than once"),
        ("tic_tac_toe", {}, "player 0 moves more than once"),
        (
            "tree",
            {"tree": {"players": ["A", "B"], "root": {"player": "A", "actions": {"x": {"payoffs": [1, 2]}}}}},
            "there is a play without a move of player 1",
        ),
    ],
)
def test_from_game_refuses_other_games(name: str, params: dict[str, Any], why: str) -> None:
    with pytest.raises(UnsuitableGame, match=f"^{name}: not a matrix game, because {why}$"):
        MatrixGame.from_game(kb.game(name, **params))


def test_from_game_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    game = kb.game("tree", tree=simultaneous([3, 4]))
    monkeypatch.setattr(matrix, "MAX_PLAYS", 12)
    assert matrix.MatrixGame.from_game(game).shape == (3, 4)
    monkeypatch.setattr(matrix, "MAX_PLAYS", 11)
    with pytest.raises(LimitError, match="tree: expected at most 11 plays"):
        matrix.MatrixGame.from_game(game)


def test_from_game_wants_a_game() -> None:
    wrong: Any = "rock_paper_scissors"
    with pytest.raises(ParameterError, match="expected a game, got str"):
        MatrixGame.from_game(wrong)
