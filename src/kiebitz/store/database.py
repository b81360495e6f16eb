"""Databases: where they are, how they are opened, and their errors in plain words. Their contents are up to the
caller.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from kiebitz.errors import Error

WAIT = 30.0
"""Seconds to wait for another writer."""


class StoreError(Error):
    """Something that cannot be stored or found. The message says where and why; earlier data is kept."""


def default_path() -> Path:
    """The user's own database, in the folder that the system keeps for application data.

    >>> default_path().name
    'results.db'
    """
    home = Path.home()
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = home / "Library" / "Application Support"
    else:
        given = os.environ.get("XDG_DATA_HOME", "")
        folder = Path(given) if os.path.isabs(given) else home / ".local" / "share"
    return folder / "kiebitz" / "results.db"


def locate(target: str | Path | None) -> tuple[URL, str]:
    """The URL, and a name for messages."""
    if target is None:
        target = os.environ.get("KIEBITZ_DB") or default_path()
    if isinstance(target, Path) or "://" not in target:
        if not str(target):
            raise StoreError("database: expected a path or a URL, got an empty text")
        path = Path(target).expanduser()
        return URL.create("sqlite", database=str(path)), str(path)
    try:
        url = make_url(target)
    except (ArgumentError, ValueError):
        raise StoreError(
            "database: expected a path or a URL such as sqlite:///results.db or postgresql://user@host/name"
        ) from None
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    return url, url.render_as_string(hide_password=True)


def is_closed(error: StoreError) -> bool:
    """Whether a database cannot be opened because its write-ahead log cannot be written beside it."""
    code = getattr(getattr(error.__cause__, "orig", error.__cause__), "sqlite_errorname", "")
    return code.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY"))


def frozen(file: Path) -> URL:
    """The URL that opens a file read-only; as immutable, if no write-ahead log with more data lies beside it."""
    log = file.with_name(f"{file.name}-wal")
    query = {"mode": "ro", "uri": "true"}
    if not log.exists() or not log.stat().st_size:
        query["immutable"] = "1"
    return URL.create("sqlite", database=file.resolve().as_uri().replace("file://", "file:", 1), query=query)


def open_engine(url: URL, name: str, wait: float) -> Engine:
    """An engine for a database, without connecting yet; a writer waits `wait` seconds for another one."""
    lite = url.get_backend_name() == "sqlite"
    try:
        if not lite:
            named = {"client_encoding": "utf8"} if url.drivername == "postgresql+psycopg" else {}
            return create_engine(url, pool_pre_ping=True, connect_args=named)
        engine = create_engine(url, connect_args={"timeout": wait})
    except NoSuchModuleError:
        raise StoreError(f"{name}: unknown kind of database '{url.drivername}'") from None
    except ModuleNotFoundError as error:
        hint = ": pip install 'kiebitz[postgres]'" if error.name == "psycopg" else ""
        raise StoreError(f"{name}: needs the Python package {error.name}{hint}") from None
    except (ArgumentError, TypeError, ValueError) as error:
        raise StoreError(f"{name}: {error!s:.200}") from None

    @event.listens_for(engine, "connect")
    def configure(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # we begin transactions ourselves, and create tables inside them
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA synchronous=NORMAL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer takes the lock at once: reading first and writing later fails if another writer came between.
        # Straight to the driver: SQLAlchemy takes longer to prepare a statement than SQLite to begin.
        write = connection.get_execution_options().get("kiebitz_write")
        connection.connection.cursor().execute("BEGIN IMMEDIATE" if write else "BEGIN")

    return engine


def write_ahead(cursor: Any, wait: float) -> None:
    """Switches a database to a write-ahead log. SQLite does not wait here for another writer (waiting could deadlock),
    so this tries again until the other one is done or has made the switch."""
    end = time.monotonic() + wait
    while True:
        try:
            if cursor.execute("PRAGMA journal_mode").fetchone()[0] == "delete":
                cursor.execute("PRAGMA journal_mode=WAL")
            return  # also if the file system cannot have one, which is not an error
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)


# --- Errors in plain words --------------------------------------------------------------------------------------------

DAMAGED = "the file is damaged; expected one that Kiebitz made: use a copy of it, or a new name"
_WORDS = {
    "SQLITE_NOTADB": "is not a database; expected a file that Kiebitz made, or a new name",
    "SQLITE_BUSY": "another program is writing to it and takes too long; try again later",
    "SQLITE_LOCKED": "another program is writing to it and takes too long; try again later",
    "SQLITE_READONLY": "can be read but not written",
    "SQLITE_CANTOPEN": "cannot be opened; expected a file in a folder that exists and can be written to",
    "SQLITE_FULL": "the disk is full; earlier data is kept",
    "SQLITE_IOERR": "the disk is full or does not work; earlier data is kept",
    "SQLITE_CORRUPT": DAMAGED,
}


@contextmanager
def plain_words(name: str) -> Iterator[None]:
    """Errors of the database as StoreError."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise StoreError(f"{name}: {DAMAGED}") from error
    except (SQLAlchemyError, sqlite3.Error, OverflowError) as error:
        cause = getattr(error, "orig", None) or error
        code = getattr(cause, "sqlite_errorname", "")
        words = next((words for start, words in _WORDS.items() if code.startswith(start)), None)
        lines = str(cause).strip().splitlines() or [type(cause).__name__]
        raise StoreError(f"{name}: {words or lines[0][:200]}") from error
