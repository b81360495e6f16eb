"""The sequence form: the same value as the normal form and as CFR+, on every two-player zero-sum tree that ships."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.errors import UnsuitableGame
from kiebitz.games import tree
from kiebitz.solve import compile_game, expected_value, exploitability, solve
from kiebitz.solve.measures import is_two_player_zero_sum
from kiebitz.solve.normal_form import maximin, normal_form
from kiebitz.solve.sequence_form import constraints, payoff_matrix
from tests.solve.brute_force import random_table, random_tree

SEEDS = st.integers(0, 10**6)
EXAMPLES = [name for name in tree.list_examples() if is_two_player_zero_sum(kb.game("tree", example=name))]


def agree(game: kb.Game) -> None:
    """The linear programmes of both forms and CFR+ find one value."""
    exact = solve(game, "lp")
    assert exploitability(game, exact) < 1e-8
    value = expected_value(game, exact)[0]
    assert maximin(normal_form(game)).value == pytest.approx(value, abs=1e-8)
    assert expected_value(game, solve(game, "cfr+", iterations=3000, check_every=3000))[0] == pytest.approx(
        value, abs=1e-4
    )


def test_there_are_examples() -> None:
    assert {"raise_or_pass", "rps_hidden", "rps_fourth_symbol"} <= set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_sequence_form_normal_form_and_cfr_plus_agree_on_the_examples(name: str) -> None:
    agree(kb.game("tree", example=name))


@settings(max_examples=25)
@given(st.builds(random_tree, SEEDS, depth=st.just(4)))
def test_they_agree_on_random_trees(game: kb.Game) -> None:
    agree(game)


@settings(max_examples=30)
@given(st.builds(random_tree, SEEDS), SEEDS)
def test_the_matrices_say_what_the_game_says(game: kb.Game, seed: int) -> None:
    """E x = e for the plan of any policy, and x A y is what it pays."""
    policy = kb.solve.Policy.from_table(game, random_table(game, seed))
    compiled = compile_game(game)
    plans = [np.asarray(compiled.plan(player, policy.strategies[player])) for player in range(2)]
    for player, plan in enumerate(plans):
        start = np.zeros(compiled.sets(player) + 1)
        start[0] = 1.0
        assert constraints(compiled, player) @ plan == pytest.approx(start, abs=1e-12)
    paid = plans[0] @ (payoff_matrix(compiled) @ plans[1])
    assert paid == pytest.approx(expected_value(game, policy)[0], abs=1e-9)


def test_a_constant_sum_moves_values_and_no_choices() -> None:
    """Matching pennies that share 4 instead of 0."""

    def guess(heads: list[int], tails: list[int]) -> dict[str, object]:
        return {"player": 1, "set": "guess", "actions": {"h": {"payoffs": heads}, "t": {"payoffs": tails}}}

    root = {"player": 0, "actions": {"h": guess([0, 4], [4, 0]), "t": guess([4, 0], [0, 4])}}
    game = kb.game("tree", tree={"players": ["A", "B"], "root": root})
    assert game.info.utility == "constant_sum"
    policy = solve(game, "lp")
    assert expected_value(game, policy) == pytest.approx([2, 2], abs=1e-9)
    assert exploitability(game, policy) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("name", ["information_sets", "three_players", "strategy_fusion"])
def test_other_games_are_refused(name: str) -> None:
    game = kb.game("tree", example=name)
    with pytest.raises(UnsuitableGame, match="lp needs a two-player zero-sum game"):
        solve(game, "lp")
    if game.info.players != 2:
        with pytest.raises(UnsuitableGame, match="payoff matrix needs two players"):
            payoff_matrix(compile_game(game))
