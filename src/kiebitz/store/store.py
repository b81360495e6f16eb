"""The store: runs and their games in SQLite, PostgreSQL or any other database that SQLAlchemy supports.

Once `add` has returned, its games are safe: a process that is killed loses at most the call it was in, and that call as
a whole. SQLite keeps a write-ahead log with `synchronous=NORMAL`, so a power cut can undo the last calls, each as a
whole, but no more. One process writes at a time while the others wait. No game of a run is stored twice, and a game
that is added again has to be the same.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Connection, Engine, delete, func, insert, inspect, null, select, update
from sqlalchemy.exc import IntegrityError

from kiebitz import machine
from kiebitz.errors import Error
from kiebitz.store.database import (
    DAMAGED,
    WAIT,
    StoreError,
    frozen,
    is_closed,
    locate,
    open_engine,
    plain_words,
    write_ahead,
)
from kiebitz.store.rows import Row
from kiebitz.store.schema import (
    COLUMNS,
    GAMES,
    RUNS,
    VERSION,
    Values,
    metrics_text,
    same_game,
    to_row,
    to_text,
    to_values,
)

CHUNK = 1000
"""Games read at once."""
VERSION_TABLE = "alembic_version"
LOCK = 0x6B696562
"""PostgreSQL advisory lock, taken to create tables and to begin runs."""


@dataclass(frozen=True)
class RunInfo:
    """A run as the store knows it."""

    id: int
    identity: str
    kind: str
    game: str
    plan: dict[str, Any]
    command: str
    """What was typed to start it, the last time."""
    version: str
    """Of Kiebitz."""
    hardware: str
    """Each machine that took part in it."""
    created: datetime
    finished: datetime | None
    """None while the run is going on, and after it was interrupted."""
    seconds: float
    """Wall-clock time of all its parts whose games are in the store."""
    done: int
    """Games in the store."""
    test: dict[str, Any] | None = None
    """The sequential test that could end it (`Sprt.to_dict`), as it stood at the end."""
    training: dict[str, Any] | None = None
    """Of a net: its steps, CPU hours, results and fingerprint, as they stood at the end. None: a run of games, or a
    training that has not ended yet."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The specs of the agents that play."""
        return tuple(map(str, self.plan.get("agents", ())))

    @property
    def planned(self) -> int | None:
        """Games asked for."""
        return self.plan.get("games")

    @property
    def counted(self) -> int | None:
        """Where a sequential test decided: games numbered from here on were played before the decision was known and
        do not count. None if all games count."""
        decision = (self.test or {}).get("decision")
        return None if decision is None else int(decision["games"])

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        finished = None if self.finished is None else self.finished.isoformat()
        data = {**vars(self), "created": self.created.isoformat(), "finished": finished}
        return {**data, "agents": list(self.agents), "planned": self.planned, "counted": self.counted}


class Store:
    """Runs and their games.

    >>> with Store.open("sqlite://") as store:  # in memory; without a name, the user's own database
    ...     run = store.begin({"game": {"name": "nim"}, "agents": ["random"], "games": 2}, "0f", "match", "")
    ...     store.add(run.id, [Row(0, 0, (0, 0), (1.0, -1.0), 5, 20, (3, 2), (0.1, 0.2), (0.05, 0.15))])
    ...     [row.payoffs for row in store.rows(run.id)], store.run(run.id).done
    ([(1.0, -1.0)], 1)
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self.engine = engine
        self.name = name
        """Where it is, without passwords."""
        self._insert = str(insert(GAMES).compile(engine))
        self._file: Path | None = None
        self._inode = self._size = 0

    # --- Opening ------------------------------------------------------------------------------------------------------

    @classmethod
    def open(
        cls, target: str | Path | None = None, *, create: bool = True, reading: bool = False, wait: float = WAIT
    ) -> Self:
        """Opens a database by its path or SQLAlchemy URL; without one, the user's own: the environment variable
        KIEBITZ_DB, or else `default_path`.

        A new database gets its tables and an older one is migrated; a newer one is refused, and so is one that belongs
        to another program. With `create=False` the file must exist. `wait` is how long to wait for other writers. With
        `reading=True` a file on a read-only disk can be opened, too.
        """
        url, name = locate(target)
        file = None
        if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
            file = None if url.query.get("uri") else Path(str(url.database))
        if file is not None and not create and not file.exists():
            raise StoreError(f"{name}: there is no such file")
        if file is not None and target is None and "KIEBITZ_DB" not in os.environ:
            file.parent.mkdir(parents=True, exist_ok=True)
        store = cls(open_engine(url, name, wait), name)
        try:
            store._prepare(wait)
            store._file, store._inode = file, file.stat().st_ino if file is not None else 0
        except BaseException as error:
            store.close()
            closed = isinstance(error, StoreError) and is_closed(error)
            if not reading or not closed or file is None or not file.is_file():
                raise
            store = cls(open_engine(frozen(file), name, wait), name)
            with store.transaction() as connection:
                if _version(connection) != VERSION:
                    raise
        return store

    def _prepare(self, wait: float) -> None:
        with self._reading() as connection:
            version = _version(connection)
        if version != VERSION:
            with self.transaction(write=True) as connection:
                self._lock(connection)
                self._migrate(connection)
        if self.engine.dialect.name == "sqlite":
            with plain_words(self.name), self.engine.connect() as connection:
                # Below SQLAlchemy: not possible inside a transaction.
                write_ahead(connection.connection.cursor(), wait)

    def _migrate(self, connection: Connection) -> None:
        from alembic.util import CommandError  # Alembic is slow to load and rarely needed

        from kiebitz.store.migrations import upgrade

        version = _version(connection)  # again: another process may have been faster
        if version == VERSION:
            return
        if version is None and inspect(connection).get_table_names():
            raise StoreError(f"{self.name}: holds tables of another program; expected a database of its own")
        if version is not None and version > VERSION:
            raise StoreError(
                f"{self.name}: was made by a newer version of Kiebitz (schema {version:.20}, here {VERSION}) and "
                "cannot be used by this one; nothing was changed"
            )
        try:
            upgrade(connection)
        except CommandError as error:  # a version that never was
            raise StoreError(f"{self.name}: {DAMAGED}") from error

    def check_file(self) -> None:
        """Raises StoreError if the file was removed, replaced or cut short since it was opened: the system would let us
        write on, and nobody could read it."""
        if self._file is None:
            return
        try:
            found = self._file.stat()
        except OSError:
            raise StoreError(f"{self.name}: the file is gone; expected it to stay while it is in use") from None
        if found.st_ino != self._inode or found.st_size < self._size:
            raise StoreError(f"{self.name}: the file was replaced or cut short while it is in use")
        self._size = found.st_size

    def close(self) -> None:
        """Closes all connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- Writing ------------------------------------------------------------------------------------------------------

    def begin(self, plan: Mapping[str, Any], identity: str, kind: str, command: str) -> RunInfo:
        """Begins a run, or goes on with the one of this identity; of two plans the one with more games, or with more
        steps of a training, is kept."""
        try:
            game, text, here = str(plan["game"]["name"]), to_text(plan), machine.hardware_text()
        except (KeyError, TypeError, ValueError) as error:
            raise StoreError(f"plan: expected plain values with the name of a game: {error!s:.100}") from None
        values: dict[str, Any] = {"version": machine.VERSION, "finished": None, "test": None}
        with self.transaction(write=True) as connection:
            self._lock(connection)
            old = connection.execute(select(RUNS).where(RUNS.c.identity == identity)).one_or_none()
            if old is None:
                values |= {"identity": identity, "kind": _printable(kind), "game": _printable(game), "plan": text}
                values |= {"hardware": here, "created": _now(), "seconds": 0.0, "done": 0}
                connection.execute(insert(RUNS).values({**values, "command": _printable(command)}))
            else:
                asked, planned = _size(plan), _size(_info(old).plan)
                if asked > planned:
                    values["plan"] = text
                if not old.command or (command and asked >= planned):  # keep the command that repeats the whole run
                    values["command"] = _printable(command)
                if here not in old.hardware.split("; "):
                    values["hardware"] = f"{old.hardware}; {here}"
                connection.execute(update(RUNS).where(RUNS.c.id == old.id).values(values))
            return _info(connection.execute(select(RUNS).where(RUNS.c.identity == identity)).one())

    def add(self, run: int, rows: Iterable[Row], seconds: float = 0.0) -> None:
        """Stores games of a run, all or none of them, and adds `seconds` to its time; games already stored are skipped.

        A stored game with other moves or another result is an error. Times and events may differ: a game may have been
        played twice because the first message about it was lost.
        """
        games = self._checked(run, rows)
        try:
            self._add(run, games, seconds)
        except StoreError as error:
            if not isinstance(error.__cause__, IntegrityError):
                raise
            self._add(run, games, seconds, again=True)

    def _add(self, run: int, games: dict[int, Values], seconds: float, again: bool = False) -> None:
        with self.transaction(write=True) as connection:
            # First, because it locks out other writers of this run.
            counted = update(RUNS).where(RUNS.c.id == run)
            more = {"done": RUNS.c.done + len(games), "seconds": RUNS.c.seconds + seconds}
            if connection.execute(counted.values(more)).rowcount == 0:
                raise self._missing(run)
            if again:
                there = _stored(connection, run, list(games))
                connection.execute(counted.values(done=RUNS.c.done - len(there)))
                for number, values in there.items():
                    if not same_game(values, games[number]):
                        raise self._differs(run, number)
                games = {number: values for number, values in games.items() if number not in there}
            if games:
                self._write(connection, list(games.values()))

    def finish(
        self,
        run: int,
        seconds: float = 0.0,
        *,
        whole: bool = True,
        test: Mapping[str, Any] | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        """Ends a run and adds `seconds` to its time. Pass `whole=True` if all games were played, or as many as a
        sequential test asked for: only then does the run count as finished."""
        values: dict[str, Any] = {"seconds": RUNS.c.seconds + seconds, "test": None if test is None else to_text(test)}
        if training is not None:
            values["training"] = metrics_text(training)
        if whole:
            values["finished"] = _now()
        with self.transaction(write=True) as connection:
            if connection.execute(update(RUNS).where(RUNS.c.id == run).values(values)).rowcount == 0:
                raise self._missing(run)

    def delete(self, run: int) -> None:
        """Removes a run and its games."""
        with self.transaction(write=True) as connection:
            connection.execute(delete(GAMES).where(GAMES.c.run == run))
            if connection.execute(delete(RUNS).where(RUNS.c.id == run)).rowcount == 0:
                raise self._missing(run)

    # --- Reading ------------------------------------------------------------------------------------------------------

    def find(self, identity: str) -> RunInfo | None:
        """The run with this identity, if there is one."""
        with self._reading() as connection:
            found = connection.execute(select(RUNS).where(RUNS.c.identity == identity)).one_or_none()
            return None if found is None else _info(found)

    def run(self, run: int) -> RunInfo:
        """One run."""
        with self._reading() as connection:
            found = connection.execute(select(RUNS).where(RUNS.c.id == run)).one_or_none()
            if found is None:
                raise self._missing(run)
            return _info(found)

    def runs(
        self,
        *,
        game: str | None = None,
        agent: str | None = None,
        kind: str | None = None,
        since: datetime | None = None,
    ) -> list[RunInfo]:
        """All runs, the newest first: of a game, with an agent whose spec has this text in it, of a kind, begun since a
        time (local, where it names no zone)."""
        query = select(RUNS).order_by(RUNS.c.created.desc(), RUNS.c.id.desc())
        if game is not None:
            query = query.where(RUNS.c.game == game)
        if kind is not None:
            query = query.where(RUNS.c.kind == kind)
        if since is not None:
            query = query.where(RUNS.c.created >= since.astimezone(UTC).replace(tzinfo=None))
        with self._reading() as connection:
            found = [_info(row) for row in connection.execute(query)]
        return [run for run in found if agent is None or any(agent in spec for spec in run.agents)]

    def numbers(self, run: int) -> set[int]:
        """The numbers of the stored games."""
        with self.transaction() as connection:
            return set(connection.execute(select(GAMES.c.number).where(GAMES.c.run == run)).scalars())

    def rows(self, run: int, *, actions: bool = True, below: int | None = None) -> Iterator[Row]:
        """The games of a run in the order of their numbers, read in chunks as they are consumed. Without actions they
        load faster; `below` limits the numbers."""
        self.run(run)
        return self._rows(run, actions, below)

    def _rows(self, run: int, actions: bool, below: int | None) -> Iterator[Row]:
        # In chunks: one long transaction would keep the write-ahead log from being emptied.
        columns = [column if actions or column is not GAMES.c.actions else null() for column in GAMES.c]
        query = select(*columns).where(GAMES.c.run == run).order_by(GAMES.c.number).limit(CHUNK)
        if below is not None:
            query = query.where(GAMES.c.number < below)
        last = -1
        while True:
            with self._reading() as connection:
                chunk = [to_row(row) for row in connection.execute(query.where(GAMES.c.number > last))]
            yield from chunk
            if len(chunk) < CHUNK:
                return
            last = chunk[-1].number

    # --- Helpers ------------------------------------------------------------------------------------------------------

    @contextmanager
    def transaction(self, write: bool = False) -> Iterator[Connection]:
        """A connection inside a transaction, with database errors in plain words; set `write` to change anything."""
        with plain_words(self.name), self.engine.connect() as connection:
            connection.execution_options(kiebitz_write=write)
            with connection.begin():
                yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A transaction in which rows are read; what no row can hold means that the file is damaged."""
        try:
            with self.transaction() as connection:
                yield connection
        except Error:
            raise
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
            struct.error,
        ) as error:
            raise StoreError(f"{self.name}: {DAMAGED}") from error

    def _lock(self, connection: Connection) -> None:
        """Locks out others until the end of the transaction; in SQLite every write does that by itself."""
        if self.engine.dialect.name == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(LOCK)))

    def _checked(self, run: int, rows: Iterable[Row]) -> dict[int, Values]:
        games: dict[int, Values] = {}
        for row in rows:
            try:
                values = to_values(run, row)
            except (TypeError, ValueError) as error:
                raise StoreError(f"game {row.number!r:.20}: {error!s:.200}") from None
            first = games.setdefault(row.number, values)
            if first is not values and not same_game(first, values):
                raise self._differs(run, row.number)
        return games

    def _write(self, connection: Connection, games: list[Values]) -> None:
        if self.engine.dialect.positional:  # straight to the driver: SQLAlchemy would check every value of every row
            connection.exec_driver_sql(self._insert, games)
        else:
            connection.execute(insert(GAMES), [dict(zip(COLUMNS, values, strict=True)) for values in games])

    def _differs(self, run: int, number: int) -> StoreError:
        return StoreError(
            f"{self.name}: game {number} of run {run} is already stored with other moves or another result; expected "
            "the same game again (was this plan played elsewhere, by agents that do not repeat their moves?)"
        )

    def _missing(self, run: int) -> StoreError:
        return StoreError(f"{self.name}: there is no run {run}")


def _version(connection: Connection) -> str | None:
    """The version of the tables, or None if there are none of ours."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    version = connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalar()
    if version is not None and not isinstance(version, str):
        raise TypeError("expected the version of the tables as text")
    return version


def _stored(connection: Connection, run: int, numbers: list[int]) -> dict[int, Values]:
    found: dict[int, Values] = {}
    for first in range(0, len(numbers), CHUNK):
        some = GAMES.c.number.in_(numbers[first : first + CHUNK])
        found |= {row.number: tuple(row) for row in connection.execute(select(GAMES).where(GAMES.c.run == run, some))}
    return found


def _info(row: Any) -> RunInfo:
    data = dict(row._mapping)
    data["plan"] = json.loads(data["plan"])
    for key in ("test", "training"):
        data[key] = data[key] and json.loads(data[key])
    if not all(isinstance(data[key] or {}, dict) for key in ("plan", "test", "training")):
        raise TypeError("expected the plan of a run")
    for key in ("created", "finished"):
        data[key] = data[key] and data[key].replace(tzinfo=UTC)
    return RunInfo(**data)


def _size(plan: Mapping[str, Any]) -> int:
    """How much was asked for: games, or steps of a training."""
    return int(plan.get("games") or plan.get("steps") or 0)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


def _printable(text: str) -> str:
    """Text that any database accepts: arguments of a command can hold bytes that are not text."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")
