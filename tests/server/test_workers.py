"""Each kind of work has threads of its own: what takes minutes holds up nobody who waits for a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.records import Record, record_of
from kiebitz.server.hub import Hub
from kiebitz.server.storage import TableStore
from kiebitz.server.table import Options, Seat
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
