"""Tables in the store of the arena: opened, played event by event, found again after a restart. All of it blocks, so
the server calls it from a thread of its own.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

import kiebitz.games
from kiebitz.errors import Error
from kiebitz.server.table import Event, Options, Seat, ServerTable, Start
from kiebitz.store.database import StoreError, plain_words
from kiebitz.store.schema import REVIEWS, SHARED_RECORDS, TABLE_EVENTS, TABLE_GAMES, TABLES, to_text
from kiebitz.store.store import Store

_READ = [TABLES.c[name] for name in ("id", "game", "options", "seats", "secret", "owner", "number", "version")]
_TABLE = select(*_READ).where(TABLES.c.id == bindparam("id")).with_for_update()
_NUMBER = select(TABLES.c.number).where(TABLES.c.id == bindparam("id")).with_for_update()
_COUNT = (
    select(func.count())
    .select_from(TABLE_EVENTS)
    .where(TABLE_EVENTS.c.table_id == bindparam("id"), TABLE_EVENTS.c.game == bindparam("number"))
)


_EVENT = [column.name for column in TABLE_EVENTS.columns]
_ADD = insert(TABLE_EVENTS).from_select(
    _EVENT,
    select(*(bindparam(name, type_=TABLE_EVENTS.c[name].type) for name in _EVENT))
    .where(TABLES.c.id == bindparam("table_id"), TABLES.c.number == bindparam("game"))
    .with_for_update(),
)
"""Adds an event if its game is still the current one; no other server can start the next meanwhile."""


KEPT = 0.9
"""Share of the room for shared records that is still taken after old ones were deleted."""


class OutOfDateError(StoreError):
    """A table in memory that is behind the store: another server has changed it, or an answer of the store was lost."""


@dataclass(frozen=True)
class Finish:
    """What is kept of a game that has ended."""

    returns: list[float]
    record: dict[str, Any]


class TableStore:
    """The part of the store that tables use.

    >>> import kiebitz as kb
    >>> with Store.open("sqlite://") as store:
    ...     keeper = TableStore(store)
    ...     table = ServerTable("t1", kb.game("nim"), Options(), [Seat("bot", "A"), Seat("bot", "B")], secret=1)
    ...     keeper.create(table, 7)
    ...     table.begin(1, 7)
    ...     event = table.bot_act(0, 0)
    ...     keeper.add("t1", 1, 0, event)
    ...     table.apply(event)
    ...     again, events = keeper.load("t1")
    ...     again.version == table.version, again.state.history == table.state.history, events
    (True, True, 1)
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._connection: Connection | None = None
        self._open: Connection | None = None
        add = _ADD.compile(store.engine)
        self._add, self._order = str(add), add.positiontup
        self._shared = 0
        """Bytes of all shared records, as far as they are known here; 0: they have not been counted."""

    def close(self) -> None:
        """Closes the store."""
        self._disconnect()
        self.store.close()

    def together(self, works: Sequence[Callable[[TableStore], None]]) -> list[Exception | None]:
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
    def _writing(self) -> Iterator[Connection]:
        """The transaction that is open already, or a new one."""
        if self._open is not None:
            yield self._open
            return
        with self.store.transaction(write=True) as connection:
            yield connection

    def create(self, table: ServerTable, seed: int, start: Start | None = None) -> None:
        """Keeps a new table and the deal of its first game, or the position that it goes on from."""
        now = _now()
        values = {
            "id": table.id,
            "game": to_text(table.game.to_json()),
            "options": to_text(vars(table.options)),
            "secret": table.secret,
            "owner": table.owner,
            "created": now,
        }
        with self._writing() as connection:
            connection.execute(insert(TABLES).values({**values, **_present(table, 1, table.seats)}))
            begun = None if start is None else to_text(vars(start))
            connection.execute(insert(TABLE_GAMES).values(table_id=table.id, number=1, seed=seed, start=begun))

    def begin(self, table: ServerTable, events: int, number: int, seed: int) -> None:
        """Keeps the deal of the next game, and who sits where when it starts; the game before had ``events`` events."""
        with self._writing() as connection:
            _check(connection, table.id, table.number, events)
            present = _present(table, number, table.next_seats())
            connection.execute(update(TABLES).where(TABLES.c.id == table.id).values(present))
            connection.execute(insert(TABLE_GAMES).values(table_id=table.id, number=number, seed=seed))

    def add(self, table: str, game: int, number: int, event: Event, finish: Finish | None = None) -> None:
        """Keeps event ``number`` of a game, and with the last one how the game ended."""
        row: dict[str, Any] = {
            "table_id": table,
            "game": game,
            "number": number,
            "kind": event.kind,
            "seat": event.seat,
            "action": event.action,
            "data": to_text(event.data) if event.data else None,
        }
        with self._writing() as connection:
            # Straight to the driver: SQLAlchemy would take longer to prepare the statement than the database to run it.
            given = row if self._order is None else tuple(row[name] for name in self._order)
            try:
                added = connection.exec_driver_sql(self._add, given).rowcount
            except IntegrityError:  # somebody else has stored an event of this number
                added = 0
            if not added:
                raise OutOfDateError(f"table {table} has changed in the store")
            if finish is not None:
                values = {"returns": to_text(finish.returns), "record": json.dumps(finish.record)}
                connection.execute(update(TABLE_GAMES).where(_is_game(table, game)).values(values))
                connection.execute(update(TABLES).where(TABLES.c.id == table).values(used=_now()))

    def add_to_curve(self, table: str, game: int, point: dict[str, Any]) -> None:
        """Keeps what a seat expects at a decision, instead of what was computed for it before."""
        with self._writing() as connection:
            query = select(TABLE_GAMES.c.curve).where(_is_game(table, game)).with_for_update()
            before = self._plain(connection.execute(query).scalar() or "[]")
            rest = [each for each in before if (each["ply"], each["seat"]) != (point["ply"], point["seat"])]
            curve = sorted([*rest, point], key=lambda each: (each["ply"], each["seat"]))
            connection.execute(update(TABLE_GAMES).where(_is_game(table, game)).values(curve=to_text(curve)))

    def curve(self, table: str, game: int) -> list[dict[str, Any]] | None:
        """What `add_to_curve` kept; None if there is no such game."""
        with self.store.transaction() as connection:
            found = connection.execute(select(TABLE_GAMES.c.curve).where(_is_game(table, game))).one_or_none()
        return None if found is None else self._plain(found[0] or "[]")

    def record(self, table: str, game: int) -> dict[str, Any] | None:
        """The record of a finished game; None if there is none."""
        with self.store.transaction() as connection:
            text = connection.execute(select(TABLE_GAMES.c.record).where(_is_game(table, game))).scalar_one_or_none()
        return None if text is None else self._plain(text)

    def recent(self, count: int) -> list[str]:
        """The tables that were used last."""
        query = select(TABLES.c.id).order_by(TABLES.c.used.desc(), TABLES.c.id).limit(count)
        with self.store.transaction() as connection:
            return list(connection.execute(query).scalars())

    def load(self, id: str) -> tuple[ServerTable, int] | None:
        """A table as it was left, and the number of events in its game; None if there is no such table."""
        with self.store.transaction() as connection:
            # No other server may begin the next game while this one is read.
            row = connection.execute(_TABLE, {"id": id}).one_or_none()
            if row is None:
                return None
            games = connection.execute(
                select(TABLE_GAMES.c.number, TABLE_GAMES.c.seed, TABLE_GAMES.c.returns, TABLE_GAMES.c.start)
                .where(TABLE_GAMES.c.table_id == id)
                .order_by(TABLE_GAMES.c.number)
            ).all()
            mine = TABLE_EVENTS.c.table_id == id, TABLE_EVENTS.c.game == row.number
            events = connection.execute(select(TABLE_EVENTS).where(*mine).order_by(TABLE_EVENTS.c.number)).all()
        try:
            game = kiebitz.games.from_json(json.loads(row.game))
            options, seats = Options(**json.loads(row.options)), [Seat(**seat) for seat in json.loads(row.seats)]
            table = ServerTable(row.id, game, options, seats, secret=row.secret, owner=row.owner)
            played = [each for each in games if each.number < row.number and each.returns]
            table.scores = [table.turned(json.loads(each.returns), row.number - each.number) for each in played]
            table.version = row.version
            start = None if games[-1].start is None else Start(**json.loads(games[-1].start))
            table.begin(row.number, games[-1].seed, start)
            for each in events:
                table.apply(Event(each.kind, each.seat, each.action, json.loads(each.data or "{}")))
        except (Error, AssertionError, ValueError, KeyError, TypeError, IndexError) as error:
            raise StoreError(f"{self.store.name}: table {id} cannot be read: {error!s:.200}") from error
        return table, len(events)

    def position(self, id: str) -> tuple[int, int]:
        """Which game of a table runs, and the number of its events; (0, 0) if there is no such table."""
        with self.store.transaction() as connection:
            return _position(connection, id)

    def _plain(self, text: str) -> Any:
        """What was stored as JSON."""
        try:
            return json.loads(text)
        except (ValueError, TypeError) as error:
            raise StoreError(f"{self.store.name}: a record cannot be read: {error!s:.100}") from error

    # --- Shared records -----------------------------------------------------------------------------------------------

    def share(
        self, id: str, record: dict[str, Any], most: float = math.inf, played: tuple[str, int] | None = None
    ) -> None:
        """Keeps a record under an id that nobody can guess. The oldest ones are deleted where all would otherwise take
        more than ``most`` bytes. ``played`` is the table that it comes from, and the number of its game."""
        text, (table, game) = json.dumps(record), played or (None, None)
        values = {"id": id, "record": text, "created": _now(), "table_id": table, "game": game}
        with self._writing() as connection:
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
        return None if text is None else self._plain(text)

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

    # --- Reviews ------------------------------------------------------------------------------------------------------

    def save_review(self, record: str, effort: str, review: dict[str, Any], most: float = math.inf) -> None:
        """Keeps a review with its record, if that is still there; one of the same effort from before is replaced."""
        text = to_text(review)
        values = {"record_id": record, "effort": effort, "review": text, "created": _now()}
        with self._writing() as connection:
            self._make_room(connection, len(text), most)
            connection.execute(delete(REVIEWS).where(_is_review(record, effort)))
            if connection.execute(select(SHARED_RECORDS.c.id).where(SHARED_RECORDS.c.id == record)).first():
                connection.execute(insert(REVIEWS).values(values))

    def review(self, record: str, effort: str) -> dict[str, Any] | None:
        """What `save_review` kept; None if there is none."""
        with self.store.transaction() as connection:
            text = connection.execute(select(REVIEWS.c.review).where(_is_review(record, effort))).scalar_one_or_none()
        return None if text is None else self._plain(text)


def _present(table: ServerTable, number: int, seats: Sequence[Seat]) -> dict[str, Any]:
    return {
        "seats": to_text([vars(seat) for seat in seats]),
        "number": number,
        "version": table.version,
        "used": _now(),
    }


def _check(connection: Connection, table: str, game: int, events: int) -> None:
    """Refuses what was decided on an older state of a table."""
    if _position(connection, table) != (game, events):
        raise OutOfDateError(f"table {table} has changed in the store")


def _position(connection: Connection, table: str) -> tuple[int, int]:
    """Which game of a table runs, and the number of its events; locks the table until the transaction ends."""
    number = connection.execute(_NUMBER, {"id": table}).scalar() or 0
    return number, connection.execute(_COUNT, {"id": table, "number": number}).scalar_one()


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


def _is_game(table: str, game: int) -> Any:
    return (TABLE_GAMES.c.table_id == table) & (TABLE_GAMES.c.number == game)


def _is_review(record: str, effort: str) -> Any:
    return (REVIEWS.c.record_id == record) & (REVIEWS.c.effort == effort)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
