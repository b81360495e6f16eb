"""Every game: payoffs, legality, length, chance, names, copies."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from tests.contract.cases import CASES, Case
from tests.contract.walks import face, finish, some_states, walk

WALKS = 8


def test_info_is_sound(case: Case, game: kb.Game) -> None:
    info = game.info
    assert info.name == case.game == game.name
    assert info.title
    assert 1 <= info.players <= 10
    assert 1 <= info.max_legal <= info.actions
    assert info.max_length >= 1
    assert info.min_payoff <= info.max_payoff
    assert info.utility in {"zero_sum", "constant_sum", "team", "general"}
    assert info.utility != "zero_sum" or info.payoff_sum == 0
    assert info.to_dict()["players"] == info.players
    assert set(case.params) <= set(game.params) or case.game == "tree"


def test_payoffs(game: kb.Game) -> None:
    info = game.info
    for seed in range(WALKS):
        for state in walk(game, seed):
            if state.player != kb.TERMINAL:
                with pytest.raises(kb.Error, match="not over"):
                    state.returns()
                with pytest.raises(kb.Error, match="not over"):
                    state.result()
                continue
            payoffs = state.returns()
            assert len(payoffs) == info.players
            assert all(math.isfinite(x) and info.min_payoff <= x <= info.max_payoff for x in payoffs)
            if info.utility in {"zero_sum", "constant_sum"}:
                assert sum(payoffs) == pytest.approx(info.payoff_sum, abs=1e-9)
            result = state.result()
            assert result["returns"] == payoffs
            best = [p for p, x in enumerate(payoffs) if x == max(payoffs)]
            if isinstance(result["winner"], str):  # the game names a party
                continue
            assert result["winner"] == (best[0] if len(best) == 1 and len(payoffs) > 1 else None)


def test_legal_actions_and_length(game: kb.Game) -> None:
    info = game.info
    for seed in range(WALKS):
        length = 0
        for length, state in enumerate(walk(game, seed)):
            legal = state.legal()
            assert legal == sorted(set(legal))
            assert all(0 <= action < info.actions for action in legal)
            assert len(legal) <= info.max_legal
            assert (legal == []) == (state.player == kb.TERMINAL)
            assert kb.TERMINAL <= state.player < info.players
            assert len(state.history) == length
        assert length <= info.max_length


def test_chance(game: kb.Game) -> None:
    met = False
    for seed in range(WALKS):
        for state in walk(game, seed):
            outcomes = state.outcomes()
            if state.player != kb.CHANCE:
                assert outcomes == []
                continue
            met = True
            assert [action for action, _ in outcomes] == state.legal()
            assert all(probability > 0 for _, probability in outcomes)
            assert math.fsum(probability for _, probability in outcomes) == pytest.approx(1, abs=1e-12)
    assert met == game.info.chance


def test_refused_actions_change_nothing(game: kb.Game) -> None:
    for state in some_states(game, 6):
        before = face(state)
        for action in (-(2**31), -3, -2, -1, *range(min(game.info.actions, 20)), game.info.actions, 2**31 - 1):
            if action in state.legal():
                assert state.refusal(action) == ""
                continue
            with pytest.raises(kb.IllegalAction, match=f"action {action} ") as refused:
                state.apply(action)
            assert str(refused.value) == state.refusal(action)
            with pytest.raises(kb.IllegalAction):
                state.name(action)
        for text in ("", "no such action", "?", "\0", "ä" * 300, "9" * 400):
            with pytest.raises(kb.IllegalAction):
                state.parse(text)
        assert face(state) == before


def test_nothing_is_played_after_the_end(game: kb.Game) -> None:
    state = list(walk(game, 1))[-1]
    before = face(state)
    for action in range(min(game.info.actions, 50)):
        with pytest.raises(kb.IllegalAction, match="the game is over"):
            state.apply(action)
    with pytest.raises(kb.IllegalAction, match="the game is over"):
        state.parse("pass")
    assert face(state) == before


def test_copies_are_independent(game: kb.Game) -> None:
    for number, state in enumerate(some_states(game, 4)):
        before = face(state)
        twin = state.copy()
        assert face(twin) == before
        finish(twin, number)
        assert face(state) == before
        twin = state.copy()
        end = face(twin)
        finish(state, number)
        assert face(twin) == end == before


def test_names_and_parse_round_trip(game: kb.Game) -> None:
    for state in some_states(game, 12):
        names = [state.name(action) for action in state.legal()]
        assert len(set(names)) == len(names)
        for action, name in zip(state.legal(), names, strict=True):
            assert name == name.strip() != ""
            assert state.parse(name) == action
            assert state.parse(f" {name} ") == action
        if state.player >= 0:
            view = state.view(state.player)
            assert [view.name(action) for action in view.legal()] == names
            assert [view.parse(name) for name in names] == view.legal() == state.legal()


def test_text_is_readable(game: kb.Game) -> None:
    for state in some_states(game, 6):
        texts = [str(state), *(str(state.view(player)) for player in range(game.info.players))]
        for text in texts:
            assert text.endswith("\n")
            assert not text.endswith("\n\n")
            assert text.isprintable() or "\n" in text


def test_evaluations(game: kb.Game) -> None:
    info = game.info
    for state in some_states(game, 6):
        for name in info.evaluations:
            values = [state.evaluate(name, player) for player in range(info.players)]
            assert all(math.isfinite(value) for value in values)
        with pytest.raises(kb.UnknownName):
            state.evaluate("no such evaluation", 0)
        with pytest.raises(kb.ParameterError):
            state.evaluate(info.evaluations[0] if info.evaluations else "", info.players)


def test_new_is_the_same_for_the_same_seed(game: kb.Game) -> None:
    for seed in (0, 7, 2**64 - 1):
        one, other = game.new(seed=seed), game.new(seed=seed)
        random = Random(seed)
        assert one.player != kb.CHANCE
        while one.player != kb.TERMINAL:
            action = random.choice(one.legal())
            one.apply(action)
            other.apply(action)
            assert one.player != kb.CHANCE
        assert face(one) == face(other)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_replaying_the_history_gives_the_same_state(case: Case) -> None:
    game = case.make()

    @settings(max_examples=10)
    @given(choices=st.lists(st.integers(0, 2**16), max_size=60))
    def check(choices: list[int]) -> None:
        state = game.root()
        for choice in choices:
            if state.player == kb.TERMINAL:
                break
            legal = state.legal()
            state.apply(legal[choice % len(legal)])
        again = game.root()
        for action in state.history:
            again.apply(action)
        assert face(again) == face(state)

    check()


def test_key_does_not_depend_on_the_way_there() -> None:
    game = kb.game("tic_tac_toe")
    one, other = game.root(), game.root()
    for action in (0, 4, 8, 2):
        one.apply(action)
    for action in (8, 2, 0, 4):
        other.apply(action)
    assert one.key == other.key
    assert one.view(0) == other.view(0)
    assert one.view(0).key == other.view(0).key
    assert one.history != other.history
    other.apply(1)
    assert one.key != other.key


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "nim", "oware", "kuhn", "leduc", "liars_dice"])
def test_keys_differ_where_positions_differ(name: str) -> None:
    game = kb.game(name)
    keys: dict[int, dict[str, object]] = {}
    for seed in range(40):
        for state in walk(game, seed):
            # How long it took and how it ended are not part of the position.
            position = {k: v for k, v in state.position().items() if k not in ("plies", "ended", "awarded")}
            assert keys.setdefault(state.key, position) == position
