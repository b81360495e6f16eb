"""Every game: a search leaves its input as it was, repeats itself for a seed, and does not depend on the threads."""

from __future__ import annotations

import pickle
import threading
import time
from typing import Any

import pytest

import kiebitz as kb
from tests.contract.cases import COMPILED, QUICK, Case, agents_for
from tests.contract.walks import face, some_states


def decisions(game: kb.Game, count: int = 4) -> list[kb.State]:
    """States in which somebody is to move."""
    return [state for state in some_states(game, 4 * count) if state.player >= 0][:count]


def told(analysis: kb.Analysis) -> dict[str, Any]:
    """All of an analysis except for the time it took."""
    fields = analysis.to_dict()
    del fields["seconds"]
    return fields


def two_player_zero_sum(game: kb.Game) -> bool:
    return game.info.players == 2 and game.info.utility == "zero_sum"


def test_uct_leaves_the_state_and_repeats_itself(game: kb.Game) -> None:
    for state in decisions(game):
        before = face(state)
        one = kb.search.Uct(game, iterations=60, seed=3).search(state)
        other = kb.search.Uct(game, iterations=60, seed=3).search(state)
        assert face(state) == before
        assert told(one) == told(other)
        assert one.best in state.legal()
        assert one.best_name == state.name(one.best)
        assert one.player == state.player
        assert [value.action for value in one.actions] == state.legal()
        assert one.iterations == 60
        low, high = game.info.min_payoff, game.info.max_payoff
        assert all(low <= value.value <= high for value in one.actions if value.visits > 0)


def test_uct_plays_the_same_with_one_and_with_two_threads(game: kb.Game) -> None:
    for state in decisions(game, 2):
        found = [
            told(kb.search.Uct(game, iterations=200, seed=5, streams=4, threads=threads).search(state))
            for threads in (1, 2)
        ]
        assert found[0] == found[1]


@pytest.mark.parametrize("case", [case for case in COMPILED if case.id == case.game], ids=lambda case: case.id)
def test_other_threads_run_during_a_search_and_can_stop_it(case: Case) -> None:
    """A search of a compiled game releases the interpreter lock; without that nobody could ask it to stop."""
    game = case.make()
    state = decisions(game, 1)[0]
    uct = kb.search.Uct(game, iterations=10**10, seconds=30.0, memory_mb=8)
    token = kb.search.StopToken()
    began = threading.Event()
    found: list[kb.Analysis] = []

    def search() -> None:
        began.set()
        found.append(uct.search(state, stop=token))

    thread = threading.Thread(target=search)
    thread.start()
    assert began.wait(60)
    for _ in range(10):  # every round needs the lock
        time.sleep(0.01)
        assert not found
    token.request()
    thread.join(60)
    assert not thread.is_alive()
    (analysis,) = found
    assert analysis.best in state.legal()
    assert 0 < analysis.iterations < 10**10
    assert analysis.stopped


def test_uct_principal_line_is_playable(game: kb.Game) -> None:
    for state in decisions(game, 2):
        analysis = kb.search.Uct(game, iterations=100, seed=1).search(state)
        assert analysis.line[0] == analysis.best
        again = state.copy()
        for action, name in zip(analysis.line, analysis.line_names, strict=True):
            assert again.name(action) == name
            again.apply(action)


def test_alpha_beta_leaves_the_state_and_agrees_with_minimax(open_game: kb.Game) -> None:
    if not two_player_zero_sum(open_game) or open_game.info.chance:
        with pytest.raises(kb.UnsuitableGame):
            kb.search.AlphaBeta(open_game, depth=3)
        return
    for state in decisions(open_game):
        before = face(state)
        plain = kb.search.AlphaBeta(open_game, depth=3, cut="none").search(state)
        for cut in ("strict", "equal"):
            pruned = kb.search.AlphaBeta(open_game, depth=3, cut=cut).search(state)
            assert pruned.value == plain.value
            assert pruned.best == plain.best
            assert pruned.nodes <= plain.nodes
        full = kb.search.AlphaBeta(open_game, depth=3, order="full", deepen=True, table_mb=1).search(state)
        assert full.value == plain.value
        assert face(state) == before


def test_alpha_beta_refuses_hidden_games_unless_it_may_look(hidden_game: kb.Game) -> None:
    for name in ("uct", "alphabeta", "minimax", "flat_mc"):
        with pytest.raises(kb.UnsuitableGame):
            kb.agent(name, hidden_game)


def test_analysis_can_be_pickled_and_read(game: kb.Game) -> None:
    state = decisions(game, 1)[0]
    analysis = kb.search.Uct(game, iterations=30, seed=2).search(state)
    again = pickle.loads(pickle.dumps(analysis))
    assert again.to_dict() == analysis.to_dict()
    assert str(again) == str(analysis)
    assert analysis.best_name in str(analysis)


def test_agents_are_pure(game: kb.Game) -> None:
    """The same spec, seed and view give the same move, from a fresh agent and from one that has played before."""
    for name in agents_for(game):
        agent = kb.agent(QUICK.get(name, name), game, seed=11)
        assert agent.pure
        assert pickle.loads(pickle.dumps(agent)) == agent
        for state in decisions(game, 3):
            before = face(state)
            view = state.view(state.player)
            action = agent.act(view)
            assert action in state.legal()
            assert agent.act(view) == action
            assert kb.agent(agent.spec, game, seed=11).act(view) == action
            assert agent.analyse(view).best == action
            assert face(state) == before


def test_cheating_agents_see_the_state(hidden_game: kb.Game) -> None:
    agent = kb.agent("cheat(uct(iterations=40))", hidden_game, seed=1)
    for state in decisions(hidden_game, 3):
        before = face(state)
        action = agent.act_state(state)  # type: ignore[attr-defined]
        assert action in state.legal()
        assert face(state) == before
        with pytest.raises(kb.UnsuitableGame):
            agent.act(state.view(state.player))
