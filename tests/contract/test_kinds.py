"""Every game: actions have kinds and phases, and choices are the legal actions put together."""

from __future__ import annotations

import math

import pytest

import kiebitz as kb
from tests.contract.no_limit import NoLimit
from tests.contract.walks import some_states


def actions_of(choice: kb.Choice) -> list[int]:
    """The actions of the run."""
    return choice.actions


def amounts_of(choice: kb.Choice) -> list[float]:
    """Their amounts, for kinds with a unit."""
    assert choice.low is not None
    assert choice.step is not None
    return [choice.low + i * choice.step for i in range(choice.count)]


def test_every_action_has_a_kind(game: kb.Game) -> None:
    kinds = {kind.name: kind for kind in game.info.kinds}
    assert len(kinds) == len(game.info.kinds)
    assert all(kind.name and kind.phase and kind.phase != "over" for kind in kinds.values())
    for state in some_states(game, 30):
        legal = state.legal()
        phases = {kinds[state.kind(action)].phase for action in legal}
        assert phases == ({state.phase} if legal else set())
        assert (state.phase == "over") == (state.player == kb.TERMINAL)
        for action in legal:
            amount = state.amount(action)
            assert (amount is not None) == bool(kinds[state.kind(action)].unit)
            assert amount is None or math.isfinite(amount)


def test_no_kind_belongs_to_chance_and_to_players(game: kb.Game) -> None:
    by_chance: set[str] = set()
    by_players: set[str] = set()
    for state in some_states(game, 30):
        found = by_chance if state.player == kb.CHANCE else by_players
        found |= {state.kind(action) for action in state.legal()}
    assert not by_chance & by_players


def test_choices_are_the_legal_actions(game: kb.Game) -> None:
    kinds = {kind.name: kind for kind in game.info.kinds}
    for state in some_states(game, 30):
        choices = state.choices()
        assert sorted(action for choice in choices for action in actions_of(choice)) == state.legal()
        assert [choice.action for choice in choices] == sorted(choice.action for choice in choices)
        for choice in choices:
            assert {state.kind(action) for action in actions_of(choice)} == {choice.kind}
            assert (choice.phase, choice.unit) == (state.phase, kinds[choice.kind].unit)
            if not choice.unit:
                assert (choice.count, choice.low, choice.high, choice.step) == (1, None, None, None)
                with pytest.raises(kb.IllegalAction, match="has no amount"):
                    choice.action_for(1)
                continue
            for action, amount in zip(actions_of(choice), amounts_of(choice), strict=True):
                exact = state.amount(action)
                assert exact == pytest.approx(amount)
                assert exact is not None
                assert choice.action_for(exact) == choice.action_for(amount) == action
            assert amounts_of(choice)[-1] == pytest.approx(choice.high)


def test_views_know_the_kinds_of_their_own_actions(game: kb.Game) -> None:
    for state in some_states(game, 12):
        for player in range(game.info.players):
            view = state.view(player)
            assert view.phase in {"over", *(kind.phase for kind in game.info.kinds)}
            if view.player == kb.TERMINAL:
                assert view.phase == "over"
            if player != state.player:
                assert view.choices() == []
                continue
            assert view.phase == state.phase
            assert list(map(repr, view.choices())) == list(map(repr, state.choices()))
            for action in state.legal():
                assert (view.kind(action), view.amount(action)) == (state.kind(action), state.amount(action))


def test_the_phase_of_a_view_is_the_same_in_all_its_worlds(hidden_game: kb.Game) -> None:
    for state in some_states(hidden_game, 12):
        for player in range(hidden_game.info.players):
            view = state.view(player)
            assert {view.sample(seed).view(player).phase for seed in range(4)} == {view.phase}


@pytest.mark.parametrize("action", [-1, 10**6, 10**12])
def test_kinds_of_illegal_actions_are_refused_as_their_names_are(game: kb.Game, action: int) -> None:
    for state in some_states(game, 6):
        asked: list[kb.State | kb.View] = [state]
        if state.player >= 0:
            asked.append(state.view(state.player))
        for one in asked:
            with pytest.raises(kb.IllegalAction) as name:
                one.name(action)
            for question in (one.kind, one.amount):
                with pytest.raises(kb.IllegalAction) as refused:
                    question(action)
                assert str(refused.value) == str(name.value)


def test_twenty_thousand_raises_are_one_choice() -> None:
    state = NoLimit.make(stack=20_000).root()
    fold, call, raises = state.choices()
    assert [fold.kind, call.kind, raises.kind] == ["fold", "call", "raise"]
    assert (raises.count, raises.low, raises.high, raises.step) == (19_999, 2, 20_000, 1)
    assert state.kind(raises.action_for(12_345)) == "raise"
    assert state.amount(raises.action_for(12_345)) == 12_345
    for amount in (1, 20_001, 2.5, math.nan, math.inf, -1e300):
        with pytest.raises(kb.IllegalAction, match="raise: expected 2 to 20000 in steps of 1 chips, got"):
            raises.action_for(amount)
    state.apply(raises.action_for(20_000))
    assert [choice.kind for choice in state.choices()] == ["fold", "call"]


def test_an_odd_last_raise_is_a_choice_of_its_own() -> None:
    state = NoLimit.make(stack=25, step=10).root()
    assert [(c.kind, c.count, c.low, c.high, c.step) for c in state.choices()[1:]] == [
        ("call", 1, 1.0, 1.0, 0.0),
        ("raise", 2, 10.0, 20.0, 10.0),
        ("raise", 1, 25.0, 25.0, 0.0),
    ]


def test_each_heap_of_nim_is_one_choice() -> None:
    state = kb.game("nim", heaps=[2, 0, 4]).root()
    found = [(choice.kind, choice.unit, choice.low, choice.high, choice.count) for choice in state.choices()]
    assert found == [("take", "sticks", 1, 2, 2), ("take", "sticks", 1, 4, 4)]
    assert state.name(state.choices()[1].action_for(3)) == "3:3"


def test_faulty_kinds_of_a_game_in_python_are_refused() -> None:
    class Twice(NoLimit):
        kinds = (kb.ActionKind("raise", "move"), kb.ActionKind("raise", "move"))

    with pytest.raises(kb.ParameterError, match="kinds: expected different names, got 'raise' twice"):
        Twice.make()

    class Unknown(NoLimit):
        kinds = (kb.ActionKind("fold", "move"), kb.ActionKind("raise", "move"))

    state = Unknown.make().root()
    assert state.kind(0) == "fold"
    with pytest.raises(kb.Error, match="kind\\(\\) answered 'call', which is not one of its kinds"):
        state.kind(1)


def test_kinds_compare_and_print() -> None:
    kind = kb.ActionKind("raise", "move", "chips")
    assert repr(kind) == "ActionKind('raise', 'move', 'chips')"
    assert kind == kb.ActionKind(name="raise", phase="move", unit="chips")
    assert len({kind, kb.ActionKind("raise", "move", "chips"), kb.ActionKind("fold", "move")}) == 2
