"""Thinking time: what each person has left in a game. Bots have none, they keep to the times of the server.

The table itself has no clock. Events that are stored at a table with thinking time say when they happened and what
everybody had left then, so a table that is loaded again, here or by another server, goes on from there. The clock of
the player to move runs from the last event on. It does not run before the first action of a game, in secret rounds, at
a paused table, while a seat is open, or while no server is there.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kiebitz.server.events import OPEN, PERSON, Event, Options

if TYPE_CHECKING:
    from kiebitz.server.table import ServerTable


@dataclass(frozen=True)
class Clock:
    """What the seats have left, in milliseconds, since an event."""

    left: tuple[int, ...]
    since: int | None = None
    """When that was, in milliseconds since 1970; None before the first event of a game."""


def milliseconds() -> int:
    """The time now, since 1970.

    >>> milliseconds() > 10**12
    True
    """
    return time.time_ns() // 10**6


def new_clock(options: Options, seats: int) -> Clock | None:
    """The clock at the beginning of a game; None at a table without thinking time.

    >>> new_clock(Options(clock_seconds=60), 2)
    Clock(left=(60000, 60000), since=None)
    """
    return None if options.clock_seconds is None else Clock((options.clock_seconds * 1000,) * seats)


def thinking(table: ServerTable) -> int | None:
    """The person whose clock runs, if anybody's does."""
    seat = table.turn
    if seat is None or table.clock is None or table.clock.since is None or table.control.paused:
        return None
    if table.bot_at(seat) or any(each.kind == OPEN for each in table.seats):
        return None
    return seat


def left_of(table: ServerTable, now: int, started: int) -> list[int]:
    """What the seats have left now at a server that was started then."""
    assert table.clock is not None
    left, seat = list(table.clock.left), thinking(table)
    if seat is not None:
        assert table.clock.since is not None
        left[seat] -= max(0, now - max(table.clock.since, started))
    return [max(0, each) for each in left]


def late(table: ServerTable, now: int, started: int) -> int | None:
    """The person whose time is up."""
    seat = thinking(table)
    return seat if seat is not None and left_of(table, now, started)[seat] == 0 else None


def stamped(table: ServerTable, event: Event, now: int, started: int) -> Event:
    """An event with the time when it happens. Secret answers have none: nobody may learn when they were given."""
    if table.clock is None or event.kind == "answer":
        return event
    left, seat = left_of(table, now, started), thinking(table)
    if seat is not None and event.kind == "act" and event.seat == seat:
        left[seat] += table.options.increment_seconds * 1000
    return replace(event, data={**event.data, "at": now, "left": left})


def moved_on(clock: Clock | None, event: Event) -> Clock | None:
    """The clock after an event.

    >>> moved_on(Clock((60, 60)), Event("act", 0, 3, {"at": 7, "left": [60, 50]}))
    Clock(left=(60, 50), since=7)
    """
    if clock is None or "at" not in event.data:
        return clock
    return Clock(tuple(int(each) for each in event.data["left"]), int(event.data["at"]))


def clock_part(table: ServerTable, now: int, started: int) -> dict[str, Any] | None:
    """What a snapshot says of this: milliseconds that the persons have left now, and whose clock runs."""
    if table.clock is None:
        return None
    left = left_of(table, now, started)
    held = [seat.kind == PERSON and i not in table.control.resigned for i, seat in enumerate(table.seats)]
    return {"left": [each if mine else None for each, mine in zip(left, held, strict=True)], "running": thinking(table)}
