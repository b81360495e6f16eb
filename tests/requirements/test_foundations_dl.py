"""The requirements DL-1 to DL-9, DL-17 and DL-22 (foundations), through Python. Other DL tests are in tests/core."""

from __future__ import annotations

import itertools
import json
from random import Random
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.agents.nim_perfect import is_lost
from kiebitz.games.tree import list_examples, parse_tree, unroll
from tests.requirements.enumeration import everything


def leaf(*payoffs: float) -> dict[str, Any]:
    return {"payoffs": list(payoffs)}


# --- DL-1, DL-22: trees ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", list_examples())
def test_dl_1_fixtures_load_and_validate(example: str) -> None:
    game = kb.game("tree", example=example)
    nodes = everything(game)
    assert any(state.player == kb.TERMINAL for state in nodes)
    assert any(state.player >= 0 for state in nodes)


def test_dl_1_fixtures_are_complete() -> None:
    """The fixtures of sections 2.2, 5.2, 9.1 and 11."""
    assert {"backward_induction", "alphabeta_max", "alphabeta_min", "information_sets", "strategy_fusion"} <= set(
        list_examples()
    )
    assert kb.game("tree", example="strategy_fusion").info.players == 1
    assert kb.game("tree", example="strategy_fusion").info.chance


def test_dl_22_rejects_an_information_set_with_different_actions() -> None:
    tree = {
        "players": ["A", "B"],
        "root": {
            "player": "A",
            "actions": {
                "l": {"name": "after l", "player": "B", "set": "s", "actions": {"x": leaf(1, 0), "y": leaf(0, 1)}},
                "r": {"name": "after r", "player": "B", "set": "s", "actions": {"x": leaf(1, 0), "z": leaf(0, 1)}},
            },
        },
    }
    with pytest.raises(kb.TreeError, match=r"after l.*after r.*same actions"):
        kb.game("tree", tree=tree)


def test_dl_22_rejects_imperfect_recall() -> None:
    forgets = {"player": "A", "set": "s", "actions": {"x": leaf(1), "y": leaf(0)}}
    tree = {
        "players": ["A"],
        "root": {
            "player": "A",
            "actions": {"l": {"name": "after l", **forgets}, "r": {"name": "after r", **forgets}},
        },
    }
    with pytest.raises(kb.TreeError, match=r"after l.*after r.*forgets"):
        kb.game("tree", tree=tree)


@pytest.mark.parametrize(("name", "sets"), [("kuhn", 12), ("leduc", 936)])
def test_dl_22_accepts_kuhn_and_leduc(name: str, sets: int) -> None:
    tree = unroll(kb.game(name))
    assert parse_tree(tree) == tree
    game = kb.game("tree", tree=tree)
    nodes = everything(game)
    assert len({state.view(state.player).key for state in nodes if state.player >= 0}) == sets
    assert len(nodes) == kb.search.count(kb.game(name).root()).nodes


# --- DL-2: refusals -------------------------------------------------------------------------------------------------


def test_dl_2_backward_induction_refuses_hidden_information() -> None:
    with pytest.raises(kb.UnsuitableGame):
        kb.search.solve(kb.game("kuhn").root())


def test_dl_2_minimax_refuses_three_players() -> None:
    game = kb.game("tree", example="three_players")
    with pytest.raises(kb.UnsuitableGame):
        kb.search.AlphaBeta(game, depth=3)
    with pytest.raises(kb.UnsuitableGame):
        kb.agent("minimax(depth=3)", game)


def test_dl_2_minimax_refuses_general_sum() -> None:
    with pytest.raises(kb.UnsuitableGame):
        kb.search.AlphaBeta(kb.game("tree", example="backward_induction"), depth=3)


# --- DL-3: counting -------------------------------------------------------------------------------------------------


def test_dl_3_tic_tac_toe_counts() -> None:
    count = kb.search.count(kb.game("tic_tac_toe").new())
    assert count.nodes == 549_946
    assert count.positions == 5478
    assert count.terminal == 255_168
    assert count.wins == [131_184, 77_904]
    assert count.draws == 46_080


# --- DL-4, DL-5: backward induction ---------------------------------------------------------------------------------


def test_dl_4_fixture_2_2() -> None:
    solution = kb.search.solve(kb.game("tree", example="backward_induction").new())
    assert solution.value == [2.0, 1.0]
    assert solution.line_names == ["U", "L", "D"]


def test_dl_4_first_move_fixed_to_d() -> None:
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


@pytest.mark.parametrize("seed", range(10))
def test_dl_4_three_player_trees_agree_with_brute_force(seed: int) -> None:
    random = Random(seed)
    numbers = iter(random.sample(range(1000), 60))  # no ties

    def grow(depth: int) -> dict[str, Any]:
        if depth == 3:
            return leaf(*(float(next(numbers)) for _ in range(3)))
        width = 3 if depth == 0 else 2
        return {"player": depth, "actions": {str(i): grow(depth + 1) for i in range(width)}}

    tree = {"players": ["A", "B", "C"], "root": grow(0)}
    assert {tuple(kb.search.solve(kb.game("tree", tree=tree).new()).value)} == subgame_perfect_payoffs(tree)


def test_dl_5_grades_of_solution() -> None:
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


def test_dl_5_strong_solution_never_loses_where_a_non_losing_move_exists() -> None:
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


# --- DL-6: Nim ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("heaps", "most"), [(1, 10), (2, 10), (3, 5)])
def test_dl_6_nim_bot_wins_every_won_position(heaps: int, most: int) -> None:
    """Against every line of the opponent; and exactly the positions with XOR 0 are lost."""
    game = kb.game("nim", heaps=[most] * heaps)
    bot = kb.agent("nim_perfect", game)
    winning: dict[str, bool] = {}

    def wins(state: kb.State, hero: int) -> bool:
        """Whether the bot wins from here whatever the other one does."""
        if state.player == kb.TERMINAL:
            return state.returns()[hero] == 1.0
        key = json.dumps([state.position(), hero])
        if key not in winning:
            actions = [bot.act(state.view(hero))] if state.player == hero else state.legal()
            below = []
            for action in actions:
                child = state.copy()
                child.apply(action)
                below.append(wins(child, hero))
            winning[key] = all(below)
        return winning[key]

    tried = 0
    for sizes in itertools.product(range(most + 1), repeat=heaps):
        if not any(sizes):
            continue
        for player in (0, 1):
            try:
                state = game.load({"heaps": list(sizes), "player": player})
            except kb.PositionError:
                continue  # this player cannot be to move here
            tried += 1
            xor = 0
            for size in sizes:
                xor ^= size
            assert is_lost(list(sizes), misere=False) == (xor == 0)
            assert wins(state, player) == (xor != 0)
    assert tried >= (most + 1) ** heaps - 1


# --- DL-7, DL-8, DL-9: minimax and alpha-beta -----------------------------------------------------------------------


def test_dl_7_tic_tac_toe_minimax() -> None:
    state = kb.game("tic_tac_toe").new()
    analysis = kb.search.AlphaBeta(state.game, depth=9, cut="none").search(state)
    assert (analysis.value, analysis.nodes) == (0.0, 549_946)


def test_dl_7_heuristic_is_called_only_at_the_depth_limit() -> None:
    state = kb.game("tic_tac_toe").new()
    called: list[int] = []

    def heuristic(position: kb.State, player: int) -> float:
        del player
        called.append(9 - position.position()["board"].count("."))
        return 0.5

    kb.search.AlphaBeta(state.game, depth=3, cut="none", evaluation=heuristic).search(state)
    assert called == [3] * 504


@pytest.mark.parametrize(
    ("example", "value", "leaves"),
    [("alphabeta_max", 3.0, 3), ("alphabeta_min", -5.0, 3), ("alphabeta_three_plies", 10.0, 5)],
)
def test_dl_8_fixtures(example: str, value: float, leaves: int) -> None:
    """Value for the player who begins, and the number of leaves visited."""
    state = kb.game("tree", example=example).new()
    for cut in ("strict", "equal"):
        analysis = kb.search.AlphaBeta(state.game, depth=9, cut=cut).search(state)
        assert (analysis.value, analysis.leaves) == (value, leaves)
    assert kb.search.AlphaBeta(state.game, depth=9, cut="none").search(state).value == value


@pytest.mark.parametrize(("cut", "nodes"), [("equal", 18_297), ("strict", 146_120)])
def test_dl_9_tic_tac_toe_node_counts(cut: str, nodes: int) -> None:
    state = kb.game("tic_tac_toe").new()
    analysis = kb.search.AlphaBeta(state.game, depth=9, cut=cut).search(state)
    assert (analysis.value, analysis.nodes) == (0.0, nodes)


def test_dl_17_scalar_and_vector_give_the_same_visits() -> None:
    state = kb.game("connect_four").new()
    scalar, vector = (
        kb.search.Uct(state.game, iterations=2000, seed=1, scalar=scalar).search(state) for scalar in (True, False)
    )
    assert [a.visits for a in scalar.actions] == [a.visits for a in vector.actions]
