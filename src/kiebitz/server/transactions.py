"""Transactions of the server with the store of the arena: reads, and writes that several tables share. All of it
blocks, so the server calls it from a thread of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Self

from sqlalchemy import Connection

from kiebitz.store.database import StoreError, plain_words
from kiebitz.store.store import Store


class Transactions:
    """What everything that the server keeps is read and written with."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._connection: Connection | None = None
        self._open: Connection | None = None

    def close(self) -> None:
        """Closes the store."""
        self._disconnect()
        self.store.close()

    def together(self, works: Sequence[Callable[[Self], None]]) -> list[Exception | None]:
        """Writes several things in one transaction, so that a busy server waits for the disk once; or each in a
        transaction of its own if that fails. Returns the error of each, or None."""
        kept, begun = self._connection is not None, False
        try:
            with self._transaction() as self._open:
                begun = True
                for work in works:
                    work(self)
        except Exception as error:
            self._open = None
            self._disconnect()
            if kept and getattr(error.__cause__, "connection_invalidated", False):  # the database was restarted
                return self.together(works)
            if len(works) == 1:
                return [error]
            if not begun:  # locked or gone: each work alone would wait as long again
                return [StoreError(str(error)) for _ in works]
            return [self.together([work])[0] for work in works]
        finally:
            self._open = None
        return [None] * len(works)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """A transaction. Opening a connection takes longer than writing an event, so one is kept."""
        with plain_words(self.store.name):
            self.store.check_file()
            if self._connection is None:
                self._connection = self.store.engine.connect().execution_options(kiebitz_write=True)
            with self._connection.begin():
                yield self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """The transaction that is open already, or a new one."""
        if self._open is not None:
            yield self._open
            return
        with self.store.transaction(write=True) as connection:
            yield connection

    def plain(self, text: str) -> Any:
        """What was stored as JSON."""
        try:
            return json.loads(text)
        except (ValueError, TypeError) as error:
            raise StoreError(f"{self.store.name}: a record cannot be read: {error!s:.100}") from error


def now() -> datetime:
    """The time as the store keeps it: UTC, without a zone.

    >>> now().tzinfo is None
    True
    """
    return datetime.now(UTC).replace(tzinfo=None)
