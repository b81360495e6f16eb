"""Shared records and their reviews in the store; the oldest make room where they take too much."""

from __future__ import annotations

import json
import math
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from kiebitz.server.transactions import Transactions, now
from kiebitz.store.schema import REVIEWS, SHARED_RECORDS, to_text
from kiebitz.store.store import Store

KEPT = 0.9
"""Share of the room for shared records, or for tables, that is still taken after old ones were deleted."""


class SharedRecords(Transactions):
    """Records that everybody sees who has their id.

    >>> with Store.open("sqlite://") as store:
    ...     records = SharedRecords(store)
    ...     records.share("b7Qe2L", {"schema": 1})
    ...     records.shared("b7Qe2L"), records.shared("unknown")
    ({'schema': 1}, None)
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._shared = 0
        """Bytes of all shared records, as far as they are known here; 0: they have not been counted."""

    def share(
        self, id: str, record: dict[str, Any], most: float = math.inf, played: tuple[str, int] | None = None
    ) -> None:
        """Keeps a record under an id that nobody can guess. The oldest ones are deleted where all would otherwise take
        more than ``most`` bytes. ``played`` is the table that it comes from, and the number of its game."""
        text, (table, game) = json.dumps(record), played or (None, None)
        values = {"id": id, "record": text, "created": now(), "table_id": table, "game": game}
        with self.writing() as connection:
            self._make_room(connection, len(text), most)
            connection.execute(insert(SHARED_RECORDS).values(values))

    def _make_room(self, connection: Connection, size: int, most: float) -> None:
        """Deletes the oldest records, with their reviews, if ``size`` bytes more would be too many."""
        self._shared = (self._shared or _taken(connection)) + size
        if self._shared > most:
            self._shared = _taken(connection) + size  # another server may have deleted some
            self._shared -= _delete_oldest(connection, self._shared - most * KEPT)

    def shared(self, id: str) -> dict[str, Any] | None:
        """A shared record; None if there is none."""
        with self.store.transaction() as connection:
            query = select(SHARED_RECORDS.c.record).where(SHARED_RECORDS.c.id == id)
            text = connection.execute(query).scalar_one_or_none()
        return None if text is None else self.plain(text)

    def shared_as(self, table: str, game: int) -> str | None:
        """The id under which a game of a table was shared first; None if it was not."""
        played = SHARED_RECORDS.c.table_id == table, SHARED_RECORDS.c.game == game
        query = select(SHARED_RECORDS.c.id).where(*played).order_by(SHARED_RECORDS.c.created, SHARED_RECORDS.c.id)
        with self.store.transaction() as connection:
            return connection.execute(query.limit(1)).scalar_one_or_none()

    def source(self, id: str) -> dict[str, Any] | None:
        """The table and the number of the game that a shared record comes from; None for uploads."""
        query = select(SHARED_RECORDS.c.table_id, SHARED_RECORDS.c.game).where(SHARED_RECORDS.c.id == id)
        with self.store.transaction() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None or row.table_id is None else {"id": row.table_id, "number": row.game}

    def save_review(self, record: str, effort: str, review: dict[str, Any], most: float = math.inf) -> None:
        """Keeps a review with its record, if that is still there; one of the same effort from before is replaced."""
        text = to_text(review)
        values = {"record_id": record, "effort": effort, "review": text, "created": now()}
        with self.writing() as connection:
            self._make_room(connection, len(text), most)
            connection.execute(delete(REVIEWS).where(_is_review(record, effort)))
            if connection.execute(select(SHARED_RECORDS.c.id).where(SHARED_RECORDS.c.id == record)).first():
                connection.execute(insert(REVIEWS).values(values))

    def review(self, record: str, effort: str) -> dict[str, Any] | None:
        """What `save_review` kept; None if there is none."""
        with self.store.transaction() as connection:
            text = connection.execute(select(REVIEWS.c.review).where(_is_review(record, effort))).scalar_one_or_none()
        return None if text is None else self.plain(text)


def _taken(connection: Connection) -> int:
    """Bytes of all shared records and their reviews: they are ASCII."""
    columns = SHARED_RECORDS.c.record, REVIEWS.c.review
    return sum(int(connection.execute(select(func.sum(func.length(each)))).scalar() or 0) for each in columns)


def _delete_oldest(connection: Connection, least: float) -> int:
    """Deletes the oldest shared records, ``least`` bytes or more; returns how many bytes they took."""
    size = func.length(SHARED_RECORDS.c.record)
    oldest = connection.execute(
        select(SHARED_RECORDS.c.id, size).order_by(SHARED_RECORDS.c.created, SHARED_RECORDS.c.id)
    )
    gone, freed = [], 0
    for id, length in oldest:
        if freed >= least:
            break
        gone.append({"gone": id})
        freed += length
    if gone:
        connection.execute(delete(SHARED_RECORDS).where(SHARED_RECORDS.c.id == bindparam("gone")), gone)
    return freed


def _is_review(record: str, effort: str) -> Any:
    return (REVIEWS.c.record_id == record) & (REVIEWS.c.effort == effort)
