"""Game theory on tables: regret matching, linear programmes, dominance, fictitious play, equilibria of normal forms.

The projection and the lagging anchor are tested in tests/core as well.
"""

from __future__ import annotations

import numpy as np
import pytest

import kiebitz as kb
from kiebitz.games.matrix import MatrixGame
from kiebitz.solve.compiled import compile_game, view_of
from kiebitz.solve.dominance import eliminate, iterated_dominance
from kiebitz.solve.dynamics import dynamics, regret_matching
from kiebitz.solve.measures import measure
from kiebitz.solve.normal_form import NormalForm, maximin, normal_form, pure_equilibria
from kiebitz.solve.policy import Policy


@pytest.fixture(scope="module")
def toy() -> NormalForm:
    return normal_form(kb.game("tree", example="raise_or_pass"))


@pytest.fixture(scope="module")
def rps() -> MatrixGame:
    return MatrixGame.from_game(kb.game("rock_paper_scissors"))


# --- Regret matching --------------------------------------------------------------------------------------------------


@pytest.mark.requirement("PK-26")
def test_regret_matching_example() -> None:
    """Section 5.2: the arithmetic of the paper corrected, (0, 0.25, 0.75) instead of (0, 0.2666, 0.7333)."""
    strategy, payoffs, reach = np.array([0.5, 0.25, 0.25]), np.array([-5, 10, 20]), 1 / 3
    value = strategy @ payoffs
    assert value == 5
    regrets = payoffs - value
    assert regrets.tolist() == [-10, 5, 15]
    assert (reach * regrets).round(2).tolist() == [-3.33, 1.67, 5.0]
    assert regret_matching(reach * regrets) == pytest.approx([0, 0.25, 0.75], abs=1e-12)


@pytest.mark.requirement("PK2-14")
def test_regret_matching() -> None:
    assert regret_matching([1, 3, -2]).tolist() == [0.25, 0.75, 0]
    assert regret_matching([-1, -3, -2]) == pytest.approx([1 / 3] * 3)
    assert regret_matching([0, 0]).tolist() == [0.5, 0.5]


# --- The toy game -----------------------------------------------------------------------------------------------------


def card_of(form: NormalForm, player: int, number: int) -> str:
    return str(form.views(player)[number]).splitlines()[0].split(": ")[1][0]


@pytest.mark.requirement("PK-27")
def test_linear_programmes_solve_rock_paper_scissors(rps: MatrixGame) -> None:
    value, strategies = maximin(rps)
    assert value == pytest.approx(0, abs=1e-6)
    for strategy in strategies:
        assert strategy == pytest.approx([1 / 3] * 3, abs=1e-6)


@pytest.mark.requirement("PK-27")
def test_linear_programmes_solve_the_toy_game(toy: NormalForm) -> None:
    """Value 1/18: player 1 raises K always, J a third of the time and Q never; player 2 calls with Q a third."""
    assert toy.shape == (8, 8)
    value, strategies = maximin(toy)
    assert value == pytest.approx(1 / 18, abs=1e-6)
    policy = toy.policy(strategies)
    assert measure(policy).nash_conv == pytest.approx(0, abs=1e-6)
    found = {(c.player, str(c.view).splitlines()[0].split(": ")[1][0]): c.probabilities[0] for c in policy}
    expected = {(0, "J"): 1 / 3, (0, "Q"): 0, (0, "K"): 1, (1, "J"): 0, (1, "Q"): 1 / 3, (1, "K"): 1}
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.requirement("PK-28")
def test_dominance_reduces_the_toy_game_to_4_x_2(toy: NormalForm) -> None:
    """Weak dominance for player 2 (J folds, K calls), then strict for player 1 (Q passes): the correct matrix."""
    assert iterated_dominance(toy, mixed=False).removed == []  # where nobody raises, player 2's plans are equal
    step = eliminate(toy, 1, weak=True, mixed=False)
    assert step.game.shape == (8, 2)
    order = [card_of(toy, 1, number) for number in range(3)]
    plans = [dict(zip(order, name.split(", "), strict=True)) for name in step.game.actions[1]]
    assert plans == [{"J": "fold", "Q": queen, "K": "call"} for queen in ("call", "fold")]
    reduced, removed = iterated_dominance(step.game, mixed=False)
    assert reduced.actions[0] == ("raise, pass, raise", "raise, pass, pass", "pass, pass, raise", "pass, pass, pass")
    assert {removal.player for removal in removed} == {0}
    correct = [[-1 / 6, 1 / 6], [-1 / 3, 1 / 6], [1 / 6, 0], [0, 0]]
    assert reduced.payoffs[0] == pytest.approx(np.array(correct), abs=1e-12)
    assert maximin(reduced).value == pytest.approx(1 / 18, abs=1e-9)


@pytest.mark.requirement("PK-31")
def test_fictitious_play_on_the_toy_game(toy: NormalForm) -> None:
    run = dynamics(toy, "fictitious_play", 10_000)
    assert run.curve[-1].average <= 0.002
    assert toy.payoff(run.averages)[0] == pytest.approx(1 / 18, abs=0.002)


@pytest.mark.requirement("PK-31")
def test_fictitious_play_on_the_table_of_kuhn() -> None:
    form = normal_form("kuhn")
    run = dynamics(form, "fictitious_play", 10_000)
    assert run.curve[-1].average <= 0.005
    assert measure(form.policy(run.averages)).nash_conv == pytest.approx(run.curve[-1].average, abs=1e-9)


# --- Rock-paper-scissors ----------------------------------------------------------------------------------------------


@pytest.mark.requirement("PK2-10")
def test_fictitious_play_on_rock_paper_scissors(rps: MatrixGame) -> None:
    curve = {point.steps: point.average for point in dynamics(rps, "fictitious_play", 100_000).curve}
    assert curve[10_000] <= 0.02
    assert curve[100_000] <= 0.006


@pytest.mark.requirement("PK2-10")
def test_a_dominated_fourth_symbol_vanishes() -> None:
    game = MatrixGame.from_game(kb.game("tree", example="rps_fourth_symbol"))
    assert game.actions[0][3] == "twig"
    for strategy in dynamics(game, "fictitious_play", 10_000).averages:
        assert strategy[3] <= 0.002
    for strategy in maximin(game).strategies:
        assert strategy == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-9)
    assert {removal.action for removal in iterated_dominance(game, weak=True).removed} == {"twig"}


@pytest.mark.requirement("PK2-61")
def test_lagging_anchor_and_basic_rule(rps: MatrixGame) -> None:
    start = [[0.4, 0.3, 0.3], [0.3, 0.4, 0.3]]
    assert dynamics(rps, "lagging_anchor", 5_000, alpha=0.01, eta=1, start=start).curve[-1].current <= 1e-9
    assert dynamics(rps, "gradient", 10_000, alpha=0.01, start=start).curve[-1].current >= 0.05


# --- Normal forms and pure equilibria ---------------------------------------------------------------------------------


@pytest.mark.requirement("PK2-13")
def test_pure_equilibria_of_the_extensive_game() -> None:
    game = kb.game("tree", example="pure_equilibria")
    form = normal_form(game)
    found = [(form.actions[0][row], form.actions[1][column]) for row, column in pure_equilibria(form)]
    assert found == [("X", "w, y"), ("X", "w, z"), ("Y", "x, y")]
    compiled = compile_game(game)
    perfect = Policy(compiled, compiled.subgame_perfect())
    assert [int(strategy.argmax()) for strategy in form.profile(perfect)] == [0, 0]  # only the first is sensible


@pytest.mark.requirement("DL-23")
def test_kuhn_has_64_x_64_pure_strategies() -> None:
    form = normal_form("kuhn")
    assert form.shape == (64, 64)
    value, strategies = maximin(form)
    assert value == pytest.approx(-1 / 18, abs=1e-6)
    assert measure(form.policy(strategies)).nash_conv == pytest.approx(0, abs=1e-6)
    assert normal_form("kuhn", reduced=True).shape == (27, 64)  # poker proceedings, section 7.2


@pytest.mark.requirement("DL-23")
@pytest.mark.parametrize("rules", [{}, {"payoff": "thesis"}])
def test_rock_paper_scissors_is_uniform(rules: dict[str, str]) -> None:
    form = normal_form(kb.game("rock_paper_scissors", **rules))
    assert form.shape == (3, 3)
    assert form.nash_conv(form.uniform()) == pytest.approx(0, abs=1e-12)


@pytest.mark.requirement("DL-23")
def test_fixture_9_1() -> None:
    """U and M half the time each, L and R likewise in {U, M}, L after D; payoffs (1, 1.5)."""
    game = kb.game("tree", example="information_sets")
    form = normal_form(game)
    assert form.shape == (3, 4)
    assert form.actions[1] == ("L, L", "L, R", "R, L", "R, R")
    sets = [str(view_of(compile_game(game), 1, number)).splitlines()[0] for number in range(2)]
    assert sets == ["Player 2 to move in: U or M", "Player 2 to move in: after D"]
    equilibrium = [[0.5, 0.5, 0], [0.5, 0, 0.5, 0]]
    assert form.nash_conv(equilibrium) == 0
    assert form.payoff(equilibrium).tolist() == [1, 1.5]
    assert pure_equilibria(form) == []
    # R after D costs nothing as long as D is not played: among the plans it is weakly dominated.
    assert eliminate(form, 1, weak=True).game.actions[1] == ("L, L", "R, L")


@pytest.mark.requirement("DL-24")
def test_best_responses_and_pure_equilibria() -> None:
    dilemma = MatrixGame([[[3, 0], [5, 1]], [[3, 5], [0, 1]]])
    assert pure_equilibria(dilemma) == [(1, 1)]
    assert dilemma.best_response(0, [[1, 0], [1, 0]]) == ((1,), 5.0)
    battle = MatrixGame([[[2, 0], [0, 1]], [[1, 0], [0, 2]]])
    assert pure_equilibria(battle) == [(0, 0), (1, 1)]


@pytest.mark.requirement("DL-24")
def test_mixed_equilibria_by_linear_programme_and_by_fictitious_play() -> None:
    form = normal_form("kuhn")
    exact = maximin(form).value
    played = dynamics(form, "fictitious_play", 20_000)
    assert form.payoff(played.averages)[0] == pytest.approx(exact, abs=0.005)
