"""Analysis after a game: the kibitz at every position, another try, playing on, and reviews that are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz import records
from kiebitz.server import record_routes, review
from kiebitz.server.catalogue import offered
from kiebitz.server.replays import play_on
from tests.server.running import BOT, OPEN, Person, Running, eventually, running
from tests.server.test_replays import played

ME = {"kind": "person", "name": "Ada", "me": True}


def shared(server: Running, record: records.Record) -> str:
    answer = server.http.post("/api/records", json=record.to_json())
    assert answer.status_code == 201, answer.text
    return str(answer.json()["record"])


def opened(server: Running, id: str, body: dict[str, Any]) -> Person:
    answer = server.http.post(f"/api/records/{id}/tables", json=body)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return Person(server, made["table"], made["seat"], made["token"] or made["owner"])


def reviewed(server: Running, id: str, effort: str = "quick") -> dict[str, Any]:
    job = server.http.post(f"/api/records/{id}/review", json={"effort": effort}).json()["job"]
    eventually(lambda: server.http.get(f"/api/jobs/{job}").json()["state"] in ("done", "failed"))
    found: dict[str, Any] = server.http.get(f"/api/jobs/{job}").json()
    assert found["state"] == "done"
    return found["result"]  # type: ignore[no-any-return]


# --- The kibitz -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", offered())
def test_the_kibitz_answers_whoever_decides(server: Running, name: str) -> None:
    record = played(name, 4)
    id = shared(server, record)
    decided = [ply for ply in range(len(record.actions)) if records.replay(record, ply).player >= 0]
    for ply in (decided[0], decided[-1]):
        state = records.replay(record, ply)
        answer = server.http.post(f"/api/records/{id}/analysis", json={"ply": ply})
        assert answer.status_code == 200, answer.text
        found = answer.json()
        assert found["seat"] == state.player
        assert [entry["action"] for entry in found["actions"]] == state.view(state.player).legal()
        assert {entry["action"] for entry in found["actions"]} >= set(found["good"])
    end = server.http.post(f"/api/records/{id}/analysis", json={"ply": len(record.actions)})
    assert (end.status_code, end.json()["error"]["code"]) == (409, "wrong_turn")
    beyond = server.http.post(f"/api/records/{id}/analysis", json={"ply": len(record.actions) + 1})
    assert (beyond.status_code, beyond.json()["error"]["code"]) == (404, "not_found")


def test_any_seat_knows_something_at_any_position_of_a_hidden_game(server: Running) -> None:
    record = played("leduc", 4)
    id = shared(server, record)
    for ply in range(2, len(record.actions) + 1):
        for seat in range(2):
            found = server.http.get(f"/api/records/{id}/beliefs", params={"ply": ply, "seat": seat})
            assert found.status_code == 200, found.text
            assert found.json()["cards"]
    assert server.http.get(f"/api/records/{id}/beliefs", params={"ply": 2, "seat": 2}).status_code == 404


def test_the_kibitz_of_a_replay_sees_what_the_seat_saw(server: Running) -> None:
    """Two games that a seat could not tell apart get the same advice."""
    answers = []
    for other in ("J", "Q"):
        state = kb.game("kuhn").deal(["K", other], start=0)
        id = shared(server, records.record_of(state))
        found = server.http.post(f"/api/records/{id}/analysis", json={"ply": 2, "seat": 0}).json()
        answers.append({key: value for key, value in found.items() if key != "seconds"})
    assert answers[0] == answers[1]


# --- Another try ------------------------------------------------------------------------------------------------------


def test_another_try_shows_the_position_after_it(server: Running) -> None:
    state = kb.game("tic_tac_toe").new()
    for move in ("a1", "a2"):
        state.apply(state.parse(move))
    id = shared(server, records.record_of(state))
    found = server.http.post(f"/api/records/{id}/tries", json={"ply": 1, "action": "b2"}).json()
    assert (found["public"]["board"], found["turn"], found["ply"]) == ("x...o....", 0, 2)
    refused = server.http.post(f"/api/records/{id}/tries", json={"ply": 1, "action": "a1"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "illegal_action")


# --- Playing on -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", offered())
def test_a_game_goes_on_with_the_same_cards_and_survives_a_restart(tmp_path: Path, name: str) -> None:
    record = played(name, 5)
    decided = [ply for ply in range(len(record.actions)) if records.replay(record, ply).player >= 0]
    ply = decided[len(decided) // 2]
    _, start = play_on(record, ply)
    players = kb.game(name).info.players
    body = {"ply": ply, "seats": [ME, *[BOT] * (players - 1)], "options": {"pace_ms": 0}}
    with running(tmp_path / "tables.db") as server:
        ada = opened(server, shared(server, record), body)
        seen = ada.until(lambda seen: seen["over"] is not None or bool(seen["views"]["0"]["legal"]))
        text = json.dumps(seen["options"]) + json.dumps(seen["game"])
        assert "actions" not in text
    with running(tmp_path / "tables.db") as server:
        again = Person(server, ada.table, ada.seat, ada.token)
        if seen["over"] is None:
            assert again.look()["views"] == seen["views"]
        over = again.play_on()
        kept = records.from_json(again.get("/games/1/record").json())
    assert over["over"]["seed"] is None
    assert [action for action, _ in kept.actions[: len(start.actions)]] == start.actions
    assert list(records.replay(kept).returns()) == over["over"]["returns"]


def test_a_secret_round_begins_anew() -> None:
    state = kb.game("doppelkopf").new(seed=7)
    while state.phase == "reservation":
        state.apply(state.parse("healthy"))
    asked = len(state.history)
    while state.phase == "call":
        state.apply(state.parse("pass"))
    assert len(state.history) > asked
    _, start = play_on(records.record_of(state), len(state.history))
    assert start.actions == state.history[:asked]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"seats": [ME, OPEN]}, "one person"),
        ({"options": {"games": 2}}, "expected 1"),
        ({"ply": 4}, "over"),
        ({"seats": [ME]}, "expected 2"),
    ],
)
def test_what_a_position_cannot_go_on_with_is_refused(server: Running, change: dict[str, Any], word: str) -> None:
    state = kb.game("kuhn").deal(["K", "J"], start=0)
    for move in ("pass", "pass"):
        state.apply(state.parse(move))
    id = shared(server, records.record_of(state))
    answer = server.http.post(f"/api/records/{id}/tables", json={"ply": 2, "seats": [ME, BOT], **change})
    assert answer.status_code in (409, 422)
    assert word in answer.json()["error"]["message"]


# --- Reviews that are kept --------------------------------------------------------------------------------------------


def test_a_review_is_kept_with_the_game_by_effort(tmp_path: Path) -> None:
    record = played("tic_tac_toe", 3)
    with running(tmp_path / "tables.db") as server:
        id = shared(server, record)
        assert server.http.get(f"/api/records/{id}/review").json() is None
        first = reviewed(server, id)
    with running(tmp_path / "tables.db") as server:
        found = server.http.get(f"/api/records/{id}/review").json()
        assert found == {**first, "effort": "quick"}
        server.hub.reviews.close()  # nothing is searched again
        assert reviewed_at_once(server, id) == first
        assert server.http.get(f"/api/records/{shared(server, record)}/review").json() is None


def reviewed_at_once(server: Running, id: str) -> dict[str, Any]:
    job = server.http.post(f"/api/records/{id}/review", json={"effort": "quick"}).json()["job"]
    found: dict[str, Any] = server.http.get(f"/api/jobs/{job}").json()
    assert found["state"] == "done"
    return found["result"]  # type: ignore[no-any-return]


def test_a_game_of_a_table_is_shared_once_and_leads_back(server: Running) -> None:
    ada = server.open("kuhn", BOT)
    ada.play_on()
    ids = {ada.post("/games/1/share").json()["record"] for _ in range(2)}
    assert len(ids) == 1
    found = server.http.get(f"/api/records/{ids.pop()}").json()
    assert found["table"] == {"id": ada.table, "number": 1}
    upload = shared(server, played("kuhn", 1))
    assert server.http.get(f"/api/records/{upload}").json()["table"] is None


def test_a_review_of_an_older_form_is_not_shown(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    id = shared(server, played("nim", 2))
    reviewed(server, id)
    assert server.http.get(f"/api/records/{id}/review").json() is not None
    monkeypatch.setattr(record_routes, "FORM", review.FORM + 1)
    assert server.http.get(f"/api/records/{id}/review").json() is None
