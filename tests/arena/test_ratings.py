"""Ratings against independent computations on random tournaments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from openskill.models import PlackettLuce
from scipy.optimize import minimize
from scipy.sparse.csgraph import connected_components

from kiebitz.arena.ratings import ELO, bradley_terry, openskill, pair_scores
from kiebitz.arena.summary import Summary
from kiebitz.errors import ParameterError
from kiebitz.store.rows import Row

Matrix = NDArray[np.float64]


@st.composite
def tournaments(draw: Any) -> Matrix:
    size = draw(st.integers(2, 6))
    halves = draw(arrays(np.int64, (size, size), elements=st.integers(0, 12)))
    scores: Matrix = halves / 2.0
    np.fill_diagonal(scores, 0.0)
    return scores


def rows_of(games: Sequence[tuple[tuple[int, ...], tuple[float, ...]]]) -> list[Row]:
    return [
        Row(number, number, seating, payoffs, 1, 2, (1,) * len(seating), (0.0,) * len(seating), (0.0,) * len(seating))
        for number, (seating, payoffs) in enumerate(games)
    ]


@settings(max_examples=60, deadline=None)
@given(tournaments())
def test_bradley_terry_is_the_maximum_that_scipy_finds(scores: Matrix) -> None:
    ratings = bradley_terry(scores)
    strong, _ = connected_components(scores > 0, directed=True, connection="strong")
    if strong > 1:
        return
    size = len(scores)

    def loss(strength: Matrix) -> float:
        gaps = strength[:, None] - strength[None, :]
        return float((scores * np.logaddexp(0, -gaps)).sum() + 1e-3 * strength.mean() ** 2)

    found = minimize(loss, np.zeros(size), method="BFGS", options={"gtol": 1e-9})
    expected = ELO * (found.x - found.x.mean())
    assert [rating.value for rating in ratings] == pytest.approx(expected, abs=0.05)
    assert all(rating.note == "" for rating in ratings)


@settings(max_examples=60, deadline=None)
@given(tournaments())
def test_the_interval_is_the_curvature_of_the_likelihood(scores: Matrix) -> None:
    strong, _ = connected_components(scores > 0, directed=True, connection="strong")
    ratings = bradley_terry(scores)
    if strong > 1:
        return
    strength = np.array([rating.value for rating in ratings]) / ELO

    def loss(point: Matrix) -> float:
        return float((scores * np.logaddexp(0, point[None, :] - point[:, None])).sum())

    size, h = len(scores), 1e-4
    steps = np.eye(size) * h
    hessian = np.array(
        [
            [
                loss(strength + a + b) - loss(strength + a - b) - loss(strength - a + b) + loss(strength - a - b)
                for b in steps
            ]
            for a in steps
        ]
    ) / (4 * h * h)
    # With the sum of strengths held at 0: the inverse on that plane.
    plane = np.linalg.svd(np.ones((1, size)))[2][1:].T
    variance = np.diag(plane @ np.linalg.inv(plane.T @ hessian @ plane) @ plane.T)
    halves = [(rating.high or math.nan) - rating.value for rating in ratings]
    assert halves == pytest.approx(1.96 * ELO * np.sqrt(variance), rel=1e-3)


@given(tournaments(), st.randoms())
def test_ratings_do_not_depend_on_the_order_of_agents(scores: Matrix, random: Any) -> None:
    order = list(range(len(scores)))
    random.shuffle(order)
    straight, shuffled = bradley_terry(scores), bradley_terry(scores[np.ix_(order, order)])
    assert [shuffled[i].value for i in range(len(order))] == pytest.approx([straight[j].value for j in order], abs=1e-5)


@given(tournaments(), tournaments())
def test_agents_that_never_met_are_in_groups_of_their_own(first: Matrix, second: Matrix) -> None:
    size = len(first) + len(second)
    scores = np.zeros((size, size))
    scores[: len(first), : len(first)] = first
    scores[len(first) :, len(first) :] = second
    ratings = bradley_terry(scores)
    groups = [{rating.group for rating in part} for part in (ratings[: len(first)], ratings[len(first) :])]
    assert not groups[0] & groups[1]
    assert all("never met the other groups" in rating.note for rating in ratings)
    for rating, alone in zip(ratings, bradley_terry(first), strict=False):
        assert rating.value == pytest.approx(alone.value, abs=1e-6)


def test_an_agent_that_won_everything_has_no_upper_bound() -> None:
    scores = np.array([[0, 10, 10], [0, 0, 6], [0, 4, 0]], dtype=np.float64)
    best, middle, last = bradley_terry(scores)
    assert best.high is None
    assert best.low is not None
    assert "no upper bound" in best.note
    assert math.isfinite(best.value)
    assert best.value > middle.value > last.value
    assert middle.low is last.low is None
    assert "no lower bound" in middle.note


def test_between_the_unbeaten_and_the_beaten_bounds_remain() -> None:
    ratings = bradley_terry(np.array([[0, 5, 5], [0, 0, 5], [0, 0, 0]], dtype=np.float64))
    assert ratings[1].low is not None
    assert ratings[1].high is not None
    assert "one drawn game more" in ratings[1].note


def test_elo_of_a_known_score() -> None:
    best, other = bradley_terry(np.array([[0, 64.0], [36.0, 0]]))
    assert best.value - other.value == pytest.approx(400 * math.log10(64 / 36))


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**31))
def test_intervals_cover_the_truth(seed: int) -> None:
    draw = np.random.default_rng(seed)
    truth = np.array([0.6, 0.1, -0.7])
    scores = np.zeros((3, 3))
    for i, j in permutations(range(3), 2):
        wins = draw.binomial(100, 1 / (1 + math.exp(truth[j] - truth[i])))
        scores[i, j] += wins
        scores[j, i] += 100 - wins
    for rating, strength in zip(bradley_terry(scores), truth * ELO, strict=True):
        assert rating.high is not None
        half = rating.high - rating.value
        assert abs(rating.value - strength) < 2.5 * half  # five standard errors: never, in any of a billion tries


GAMES = st.lists(
    st.tuples(st.permutations([0, 1, 2]), st.tuples(*[st.integers(-2, 2)] * 3)).map(
        lambda item: (tuple(item[0]), tuple(float(value) for value in item[1]))
    ),
    min_size=1,
    max_size=30,
)


@given(GAMES)
def test_scores_of_pairs_add_up_to_the_games(games: list[tuple[tuple[int, ...], tuple[float, ...]]]) -> None:
    scores = pair_scores(Summary(rows_of(games), ["a", "b", "c"]))
    met = scores + scores.T
    assert np.diag(scores) == pytest.approx(np.zeros(3))
    assert met[0, 1] == met[0, 2] == met[1, 2] == len(games) / 2  # a table of three counts as one game and a half
    wins = (
        sum(p[s.index(0)] > p[s.index(1)] for s, p in games) + sum(p[s.index(0)] == p[s.index(1)] for s, p in games) / 2
    )
    assert scores[0, 1] == pytest.approx(wins / 2)


@settings(deadline=None, max_examples=30)
@given(GAMES)
def test_openskill_is_fed_in_the_order_of_numbers(games: list[tuple[tuple[int, ...], tuple[float, ...]]]) -> None:
    rows = rows_of(games)
    specs = ["a", "b", "c"]
    ratings = openskill(Summary(rows, specs))
    assert openskill(Summary(rows[::-1], specs)) == ratings
    model = PlackettLuce()
    skills = [model.rating() for _ in specs]
    for seating, payoffs in games:
        after = model.rate([[skills[agent]] for agent in seating], scores=list(payoffs))
        for agent, (skill,) in zip(seating, after, strict=True):
            skills[agent] = skill
    assert [rating.note for rating in ratings] == [f"mu {s.mu:.2f}, sigma {s.sigma:.2f}" for s in skills]


def test_openskill_ranks_a_steady_winner_first() -> None:
    games = [((0, 1), (1.0, -1.0)) if n % 2 else ((1, 0), (-1.0, 1.0)) for n in range(30)]
    best, other = openskill(Summary(rows_of(games), ["a", "b"]))
    assert best.value > 100 > -100 > other.value
    assert best.low is not None
    assert other.high is not None
    assert best.low > other.high


def test_openskill_takes_the_mean_of_the_seats_of_an_agent() -> None:
    games = [((0, 0, 1, 1), (1.0, 1.0, -1.0, -1.0)), ((0, 0, 0, 0), (3.0, -1.0, -1.0, -1.0))]
    best, other = openskill(Summary(rows_of(games), ["a", "b"]))
    assert best.value == pytest.approx(-other.value)
    assert best.games == 1


@pytest.mark.parametrize("bad", [np.ones((2, 3)), np.array([[0, -1.0], [1, 0]]), np.array([[0, math.nan], [1, 0]])])
def test_broken_crosstables_are_refused(bad: Matrix) -> None:
    with pytest.raises(ParameterError, match="square matrix"):
        bradley_terry(bad)
