"""Statistics of matches against SciPy and against known values."""

from __future__ import annotations

import math
import random
from statistics import mean, pstdev, stdev

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binomtest, t, ttest_1samp

from kiebitz.stats import MOST_BLOCKS, Mean, mean_interval, population, thesis_interval, wilson


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


# --- Means in blocks, p-values, deals still needed --------------------------------------------------------------------


BLOCKS = st.lists(st.lists(st.floats(-100, 100), min_size=0, max_size=4), min_size=0, max_size=30)


@given(BLOCKS)
def test_mean_of_sums_and_counts_is_the_mean_of_all_numbers(blocks: list[list[float]]) -> None:
    numbers = [number for block in blocks for number in block]
    found = Mean.of([math.fsum(block) for block in blocks], [len(block) for block in blocks])
    assert found.count == len(numbers)
    assert found.blocks == sum(bool(block) for block in blocks)
    if numbers:
        assert found.value == pytest.approx(mean(numbers), abs=1e-9)
        assert (found.error is None) == (found.blocks < 2)


@given(st.lists(st.floats(-100, 100), min_size=3, max_size=50, unique=True), st.floats(-50, 50))
def test_p_values_are_those_of_scipy(values: list[float], null: float) -> None:
    found = Mean.of(values)
    assume(found.error is not None and found.error > 1e-6)
    assert found.p_value(null) == pytest.approx(ttest_1samp(values, null).pvalue, rel=1e-6, abs=1e-12)


def test_equal_deals_are_judged_by_their_sign() -> None:
    assert Mean.of([0.1] * 10).p_value() == pytest.approx(binomtest(10, 10).pvalue)
    assert Mean.of([0.0] * 10).p_value() == 1.0
    assert Mean.of([3.0]).p_value() is None


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=50, unique=True), st.floats(0.01, 100))
def test_blocks_for_a_width_are_enough_and_not_too_many(values: list[float], half_width: float) -> None:
    found = Mean.of(values)
    assume(found.error is not None and found.error > 1e-6)
    assert found.error is not None
    blocks = found.blocks_for(half_width)
    assert blocks is not None

    def width(k: int) -> float:
        same_spread = Mean(found.value, found.error * math.sqrt(found.blocks / k), k, k)  # type: ignore[operator]
        high = same_spread.estimate().high
        assert high is not None
        return high - found.value

    assert width(blocks) <= half_width * 1.003
    assert blocks == 2 or width(blocks - 1) > half_width * 0.997


def test_the_deals_asked_for_show_a_difference_in_four_of_five_cases() -> None:
    draw = np.random.default_rng(5)
    blocks = Mean.of(draw.normal(0, 1, 400)).blocks_to_show(0.25)
    assert blocks is not None
    shown = sum((Mean.of(draw.normal(0.25, 1, blocks)).p_value() or 0) < 0.05 for _ in range(1000))
    assert 750 < shown < 870


def test_unknown_spread_needs_an_unknown_number_of_deals() -> None:
    assert Mean.of([1.0]).blocks_for(0.1) is None
    assert Mean.of([1.0]).blocks_to_show(0.1) is None
    assert Mean.of([1.0, 2.0]).blocks_for(1e-300) == MOST_BLOCKS


@pytest.mark.requirement("OW-52")
def test_the_interval_of_the_thesis() -> None:
    estimate = thesis_interval(28.84, 11.10, 80)
    assert (round(estimate.low or 0, 2), round(estimate.high or 0, 2)) == (26.39, 31.29)
    assert thesis_interval(20.0, 0.0, 1).low is None


@pytest.mark.requirement("OW-52")
@given(st.lists(st.integers(1, 200), min_size=1, max_size=100))
def test_the_deviation_is_that_of_the_population(values: list[int]) -> None:
    found = population(values)
    assert found == pytest.approx((mean(values), pstdev(values)))
