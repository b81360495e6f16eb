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
    """Searches of bots at once, and as many in call rounds; where more wait, each has less time."""
    analyses: int = max(2, os.cpu_count() or 2)
    """Analyses that run at once; as many reviews, and as many short pieces of work."""
    queue: int = 200
    """Computations that may wait."""
    tables: int = 500
    """Tables in memory; one that nobody has looked at for long makes room for another, and stays in the store."""
    tables_per_address: int = 150
    """Tables in memory that were opened from one address."""
    rest_seconds: float = 60.0
    """After so long without anybody bots wait, and tables that nobody has ever looked at leave the memory. Agents that
    were not asked for so long are dropped, and built again when they are."""
    hold_seconds: float = 10.0
    """For so long after somebody has looked a table makes no room for another."""
    idle_seconds: float = 900.0
    """After so long without anybody every table leaves the memory."""
    sweep_seconds: float = 10.0
    """How often it is looked for such tables."""
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
    search_seconds: float = 5.0
    """How long a search may take in a game where nothing is hidden."""
    python_seconds: float = 1.0
    """How long a search or an analysis may take in a game written in Python: it slows everybody down."""
    late_seconds: float = 10.0
    """After so long a bot is late and the table moves for it."""
    jobs: int = 50
    """Reviews that are kept."""
    jobs_per_address: int = 3
    """Reviews of one address that may wait or run."""
