"""Bad input: a clear message, the right status, and the state unchanged."""

from __future__ import annotations

import json
import queue
import re
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import kiebitz as kb
from kiebitz.agents.strengths import spec_of
from kiebitz.server.errors import STATUS
from kiebitz.server.schemas import RequestBody
from kiebitz.server.validation import complaints
from tests.server.running import BOT, OPEN, WAIT, Person, Running, eventually

ROOT = Path(__file__).parents[2]
Ask = Callable[[Running, Person], httpx.Response]


def acting(body: Any, headers: dict[str, str] | None = None, table: str | None = None) -> Ask:
    """A request to act at a table, with anything in it."""

    def ask(server: Running, person: Person) -> httpx.Response:
        filled = body
        if isinstance(body, dict) and body.get("version") == "now":
            filled = {**body, "version": person.look()["version"]}
        given = person.headers if headers is None else headers
        return server.http.post(f"/api/tables/{table or person.table}/actions", json=filled, headers=given)

    return ask


def raw(data: bytes, kind: str = "application/json") -> Ask:
    def ask(server: Running, person: Person) -> httpx.Response:
        headers = {**person.headers, "content-type": kind}
        return server.http.post(f"/api/tables/{person.table}/actions", content=data, headers=headers)

    return ask


NOW: dict[str, Any] = {"version": "now", "action": 0}
CASES: dict[str, tuple[Ask, int, str]] = {
    "illegal_number": (acting({**NOW, "action": 8000}), 422, "illegal_action"),
    "illegal_name": (acting({**NOW, "action": "z9"}), 422, "illegal_action"),
    "huge_number": (acting({**NOW, "action": 10**30}), 422, "invalid"),
    "negative": (acting({**NOW, "action": -1}), 422, "invalid"),
    "fraction": (acting({**NOW, "action": 1.5}), 422, "invalid"),
    "truth": (acting({**NOW, "action": True}), 422, "invalid"),
    "null": (acting({**NOW, "action": None}), 422, "invalid"),
    "long_name": (acting({**NOW, "action": "a" * 81}), 422, "invalid"),
    "nul_name": (acting({**NOW, "action": "\0"}), 422, "illegal_action"),
    "stale_version": (acting({"version": 0, "action": 0}), 409, "stale_version"),
    "future_version": (acting({"version": 10**6, "action": 0}), 409, "stale_version"),
    "version_as_text": (acting({"version": "1", "action": 0}), 422, "invalid"),
    "no_version": (acting({"action": 0}), 422, "invalid"),
    "more_fields": (acting({**NOW, "seat": 1}), 422, "invalid"),
    "a_list": (acting([1]), 422, "invalid"),
    "no_token": (acting(NOW, {}), 401, "no_token"),
    "foreign_token": (acting(NOW, {"Authorization": "Bearer " + "x" * 32}), 403, "foreign_token"),
    "other_scheme": (acting(NOW, {"Authorization": "Basic YTpi"}), 401, "no_token"),
    "empty_token": (acting(NOW, {"Authorization": "Bearer"}), 401, "no_token"),
    "unknown_table": (acting(NOW, table="nowhere"), 404, "unknown_table"),
    "strange_table": (acting(NOW, table="%00..x"), 404, "unknown_table"),
    "broken_json": (raw(b'{"version": 1, "action"'), 400, "bad_request"),
    "no_json": (raw(b"\xff\xfe\x00"), 400, "bad_request"),
    "deep_json": (raw(b"[" * 50_000), 400, "bad_request"),
    "oversized": (raw(b'{"version": 1, "action": "' + b"a" * 300_000 + b'"}'), 413, "too_large"),
    "a_form": (raw(b"version=1&action=0", "application/x-www-form-urlencoded"), 422, "invalid"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_refused_action_changes_nothing(case: str, server: Running) -> None:
    ask, status, code = CASES[case]
    person = server.open("tic_tac_toe", OPEN)
    before = person.look()
    answer = ask(server, person)
    assert answer.status_code == status, answer.text
    problem = answer.json()["error"]
    assert problem["code"] == code
    assert 0 < len(problem["message"]) < 600
    assert "Traceback" not in answer.text
    assert person.look() == before
    person.acted(0)  # and the table still works


def test_wrong_turn_and_the_end_of_a_game(server: Running) -> None:
    ada = server.open("tic_tac_toe", OPEN)
    grace = server.sit(ada.table, 1)
    before = grace.look()
    assert grace.act(0).json()["error"]["code"] == "wrong_turn"
    assert grace.look() == before
    for i, action in enumerate((0, 3, 1, 4, 2)):
        (ada, grace)[i % 2].acted(action)
    assert ada.look()["over"]["returns"] == [1.0, -1.0]
    for person in (ada, grace):
        answer = person.act(5)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "game_over")
    assert ada.post("/next").json()["error"]["code"] == "series_over"
    assert ada.act(8, version=1).json()["error"]["code"] == "stale_version"


def test_the_token_of_another_table_is_foreign(server: Running) -> None:
    mine, other = server.open("nim", OPEN), server.open("nim", OPEN)
    stranger = Person(server, mine.table, 0, other.token)
    assert stranger.act(0, 1).json()["error"]["code"] == "foreign_token"
    assert stranger.get().status_code == 403
    assert stranger.delete("/seats/0").status_code == 403
    assert stranger.post("/next").status_code == 403


def test_seats_are_claimed_once_and_left_by_their_holders(server: Running) -> None:
    ada = server.open("nim", OPEN)
    grace = server.sit(ada.table, 1, " Grace\n ")
    assert ada.look()["seats"][1]["name"] == "Grace"
    for seat, status in ((0, 409), (1, 409), (2, 404)):
        assert ada.post(f"/seats/{seat}", {"name": "Eve"}).status_code == status
    assert ada.post("/seats/x", {"name": "Eve"}).status_code == 422
    assert ada.post("/seats/1", {"name": "\n"}).status_code == 422
    assert ada.delete("/seats/1").status_code == 403
    assert server.spectator(ada.table).delete("/seats/1").status_code == 401
    assert grace.delete("/seats/1").status_code == 204
    assert grace.get().status_code == 403
    assert ada.look()["seats"][1]["strength"] == "casual"
    ada.acted(0)
    ada.until(lambda seen: seen["turn"] == 0 or seen["over"] is not None)  # the bot plays on


def test_nobody_gets_up_twice(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two requests at once, from two addresses: the first is done while the second still looks for a bot."""
    gates = [threading.Event(), threading.Event()]
    came: list[int] = []

    def slow(game: kb.Game, strength: str) -> str:
        came.append(len(came))
        assert gates[came[-1]].wait(WAIT)
        return spec_of(game, strength)

    monkeypatch.setattr("kiebitz.server.asking.spec_of", slow)
    grace = server.sit(server.open("nim", OPEN).table, 1)
    answers: queue.Queue[int] = queue.Queue()
    for number in range(2):
        asking = Person(server, grace.table, 1, grace.token)
        asking.headers["X-Forwarded-For"] = f"10.0.0.{number}"
        threading.Thread(target=lambda who=asking: answers.put(who.delete("/seats/1").status_code)).start()
        eventually(partial(lambda number: len(came) > number, number))
    gates[0].set()
    assert answers.get(timeout=WAIT) == 204
    version = server.spectator(grace.table).look()["version"]
    gates[1].set()
    assert answers.get(timeout=WAIT) == 403
    assert server.spectator(grace.table).look()["version"] == version


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": {"name": "chess"}}, "bad_game"),
        ({"game": {"name": "tree"}}, "bad_game"),
        ({"game": {"name": "rock_paper_scissors"}}, "bad_game"),
        ({"game": {"name": "../nim"}}, "bad_game"),
        ({"game": {"name": "nim", "preset": "x"}}, "bad_game"),
        ({"game": {"name": "nim", "params": {"file": "/etc/passwd"}}}, "bad_game"),
        ({"game": {"name": "nim", "params": {"heaps": [255] * 40}}}, "bad_game"),
        ({"game": {"name": "nim", "params": {"heaps": "x"}}}, "bad_game"),
        ({"game": {"name": "liars_dice", "params": {"players": 2, "dice": 32}}}, "bad_game"),
        ({"game": {"name": "nim", "params": {"name": "kuhn"}}}, "bad_game"),
        ({"game": {"name": "nim", "params": {"preset": "x"}}}, "bad_game"),
        ({"seats": [BOT]}, "invalid"),
        ({"seats": [BOT, BOT, BOT]}, "invalid"),
        ({"seats": []}, "invalid"),
        ({"seats": [{"kind": "ghost"}, BOT]}, "invalid"),
        ({"seats": [{"kind": "person", "me": True}, {"kind": "person", "me": True}]}, "invalid"),
        ({"seats": [{"kind": "bot", "me": True}, BOT]}, "invalid"),
        ({"seats": [{"kind": "person", "name": "x" * 41, "me": True}, BOT]}, "invalid"),
        ({"seats": [{"kind": "bot", "strength": "god"}, BOT]}, "bad_agent"),
        ({"options": {"games": 0}}, "invalid"),
        ({"options": {"games": 1001}}, "invalid"),
        ({"options": {"pace_ms": -1}}, "invalid"),
        ({"options": {"pace_ms": 10**9}}, "invalid"),
        ({"options": {"language": "fr"}}, "invalid"),
        ({"options": {"seed": 7}}, "invalid"),
        ({"seed": 7}, "invalid"),
    ],
    ids=json.dumps,
)
def test_tables_that_cannot_be_opened(change: dict[str, Any], code: str, server: Running) -> None:
    tables = len(server.hub.lives)
    answer = server.http.post("/api/tables", json={"game": {"name": "nim"}, "seats": [BOT, BOT], **change})
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["code"] == code
    assert not re.search(r"\w\(\)|kiebitz", answer.json()["error"]["message"]), "this is of our insides"
    assert len(server.hub.lives) == tables


def test_records_that_do_not_replay_are_refused(server: Running) -> None:
    good = {"schema": 1, "game": {"name": "nim"}, "actions": [[0, "1:1"]]}
    assert server.http.post("/api/records", json=good).status_code == 201
    bad: list[Any] = [
        {},
        [],
        {**good, "schema": 2},
        {**good, "actions": [[0, "1:2"]]},
        {**good, "actions": [[9999, "x"]]},
        {**good, "returns": [1.0, -1.0]},
        {**good, "game": {"name": "tree", "params": {"file": "/etc/passwd"}}},
        {**good, "game": "nim"},
        {**good, "extra": 1},
        {**good, "game": {"name": "nim", "params": {"heaps": [255] * 16}}, "actions": []},
    ]
    for record in bad:
        answer = server.http.post("/api/records", json=record)
        assert answer.status_code == 422, answer.text
        assert "passwd" not in answer.text
    large = {**good, "seats": ["x" * 210_000]}
    assert server.http.post("/api/records", json=large).status_code == 413
    assert server.http.get("/api/records/nothing").json()["error"]["code"] == "unknown_record"
    assert server.http.get("/api/jobs/nothing").json()["error"]["code"] == "unknown_job"


@pytest.mark.parametrize("method", ["POST", "PUT", "GET", "DELETE"])
def test_what_cannot_be_written_is_refused_and_not_an_accident(method: str, server: Running) -> None:
    """Half a character, which JSON can name but no answer can repeat, wherever a body is read."""
    person = server.open("nim", OPEN)
    half = "\ud800"
    record: dict[str, Any] = {"schema": 1, "game": {"name": "nim"}, "actions": []}
    bodies: list[Any] = [{**record, half: 1}, {**record, "actions": [[0, half]]}, {**record, "start": {half: half}}]
    bodies += [{half: 1}, {"name": half}, {"id": half, "pit": 0}, {"version": 1, "action": half}, half, [half]]
    bodies += [{"game": {"name": "nim", key: value}} for key in ("preset", half) for value in (half, {half: half})]
    bodies += [{"game": {"name": "nim", "params": {key: half}}, "seats": [BOT, BOT]} for key in ("heaps", half)]
    paths = ["/api/tables", "/api/records", "/oware/v1"]
    paths += [f"/api/tables/{person.table}/{rest}" for rest in ("actions", "seats/1", "analysis", "next")]
    for path in paths:
        for body in bodies:
            content = json.dumps(body)
            answer = server.http.request(method, path, content=content, headers={"content-type": "application/json"})
            assert 400 <= answer.status_code < 500 or method == "GET", (path, body, answer.text)
            assert answer.status_code < 500, (path, body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([], "expected an object"),
        ({"version": 1, "action": 0, "a-b": 1}, "a-b: unknown field"),
        ({"action": 0}, "version: expected this field"),
        ({"version": "x", "action": 1.5}, "version: expected a whole number, got 'x'; "),
        ({"version": 1, "action": 1.5}, "action: expected a whole number or text, got 1.5"),
        ({"version": 1, "action": -1}, "action: expected at least 0 or text, got -1"),
        ({"version": 1, "kind": "k" * 41}, "kind: expected at most 40 characters"),
        ({"version": 1}, "expected either an action or a kind, with an amount or without"),
    ],
)
def test_a_malformed_request_is_told_which_field_should_be_what(body: Any, message: str, server: Running) -> None:
    person = server.open("nim", OPEN)
    error = person.post("/actions", body).json()["error"]
    assert (error["code"], error["message"][: len(message)]) == ("invalid", message)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(RequestBody.__subclasses__()), st.data())
def test_no_request_is_answered_in_the_words_of_a_library(kind: type[RequestBody], data: st.DataObject) -> None:
    fields = dict.fromkeys(kind.model_fields, JSON)
    body = data.draw(JSON | st.fixed_dictionaries({}, optional=fields))
    try:
        kind.model_validate(body)
    except ValidationError as error:
        findings = [{**each, "loc": ("body", *each["loc"])} for each in error.errors()]
        message = complaints(findings)
        assert re.search("expected |unknown field", message)
        assert not re.search("not possible here|[Ii]nput|[Vv]alid |instance|Value error", message)


def test_the_page_has_words_for_every_code() -> None:
    """In German nobody has to read the English of the server; docs/server.md tells programs of the same codes."""
    page = (ROOT / "web/src/i18n/errors.ts").read_text().partition("} as const")[0]
    assert set(re.findall(r'"error\.(\w+)":', page)) == STATUS.keys()
    table = (ROOT / "docs/server.md").read_text().partition("| status | codes |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(\w+)`", table)) == STATUS.keys()


def test_addresses_that_lead_nowhere(server: Running) -> None:
    outside = ("/assets/../../app.py", "/..%2fapp.py", "/%2e%2e/app.py", "/\0", "/" + 280 * "a", "/" + 280 * "a/")
    for path in ("/api/nothing", "/api/tables/a/b/c", *outside):
        answer = server.http.get(path.replace("\0", "%00"))
        assert answer.status_code == 404, path
        assert answer.json()["error"]["code"] in ("not_found", "unknown_table")
    assert server.http.put("/api/tables").status_code == 405
    assert server.http.get("/api/tables/x/live").status_code in (404, 405)
    assert server.http.get("/api/agents", params={"game": "chess"}).status_code == 404
