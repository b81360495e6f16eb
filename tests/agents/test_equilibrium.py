"""Values in information sets, and the agent that solves a small game on the spot."""

from __future__ import annotations

import math
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.agents import equilibrium
from kiebitz.agents.equilibrium import EquilibriumAgent, MixedActionValue, solved
from kiebitz.errors import BudgetError, ParameterError, UnsuitableGame
from kiebitz.solve.compiled import compile_game
from kiebitz.solve.measures import best_response, expected_value, exploitability, measure
from kiebitz.solve.policy import Policy
from kiebitz.solve.values import Values

SMALL = [("kuhn", {}), ("kuhn", {"players": 3}), ("leduc", {}), ("rock_paper_scissors", {})]


def views_of(state: kb.State, choose: list[int]) -> list[kb.View]:
    """The views of the players to move throughout a game."""
    found = []
    for number in choose:
        if state.player == kb.TERMINAL:
            break
        found.append(state.view(state.player))
        legal = state.legal()
        state.apply(legal[number % len(legal)])
    return found


def value_by_hand(policy: Policy, state: kb.State, player: int) -> float:
    """What a player gets from a state on when all, he too, follow a policy."""
    if state.player == kb.TERMINAL:
        return state.returns()[player]
    chances = dict(state.outcomes()) if state.player == kb.CHANCE else policy.probabilities(state.view(state.player))
    total = 0.0
    for action, chance in chances.items():
        if chance:
            child = state.copy()
            child.apply(action)
            total += chance * value_by_hand(policy, child, player)
    return total


# --- Values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "rules"), SMALL)
def test_best_values_at_the_beginning_are_those_of_the_best_response(name: str, rules: dict[str, Any]) -> None:
    policy = Policy.uniform(kb.game(name, **rules))
    values = Values(policy)
    for player in range(policy.compiled.players):
        parents = policy.compiled.parents(player)
        first = [n for n in range(policy.compiled.sets(player)) if parents[n] == 0]
        total = 0.0
        for choice in policy:
            if choice.player != player:
                continue
            found = values.of(choice.view)
            number = values._place(choice.view)[1]
            if number in first:
                total += found.reach * max(found.values.values())
        assert total == pytest.approx(best_response(policy.game, policy, player).value, abs=1e-5)


@given(st.integers(0, 10_000), st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_worlds_are_those_that_the_player_cannot_tell_from_the_true_one(seed: int, choose: list[int]) -> None:
    values = Values(Policy.uniform("leduc"))
    for view in views_of(kb.game("leduc").new(seed=seed), choose):
        worlds = values.worlds(view)
        assert all(state.view(view.observer) == view for _, state in worlds)
        assert all(weight > 0 for weight, _ in worlds)
        hidden = [str(state.position()["cards"]) for _, state in worlds]
        assert len(set(hidden)) == len(hidden) == (5 if view.fields()["public"] < 0 else 4)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_values_are_never_below_those_of_the_policy_and_the_same_where_nothing_is_left_to_decide(
    seed: int, choose: list[int]
) -> None:
    values = Values(solved(kb.game("leduc")).policy)
    for view in views_of(kb.game("leduc").new(seed=seed), choose):
        found, worlds = values.of(view), values.worlds(view)
        for action, value in found.values.items():
            total = 0.0
            for weight, state in worlds:
                child = state.copy()
                child.apply(action)
                total += weight * value_by_hand(values.policy, child, view.observer)
            # Going on as well as possible is never worse than going on by the policy.
            assert value >= total / found.reach - 1e-4
            if action == 0:  # after a fold nothing is left to decide
                assert value == pytest.approx(total / found.reach, abs=1e-9)


def test_kuhn_by_hand_the_king_wins_two_when_bet_into() -> None:
    kuhn = kb.game("kuhn")
    values = Values(kb.solve.solve(kuhn, "lp"))
    state = kuhn.deal(["J", "K"], start=0)
    state.apply(state.parse("bet"))
    found = values.of(state.view(1)).values
    assert found[state.parse("bet")] == pytest.approx(2.0)
    assert found[state.parse("pass")] == pytest.approx(-1.0)


def test_values_refuse_open_games_and_views_of_others() -> None:
    with pytest.raises(ParameterError, match="hidden"):
        Values(Policy.uniform(kb.game("nim", heaps=[1, 1])))
    with pytest.raises(ParameterError, match="player to move"):
        Values(Policy.uniform("kuhn")).of(kb.game("kuhn").new(seed=1).view(1))


# --- The agent --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "target"), [("kuhn", 0.001), ("leduc", 0.001), ("liars_dice", 0.003)])
def test_it_can_hardly_be_exploited(name: str, target: float) -> None:
    game = kb.game(name)
    agent = kb.agent("equilibrium", game)
    policy = solved(game).policy
    assert exploitability(game, policy) < target
    if name != "liars_dice":
        assert Policy.from_agent(game, agent).distance(policy) < 1e-12


def test_kuhn_is_worth_what_the_books_say() -> None:
    values = expected_value("kuhn", solved(kb.game("kuhn")).policy)
    assert values[0] == pytest.approx(-1 / 18, abs=1e-3)


@given(st.integers(0, 10_000), st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_its_analysis_is_complete_and_legal(seed: int, choose: list[int]) -> None:
    game = kb.game("leduc")
    agent = kb.agent("equilibrium(mixed=false)", game)
    for view in views_of(game.new(seed=seed), choose):
        found = agent.analyse(view)
        assert [entry.action for entry in found.actions] == view.legal()
        shares = [entry.share for entry in found.actions if isinstance(entry, MixedActionValue)]
        assert math.fsum(shares) == pytest.approx(1.0)
        assert agent.act(view) == found.best in view.legal()
        best = next(entry for entry in found.actions if entry.action == found.best)
        assert all(best.value >= e.value - 2 * (best.error + e.error) for e in found.actions)
        assert game.info.min_payoff - 1e-6 <= found.value <= game.info.max_payoff + 1e-6


def test_the_same_seed_plays_the_same_and_frequencies_are_those_of_the_policy() -> None:
    kuhn = kb.game("kuhn")
    view = kuhn.deal(["J", "Q"], start=0).view(0)
    moves = [kb.agent("equilibrium", kuhn, seed).act(view) for seed in range(2000)]
    assert moves == [kb.agent("equilibrium", kuhn, seed).act(view) for seed in range(2000)]
    agent = kb.agent("equilibrium", kuhn)
    assert isinstance(agent, EquilibriumAgent)
    expected = agent.distribution(view)
    assert moves.count(1) / 2000 == pytest.approx(expected[1], abs=0.04)


def test_more_iterations_come_closer_and_games_are_solved_once() -> None:
    leduc = kb.game("leduc")
    distances = [measure(solved(leduc, count).policy).nash_conv for count in (5, 50, 500)]
    assert distances == sorted(distances, reverse=True)
    assert solved(leduc, 50) is solved(kb.game("leduc", preset="standard"), 50)


def test_nobody_waits_for_a_game_that_is_solved() -> None:
    game = kb.game("kuhn")
    for _ in range(2):
        solved(game, 30)
        assert equilibrium._solving == {}


def test_a_stopped_solution_is_used_and_not_kept() -> None:
    game = kb.game("leduc", ranks=4)
    stop = kb.StopToken()
    stop.request()
    agent = kb.agent("equilibrium", game)
    agent.stop = stop
    view = game.new(seed=1).view(0)
    found = agent.analyse(view)
    assert found.stopped
    assert found.best in view.legal()
    agent.stop = None
    assert not agent.analyse(view).stopped


@pytest.mark.parametrize(
    ("name", "rules", "words"),
    [
        ("doppelkopf", {}, "too large"),
        ("liars_dice", {"dice": 3}, "too large"),
        ("tic_tac_toe", {}, "hidden information"),
    ],
)
def test_larger_and_open_games_are_refused_in_words(name: str, rules: dict[str, Any], words: str) -> None:
    with pytest.raises(UnsuitableGame, match=words):
        kb.agent("equilibrium", kb.game(name, **rules))
    assert "equilibrium" not in kb.list_agents(kb.game(name, **rules))


def test_however_many_rules_are_asked_for_a_bounded_number_of_verdicts_is_kept() -> None:
    for number in range(equilibrium.VERDICTS + 5):
        assert EquilibriumAgent.unsuitable(kb.game("leduc", ranks=13, suits=4, stakes=[1.0, 1.0 + number / 1000]))
    assert len(equilibrium._verdicts) <= equilibrium.VERDICTS
    assert EquilibriumAgent.unsuitable(kb.game("kuhn")) is None


def test_bad_budgets_are_refused_and_agents_can_be_pickled() -> None:
    kuhn = kb.game("kuhn")
    for spec in ("equilibrium(iterations=0)", "equilibrium(iterations=-3)"):
        with pytest.raises(BudgetError):
            kb.agent(spec, kuhn)
    agent = kb.agent("equilibrium(iterations=10)", kuhn)
    assert pickle.loads(pickle.dumps(agent)) == agent
    assert compile_game(kuhn).nodes == 58
