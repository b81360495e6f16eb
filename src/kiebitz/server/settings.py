"""What a server can be told when it is started."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """Where the store is, who may ask, and how much at once."""

    db: str | Path | None = None
    """A path or a URL; nothing: the user's own store."""
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    """Names under which the server answers (header Host, without the port), beside numbers; ``*`` for any."""
    page: Path = Path(__file__).parent / "page"
    """The built page."""
    threads: int = 16
    """Bots that think at once; searches share the processors fairly, so that a slow one does not hold up the others."""
    analyses: int = max(2, os.cpu_count() or 2)
    """Analyses that run at once; as many reviews, and as many short pieces of work."""
    queue: int = 200
    """Computations that may wait."""
    tables: int = 500
    """Tables in memory."""
    idle_seconds: float = 3600.0
    """A table that nobody looks at for so long may leave the memory (not the store) when room is needed."""
    sockets: int = 1000
    sockets_per_address: int = 250
    rate: float = 200.0
    """Requests a second that an address or a token may send for long."""
    burst: int = 400
    """Requests that it may send at once."""
    table_rate: float = 2.0
    """New tables and records a second for an address."""
    table_burst: int = 120
    body_bytes: int = 256 * 1024
    record_bytes: int = 200 * 1000
    message_bytes: int = 4096
    hello_seconds: float = 5.0
    ping_seconds: float = 20.0
    call_seconds: float = 0.5
    """How long a round of prompts lasts at least, and what bots have to answer in it."""
    think_seconds: float = 0.5
    """How long a bot that searches takes for a move in a hidden game, whatever its cards are."""
    late_seconds: float = 10.0
    """After so long a bot is late and the table moves for it."""
    jobs: int = 50
    """Reviews that are kept."""
    jobs_per_address: int = 3
    """Reviews of one address that may wait or run."""
