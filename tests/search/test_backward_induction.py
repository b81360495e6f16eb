"""Backward induction and counting: solved fixtures, brute force as the oracle, games that are refused."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest

import kiebitz as kb


def leaf(*payoffs: float) -> dict[str, Any]:
    return {"payoffs": list(payoffs)}


@pytest.mark.requirement("DL-2")
def test_backward_induction_refuses_hidden_information() -> None:
    with pytest.raises(kb.UnsuitableGame):
        kb.search.solve(kb.game("kuhn").root())


@pytest.mark.requirement("DL-3")
def test_tic_tac_toe_counts() -> None:
    count = kb.search.count(kb.game("tic_tac_toe").new())
    assert count.nodes == 549_946
    assert count.positions == 5478
    assert count.terminal == 255_168
    assert count.wins == [131_184, 77_904]
    assert count.draws == 46_080


@pytest.mark.requirement("DL-4")
def test_fixture_2_2() -> None:
    solution = kb.search.solve(kb.game("tree", example="backward_induction").new())
    assert solution.value == [2.0, 1.0]
    assert solution.line_names == ["U", "L", "D"]


@pytest.mark.requirement("DL-4")
def test_first_move_fixed_to_d() -> None:
    game = kb.game("tree", example="backward_induction")
    solution = kb.search.solve(game.new())
    state = game.new()
    state.apply(state.parse("D"))
    assert solution.value_of(state) == [1.0, 2.0]
    optimal = solution.optimal(state)
    assert optimal is not None
    assert [state.name(action) for action in optimal] == ["H"]


def subgame_perfect_payoffs(tree: dict[str, Any]) -> set[tuple[float, ...]]:
    """Payoffs of every pure profile in which nobody gains anywhere by another action, by trying all profiles."""
    nodes: list[dict[str, Any]] = []

    def collect(node: dict[str, Any]) -> None:
        if "actions" in node:
            nodes.append(node)
            for child in node["actions"].values():
                collect(child)

    def outcome(node: dict[str, Any], profile: dict[int, str]) -> list[float]:
        while "actions" in node:
            node = node["actions"][profile[id(node)]]
        payoffs: list[float] = node["payoffs"]
        return payoffs

    collect(tree["root"])
    found = set()
    for choice in itertools.product(*(node["actions"] for node in nodes)):
        profile = {id(node): action for node, action in zip(nodes, choice, strict=True)}
        stable = all(
            outcome(child, profile)[node["player"]] <= outcome(node, profile)[node["player"]]
            for node in nodes
            for child in node["actions"].values()
        )
        if stable:
            found.add(tuple(outcome(tree["root"], profile)))
    return found


@pytest.mark.requirement("DL-4")
@pytest.mark.parametrize("seed", range(10))
def test_three_player_trees_agree_with_brute_force(seed: int) -> None:
    random = Random(seed)
    numbers = iter(random.sample(range(1000), 60))  # no ties

    def grow(depth: int) -> dict[str, Any]:
        if depth == 3:
            return leaf(*(float(next(numbers)) for _ in range(3)))
        width = 3 if depth == 0 else 2
        return {"player": depth, "actions": {str(i): grow(depth + 1) for i in range(width)}}

    tree = {"players": ["A", "B", "C"], "root": grow(0)}
    assert {tuple(kb.search.solve(kb.game("tree", tree=tree).new()).value)} == subgame_perfect_payoffs(tree)


@pytest.mark.requirement("DL-5")
def test_grades_of_solution() -> None:
    state = kb.game("tic_tac_toe").new()
    ultra_weak = kb.search.solve(state, grade="ultra_weak")
    assert (ultra_weak.outcome, ultra_weak.value, ultra_weak.line) == ("draw", [0.0, 0.0], [])
    weak = kb.search.solve(state, grade="weak")
    end = state.copy()
    for action in weak.line:
        end.apply(action)
    assert end.returns() == [0.0, 0.0]
    with pytest.raises(kb.ParameterError, match="strong"):
        weak.optimal(state)


@pytest.mark.requirement("DL-5")
def test_strong_solution_never_loses_where_a_non_losing_move_exists() -> None:
    game = kb.game("tic_tac_toe")
    solution = kb.search.solve(game.new(), grade="strong")
    assert solution.positions == 5478
    values: dict[int, list[float]] = {}

    def value(state: kb.State) -> list[float]:
        """Plain recursion, as the oracle."""
        if state.key in values:
            return values[state.key]
        if state.player == kb.TERMINAL:
            best = state.returns()
        else:
            below = []
            for action in state.legal():
                child = state.copy()
                child.apply(action)
                below.append((action, value(child)))
            mover = state.player
            most = max(v[mover] for _, v in below)
            best = next(v for _, v in below if v[mover] == most)
            assert solution.optimal(state) == [action for action, v in below if v[mover] == most]
        assert solution.value_of(state) == best
        values[state.key] = best
        return best

    assert value(game.new()) == [0.0, 0.0]
    assert len(values) == 5478
