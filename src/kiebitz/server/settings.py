"""The settings of a server."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """Where the store is, which hosts are served, and the limits on load."""

    db: str | Path | None = None
    """A path or a URL; None: the user's own store."""
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    """Names that the server answers to (header Host, without the port), in addition to IP addresses; ``*`` for any."""
    page: Path = Path(__file__).parent / "page"
    """The built page."""
    threads: int = 16
    """Threads for bots to move, and as many for secret rounds; the more bots wait for one, the less time each gets."""
    bot_mb: int = 1024
    """Megabytes for the tables and trees of all bots; those that are idle make room for others."""
    analyses: int = max(2, os.cpu_count() or 2)
    """Threads for analyses, and as many each for reviews and for short pieces of work."""
    queue: int = 200
    """Analyses that may wait for a thread, and as many short pieces of work."""
    queue_per_address: int = 40
    """Of these, those that one address may have."""
    tables: int = 500
    """Tables in memory; one that nobody has looked at lately makes room for another, and stays in the store."""
    kept_tables: int = 20_000
    """Tables in the store; where there are more, those unused for longest are deleted with their games. What was shared
    stays."""
    tables_per_address: int = 150
    """Tables in memory that were opened from one address."""
    rest_seconds: float = 60.0
    """Time without spectators or players after which bots pause, and a table that nobody ever looked at leaves the
    memory. Agents that were idle for this time are dropped; they are built again when needed."""
    hold_seconds: float = 10.0
    """Time after the last look at a table during which it does not make room for another."""
    idle_seconds: float = 900.0
    """Time without spectators or players after which any table leaves the memory."""
    sweep_seconds: float = 10.0
    """Time between two searches for such tables."""
    sockets: int = 1000
    sockets_per_address: int = 250
    rate: float = 200.0
    """Requests per second that an address or a token may send in the long run."""
    burst: int = 400
    """Requests that it may send at once."""
    table_rate: float = 2.0
    """New tables and records per second and address."""
    table_burst: int = 120
    body_bytes: int = 256 * 1024
    record_bytes: int = 200 * 1000
    records_bytes: int = 200 * 1000 * 1000
    """Room for all shared records; where it ends, the oldest are deleted."""
    upload_bytes: int = 4000
    """Bytes of an upload that count as much as one new table."""
    message_bytes: int = 4096
    hello_seconds: float = 5.0
    ping_seconds: float = 20.0
    call_seconds: float = 0.5
    """The least time that a secret round lasts, in which bots have to answer."""
    answer_seconds: float = 30.0
    """The most time for a person to answer in a secret round at a table with thinking time."""
    think_seconds: float = 0.5
    """The time that a searching bot takes for a move in a hidden game, whatever its cards are."""
    search_seconds: float = 5.0
    """The longest time for a search in a game where nothing is hidden."""
    python_seconds: float = 1.0
    """The longest time for a search or an analysis in a game written in Python, which slows everybody down."""
    late_seconds: float = 10.0
    """Time after which a bot is late and the table moves for it."""
    jobs: int = 50
    """Reviews that are kept in memory."""
    jobs_per_address: int = 3
    """Unfinished reviews per address."""
