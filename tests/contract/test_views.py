"""Every game: views tell exactly what a player may know, and sampled worlds are what the player must reckon with."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from functools import cache
from random import Random
from typing import Any

import pytest
from scipy.stats import chi2

import kiebitz as kb
from tests.contract.cases import QUICK, SMALL_HIDDEN, agents_for, by_id
from tests.contract.walks import face, face_now, some_states, view_face, walk

WORLDS = 6


def test_a_view_belongs_to_its_observer(game: kb.Game) -> None:
    for state in some_states(game, 6):
        for player in range(game.info.players):
            view = state.view(player)
            assert view.observer == player
            assert view.legal() == (state.legal() if state.player == player else [])
            assert len(view.tensor()) == game.info.tensor_size
            if player == state.player:
                assert view.player == player
            elif game.info.hidden:
                for action in state.legal()[:2]:
                    with pytest.raises(kb.IllegalAction):
                        view.name(action)
        for player in (-1, game.info.players, 1000):
            with pytest.raises(kb.ParameterError):
                state.view(player)


@pytest.mark.requirement("DL-25", "DL-31")
def test_worlds_look_the_same_to_the_observer(hidden_game: kb.Game) -> None:
    """The observer's view of any world drawn is the view it was drawn from, to the last byte."""
    for state in some_states(hidden_game, 16):
        for player in range(hidden_game.info.players):
            view = state.view(player)
            before = view_face(view)
            for seed in range(WORLDS):
                world = view.sample(seed)
                assert world.view(player) == view
                assert view_face(world.view(player)) == before
                assert world.history == []
                assert (world.player == player) == (state.player == player)
                if state.player == player:
                    assert world.legal() == state.legal()
            assert view_face(view) == before
            assert face_now(view.sample(3)) == face_now(view.sample(3))


def test_different_worlds_are_drawn(hidden_game: kb.Game) -> None:
    """A sampler that always gave the true state would be a leak."""
    drawn = set()
    for state in some_states(hidden_game, 16):
        for player in range(hidden_game.info.players):
            view = state.view(player)
            worlds = {json.dumps(view.sample(seed).position()) for seed in range(20)}
            drawn.add(len(worlds) > 1)
    assert True in drawn


def test_sampling_does_not_read_the_true_state(hidden_game: kb.Game) -> None:
    """Views of two states that look alike give the same worlds for the same seed."""
    for state in some_states(hidden_game, 10):
        for player in range(hidden_game.info.players):
            view = state.view(player)
            for seed in range(3):
                twin = view.sample(seed + 100).view(player)
                assert face_now(twin.sample(seed)) == face_now(view.sample(seed))


@pytest.mark.requirement("DL-31")
def test_agents_decide_alike_where_states_look_alike(hidden_game: kb.Game) -> None:
    agents = [kb.agent(QUICK.get(name, name), hidden_game, seed=4) for name in agents_for(hidden_game)]
    assert agents
    for state in some_states(hidden_game, 16):
        if state.player < 0:
            continue
        view = state.view(state.player)
        for agent in agents:
            action = agent.act(view)
            assert action in state.legal()
            for seed in range(WORLDS):
                assert agent.act(view.sample(seed).view(state.player)) == action


def test_open_views_are_the_whole_position(open_game: kb.Game) -> None:
    for state in some_states(open_game, 10):
        for player in range(open_game.info.players):
            world = state.view(player).sample(5)
            assert world.position() == state.position()
            assert face_now(world) == face_now(state)
        views = [state.view(player).fields() for player in range(open_game.info.players)]
        assert all({**view, "observer": 0} == views[0] for view in views)


def test_views_do_not_change_when_the_state_moves_on(game: kb.Game) -> None:
    state = game.root()
    random = Random(1)
    kept: list[tuple[kb.View, dict[str, Any]]] = []
    while state.player != kb.TERMINAL and len(kept) < 30:
        for player in range(game.info.players):
            view = state.view(player)
            kept.append((view, view_face(view)))
        state.apply(random.choice(state.legal()))
    for view, before in kept:
        assert view_face(view) == before


def fields_text(view: kb.View) -> str:
    """What the view holds, as text."""
    return json.dumps(view.fields())


@cache
def posteriors(name: str) -> dict[tuple[int, str], dict[str, float]]:
    """For every view of a case: the probability of each position, with chance as it is and hidden moves uniform.

    The observer's own moves do not count: they are the same in all positions that look alike.
    """
    game = by_id(name).make()
    weights: dict[tuple[int, str], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    players = range(game.info.players)
    waiting: list[tuple[kb.State, tuple[float, ...]]] = [(game.root(), tuple(1.0 for _ in players))]
    while waiting:
        state, reach = waiting.pop()
        position = json.dumps(state.position())
        for player in players:
            weights[player, fields_text(state.view(player))][position] += reach[player]
        outcomes = state.outcomes() or [(action, 1 / len(state.legal())) for action in state.legal()]
        for action, probability in outcomes:
            below = state.copy()
            below.apply(action)
            waiting.append((below, tuple(r if p == state.player else r * probability for p, r in enumerate(reach))))
    return {view: {p: w / sum(worlds.values()) for p, w in worlds.items()} for view, worlds in weights.items()}


@pytest.mark.parametrize("name", SMALL_HIDDEN)
def test_worlds_have_the_right_probabilities(name: str) -> None:
    """Chi-square against the exact posterior over the whole game, added up over many views: p > 0.001."""
    game = by_id(name).make()
    exact = posteriors(name)
    open_views = sorted(view for view, worlds in exact.items() if len(worlds) > 1)
    assert open_views
    chosen = Random(7).sample(open_views, k=min(30, len(open_views)))
    statistic, freedom = 0.0, 0
    for number, (player, fields) in enumerate(chosen):
        worlds = exact[player, fields]
        view = game.load_view(json.loads(fields))
        draws = max(200, 20 * math.ceil(1 / min(worlds.values())))
        counts = Counter(json.dumps(view.sample(number * 1_000_003 + seed).position()) for seed in range(draws))
        assert set(counts) <= set(worlds)
        statistic += sum((counts[p] - draws * w) ** 2 / (draws * w) for p, w in worlds.items())
        freedom += len(worlds) - 1
    assert chi2.sf(statistic, freedom) > 0.001


@pytest.mark.parametrize("name", SMALL_HIDDEN)
def test_every_world_of_a_view_is_possible_and_every_state_is_in_its_view(name: str) -> None:
    """Over random games: the true state is among the worlds that the enumeration gives its views."""
    game = by_id(name).make()
    exact = posteriors(name)
    for seed in range(20):
        for state in walk(game, seed):
            for player in range(game.info.players):
                view = state.view(player)
                worlds = exact[player, fields_text(view)]
                assert json.dumps(state.position()) in worlds
                assert all(json.dumps(view.sample(n).position()) in worlds for n in range(3))


def test_view_and_state_stay_as_they_were(game: kb.Game) -> None:
    for state in some_states(game, 4):
        before = face(state)
        for player in range(game.info.players):
            world = state.view(player).sample(1)
            if world.player != kb.TERMINAL:
                world.apply(world.legal()[0])
        assert face(state) == before
