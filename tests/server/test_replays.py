"""Replays: every position of a record with all cards open."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz import records
from kiebitz.games.scene import Scene
from kiebitz.records import Record, RecordError
from kiebitz.server.catalogue import listed_parameters, offered
from kiebitz.server.replays import MOST_STEPS, names_of, seats_of, steps
from kiebitz.server.views import snapshot_parts
from tests.server.running import Running, usual, whose


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
@given(st.sampled_from(offered()), st.integers(0, 10_000), st.integers(0, 80))
def test_every_step_is_the_position_of_the_record_at_that_ply(name: str, seed: int, plies: int) -> None:
    record = played(name, seed, plies)
    found = steps(record)
    assert json.loads(json.dumps(found, allow_nan=False))
    for step in found:
        state = records.replay(record, step["ply"])
        expected = snapshot_parts(Scene(state), "all", names=record.seats)
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


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("nim", {"heaps": [255] * 16}),
        ("nim", {"heaps": [1] * 13}),
        ("kuhn", {"players": 10}),
        ("liars_dice", {"players": 8, "dice": 1, "sides": 2}),
        ("oware", {"max_plies": 1001}),
    ],
)
def test_a_record_has_the_bounds_of_a_table(name: str, params: dict[str, Any]) -> None:
    record = records.record_of(kb.game(name, **params).root())
    assert records.replay(record).history == []
    with pytest.raises(RecordError, match="expected at most"):
        steps(record)


def test_the_largest_replay_is_an_answer_that_can_be_sent() -> None:
    """Nim with all its heaps full and one object a move lists the most actions of all games within their bounds."""
    heaps = {rule["name"]: rule for rule in listed_parameters(kb.game("nim"))}["heaps"]
    state = kb.game("nim", heaps=[heaps["high"]] * heaps["length"][1]).new()
    while state.player != kb.TERMINAL:
        state.apply(state.legal()[0])
    record = records.record_of(state)
    assert len(record.actions) == 32 * 12
    assert len(json.dumps(steps(record))) < 5_000_000


@pytest.mark.parametrize("action", [10**30, 2**63, 2**31, -1, -(10**30)])
@pytest.mark.parametrize("name", ["nim", "doppelkopf"])
def test_a_number_that_is_no_action_is_refused_in_our_own_words(name: str, action: int) -> None:
    data = {"schema": 1, "game": {"name": name}, "actions": [[action, "x"]]}
    with pytest.raises(RecordError, match=r"^action 1 of 1: (?!.*incompatible)"):
        steps(records.from_json(data))


# --- Names ------------------------------------------------------------------------------------------------------------


def test_names_are_cut_to_what_fits() -> None:
    for names in ([], ["Ada", "x" * 100]):
        record = records.record_of(kb.game("nim").new(), ["Ada", "x" * 100], names=names)
        assert names_of(record, 2) == ["Ada", "x" * 39 + "…"]
    assert names_of(Record({"name": "nim"}), 2) == ["", ""]


def test_agents_without_names_go_by_their_specs_and_persons_by_what_they_typed() -> None:
    start = kb.game("liars_dice", players=4).new(seed=1)
    record = records.record_of(start, ["Ada (7)", "uct(iterations=50)", "uct", "{0} \n$&"])
    assert names_of(record, 4) == ["Ada (7)", "uct 2", "uct 3", "{0} $&"]
    assert [seat["strength"] for seat in seats_of(record, start.game)] == [None] * 4


@given(
    st.lists(st.text(max_size=60), min_size=2, max_size=2), st.sampled_from(["random", "uct(iterations=20)", "best"])
)
def test_a_record_of_a_table_keeps_agents_and_names(names: list[str], spec: str) -> None:
    state = kb.game("nim").new()
    record = records.record_of(state, [names[0], spec], names=names)
    again = records.from_json(json.loads(json.dumps(record.to_json())))
    assert again == record
    assert records.replay(again).history == state.history
    for shown, name in zip(names_of(again, 2), names, strict=True):
        assert shown == name.strip()[:40] or not name.isprintable() or len(name.strip()) > 40
    old = {key: value for key, value in record.to_json().items() if key != "names"}
    assert records.from_json(old).names == ()


@pytest.mark.parametrize("bad", [["Ada"], [1, 2], "AB", {"0": "Ada"}])
def test_names_that_do_not_fit_the_game_are_refused(bad: object) -> None:
    data = {**records.record_of(kb.game("nim").new()).to_json(), "names": bad}
    with pytest.raises(RecordError, match="names: expected"):
        steps(records.from_json(data))


def test_a_replay_names_everybody_as_the_table_did(server: Running) -> None:
    """Shared at the table, or downloaded and uploaded again; with the result in the same words."""
    ada = server.open("kuhn", {"kind": "bot", "strength": "strong"})
    while (found := whose([ada])) is not None:
        ada.acted(usual(*found), found[1]["version"])
    end = ada.look()
    record = ada.get("/games/1/record").json()
    assert record["seats"] == ["Ada", end["seats"][1]["spec"]]
    ids = [ada.post("/games/1/share").json(), server.http.post("/api/records", json=record).json()]
    for id in ids:
        shown = server.http.get(f"/api/records/{id['record']}").json()
        assert shown["record"] == record
        assert shown["seats"] == [{key: seat[key] for key in ("name", "strength")} for seat in end["seats"]]
        assert shown["steps"][-1]["over"]["words"] == end["over"]["words"]
