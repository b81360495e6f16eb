"""All tables of a server: opened, found in memory or in the store, and unloaded when there is no more room."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from kiebitz._core import Game
from kiebitz.server.bots import Threads
from kiebitz.server.clocks import milliseconds
from kiebitz.server.errors import TableError
from kiebitz.server.events import OPEN, Options, Seat, Start
from kiebitz.server.live import Live
from kiebitz.server.settings import Settings
from kiebitz.server.storage import TableStore
from kiebitz.server.store_thread import StoreThread
from kiebitz.server.table import ServerTable
from kiebitz.server.workers import Workers, give_back, give_back_large_blocks
from kiebitz.store.database import StoreError
from kiebitz.store.store import Store

logger = logging.getLogger("kiebitz.server")
T = TypeVar("T")
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


def new_id() -> str:
    """An id that reveals nothing and cannot be guessed.

    >>> new_id() != new_id()
    True
    """
    return secrets.token_urlsafe(9)


def new_token() -> str:
    """A new token, which proves a seat."""
    return secrets.token_urlsafe(24)


class Hub:
    """The tables, the thread of the store, and the threads for each kind of work."""

    def __init__(self, settings: Settings, draw: Callable[[int], int] = secrets.randbits) -> None:
        self.settings = settings
        self._draw = draw
        """Draws a random number with the given number of bits from the system's source; tests pass their own."""
        self.started = milliseconds()
        self.lives: dict[str, Live] = {}
        give_back_large_blocks()
        self.bots = Threads(settings)
        self.analyses = Workers(settings.analyses, settings.queue, "analysis", settings.queue_per_address)
        self.reviews = Workers(settings.analyses, settings.jobs, "review")
        """Reviews take minutes, so nothing else may wait for them."""
        self.chores = Workers(settings.analyses, settings.queue, "chore", settings.queue_per_address)
        """Work that a request waits for and that takes a moment: opening a table, leaving a seat, uploads, replays."""
        self._recent: list[str] = []
        self._store = StoreThread(self._open_store)
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._sweeping: asyncio.Task[None] | None = None

    # --- The store ----------------------------------------------------------------------------------------------------

    def _open_store(self) -> TableStore:
        """The store; a damaged one is refused before anything is served."""
        store = TableStore(Store.open(self.settings.db))
        try:
            self._recent = store.recent(self.settings.tables // 2)
        except BaseException:
            store.close()
            raise
        return store

    async def open(self) -> None:
        """Loads the tables that were used last, and starts to unload tables that nobody uses."""
        self._sweeping = asyncio.get_running_loop().create_task(self._sweep())
        for id in self._recent:
            try:
                await self._load(id)
            except (StoreError, TableError) as error:
                logger.warning("%s", error)

    async def read(self, work: Callable[[TableStore], T]) -> T:
        """Runs some work with the store in its thread."""
        return await self._store.read(work)

    async def save(self, work: Callable[[TableStore], None]) -> None:
        """Writes something; what comes from many tables at the same time is written together."""
        await self._store.write(work)

    async def share(self, record: dict[str, Any], played: tuple[str, int] | None = None) -> str:
        """Keeps a record for everybody who knows its id, which cannot be guessed, and returns that; ``played`` is the
        table and the number of its game, which has one id only."""
        id, most = new_token()[:16], self.settings.records_bytes
        known = None if played is None else await self.read(lambda store: store.shared_as(*played))
        if known is not None:
            return known
        await self.save(lambda store: store.share(id, record, most, played))
        return id

    async def close(self) -> None:
        """Ends all tables; the store has them."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        while self._loading:  # or a table would come to life in a closed hub
            await asyncio.wait(self._loading.values())
        for live in list(self.lives.values()):
            await live.close()
        self.lives.clear()
        self.bots.close()
        for workers in (self.analyses, self.reviews, self.chores):
            workers.close()
        await self._store.close()

    # --- Tables -------------------------------------------------------------------------------------------------------

    def new_seed(self) -> int:
        """What decides a deal, small enough for JSON in a browser."""
        return self._draw(53)

    async def create(
        self,
        game: Game,
        options: Options,
        seats: Sequence[Seat],
        owner: str | None,
        opener: str | None = None,
        *,
        start: Start | None = None,
        seed: int | None = None,
    ) -> Live:
        """Opens a table and deals the first game, or goes on from ``start``; ``opener`` is the address that this was
        asked from, and ``seed`` a prepared deal."""
        own = opener is None or await self._make_room(self.settings.tables_per_address, opener)
        if not own or not await self._make_room(self.settings.tables):
            raise TableError("too_many_tables", "there are too many tables at the moment; try again later")
        table = ServerTable(new_id(), game, options, seats, secret=self._draw(62), owner=owner)
        dealt = self.new_seed() if seed is None else seed
        await self.save(lambda store: store.create(table, dealt, start, self.settings.kept_tables))
        table.begin(1, dealt, start)
        return self._add(table, 0, opener)

    async def live(self, id: str) -> Live:
        """A table by its id; it may have to be loaded from the store."""
        if id in self.lives:
            self.lives[id].touch()
            return self.lives[id]
        if not _ID.fullmatch(id):
            raise TableError("unknown_table", "there is no such table")
        if id not in self._loading:
            self._loading[id] = asyncio.get_running_loop().create_task(self._load_and_touch(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load_and_touch(self, id: str) -> Live:
        live = await self._load(id)
        live.touch()  # before it could be unloaded
        return live

    async def _load(self, id: str) -> Live:
        table, events = await self.stored(id)
        await self._make_room(self.settings.tables)  # if all are in use, there is one too many for a while
        return self._add(table, events, rests=True)

    async def stored(self, id: str) -> tuple[ServerTable, int]:
        """A table as the store has it, and the number of events in its game."""
        found = await self.read(lambda store: store.load(id))
        if found is None:
            raise TableError("unknown_table", "there is no such table")
        return found

    async def position(self, id: str) -> tuple[int, int]:
        """Which game of a table runs in the store, and the number of its events."""
        return await self.read(lambda store: store.position(id))

    def _add(self, table: ServerTable, events: int, opener: str | None = None, *, rests: bool = False) -> Live:
        live = Live(table, events, self, self.bots, self.settings, opener=opener, rests=rests, started=self.started)
        self.lives[table.id] = live
        return live

    async def _make_room(self, most: int, opener: str | None = None) -> bool:
        """Makes room for one more table, of all or of those opened from one address; false if there is none.

        A table that nobody has ever looked at is unloaded first, then the one unused for longest. A table that was in
        use a moment ago stays: its player may be about to act.
        """
        while True:
            lives = [live for live in self.lives.values() if opener is None or live.opener == opener]
            if len(lives) < most:
                return True
            held = self.settings.hold_seconds
            left = [live for live in lives if not live.watchers and (not live.touched or live.unused >= held)]
            if not left:
                return False
            await self._unload(min(left, key=lambda live: (live.touched, live.used)))

    async def _unload(self, live: Live) -> None:
        del self.lives[live.table.id]
        await live.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(self.settings.sweep_seconds)
            try:
                await self.sweep()
            except Exception:
                logger.exception("tables could not be unloaded")

    async def sweep(self) -> None:
        """Frees what is not needed: agents of bots that have been idle for a while, and tables that nobody uses."""
        settings = self.settings
        now = asyncio.get_running_loop().time()
        for live in list(self.lives.values()):
            if now - live.bots.asked > settings.rest_seconds:
                live.bots.forget()
            idle = not live.watchers and live.unused > (
                settings.idle_seconds if live.touched else settings.rest_seconds
            )
            if idle and self.lives.get(live.table.id) is live:
                await self._unload(live)
        if self.bots.forgotten:
            self.bots.forgotten = False
            await self.chores.run(give_back)

    def listed(self) -> list[dict[str, Any]]:
        """The tables that somebody can sit down at or watch, the newest first."""
        out = []
        for live in reversed(list(self.lives.values())):
            table = live.table
            free = any(seat.kind == OPEN for seat in table.seats)
            if free or not table.finished:
                out.append(
                    {
                        "table": table.id,
                        "game": {"name": table.game.name, "title": table.game.info.title},
                        "seats": [{"name": seat.name, "kind": seat.kind} for seat in table.seats],
                        "open": table.options.open,
                        "free": free,
                        "games": table.options.games,
                        "played": len(table.scores),
                        "over": table.over,
                    }
                )
        return out[:200]
