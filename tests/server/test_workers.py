"""Each kind of work has threads of its own: what takes minutes holds up nobody who waits for a moment."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.records import Record, record_of
from kiebitz.server import record_routes
from kiebitz.server.errors import TableError
from kiebitz.server.events import Options, Seat
from kiebitz.server.hub import Hub
from kiebitz.server.storage import TableStore
from kiebitz.server.workers import Workers
from kiebitz.store.database import StoreError
from tests.server.running import BOT, OPEN, QUICK, WAIT, Running, eventually, running


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews that go on until they are stopped."""

    def review(record: Record, effort: str, stop: kb.StopToken, progress: Callable[[float], None]) -> dict[str, Any]:
        del record, effort, progress
        eventually(lambda: stop.requested)
        return {}

    monkeypatch.setattr("kiebitz.server.record_routes.review", review)


def uploaded(server: Running) -> str:
    state = kb.game("nim", heaps=[1]).new()
    state.apply(state.legal()[0])
    answer = server.http.post("/api/records", json=record_of(state).to_json())
    assert answer.status_code == 201, answer.text
    return str(answer.json()["record"])


@pytest.mark.usefixtures("endless")
def test_reviews_hold_up_nothing_else(tmp_path: Path) -> None:
    """More of them than there are threads, and everything else is answered meanwhile."""
    with running(tmp_path / "t.db", replace(QUICK, jobs_per_address=10, analyses=2)) as server:
        record = uploaded(server)
        begun = [server.http.post(f"/api/records/{record}/review", json={}).json()["job"] for _ in range(5)]
        person = server.open("nim", OPEN)
        assert person.post("/analysis", {"effort": "quick"}).status_code == 200
        assert server.http.get(f"/api/records/{uploaded(server)}").status_code == 200
        assert person.delete("/seats/0").status_code == 204
        server.open("nim", BOT).play_on()
        states = {server.http.get(f"/api/jobs/{job}").json()["state"] for job in begun}
        assert states == {"running", "waiting"}
        for job in begun:
            server.http.delete(f"/api/jobs/{job}")


@pytest.mark.usefixtures("endless")
def test_reviews_of_one_address_are_limited_and_stopped_ones_do_not_count(tmp_path: Path) -> None:
    with running(tmp_path / "t.db", replace(QUICK, jobs_per_address=3, analyses=1)) as server:
        path = f"/api/records/{uploaded(server)}/review"
        jobs = [server.http.post(path, json={}).json()["job"] for _ in range(3)]
        refused = server.http.post(path, json={})
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_many")
        server.http.delete(f"/api/jobs/{jobs[2]}")  # it waits: there is room at once
        assert server.http.post(path, json={}).status_code == 202
        server.http.delete(f"/api/jobs/{jobs[0]}")  # it runs: as soon as it ends
        eventually(lambda: server.http.post(path, json={}).status_code == 202)


def test_free_threads_go_to_the_address_that_has_used_the_least() -> None:
    """Whoever asked first, and however often; an address that comes back does not bring its past along."""

    async def order() -> list[str]:
        workers, gate = Workers(1, 20, "test"), threading.Event()
        done: list[str] = []
        first = workers.run(gate.wait, "a")
        asked = [workers.run(partial(done.append, name), name[0]) for name in ("a1", "a2", "a3", "b1", "c1")]
        gate.set()
        await asyncio.gather(first, *asked)
        workers.close()
        return done

    assert asyncio.run(order())[:2] == ["b1", "c1"]


def test_an_address_never_holds_all_threads_nor_fills_the_queue() -> None:
    async def held() -> None:
        workers, gate = Workers(3, 100, "test", most=5), threading.Event()
        asked = [workers.run(gate.wait, "a") for _ in range(5)]
        with pytest.raises(TableError, match="for you"):
            workers.run(gate.wait, "a")
        async with asyncio.timeout(WAIT):
            assert await workers.run(lambda: "b", "b") == "b"
            for each in asked[1:]:
                each.cancel()  # those in the queue leave it
            gate.set()
            assert await asked[0]
            assert await workers.run(lambda: "a", "a") == "a"
        workers.close()

    asyncio.run(held())


@pytest.mark.usefixtures("endless")
def test_what_one_address_asks_for_holds_up_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyses, reviews and replays: one address asks for more than there are threads, and another is answered."""
    free, here = threading.Event(), {"X-Forwarded-For": "10.0.0.1"}
    begun: list[str] = []
    replayed = record_routes._replayed

    def slow_replay(record: Record, table: dict[str, Any] | None) -> Any:
        own = threading.current_thread().name
        if not begun or own in begun:  # the thread that the first address has got
            begun.append(own)
            free.wait(WAIT)
        return replayed(record, table)

    def slow_analysis(view: kb.View, effort: str, stop: kb.StopToken) -> dict[str, Any]:
        del view
        eventually(lambda: effort == "quick" or free.is_set() or stop.requested)
        return {"value": 0.0}

    monkeypatch.setattr(record_routes, "_replayed", slow_replay)
    monkeypatch.setattr("kiebitz.server.analysis_routes.kibitz", slow_analysis)
    settings = replace(QUICK, jobs_per_address=10, analyses=2)
    with running(tmp_path / "t.db", settings) as server, ThreadPoolExecutor(20) as asking:
        record = uploaded(server)
        tables = [server.open("nim", OPEN, open=True) for _ in range(4)]
        for table in tables[1:]:
            path = f"/api/tables/{table.table}/analysis"
            asking.submit(server.http.post, path, json={"effort": "deep"}, headers=here)
            asking.submit(server.http.get, f"/api/records/{record}", headers=here)
        eventually(lambda: server.hub.analyses.waiting == len(tables) - 1)
        eventually(lambda: bool(begun))
        jobs = [server.http.post(f"/api/records/{record}/review", json={}, headers=here).json()["job"] for _ in "abc"]
        assert tables[0].post("/analysis", {"effort": "quick"}).status_code == 200
        assert server.http.get(f"/api/records/{record}").status_code == 200
        own = server.http.post(f"/api/records/{record}/review", json={}).json()["job"]
        eventually(lambda: server.http.get(f"/api/jobs/{own}").json()["state"] == "running")
        free.set()
        for job in (*jobs, own):
            server.http.delete(f"/api/jobs/{job}")


def test_everybody_waiting_learns_that_the_store_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: TableStore, works: object) -> list[Exception | None]:
        raise MemoryError("no room")

    async def write() -> None:
        hub = Hub(replace(QUICK, db=tmp_path / "t.db"))
        monkeypatch.setattr(TableStore, "together", broken)
        seats = [Seat("open", ""), Seat("open", "")]
        async with asyncio.timeout(WAIT):
            opened = [hub.create(kb.game("nim"), Options(), seats, None) for _ in range(3)]
            failed = await asyncio.gather(*opened, return_exceptions=True)
        assert [type(each) for each in failed] == [StoreError] * 3
        await hub.close()
        with pytest.raises(StoreError, match="closed"):
            await hub.save(lambda store: None)

    asyncio.run(write())
