"""Statistics of matches against SciPy and against known values."""

from __future__ import annotations

import math
import random
from statistics import mean, stdev

import pytest
from scipy.stats import binomtest, t

from kiebitz.stats import mean_interval, wilson


def test_mean_of_single_games_has_the_usual_interval() -> None:
    draw = random.Random(1)
    values = [draw.gauss(3, 2) for _ in range(25)]
    low, high = t.interval(0.95, 24, loc=mean(values), scale=stdev(values) / 5)
    estimate = mean_interval([[value] for value in values])
    assert estimate.value == pytest.approx(mean(values))
    assert (estimate.low, estimate.high) == pytest.approx((low, high))


def test_games_that_share_a_deal_count_once() -> None:
    """What the cards gave in one seat they took in the other: no spread is left."""
    estimate = mean_interval([[5.0, -5.0], [3.0, -3.0], [-4.0, 4.0]])
    assert (estimate.value, estimate.low, estimate.high) == (0, 0, 0)
    doubled = mean_interval([[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]])
    single = mean_interval([[1.0], [2.0], [4.0]])
    assert doubled.to_dict() == pytest.approx(single.to_dict())


def test_the_interval_covers_the_mean_in_about_95_of_100_cases() -> None:
    draw = random.Random(2)
    covered = 0
    for _ in range(2000):
        blocks = []
        for _ in range(8):
            shared = draw.gauss(0, 1)
            blocks.append([1 + shared + draw.gauss(0, 1), 1 + shared + draw.gauss(0, 1)])
        estimate = mean_interval(blocks)
        assert estimate.low is not None
        assert estimate.high is not None
        covered += estimate.low <= 1 <= estimate.high
    assert 0.935 < covered / 2000 < 0.965


def test_too_few_games_have_no_interval() -> None:
    assert mean_interval([[1.0, -1.0]]).low is None
    assert math.isnan(mean_interval([]).value)
    assert math.isnan(wilson(0, 0).value)


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (1, 10), (5, 10), (10, 10), (37, 1000)])
def test_wilson_agrees_with_scipy(hits: int, trials: int) -> None:
    interval = binomtest(hits, trials).proportion_ci(0.95, method="wilson")
    estimate = wilson(hits, trials)
    assert (estimate.low, estimate.high) == pytest.approx((interval.low, interval.high), abs=1e-9)
