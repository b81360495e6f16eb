"""The thread in which the server uses its store, so that tables never wait for a disk or a database."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import groupby
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from kiebitz.server.storage import TableStore
from kiebitz.store.database import StoreError

logger = logging.getLogger("kiebitz.server")
T = TypeVar("T")
MOST_TOGETHER = 100
"""Pieces of work that are taken from the queue at once; what they write is one transaction."""


@dataclass(slots=True, eq=False)
class _Task:
    work: Callable[[TableStore], Any]
    writes: bool
    done: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None


class StoreThread:
    """One thread with a queue, which does everything in the order in which it was asked for.

    An executor would do, but costs about as much as writing an event. This thread answers a whole batch with a single
    message to the event loop.
    """

    def __init__(self, open: Callable[[], TableStore]) -> None:
        self._queue: SimpleQueue[_Task | None] = SimpleQueue()
        self._closed = False
        opened: Future[None] = Future()
        self._thread = Thread(target=self._run, args=(open, opened), name="store", daemon=True)
        self._thread.start()
        opened.result()

    def read(self, work: Callable[[TableStore], T]) -> asyncio.Future[T]:
        """Runs some work in the thread of the store; its result comes later."""
        return self._ask(work, writes=False)

    def write(self, work: Callable[[TableStore], None]) -> asyncio.Future[None]:
        """Writes something, in one transaction with what others write at the same time."""
        return self._ask(work, writes=True)

    def _ask(self, work: Callable[[TableStore], T], *, writes: bool) -> asyncio.Future[T]:
        if self._closed:
            raise StoreError("the store is closed")
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(_Task(work, writes, done))
        return done

    async def close(self) -> None:
        """Does what was asked for before, then closes the store and ends the thread."""
        self._closed = True
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self, open: Callable[[], TableStore], opened: Future[None]) -> None:
        try:
            store = open()
        except BaseException as error:
            opened.set_exception(error)
            return
        opened.set_result(None)
        batch: list[_Task | None] = []
        while None not in batch:
            batch = [self._queue.get()]
            while len(batch) < MOST_TOGETHER and not self._queue.empty():
                batch.append(self._queue.get())
            self._work(store, [task for task in batch if task is not None])
        store.close()

    def _work(self, store: TableStore, batch: list[_Task]) -> None:
        for writes, tasks in groupby(batch, key=lambda task: task.writes):
            (_write if writes else _read)(store, list(tasks))
        if batch:
            try:
                batch[0].done.get_loop().call_soon_threadsafe(_tell, batch)
            except RuntimeError:  # the loop is closed, so nobody is waiting
                logger.debug("the store answered too late")


def _write(store: TableStore, tasks: list[_Task]) -> None:
    errors: list[Exception | None]
    try:
        errors = store.together([task.work for task in tasks])
    except BaseException as error:
        logger.exception("the store does not answer")
        errors = [StoreError(f"the store does not answer: {error!r:.200}") for _ in tasks]
    for task, failed in zip(tasks, errors, strict=True):
        task.error = failed and _raisable(failed)


def _read(store: TableStore, tasks: list[_Task]) -> None:
    for task in tasks:
        try:
            task.result = task.work(store)
        except BaseException as error:
            task.error = _raisable(error)


def _raisable(error: BaseException) -> Exception:
    """An error that a future takes, and that ends neither the thread of the store nor the event loop."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    return StoreError(f"the store does not answer: {error!r:.200}")


def _tell(batch: list[_Task]) -> None:
    for task in batch:
        if task.done.done():  # cancelled
            continue
        if task.error is None:
            task.done.set_result(task.result)
        else:
            task.done.set_exception(task.error)
