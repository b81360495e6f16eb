"""The server and the network: who counts as the other end of a connection, and how long one may stay silent."""

from __future__ import annotations

import asyncio

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 15.0
"""Seconds after which a connection that is not asking for anything is closed; a request has twice as long to arrive."""
MOST_CONNECTIONS = 2000
LONGEST_HEAD = 16_384
"""Bytes of a request before its body."""
THIS_MACHINE = "127.0.0.1,::1,::ffff:127.0.0.1"


class Connection(H11Protocol):
    """A connection that is closed if no request comes, or never a whole one: there is not room for many."""

    _before: object = None
    """What was there at the last look: the last request while more is to come, the connection while it is answered."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins to look."""
        super().connection_made(transport)
        self.loop.call_later(PATIENCE, self.look)

    def look(self) -> None:
        """Closes the connection if nothing has come since the last look."""
        if self.transport.is_closing() or self not in self.connections:  # or it is a WebSocket now
            return
        waits = self.cycle is None or self.cycle.response_complete or self.cycle.more_body
        last = self.cycle if waits else self
        if waits and last is self._before:
            self.transport.close()
            return
        self._before = last
        self.loop.call_later(PATIENCE, self.look)


def network(app: FastAPI, behind_proxy: bool = False) -> uvicorn.Config:
    """How an app is served. With ``behind_proxy`` a program on this machine says for whom it asks; nobody else may,
    because limits are by address."""
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
        h11_max_incomplete_event_size=LONGEST_HEAD,
    )
