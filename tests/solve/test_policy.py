"""Policies: where they come from, what they say, the agent that plays them, and everything that is refused."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.errors import Error, ParameterError
from kiebitz.solve import Policy, compile_game, expected_value, solve
from kiebitz.solve import policy as module
from tests.solve.brute_force import random_policy, random_table, random_tree

SEEDS = st.integers(0, 10**6)
KUHN = kb.game("kuhn")
JACK = KUHN.deal(["J", "K"], start=0).view(0)


# --- Where they come from ---------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(SEEDS, st.integers(1, 3), SEEDS)
def test_a_policy_says_what_its_table_said(tree: int, players: int, seed: int) -> None:
    game = random_tree(tree, players)
    table = random_table(game, seed)
    policy = Policy.from_table(game, table)
    assert {choice.view.key: choice.probabilities for choice in policy} == table
    assert len(policy) == len(table)
    for choice in policy:
        assert policy.probabilities(choice.view) == choice.probabilities
        assert choice.view.observer == choice.view.player == choice.player


def test_an_agent_that_states_its_probabilities_gives_an_exact_policy(tmp_path: Path) -> None:
    assert Policy.from_agent(KUHN, kb.agent("random", KUHN)).distance(Policy.uniform(KUHN)) == 0
    solved = solve(KUHN, "lp")
    solved.save(file := tmp_path / "kuhn.npz")
    agent = kb.agent(f'policy(file="{file}")', KUHN)
    assert Policy.from_agent(KUHN, agent).distance(solved) == 0


def test_an_agent_that_only_acts_gives_a_pure_policy() -> None:
    nim = kb.game("nim", heaps=[1, 2])
    policy = Policy.from_agent(nim, kb.agent("nim_perfect", nim), samples=1)
    assert {p for choice in policy for p in choice.probabilities.values()} == {0.0, 1.0}
    assert expected_value(nim, policy) == [1.0, -1.0]


def test_a_sampled_agent_gives_frequencies() -> None:
    class Coin:
        """Bets by its seed, half of the time."""

        def __init__(self, seed: int) -> None:
            self.seed = seed

        def act(self, view: kb.View) -> int:
            return view.legal()[self.seed % 2]

    assert Policy.from_agent(KUHN, Coin, samples=10).distance(Policy.uniform(KUHN)) == pytest.approx(0, abs=1e-12)
    assert Policy.from_agent(KUHN, Coin, samples=3).probabilities(JACK) == pytest.approx({0: 2 / 3, 1: 1 / 3})
    sampled = Policy.from_agent(KUHN, Coin)
    assert sampled.probabilities(JACK) == pytest.approx({0: 0.5, 1: 0.5})


def test_a_policy_as_a_frame_has_a_row_for_each_action() -> None:
    policy = solve("leduc", "cfr", iterations=10)
    frame = policy.to_frame()
    assert len(frame) == sum(len(choice.probabilities) for choice in policy)
    for choice, (_, rows) in zip(policy, frame.groupby(["player", "set"], sort=False), strict=True):
        assert dict(zip(rows.action, rows.probability, strict=True)) == choice.probabilities
        assert set(rows.key) == {choice.view.key}
    assert frame.reach.between(0, 1).all()
    assert (frame[frame.set == 0].reach == 1).all()


def test_a_perfect_position_reached_in_several_ways_has_one_answer() -> None:
    """In nim several ways lead to a position; what a policy says there is the mean by own reach."""
    nim = kb.game("nim", heaps=[2, 2])
    policy = Policy.uniform(nim)
    assert len({choice.view.key for choice in policy}) < len(policy)
    for choice in policy:
        assert sum(policy.probabilities(choice.view).values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("agent", "samples", "message"),
    [
        (None, None, "agent: expected an agent or a function"),
        ("random", None, "agent: expected an agent or a function"),
        (kb.agent("random", KUHN), 5, "samples: to sample, give a function"),
        (kb.agent("ismcts(iterations=10)", KUHN), None, "ismcts.*does not state its probabilities.*samples=1"),
        (lambda seed: kb.agent("random", KUHN, seed), 0, "samples: expected a whole number from 1 up"),
        (lambda seed: kb.agent("random", KUHN, seed), 1.5, "samples"),
        (kb.agent("random", kb.game("leduc")), None, "agent: expected one for .*kuhn.*got one for .*leduc"),
    ],
)
def test_agents_that_do_not_fit(agent: Any, samples: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Policy.from_agent(KUHN, agent, samples)


@pytest.mark.parametrize("stated", [{0: 0.5}, {0: 0.5, 1: 0.5, 7: 0.0}, {0: float("nan"), 1: 1.0}, {0: -1.0, 1: 2.0}])
def test_agents_that_state_what_are_no_probabilities(stated: dict[int, float]) -> None:
    class Wrong:
        def act(self, view: kb.View) -> int:
            return view.legal()[0]

        def distribution(self, view: kb.View) -> dict[int, float]:
            del view
            return stated

    with pytest.raises(ParameterError):
        Policy.from_agent(KUHN, Wrong())


@settings(max_examples=30)
@given(SEEDS, SEEDS)
def test_mixing_a_policy_with_itself_changes_nothing_that_is_reached(tree: int, seed: int) -> None:
    policy = random_policy(random_tree(tree), seed)
    mixed = Policy.mix([(0.25, policy), (0.75, policy)])
    for player in range(2):
        plans = [policy.compiled.plan(player, one.strategies[player]) for one in (policy, mixed)]
        assert np.allclose(plans[0], plans[1], atol=1e-12)


UNIFORM = Policy.uniform(KUHN)


@pytest.mark.parametrize(
    "parts",
    [
        [],
        None,
        [UNIFORM],
        [(1.0, "kuhn")],
        [(0.5, UNIFORM)],
        [(0.5, UNIFORM), (0.6, UNIFORM)],
        [(-0.5, UNIFORM), (1.5, UNIFORM)],
        [(float("nan"), UNIFORM)],
        [("1", UNIFORM)],
        [(0.5, UNIFORM), (0.5, Policy.uniform("leduc"))],
        [(0.5, UNIFORM), (0.5, None)],
    ],
)
def test_mixtures_that_are_none(parts: Any) -> None:
    with pytest.raises(ParameterError):
        Policy.mix(parts)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([], "table: expected a mapping"),
        ({"nowhere": {0: 1.0}}, "expected keys of information sets of kuhn, got 'nowhere'"),
        ({7: {0: 1.0}}, "expected keys"),
        ({JACK.key: {2: 1.0}}, r"expected the actions \[0, 1\], got 2"),
        ({JACK.key: [0.5, 0.5]}, "expected probabilities by action"),
        ({JACK.key: {0: "1.0"}}, "expected numbers"),
        ({JACK.key: {0: None}}, "expected numbers"),
        ({JACK.key: {0: 1j}}, "expected numbers"),
        ({JACK.key: {0: 0.7}}, r"add up to 1, got a sum of 0\.700000$"),
        ({JACK.key: {0: 0.7, 1: 0.7}}, r"add up to 1, got a sum of 1\.400000$"),
        ({JACK.key: {0: -0.5, 1: 1.5}}, "with negative ones"),
        ({JACK.key: {0: float("nan"), 1: 1.0}}, "expected finite numbers"),
        ({JACK.key: {0: float("inf"), 1: 1.0}}, "expected finite numbers"),
    ],
)
def test_tables_that_are_no_policy(table: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Policy.from_table(KUHN, table)


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows[:1],
        lambda rows: [*rows, rows[0]],
        lambda rows: [rows[0], rows[1][:-1]],
        lambda rows: [rows[0], np.zeros((2, 2))],
        lambda rows: [rows[0], rows[1] * np.nan],
        lambda rows: [rows[0], rows[1] * 2],
        lambda rows: [rows[0], rows[1].astype(complex)],
        lambda rows: [rows[0], rows[1].astype(str)],
        lambda rows: [rows[0], rows[1].astype(object)],
        lambda rows: [rows[0], None],
    ],
)
def test_strategies_that_are_none(change: Callable[[list[Any]], Any]) -> None:
    with pytest.raises(ParameterError):
        Policy(compile_game(KUHN), change(list(UNIFORM.strategies)))


def test_views_that_are_not_of_the_game() -> None:
    with pytest.raises(ParameterError, match="has no information set"):
        UNIFORM.probabilities(kb.game("leduc").new(seed=1).view(0))
    with pytest.raises(ParameterError, match="view of the player to move"):
        UNIFORM.probabilities(KUHN.new(seed=1).view(1))
    with pytest.raises(ParameterError, match="view: expected what a player sees"):
        UNIFORM.probabilities("J")  # type: ignore[arg-type]


def test_strategies_cannot_be_changed_afterwards() -> None:
    mine = [strategy.copy() for strategy in UNIFORM.strategies]
    policy = Policy(compile_game(KUHN), mine)
    mine[0][1] = 0.9
    assert policy.distance(UNIFORM) == 0
    with pytest.raises(ValueError, match="read-only"):
        policy.strategies[0][1] = 0.9


# --- What they say ----------------------------------------------------------------------------------------------------


def test_a_small_policy_is_printed_as_a_table() -> None:
    lines = str(solve(KUHN, "lp")).splitlines()
    assert len(lines) == 1 + 12
    assert lines[0].split() == ["player", "sees", "plays"]
    assert all("pass" in line and "bet" in line and "%" in line for line in lines[1:])
    assert len({line.index("pass ") for line in lines[1:]}) == 1  # columns


def test_a_large_policy_is_printed_in_part() -> None:
    lines = str(Policy.uniform("leduc")).splitlines()
    assert len(lines) == 1 + module.MOST_LINES + 1
    assert lines[-1] == "... and 896 more"


def test_a_policy_without_information_sets_is_printed() -> None:
    game = kb.game("tree", tree={"players": ["A"], "root": {"payoffs": [1]}})
    assert str(Policy.uniform(game)).split() == ["player", "sees", "plays"]


@settings(max_examples=30)
@given(SEEDS, SEEDS, st.integers(1, 8))
def test_differences_are_where_policies_differ_most(seed: int, other: int, top: int) -> None:
    first, second = random_policy(KUHN, seed), random_policy(KUHN, other)
    found = first.differences(second, top)
    gaps = sorted(
        (max(abs(p - theirs.probabilities[a]) for a, p in mine.probabilities.items()))
        for mine, theirs in zip(first, second, strict=True)
    )
    expected = [size for size in reversed(gaps) if size > 0][:top]
    assert [one.size for one in found] == pytest.approx(expected)
    for one in found:
        assert (first.probabilities(one.view), second.probabilities(one.view)) == (one.mine, one.other)
        assert str(one).startswith(f"player {one.player}: ")
    assert first.distance(second) == (found[0].size if found else 0)
    assert first.differences(first) == []


@pytest.mark.parametrize("top", [0, -1, 1.5, True, "all"])
def test_differences_of_no_number(top: Any) -> None:
    with pytest.raises(ParameterError, match="top: expected"):
        UNIFORM.differences(UNIFORM, top)


def test_other_games_are_not_compared() -> None:
    compare: Any
    for compare in (UNIFORM.distance, UNIFORM.differences):
        with pytest.raises(ParameterError, match="one game"):
            compare(Policy.uniform("leduc"))
        with pytest.raises(ParameterError, match="expected a policy"):
            compare("kuhn")


def test_a_policy_can_be_pickled() -> None:
    policy = solve(KUHN, "cfr", iterations=10)
    twin = pickle.loads(pickle.dumps(policy))
    assert twin.distance(policy) == 0
    assert twin.run == policy.run


# --- The agent that plays them ----------------------------------------------------------------------------------------


def test_the_agent_plays_with_the_probabilities_of_the_file(tmp_path: Path) -> None:
    policy = Policy.from_table(KUHN, {JACK.key: {0: 0.7, 1: 0.3}})
    policy.save(file := tmp_path / "kuhn.npz")
    agents = [kb.agent(f'policy(file="{file}")', KUHN, seed) for seed in range(400)]
    assert sum(agent.act(JACK) for agent in agents) / 400 == pytest.approx(0.3, abs=0.08)
    assert agents[0].act(JACK) == agents[0].act(JACK)
    twin = pickle.loads(pickle.dumps(agents[3]))
    assert twin == agents[3]
    assert twin.act(JACK) == agents[3].act(JACK)
    assert agents[3].analyse(JACK).best == agents[3].act(JACK)


@pytest.mark.parametrize(
    "game",
    [kb.game("leduc"), kb.game("nim", heaps=[1, 2, 2]), kb.game("kuhn", players=3), kb.game("tree")],
    ids=lambda game: game.name,
)
def test_the_agent_is_a_pure_function_of_spec_seed_and_view(game: kb.Game, tmp_path: Path) -> None:
    policy = random_policy(game, 2)
    policy.save(file := tmp_path / "policy.npz")
    agent = kb.agent(f'policy(file="{file}")', game, seed=7)
    assert agent.pure
    for choice in list(policy)[:: max(1, len(policy) // 10)]:
        action = agent.act(choice.view)
        assert policy.probabilities(choice.view)[action] > 0
        assert kb.agent(agent.spec, game, seed=7).act(choice.view) == action
        assert agent.analyse(choice.view).best == action


def test_the_agent_refuses_files_that_are_none(tmp_path: Path) -> None:
    for spec in ("policy", 'policy(file="nowhere.npz")', f'policy(file="{tmp_path}")'):
        with pytest.raises(Error):
            kb.agent(spec, KUHN)
