"""Game records: they round-trip, replay checks every action, and broken files are refused by line."""

from __future__ import annotations

import io
import json
import os
import pickle
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz import records
from kiebitz.records import Record, RecordError, Resigned

GAMES = kb.list_games()


def random_game(name: str, seed: int, **params: Any) -> kb.State:
    draw = random.Random(seed)
    state = kb.game(name, **params).new(seed=seed)
    while state.player != kb.TERMINAL:
        state.apply(draw.choice(state.legal()))
    return state


def nim_record() -> Record:
    return records.record_of(random_game("nim", 1), ["person", "random"], seed=1)


@pytest.mark.parametrize("name", GAMES)
def test_save_load_replay_round_trip(name: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    states = [random_game(name, seed) for seed in range(5)]
    written = [records.record_of(state, ["random"] * state.game.info.players, seed=i) for i, state in enumerate(states)]
    assert records.save(path, written) == 5
    read = list(records.load(path))
    assert read == written
    assert [record.line for record in read] == [1, 2, 3, 4, 5]
    for record, state in zip(read, states, strict=True):
        again = records.replay(record)
        assert again.history == state.history
        assert again.returns() == state.returns()
        assert str(again) == str(state)


def test_a_record_is_one_readable_line(tmp_path: Path) -> None:
    state = kb.game("tic_tac_toe").new()
    state.apply(state.parse("b2"))
    state.apply(state.parse("a1"))
    path = tmp_path / "games.jsonl"
    records.save(path, [records.record_of(state, ["person", "uct"], seed=7)])
    assert path.read_text() == (
        '{"schema": 1, "game": {"name": "tic_tac_toe"}, "seed": 7, "start": null, "seats": ["person", "uct"], '
        '"actions": [[4, "b2"], [0, "a1"]], "returns": null, "result": null}\n'
    )


def test_unfinished_games_and_plies(tmp_path: Path) -> None:
    state = random_game("connect_four", 3)
    record = records.record_of(state)
    for ply in range(len(record.actions) + 1):
        assert records.replay(record, ply).history == state.history[:ply]
    half = records.record_of(records.replay(record, 4))
    assert half.returns is None
    assert records.replay(half).history == state.history[:4]
    with pytest.raises(RecordError, match="ply: expected 0 to"):
        records.replay(record, len(record.actions) + 1)
    with pytest.raises(RecordError, match="ply: expected 0 to"):
        records.replay(record, -1)


def test_a_game_from_another_start() -> None:
    start = {"board": "x...o...."}
    state = kb.game("tic_tac_toe").load(start)
    state.apply(8)
    record = records.record_of(state, start=start)
    again = records.replay(records.from_json(json.loads(json.dumps(record.to_json()))))
    assert again.position() == state.position()
    assert again.history == [8]


def test_rule_parameters_are_kept() -> None:
    record = records.record_of(random_game("oware", 2, preset="abapa", seeds=2))
    assert records.replay(record).game.params["seeds"] == 2
    assert records.replay(record).game.params["must_feed"] is True


def test_saving_appends_or_replaces(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record = nim_record()
    records.save(path, [record])
    records.save(path, [record, record])
    assert len(list(records.load(path))) == 3
    records.save(path, [record], append=False)
    assert len(list(records.load(path))) == 1
    assert os.listdir(tmp_path) == ["games.jsonl"]


def test_a_record_that_cannot_be_written_leaves_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    records.save(path, [nim_record()])
    before = path.read_bytes()
    broken = replace(nim_record(), returns=(float("nan"),))
    for append in (True, False):
        with pytest.raises(ValueError, match="JSON"):
            records.save(path, [nim_record(), broken], append=append)
        assert path.read_bytes() == before


def test_appending_after_a_line_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    records.save(path, [nim_record()])
    path.write_bytes(path.read_bytes()[:-20])
    records.save(path, [nim_record()])
    lines = path.read_text().splitlines()
    assert records.from_json(json.loads(lines[1])) == nim_record()
    with pytest.raises(RecordError, match="line 1: expected a complete JSON object"):
        list(records.load(path))


def test_streams_and_empty_lines(tmp_path: Path) -> None:
    line = json.dumps(nim_record().to_json())
    read = list(records.load(io.StringIO(f"\n{line}\n\n{line}")))
    assert [record.line for record in read] == [2, 4]


def changed(**fields: Any) -> str:
    return json.dumps({**nim_record().to_json(), **fields})


def without(field: str) -> str:
    data = nim_record().to_json()
    del data[field]
    return json.dumps(data)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "expected a complete JSON object"),
        (changed()[:50], "expected a complete JSON object"),
        ("[1, 2]", "expected a JSON object, got a list"),
        ("null", "expected a JSON object, got null"),
        ('{"schema": 1, "x": NaN}', "NaN is not a number"),
        ("[" * 100_000, "expected"),
        ('{"schema": ' + "9" * 5000 + "}", "expected"),
        (without("schema"), "expected the field 'schema'"),
        (changed(schema=2), "schema: expected version 1, got 2"),
        (changed(schema="1"), 'schema: expected version 1, got "1"'),
        (changed(schema=True), "schema: expected version 1, got true"),
        (without("game"), "expected the field 'game'"),
        (without("actions"), "expected the field 'actions'"),
        (changed(game="nim"), "game: expected an object, got text"),
        (changed(extra=1), "unknown field 'extra'; expected schema, game"),
        (changed(seed="x"), "seed: expected a whole number or null"),
        (changed(start=[1]), "start: expected a position or null"),
        (changed(seats=[1, 2]), "seats: expected a list of texts"),
        (changed(names=["Ada", "\ud800"]), "names: expected a list of texts"),
        (changed(actions={}), "actions: expected a list, got an object"),
        (changed(actions=[[0, "1:1"], [1]]), 'action 2 of 2: expected [number, "name"]'),
        (changed(actions=[["0", "1:1"]]), "action 1 of 1: expected"),
        (changed(returns=["1", "2"]), "returns: expected a list of numbers or null"),
        (changed(result=7), "result: expected an object or null"),
    ],
)
def test_broken_lines_are_refused_with_their_number(line: str, message: str) -> None:
    good = json.dumps(nim_record().to_json())
    reader = records.load(io.StringIO(f"{good}\n{line}\n"))
    assert next(reader) == nim_record()
    with pytest.raises(RecordError) as caught:
        next(reader)
    assert str(caught.value).startswith("line 2: ")
    assert message in str(caught.value)
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"game": {"name": "nym"}}, "game: unknown game 'nym'"),
        ({"game": {}}, "game: expected a mapping with the name"),
        ({"game": {"name": "nim", "params": {"heaps": [-1]}}}, "game: "),
        ({"game": {"name": "nim", "params": {"name": "x"}}}, "game: "),
        ({"game": {"name": "nim", "preset": "hard"}}, "game: "),
        ({"seats": ["one"]}, "seats: expected 2, got 1"),
        ({"start": {"heaps": "many"}}, "start: "),
        ({"start": {"stones": [1]}}, "start: "),
        ({"actions": [[99, "9:9"]]}, "action 1 of 1: action 99 is not legal here; expected one of"),
        ({"actions": [[10**30, "x"]]}, "action 1 of 1: "),
        ({"actions": [[-1, "x"]]}, "action 1 of 1: action -1 is not legal"),
        ({"actions": [[0, "2:1"]]}, "action 1 of 1: expected the name '1:1' for action 0, got '2:1'"),
        ({"actions": [], "result": None}, "returns: expected none, because the game is not over (player 0 is to move)"),
        ({"returns": [0.5, -0.5]}, "returns: expected ["),
        ({"returns": [1.0]}, "returns: expected ["),
        ({"result": {"winner": 7}}, "result: expected {"),
    ],
)
def test_records_against_the_rules_are_refused(fields: dict[str, Any], message: str) -> None:
    record = next(records.load(io.StringIO(changed(**fields))))
    with pytest.raises(RecordError) as caught:
        records.replay(record)
    assert str(caught.value).startswith("line 1: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_was_given_up_can_be_checked(name: str) -> None:
    """It ends there, with a loss that nobody can rewrite, or was played on for the seat."""
    state, whole = kb.game(name).new(seed=3), random_game(name, 3)
    draw = random.Random(3)
    while len(state.history) < len(whole.history) - 2:  # the same moves as in the whole game
        state.apply(draw.choice(state.legal()))
    ply = len(state.history)
    lost = records.record_of(state, resigned=[Resigned(1, ply, late=True)])
    if lost.returns is None:
        played_on = records.record_of(whole, resigned=[Resigned(1, ply)])
        assert records.from_json(played_on.to_json()) == played_on
        assert records.replay(played_on).returns() == whole.returns()
        assert [played_on.stood_in(1, each) for each in (ply - 1, ply)] == [False, True]
        assert not played_on.stood_in(0, ply)
    else:
        assert lost.returns == (1.0, -1.0)
        assert records.replay(records.from_json(lost.to_json())).history == state.history
        wrong: list[dict[str, Any]] = [
            {"returns": (-1.0, 1.0)},
            {"resigned": (Resigned(0, ply),)},
            {"resigned": (Resigned(1, ply - 1),)},
            {"result": {}},
        ]
        for change in wrong:
            with pytest.raises(RecordError):
                records.replay(replace(lost, **change))
        with pytest.raises(RecordError, match="expected that the game ends"):
            records.replay(records.record_of(whole, resigned=[Resigned(1, len(whole.history))]))
    for resigned in ([Resigned(9, 0)], [Resigned(1, ply + 99)], [Resigned(1, 0), Resigned(1, 0)]):
        with pytest.raises(RecordError, match="resigned"):
            records.replay(records.record_of(whole, resigned=resigned))


def test_actions_after_the_end_are_refused() -> None:
    record = nim_record()
    longer = replace(record, actions=(*record.actions, (0, "1:1")))
    with pytest.raises(RecordError, match="the game is over"):
        records.replay(longer)


def test_a_version_from_the_future_is_not_replayed() -> None:
    with pytest.raises(RecordError, match="expected version 1, got 2"):
        records.replay(replace(nim_record(), schema=2))


def test_too_long_a_line_is_refused() -> None:
    with pytest.raises(RecordError, match="line 1: expected at most 1,000,000 characters in a line"):
        list(records.load(io.StringIO(" " * 2_000_000)))


def test_too_large_a_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_FILE", 1000)
    lines = (json.dumps(nim_record().to_json()) + "\n") * 10
    with pytest.raises(RecordError, match="expected at most 1,000 characters in a file"):
        list(records.load(io.StringIO(lines)))


def test_bytes_that_are_not_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b'{"schema": 1, \xff\xfe}\n')
    with pytest.raises(RecordError, match="line 1: expected text in UTF-8"):
        list(records.load(path))


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(records.load(tmp_path / "none"))


def test_record_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(RecordError("expected x", 3)))
    assert (str(error), error.line) == ("line 3: expected x", 3)
