"""Explicit trees: every shipped example loads, and information sets must share their actions and forget nothing."""

from __future__ import annotations

from typing import Any

import pytest

import kiebitz as kb
from kiebitz.games.tree import list_examples, parse_tree, unroll
from tests.games.enumeration import everything


def leaf(*payoffs: float) -> dict[str, Any]:
    return {"payoffs": list(payoffs)}


@pytest.mark.requirement("DL-1")
@pytest.mark.parametrize("example", list_examples())
def test_fixtures_load_and_validate(example: str) -> None:
    game = kb.game("tree", example=example)
    nodes = everything(game)
    assert any(state.player == kb.TERMINAL for state in nodes)
    assert any(state.player >= 0 for state in nodes)


@pytest.mark.requirement("DL-1")
def test_fixtures_are_complete() -> None:
    """The fixtures of sections 2.2, 5.2, 9.1 and 11."""
    assert {"backward_induction", "alphabeta_max", "alphabeta_min", "information_sets", "strategy_fusion"} <= set(
        list_examples()
    )
    assert kb.game("tree", example="strategy_fusion").info.players == 1
    assert kb.game("tree", example="strategy_fusion").info.chance


@pytest.mark.requirement("DL-22")
def test_rejects_an_information_set_with_different_actions() -> None:
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


@pytest.mark.requirement("DL-22")
def test_rejects_imperfect_recall() -> None:
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


@pytest.mark.requirement("DL-22")
@pytest.mark.parametrize(("name", "sets"), [("kuhn", 12), ("leduc", 936)])
def test_accepts_kuhn_and_leduc(name: str, sets: int) -> None:
    tree = unroll(kb.game(name))
    assert parse_tree(tree) == tree
    game = kb.game("tree", tree=tree)
    nodes = everything(game)
    assert len({state.view(state.player).key for state in nodes if state.player >= 0}) == sets
    assert len(nodes) == kb.search.count(kb.game(name).root()).nodes
