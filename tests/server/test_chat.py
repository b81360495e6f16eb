"""The chat of a table: for the persons there, read by all who look, limited, and kept nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kiebitz.server.chat import BURST, KEPT, LONGEST
from kiebitz.server.limits import Buckets
from tests.server.running import OPEN, Person, Running, running
from tests.server.test_control import RANDOM, refusal, resign


def say(person: Person, text: Any = "hello") -> Any:
    return person.post("/chat", {"text": text})


def lines(person: Person) -> list[str]:
    return [f"{line['name']}: {line['text']}" for line in person.look()["chat"]["lines"]]


def two(server: Running, **options: Any) -> tuple[Person, Person]:
    ada = server.open("kuhn", OPEN, **options)
    return ada, server.sit(ada.table, 1)


def test_persons_write_and_everybody_at_the_table_reads(server: Running) -> None:
    ada, grace = two(server)
    other, _ = two(server)
    watcher = server.spectator(ada.table)
    with watcher.socket() as socket, server.spectator(other.table).socket() as elsewhere:
        version = socket.receive()["snapshot"]["version"]
        elsewhere.receive()
        say(ada, "<b>hi</b> & bye")
        say(grace, "hello")
        seen = socket.receive()["snapshot"]
        assert (seen["version"], seen["chat"]["lines"][0]["text"]) == (version, "<b>hi</b> & bye")
        for person in (ada, grace, watcher):
            assert lines(person) == ["Ada: <b>hi</b> & bye", "Grace: hello"]
        assert lines(other) == []
        say(other, "somewhere else")
        (line,) = elsewhere.receive()["snapshot"]["chat"]["lines"]
        assert line == {"number": 1, "name": "Ada", "text": "somewhere else"}


def test_nobody_else_writes(server: Running) -> None:
    ada, grace = two(server)
    stranger, _ = two(server)
    assert refusal(say(server.spectator(ada.table))) == "no_token"
    stranger.table = ada.table
    assert refusal(say(stranger)) == "foreign_token"
    assert grace.delete("/seats/1").status_code == 204
    assert refusal(say(grace)) == "foreign_token"
    assert refusal(say(ada)) == "no_chat"  # a bot is nobody to talk to
    alone = server.open("kuhn", RANDOM)
    assert refusal(say(alone)) == "no_chat"
    quiet, _ = two(server, chat=False)
    assert quiet.look()["chat"] is None
    assert refusal(say(quiet)) == "no_chat"


def test_lines_are_short_plain_and_readable(server: Running) -> None:
    ada, _ = two(server)
    for bad in ("", " \n\t", "\u202e\u200b", "x" * (LONGEST + 1), 7, None, ["a"]):
        assert say(ada, bad).status_code == 422, bad
    headers = {**ada.headers, "Content-Type": "application/json"}
    half = server.http.post(f"/api/tables/{ada.table}/chat", content=b'{"text": "\\ud800"}', headers=headers)
    assert half.status_code == 422
    say(ada, "one\ntwo\u202e\x00 three")
    assert lines(ada) == ["Ada: onetwo three"]


def test_nobody_floods_a_table(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    ada, grace = two(server)
    chat = server.hub.lives[ada.table].chat
    monkeypatch.setattr(chat, "_often", Buckets(0.5, BURST, lambda: now[0]))
    answers = [say(ada, f"line {i}").status_code for i in range(BURST + 3)]
    assert answers == [200] * BURST + [429] * 3
    assert say(grace).status_code == 200  # others are not kept from answering
    for i in range(2 * KEPT):
        now[0] += 2
        assert say(ada, f"more {i}").status_code == 200
    assert len(lines(ada)) == KEPT


def test_nothing_of_it_is_kept(tmp_path: Path) -> None:
    with running(tmp_path / "t.db") as server:
        ada = server.open("connect_four", OPEN)
        grace = server.sit(ada.table, 1)
        say(ada, "unforgettable")
        resign(grace)
        assert "unforgettable" not in ada.get("/games/1/record").text
        assert lines(grace) == ["Ada: unforgettable"]
    assert not any(b"unforgettable" in each.read_bytes() for each in tmp_path.iterdir())
    with running(tmp_path / "t.db") as server:
        assert lines(Person(server, ada.table, 0, ada.token)) == []
