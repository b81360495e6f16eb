"""Attacks from outside on whole programs: a server and a tournament in processes of their own."""

from __future__ import annotations

import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import kiebitz as kb
from kiebitz.arena import Store, match

COMMAND = [sys.executable, "-m", "kiebitz"]
WAIT = 60.0
PERSON = {"kind": "person", "name": "Ada", "me": True}
LIMITED = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Runs a program whose files cannot grow beyond a size."""
PAIRS = 4
"""Pairs of people who play at the same time."""
GROWTH = 300
"""Megabytes that an attack may cost the server."""


class Server:
    """``kiebitz serve`` on a port of its own, with people from several addresses of the loopback interface."""

    def __init__(self, folder: Path) -> None:
        self._log = (folder / "log").open("ab")
        command = [*COMMAND, "serve", "--no-open", "--port", "0", "--db", str(folder / "tables.db")]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._log, text=True)
        assert self.process.stdout is not None
        host, port = self.process.stdout.readline().split("//")[1].split("/")[0].split(":")
        self.address = (host, int(port))
        with self.client() as http:  # it tells its address a moment before it listens
            http.get("/api/health").raise_for_status()

    def client(self, number: int = 1, retries: int = 8) -> httpx.Client:
        """A client with an address of its own."""
        transport = httpx.HTTPTransport(local_address=f"127.0.0.{number}", retries=retries)
        return httpx.Client(transport=transport, base_url=f"http://{self.address[0]}:{self.address[1]}", timeout=WAIT)

    def megabytes(self) -> float:
        """Memory in use."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ends the process."""
        self.process.send_signal(how)
        self.process.wait(WAIT)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._log.close()


@contextmanager
def serving() -> Iterator[Server]:
    """A server with a store of its own."""
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name))
        try:
            yield server
            assert server.process.poll() is None, "the server ended"
        finally:
            server.end()
            log = Path(name, "log").read_text()
        assert "Traceback" not in log, log[-4000:]


def answer(http: httpx.Client, method: str, path: str, **request: Any) -> httpx.Response:
    """The answer to a request; sent again later where the server asks one address to wait."""
    while (got := http.request(method, path, **request)).status_code == httpx.codes.TOO_MANY_REQUESTS:
        time.sleep(1)
    return got


def open_table(http: httpx.Client, *seats: dict[str, Any], game: str = "oware") -> tuple[str, dict[str, str]]:
    """A new table: its path and the headers of its owner."""
    body = {"game": {"name": game}, "seats": [PERSON, *seats]}
    made = answer(http, "POST", "/api/tables", json=body).raise_for_status().json()
    return f"/api/tables/{made['table']}", {"Authorization": f"Bearer {made['token']}"}


def act(
    http: httpx.Client, table: str, headers: dict[str, str], rng: random.Random, seat: int = 0
) -> dict[str, Any] | None:
    """One action of a person, the owner if not told otherwise; None if the game is over or somebody else is to move."""
    seen = answer(http, "GET", table, headers=headers).raise_for_status().json()
    legal = seen["views"].get(str(seat), {}).get("legal") or []
    if not legal:
        return None
    body = {"version": seen["version"], "action": rng.choice(legal)["action"]}
    done = answer(http, "POST", f"{table}/actions", json=body, headers=headers)
    return done.raise_for_status().json() if done.status_code != 409 else None


def silent_readers(seconds: float, rng: random.Random, tried: Counter[str]) -> None:
    """Spectators who never read: others play on, and the server stays small."""
    bot = {"kind": "bot", "spec": "random"}
    with serving() as server, server.client() as http:
        table, headers = open_table(http, bot)
        act(http, table, headers, rng)
        before = server.megabytes()
        silent = []
        url = f"ws://{server.address[0]}:{server.address[1]}{table}/live"
        for number in range(200):
            raw = socket.create_connection(server.address, source_address=(f"127.0.1.{number % 250 + 1}", 0))
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            try:
                silent.append(connect(url, sock=raw, max_queue=1, open_timeout=WAIT, ping_interval=None))
                silent[-1].send('{"type": "hello", "token": null}')
            except (InvalidStatus, OSError):  # refused: that is an answer, too
                raw.close()
        assert silent, "nobody may watch"
        tried["silent readers"] = len(silent)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if act(http, table, headers, rng) is None:
                table, headers = open_table(http, bot)
            tried["actions meanwhile"] += 1
        assert server.megabytes() - before < GROWTH, f"{before:.0f} MB before, {server.megabytes():.0f} MB after"
        for each in silent:
            each.socket.close()


def idle_connections(seconds: float, rng: random.Random, tried: Counter[str]) -> None:
    """Thousands of connections from one address that say nothing: people from other addresses are served."""
    end = time.monotonic() + seconds
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with serving() as server:
        idle: list[socket.socket] = []
        for _ in range(min(2100, most - 100)):
            try:
                idle.append(socket.create_connection(server.address, timeout=1, source_address=("127.0.0.2", 0)))
            except OSError:
                break
        assert idle, "nobody may connect"
        tried["idle connections"] = len(idle)
        while True:
            with server.client(3) as http:
                table, headers = open_table(http, {"kind": "bot", "spec": "random"})
                act(http, table, headers, rng)
            tried["tables opened meanwhile"] += 1
            if time.monotonic() > end:
                break
        for each in idle:
            each.close()


class Played(NamedTuple):
    """What the server has acknowledged at a table."""

    table: str
    headers: dict[str, str]
    version: int
    actions: int


def play_on(server: Server, number: int, rng: random.Random) -> list[Played]:
    """Games of two people at an address of their own until the server is gone."""
    played: list[Played] = []
    with server.client(number, retries=0) as http, suppress(httpx.TransportError):
        while True:
            table, headers = open_table(http, {"kind": "open"})
            token = answer(http, "POST", f"{table}/seats/1", json={"name": "Grace"}).raise_for_status().json()["token"]
            people = [headers, {"Authorization": f"Bearer {token}"}]
            played.append(Played(table, headers, 0, 0))
            while True:
                acted = act(http, table, people[0], rng) or act(http, table, people[1], rng, seat=1)
                if acted is None:
                    break
                played[-1] = Played(table, headers, acted["version"], played[-1].actions + 1)
    return played


def killed_server(seconds: float, rng: random.Random, tried: Counter[str]) -> None:
    """kill -9 while people act: every acknowledged action is there afterwards."""
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(PAIRS) as pairs:
        last: list[Played] = []
        played: list[Played] = []
        while True:
            over = time.monotonic() > end
            server = Server(Path(name))
            try:
                with server.client() as http:
                    for known in played if over else last:
                        seen = answer(http, "GET", known.table, headers=known.headers).raise_for_status().json()
                        assert seen["version"] >= known.version, f"{known.table} lost actions"
                if over:
                    break
                playing = [
                    pairs.submit(play_on, server, number, random.Random(rng.random())) for number in range(2, PAIRS + 2)
                ]
                time.sleep(rng.uniform(0.1, 2.0))
            finally:
                server.end(signal.SIGKILL)
            tried["kills"] += 1
            last = [each for pair in playing for each in pair.result()]
            played += last
            tried["acknowledged actions"] += sum(each.actions for each in last)


def killed_tournament(seconds: float, rng: random.Random, tried: Counter[str]) -> None:
    """kill -9 of a match and its workers: in the end each game is there once, as if nothing had happened."""
    end = time.monotonic() + seconds
    agents, games = ["uct(iterations=200)", "random"], 200
    with tempfile.TemporaryDirectory() as name:
        db = Path(name, "games.db")
        command = [*COMMAND, "match", "oware", *agents, "--seed", "4", "--workers", "2", "--db", str(db), "--json"]
        while True:
            over = time.monotonic() > end
            child = subprocess.Popen(
                [*command, "-n", str(games)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
            )
            try:
                _, errors = child.communicate(timeout=None if over else rng.uniform(0.2, 3.0))
                assert child.returncode == 0, errors.decode()
                games += 200
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.communicate()
                tried["kills"] += 1
                continue
            if over:
                break
        with Store.open(db) as store:
            (run,) = store.runs()
            rows = list(store.rows(run.id))
        assert [row.number for row in rows] == list(range(len(rows))), "games are missing or doubled"
        expected = match(kb.game("oware"), agents, games=60, seed=4).rows
        assert [row.actions for row in rows[:60]] == [row.actions for row in expected]
        tried["games, each once"] = len(rows)


def full_disk(seconds: float, rng: random.Random, tried: Counter[str]) -> None:
    """Files that cannot grow: the reason in one line, what was stored before is kept, and it goes on with more room."""
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name:
        db = Path(name, "games.db")
        games = 0
        while True:
            games += 300
            room = rng.randrange(200_000)  # for the journal as well: a large database does not make it roomier
            command = [*COMMAND, "match", "nim", "random", "random", "-n", str(games), "--db", str(db), "--json"]
            before = _stored(db)
            done = subprocess.run(
                [sys.executable, "-c", LIMITED, str(room), *command], check=False, capture_output=True, text=True
            )
            assert "Traceback" not in done.stderr, done.stderr[-2000:]
            assert _stored(db) >= before, "stored games are gone"
            tried["matches with little room"] += 1
            if done.returncode:
                assert "disk is full" in done.stderr, done.stderr[-2000:]
                tried["ended with a message"] += 1
            subprocess.run(command, check=True, capture_output=True, timeout=WAIT)
            assert _stored(db) == games
            if time.monotonic() > end:
                break


def _stored(db: Path) -> int:
    if not db.exists() or not db.stat().st_size:
        return 0
    with Store.open(db) as store:
        return sum(run.done for run in store.runs())
