"""The tables of the store, and how a `Row` becomes the values of a table and back.

A change here needs a new file in `migrations/versions` and a new number in `VERSION`; a test compares the two. Values
by seat are one JSON list per column, so that SQL can look into them. Actions are bytes, because they are most of a row.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import index
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

from kiebitz.store.rows import Row

VERSION = "0005"
"""The newest migration. Versions have four digits, so that they sort as text."""

METADATA = MetaData()

RUNS = Table(
    "runs",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("identity", String(64), nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("plan", Text, nullable=False),
    Column("command", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("hardware", Text, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("finished", DateTime),
    Column("seconds", Float, nullable=False),
    Column("done", BigInteger, nullable=False),
    Column("test", Text),
    Column("training", Text),
    sqlite_autoincrement=True,  # the number of a deleted run is never used again
)
"""Times are UTC. `done` is the number of games, so that a list of runs need not count them; `test` is the state of a
sequential test, `training` what became of the training of a net."""

GAMES = Table(
    "games",
    METADATA,
    Column("run", Integer, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("deal", BigInteger, nullable=False),
    Column("seating", Text, nullable=False),
    Column("payoffs", Text, nullable=False),
    Column("plies", BigInteger, nullable=False),
    Column("choices", BigInteger, nullable=False),
    Column("moves", Text, nullable=False),
    Column("seconds", Text, nullable=False),
    Column("slowest", Text, nullable=False),
    Column("events", Text),
    Column("metrics", Text),
    Column("actions", LargeBinary),
)
"""The primary key makes sure that no game is stored twice."""

TABLES = Table(
    "tables",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("seats", Text, nullable=False),
    Column("secret", BigInteger, nullable=False),
    Column("owner", String(64)),
    Column("number", BigInteger, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("used", DateTime, nullable=False),
)
"""Tables of the browser. `seats` and `version` are those at the start of game `number`; tokens are stored as hashes."""

TABLE_GAMES = Table(
    "table_games",
    METADATA,
    Column("table_id", String(40), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("seed", BigInteger, nullable=False),
    Column("returns", Text),
    Column("record", Text),
    Column("curve", Text),
    Column("start", Text),
)
"""Games of a table; finished ones have payoffs and a record. `start` is the position that a game began with, if it was
not dealt."""

TABLE_EVENTS = Table(
    "table_events",
    METADATA,
    Column("table_id", String(40), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("game", BigInteger, primary_key=True, autoincrement=False),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    Column("seat", Integer),
    Column("action", BigInteger),
    Column("data", Text),
)
"""What happened in a game of a table, hidden answers included, in order."""

SHARED_RECORDS = Table(
    "shared_records",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("record", Text, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("table_id", String(40)),
    Column("game", BigInteger),
    Index("shared_records_by_table", "table_id", "game"),
)
"""Games that anybody with the link can look at; `table_id` and `game` are where they were played, if that was here."""

REVIEWS = Table(
    "reviews",
    METADATA,
    Column("record_id", String(40), ForeignKey("shared_records.id", ondelete="CASCADE"), primary_key=True),
    Column("effort", String(20), primary_key=True),
    Column("review", Text, nullable=False),
    Column("created", DateTime, nullable=False),
)
"""What reviews of shared games found, by effort."""

COLUMNS = tuple(column.name for column in GAMES.columns)
TIMINGS = ("seconds", "slowest", "events")
"""What may differ when the same game is played again: times, and messages about what went wrong."""
_DECISIVE = tuple(i for i, name in enumerate(COLUMNS) if name not in TIMINGS)

Values = tuple[Any, ...]
"""A game in the order of COLUMNS."""

to_text = json.JSONEncoder(separators=(",", ":"), allow_nan=False, sort_keys=True).encode
"""Plain ASCII, so that any database accepts it; equal values give equal text."""


def to_values(run: int, row: Row) -> Values:
    """A row as it is stored; raises TypeError or ValueError if it cannot be stored."""
    if row.number < 0:
        raise ValueError("number: expected 0 or more")
    return (
        run,
        index(row.number),
        index(row.deal),
        _ints_text(row.seating),
        _floats_text(row.payoffs),
        index(row.plies),
        index(row.choices),
        _ints_text(row.moves),
        _floats_text(row.seconds),
        _floats_text(row.slowest),
        to_text(row.events) if row.events else None,
        metrics_text(row.metrics) if row.metrics else None,
        pack(row.actions) if row.actions else None,
    )


def to_row(values: Sequence[Any]) -> Row:
    """The inverse of `to_values`; the number of the run, which comes first, is left out."""
    _, number, deal, seating, payoffs, plies, choices, moves, seconds, slowest, events, metrics, actions = values
    return Row(
        number,
        deal,
        _ints(seating),
        _floats(payoffs),
        plies,
        choices,
        _ints(moves),
        _floats(seconds),
        _floats(slowest),
        tuple((seat, kind, words) for seat, kind, words in json.loads(events)) if events else (),
        json.loads(metrics) if metrics else {},
        unpack(actions) if actions else (),
    )


def same_game(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether two stored rows are the same game, however long it took.

    >>> row = Row(0, 0, (0, 1), (1.0, -1.0), 5, 20, (3, 2), (0.1, 0.2), (0.05, 0.15))
    >>> slower = Row(0, 0, (0, 1), (1.0, -1.0), 5, 20, (3, 2), (0.3, 0.2), (0.25, 0.15))
    >>> same_game(to_values(1, row), to_values(1, slower))
    True
    """
    return all(one[i] == other[i] for i in _DECISIVE)


def pack(actions: Sequence[int]) -> bytes:
    """Actions in as few bytes as the largest one needs: a letter for the width, as in `struct`, then the numbers.

    >>> pack((1, 2, 3)), pack((1, 300))
    (b'B\\x01\\x02\\x03', b'H\\x01\\x00,\\x01')
    >>> unpack(pack((1, 300)))
    (1, 300)
    """
    try:
        return b"B" + bytes(actions)
    except ValueError:
        top = max(actions)
    code = "H" if top < 1 << 16 else "I" if top < 1 << 32 else "Q"
    try:
        return code.encode() + struct.pack(f"<{len(actions)}{code}", *actions)
    except struct.error:
        raise ValueError("actions: expected whole numbers from 0 to 2^64 - 1") from None


def unpack(data: bytes) -> tuple[int, ...]:
    """The inverse of `pack`."""
    if data[0] == ord("B"):
        return tuple(data[1:])
    code = chr(data[0])
    return struct.unpack(f"<{(len(data) - 1) // struct.calcsize(f'<{code}')}{code}", data[1:])


# Values by seat repeat from game to game (times of zero, too): a cache is faster than JSON.


@lru_cache(maxsize=4096)
def _ints_text(values: tuple[int, ...]) -> str:
    return to_text([index(value) for value in values])


@lru_cache(maxsize=4096)
def _floats_text(values: tuple[float, ...]) -> str:
    return to_text([float(value) for value in values])


@lru_cache(maxsize=4096)
def _ints(text: str) -> tuple[int, ...]:
    return tuple(json.loads(text))


@lru_cache(maxsize=4096)
def _floats(text: str) -> tuple[float, ...]:
    return tuple(map(float, json.loads(text)))


def metrics_text(metrics: Mapping[str, Any]) -> str:
    """Measured values as JSON; None in place of numbers that JSON does not have."""
    try:
        return to_text(metrics)
    except ValueError:  # a metric may be the mean of no values
        return to_text(_finite(metrics))


def _finite(data: Any) -> Any:
    """The same data with None in place of numbers that JSON does not have."""
    if isinstance(data, float) and not math.isfinite(data):
        return None
    if isinstance(data, Mapping):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return data
