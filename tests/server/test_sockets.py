"""WebSockets: who may look, what may be said, and that no message breaks anything."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from kiebitz.arena.store import StoreError
from kiebitz.server.live import Live
from tests.server.running import BOT, OPEN, QUICK, Running, Socket, running

POLICY = 1008


def rest(socket: Socket) -> list[str]:
    """The kinds of messages that come until the server ends the connection."""
    kinds = []
    try:
        while True:
            kinds.append(socket.receive()["type"])
    except ConnectionClosed:
        return kinds


def test_a_seat_a_spectator_and_somebody_who_sees_all(server: Running) -> None:
    person = server.open("kuhn", OPEN)
    with person.socket() as mine, server.spectator(person.table).socket() as theirs:
        assert list(mine.receive()["snapshot"]["views"]) == ["0"]
        public = theirs.receive()["snapshot"]
        assert (public["role"], public["you"], public["views"]) == ("public", None, {})
    table = server.open("kuhn", OPEN, open=True).table
    with server.spectator(table).socket() as all_seeing:
        snapshot = all_seeing.receive()["snapshot"]
        assert snapshot["role"] == "all"
        assert sorted(snapshot["views"]) == ["0", "1"]


def test_who_is_connected_is_shown_to_all(server: Running) -> None:
    ada = server.open("nim", OPEN)
    grace = server.sit(ada.table, 1)
    with ada.socket() as mine:
        assert [seat["connected"] for seat in mine.receive()["snapshot"]["seats"]] == [True, False]
        with grace.socket() as theirs:
            theirs.receive()
            assert [seat["connected"] for seat in mine.receive()["snapshot"]["seats"]] == [True, True]
        assert [seat["connected"] for seat in mine.receive()["snapshot"]["seats"]] == [True, False]


def test_a_store_that_fails_is_said_so(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(id: str) -> Live:
        raise StoreError(f"{id}: the disk is gone")

    monkeypatch.setattr(server.hub, "live", fails)
    with Socket(server, "somewhere", None) as socket:
        error = socket.receive()["error"]
        assert error["code"] == "store"
        assert "disk" not in error["message"]
        assert rest(socket) == []


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"type": "hello", "token": "x" * 32}, "foreign_token"),
        ({"type": "hello", "token": 7}, "bad_request"),
        ({"type": "hello", "token": None, "more": 1}, "bad_request"),
        ({"type": "pong"}, "bad_request"),
        ({}, "bad_request"),
        ([], "bad_request"),
        ("{", "bad_request"),
        ("", "bad_request"),
        ("[" * 4000, "bad_request"),
        (b"\x00\x01", "bad_request"),
        ('"' + "x" * 4090 + '"', "bad_request"),
    ],
    ids=range(11),
)
def test_a_wrong_hello_ends_the_connection(first: Any, code: str, server: Running) -> None:
    person = server.open("nim", OPEN)
    before = person.look()
    with Socket(server, person.table, None, hello=False) as socket:
        socket.send(first)
        assert socket.receive()["error"]["code"] == code
        with pytest.raises(ConnectionClosed) as closed:
            socket.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == POLICY
    assert person.look() == before


def test_an_unknown_table_and_an_oversized_message(server: Running) -> None:
    with Socket(server, "nowhere", None) as socket:
        assert socket.receive()["error"]["code"] == "unknown_table"
    person = server.open("nim", OPEN)
    with person.socket() as socket:
        socket.receive()
        socket.send("x" * 5000)
        assert set(rest(socket)) <= {"error"}
    person.acted(0)


def test_actions_do_not_go_by_socket(server: Running) -> None:
    person = server.open("nim", OPEN)
    with person.socket() as socket:
        socket.receive()
        socket.send({"type": "action", "action": 0, "version": 1})
        assert "POST" in socket.receive()["error"]["message"]
    assert person.look()["history"] == []


def test_a_hello_comes_in_time_and_pings_are_answered(tmp_path: Path) -> None:
    with running(tmp_path / "t.db", replace(QUICK, hello_seconds=0.2, ping_seconds=0.1)) as server:
        person = server.open("nim", OPEN)
        with Socket(server, person.table, None, hello=False) as silent:
            assert silent.receive()["type"] == "error"
        with person.socket() as lively, person.socket() as lazy:
            lively.receive()
            for _ in range(8):
                assert lively.receive() == {"type": "ping"}
                lively.send({"type": "pong"})
            assert rest(lazy) == ["snapshot", "ping", "ping", "ping", "error"]


def test_pongs_without_end_are_too_much(server: Running) -> None:
    person = server.open("nim", OPEN)
    with person.socket() as socket:
        socket.receive()
        with suppress(ConnectionClosed):
            for _ in range(100):
                socket.send({"type": "pong"})
        assert rest(socket) == ["error"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
MESSAGES = st.one_of(
    st.text(max_size=200),
    st.binary(max_size=200),
    JSON.map(json.dumps),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["hello", "pong", "snapshot", "ping", ""])}, optional={"token": JSON}
    ).map(json.dumps),
)


def test_no_message_breaks_the_server(server: Running) -> None:
    """Whatever is sent, at first or after a hello: the table goes on, and an error and an end come back."""
    person = server.open("nim", BOT, games=None)

    @settings(max_examples=60)
    @given(messages=st.lists(MESSAGES, min_size=1, max_size=3), hello=st.booleans())
    def fuzz(messages: list[str | bytes], hello: bool) -> None:
        with Socket(server, person.table, person.token, hello=hello) as socket:
            with suppress(ConnectionClosed):
                for message in messages:
                    socket.raw.send(message)
                socket.raw.send("end")
            assert set(rest(socket)) <= {"snapshot", "error", "ping"}
            assert socket.raw.close_code in (POLICY, 1007, 1009)

    fuzz()
    person.play_on()
