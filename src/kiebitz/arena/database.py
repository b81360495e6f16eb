"""Databases: where they are, how they are opened, and their errors in plain words. What they hold is not known here."""

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
"""Seconds that a writer waits for another one."""


class StoreError(Error):
    """Something that cannot be stored or found. The message says where and why; what was stored before is kept."""


def default_path() -> Path:
    """The user's own database, in the folder that the system has for such data.

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
            raise StoreError("database: expected a path or a URL, got nothing")
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
    """Whether a database cannot be opened because nothing can be written beside it, as a write-ahead log needs."""
    code = getattr(getattr(error.__cause__, "orig", error.__cause__), "sqlite_errorname", "")
    return code.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY"))


def frozen(file: Path) -> URL:
    """A database that nobody can change while it is read, and which has no log beside it with more."""
    log = file.with_name(f"{file.name}-wal")
    query = {"mode": "ro", "uri": "true"}
    if not log.exists() or not log.stat().st_size:
        query["immutable"] = "1"
    return URL.create("sqlite", database=file.resolve().as_uri().replace("file://", "file:", 1), query=query)


def open_engine(url: URL, name: str, wait: float) -> Engine:
    """Connections to a database, none of them open yet; a writer waits so many seconds for another one."""
    lite = url.get_backend_name() == "sqlite"
    try:
        if not lite:
            named = {"client_encoding": "utf8"} if url.drivername == "postgresql+psycopg" else {}  # whatever it stores
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
        connection.isolation_level = None  # transactions begin where we say so, and tables are made inside them
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA synchronous=NORMAL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer takes the lock at once: who reads first and writes later can find that another was faster.
        write = connection.get_execution_options().get("kiebitz_write")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    return engine


def write_ahead(cursor: Any, wait: float) -> None:
    """Changes a database to a write-ahead log. SQLite itself doesn't wait here while another process writes (it reads
    first and could lock both out), so this asks again until the other is done or has made the change."""
    end = time.monotonic() + wait
    while True:
        try:
            if cursor.execute("PRAGMA journal_mode").fetchone()[0] == "delete":
                cursor.execute("PRAGMA journal_mode=WAL")
            return  # also where a file system can have none, which is no error
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)


# --- Errors in plain words --------------------------------------------------------------------------------------------

_WORDS = {
    "SQLITE_NOTADB": "is not a database; expected a file that Kiebitz made, or a new name",
    "SQLITE_BUSY": "another program is writing to it and did not end in time; try again later",
    "SQLITE_LOCKED": "another program is writing to it and did not end in time; try again later",
    "SQLITE_READONLY": "can be read but not written",
    "SQLITE_CANTOPEN": "cannot be opened; expected a file in a folder that is there and can be written to",
    "SQLITE_FULL": "the disk is full; what was stored before is kept",
    "SQLITE_IOERR": "the disk is full or does not work; what was stored before is kept",
    "SQLITE_CORRUPT": "the file is damaged",
}


@contextmanager
def plain_words(name: str) -> Iterator[None]:
    """Errors of the database as StoreError."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OverflowError) as error:
        cause = getattr(error, "orig", None) or error
        code = getattr(cause, "sqlite_errorname", "")
        words = next((words for start, words in _WORDS.items() if code.startswith(start)), None)
        lines = str(cause).strip().splitlines() or [type(cause).__name__]
        raise StoreError(f"{name}: {words or lines[0][:200]}") from error
