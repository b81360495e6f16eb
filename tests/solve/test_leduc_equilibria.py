"""Mixtures of policies, exact measures and curves of the solvers on Kuhn and Leduc poker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

import kiebitz as kb
from kiebitz.solve import Policy, best_response, expected_value, exploitability, head_to_head, measure, nash_conv, solve
from tests.solve import brute_force

FOLD, CALL, RAISE = 0, 1, 2


def with_part(game: kb.Game, policy: Policy, player: int, part: Policy) -> Policy:
    strategies = list(policy.strategies)
    strategies[player] = part.strategies[player]
    return Policy(policy.compiled, strategies)


def random_policy(game: kb.Game, seed: int) -> Policy:
    return Policy.from_table(game, brute_force.random_table(game, seed))


@pytest.mark.requirement("NF-3")
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_a_mixture_pays_the_mixture_of_the_payoffs(name: str) -> None:
    game = kb.game(name)
    for seed in range(5):
        first, second, other = (random_policy(game, 3 * seed + i) for i in range(3))
        mixed = Policy.mix([(0.3, first), (0.7, second)])
        for player in (0, 1):
            parts = [expected_value(game, with_part(game, other, player, part))[player] for part in (first, second)]
            expected = 0.3 * parts[0] + 0.7 * parts[1]
            assert expected_value(game, with_part(game, other, player, mixed))[player] == pytest.approx(
                expected, abs=1e-10
            )


@pytest.mark.requirement("NF-3")
def test_the_mean_of_the_probabilities_is_something_else() -> None:
    game = kb.game("kuhn")
    first, second, other = (random_policy(game, seed) for seed in range(3))
    naive = Policy(
        first.compiled, [0.3 * a + 0.7 * b for a, b in zip(first.strategies, second.strategies, strict=True)]
    )
    right = Policy.mix([(0.3, first), (0.7, second)])
    values = [expected_value(game, with_part(game, other, 0, part))[0] for part in (naive, right)]
    assert abs(values[0] - values[1]) > 1e-3


def profile(game: kb.Game, choose: Callable[[list[int]], dict[int, float]]) -> Policy:
    """The same rule in every information set, from the legal actions alone."""
    policy = Policy.uniform(game)
    table = {choice.view.key: choose(list(choice.probabilities)) for choice in policy}
    return Policy.from_table(game, table)


def mapped(legal: list[int]) -> dict[int, float]:
    """Three actions alike, those that are not legal played as a call."""
    share = dict.fromkeys(legal, 1 / 3)
    share[CALL] += (3 - len(legal)) / 3
    return share


PROFILES: dict[str, Callable[[list[int]], dict[int, float]]] = {
    "uniform": lambda legal: dict.fromkeys(legal, 1 / len(legal)),
    "three actions, illegal ones as calls": mapped,
    "always call": lambda legal: {CALL: 1.0},
    "always raise": lambda legal: {RAISE if RAISE in legal else CALL: 1.0},
    "always fold": lambda legal: {FOLD if FOLD in legal else CALL: 1.0},
}
ORACLE = {  # preset, profile: best response of seat 0 and of seat 1
    ("standard", "uniform"): (2.087500, 2.659722),
    ("standard", "three actions, illegal ones as calls"): (1.629630, 2.060082),
    ("standard", "always call"): (1.466667, 1.466667),
    ("standard", "always raise"): (2.366667, 2.366667),
    ("standard", "always fold"): (1.0, 1.0),
    ("thesis", "uniform"): (1.052083, 1.148148),
    ("thesis", "three actions, illegal ones as calls"): (0.888889, 0.956790),
    ("thesis", "always call"): (0.433333, 0.433333),
    ("thesis", "always raise"): (0.633333, 0.533333),
    ("thesis", "always fold"): (1.0, 0.5),
}


@pytest.mark.requirement("NF-7")
@pytest.mark.parametrize(("preset", "name"), ORACLE)
def test_oracle_values(preset: str, name: str) -> None:
    game = kb.game("leduc", preset=preset)
    policy = profile(game, PROFILES[name])
    expected = ORACLE[preset, name]
    for player in (0, 1):
        assert best_response(game, policy, player).value == pytest.approx(expected[player], abs=1e-5)
    assert exploitability(game, policy) == pytest.approx(sum(expected) / 2, abs=1e-5)


@pytest.mark.requirement("NF-7")
def test_kuhn_and_values_of_uniform_play() -> None:
    uniform = Policy.uniform("kuhn")
    assert exploitability("kuhn", uniform) == pytest.approx(0.458333, abs=1e-6)
    assert [best_response("kuhn", uniform, p).value for p in (0, 1)] == pytest.approx([0.5, 0.416667], abs=1e-6)
    for preset, value in (("standard", -0.078125), ("thesis", -0.152778)):
        game = kb.game("leduc", preset=preset)
        assert expected_value(game, Policy.uniform(game))[0] == pytest.approx(value, abs=1e-6)
    assert nash_conv("leduc", Policy.uniform("leduc")) == pytest.approx(4.7472, abs=5e-5)


VALUES = [("leduc", "standard", -0.085606, 5e-6), ("leduc", "thesis", 0.0171, 5e-5), ("kuhn", None, -1 / 18, 1e-9)]


@pytest.mark.requirement("NF-8")
@pytest.mark.parametrize(("name", "preset", "value", "tolerance"), VALUES)
def test_game_values_by_linear_programme_and_cfr_plus(
    name: str, preset: str | None, value: float, tolerance: float
) -> None:
    game = kb.game(name, preset=preset)
    exact = solve(game, "lp")
    assert expected_value(game, exact)[0] == pytest.approx(value, abs=tolerance)
    assert exploitability(game, exact) < 1e-9
    learned = solve(game, "cfr+", iterations=2000)
    assert expected_value(game, learned)[0] == pytest.approx(expected_value(game, exact)[0], abs=1e-4)
    assert expected_value(game, learned)[0] == pytest.approx(value, abs=5e-4)


@pytest.mark.requirement("NF-29")
@pytest.mark.parametrize("preset", ["standard", "thesis"])
def test_exact_measures_equal_plain_recursion(preset: str) -> None:
    game = kb.game("leduc", preset=preset, suits=1, ranks=4)  # small enough for plain recursion, twenty times
    for seed in range(10):
        table = brute_force.random_table(game, seed)
        policy = Policy.from_table(game, table)
        found = measure(policy)
        assert found.values == pytest.approx(brute_force.values(game.root(), table), abs=1e-9)
        for player in (0, 1):
            assert found.best_values[player] == pytest.approx(brute_force.best_response(game, table, player), abs=1e-9)


@pytest.mark.requirement("NF-29")
def test_the_real_game_equals_plain_recursion() -> None:
    game = kb.game("leduc")
    table = brute_force.random_table(game, 1)
    found = measure(Policy.from_table(game, table))
    assert found.values == pytest.approx(brute_force.values(game.root(), table), abs=1e-9)
    assert found.best_values[0] == pytest.approx(brute_force.best_response(game, table, 0), abs=1e-9)


CURVES = {  # iterations: exploitability of XFP, CFR, CFR+
    10: (1.174, 0.889, 0.610),
    50: (0.398, 0.189, 0.0341),
    100: (0.250, 0.0957, 0.0134),
    200: (0.148, 0.0538, 0.00502),
    500: (0.0969, 0.0215, 0.00092),
    1000: (0.0635, 0.0118, 0.00027),
}


@pytest.mark.requirement("NF-32")
@pytest.mark.parametrize("iterations", CURVES)
def test_curves_of_the_solvers(iterations: int) -> None:
    """Beyond 500 iterations of CFR+ rounding decides: a last bit changed at the start moves 0.00025 by 5 %."""
    late = 0.02 if iterations <= 500 else 0.1
    for method, expected, part in zip(("xfp", "cfr", "cfr+"), CURVES[iterations], (0.1, 0.02, late), strict=True):
        found = exploitability("leduc", solve("leduc", method, iterations=iterations))
        assert found == pytest.approx(expected, rel=part), method


@pytest.mark.requirement("NF-32")
def test_thesis_preset() -> None:
    """Many plans are worth the same here, so rounding decides in CFR+ early on: 0.0031 to 0.0038 were seen at 100
    iterations and 0.00006 to 0.00017 at 1,000 after changes in the eleventh digit."""
    game = kb.game("leduc", preset="thesis")
    for method, iterations, expected, part in (
        ("xfp", 100, 0.0795, 0.1),
        ("xfp", 1000, 0.0143, 0.1),
        ("cfr+", 100, 0.0035, 0.15),
        ("cfr+", 1000, 0.00011, 0.6),
    ):
        found = exploitability(game, solve(game, method, iterations=iterations))
        assert found == pytest.approx(expected, rel=part), (method, iterations)


@pytest.mark.requirement("NF-36")
def test_numbers_are_printed_under_both_names() -> None:
    """And the pages that print exploitability name preset, units and definition."""
    assert str(measure(Policy.uniform("kuhn"))) == "exploitability 0.458333, NashConv 0.916667"
    page = (Path(__file__).parents[2] / "docs" / "equilibria.md").read_text(encoding="utf-8")
    for word in ("`standard`", "chips", "NashConv / 2"):
        assert word in page


def test_pinned_upper_bounds_on_leduc() -> None:
    """NashConv of the methods after 100, 1,000 and 10,000 iterations."""
    bounds = {"cfr": (0.2, 0.026), "cfr+": (0.03, 6e-4), "dcfr": (0.02, 1e-3)}
    for method, (hundred, thousand) in bounds.items():
        assert nash_conv("leduc", solve("leduc", method, iterations=100)) <= hundred
        assert nash_conv("leduc", solve("leduc", method, iterations=1000)) <= thousand
    for method in ("cfr+", "dcfr"):
        assert nash_conv("leduc", solve("leduc", method, iterations=10_000, check_every=10_000)) <= 3e-5


def test_an_equilibrium_is_not_beaten_head_to_head() -> None:
    equilibrium = solve("leduc", "lp")
    random = Random(1)
    for _ in range(5):
        other = random_policy(kb.game("leduc"), random.randrange(1000))
        assert head_to_head("leduc", equilibrium, other) > -1e-9
    assert np.isclose(head_to_head("leduc", equilibrium, equilibrium), 0)
