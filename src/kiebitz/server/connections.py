"""How the server listens: the settings of uvicorn, and connections that are closed when they stay silent too long."""

from __future__ import annotations

import asyncio

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

PATIENCE = 15.0
"""Seconds after which an idle connection is closed; a request has up to twice as long to arrive."""
MOST_CONNECTIONS = 2000
MOST_PER_ADDRESS = 500
"""Connections from one address, sockets included, unless a proxy asks for everybody."""
LONGEST_HEAD = 16_384
"""Bytes after which a request whose headers do not end is refused."""
THIS_MACHINE = "127.0.0.1,::1,::ffff:127.0.0.1"


class Connection(HttpToolsProtocol):
    """A connection that is closed if no complete request arrives in time, since their number is limited."""

    _before: object = None
    """What the previous check saw: the request we wait for, or this connection if we owe the answer."""
    _unended = 0
    """Bytes received since the last complete header block or piece of a body."""
    _closing = False
    """Whether the connection was already being closed at the previous check."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the regular checks, or refuses one connection too many from an address."""
        super().connection_made(transport)
        if not self.config.proxy_headers and self._neighbours() > MOST_PER_ADDRESS:
            transport.abort()
        else:
            self.loop.call_later(PATIENCE, self.check)

    def _neighbours(self) -> int:
        """Connections from the same address, this one included."""
        here = self.client and self.client[0]
        return sum((getattr(other, "client", None) or (None,))[0] == here for other in self.connections)

    def data_received(self, data: bytes) -> None:
        """Parses what arrived; refuses headers, or trailers after a body, that do not end."""
        self._unended += len(data)
        super().data_received(data)
        if self._unended > LONGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The headers of the request are too long.")

    def on_headers_complete(self) -> None:
        """Notes that the headers are complete."""
        self._unended = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Notes that a piece of the body is complete; `limits` counts those."""
        self._unended = 0
        super().on_body(body)

    def check(self) -> None:
        """Closes the connection if nothing has arrived since the last check, and cuts it off if the client does not
        take what is still to be sent; WebSockets, which look after their silence themselves, only the latter."""
        if self.transport.is_closing():
            if self._closing:
                self.transport.abort()
                return
            self._closing = True
        elif self in self.connections:  # it is no WebSocket
            waits = self.cycle is None or self.cycle.response_complete or self.cycle.more_body
            last = self.cycle if waits else self
            if waits and last is self._before:
                self.transport.close()
            self._before = last
        self.loop.call_later(PATIENCE, self.check)


def network(app: FastAPI, behind_proxy: bool = False) -> uvicorn.Config:
    """The configuration of uvicorn for an app. With ``behind_proxy`` a proxy on this machine may name the address that
    a request came from; nobody else may, because limits are per address."""
    return uvicorn.Config(
        app,
        http=Connection,
        log_level="warning",
        access_log=False,
        ws_max_size=app.state.hub.settings.message_bytes,
        ws_ping_interval=None,
        ws_per_message_deflate=False,
        server_header=False,
        proxy_headers=behind_proxy,
        forwarded_allow_ips=THIS_MACHINE,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=3,
    )
