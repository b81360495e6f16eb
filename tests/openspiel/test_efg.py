"""Trees that we write as Gambit files are the same games in OpenSpiel."""

from __future__ import annotations

from typing import Any

import pyspiel
import pytest

import kiebitz as kb
from kiebitz.games import tree

SOURCES: dict[str, dict[str, Any]] = {name: tree.load_example(name) for name in tree.list_examples()}
SOURCES["kuhn"] = tree.unroll(kb.game("kuhn"))
SOURCES["quotation marks"] = tree.parse_tree(
    {
        "title": 'a "b" \\ c',
        "description": "two\nlines",
        "players": ['"Ä"', "x y"],
        "root": {
            "chance": [
                {"name": '"', "probability": 0, "node": {"payoffs": [1, 2]}},
                {
                    "name": '"',
                    "probability": 1,
                    "node": {"player": 1, "set": '"', "actions": {"{,}": {"payoffs": [1e18, "1/3"]}}},
                },
            ]
        },
    }
)


def values(state: Any) -> list[float]:
    """What random players get, walked in OpenSpiel."""
    if state.is_terminal():
        return list(state.returns())
    chances = state.chance_outcomes() if state.is_chance_node() else [(a, 1.0) for a in state.legal_actions()]
    total = sum(chance for _, chance in chances)
    below = [(chance / total, values(state.child(action))) for action, chance in chances]
    return [sum(chance * part[p] for chance, part in below) for p in range(state.num_players())]


@pytest.mark.parametrize("name", SOURCES)
def test_openspiel_reads_what_we_write(name: str) -> None:
    game = kb.game("tree", tree=SOURCES[name])
    theirs = pyspiel.load_efg_game(tree.to_efg(SOURCES[name]))
    assert values(theirs.new_initial_state()) == pytest.approx(
        kb.solve.expected_value(game, kb.solve.Policy.uniform(game)), rel=1e-12
    )
