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
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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

    def client(self, number: int = 1) -> httpx.Client:
        """A client with an address of its own."""
        transport = httpx.HTTPTransport(local_address=f"127.0.0.{number}", retries=8)
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


def open_table(http: httpx.Client, *seats: dict[str, Any], game: str = "oware") -> tuple[str, dict[str, str]]:
    """A new table: its path and the headers of its owner."""
    made = http.post("/api/tables", json={"game": {"name": game}, "seats": [PERSON, *seats]}).raise_for_status().json()
    return f"/api/tables/{made['table']}", {"Authorization": f"Bearer {made['token']}"}


def act(http: httpx.Client, table: str, headers: dict[str, str], rng: random.Random) -> dict[str, Any] | None:
    """One action of the owner; None if the game is over or somebody else is to move."""
    seen = http.get(table, headers=headers).raise_for_status().json()
    legal = seen["views"].get("0", {}).get("legal") or []
    if not legal:
        return None
    body = {"version": seen["version"], "action": rng.choice(legal)["action"]}
    answer = http.post(f"{table}/actions", json=body, headers=headers)
    return answer.raise_for_status().json() if answer.status_code != 409 else None


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
                silent.append(connect(url, sock=raw, max_queue=1, open_timeout=WAIT))
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


def killed_server(seconds: float, rng: random.Random, tried: Counter[str]) -> None:
    """kill -9 in the middle of games: every acknowledged action is there afterwards."""
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name:
        known: dict[str, tuple[dict[str, str], int]] = {}
        while True:
            server = Server(Path(name))
            try:
                with server.client() as http:
                    for table, (headers, version) in known.items():
                        seen = http.get(table, headers=headers).raise_for_status().json()
                        assert seen["version"] >= version, f"{table} lost actions"
                    table, headers = open_table(http, {"kind": "bot", "spec": "random"})
                    for _ in range(rng.randrange(1, 30)):
                        answer = act(http, table, headers, rng)
                        if answer is not None:
                            known[table] = headers, answer["version"]
                            tried["acknowledged actions"] += 1
                        else:
                            time.sleep(0.1)  # the bot thinks
            finally:
                server.end(signal.SIGKILL)
            tried["kills"] += 1
            if time.monotonic() > end:
                break


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
            room = (db.stat().st_size if db.exists() else 0) + rng.randrange(200_000)
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
