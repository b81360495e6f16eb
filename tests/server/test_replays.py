"""Replays: every position of a record with all cards open."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz import records
from kiebitz.records import Record, RecordError
from kiebitz.server.public import playable_games
from kiebitz.server.replays import MOST_STEPS, names_of, steps
from kiebitz.server.views import snapshot_parts


def played(name: str, seed: int, plies: int = 10_000) -> Record:
    game = kb.game(name)
    state = game.new(seed=seed)
    agent = kb.agent("random", game, seed)
    for _ in range(plies):
        if state.player == kb.TERMINAL:
            break
        state.apply(agent.act(state.view(state.player)))
    return records.record_of(state, [f"P{seat}" for seat in range(game.info.players)], seed)


@settings(max_examples=30)
@given(st.sampled_from(playable_games()), st.integers(0, 10_000), st.integers(0, 80))
def test_every_step_is_the_position_of_the_record_at_that_ply(name: str, seed: int, plies: int) -> None:
    record = played(name, seed, plies)
    found = steps(record)
    assert json.loads(json.dumps(found, allow_nan=False))
    for step in found:
        state = records.replay(record, step["ply"])
        expected = snapshot_parts(state, "all")
        assert {key: step[key] for key in expected} == expected
        assert len(step["views"]) == state.game.info.players
        if step["action"] is not None:
            assert (step["action"], step["name"]) == record.actions[step["ply"]]
            assert step["seat"] == state.player
    assert found[-1]["ply"] == len(record.actions)
    assert found[-1]["action"] is None
    decided = [ply for ply in range(len(record.actions)) if records.replay(record, ply).player >= 0]
    assert [step["ply"] for step in found[:-1]] == decided


def test_a_record_that_begins_with_a_position_is_shown_from_there() -> None:
    game = kb.game("oware")
    start = {"pits": [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 2], "captured": [16, 16], "player": 0}
    state = game.load(start)
    state.apply(state.legal()[0])
    found = steps(records.record_of(state, start=start))
    assert found[0]["public"]["captured"] == [16, 16]


def test_records_that_do_not_replay_or_have_no_table_are_refused() -> None:
    record = played("kuhn", 1)
    broken = records.from_json({**record.to_json(), "actions": [[9, "K"]]})
    with pytest.raises(RecordError):
        steps(broken)
    with pytest.raises(RecordError, match="expected one of"):
        steps(Record({"name": "rock_paper_scissors"}))
    for name in (None, 3, "tree", "../secret"):
        with pytest.raises(RecordError, match="expected one of"):
            steps(Record({"name": name, "file": "/etc/passwd"}))
    with pytest.raises(RecordError, match="at most"):
        steps(Record({"name": "nim"}, actions=((0, "1:1"),) * (MOST_STEPS + 1)))


def test_names_are_cut_to_what_fits() -> None:
    record = records.record_of(kb.game("nim").new(), ["Ada", "x" * 100])
    assert names_of(record, 2) == ["Ada", "x" * 39 + "…"]
    assert names_of(Record({"name": "nim"}), 2) == ["0", "1"]
