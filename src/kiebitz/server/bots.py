"""Bots at a table: their agents, one computation at a time, and times that tell nothing.

In a hidden game a bot that searches takes a fixed time for a move, whatever its cards are: the search is stopped when
the time is over, and an answer that was there before waits.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass

from kiebitz._core import Game, StopToken, View
from kiebitz.agents import Agent, agent
from kiebitz.server.settings import Settings
from kiebitz.server.workers import Workers
from kiebitz.spec import parse

logger = logging.getLogger("kiebitz.server")

QUICK = ("random", "rule_of_thumb", "nim_perfect", "greedy")
"""Agents that do not search: their time never tells anything."""
MARGIN = 0.1
"""Share of its time before the end at which a search is stopped."""
SLOW = "was too slow: the table moved"
FAILED = "failed: the table moved"


@dataclass(frozen=True)
class Thought:
    """What came of asking a bot: an action, or why there is none."""

    action: int | None
    note: str | None = None
    started: float = 0.0


class Bots:
    """The bots of one table; one of them thinks at a time."""

    def __init__(self, game: Game, workers: Workers, settings: Settings) -> None:
        self.game = game
        self.workers = workers
        self.settings = settings
        self._agents: dict[tuple[int, str, int], Agent] = {}
        self._stop: StopToken | None = None
        self._running: asyncio.Future[int] | None = None

    def hold(self, spec: str) -> float:
        """How long a bot takes for a move in a hidden game."""
        return 0.0 if not self.game.info.hidden or parse(spec).name in QUICK else self.settings.think_seconds

    async def think(self, view: View, spec: str, seed: int, seconds: float | None = None) -> Thought:
        """Asks a bot. It is stopped after the time it has (``seconds``, or what `hold` says) and given up soon after.

        Waits for a computation of this table that has not ended yet, and for a free thread.
        """
        await self._last()
        begun: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        stop = self._stop = StopToken()
        loop = asyncio.get_running_loop()

        def work() -> int:
            loop.call_soon_threadsafe(_set, begun, loop.time())
            if stop.requested:
                raise TimeoutError
            who = self._agent(view.observer, spec, seed)
            who.stop = stop
            return int(who.act(view))

        limit = seconds or self.hold(spec) or self.settings.late_seconds / 2
        self._running = self.workers.run(work)
        try:
            started = await begun
            done, _ = await asyncio.wait({self._running}, timeout=limit * (1 - MARGIN))
            if not done:
                stop.request()
                grace = limit * MARGIN if seconds else self.settings.late_seconds - limit
                done, _ = await asyncio.wait({self._running}, timeout=max(0.0, grace))
            if not done:
                return Thought(None, SLOW, started)
            action = self._running.result()
        except asyncio.CancelledError:
            stop.request()
            raise
        except Exception:
            logger.exception("a bot failed: %s", spec)
            return Thought(None, FAILED, loop.time())
        if action not in view.legal():
            logger.error("a bot played %r, which is not legal: %s", action, spec)
            return Thought(None, FAILED, started)
        return Thought(action, None, started)

    async def _last(self) -> None:
        """Waits for what was given up; searches end when they are told to."""
        if self._running is not None and not self._running.done():
            if self._stop is not None:
                self._stop.request()
            await asyncio.wait({self._running}, timeout=self.settings.late_seconds)

    def _agent(self, seat: int, spec: str, seed: int) -> Agent:
        key = seat, spec, seed
        if key not in self._agents:
            self._agents = {old: who for old, who in self._agents.items() if old[0] != seat}
            self._agents[key] = agent(spec, self.game, seed)
        return self._agents[key]

    def close(self) -> None:
        """Stops whoever thinks."""
        if self._stop is not None:
            self._stop.request()


def _set(future: asyncio.Future[float], value: float) -> None:
    if not future.done():
        future.set_result(value)


def now() -> float:
    """Seconds on a clock that never goes back."""
    return time.monotonic()
