"""Load on the table in the browser: many tables at once, one stored action per table and second, on a real server.

    python bench/table_load.py --tables 100 --seconds 20

Starts `kiebitz serve` on a store of its own, opens the tables and looks at each over a socket as a browser does. Bots
act a second after the action before (`pace_ms`), and the person at each table after half a second to one and a half, so
that each table stores about one action a second. Guests arrive over the first five seconds, which are not measured.
Prints how long a human action takes from the request to the answer, which comes after the action is stored, and the CPU
time of the server during the measured seconds for each public change.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

import kiebitz as kb

ARRIVAL = 5.0
"""Seconds in which the guests arrive."""
SOURCE = str(Path(kb.__file__).parents[1])


def percentile(values: list[float], share: float) -> float:
    """The value below which this share lies.

    >>> percentile([1.0, 2.0, 3.0, 4.0], 0.5)
    2.0
    """
    ordered = sorted(values)
    return ordered[max(0, min(len(ordered) - 1, round(share * len(ordered)) - 1))]


class Guest:
    """A person at a table of its own, with bots at the other seats."""

    def __init__(self, http: httpx.AsyncClient, made: dict[str, Any], random: Random) -> None:
        self.http = http
        self.random = random
        self.table: str = made["table"]
        self.token: str = made["token"]
        self.headers = {"Authorization": f"Bearer {self.token}", "Prefer": "return=minimal"}  # as the page does
        self.seen: dict[str, Any] = {}
        self.since, self.pause = 0.0, 1.0

    async def watch(self, socket: ClientConnection) -> None:
        await socket.send(json.dumps({"type": "hello", "token": self.token}))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "snapshot":
                self.seen, self.since = message["snapshot"], time.monotonic()
                self.pause = self.random.uniform(0.5, 1.5)
            elif message["type"] == "ping":
                await socket.send(json.dumps({"type": "pong"}))

    async def act(self) -> float | None:
        """One action, if one is possible; how long it took."""
        seen = self.seen
        if not seen or time.monotonic() < self.since + self.pause:
            return None
        if seen["over"] is not None:
            await self.http.post(f"/api/tables/{self.table}/next", headers=self.headers)
            return None
        legal = seen["views"]["0"]["legal"]
        if not legal:
            return None
        action = legal[-1 if seen["phase"] == "call" else 0]["action"]
        begun = time.perf_counter()
        body = {"version": seen["version"], "action": action}
        answer = await self.http.post(f"/api/tables/{self.table}/actions", json=body, headers=self.headers)
        took = time.perf_counter() - begun
        if answer.status_code == 409:  # the table was faster
            return None
        if answer.status_code == 204:
            return took
        if answer.status_code != 200:
            raise RuntimeError(f"{answer.status_code}: {answer.text[:200]}")
        if answer.json()["version"] >= self.seen["version"]:
            self.seen = answer.json()
        return took


def cpu_seconds(pid: int) -> float:
    """CPU time that a process has used so far, its threads included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def load(address: str, pid: int, options: argparse.Namespace) -> dict[str, Any]:
    """Plays at all tables for a while; ``pid`` is the process of the server."""
    tables, seconds, game, strength = options.tables, options.seconds, options.game, options.strength
    players = kb.game(game).info.players
    seats = [{"kind": "person", "name": "Guest", "me": True}, *[{"kind": "bot", "strength": strength}] * (players - 1)]
    body = {"game": {"name": game}, "seats": seats, "options": {"pace_ms": 1000, "games": None}}
    took: list[float] = []
    limits = httpx.Limits(max_connections=tables, max_keepalive_connections=tables)
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=30, limits=limits) as http:
        start = time.monotonic() + ARRIVAL
        end = start + seconds

        async def server_cpu() -> float:
            await asyncio.sleep(start - time.monotonic())
            before = cpu_seconds(pid)
            await asyncio.sleep(end - time.monotonic())
            return cpu_seconds(pid) - before

        async def play(number: int) -> int:
            await asyncio.sleep(ARRIVAL * number / tables)
            answer = await http.post("/api/tables", json=body)
            answer.raise_for_status()
            guest, before = Guest(http, answer.json(), Random(number)), 0
            async with connect(f"ws://{address}/api/tables/{guest.table}/live", max_size=None) as socket:
                watching = asyncio.create_task(guest.watch(socket))
                while time.monotonic() < end:
                    once = await guest.act()
                    if time.monotonic() < start:
                        before = guest.seen.get("version", 0)
                    elif once is not None:
                        took.append(once)
                    await asyncio.sleep(0.1)
                watching.cancel()
            return int(guest.seen["version"]) - before

        cpu, *changes = await asyncio.gather(server_cpu(), *map(play, range(tables)))
        shown = sum(changes)
    return {
        "game": game,
        "tables": tables,
        "seconds": seconds,
        "human_actions": len(took),
        "public_changes_per_second": round(shown / seconds, 1),
        **{f"p{share}_ms": round(1000 * percentile(took, share / 100), 1) for share in (50, 95, 99)},
        "most_ms": round(1000 * max(took), 1),
        "server_cpu_seconds": round(cpu, 1),
        "cpu_ms_per_change": round(1000 * cpu / shown, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--game", default="doppelkopf")
    parser.add_argument("--strength", default="casual")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "kiebitz", "serve", "--no-open", "--port", "0", "--db", f"{folder}/t.db"]
        env = {**os.environ, "PYTHONPATH": SOURCE}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as server:
            try:
                assert server.stdout is not None
                address = server.stdout.readline().split("//")[1].split("/")[0]
                _wait(address)
                figures = asyncio.run(load(address, server.pid, options))
            finally:
                server.terminate()
                server.wait(30)
        print(json.dumps({**figures, "load_average": [round(value, 1) for value in os.getloadavg()]}, indent=2))


def _wait(address: str) -> None:
    for _ in range(200):
        try:
            httpx.get(f"http://{address}/api/health").raise_for_status()
            return
        except httpx.TransportError:
            time.sleep(0.05)
    raise RuntimeError("the server does not answer")


if __name__ == "__main__":
    main()
