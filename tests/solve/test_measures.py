"""Exact measures on random trees: they equal plain recursion, and keep the laws of their definitions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.errors import ParameterError, UnsuitableGame
from kiebitz.solve import (
    Policy,
    best_response,
    expected_value,
    exploitability,
    gap,
    head_to_head,
    measure,
    nash_conv,
)
from tests.solve import brute_force
from tests.solve.brute_force import random_policy, random_table, random_tree

SEEDS = st.integers(0, 10**6)
trees = st.builds(random_tree, SEEDS, st.integers(1, 4), st.booleans())
duels = st.builds(random_tree, SEEDS)


def with_part(policy: Policy, player: int, part: Policy) -> Policy:
    strategies = list(policy.strategies)
    strategies[player] = part.strategies[player]
    return Policy(policy.compiled, strategies)


@settings(max_examples=150)
@given(trees, SEEDS)
def test_values_and_best_responses_equal_plain_recursion(game: kb.Game, seed: int) -> None:
    table = random_table(game, seed)
    policy = Policy.from_table(game, table)
    found = measure(policy)
    assert found.values == pytest.approx(brute_force.values(game.root(), table), abs=1e-9)
    assert expected_value(game, policy) == found.values
    for player in range(game.info.players):
        best = best_response(game, policy, player)
        assert best.value == pytest.approx(brute_force.best_response(game, table, player), abs=1e-9)
        assert best.value == pytest.approx(found.best_values[player], abs=1e-12)
        assert expected_value(game, best.policy)[player] == pytest.approx(best.value, abs=1e-9)  # it attains it
        own = [row.probabilities for row in best.policy if row.player == player]
        assert {p for chances in own for p in chances.values()} <= {0.0, 1.0}  # it is pure


@settings(max_examples=100)
@given(trees, SEEDS)
def test_nash_conv_is_the_sum_of_all_gains(game: kb.Game, seed: int) -> None:
    policy = random_policy(game, seed)
    found = measure(policy)
    gains = [best - value for best, value in zip(found.best_values, found.values, strict=True)]
    assert min(gains) >= -1e-9
    assert found.nash_conv == pytest.approx(sum(gains), abs=1e-9)
    assert gap(game, policy, policy) == pytest.approx(gains, abs=1e-9)
    if game.info.players == 2 and game.info.utility == "zero_sum":
        assert exploitability(game, policy) == found.nash_conv / 2
    elif game.info.players != 2:
        assert found.exploitability is None
        with pytest.raises(UnsuitableGame, match="nash_conv"):
            exploitability(game, policy)


@settings(max_examples=100)
@given(trees, SEEDS, SEEDS)
def test_the_gap_of_a_reply_is_what_it_misses(game: kb.Game, seed: int, other: int) -> None:
    policy, reply = random_policy(game, seed), random_policy(game, other)
    missed = gap(game, policy, reply)
    assert min(missed) >= -1e-9
    for player in range(game.info.players):
        best = best_response(game, policy, player)
        paid = expected_value(game, with_part(policy, player, reply))[player]
        assert missed[player] == pytest.approx(best.value - paid, abs=1e-9)
        assert gap(game, policy, best.policy)[player] == pytest.approx(0, abs=1e-9)


@settings(max_examples=100)
@given(duels, SEEDS, SEEDS)
def test_head_to_head_is_antisymmetric(game: kb.Game, seed: int, other: int) -> None:
    first, second = random_policy(game, seed), random_policy(game, other)
    assert head_to_head(game, first, second) == pytest.approx(-head_to_head(game, second, first), abs=1e-9)
    assert head_to_head(game, first, first) == pytest.approx(0, abs=1e-9)
    seats = [
        brute_force.values(game.root(), seat_table(first, 0) | seat_table(second, 1))[0],
        brute_force.values(game.root(), seat_table(second, 0) | seat_table(first, 1))[1],
    ]
    assert head_to_head(game, first, second) == pytest.approx(sum(seats) / 2, abs=1e-9)


def seat_table(policy: Policy, seat: int) -> dict[str, dict[int, float]]:
    return {row.view.key: row.probabilities for row in policy if row.player == seat}


@pytest.mark.requirement("NF-3")
@settings(max_examples=100)
@given(trees, st.floats(0, 1), SEEDS)
def test_a_mixture_pays_the_mixture_against_anybody(game: kb.Game, weight: float, seed: int) -> None:
    first, second, others = (random_policy(game, seed + i) for i in range(3))
    mixed = Policy.mix([(weight, first), (1 - weight, second)])
    for player in range(game.info.players):
        values = [expected_value(game, with_part(others, player, part)) for part in (first, second, mixed)]
        expected = [weight * a + (1 - weight) * b for a, b in zip(values[0], values[1], strict=True)]
        assert values[2] == pytest.approx(expected, abs=1e-9)


def test_general_sum_and_three_players_have_nash_conv_only() -> None:
    for name in ("information_sets", "pure_equilibria", "three_players", "strategy_fusion"):
        game = kb.game("tree", example=name)
        uniform = Policy.uniform(game)
        assert nash_conv(game, uniform) >= 0
        assert str(measure(uniform)).startswith("NashConv")
        with pytest.raises(UnsuitableGame, match="two-player zero-sum"):
            exploitability(game, uniform)
    three = Policy.uniform(kb.game("kuhn", players=3))
    with pytest.raises(UnsuitableGame, match="two players, kuhn has 3"):
        head_to_head(three.game, three, three)


def test_a_game_that_is_over_at_once_has_values() -> None:
    game = kb.game("tree", tree={"players": ["A", "B"], "root": {"payoffs": [2, -2]}})
    assert measure(Policy.uniform(game)) == ([2.0, -2.0], [2.0, -2.0], 0.0, 0.0)


def test_the_same_rules_asked_for_in_another_way_are_the_same_game() -> None:
    policy = Policy.uniform(kb.game("leduc", preset="standard"))
    assert nash_conv("leduc", policy) == pytest.approx(4.747222, abs=1e-6)
    assert policy.distance(Policy.uniform(kb.game("leduc", ranks=3))) == 0


@pytest.mark.parametrize("measured", [expected_value, nash_conv, exploitability])
def test_policies_of_other_games_are_refused(measured: Any) -> None:
    for game in ("leduc", kb.game("kuhn", players=3)):
        with pytest.raises(ParameterError, match="policy: expected one for"):
            measured(game, Policy.uniform("kuhn"))
    for nothing in (None, "kuhn", [0.5, 0.5]):
        with pytest.raises(ParameterError, match="policy: expected a policy"):
            measured("kuhn", nothing)
    with pytest.raises(ParameterError, match="game: expected a game or the name of one"):
        measured(7, Policy.uniform("kuhn"))


def test_both_sides_of_a_comparison_must_be_policies_of_the_game() -> None:
    kuhn, leduc = Policy.uniform("kuhn"), Policy.uniform("leduc")
    for measured in (head_to_head, gap):
        with pytest.raises(ParameterError, match="one game"):
            measured("kuhn", kuhn, leduc)
        with pytest.raises(ParameterError, match="expected a policy"):
            measured("kuhn", kuhn, "kuhn")  # type: ignore[arg-type]


@pytest.mark.parametrize("player", [-1, 2, 2**70, 0.0, True, "0", None])
def test_best_response_of_nobody(player: Any) -> None:
    with pytest.raises(ParameterError, match="player: expected 0 to 1"):
        best_response("kuhn", Policy.uniform("kuhn"), player)
