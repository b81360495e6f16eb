"""A server in a thread of the tests, and people who talk to it over HTTP and WebSocket as browsers do."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from kiebitz.server import Settings, create_app
from kiebitz.server.hub import Hub

QUICK = Settings(
    call_seconds=0.0,
    think_seconds=0.05,
    hold_seconds=0.0,
    rate=1e6,
    burst=10**6,
    table_rate=1e6,
    table_burst=10**6,
)
"""Nobody waits for show, and tests may ask as often as they like."""
WAIT = 60.0
"""Seconds after which something that should have happened long ago counts as missing."""


def eventually(condition: Callable[[], bool]) -> None:
    """Waits until something is true."""
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


class Running:
    """A server that listens on a free port."""

    def __init__(self, db: str | Path, settings: Settings = QUICK, seed: int = 1) -> None:
        settings = replace(settings, db=db)
        self.hub = Hub(settings, Random(seed).getrandbits)  # the same cards and bots in every run
        self.app = create_app(settings, self.hub)
        config = uvicorn.Config(
            self.app,
            port=0,
            log_level="error",
            ws_max_size=settings.message_bytes,
            lifespan="on",
            timeout_keep_alive=600,  # a slow test must not meet a connection that is just being closed
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        eventually(lambda: self._server.started or not self._thread.is_alive())
        assert self._server.started, "the server did not start"
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.netloc = f"127.0.0.1:{port}"
        self.http = httpx.Client(base_url=f"http://{self.netloc}", timeout=WAIT)

    def stop(self) -> None:
        self.http.close()
        self._server.should_exit = True
        self._thread.join(WAIT)
        assert not self._thread.is_alive(), "the server did not end"

    # --- Shortcuts ----------------------------------------------------------------------------------------------------

    def open(self, game: str, *others: dict[str, Any], me: bool = True, **options: Any) -> Person:
        """A table with the caller at seat 0 (or nowhere), and the caller."""
        seats = [{"kind": "person", "name": "Ada", "me": True}] if me else []
        body = {"game": {"name": game}, "seats": [*seats, *others], "options": {"pace_ms": 0, **options}}
        answer = self.http.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        return Person(self, made["table"], made["seat"], made["token"] or made["owner"])

    def sit(self, table: str, seat: int, name: str = "Grace") -> Person:
        answer = self.http.post(f"/api/tables/{table}/seats/{seat}", json={"name": name})
        assert answer.status_code == 201, answer.text
        return Person(self, table, seat, answer.json()["token"])

    def spectator(self, table: str) -> Person:
        return Person(self, table, None, None)


BOT = {"kind": "bot", "strength": "beginner"}
OPEN = {"kind": "open"}


class Person:
    """Somebody with a token, or none."""

    def __init__(self, server: Running, table: str, seat: int | None, token: str | None) -> None:
        self.server = server
        self.table = table
        self.seat = seat
        self.token = token
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str = "", **params: Any) -> httpx.Response:
        return self.server.http.get(f"/api/tables/{self.table}{path}", headers=self.headers, params=params)

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self.server.http.post(f"/api/tables/{self.table}{path}", headers=self.headers, json=body)

    def delete(self, path: str) -> httpx.Response:
        return self.server.http.delete(f"/api/tables/{self.table}{path}", headers=self.headers)

    def look(self) -> dict[str, Any]:
        answer = self.get()
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def stop_bots(self) -> None:
        """Makes the bots at this table wait from now on."""
        table = self.server.hub.lives[self.table].table
        table.control.pace_ms = 600_000

    def act(self, action: int | str, version: int | None = None) -> httpx.Response:
        version = self.look()["version"] if version is None else version
        return self.post("/actions", {"version": version, "action": action})

    def acted(self, action: int | str, version: int | None = None) -> dict[str, Any]:
        answer = self.act(action, version)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def until(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Looks until something has happened."""
        end = time.monotonic() + WAIT
        while True:
            seen = self.look()
            if condition(seen):
                return seen
            assert time.monotonic() < end, seen
            time.sleep(0.01)

    def want_kibitz(self) -> dict[str, Any]:
        """Asks for the kibitz panel, which is on once all persons have."""
        answer = self.post("/kibitz", {"wanted": True})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def socket(self) -> Socket:
        return Socket(self.server, self.table, self.token)

    def play_on(self, choose: Callable[[dict[str, Any]], int | None] | None = None) -> dict[str, Any]:
        """Plays with the first legal action, passing in call rounds, until the game is over."""
        while True:
            seen = self.until(lambda s: s["over"] is not None or bool(s["views"][str(self.seat)]["legal"]))
            if seen["over"] is not None:
                return seen
            legal = seen["views"][str(self.seat)]["legal"]
            chosen = choose(seen) if choose else None
            usual = legal[-1] if seen["phase"] == "call" else legal[0]
            self.act(usual["action"] if chosen is None else chosen, seen["version"])


class Socket:
    """A live connection; keeps everything that came."""

    def __init__(self, server: Running, table: str, token: str | None, hello: bool = True) -> None:
        self._open = ExitStack()
        address = f"ws://{server.netloc}/api/tables/{table}/live"
        self.raw: ClientConnection = self._open.enter_context(connect(address, max_size=2**22))
        self.came: list[str] = []
        if hello:
            self.send({"type": "hello", "token": token})

    def send(self, message: Any) -> None:
        self.raw.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def receive(self, timeout: float = WAIT) -> dict[str, Any]:
        text = self.raw.recv(timeout)
        assert isinstance(text, str)
        self.came.append(text)
        message: dict[str, Any] = json.loads(text)
        return message

    def until(self, version: int) -> dict[str, Any]:
        """Reads up to the snapshot of a version."""
        while True:
            message = self.receive()
            assert message["type"] == "snapshot", message
            snapshot: dict[str, Any] = message["snapshot"]
            assert snapshot["version"] <= version, (snapshot["version"], version)
            if snapshot["version"] == version:
                return snapshot

    def close(self) -> None:
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def whose(people: list[Person]) -> tuple[Person, dict[str, Any]] | None:
    """A person who can do something, and what they see; None once the game is over."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        for person in people:
            seen = person.look()
            if seen["over"] is not None:
                return None
            if seen["views"][str(person.seat)]["legal"]:
                return person, seen
        time.sleep(0.005)
    raise AssertionError("nobody can do anything")


def usual(person: Person, seen: dict[str, Any]) -> int:
    """The first legal action, but no call."""
    legal = seen["views"][str(person.seat)]["legal"]
    return int(legal[-1 if seen["phase"] == "call" else 0]["action"])


@contextmanager
def running(db: str | Path, settings: Settings = QUICK, seed: int = 1) -> Iterator[Running]:
    """A server for the time of a block."""
    server = Running(db, settings, seed)
    try:
        yield server
    finally:
        server.stop()
