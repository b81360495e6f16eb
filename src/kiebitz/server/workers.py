"""Threads beside the event loop: a bounded pool for each kind of work, so that one kind never waits for another, and a
line for each address, so that nobody waits for what somebody else has asked for in heaps.

All threads run at normal priority: a low-priority thread that is preempted while it holds the interpreter lock would
hold up all tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import math
import sys
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from kiebitz.server.errors import TableError

T = TypeVar("T")


M_MMAP_THRESHOLD = -3  # of malloc.h
LARGE = 1 << 20
"""Bytes from which a block of memory goes back to the system as soon as it is free."""


def give_back_large_blocks() -> None:
    """Makes the allocator of Linux return large blocks at once. By default it keeps those of a size that was freed
    before, and tables of bots that were dropped would take as much memory as those in use."""
    adjust = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if adjust is not None:
        adjust(M_MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    """Returns freed memory to the system: the allocator of Linux keeps megabytes of it per thread."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


@dataclass(eq=False)
class _Line:
    """What one address waits for."""

    address: str | None
    seconds: float
    """Time that its work has taken, counted from that of the others when it joined them."""
    tasks: deque[tuple[Callable[[], Any], asyncio.Future[Any]]] = field(default_factory=deque)
    running: int = 0


class Workers:
    """A thread pool with a bounded queue that is fair to addresses.

    The next free thread goes to the address whose work has taken the least time so far. One address never holds all
    threads, if there are several, and never fills the queue: it may have ``most`` computations in it.
    """

    def __init__(self, threads: int, queue: int, name: str, most: int | None = None) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._room = threads + queue
        self._most = self._room if most is None else most
        self._lines: dict[str | None, _Line] = {}
        self._busy = 0
        self._closed = False
        self.waiting = 0
        """Computations that are queued or running."""

    def run(self, work: Callable[[], T], address: str | None = None) -> asyncio.Future[T]:
        """Runs ``work`` as soon as a thread is free; raises TableError if the queue is full. Work of the server itself
        has no address and no limits."""
        line = self._lines.get(address)
        if address is not None and line is not None and len(line.tasks) + line.running >= self._most:
            raise TableError("too_many", "too much is being computed for you at the moment; wait for some of it")
        if self._closed or self.waiting >= self._room:
            raise TableError("busy", "too much is being computed at the moment; try again later")
        if line is None:
            least = min((other.seconds for other in self._lines.values()), default=0.0)
            line = self._lines[address] = _Line(address, least)
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        done.add_done_callback(self._done)
        self.waiting += 1
        line.tasks.append((work, done))
        self._start()
        return done

    def share(self, patience: float) -> float:
        """Seconds that a computation may take now so that the last in the queue waits no longer than ``patience``."""
        queued = self.waiting - self.threads
        return patience * self.threads / queued if queued > 0 else math.inf

    def _start(self) -> None:
        """Gives free threads to those who wait."""
        while self._busy < self.threads and (line := self._next()) is not None:
            work, done = line.tasks.popleft()
            if done.done():  # cancelled while it waited
                self._forget(line)
                continue
            self._busy += 1
            line.running += 1
            running = self._pool.submit(_timed, work)
            running.add_done_callback(partial(_tell, asyncio.get_running_loop(), self._ended, line, done))

    def _next(self) -> _Line | None:
        """The line whose turn it is."""
        most = max(1, self.threads - 1)
        ready = [line for line in self._lines.values() if line.tasks and (line.address is None or line.running < most)]
        return min(ready, key=lambda line: line.seconds, default=None)

    def _ended(
        self, line: _Line, done: asyncio.Future[Any], found: Future[tuple[Any, BaseException | None, float]]
    ) -> None:
        result, error, seconds = found.result()
        self._busy -= 1
        line.running -= 1
        line.seconds += seconds
        self._forget(line)
        if not done.done():
            if error is None:
                done.set_result(result)
            else:
                done.set_exception(error)
        if not self._closed:
            self._start()

    def _forget(self, line: _Line) -> None:
        if not line.tasks and not line.running:
            self._lines.pop(line.address, None)

    def _done(self, future: asyncio.Future[T]) -> None:
        self.waiting -= 1
        if not future.cancelled():
            future.exception()  # marks it as retrieved: asyncio would warn about errors that come too late

    def close(self) -> None:
        """Takes no more work; running computations are left to finish."""
        self._closed = True
        for line in self._lines.values():
            for _, done in line.tasks:
                done.cancel()
            line.tasks.clear()
        self._pool.shutdown(wait=False)


def _timed(work: Callable[[], T]) -> tuple[T | None, BaseException | None, float]:
    """What a computation returns or raises, and the seconds that it takes."""
    begun = time.monotonic()
    try:
        return work(), None, time.monotonic() - begun
    except BaseException as error:
        # A future does not take StopIteration, and nothing that ends a thread may end the event loop.
        plain = isinstance(error, Exception) and not isinstance(error, StopIteration)
        return None, error if plain else RuntimeError(repr(error)), time.monotonic() - begun


def _tell(
    loop: asyncio.AbstractEventLoop,
    ended: Callable[[_Line, asyncio.Future[Any], Future[Any]], None],
    line: _Line,
    done: asyncio.Future[Any],
    found: Future[Any],
) -> None:
    """Tells the event loop, unless it is closed and nobody waits."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(ended, line, done, found)
