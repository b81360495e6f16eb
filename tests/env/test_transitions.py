"""One game at a time, with transitions from each player's point of view."""

from __future__ import annotations

import random

import numpy as np
import pytest

import kiebitz as kb
from kiebitz.env import TransitionEnv


def play(env: TransitionEnv, chooser: random.Random) -> list[float]:
    """A hand at random, each player asking at each of its turns; what each of them got."""
    players = range(env.game.info.players)
    got = [0.0 for _ in players]
    while (player := env.player) is not None:
        got[player] += env.get_state(player).reward
        legal = [a for a in range(3) if legal_now(env, a)]
        env.step(chooser.choice(legal), player)
    return [got[player] + env.get_state(player).reward for player in players]


def legal_now(env: TransitionEnv, action: int) -> bool:
    return action in env._state.legal()


@pytest.mark.requirement("NF-11")
def test_random_hands_pay_what_they_pay_in_the_game_itself() -> None:
    env, chooser = TransitionEnv("leduc", seed=4), random.Random(4)
    own, native = [], []
    game = kb.game("leduc")
    for number in range(10_000):
        env.reset()
        own.append(play(env, chooser)[0])
        state = game.new(seed=1_000_000 + number)
        while state.player != kb.TERMINAL:
            state.apply(chooser.choice(state.legal()))
        native.append(state.returns()[0])
    assert abs(np.mean(own) - np.mean(native)) < 3 * np.sqrt((np.var(own) + np.var(native)) / 10_000)
    assert set(own) <= set(native)


def test_the_dealer_has_the_first_seat() -> None:
    """With the same chance and the same actions, the players change places."""
    results = []
    for dealer in (0, 1):
        env = TransitionEnv("leduc", seed=5)
        env.games = 0
        env.reset(dealer)
        assert env.player == dealer
        results.append(play(env, random.Random(1)))
    assert results[0] == results[1][::-1]


def test_a_player_without_a_decision_has_no_transition() -> None:
    env = TransitionEnv("leduc", seed=1)
    before = env.get_state(0).now
    env.step(2, player=0)
    first, second = env.get_state(0), env.get_state(1)
    assert first.before is not None
    assert np.array_equal(first.before, before)
    assert (first.action, first.reward, first.over) == (2, 0.0, False)
    assert second.before is None
    assert second.action is None
    env.step(0, player=1)
    assert env.player is None
    assert env.get_state(0).reward == 1.0
    assert env.get_state(1).reward == -1.0
    assert env.get_state(1).over


def test_the_opponents_card_does_not_show() -> None:
    game = kb.game("leduc")
    views = []
    for card in ("Jh", "Kh"):
        env = TransitionEnv(game, seed=1)
        env._state = game.deal(["Qs", card])
        views.append(env.get_state(0).now)
    assert np.array_equal(views[0], views[1])


def test_bad_input_is_refused_and_changes_nothing() -> None:
    env = TransitionEnv("leduc", seed=1)
    for wrong, words in [
        ((1, 1), "player: expected 0, whose turn it is, got 1"),
        ((0, 0), "action 0 is not legal here"),
    ]:
        with pytest.raises(kb.Error, match=words):
            env.step(*wrong)
    with pytest.raises(kb.Error, match="dealer: expected a player from 0 to 1, got 2"):
        env.reset(2)
    with pytest.raises(kb.Error, match="player: expected one from 0 to 1, got -1"):
        env.get_state(-1)
    assert env.get_state(0).before is None


@pytest.mark.parametrize("wrong", [[1], 1.9, [float("nan"), 0.5], "a", [], None, [[1, 0]]])
def test_what_is_no_action_is_refused(wrong: object) -> None:
    env = TransitionEnv("leduc", seed=1)
    with pytest.raises(kb.Error, match="action: expected a whole number or 2 to"):
        env.step(wrong, player=0)  # type: ignore[arg-type]
    assert env.get_state(0).before is None
