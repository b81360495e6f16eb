"""Wald's test: the same decision for any order of arrival, and error rates by simulation."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiebitz.arena.sprt import Sprt, SprtBounds, elo_score
from kiebitz.errors import ParameterError
from kiebitz.store.rows import Row


def row(number: int, deal: int, seating: tuple[int, ...], payoffs: tuple[float, ...]) -> Row:
    zeros = (0.0,) * len(seating)
    return Row(number, deal, seating, payoffs, 1, 2, (1,) * len(seating), zeros, zeros)


def pairs(values: list[float]) -> list[Row]:
    """Two games a deal, seats swapped; the values are the payoffs of agent 0, one a game."""
    return [
        row(n, n // 2, (0, 1) if n % 2 == 0 else (1, 0), (v, -v) if n % 2 == 0 else (-v, v))
        for n, v in enumerate(values)
    ]


@given(st.integers(0, 2**32), st.floats(-0.4, 0.4), st.randoms())
@settings(max_examples=25, deadline=None)
def test_the_decision_does_not_depend_on_the_order_of_arrival(seed: int, mean: float, order: Any) -> None:
    draw = random.Random(seed)
    rows = pairs([float(draw.random() < 0.5 + mean) * 2 - 1 for _ in range(400)])
    shuffled = list(rows)
    order.shuffle(shuffled)
    straight, other = (Sprt(SprtBounds(0.0, 0.2)) for _ in range(2))
    straight.add_all(rows)
    other.add_all(shuffled)
    assert straight.finish() == other.finish()
    assert straight.ratio == other.ratio
    assert straight.deals == other.deals


@given(st.integers(0, 200))
def test_only_the_complete_beginning_counts(missing: int) -> None:
    """Without one game nothing after its deal is judged, however clear the rest is."""
    rows = pairs([1.0] * 202)
    test = Sprt(SprtBounds(0.0, 0.5))
    test.add_all(row for row in rows if row.number != missing)
    deals = max(0, (missing - 1) // 2)  # a deal is complete when the next begins
    assert test.deals == min(deals, 32)
    assert (test.decision is None) == (deals < 32)
    test.add(rows[missing])
    assert test.decision is not None
    assert (test.decision.deals, test.decision.games) == (32, 64)


def test_games_after_the_decision_and_games_that_come_twice_change_nothing() -> None:
    rows = pairs([1.0] * 100)
    test = Sprt(SprtBounds(0.0, 0.5))
    for item in rows[:10] * 3:
        test.add(item)
    assert test.deals == 4  # the fifth deal may still have games to come
    decision = test.add_all(rows)
    assert decision is not None
    assert test.add_all(pairs([-1.0] * 1000)) is decision


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "upper"), (0.25, "lower")])
def test_error_rates_with_payoffs(truth: float, wrong: str) -> None:
    """At most about 5 % of the tests end at the wrong bound (the 99.9 % quantile of 150 tries at 5 % is 17)."""
    draw = np.random.default_rng(11)
    errors = lengths = 0
    for _ in range(150):
        test = Sprt(SprtBounds(0.0, 0.25))
        deal = 0
        while test.decision is None:
            luck, noise = draw.normal(0, 3), draw.normal(truth / 2, 0.5, 2)
            first, second = luck + noise[0], -luck + noise[1]  # what the cards give in one seat they take in the other
            test.add(row(2 * deal, deal, (0, 1), (first, -first)))
            test.add(row(2 * deal + 1, deal, (1, 0), (-second, second)))
            deal += 1
        errors += test.decision.verdict == wrong
        lengths += deal
    assert errors <= 17
    assert lengths / 150 < 200  # 1 / 16 of the deals a plain test would need without pairs


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "upper"), (60.0, "lower")])
def test_error_rates_with_wins_and_draws(elo: float, wrong: str) -> None:
    draw = random.Random(12)
    errors = 0
    score, draws = elo_score(elo), 0.4
    for _ in range(150):
        test = Sprt(SprtBounds(0.0, 60.0, elo=True))
        deal = 0
        while test.decision is None:
            values = draw.choices([1.0, 0.0, -1.0], [score - draws / 2, draws, 1 - score - draws / 2], k=2)
            test.add(row(2 * deal, deal, (0, 1), (values[0], -values[0])))
            test.add(row(2 * deal + 1, deal, (1, 0), (-values[1], values[1])))
            deal += 1
        errors += test.decision.verdict == wrong
    assert errors <= 17  # the 99.9 % quantile at 5 %


def test_equal_agents_keep_the_lower_bound() -> None:
    test = Sprt(SprtBounds(0.0, 0.5))
    decision = test.add_all(pairs([0.0] * 100))
    assert decision is not None
    assert decision.verdict == "lower"
    assert "rather +0 than +0.5, decided after 32 deals" in test.words()


def test_an_open_test_says_where_it_stands() -> None:
    test = Sprt(SprtBounds(0.0, 0.5))
    test.add_all(pairs([1.0, -1.0] * 5))
    assert test.decision is None
    assert test.finish() is None
    assert test.deals == 5
    assert test.words().startswith("undecided after 5 deals: ratio ")
    assert "between -2.94 and +2.94" in test.words()


def test_deals_in_which_one_of_them_does_not_play_are_passed_over() -> None:
    rows = [row(n, n, (0, 2) if n % 2 else (0, 1), (1.0, -1.0)) for n in range(100)]
    test = Sprt(SprtBounds(0.0, 0.5))
    decision = test.add_all(rows)
    assert decision is not None
    assert (decision.deals, decision.games) == (32, 63)


def test_tables_of_four_are_judged_by_the_means_of_their_seats() -> None:
    test = Sprt(SprtBounds(-1.0, 1.0, least=2))
    test.add(row(0, 0, (0, 0, 1, 1), (3.0, 1.0, -1.0, -3.0)))
    test.finish()
    assert test.ratio == pytest.approx(1 * 2.0 * 4.0 / (4.0**2))


@pytest.mark.parametrize(
    "bounds",
    [
        SprtBounds(0.5, 0.5),
        SprtBounds(1.0, 0.0),
        SprtBounds(0.0, float("nan")),
        SprtBounds(0.0, 1.0, alpha=0.0),
        SprtBounds(0.0, 1.0, beta=0.5),
        SprtBounds(0.0, 1.0, least=1),
    ],
)
def test_impossible_bounds_are_refused(bounds: SprtBounds) -> None:
    with pytest.raises(ParameterError, match="sprt: expected"):
        Sprt(bounds)


def test_an_agent_is_not_tested_against_itself() -> None:
    with pytest.raises(ParameterError, match="two different agents"):
        Sprt(SprtBounds(0.0, 1.0), 1, 1)
