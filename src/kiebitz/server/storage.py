"""Tables in the store of the arena: opened, played event by event, found again after a restart. All of it blocks, so
the server calls it from a thread of its own.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

import kiebitz.games
from kiebitz import records
from kiebitz.errors import Error
from kiebitz.server.events import Event, Options, Seat, Start
from kiebitz.server.shared_records import KEPT, SharedRecords
from kiebitz.server.table import ServerTable
from kiebitz.server.transactions import now
from kiebitz.store.database import StoreError
from kiebitz.store.schema import TABLE_EVENTS, TABLE_GAMES, TABLES, to_text
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


class OutOfDateError(StoreError):
    """A table in memory that is behind the store: another server has changed it, or an answer of the store was lost."""


@dataclass(frozen=True)
class Finish:
    """What is kept of a game that has ended."""

    returns: list[float]
    record: dict[str, Any]


class TableStore(SharedRecords):
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
        super().__init__(store)
        self._tables = 0
        """Tables in the store, as far as they are known here; 0: they have not been counted."""
        add = _ADD.compile(store.engine)
        self._add, self._order = str(add), add.positiontup

    def create(self, table: ServerTable, seed: int, start: Start | None = None, most: float = math.inf) -> None:
        """Keeps a new table and the deal of its first game, or the position that it goes on from. Those unused for
        longest are deleted where there would otherwise be more than ``most``."""
        values = {
            "id": table.id,
            "game": to_text(table.game.to_json()),
            "options": to_text(vars(table.options)),
            "secret": table.secret,
            "owner": table.owner,
            "created": now(),
        }
        with self.writing() as connection:
            self._make_room_for_one(connection, most)
            connection.execute(insert(TABLES).values({**values, **_present(table, 1, table.seats)}))
            connection.execute(insert(TABLE_GAMES).values(_game(table.id, 1, seed, start)))

    def _make_room_for_one(self, connection: Connection, most: float) -> None:
        """Deletes tables, with their games, if one more would be too many."""
        self._tables = (self._tables or _tables(connection)) + 1
        if self._tables > most:
            self._tables = _tables(connection) + 1  # another server may have opened or deleted some
            surplus = self._tables - int(most * KEPT)
            oldest = select(TABLES.c.id).order_by(TABLES.c.used, TABLES.c.id).limit(max(0, surplus))
            self._tables -= connection.execute(delete(TABLES).where(TABLES.c.id.in_(oldest))).rowcount

    def begin(self, table: ServerTable, events: int, number: int, seed: int, first: Sequence[Event] = ()) -> None:
        """Keeps the deal of the next game, who sits where when it starts, and its ``first`` events; the game before had
        ``events`` events, and the same start."""
        with self.writing() as connection:
            _check(connection, table.id, table.number, events)
            present = _present(table, number, table.next_seats())
            connection.execute(update(TABLES).where(TABLES.c.id == table.id).values(present))
            connection.execute(insert(TABLE_GAMES).values(_game(table.id, number, seed, table.start)))
            for place, event in enumerate(first):
                self._insert(connection, table.id, number, place, event)

    def add(self, table: str, game: int, number: int, event: Event, finish: Finish | None = None) -> None:
        """Keeps event ``number`` of a game, and with the last one how the game ended."""
        with self.writing() as connection:
            self._insert(connection, table, game, number, event)
            if finish is not None:
                values = {"returns": to_text(finish.returns), "record": json.dumps(finish.record)}
                connection.execute(update(TABLE_GAMES).where(_is_game(table, game)).values(values))
                connection.execute(update(TABLES).where(TABLES.c.id == table).values(used=now()))

    def _insert(self, connection: Connection, table: str, game: int, number: int, event: Event) -> None:
        row: dict[str, Any] = {
            "table_id": table,
            "game": game,
            "number": number,
            "kind": event.kind,
            "seat": event.seat,
            "action": event.action,
            "data": to_text(event.data) if event.data else None,
        }
        # Straight to the driver: SQLAlchemy would take longer to prepare the statement than the database to run it.
        given = row if self._order is None else tuple(row[name] for name in self._order)
        try:
            added = connection.exec_driver_sql(self._add, given).rowcount
        except IntegrityError:  # somebody else has stored an event of this number
            added = 0
        if not added:
            raise OutOfDateError(f"table {table} has changed in the store")

    def add_to_curve(self, table: str, game: int, point: dict[str, Any]) -> None:
        """Keeps what a seat expects at a decision, instead of what was computed for it before."""
        with self.writing() as connection:
            query = select(TABLE_GAMES.c.curve).where(_is_game(table, game)).with_for_update()
            before = self.plain(connection.execute(query).scalar() or "[]")
            rest = [each for each in before if (each["ply"], each["seat"]) != (point["ply"], point["seat"])]
            curve = sorted([*rest, point], key=lambda each: (each["ply"], each["seat"]))
            connection.execute(update(TABLE_GAMES).where(_is_game(table, game)).values(curve=to_text(curve)))

    def curve(self, table: str, game: int) -> list[dict[str, Any]] | None:
        """What `add_to_curve` kept; None if there is no such game."""
        with self.store.transaction() as connection:
            found = connection.execute(select(TABLE_GAMES.c.curve).where(_is_game(table, game))).one_or_none()
        return None if found is None else self.plain(found[0] or "[]")

    def record(self, table: str, game: int) -> dict[str, Any] | None:
        """The record of a finished game; None if there is none."""
        with self.store.transaction() as connection:
            text = connection.execute(select(TABLE_GAMES.c.record).where(_is_game(table, game))).scalar_one_or_none()
        return None if text is None else self.plain(text)

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
            remembers = table.series.remembers(game)
            for each in games:
                if each.number < row.number and each.returns:
                    scores = table.turned(json.loads(each.returns), row.number - each.number)
                    table.add(scores, self._result(id, each.number) if remembers else {})
            table.version = row.version
            start = None if games[-1].start is None else Start(**json.loads(games[-1].start))
            table.begin(row.number, games[-1].seed, start)
            for each in events:
                table.apply(Event(each.kind, each.seat, each.action, json.loads(each.data or "{}")))
        except (Error, AssertionError, ValueError, KeyError, TypeError, IndexError) as error:
            raise StoreError(f"{self.store.name}: table {id} cannot be read: {error!s:.200}") from error
        return table, len(events)

    def _result(self, table: str, game: int) -> dict[str, Any]:
        """How a finished game ended, by its record."""
        record = self.record(table, game)
        return {} if record is None else records.replay(records.from_json(record)).result()

    def position(self, id: str) -> tuple[int, int]:
        """Which game of a table runs, and the number of its events; (0, 0) if there is no such table."""
        with self.store.transaction() as connection:
            return _position(connection, id)


def _tables(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(TABLES)).scalar_one()


def _present(table: ServerTable, number: int, seats: Sequence[Seat]) -> dict[str, Any]:
    return {
        "seats": to_text([vars(seat) for seat in seats]),
        "number": number,
        "version": table.version,
        "used": now(),
    }


def _game(table: str, number: int, seed: int, start: Start | None) -> dict[str, Any]:
    return {
        "table_id": table,
        "number": number,
        "seed": seed,
        "start": None if start is None else to_text(vars(start)),
    }


def _check(connection: Connection, table: str, game: int, events: int) -> None:
    """Refuses what was decided on an older state of a table."""
    if _position(connection, table) != (game, events):
        raise OutOfDateError(f"table {table} has changed in the store")


def _position(connection: Connection, table: str) -> tuple[int, int]:
    """Which game of a table runs, and the number of its events; locks the table until the transaction ends."""
    number = connection.execute(_NUMBER, {"id": table}).scalar() or 0
    return number, connection.execute(_COUNT, {"id": table, "number": number}).scalar_one()


def _is_game(table: str, game: int) -> Any:
    return (TABLE_GAMES.c.table_id == table) & (TABLE_GAMES.c.number == game)
