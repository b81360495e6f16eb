"""WebSockets: who may look, what may be said, and that no message breaks anything."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.types import Message
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed

import kiebitz as kb
from kiebitz.server import Settings
from kiebitz.server.events import Options, Seat
from kiebitz.server.hub import Hub
from kiebitz.server.live import Live
from kiebitz.server.sockets import MISSED, Sockets, Viewer
from kiebitz.store.database import StoreError
from tests.server.running import BOT, OPEN, QUICK, WAIT, Running, Socket

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
    table = server.open("kuhn", BOT, open=True).table
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


def test_a_player_who_gets_up_becomes_a_spectator(server: Running) -> None:
    """Over a socket that was opened before as well: no card of the seat comes any more, in no later game."""
    ada = server.open("leduc", OPEN, games=None)
    grace = server.sit(ada.table, 1)
    with ada.socket() as socket:
        assert socket.until(grace.look()["version"])["role"] == "seat"
        before = len(socket.came)
        assert ada.delete("/seats/0").status_code == 204
        grace.play_on()
        socket.until(grace.post("/next").json()["version"])
        came = [json.loads(text)["snapshot"] for text in socket.came[before:]]
    assert {(seen["role"], seen["you"]) for seen in came} == {("public", None)}
    assert all(seen["views"] == {} for seen in came if seen["over"] is None)


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
        ({"type": "hello", "token": "\ud800"}, "foreign_token"),
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
    ids=range(12),
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


class Guest:
    """A client without a network or a clock: says hello, takes a number of messages and answers a number of pings."""

    def __init__(self, hello: bool = True, takes: int = 1000, pongs: int = 0) -> None:
        self.came: list[str] = []
        self.takes = takes
        self.pongs = pongs
        self._says: asyncio.Queue[Message] = asyncio.Queue()
        self._says.put_nowait({"type": "websocket.connect"})
        if hello:
            self._say({"type": "hello", "token": None})

    def _say(self, message: Any) -> None:
        self._says.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def send(self, message: Message) -> None:
        if message["type"] != "websocket.send":
            return
        kind = json.loads(message["text"])["type"]
        self.came.append(kind)
        if len(self.came) > self.takes:
            await asyncio.Event().wait()
        if kind == "ping" and self.pongs:
            self.pongs -= 1
            self._say({"type": "pong"})

    def visit(self, settings: Settings) -> list[str]:
        """The kinds of messages sent before the server disconnected; afterwards it keeps nothing for the guest."""
        asyncio.run(self._visit(settings))
        return self.came

    async def _visit(self, settings: Settings) -> None:
        hub = Hub(settings)
        live = await hub.create(kb.game("nim"), Options(), [Seat("open", ""), Seat("open", "")], None)
        sockets = Sockets(hub)
        socket = WebSocket({"type": "websocket", "client": ("here", 1)}, self._says.get, self.send)
        await socket.receive()
        async with asyncio.timeout(WAIT):
            await sockets.serve(socket, live.table.id)
        assert not live.watchers
        assert not sockets._by_address
        await hub.close()


@pytest.fixture
def impatient(tmp_path: Path) -> Settings:
    return replace(QUICK, db=tmp_path / "t.db", ping_seconds=0.01)


def test_a_hello_comes_in_time(impatient: Settings) -> None:
    assert Guest(hello=False).visit(replace(impatient, hello_seconds=0.01)) == ["error"]


@pytest.mark.parametrize("pongs", [0, 8])
def test_pings_are_answered(pongs: int, impatient: Settings) -> None:
    assert Guest(pongs=pongs).visit(impatient) == ["snapshot", *["ping"] * (pongs + MISSED), "error"]


@pytest.mark.parametrize("takes", [0, 1, 1 + MISSED], ids=["snapshot", "ping", "last words"])
def test_slow_readers_are_disconnected(takes: int, impatient: Settings) -> None:
    """A client that stays connected and reads nothing."""
    assert len(Guest(takes=takes).visit(impatient)) == takes + 1


def test_only_the_newest_message_is_kept_for_a_slow_reader() -> None:
    async def visit() -> list[str]:
        viewer = Viewer(None, None)
        for number in range(1000):
            viewer.show(str(number))
        first = await viewer.next()
        viewer.show("newer")
        return [first, await viewer.next()]

    assert asyncio.run(visit()) == ["999", "newer"]


def test_a_ping_does_not_take_the_place_of_a_message() -> None:
    async def visit() -> str:
        viewer = Viewer(None, None)
        viewer.show("snapshot")
        viewer.ping()
        return await viewer.next()

    assert asyncio.run(visit()) == "snapshot"


def test_spectators_share_one_text(tmp_path: Path) -> None:
    async def visit() -> None:
        hub = Hub(replace(QUICK, db=tmp_path / "t.db"))
        live = await hub.create(kb.game("nim"), Options(), [Seat("open", ""), Seat("open", "")], None)
        viewers = [Viewer(None, None) for _ in range(5)]
        for viewer in viewers:
            live.join(viewer)
        assert len({id(await viewer.next()) for viewer in viewers}) == 1
        await hub.close()

    asyncio.run(visit())


def test_pongs_without_end_are_too_much(server: Running) -> None:
    person = server.open("nim", OPEN)
    with person.socket() as socket:
        socket.receive()
        with suppress(ConnectionClosed):
            for _ in range(100):
                socket.send({"type": "pong"})
        assert rest(socket) == ["error"]


TEXTS = st.text(st.characters(), max_size=20)
"""Halves of characters included, which JSON can name."""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
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
