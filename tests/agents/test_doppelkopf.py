"""The Doppelkopf players without search: random(calls=false) and rule_of_thumb."""

from __future__ import annotations

import pickle
from collections import Counter
from random import Random
from typing import Any

import pytest
from scipy.stats import chisquare

import kiebitz as kb
from kiebitz.agents import Agent
from kiebitz.errors import IllegalAction, UnsuitableGame

CARDS, RESERVATIONS, CALLS, PASS = range(24), range(24, 33), range(33, 38), 38
HOUSES: tuple[dict[str, Any], ...] = (
    {},
    {"nines": False},
    {"second_ten": True, "piglets": True, "fox_last": True, "charlie_caught": True},
    {"piglets": True, "superpiglets": True, "piglets_when_played": True},
)


def played(game: kb.Game, seats: list[Agent], seed: int) -> kb.State:
    """A whole game."""
    state = game.new(seed=seed)
    while state.player != kb.TERMINAL:
        state.apply(seats[state.player].act(state.view(state.player)))
    return state


def decisions(state: kb.State) -> list[int]:
    """What the seats chose, without the deal."""
    return [action for action in state.history if action >= 24]


@pytest.mark.requirement("DK-72")
def test_random_without_calls_never_calls() -> None:
    game = kb.game("doppelkopf")
    agents = [kb.agent("random(calls=false)", game, seed=seat) for seat in range(4)]
    passes = 0
    for seed in range(60):
        chosen = decisions(played(game, agents, seed))
        assert not set(chosen) & set(CALLS)
        passes += chosen.count(PASS)
    assert passes > 0


@pytest.mark.requirement("DK-72")
def test_random_without_calls_is_uniform_otherwise() -> None:
    game = kb.game("doppelkopf")
    said: Counter[int] = Counter()
    led: Counter[int] = Counter()
    for seed in range(1200):
        state = game.new(seed=1)
        agent = kb.agent("random(calls=false)", game, seed=seed)
        view = state.view(state.player)
        legal = view.legal()
        said[legal.index(agent.act(view))] += 1
        while state.legal()[0] in RESERVATIONS:
            state.apply(RESERVATIONS[0])
        while state.legal()[-1] == PASS:
            state.apply(PASS)
        cards = state.legal()
        led[cards.index(agent.act(state.view(state.player)))] += 1
    assert chisquare([said[i] for i in range(len(legal))]).pvalue > 0.001
    assert chisquare([led[i] for i in range(len(cards))]).pvalue > 0.001


def test_random_calls_half_of_the_time_when_asked() -> None:
    game = kb.game("doppelkopf")
    state = game.new(seed=1)
    while state.legal()[0] in RESERVATIONS:
        state.apply(RESERVATIONS[0])
    view = state.view(state.player)
    calls = sum(kb.agent("random", game, seed=seed).act(view) in CALLS for seed in range(1000))
    assert chisquare([calls, 1000 - calls]).pvalue > 0.001


@pytest.mark.parametrize("name", ["nim", "kuhn"])
def test_without_calls_in_the_game_the_option_changes_nothing(name: str) -> None:
    game = kb.game(name)
    for seed in range(30):
        state = game.new(seed=seed)
        view = state.view(state.player)
        assert kb.agent("random(calls=false)", game, seed=seed).act(view) == kb.agent("random", game, seed).act(view)


@pytest.mark.requirement("DK-74")
@pytest.mark.parametrize("house", HOUSES, ids=["thesis", "no nines", "house rules", "piglets when played"])
def test_rule_of_thumb_is_legal_and_depends_on_the_view_alone(house: dict[str, Any]) -> None:
    game = kb.game("doppelkopf", **house)
    one, other = kb.agent("rule_of_thumb", game, seed=1), kb.agent("rule_of_thumb", game, seed=2)
    random = Random(1)
    for seed in range(25):
        state = game.new(seed=seed)
        while state.player != kb.TERMINAL:
            view = state.view(state.player)
            action = one.act(view)
            assert action in state.legal()
            assert other.act(view) == action
            if random.random() < 0.05:
                assert one.act(view.sample(seed).view(state.player)) == action
                assert one.act(pickle.loads(pickle.dumps(view))) == action
            state.apply(action if random.random() < 0.5 else random.choice(state.legal()))


@pytest.mark.requirement("DK-74")
def test_rule_of_thumb_beats_random_in_every_seating() -> None:
    """Two against two on the same deals; C++ tests hold the size of the difference."""
    game = kb.game("doppelkopf")
    thumb, dice = kb.agent("rule_of_thumb", game), kb.agent("random(calls=false)", game)
    for pair in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
        points = 0.0
        for seed in range(60):
            returns = played(game, [thumb if seat in pair else dice for seat in range(4)], seed).returns()
            points += sum(returns[seat] for seat in pair)
        assert points > 0


def test_rule_of_thumb_refuses_other_games_in_plain_words() -> None:
    with pytest.raises(UnsuitableGame, match="rule_of_thumb plays only doppelkopf, not nim"):
        kb.agent("rule_of_thumb", kb.game("nim"))
    assert "rule_of_thumb" in kb.list_agents(kb.game("doppelkopf"))


def test_rule_of_thumb_is_not_asked_for_another_seat() -> None:
    game = kb.game("doppelkopf")
    state = game.new(seed=3)
    with pytest.raises(IllegalAction):
        kb.agent("rule_of_thumb", game).act(state.view((state.player + 1) % 4))
