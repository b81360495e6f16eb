"""Solvers on Kuhn poker, the toy raise game and Leduc: how close they come, and their regret against its bounds."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import kiebitz as kb
from kiebitz._core import Cfr
from kiebitz.solve import (
    Policy,
    best_response,
    compile_game,
    expected_value,
    exploitability,
    nash_conv,
    solve,
)
from kiebitz.solve.sequence_form import constraints, payoff_matrix
from tests.solve.brute_force import random_table


@pytest.mark.requirement("PK-29")
def test_sequence_form_of_kuhn() -> None:
    policy = solve("kuhn", "lp")
    assert expected_value("kuhn", policy)[0] == pytest.approx(-1 / 18, abs=1e-6)
    for ranks in (3, 6, 13):  # the size grows like the sequences, not like the strategies
        compiled = compile_game(kb.game("leduc", ranks=ranks, suits=1))
        assert payoff_matrix(compiled).shape == (compiled.sequences(0), compiled.sequences(1))
        assert constraints(compiled, 0).nnz == 1 + compiled.sets(0) + compiled.sequences(0) - 1


TOY = kb.game("tree", example="raise_or_pass")


@pytest.mark.requirement("PK-30")
@pytest.mark.parametrize(("game", "bound"), [(TOY, 0.002), (kb.game("kuhn"), 0.005)], ids=["toy", "kuhn"])
def test_cfr_with_simultaneous_updates(game: kb.Game, bound: float) -> None:
    policy = solve(game, "cfr", simultaneous=True, iterations=10_000)
    assert nash_conv(game, policy) <= bound
    assert nash_conv(game, solve(game, "cfr+", iterations=10_000)) <= bound / 10


@pytest.mark.requirement("PK-31")
@pytest.mark.parametrize(("game", "bound"), [(TOY, 0.002), (kb.game("kuhn"), 0.005)], ids=["toy", "kuhn"])
def test_fictitious_play(game: kb.Game, bound: float) -> None:
    assert nash_conv(game, solve(game, "xfp", iterations=10_000)) <= bound


def average_regret(game: kb.Game, iterations: list[int]) -> dict[int, tuple[float, float, float]]:
    """By number of simultaneous iterations: the measured average regret of each player, and NashConv of the average.

    With simultaneous updates the regret against the best fixed strategy is the gain of a best response to the
    opponent's average over the mean payoff of what was played.
    """
    compiled = compile_game(game)
    solver = Cfr(compiled, simultaneous=True)
    paid = np.zeros(2)
    out = {}
    for t in range(1, max(iterations) + 1):
        paid += compiled.payoffs([solver.current(p) for p in range(2)])
        solver.iterate(1)
        if t in iterations:
            average = [solver.average(p) for p in range(2)]
            best = compiled.best_values(average)
            regrets = [best[p] - paid[p] / t for p in range(2)]
            out[t] = (regrets[0], regrets[1], sum(best))
    return out


@pytest.mark.requirement("PK-30", "PK2-15")
def test_measured_regret_is_below_its_bound() -> None:
    """Delta |I| sqrt(|A|) / sqrt(T): 4 * 6 * sqrt(2) / sqrt(T) on Kuhn."""
    for t, (first, second, _) in average_regret(kb.game("kuhn"), [1, 10, 100, 1000]).items():
        assert max(first, second) <= 33.94 / np.sqrt(t)
        assert first + second >= -1e-9


@pytest.mark.requirement("PK2-15")
def test_cfr_on_kuhn() -> None:
    policy = solve("kuhn", "cfr", iterations=10_000)
    assert expected_value("kuhn", policy)[0] == pytest.approx(-1 / 18, abs=5e-4)
    assert nash_conv("kuhn", policy) <= 0.006


@pytest.mark.requirement("PK2-16")
def test_regret_bounds_the_distance() -> None:
    for first, second, conv in average_regret(kb.game("kuhn"), [1, 3, 10, 30, 100, 300, 1000]).values():
        assert conv <= 2 * max(first, second) + 1e-9
        assert conv == pytest.approx(first + second, abs=1e-9)


@pytest.mark.requirement("PK-37")
def test_best_response_is_best_and_earns_the_value_against_an_equilibrium() -> None:
    leduc = kb.game("leduc")
    equilibrium = solve(leduc, "lp")
    value = expected_value(leduc, equilibrium)
    policies = [Policy.from_table(leduc, random_table(leduc, seed)) for seed in range(10)]
    for player in (0, 1):
        assert best_response(leduc, equilibrium, player).value == pytest.approx(value[player], abs=1e-6)
        for opponent in policies[:3]:
            best = best_response(leduc, opponent, player)
            assert expected_value(leduc, best.policy)[player] == pytest.approx(best.value, abs=1e-9)
            for tried in (*policies, equilibrium):
                mixed = list(opponent.strategies)
                mixed[player] = tried.strategies[player]
                assert best.value >= expected_value(leduc, Policy(opponent.compiled, mixed))[player] - 1e-9


@pytest.mark.requirement("PK-39")
def test_restricted_nash_response() -> None:
    """p = 0 is an equilibrium, p = 1 a best response; between them exploitation rises and the worst case falls."""
    leduc = kb.game("leduc")
    opponent = Policy.from_table(leduc, random_table(leduc, 7))
    value = expected_value(leduc, solve(leduc, "lp"))[0]
    exploits, worst = [], []
    for p in (0.0, 0.25, 0.5, 0.75, 0.9, 1.0):
        answer = solve(leduc, "rnr", opponent=opponent, p=p, player=0, iterations=2000)
        against = Policy(leduc_compiled := answer.compiled, [answer.strategies[0], opponent.strategies[1]])
        exploits.append(expected_value(leduc, against)[0])
        worst.append(-leduc_compiled.best_values(list(answer.strategies))[1])
    assert worst[0] == pytest.approx(value, abs=2e-3)
    assert exploits[-1] == pytest.approx(best_response(leduc, opponent, 0).value, abs=2e-3)
    slack = 0.01 * (exploits[-1] - exploits[0])
    assert all(b >= a - slack for a, b in pairwise(exploits))
    assert all(b <= a + 0.01 * (worst[0] - worst[-1]) for a, b in pairwise(worst))
    assert exploits[-1] > exploits[0] + 0.1
    assert worst[0] > worst[-1] + 0.1


def test_the_toy_game_of_the_proceedings() -> None:
    """Value 1/18, the king always raised, the jack a third of the time, the queen never; the queen calls a third."""
    policy = solve(TOY, "lp")
    assert expected_value(TOY, policy)[0] == pytest.approx(1 / 18, abs=1e-6)
    assert exploitability(TOY, policy) < 1e-9
    bold = {
        row.sees.split(" in: ")[1].split(";")[0]: choice.probabilities[0]
        for row, choice in zip(policy.rows(), policy, strict=True)
    }
    expected = {"J": 1 / 3, "Q": 0, "K": 1, "J, raised": 0, "Q, raised": 1 / 3, "K, raised": 1}
    assert bold == pytest.approx(expected, abs=1e-6)
