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
    """One thread with a queue. Everything is done in the order in which it was asked for.

    An executor would do, but costs about as much as writing an event: this one thread answers a whole batch with a
    single message to the event loop.
    """

    def __init__(self, open: Callable[[], TableStore]) -> None:
        self._queue: SimpleQueue[_Task | None] = SimpleQueue()
        self._closed = False
        opened: Future[TableStore] = Future()
        self._thread = Thread(target=self._run, args=(open, opened), name="store", daemon=True)
        self._thread.start()
        self._store = opened.result()

    def read(self, work: Callable[[TableStore], T]) -> asyncio.Future[T]:
        """Does some work with the store."""
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
        """Does what was asked for before, then ends the thread and closes the store."""
        await self.read(TableStore.close)
        self._closed = True
        self._queue.put(None)
        self._thread.join()

    def _run(self, open: Callable[[], TableStore], opened: Future[TableStore]) -> None:
        try:
            opened.set_result(open())
        except BaseException as error:
            opened.set_exception(error)
            return
        while (task := self._queue.get()) is not None:
            batch = [task]
            while len(batch) < MOST_TOGETHER and not self._queue.empty() and (task := self._queue.get()) is not None:
                batch.append(task)
            for writes, tasks in groupby(batch, key=lambda each: each.writes):
                (self._write if writes else self._read)(list(tasks))
            try:
                batch[0].done.get_loop().call_soon_threadsafe(_tell, batch)
            except RuntimeError:  # the loop is closed, so nobody is waiting
                logger.debug("the store answered too late")

    def _write(self, tasks: list[_Task]) -> None:
        try:
            errors = self._store.together([task.work for task in tasks])
        except Exception as error:
            logger.exception("the store does not answer")
            errors = [StoreError(f"the store does not answer: {error!s:.200}")] * len(tasks)
        for task, failed in zip(tasks, errors, strict=True):
            task.error = failed

    def _read(self, tasks: list[_Task]) -> None:
        for task in tasks:
            try:
                task.result = task.work(self._store)
            except Exception as error:
                task.error = error


def _tell(batch: list[_Task]) -> None:
    for task in batch:
        if task.done.done():  # cancelled
            continue
        if task.error is None:
            task.done.set_result(task.result)
        else:
            task.done.set_exception(task.error)
