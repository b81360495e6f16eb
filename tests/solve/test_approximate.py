"""The approximate best response: a lower bound, labelled as one, that is never far above the truth."""

from __future__ import annotations

from typing import Any

import pytest

import kiebitz as kb
from kiebitz.errors import ParameterError
from kiebitz.solve import Policy, best_response, expected_value
from kiebitz.solve.approximate import approximate_best_response
from tests.solve.brute_force import random_table

KUHN = Policy.uniform("kuhn")


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("player", [0, 1])
def test_it_is_below_the_best_response_and_above_doing_nothing(name: str, player: int) -> None:
    """Against random policies: the interval does not lie above the exact value, the mean beats the policy itself."""
    game = kb.game(name)
    for seed in range(2):
        policy = Policy.from_table(game, random_table(game, seed))
        exact = best_response(game, policy, player).value
        found = approximate_best_response(game, policy, player, learn=3000, games=1500, seed=10**6 * seed)
        assert found.payoff.low is not None
        assert found.payoff.high is not None
        assert found.payoff.low <= exact
        assert found.payoff.high > expected_value(game, policy)[player]


def test_on_kuhn_it_gets_all_that_there_is() -> None:
    found = approximate_best_response("kuhn", KUHN, 0, learn=5000, games=5000, seed=1)
    assert found.payoff.low is not None
    assert found.payoff.high is not None
    assert found.payoff.low <= 0.5 <= found.payoff.high  # a best response gets exactly 0.5


def test_a_game_that_is_too_large_to_compile() -> None:
    """Liar's Dice with two dice each: who answers random players wins more than they do."""
    game = kb.game("liars_dice", dice=2)
    with pytest.raises(kb.errors.LimitError):
        kb.solve.compile_game(game, nodes=1_000_000)
    found = approximate_best_response(game, lambda seed: kb.agent("random", game, seed), 0, learn=4000, games=1000)
    assert found.payoff.low is not None
    assert found.payoff.low > 0.1


def test_more_than_two_players() -> None:
    game = kb.game("kuhn", players=3)
    policy = Policy.uniform(game)
    found = approximate_best_response(game, policy, 2, learn=3000, games=2000, seed=3)
    assert found.payoff.low is not None
    assert found.payoff.low <= best_response(game, policy, 2).value


def test_it_says_what_it_is() -> None:
    found = approximate_best_response("kuhn", KUHN, 1, learn=100, games=50)
    text = str(found)
    assert "at least" in text
    assert text.endswith("sampled lower bound, 50 games")
    assert " to " in text
    assert " to " not in str(approximate_best_response("kuhn", KUHN, 1, learn=100, games=1))  # one game has no interval


def test_the_same_seed_gives_the_same_bound_and_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    runs = [
        approximate_best_response(
            "kuhn", KUHN, 0, learn=50, games=20, seed=seed, progress=lambda done, all_: told.append((done, all_))
        )
        for seed in (5, 5, 6)
    ]
    assert runs[0] == runs[1] != runs[2]
    assert told == [(done, 70) for done in range(1, 71)] * 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"player": 2}, "player: expected a whole number from 0 to 1"),
        ({"player": -1}, "player"),
        ({"player": "0"}, "player"),
        ({"player": True}, "player"),
        ({"learn": 0}, "learn: expected a whole number from 1"),
        ({"learn": 1.5}, "learn"),
        ({"games": 0}, "games"),
        ({"games": None}, "games"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**70}, "seed"),
        ({"exploration": -1.0}, "exploration: expected a number from 0 up"),
        ({"exploration": float("nan")}, "exploration"),
        ({"exploration": "high"}, "exploration"),
        ({"opponents": "random"}, "opponents: expected a policy or a function"),
        ({"opponents": None}, "opponents"),
        ({"opponents": Policy.uniform("leduc")}, "policy: expected one for"),
        ({"game": 3}, "game: expected a game"),
    ],
)
def test_bad_input(change: dict[str, Any], message: str) -> None:
    call: dict[str, Any] = {"game": "kuhn", "opponents": KUHN, "player": 0, "learn": 10, "games": 10, **change}
    with pytest.raises(ParameterError, match=message):
        approximate_best_response(**call)
