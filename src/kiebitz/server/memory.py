"""One memory budget for the bots of all tables."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

OFTEN = 0.1
"""Seconds between two checks whether somebody still waits for room."""


class Memory:
    """How many megabytes agents hold, by what their options declare.

    An agent keeps its memory between two moves. When another needs the room, those that are idle are dropped, the one
    unused for longest first; they are built again for their next move and play the same. If all are in use, the other
    waits. An agent larger than the whole budget plays alone.

    >>> memory, dropped = Memory(100), []
    >>> for name in ("a", "b", "c"):
    ...     with memory.room(name, 40, lambda name=name: dropped.append(name)):
    ...         pass
    >>> dropped, memory.used
    (['a'], 80.0)
    """

    def __init__(self, most: float) -> None:
        self.most = most
        self.used = 0.0
        """Megabytes in use or idle."""
        self._idle: OrderedDict[Hashable, tuple[float, Callable[[], None]]] = OrderedDict()
        self._changed = threading.Condition()

    @contextmanager
    def room(
        self, key: Hashable, megabytes: float, drop: Callable[[], None], given_up: Callable[[], bool] = lambda: False
    ) -> Iterator[None]:
        """Room for the agent ``key`` while it thinks; afterwards it is idle until ``drop`` is called. Waits in this
        thread; raises TimeoutError once nobody wants the room any more."""
        with self._changed:
            self._leave(key)
            while not self._make_room(megabytes):
                if given_up():
                    raise TimeoutError
                self._changed.wait(OFTEN)
            self.used += megabytes
        try:
            yield
        finally:
            with self._changed:
                self._idle[key] = megabytes, drop
                self._changed.notify_all()

    def forget(self, *keys: Hashable) -> None:
        """Notes that idle agents have been dropped."""
        with self._changed:
            for key in keys:
                self._leave(key)
            self._changed.notify_all()

    def _leave(self, key: Hashable) -> None:
        megabytes, _ = self._idle.pop(key, (0.0, None))
        self.used -= megabytes

    def _make_room(self, megabytes: float) -> bool:
        while self.used > 0 and self.used + megabytes > self.most and self._idle:
            key, (_, drop) = next(iter(self._idle.items()))
            self._leave(key)
            drop()
        return self.used <= 0 or self.used + megabytes <= self.most
