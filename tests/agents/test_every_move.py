"""every_move: all moves valued, all to the same depth; and whom to ask about a game."""

from __future__ import annotations

import random
import re
import threading
from collections import OrderedDict
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.agents import PlainAnalysis, advice, equilibrium
from kiebitz.agents.advice import EFFORTS, Effort, advisers, study
from kiebitz.errors import ParameterError, UnsuitableGame


def after(name: str, seed: int, plies: int) -> kb.State:
    dice = random.Random(seed)
    state = kb.game(name).new(seed=seed)
    for _ in range(plies):
        legal = state.legal()
        copy = state.copy()
        copy.apply(dice.choice(legal))
        if copy.player < 0:
            break
        state = copy
    return state


@settings(max_examples=60)
@given(st.sampled_from(["tic_tac_toe", "nim"]), st.integers(0, 10_000), st.integers(0, 8))
def test_small_games_are_valued_exactly(name: str, seed: int, plies: int) -> None:
    state = after(name, seed, plies)
    solution = kb.search.solve(state)
    found = kb.agent("every_move(nodes=3_000_000)", state.game).analyse(state.view(state.player))
    for entry in found.actions:
        child = state.copy()
        child.apply(entry.action)
        truth = child.returns() if child.player == kb.TERMINAL else solution.value_of(child)
        assert truth is not None
        assert entry.exact
        assert entry.value == truth[state.player]
    assert found.value == max(entry.value for entry in found.actions)


@settings(max_examples=25)
@given(st.sampled_from(["oware", "connect_four"]), st.integers(0, 10_000), st.integers(0, 30))
def test_moves_of_large_games_have_values_lines_and_errors(name: str, seed: int, plies: int) -> None:
    state = after(name, seed, plies)
    view = state.view(state.player)
    found = kb.agent("every_move(nodes=20_000)", state.game).analyse(view)
    assert isinstance(found, PlainAnalysis)
    assert [entry.action for entry in found.actions] == state.legal()
    assert found.line[0] == found.best
    walk = state.copy()
    for action, text in zip(found.line, found.line_names, strict=True):
        assert walk.name(action) == text
        walk.apply(action)
    for entry in found.actions:
        assert -1.0 <= entry.value <= 1.0
        assert (entry.error == 0.0) is entry.exact
    assert state.view(state.player) == view
    again = kb.agent("every_move(nodes=20_000)", state.game, seed=9).analyse(view)
    assert [(e.value, e.error) for e in again.actions] == [(e.value, e.error) for e in found.actions]


def test_a_winning_capture_and_a_blunder_are_told_apart_in_connect_four() -> None:
    game = kb.game("connect_four")
    state = game.new()
    for move in ["a", "b", "a", "b", "a", "b"]:
        state.apply(state.parse(move))
    found = kb.agent("every_move(nodes=50_000)", game).analyse(state.view(0))
    values = {entry.name: entry for entry in found.actions}
    assert (found.best_name, values["a"].value, values["a"].exact) == ("a", 1.0, True)
    assert (values["c"].value, values["c"].exact) == (-1.0, True)


def test_hidden_games_are_refused() -> None:
    with pytest.raises(UnsuitableGame):
        kb.agent("every_move", kb.game("kuhn"))


# --- Whom to ask ------------------------------------------------------------------------------------------------------

GAMES = ["doppelkopf", "oware", "leduc", "kuhn", "liars_dice", "connect_four", "tic_tac_toe", "nim"]


@pytest.mark.parametrize("name", GAMES)
def test_a_study_is_what_the_agent_that_it_names_says(name: str) -> None:
    state = after(name, 3, 2)
    view = state.view(state.player)
    found = study(view, "glance")
    again = kb.agent(found.spec, state.game).analyse(view)
    assert again.best == found.analysis.best
    assert [(a.action, a.value, a.error) for a in again.actions] == [
        (a.action, a.value, a.error) for a in found.analysis.actions
    ]


@pytest.mark.parametrize("name", GAMES)
def test_more_effort_never_asks_for_less(name: str) -> None:
    def budget(effort: Effort) -> list[int]:
        spec = str(advisers(kb.game(name), effort)[-1])
        return [int(found.replace("_", "")) for found in re.findall(r"(?:nodes|iterations|worlds)=([\d_]+)", spec)]

    budgets = [budget(effort) for effort in EFFORTS]
    assert budgets == sorted(budgets)
    assert get_args(Effort) == EFFORTS


@pytest.mark.parametrize("name", GAMES)
def test_a_study_can_be_cut_short(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equilibrium, "_kept", OrderedDict())  # what is solved already needs no time
    state = after(name, 3, 2)
    view = state.view(state.player)
    stop = kb.StopToken()
    stop.request()
    found = study(view, "deep", stop=stop)
    assert found.analysis.best in view.legal()
    assert found.analysis.stopped
    assert found.analysis.iterations + found.analysis.nodes < 100


def test_a_study_stops_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that would take minutes."""
    means = replace(advice._BUDGETS["deep"], each=300_000)
    monkeypatch.setitem(advice._BUDGETS, "deep", means)
    view = after("doppelkopf", 3, 2).view(after("doppelkopf", 3, 2).player)
    stop = kb.StopToken()
    timer = threading.Timer(0.2, stop.request)
    timer.start()
    found = study(view, "deep", stop=stop)
    assert found.analysis.stopped
    assert 0 < found.analysis.iterations < means.worlds * means.each


def test_an_unknown_effort_is_refused() -> None:
    with pytest.raises(ParameterError, match="effort"):
        advisers(kb.game("nim"), "utmost")  # type: ignore[arg-type]
