"""Lemke and Howson: exact equilibria of any two-player table, against the enumeration of all supports."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import kiebitz as kb
from kiebitz.errors import LimitError, ParameterError, UnsuitableGame
from kiebitz.games.matrix import MatrixGame
from kiebitz.solve import lemke_howson, maximin, nash_conv, normal_form, solve

SIZES = st.tuples(st.integers(1, 5), st.integers(1, 5))
SEEDS = st.integers(0, 10**6)


def table(seed: int, shape: tuple[int, int], most: int) -> MatrixGame:
    return MatrixGame(np.random.default_rng(seed).integers(-most, most + 1, (2, *shape)))


def gains(game: MatrixGame, strategies: Any) -> list[Fraction]:
    """What each player gains by the best deviation, without rounding."""
    x, y = strategies
    found = []
    for own, values in (
        (x, [sum(Fraction(v) * p for v, p in zip(row, y, strict=True)) for row in game.payoffs[0]]),
        (y, [sum(Fraction(v) * p for v, p in zip(column, x, strict=True)) for column in game.payoffs[1].T]),
    ):
        found.append(max(values) - sum(p * v for p, v in zip(own, values, strict=True)))
    return found


@settings(max_examples=80)
@given(SEEDS, SIZES, st.integers(1, 3))
def test_every_path_ends_at_an_exact_equilibrium(seed: int, shape: tuple[int, int], most: int) -> None:
    """Few different payoffs: nearly every table is degenerate."""
    game = table(seed, shape, most)
    for label in range(sum(shape)):
        found = lemke_howson(game, label)
        assert gains(game, found.exact) == [0, 0]
        assert [sum(part) for part in found.exact] == [1, 1]
        assert all(p >= 0 for part in found.exact for p in part)
        assert found.payoffs == pytest.approx(game.payoff(found.strategies))


def supports(game: MatrixGame) -> list[NDArray[np.float64]]:
    """All equilibria of a table that is not degenerate: those of equal supports, by linear equations."""
    rows, columns = game.shape
    found = []
    for size in range(1, min(rows, columns) + 1):
        for own in combinations(range(rows), size):
            for other in combinations(range(columns), size):
                y = indifferent(game.payoffs[0][np.ix_(own, other)])
                x = indifferent(game.payoffs[1][np.ix_(own, other)].T)
                if x is None or y is None:
                    continue
                profile = np.zeros(rows), np.zeros(columns)
                profile[0][list(own)], profile[1][list(other)] = x, y
                if game.nash_conv(profile) < 1e-9:
                    found.append(np.concatenate(profile))
    return found


def indifferent(payoffs: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The mixture of columns that makes all rows worth the same."""
    size = len(payoffs)
    system = np.block([[payoffs, -np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]])
    mixture = np.linalg.solve(system, np.append(np.zeros(size), 1.0))[:size]
    return mixture if (mixture > 0).all() else None


@settings(max_examples=30)
@given(SEEDS, SIZES)
def test_what_is_found_is_among_all_equilibria(seed: int, shape: tuple[int, int]) -> None:
    game = MatrixGame(np.random.default_rng(seed).normal(size=(2, *shape)))
    everything = supports(game)
    assert len(everything) % 2 == 1  # Wilson 1971
    for label in range(sum(shape)):
        found = np.concatenate(lemke_howson(game, label).strategies)
        assert min(np.abs(found - one).max() for one in everything) < 1e-7


def test_zero_sum_games_have_their_value() -> None:
    form = normal_form(kb.game("tree", example="raise_or_pass"))
    assert lemke_howson(form).payoffs[0] == pytest.approx(maximin(form).value, abs=1e-12)


def test_the_method_solves_general_sum_games() -> None:
    game = kb.game("tree", example="rps_general_sum")
    policy = solve(game, "lemke_howson")
    assert nash_conv(game, policy) < 1e-12
    other = solve(game, "lemke_howson(label=1)")
    assert policy.run is not None
    assert other.run is not None
    assert (policy.run.method, other.run.method) == ("lemke_howson", "lemke_howson(label=1)")
    assert policy.run.warning is None
    assert nash_conv("kuhn", solve("kuhn", "lemke_howson")) < 1e-12


def test_payoffs_of_any_size_are_exact() -> None:
    game = MatrixGame([[[1e18, -1e18], [-1e18, 1e18]], [[1e-9, 0.1], [1 / 3, 0.0]]])
    assert gains(game, lemke_howson(game).exact)[0] == 0


def test_what_is_refused() -> None:
    with pytest.raises(UnsuitableGame, match="two players"):
        lemke_howson(MatrixGame(np.zeros((3, 2, 2, 2))))
    with pytest.raises(LimitError, match="cells"):
        lemke_howson(MatrixGame(np.zeros((2, 201, 200))))
    for label in (-1, 4, 0.5, True):
        with pytest.raises(ParameterError, match="label: expected a whole number from 0 to 3"):
            lemke_howson(MatrixGame(np.zeros((2, 2, 2))), label)  # type: ignore[arg-type]
    with pytest.raises(UnsuitableGame, match="two players"):
        solve(kb.game("kuhn", players=3), "lemke_howson")
