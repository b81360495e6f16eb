"""A table that is being played: the pure table, its place in the store, its bots, and its watchers.

Every change goes the same way: checked by the table, stored, made, shown. One change at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import pydantic_core

from kiebitz._core import TERMINAL, State, View
from kiebitz.agents.strengths import CASUAL, spec_of
from kiebitz.arena.play import default_action
from kiebitz.server.bots import MARGIN, Bots, Threads
from kiebitz.server.chat import Chat
from kiebitz.server.clocks import clock_part, late, left_of, milliseconds, stamped, thinking
from kiebitz.server.control import carried, resign
from kiebitz.server.errors import TableError
from kiebitz.server.events import Event
from kiebitz.server.settings import Settings
from kiebitz.server.storage import Finish, OutOfDateError, TableStore
from kiebitz.server.table import ServerTable
from kiebitz.server.views import OpenRound
from kiebitz.store.database import StoreError

logger = logging.getLogger("kiebitz.server")
T = TypeVar("T")
TICK = 100
"""Milliseconds for which what somebody has left is shown as it is."""
RETRY = 5.0
"""Seconds before a bot tries again after the store has failed."""


class Keeper(Protocol):
    """The store, as live tables use it from the event loop."""

    async def save(self, work: Callable[[TableStore], None]) -> None:
        """Writes something."""

    async def stored(self, id: str) -> tuple[ServerTable, int]:
        """Reads a table and the number of events in its game."""

    async def position(self, id: str) -> tuple[int, int]:
        """Reads which game of a table runs and the number of its events."""


class Watcher(Protocol):
    """A client that watches a table over a socket."""

    seat: int | None
    proof: str | None
    """The SHA-256 of the token that the seat is held by."""

    def show(self, message: str) -> None:
        """Sends a message soon; one that still waits is dropped for it."""


@dataclass(frozen=True)
class Told:
    """A snapshot as text, and as a message over sockets; shared by all who see the same."""

    key: Any
    """What it was made from."""
    text: str
    message: str


class Live:
    """A table with its store, bots and watchers."""

    def __init__(
        self,
        table: ServerTable,
        events: int,
        keeper: Keeper,
        threads: Threads,
        settings: Settings,
        *,
        opener: str | None = None,
        rests: bool = False,
        started: int = 0,
    ) -> None:
        self.table = table
        self.events = events
        """Events of this game in the store."""
        self.keeper = keeper
        self.settings = settings
        self.opener = opener
        """The address that the table was opened from, if that is known; never stored."""
        self.started = started
        """When the server was, in milliseconds since 1970: nobody's time runs while there is none."""
        self.bots = Bots(table.game, threads, settings)
        self.chat = Chat()
        self.watchers: set[Watcher] = set()
        self._lock = asyncio.Lock()
        self._texts: dict[int | None, Told] = {}
        self._log: tuple[list[dict[str, Any]], str] = [], "[]"
        self._woken = asyncio.Event()
        loop = asyncio.get_running_loop()
        self.used = self._shown = loop.time()
        """When somebody last looked or acted."""
        self._rests = rests
        self._steps = 0
        """Actions that bots may make although they wait."""
        self.touched = False
        """Whether anybody ever has since the table was loaded."""
        self._driver = loop.create_task(self._drive())

    # --- What people do -----------------------------------------------------------------------------------------------

    async def change(self, propose: Callable[[ServerTable], Event]) -> bool:
        """Makes a change: it is checked, stored and then applied, or refused without any effect. Returns whether the
        change is public; all watchers have then been sent a snapshot.

        If the caller is cancelled while the change is being stored, the table falls behind its store and is reloaded
        before the next change.
        """
        return await self._alone(lambda: self._change(propose))

    async def _change(self, propose: Callable[[ServerTable], Event]) -> bool:
        await self._end_of_time()
        return await self._make(propose(self.table))

    async def _end_of_time(self) -> None:
        """A person whose time is up gives up the game."""
        table = self.table
        seat = late(table, milliseconds(), self.started)
        if seat is not None:
            spec = "" if table.loss_of(seat) else await asyncio.to_thread(spec_of, table.game, CASUAL)
            await self._make(resign(table, seat, table.number, spec, late=True))

    async def _make(self, event: Event) -> bool:
        table, number = self.table, self.events
        event = stamped(table, event, milliseconds(), self.started)
        after, game = table.after(event), table.number
        finish = finish_of(table, event, after)
        await self.keeper.save(lambda store: store.add(table.id, game, number, event, finish))
        version = table.version
        table.apply(event, after)
        self.events += 1
        if table.over:
            self.bots.forget()
        public = table.version != version
        if public:
            self.show()
        return public

    async def begin(self, number: int, seed: int) -> None:
        """Starts the next game of the series."""
        await self._alone(lambda: self._begin(number, seed))

    async def _begin(self, number: int, seed: int) -> None:
        table, events = self.table, self.events
        if number != table.number + 1 or not table.over:
            raise TableError("game_runs", "the next game has begun already")
        first = carried(table)
        await self.keeper.save(lambda store: store.begin(table, events, number, seed, first))
        table.move_on()
        table.begin(number, seed, table.start)
        for event in first:
            table.apply(event)
        self.events = len(first)
        self.show()

    def step(self) -> None:
        """Lets bots that wait make one action."""
        self._steps = 1
        self._wake()

    @property
    def _held(self) -> bool:
        return self.table.control.paused and not self._steps

    async def _alone(self, make: Callable[[], Awaitable[T]]) -> T:
        """Makes one change at a time. If the store is ahead, the table is first reloaded from it. Every further attempt
        means that another server has made a change, so this ends."""
        async with self._lock:
            while True:
                try:
                    made = await make()
                    break
                except OutOfDateError as error:
                    logger.warning("%s", error)
                    await self._reload()
                except TableError:  # which may be true of an older state only
                    if not await self._catch_up():
                        raise
        self._wake()
        return made

    async def catch_up(self) -> None:
        """Reloads the table if another server with the same store has changed it."""
        self.touch()
        async with self._lock:
            await self._catch_up()

    def say(self, seat: int, text: str) -> None:
        """Somebody says something to the others at the table; all watchers can read it."""
        self.chat.say(self.table, seat, text)
        self.send()

    async def seat_of(self, proof: str) -> int | None:
        """The seat that the SHA-256 of a token proves, also if the token was given by another server."""
        try:
            return self.table.seat_of(proof)
        except TableError:
            await self.catch_up()
            return self.table.seat_of(proof)

    async def _catch_up(self) -> bool:
        """Reloads the table if the store is ahead, and returns whether it was."""
        behind = await self.keeper.position(self.table.id) != (self.table.number, self.events)
        if behind:
            await self._reload()
        return behind

    async def _reload(self) -> None:
        """Reads the table from the store and sends it to all watchers."""
        version = self.table.version
        self.table, self.events = await self.keeper.stored(self.table.id)
        if self.table.version != version:
            self.show()
        self._wake()

    # --- What people see ----------------------------------------------------------------------------------------------

    def connected(self) -> list[int]:
        """The seats whose holders are watching."""
        return sorted({watcher.seat for watcher in self.watchers if watcher.seat is not None})

    def touch(self) -> None:
        """Notes that somebody looks or acts; bots that had stopped play on."""
        left = self.left
        self.used, self.touched, self._rests = asyncio.get_running_loop().time(), True, False
        if left:
            self._wake()

    @property
    def left(self) -> bool:
        """Whether nobody has used the table for a while, or since it was read from the store; its bots then wait."""
        return not self.watchers and (self._rests or self.unused > self.settings.rest_seconds)

    @property
    def unused(self) -> float:
        """Seconds since somebody looked or acted."""
        return asyncio.get_running_loop().time() - self.used

    def text(self, seat: int | None) -> str:
        """The table as somebody may see it, as JSON."""
        return self._told(seat).text

    def _told(self, seat: int | None) -> Told:
        """What a seat, or spectators, are told now: made once, however many look."""
        self.touch()
        now = milliseconds()
        ticks = None if thinking(self.table) is None else now // TICK
        key, told = (self._seen(seat), self.connected(), ticks, self.chat.count), self._texts.get(seat)
        if told is None or told.key != key:
            clock = clock_part(self.table, now, self.started)
            chat = self.chat.part(self.table)
            text = self._as_json({**self.table.snapshot(seat, key[1]), "clock": clock, "chat": chat})
            told = self._texts[seat] = Told(key, text, f'{{"type":"snapshot","snapshot":{text}}}')
        return told

    def _as_json(self, snapshot: dict[str, Any]) -> str:
        """The log is most of a snapshot, and what was in it before is not encoded again."""
        (before, text), log = self._log, snapshot.pop("log")
        if log is not before:
            more = log[len(before) :]
            if not before or log[: len(before)] != before:
                text = to_json(log)
            elif more:
                text = f"{text[:-1]},{to_json(more)[1:]}"
            self._log = log, text
        return f'{to_json(snapshot)[:-1]},"log":{text}}}'

    def _seen(self, seat: int | None) -> tuple[int, Any]:
        """What decides whether a text is new to somebody: never the secret answers of others, not even by the time that
        a text takes."""
        answers = self.table.round.answers if self.table.round is not None else {}
        return self.table.version, sorted(answers) if self.table.role(seat) == "all" else seat in answers

    def show(self) -> None:
        """Sends all watchers what they may see after a change."""
        self._shown = asyncio.get_running_loop().time()
        for watcher in self.watchers:
            watcher.seat = self.table.proved(watcher.proof)  # without a seat any more, a watcher is a spectator
        self.send()

    def send(self) -> None:
        """Sends all watchers what they may see."""
        self._tell(self.watchers)

    def join(self, watcher: Watcher) -> None:
        """Adds a watcher; the others are told who is connected."""
        self.touch()
        before = self.connected()
        others = set(self.watchers)
        self.watchers.add(watcher)
        self._tell({watcher})
        if self.connected() != before:
            self._tell(others)

    def leave(self, watcher: Watcher) -> None:
        """Removes a watcher; the others are told who is connected."""
        self.touch()
        before = self.connected()
        self.watchers.discard(watcher)
        if self.connected() != before:
            self._tell(self.watchers)

    def _tell(self, watchers: set[Watcher]) -> None:
        for watcher in list(watchers):
            watcher.show(self._told(watcher.seat).message)

    # --- What bots do -------------------------------------------------------------------------------------------------

    def _wake(self) -> None:
        self._woken.set()

    async def _sleep_until(self, time: float) -> None:
        await asyncio.sleep(max(0.0, time - asyncio.get_running_loop().time()))

    @property
    def _pace(self) -> float:
        return self.table.control.pace_ms / 1000

    async def _drive(self) -> None:
        """Moves for the bots until the table is closed; pauses while nobody uses the table."""
        while True:
            self._woken.clear()
            try:
                if self.left or not await self._step():
                    await self._wait()
            except (StoreError, TableError) as error:
                if isinstance(error, TableError) and error.code == "stale_version":
                    continue  # somebody else was faster
                logger.warning("table %s: %s", self.table.id, error)
                await asyncio.sleep(RETRY)
            except Exception:
                logger.exception("table %s", self.table.id)
                await asyncio.sleep(RETRY)

    async def _wait(self) -> None:
        """Waits until something changes, or the time of somebody is up."""
        seat, table = thinking(self.table), self.table
        left = None if seat is None else left_of(table, milliseconds(), self.started)[seat] / 1000
        if not await self._news(left):
            await self._alone(self._end_of_time)

    async def _news(self, seconds: float | None) -> bool:
        """Waits until something changes at the table, or so long; false if nothing has."""
        self._woken.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                return await self._woken.wait()
        return False

    async def _step(self) -> bool:
        """Does one thing that is up to a bot or the table; false if there is none."""
        table = self.table
        if self._held:
            return False
        if table.round is not None:
            await self._secret_round(table.round)
            return True
        if table.turn is None or not table.bot_at(table.turn):
            return False
        await self._move(table.turn)
        return True

    async def _move(self, seat: int) -> None:
        table, shown = self.table, self._shown
        game, history = table.number, table.state.history
        view = table.scene.view(seat)
        thought = await self.bots.move(view, table.spec(seat), table.bot_seed(seat))
        loop = asyncio.get_running_loop()
        while not self._held and (left := max(shown + self._pace, thought.due) - loop.time()) > 0:
            await self._news(left)  # the pace may change meanwhile
        if self._held:
            return  # it is asked again, and answers the same
        action = default_action(table.state) if thought.action is None else thought.action
        if thought.note:
            logger.warning("table %s: seat %d %s", table.id, seat, thought.note)

        def propose(table: ServerTable) -> Event:
            if (table.number, table.turn, table.state.history) != (game, seat, history):
                raise TableError("stale_version", "the table has changed")
            return table.bot_act(seat, action, thought.note)

        await self.change(propose)
        self._steps = 0

    async def _secret_round(self, asking: OpenRound) -> None:
        """Holds one secret round: it lasts a fixed time, and longer only for persons who have not answered."""
        loop = asyncio.get_running_loop()
        seconds = max(self._pace, self.settings.call_seconds)
        end = loop.time() + seconds
        answers: dict[int, int] = {}
        searching = self._ask_quick_bots(asking, answers)
        thinking = loop.create_task(self._ask(searching, asking, answers, seconds, end)) if searching else None
        try:
            await self._sleep_until(end)
        finally:
            if thinking is not None:
                thinking.cancel()
        patience = end + self.settings.answer_seconds - seconds if self.table.clock else None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(patience):
                while self.table.round is asking and self.table.asked():
                    self._woken.clear()
                    await self._woken.wait()

        def propose(table: ServerTable) -> Event:
            if table.round is not asking:
                raise TableError("stale_version", "the table has changed")
            return table.resolve(answers)

        await self.change(propose)

    def _ask_quick_bots(self, asking: OpenRound, answers: dict[int, int]) -> dict[int, View]:
        """Collects the answers of the bots that do not search, and returns the views of those that do."""
        table, searching = self.table, {}
        for seat in table.asked_bots():
            view = table.decision_view(seat)
            if view is not None:
                thought = self.bots.at_once(view, table.spec(seat), table.bot_seed(seat))
                if thought is None:
                    searching[seat] = view
                else:
                    answers[seat] = asking.round.decline if thought.action is None else thought.action
        return searching

    async def _ask(
        self, views: dict[int, View], asking: OpenRound, answers: dict[int, int], seconds: float, end: float
    ) -> None:
        """Collects the answers of bots that search: all are asked at once, as persons are, and share the time."""
        table = self.table

        share = seconds * (1 - MARGIN) / len(table.asked_bots())  # of all: who has something to say is secret

        async def ask(seat: int, view: View) -> None:
            thought = await self.bots.answer(view, table.spec(seat), table.bot_seed(seat), share, end)
            answers[seat] = asking.round.decline if thought.action is None else thought.action

        await asyncio.gather(*(ask(seat, view) for seat, view in views.items()))

    async def close(self) -> None:
        """Stops the bots; the store has everything."""
        self.bots.close()
        self._driver.cancel()
        await asyncio.wait({self._driver}, timeout=5)
        async with self._lock:
            pass  # a change that was under way has been stored


def finish_of(table: ServerTable, event: Event, after: State | None) -> Finish | None:
    """What is kept of a game that ends with an event, which leads to this state."""
    if event.kind != "resign" and (after is None or after.player != TERMINAL):
        return None
    record = table.finish(event, after)
    return None if record is None or record.returns is None else Finish(list(record.returns), record.to_json())


def to_json(data: Any) -> str:
    """A snapshot, or a part of one, as it is sent.

    >>> to_json({"phase": "card", "trump": ["♥10"]})
    '{"phase":"card","trump":["♥10"]}'
    """
    return pydantic_core.to_json(data, inf_nan_mode="null").decode()
