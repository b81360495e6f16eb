"""Every game: positions, views, records and pickles come back as they were."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from random import Random

import pytest

import kiebitz as kb
from kiebitz import records
from kiebitz.games import from_json, view_from_json
from tests.contract.cases import CASES, Case
from tests.contract.walks import face, face_now, finish, some_states, view_face, walk


def test_game_round_trip(game: kb.Game) -> None:
    for again in (from_json(json.loads(json.dumps(game.to_json()))), pickle.loads(pickle.dumps(game))):
        assert again.to_json() == game.to_json()
        assert again.params == game.params
        assert again.info.to_dict() == game.info.to_dict()
        assert face(again.root()) == face(game.root())


def test_position_round_trip(game: kb.Game) -> None:
    for state in some_states(game, 12):
        position = json.loads(json.dumps(state.position()))
        again = game.load(position, state.seen())
        assert again.history == []
        assert face_now(again) == face_now(state)
        finish(again, 3)
        finish(state, 3)
        assert face_now(again) == face_now(state)


def test_position_of_a_repetition_game_keeps_what_was_seen() -> None:
    game = kb.game("oware", preset="abapa")
    ended = 0
    for seed in range(200):
        path = list(walk(game, seed))
        if path[-1].result()["ended"] != "repetition":
            continue
        ended += 1
        before = path[-2]
        again = game.load(before.position(), before.seen())
        again.apply(path[-1].history[-1])
        assert face_now(again) == face_now(path[-1])
        view = view_from_json(json.loads(json.dumps(before.view(0).to_json())))
        world = view.sample(0)
        world.apply(path[-1].history[-1])
        assert face_now(world) == face_now(path[-1])
    assert ended > 0


def test_view_round_trip(game: kb.Game) -> None:
    for state in some_states(game, 10):
        for player in range(game.info.players):
            view = state.view(player)
            for again in (
                view_from_json(json.loads(json.dumps(view.to_json()))),
                game.load_view(json.loads(json.dumps(view.fields()))),
                pickle.loads(pickle.dumps(view)),
            ):
                assert again == view
                assert hash(again) == hash(view)
                assert view_face(again) == view_face(view)
            assert view != "something else"
            if game.info.players > 1:
                assert view != state.view((player + 1) % game.info.players)


def test_pickled_states_go_on_alike(game: kb.Game) -> None:
    for seed in range(4):
        state = game.new(seed=seed)
        random = Random(seed)
        for _ in range(seed * 2):
            if state.player != kb.TERMINAL:
                state.apply(random.choice(state.legal()))
        twins = [pickle.loads(pickle.dumps(state)), copy.deepcopy(state), copy.copy(state)]
        for twin in twins:
            assert face(twin) == face(state)
        while state.player != kb.TERMINAL:  # chance included: the generator came along
            action = random.choice(state.legal())
            for each in (state, *twins):
                each.apply(action)
        for twin in twins:
            assert face(twin) == face(state)


def test_pickled_states_without_a_seed_leave_chance_open(game: kb.Game) -> None:
    for state in some_states(game, 6, seed=5):
        twin = pickle.loads(pickle.dumps(state))
        assert face(twin) == face(state)
        finish(twin, 1)
        finish(state, 1)
        assert face(twin) == face(state)


def test_pickled_worlds(game: kb.Game) -> None:
    for state in some_states(game, 4):
        world = state.view(0).sample(9)
        assert face(pickle.loads(pickle.dumps(world))) == face(world)


def test_record_round_trip(case: Case, game: kb.Game, tmp_path: Path) -> None:
    seats = [f"seat {number}" for number in range(game.info.players)]
    played = []
    for seed in range(3):
        state = game.new(seed=seed)
        random = Random(seed)
        while state.player != kb.TERMINAL and len(state.history) < 40 * (seed + 1):
            state.apply(random.choice(state.legal()))
        played.append(state)
    written = [records.record_of(state, seats, seed=number) for number, state in enumerate(played)]
    path = tmp_path / f"{case.id}.jsonl"
    assert records.save(path, written) == 3
    read = list(records.load(path))
    assert read == written
    for record, state in zip(read, played, strict=True):
        again = records.replay(record)
        assert face(again) == face(state)
        for ply in (0, len(state.history) // 2):
            assert list(records.replay(record, ply).history) == list(state.history)[:ply]


@pytest.mark.parametrize("case", [case for case in CASES if not case.make().info.repetition], ids=lambda case: case.id)
def test_record_from_a_position(case: Case) -> None:
    """Where repetition ends a game there is none: a position alone does not say what was seen before it."""
    game = case.make()
    state = some_states(game, 3)[1]
    start = state.position()
    state = game.load(start)
    finish(state, 2)
    record = records.record_of(state, start=start)
    assert face(records.replay(records.from_json(json.loads(json.dumps(record.to_json()))))) == face(state)
