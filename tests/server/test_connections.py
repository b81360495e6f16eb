"""Connections without a network: a client that asks for nothing, reads nothing or never ends its headers is let go."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from kiebitz.server.connections import LONGEST_HEAD, MOST_PER_ADDRESS, Connection
from tests.server.running import WAIT

pytestmark = pytest.mark.requirement("DK-80")


class Line(asyncio.Transport):
    """The other end of a connection, without a network."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        super().__init__({"peername": (address, 1), "sockname": ("127.0.0.1", 2)})
        self.sent = b""
        self.closed = self.aborted = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += bytes(data)

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.aborted = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


def test_a_connection_that_asks_for_nothing_is_closed() -> None:
    """Nothing, half a head, half a body, half of a second request; but not while an answer is being made."""
    finish: asyncio.Event
    answered: asyncio.Event

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        await finish.wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        answered.set()

    def connection() -> tuple[Connection, Line]:
        config = uvicorn.Config(app, http=Connection, lifespan="off", log_config=None)
        config.load()
        made, line = Connection(config, ServerState(), {}), Line()
        made.connection_made(line)
        return made, line

    async def visit() -> None:
        nonlocal finish, answered
        finish, answered = asyncio.Event(), asyncio.Event()
        made, line = connection()
        made.check()
        assert line.closed
        made, line = connection()
        made.data_received(b"GET / HTTP/1.1\r\nHost: a")
        made.check()
        assert line.closed
        made, line = connection()
        made.data_received(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na")
        made.check()
        assert not line.closed
        made.check()
        assert line.closed
        made.connection_lost(None)
        made, line = connection()
        made.data_received(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        for _ in range(3):
            made.check()
        assert not line.closed
        finish.set()
        await answered.wait()
        made.data_received(b"GET / HTTP")
        made.check()
        assert not line.closed
        made.check()
        assert line.closed
        assert line.sent.startswith(b"HTTP/1.1 204")

    async def in_time() -> None:
        async with asyncio.timeout(WAIT):
            await visit()

    asyncio.run(in_time())


@pytest.mark.parametrize("proxy", [False, True])
def test_one_address_cannot_take_all_connections(proxy: bool) -> None:
    async def visit() -> None:
        config = uvicorn.Config(lambda *_: None, http=Connection, proxy_headers=proxy, lifespan="off", log_config=None)
        config.load()
        state = ServerState()

        def refused(address: str) -> bool:
            made, line = Connection(config, state, {}), Line(address)
            made.connection_made(line)
            if line.aborted:
                made.connection_lost(None)
            return line.aborted

        assert [refused("10.0.0.1") for _ in range(MOST_PER_ADDRESS)] == [False] * MOST_PER_ADDRESS
        assert refused("10.0.0.1") is not proxy
        assert not refused("10.0.0.2")

    asyncio.run(visit())


@pytest.mark.parametrize("upgraded", [False, True], ids=["HTTP", "WebSocket"])
def test_a_client_that_does_not_take_the_rest_is_cut_off(upgraded: bool) -> None:
    async def visit() -> None:
        config = uvicorn.Config(lambda *_: None, http=Connection, lifespan="off", log_config=None)
        config.load()
        made, line = Connection(config, ServerState(), {}), Line()
        made.connection_made(line)
        if upgraded:
            made.connections.discard(made)
            for _ in range(5):
                made.check()
            assert not line.closed
        line.close()
        made.check()
        assert not line.aborted
        made.check()
        assert line.aborted

    asyncio.run(visit())


@pytest.mark.parametrize(
    "start",
    [b"", b"Content-Length: 2\r\n\r\n{}POST / HTTP/1.1\r\n", b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"],
    ids=["headers", "headers of a second request", "trailers"],
)
def test_headers_that_do_not_end_are_refused(start: bytes) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.Event().wait()

    async def visit() -> bytes:
        config = uvicorn.Config(app, http=Connection, lifespan="off", log_config=None)
        config.load()
        made, line = Connection(config, ServerState(), {}), Line()
        made.connection_made(line)
        made.data_received(b"POST / HTTP/1.1\r\nHost: a\r\n" + start)
        for _ in range(LONGEST_HEAD // 1000):
            made.data_received(b"X: " + 995 * b"x" + b"\r\n")
        assert not line.closed
        made.data_received(1000 * b"x")
        assert line.closed
        return line.sent

    assert asyncio.run(visit()).startswith(b"HTTP/1.1 400")
