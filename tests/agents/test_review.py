"""A recorded game looked at again: losses on the same worlds, and what counts as a decision."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz import records
from kiebitz.agents import PlainActionValue, PlainAnalysis
from kiebitz.agents.review import Loss, decisions, loss_of, summary, world_differences


@dataclass(frozen=True)
class Fused(PlainAnalysis):
    """An analysis with values on sampled worlds."""

    world_values: list[list[float]] = field(default_factory=list)


def fused(worlds: list[list[float]], errors: tuple[float, float] = (0.0, 0.0)) -> Fused:
    known = [[world[i] for world in worlds if not math.isnan(world[i])] for i in range(2)]
    means = [sum(values) / len(values) if values else 0.0 for values in known]
    actions = [PlainActionValue(i, "ab"[i], len(known[i]), means[i], errors[i]) for i in range(2)]
    return Fused("test", 0, 0, "a", actions=actions, iterations=1, world_values=worlds)


def test_a_loss_is_the_mean_difference_on_the_same_worlds() -> None:
    # The worlds differ by 10 points, the two actions in each of them by 1, 2 and 3: the luck of the deal cancels.
    loss = loss_of(fused([[11, 10], [2, 0], [-5, -8]]), 1)
    assert loss.value == pytest.approx(2.0)
    assert loss.error == pytest.approx(1 / math.sqrt(3))
    assert loss.worlds == 3
    assert loss.mistake


def test_a_loss_within_two_standard_errors_is_no_mistake() -> None:
    loss = loss_of(fused([[1, 0], [0, 0], [0, 1], [3, 0]]), 1)
    assert loss.value == pytest.approx(0.75)
    assert loss.error == pytest.approx(0.853913, abs=1e-6)
    assert not loss.mistake


def test_the_same_loss_in_all_worlds_is_certain() -> None:
    assert loss_of(fused([[1, 0], [5, 4], [0, -1]]), 1) == Loss(1.0, 0.0, 3)
    assert loss_of(fused([[1, 0], [5, 4], [0, -1]]), 1).mistake
    assert not loss_of(fused([[1, 1], [5, 5]]), 1).mistake


def test_worlds_that_know_only_one_of_the_two_are_left_out() -> None:
    nan = math.nan
    loss = loss_of(fused([[9, nan], [3, 1], [4, 2], [nan, 9]]), 1)
    assert loss == Loss(2.0, 0.0, 2)


def test_the_best_move_loses_nothing_and_unknown_moves_stay_unknown() -> None:
    worlds = [[1.0, 0.0], [2.0, 0.0]]
    assert loss_of(fused(worlds), 0) == Loss(0.0, 0.0)
    assert loss_of(fused(worlds), 7) == Loss(None)
    assert not Loss(None).mistake
    assert loss_of(fused([[1.0, math.nan]]), 1) == Loss(None)


def test_without_worlds_the_errors_of_the_values_are_added() -> None:
    plain = replace(fused([[4.0, 1.0]], errors=(0.3, 0.4)), world_values=[])
    assert loss_of(plain, 1) == Loss(3.0, 0.5)
    assert loss_of(plain, 1).mistake
    assert loss_of(replace(plain, actions=[replace(a, error=2.0) for a in plain.actions]), 1).mistake is False


def test_without_errors_nothing_is_called_a_mistake() -> None:
    plain = replace(fused([[4.0, 1.0]]), world_values=[])
    assert loss_of(plain, 1) == Loss(3.0, None)
    assert not loss_of(plain, 1).mistake


# --- Whole games ------------------------------------------------------------------------------------------------------

values = st.floats(-20, 20, allow_nan=False)
rows = st.lists(st.tuples(values | st.just(math.nan), values | st.just(math.nan)), min_size=1, max_size=12)


@given(rows)
def test_a_loss_does_not_change_with_the_luck_of_the_deal(worlds: list[tuple[float, float]]) -> None:
    plain = loss_of(fused([list(world) for world in worlds]), 1)
    shifted = loss_of(fused([[value + 7 * number for value in world] for number, world in enumerate(worlds)]), 1)
    if plain.worlds:
        assert plain.value is not None
        assert plain.error is not None
        assert shifted.value == pytest.approx(plain.value, abs=1e-9)
        assert shifted.error == pytest.approx(plain.error, abs=1e-6)
        assert plain.worlds == len(world_differences(fused([list(world) for world in worlds]), 1))
        assert plain.mistake <= (plain.value > 0)


def played(name: str, seed: int) -> records.Record:
    game = kb.game(name)
    state = game.new(seed=seed)
    while state.player != kb.TERMINAL:
        view = state.view(state.player)
        state.apply(view.rule_of_thumb() if name == "doppelkopf" else kb.agent("random", game, seed).act(view))
    return records.record_of(state)


@pytest.mark.parametrize("name", ["doppelkopf", "leduc", "tic_tac_toe"])
def test_every_action_is_judged_or_chance_and_nothing_but_the_view_is_looked_at(name: str) -> None:
    record = played(name, 3)
    seen: list[int] = []

    def judge(state: kb.State, action: int) -> PlainAnalysis:
        assert action in state.legal()
        seen.append(len(state.history))
        return PlainAnalysis.of_move("first", state.view(state.player), state.legal()[0])

    found = list(decisions(record, judge))
    assert len(found) == len(record.actions)
    judged = [decision for decision in found if decision is not None]
    assert [d.ply for d in judged] == sorted({d.ply for d in judged})
    assert [d.ply for d in judged if not d.forced] == seen
    assert all(earlier.ply < later.ply for earlier, later in pairwise(judged))
    for decision in judged:
        row = decision.row()
        assert row["played"] == record.actions[decision.ply][1]
        assert row["lost"] is None or row["lost"] >= 0
        assert decision.forced is (name != "tic_tac_toe" and len(decision.view.legal()) == 1)


def test_what_a_bot_played_for_somebody_who_gave_up_is_not_their_decision() -> None:
    record = replace(played("doppelkopf", 3), resigned=(records.Resigned(2, 70),))

    def judge(state: kb.State, action: int) -> PlainAnalysis:
        return PlainAnalysis.of_move("first", state.view(state.player), action)

    last = {d.player: d.ply for d in decisions(record, judge) if d is not None}
    assert last[2] < 70 < min(last[player] for player in (0, 1, 3))


def test_summaries_add_up() -> None:
    record = played("doppelkopf", 4)
    judge = kb.agent("pimc(uct(iterations=20), worlds=4)", kb.game("doppelkopf"))
    found = [d.row() for d in decisions(record, lambda state, _: judge.analyse(state.view(state.player))) if d]
    wholes = [summary(found, player) for player in range(4)]
    assert sum(whole["decisions"] for whole in wholes) == sum(not row["forced"] for row in found)
    assert sum(whole["mistakes"] for whole in wholes) == sum(row["mistake"] for row in found)
    for whole in wholes:
        assert 0 <= whole["lost_by_mistakes"] <= whole["lost"] + 1e-9


def test_a_pass_that_can_still_become_a_call_is_no_decision_yet() -> None:
    game = kb.game("doppelkopf")
    state = game.new(seed=7)
    for _ in range(4):
        state.apply(state.parse("healthy"))
    state.apply(state.parse("pass"))
    judge = kb.agent("pimc(uct(iterations=20), worlds=4, calls=last)", game)
    found = list(decisions(records.record_of(state), lambda at, _: judge.analyse(at.view(at.player)), waits=True))
    last = found[-1]
    assert last is not None
    assert last.later
    assert summary([last.row()], last.player)["decisions"] == 0
