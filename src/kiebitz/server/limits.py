"""The middleware in front of every route: it checks host, origin, rate and size of a request, and adds the security
headers to every answer.
"""

from __future__ import annotations

import ipaddress
import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException

from kiebitz.server.errors import TableError, refusal
from kiebitz.server.settings import Settings
from kiebitz.server.tokens import bearer, digest

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

CHANGING = ("POST", "PUT", "PATCH", "DELETE")
HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_ENCODED = [(key.encode(), value.encode()) for key, value in HEADERS.items()]
MOST_BUCKETS = 10_000
PROOF = "kiebitz.proof"
"""Key in the scope of a request for the proof of its token, which is hashed only here; None for a malformed header."""


class Buckets:
    """Token buckets: each key may send ``burst`` requests at once, and ``rate`` per second after that.

    >>> clock = iter([0.0, 0.0, 0.0, 1.0])
    >>> buckets = Buckets(rate=1.0, burst=2, clock=lambda: next(clock))
    >>> [buckets.take("a") for _ in range(4)]
    [True, True, False, True]
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, cost: float = 1.0) -> bool:
        """Takes tokens from the key's bucket; False if there are too few. What costs more than a full bucket takes all
        of it."""
        now = self.clock()
        left, before = self._left.pop(key, (float(self.burst), now))
        left = min(float(self.burst), left + (now - before) * self.rate)
        cost = min(cost, float(self.burst))
        good = left >= cost
        self._left[key] = (left - cost if good else left, now)
        while len(self._left) > MOST_BUCKETS:
            self._left.popitem(last=False)
        return good


class Gate:
    """The ASGI middleware that lets requests in or refuses them."""

    def __init__(self, app: App, settings: Settings, services: Sequence[str] = ()) -> None:
        self.app = app
        self.settings = settings
        self._opening = ("/api/tables", "/api/records", *services)
        """Paths where a POST opens a table or stores a record; ``services`` are those of single games."""
        self.requests = Buckets(settings.rate, settings.burst)
        self.openings = Buckets(settings.table_rate, settings.table_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        try:
            self._check(scope)
        except TableError as error:
            await _refuse(scope, receive, send, error)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        await self.app(scope, _Body(receive, self._most(scope)).receive, _with_headers(send))

    def _check(self, scope: Scope) -> None:
        headers = _headers(scope)
        host = headers.get("host", "")
        if not _known_host(host, self.settings.hosts):
            raise TableError("wrong_host", "this server does not answer under that name")
        changing = scope["type"] == "websocket" or scope.get("method") in CHANGING
        if changing and not _same_origin(headers, host):
            raise TableError("foreign_origin", "requests from other sites are not accepted")
        address = (scope.get("client") or ("?", 0))[0]
        keys = [address]
        if "authorization" in headers:
            token = bearer(headers["authorization"])
            scope[PROOF] = None if token is None else digest(token)
            keys += [scope[PROOF]] if token is not None else []
        if not all(self.requests.take(key) for key in keys):
            raise TableError("too_many", "too many requests; wait a moment")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 15:
            raise TableError("bad_request", "expected a number in Content-Length")
        if int(length) > self._most(scope):
            raise _too_large(self._most(scope))
        path = scope["path"].rstrip("/")
        if self._costly(scope.get("method"), path):
            # Without a length, as much as could come.
            sent = self._most(scope) if "transfer-encoding" in headers else int(length)
            if not self.openings.take(address, 1 + sent // self.settings.upload_bytes):
                raise TableError("too_many", "too many tables, records and replays at once; wait a moment")

    def _costly(self, method: str | None, path: str) -> bool:
        """Whether a request opens or stores something, or makes the server compute a whole game."""
        if method == "POST":
            return path in self._opening or path.endswith(("/share", "/review"))
        return method == "GET" and path.startswith("/api/records/")

    def _most(self, scope: Scope) -> int:
        return self.settings.record_bytes if scope["path"].rstrip("/") == "/api/records" else self.settings.body_bytes


class _Body:
    """Counts the bytes of a body as they arrive: Content-Length may be missing or wrong."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._most, self._read = receive, most, 0

    async def receive(self) -> Message:
        message = await self._receive()
        self._read += len(message.get("body", b""))
        if self._read > self._most:
            raise HTTPException(413, _too_large(self._most).message)
        return message


def _too_large(most: int) -> TableError:
    return TableError("too_large", f"expected at most {most:,} bytes")


def _headers(scope: Scope) -> dict[str, str]:
    return {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}


def _name(host: str) -> str:
    """A host without its port."""
    return (
        host[: host.index("]") + 1].lower() if host.startswith("[") and "]" in host else host.partition(":")[0].lower()
    )


@lru_cache(maxsize=100)
def _known_host(host: str, hosts: tuple[str, ...]) -> bool:
    """Whether the Host header is acceptable. Names must be listed, because anybody can point a name at this server (DNS
    rebinding); IP addresses cannot be faked like that."""
    name = _name(host)
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return "*" in hosts or name in hosts
    return True


def _same_origin(headers: dict[str, str], host: str) -> bool:
    """Whether a request comes from our own page or from a program; browsers name the origin of a page."""
    if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            there = {key.lower() for key, _ in message["headers"]}
            added = [header for header in _ENCODED if header[0] not in there]
            message = {**message, "headers": [*message["headers"], *added]}
        await send(message)

    return with_headers


async def _refuse(scope: Scope, receive: Receive, send: Send, error: TableError) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": error.message[:100]})
        return
    body = json.dumps(refusal(error.code, error.message)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if error.status == 429:
        headers.append((b"retry-after", b"1"))
    if error.status == 413:
        headers.append((b"connection", b"close"))
    send = _with_headers(send)
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
