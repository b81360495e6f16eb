"""Bots at a table: their agents, one computation at a time for each, and response times that reveal nothing.

In a hidden game a searching bot takes a fixed time for a move, whatever its cards are: its search is stopped before the
time is up, and an early answer is held back. When there are more bots than threads, searches get less time, and a bot
that had to wait long answers later: both depend on the load of the server, never on the bot's cards.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from kiebitz._core import Game, StopToken, View
from kiebitz.agents import Agent, agent, agent_class
from kiebitz.errors import UnknownName
from kiebitz.server.memory import Memory
from kiebitz.server.settings import Settings
from kiebitz.server.workers import Workers
from kiebitz.spec import parse

logger = logging.getLogger("kiebitz.server")

MARGIN = 0.4
"""Share of the fixed time that remains when a search is told to stop: some stop late."""
PATIENCE = 1.5
"""About how many seconds a bot may have to wait for a thread."""
OFTEN = 0.1
"""Seconds between two checks of the queue."""
SIZES = 1000
"""Specs whose memory is remembered."""
SLOW = "was too slow: the table moved"
FAILED = "failed: the table moved"


@dataclass(frozen=True)
class Thought:
    """A bot's answer: an action, or why there is none."""

    action: int | None
    note: str | None = None
    due: float = 0.0
    """The earliest time at which it may be shown."""


class Threads:
    """The threads in which bots search, separate ones for secret rounds, whose answers never wait for a move."""

    def __init__(self, settings: Settings) -> None:
        # Queues never fill up: a table asks each bot for one thing at a time.
        room = settings.tables * 10
        self.calls = Workers(settings.threads, room, "call")
        self.moves = Workers(settings.threads, room, "bot")
        self.python = Workers(1, room, "python")
        """For games written in Python: their searches hold the interpreter lock, so more threads would only wait."""
        self.memory = Memory(settings.bot_mb)
        self.forgotten = False
        """Whether agents were dropped since freed memory was last returned to the system."""
        self._sizes: dict[tuple[str, str], float] = {}
        self._sizing = threading.Lock()

    def megabytes(self, spec: str, game: Game) -> float:
        """How much memory a bot takes. One is built to find out; all others find room before they are built."""
        key = spec, json.dumps(game.to_json())
        known = self._sizes.get(key)
        if known is not None:
            return known
        with self._sizing:  # one at a time
            if key not in self._sizes:
                if len(self._sizes) >= SIZES:
                    self._sizes.clear()
                self._sizes[key] = agent(spec, game).megabytes
            return self._sizes[key]

    def close(self) -> None:
        """Takes no more work."""
        for workers in (self.calls, self.moves, self.python):
            workers.close()


class Bots:
    """The bots of one table."""

    def __init__(self, game: Game, threads: Threads, settings: Settings) -> None:
        self.game = game
        self.threads = threads
        self.settings = settings
        self.asked = -math.inf
        """When a bot was last asked."""
        self._agents: dict[int, tuple[str, int, Agent]] = {}
        self._running: dict[int, tuple[asyncio.Future[int], StopToken]] = {}

    def hold(self, spec: str) -> float:
        """The fixed time that a bot takes for a move: 0 if nothing is hidden, or if it does not search."""
        return 0.0 if not self.game.info.hidden or _quick(spec) else self.settings.think_seconds

    async def move(self, view: View, spec: str, seed: int) -> Thought:
        """Asks for a move; the bot has the time that `hold` returns, or else the longest time for a search."""
        if (thought := self.at_once(view, spec, seed)) is not None:
            return thought
        asked, hold = asyncio.get_running_loop().time(), self.hold(spec)
        late = asked + self.settings.late_seconds
        workers = self.threads.python if self.game.needs_interpreter else self.threads.moves
        longest = self.settings.python_seconds if self.game.needs_interpreter else self.settings.search_seconds

        def times(started: float) -> tuple[float, float]:
            if not hold:
                return min(started + longest, late - MARGIN * (late - asked)), started
            due = max(asked + hold, started + hold / 2)  # a bot that had to wait has less time
            return due - MARGIN * hold, due

        return await self._think(view, spec, seed, workers, patience=PATIENCE, times=times, late=late)

    async def answer(self, view: View, spec: str, seed: int, seconds: float, until: float) -> Thought:
        """Asks a bot that searches for an answer in a secret round that ends at ``until``; it may take ``seconds``."""
        workers = self.threads.python if self.game.needs_interpreter else self.threads.calls
        patience = (until - asyncio.get_running_loop().time()) / 2

        def times(started: float) -> tuple[float, float]:
            return started + seconds, until

        return await self._think(view, spec, seed, workers, patience=patience, times=times, late=until)

    def at_once(self, view: View, spec: str, seed: int) -> Thought | None:
        """Asks a bot that does not search, in this thread: that is quicker than handing it to another. None for a bot
        that searches."""
        if not _quick(spec):
            return None
        self.asked = asyncio.get_running_loop().time()
        try:
            action = int(self._agent(view, spec, seed).act(view))
        except Exception:
            logger.exception("a bot failed: %s", spec)
            return Thought(None, FAILED)
        return _checked(view, spec, Thought(action))

    async def _think(
        self,
        view: View,
        spec: str,
        seed: int,
        workers: Workers,
        *,
        patience: float,
        times: Callable[[float], tuple[float, float]],
        late: float,
    ) -> Thought:
        """Asks a bot as soon as a thread is free. ``times`` maps the start of its search to when it is stopped and when
        its answer may be shown; it is stopped sooner while others wait, and given up at ``late``."""
        loop = asyncio.get_running_loop()
        self.asked = loop.time()
        seat = view.observer
        await self._last(seat)
        begun: asyncio.Future[float] = loop.create_future()
        stop = StopToken()
        memory = self.threads.memory

        def work() -> int:
            if stop.requested:
                raise TimeoutError
            size = self.threads.megabytes(spec, view.game)
            try:
                with memory.room((self, seat), size, drop, lambda: stop.requested):
                    return think()  # whose reference to the agent ends before its room
            finally:
                if seat not in self._agents:  # forgotten meanwhile
                    memory.forget((self, seat))

        def think() -> int:
            bot = self._agent(view, spec, seed)
            loop.call_soon_threadsafe(_set, begun, loop.time())
            bot.stop = stop
            return int(bot.act(view))

        def drop() -> None:
            self.threads.forgotten = True
            self._agents.pop(seat, None)

        running = workers.run(work)
        self._running[seat] = running, stop
        due = late
        try:
            await asyncio.wait({begun}, timeout=late - loop.time())
            if begun.done():
                started = begun.result()
                end, due = times(started)
                while not running.done() and (left := min(end, started + workers.share(patience)) - loop.time()) > 0:
                    await asyncio.wait({running}, timeout=min(left, OFTEN))
                stop.request()
                await asyncio.wait({running}, timeout=max(0.0, late - loop.time()))
            if not running.done():
                return Thought(None, SLOW, due)
            action = running.result()
        except Exception:
            logger.exception("a bot failed: %s", spec)
            return Thought(None, FAILED, due)
        finally:
            stop.request()
            if not begun.done():
                running.cancel()  # it leaves the queue
        return _checked(view, spec, Thought(action, None, due))

    async def _last(self, seat: int) -> None:
        """Waits for a seat's last computation, in case it was given up; searches end when they are told to."""
        if seat in self._running:
            await asyncio.wait({self._running[seat][0]}, timeout=self.settings.late_seconds)

    def _agent(self, view: View, spec: str, seed: int) -> Agent:
        """The agent of a seat, made for the rules of this deal."""
        seat = view.observer
        found = self._agents.get(seat)
        if found is None or found[:2] != (spec, seed):
            found = self._agents[seat] = spec, seed, agent(spec, view.game, seed)
        return found[2]

    def forget(self) -> None:
        """Drops the agents and their memory; they are built again when needed, and play the same."""
        self.threads.forgotten |= bool(self._agents)
        self.threads.memory.forget(*((self, seat) for seat in self._agents))
        self._agents.clear()

    def close(self) -> None:
        """Stops all searches."""
        for _, stop in self._running.values():
            stop.request()
        self.forget()


def _checked(view: View, spec: str, thought: Thought) -> Thought:
    if thought.action in view.legal():
        return thought
    logger.error("a bot played %r, which is not legal: %s", thought.action, spec)
    return Thought(None, FAILED, thought.due)


@lru_cache(maxsize=1000)
def _quick(spec: str) -> bool:
    try:
        return not agent_class(parse(spec).name).searches
    except UnknownName:  # an agent that this server was not started with
        return False


def _set(future: asyncio.Future[float], value: float) -> None:
    if not future.done():
        future.set_result(value)
