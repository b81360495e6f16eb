"""What the persons at a table say to each other: plain text, in memory only, for everybody at this table to read.

Nothing of it is stored, neither with the table nor in records. Bots say nothing.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from kiebitz.server.errors import TableError
from kiebitz.server.limits import Buckets
from kiebitz.server.table import ServerTable

LONGEST = 200
"""Characters of a line."""
KEPT = 50
"""Lines that can still be read."""
RATE, BURST = 0.5, 5
"""Lines per second that a person may write in the long run, and at once."""


class Chat:
    """The last lines at a table.

    >>> import kiebitz as kb
    >>> from kiebitz.server.events import Options, Seat
    >>> table = ServerTable("t", kb.game("nim"), Options(), [Seat("person", "Ada"), Seat("person", "Bob")], secret=1)
    >>> chat = Chat()
    >>> chat.say(table, 1, " hello ")
    >>> chat.part(table)
    {'open': True, 'lines': [{'number': 1, 'name': 'Bob', 'text': 'hello'}]}
    """

    def __init__(self) -> None:
        self.count = 0
        """Lines that were ever written."""
        self._lines: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self._often = Buckets(RATE, BURST)

    def say(self, table: ServerTable, seat: int, text: str) -> None:
        """Adds a line by the person at a seat."""
        if not _open(table):
            raise TableError("no_chat", "there is no chat at this table")
        said = "".join(char for char in text if char.isprintable()).strip()
        if not said:
            raise TableError("invalid", "text: expected something to read")
        if not self._often.take(str(seat)):
            raise TableError("too_many", "too many lines at once; wait a moment")
        self.count += 1
        self._lines.append({"number": self.count, "name": table.seats[seat].name, "text": said})

    def part(self, table: ServerTable) -> dict[str, Any] | None:
        """The chat as everybody reads it, and whether the persons can write; None where it was switched off."""
        return {"open": _open(table), "lines": list(self._lines)} if table.options.chat else None


def _open(table: ServerTable) -> bool:
    """Whether there is somebody to talk to."""
    return table.options.chat and len(table.persons()) > 1
