"""Live tables over WebSocket: the server sends snapshots, the client only says who it is and answers pings."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect

from kiebitz.server.errors import TableError, refusal
from kiebitz.server.hub import Hub
from kiebitz.server.limits import Buckets
from kiebitz.server.live import Live
from kiebitz.server.tokens import digest
from kiebitz.store.database import StoreError

logger = logging.getLogger("kiebitz.server")
MISSED = 3
"""Pings that may stay unanswered. A client that accepts no message for this many intervals is disconnected, too."""
POLICY = 1008
PING = json.dumps({"type": "ping"})


class Viewer:
    """A client at the other end of a socket."""

    def __init__(self, seat: int | None, proof: str | None) -> None:
        self.seat = seat
        self.proof = proof
        self._message = ""
        self._waits = asyncio.Event()
        self.pings = 0
        """Pings without an answer."""
        self.sending = False
        """Whether a message is on its way, which a slow reader holds up."""
        self.since = asyncio.get_running_loop().time()
        """When the last message was sent, or began to be."""

    def show(self, message: str) -> None:
        """Sends a message soon, instead of one that still waits: for a slow client only the newest is kept."""
        self._message = message
        self._waits.set()

    def ping(self) -> None:
        """Asks whether the client is still there, unless a message is about to be sent."""
        self.noted(sending=True)
        if not self._waits.is_set():
            self.pings += 1
            self.show(PING)

    async def next(self) -> str:
        """The next message, once there is one."""
        await self._waits.wait()
        self._waits.clear()
        return self._message

    def noted(self, sending: bool) -> None:
        """Notes that a message begins to be sent, or is sent."""
        self.sending, self.since = sending, asyncio.get_running_loop().time()

    def silent(self) -> float:
        """Seconds since the last message was sent, or since the current one began to be sent."""
        return asyncio.get_running_loop().time() - self.since


class Sockets:
    """All open sockets, with their number limited."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.settings = hub.settings
        self._by_address: dict[str, int] = {}

    async def serve(self, socket: WebSocket, id: str) -> None:
        """Shows a table to one client until it disconnects."""
        address = socket.client.host if socket.client else "?"
        full = sum(self._by_address.values()) >= self.settings.sockets
        if full or self._by_address.get(address, 0) >= self.settings.sockets_per_address:
            await socket.close(POLICY, "too many connections")
            return
        self._by_address[address] = self._by_address.get(address, 0) + 1
        try:
            await socket.accept()
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                await self._talk(socket, id)
        finally:
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

    async def _talk(self, socket: WebSocket, id: str) -> None:
        try:
            async with asyncio.timeout(self.settings.hello_seconds):
                hello = await self._read(socket)
            if hello.get("type") != "hello" or hello.keys() - {"type", "token"}:
                raise TableError("bad_request", 'expected {"type": "hello", "token": ...} first')
            token = hello.get("token")
            if token is not None and not isinstance(token, str):
                raise TableError("bad_request", "token: expected text or null")
            live = await self.hub.live(id)
            await live.catch_up()
            proof = None if token is None else digest(token)
            viewer = Viewer(None if proof is None else live.table.seat_of(proof), proof)
            await self._show(socket, live, viewer)
        except TimeoutError:
            await self._end(socket, TableError("bad_request", "expected a hello sooner"))
        except TableError as error:
            await self._end(socket, error)
        except StoreError as error:
            logger.error("%s", error)
            await self._end(socket, TableError("store", "the table could not be read; try again"))

    async def _show(self, socket: WebSocket, live: Live, viewer: Viewer) -> None:
        live.join(viewer)
        sender = asyncio.create_task(self._send(socket, viewer))
        listener = asyncio.create_task(self._listen(socket, viewer))
        try:
            while not sender.done() and not listener.done() and (wait := self._patience(viewer)) > 0:
                await asyncio.wait({sender, listener}, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
        finally:
            live.leave(viewer)
            for task in (sender, listener):
                task.cancel()
            results = await asyncio.gather(sender, listener, return_exceptions=True)
        for result in results:
            if isinstance(result, TableError):
                raise result

    def _patience(self, viewer: Viewer) -> float:
        """Seconds until the next check of a client; zero or less if it no longer takes what it is sent. A client
        that was sent nothing for a while is pinged. Occasional checks cost less than a timeout for each message."""
        if not viewer.sending and viewer.silent() >= self.settings.ping_seconds:
            if viewer.pings >= MISSED:
                raise TableError("bad_request", "expected an answer to pings")
            viewer.ping()
        return self.settings.ping_seconds * (MISSED if viewer.sending else 1) - viewer.silent()

    async def _send(self, socket: WebSocket, viewer: Viewer) -> None:
        while True:
            message = await viewer.next()
            viewer.noted(sending=True)
            await socket.send_text(message)
            viewer.noted(sending=False)

    async def _end(self, socket: WebSocket, error: TableError) -> None:
        """Tells a client what it did wrong, and closes the socket."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            async with asyncio.timeout(MISSED * self.settings.ping_seconds):
                await socket.send_json({"type": "error", **refusal(error.code, error.message)})
                await socket.close(POLICY, error.code)

    async def _listen(self, socket: WebSocket, viewer: Viewer) -> None:
        often = Buckets(rate=1.0, burst=20)
        while True:
            message = await self._read(socket)
            if message != {"type": "pong"}:
                raise TableError("bad_request", 'expected nothing but {"type": "pong"}; actions go by POST')
            if not often.take(""):
                raise TableError("too_many", "too many messages")
            viewer.pings = 0

    async def _read(self, socket: WebSocket) -> dict[str, Any]:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text = message.get("text")
        if text is None:
            raise TableError("bad_request", "expected text")
        if len(text.encode("utf-8", "surrogatepass")) > self.settings.message_bytes:
            raise TableError("too_large", f"expected at most {self.settings.message_bytes:,} bytes")
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise TableError("bad_request", "expected JSON") from None
        if not isinstance(data, dict):
            raise TableError("bad_request", "expected a JSON object")
        return data
