"""What an analysis claims to know: proven values are true, bounds hold, and everything else is called an estimate."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.analysis import ActionValueLike, AnalysisLike
from kiebitz.errors import LimitError
from kiebitz.search import AlphaBeta
from kiebitz.server.kibitz import panel

GAMES = [
    kb.game("tic_tac_toe"),
    kb.game("connect_four", rows=3, columns=4, connect=3),
    kb.game("nim", heaps=[2, 3, 1]),
    kb.game("nim", heaps=[1, 3], misere=True),
]
EVERYTHING: dict[str, Any] = {"order": "full", "deepen": True, "narrow": True, "table_mb": 1}


def claim_holds(found: ActionValueLike | AnalysisLike, truth: float) -> bool:
    assert found.exact is (found.status == "proven")
    if found.status == "estimated":
        return True
    assert (found.status == "proven") is (found.bound == "none")
    return {"none": found.value == truth, "lower": found.value <= truth, "upper": found.value >= truth}[found.bound]


@settings(max_examples=150)
@given(
    st.sampled_from(GAMES),
    st.integers(0, 10**6),
    st.integers(0, 5),
    st.sampled_from([{}, {"cut": "none"}, {"cut": "strict"}, {"deepen": True}, EVERYTHING]),
    st.sampled_from([{"depth": 1}, {"depth": 3}, {"nodes": 3}, {"nodes": 60}, {"nodes": 500}, {"depth": 9}]),
)
def test_whatever_is_proven_is_true(game: kb.Game, seed: int, plies: int, how: Any, budget: Any) -> None:
    rng = random.Random(seed)
    state = game.new()
    for _ in range(plies):
        after = state.copy()
        after.apply(rng.choice(after.legal()))
        if after.player == kb.TERMINAL:
            break
        state = after
    solution = kb.search.solve(state)
    found = AlphaBeta(game, **how, **budget).search(state)
    assert claim_holds(found, solution.value[state.player])
    for entry in found.actions:
        child = state.copy()
        child.apply(entry.action)
        truth = child.returns() if child.player == kb.TERMINAL else solution.value_of(child)
        assert truth is not None
        assert claim_holds(entry, truth[state.player])
    if "nodes" in budget and not found.stopped:
        assert found.exact
    if budget == {"depth": 9}:
        assert (found.exact, found.stopped) == (True, False)


@pytest.mark.parametrize("spec", ["alphabeta(nodes=1000)", "every_move(nodes=1000)"])
def test_a_search_that_its_nodes_ended_is_no_proof(spec: str) -> None:
    """Player 0 wins after 724125, but 1,000 nodes do not show it."""
    state = kb.game("connect_four").new()
    for move in "724125":
        state.apply(state.parse(move))
    hasty = kb.agent(spec, state.game).analyse(state.view(0))
    assert (hasty.stopped, hasty.status) == (True, "estimated")
    assert not any(entry.exact for entry in hasty.actions)
    shown = panel(hasty, state.view(0), spec, 0.1)
    assert {shown["status"], *(entry["status"] for entry in shown["actions"])} == {"estimated"}
    assert not any(entry["outcome"] for entry in shown["actions"])


def test_the_text_of_an_analysis_tells_an_estimate() -> None:
    root = kb.game("connect_four").root()
    text = str(AlphaBeta(root.game, nodes=1000).search(root))
    assert "estimated" in text
    assert "stopped" in text


def test_evaluations_prove_nothing() -> None:
    root = kb.game("tic_tac_toe").root()
    sure = AlphaBeta(root.game, depth=2, evaluation=lambda state, player: 1.0).search(root)
    assert (sure.value, sure.status) == (1.0, "estimated")
    judged = AlphaBeta(root.game, terminals="evaluation", evaluation=lambda state, player: 0.5).search(root)
    assert judged.status == "estimated"


def test_where_a_repetition_ends_the_game_a_table_proves_nothing() -> None:
    game = kb.game("oware", preset="abapa")
    state = game.load({**game.new().position(), "pits": [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1], "captured": [23, 23]})
    assert AlphaBeta(game, depth=4, table_mb=1, order="full").search(state).status == "estimated"


def test_exact_values_need_no_table_where_a_repetition_ends_the_game() -> None:
    game = kb.game("oware", preset="abapa")
    state = game.load({**game.new().position(), "pits": [0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 1], "captured": [22, 22]})
    view = state.view(0)
    found = kb.agent("every_move(exact=true)", game).analyse(view)
    assert [(entry.value, entry.status) for entry in found.actions] == [(-1.0, "proven")] * 2
    prover = kb.agent("oware_master(seeds=4)", game).analyse(view)  # another method
    assert (prover.value, prover.status) == (found.value, found.status)


def test_tree_searches_estimate() -> None:
    state = kb.game("tic_tac_toe").load({"board": "xx.oo...."})
    found = kb.search.Uct(state.game, iterations=100).search(state)
    assert {found.status, *(entry.status for entry in found.actions)} == {"estimated"}


def test_exact_scores_can_be_asked_for() -> None:
    state = kb.game("tic_tac_toe").load({"board": "x...o...."})
    found = kb.agent("every_move(exact=true)", state.game).analyse(state.view(0))
    assert found.exact
    assert all(entry.exact for entry in found.actions)
    state = kb.game("connect_four").new()
    with pytest.raises(LimitError, match=r"0 of 7 values proven with nodes=1000; give it more"):
        kb.agent("every_move(exact=true, nodes=1000)", state.game).analyse(state.view(0))


def test_analyses_keep_their_status() -> None:
    state = kb.game("tic_tac_toe").load({"board": "xx.oo...."})
    found = AlphaBeta(state.game).search(state)
    assert (found.status, found.actions[1].status, found.actions[1].bound) == ("proven", "bounded", "upper")
    fields = found.to_dict()
    assert (fields["exact"], fields["status"], fields["bound"]) == (True, "proven", "none")
    for copy in (kb.search.Analysis.from_dict(fields), pickle.loads(pickle.dumps(found))):
        assert copy.to_dict() == fields
    for part in (fields, *fields["actions"]):  # as earlier versions wrote them
        del part["status"], part["bound"]
    del fields["exact"]
    old = kb.search.Analysis.from_dict(fields)
    assert [entry.status for entry in old.actions] == [
        "proven" if entry["exact"] else "estimated" for entry in fields["actions"]
    ]
