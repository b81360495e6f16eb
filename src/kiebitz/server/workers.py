"""Threads beside the event loop: a bounded pool for each kind of work, so that one kind never waits for another.

All threads run at normal priority: a low-priority thread that is preempted while it holds the interpreter lock would
hold up all tables.
"""

from __future__ import annotations

import asyncio
import ctypes
import math
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from kiebitz.server.errors import TableError

T = TypeVar("T")


def give_back() -> None:
    """Returns freed memory to the system: the allocator of Linux keeps megabytes of it per thread."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


class Workers:
    """A thread pool with a bounded queue."""

    def __init__(self, threads: int, queue: int, name: str) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._room = threads + queue
        self.waiting = 0
        """Computations that are queued or running."""

    def run(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Runs ``work`` as soon as a thread is free; raises TableError if the queue is full."""
        if self.waiting >= self._room:
            raise TableError("busy", "too much is being computed at the moment; try again later")
        self.waiting += 1
        future = asyncio.get_running_loop().run_in_executor(self._pool, work)
        future.add_done_callback(self._done)
        return future

    def share(self, patience: float) -> float:
        """Seconds that a computation may take now so that the last in the queue waits no longer than ``patience``."""
        queued = self.waiting - self.threads
        return patience * self.threads / queued if queued > 0 else math.inf

    def _done(self, future: asyncio.Future[T]) -> None:
        self.waiting -= 1
        if not future.cancelled():
            future.exception()  # marks it as retrieved: asyncio would warn about errors that come too late

    def close(self) -> None:
        """Takes no more work; running computations are left to finish."""
        self._pool.shutdown(wait=False, cancel_futures=True)
