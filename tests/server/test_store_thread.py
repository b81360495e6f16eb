"""The thread of the store: order, errors, a database that is locked, and its end."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

import kiebitz as kb
from kiebitz.server.events import Options, Seat
from kiebitz.server.hub import Hub
from kiebitz.server.storage import TableStore
from kiebitz.server.store_thread import StoreThread
from kiebitz.store.database import StoreError
from kiebitz.store.store import Store
from tests.server.running import OPEN, QUICK, WAIT, running

LOCKED = 0.2
"""Seconds that a writer waits for another."""


def use(path: Path, visit: Callable[[StoreThread], Awaitable[None]]) -> None:
    """Opens a store, uses and closes it, and fails if that takes too long."""

    async def whole() -> None:
        async with asyncio.timeout(WAIT):
            thread = StoreThread(lambda: TableStore(Store.open(path, wait=LOCKED)))
            await visit(thread)
            await thread.close()
            with pytest.raises(StoreError, match="closed"):
                thread.read(lambda _: None)

    asyncio.run(whole())


def busy(thread: StoreThread) -> threading.Event:
    """Keeps the thread at work until the event is set: what is asked for meanwhile is one batch."""
    event = threading.Event()
    thread.read(lambda _: event.wait(WAIT))
    return event


def test_work_is_done_in_order(tmp_path: Path) -> None:
    async def visit(thread: StoreThread) -> None:
        go = busy(thread)
        read = thread.read(lambda store: store.shared("a"))
        written = thread.write(lambda store: store.share("a", {"n": 1}))
        again = thread.read(lambda store: store.shared("a"))
        go.set()
        await written
        assert (await read, await again) == (None, {"n": 1})

    use(tmp_path / "t.db", visit)


def test_a_failed_write_harms_only_itself(tmp_path: Path) -> None:
    async def visit(thread: StoreThread) -> None:
        go = busy(thread)
        names = ["a", "b", "a", "c"]  # the second "a" is refused by the database
        written = [thread.write(lambda store, name=name: store.share(name, {})) for name in names]  # type: ignore[misc]
        go.set()
        failed = await asyncio.gather(*written, return_exceptions=True)
        assert [type(each) for each in failed] == [type(None), type(None), StoreError, type(None)]
        assert await thread.read(lambda store: store.shared("c")) == {}

    use(tmp_path / "t.db", visit)


def test_a_locked_database_is_waited_for_once(tmp_path: Path) -> None:
    tried: list[bool] = []

    async def visit(thread: StoreThread) -> None:
        begin = TableStore._transaction

        def counted(self: TableStore) -> object:
            tried.append(True)
            return begin(self)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(TableStore, "_transaction", counted)
            other = sqlite3.connect(tmp_path / "t.db", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            go = busy(thread)
            written = [thread.write(lambda store: store.share("a", {})) for _ in range(10)]
            go.set()
            failed = await asyncio.gather(*written, return_exceptions=True)
            other.close()
        assert {type(each) for each in failed} == {StoreError}
        assert len({id(each) for each in failed}) == 10
        assert len(tried) == 1
        await thread.write(lambda store: store.share("a", {}))

    use(tmp_path / "t.db", visit)


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, StopIteration, MemoryError, ValueError])
@pytest.mark.parametrize("kind", ["read", "write"])
def test_no_error_ends_the_thread(error: type[BaseException], kind: str, tmp_path: Path) -> None:
    def fail(store: TableStore) -> None:
        raise error("no")

    async def visit(thread: StoreThread) -> None:
        go = busy(thread)
        failing = thread.read(fail) if kind == "read" else thread.write(fail)
        after = thread.read(lambda _: 3)
        go.set()
        with pytest.raises(Exception, match="no"):
            await failing
        assert await after == 3

    use(tmp_path / "t.db", visit)


def test_what_was_asked_for_before_the_end_is_done(tmp_path: Path) -> None:
    """Also if somebody asks again as soon as the first answer is there, while the store closes."""
    second: list[object] = []

    async def twice(thread: StoreThread) -> None:
        await thread.read(lambda _: time.sleep(0.05))
        try:
            second.append(await thread.read(lambda _: "done"))
        except StoreError as error:
            second.append(error)

    async def visit(thread: StoreThread) -> None:
        asking = [asyncio.create_task(twice(thread)) for _ in range(3)]
        await asyncio.sleep(0)
        await thread.close()
        await asyncio.gather(*asking)

    async def whole() -> None:
        async with asyncio.timeout(WAIT):
            await visit(StoreThread(lambda: TableStore(Store.open(tmp_path / "t.db"))))

    asyncio.run(whole())
    assert len(second) == 3


def test_no_table_comes_to_life_in_a_closed_hub(tmp_path: Path) -> None:
    async def visit() -> None:
        hub = Hub(replace(QUICK, db=tmp_path / "t.db"))
        seats = [Seat("open", ""), Seat("open", "")]
        ids = [(await hub.create(kb.game("nim"), Options(), seats, None)).table.id for _ in range(5)]
        await hub.close()
        hub = Hub(replace(QUICK, db=tmp_path / "t.db"))
        loading = [asyncio.create_task(hub.live(id)) for id in ids]
        await asyncio.sleep(0)
        await hub.close()
        await asyncio.gather(*loading, return_exceptions=True)
        assert not hub.lives

    asyncio.run(visit())


@pytest.mark.parametrize("how", ["removed", "replaced", "truncated"])
def test_nothing_is_acknowledged_once_the_file_is_gone(how: str, tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with running(path) as server:
        ada = server.open("nim", OPEN)
        ada.acted(0)
        grace = server.sit(ada.table, 1)
        if how == "truncated":
            os.truncate(path, 512)
        else:
            path.rename(tmp_path / "elsewhere.db")
        if how == "replaced":
            path.write_bytes(b"")
        refused = grace.act(1)
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "store")
        if how == "removed":
            (tmp_path / "elsewhere.db").rename(path)
            assert len(grace.acted(1)["history"]) == 2
