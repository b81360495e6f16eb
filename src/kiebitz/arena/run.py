"""Runs: a plan is played, its rows are kept, and an interrupted run can go on where it stopped."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING

from kiebitz.arena.plan import Plan
from kiebitz.arena.sprt import Sprt
from kiebitz.arena.workers import check_workers, rows_of
from kiebitz.store.rows import Row

if TYPE_CHECKING:
    from kiebitz.store.store import Store

WARM_UP = 1.0
"""Seconds that a run stays in this process before it starts workers, unless the number of workers was given."""

GC_PATIENCE = (50_000, 50, 100)
"""Thresholds of the garbage collector: searching thousands of rows again and again takes longer than short games."""

Progress = Callable[[int, int], None]
"""Called with the number of games done and the number planned."""


@dataclass
class ArenaRun:
    """What was played of a plan."""

    plan: Plan
    rows: list[Row] = field(default_factory=list)
    """In the order of their numbers; without actions if a store has them."""
    resumed: int = 0
    """Rows that were already in the store."""
    workers: int = 1
    seconds: float = 0.0
    """Wall-clock time, without the resumed games."""
    interrupted: bool = False
    test: Sprt | None = None
    """The sequential test that could end it early, in its present state."""
    id: int | None = None
    """In the store."""


def run(
    plan: Plan,
    *,
    store: Store | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
    stopping: Sprt | None = None,
    keep: Callable[[list[Row]], None] | None = None,
    kind: str = "match",
    command: str = "",
) -> ArenaRun:
    """Plays the games of a plan. Ctrl-C ends it: the finished games are returned, and kept in the store.

    With a store every row is written as it comes, and games that are already stored are not played again. `workers` is
    the number of processes (by default one per core; 1 stays in this process), `cluster` a Ray cluster instead.
    `stopping` is a sequential test that can end the run; it takes the games in the order of their numbers. `keep` gets
    every complete row before the store does, so it can get rows again if the process is killed in between.

    >>> import kiebitz as kb
    >>> done = run(Plan(kb.game("nim"), ("nim_perfect", "random"), games=10, seed=1), workers=1)
    >>> len(done.rows), done.rows[0].payoffs
    (10, (1.0, -1.0))
    """
    plan.check()
    count = (os.cpu_count() or 1) if workers is None else check_workers(workers)
    out = ArenaRun(plan, workers=count, test=stopping)
    begun = told = time.perf_counter()
    identity = plan.identity
    found: dict[int, Row] = {}
    kept = None if store is None else store.find(identity)
    if store is not None and kept is not None:
        found = {row.number: row for row in store.rows(kept.id, actions=False, below=plan.games)}
    out.resumed = len(found)
    missing = [number for number in range(plan.games) if number not in found] if found else range(plan.games)
    decided = stopping is not None and stopping.add_all(found.values()) is not None
    todo = missing if missing and not decided else ()
    rows = rows_of(plan, todo, max(1, min(count, len(todo))), cluster, WARM_UP if workers is None else 0.0)
    patience = gc.get_threshold()
    gc.set_threshold(*GC_PATIENCE)
    try:
        if store is not None:  # only now: nothing can be refused any more
            out.id = store.begin(plan.to_json(), identity, kind, command).id
        for some in rows:
            with _undisturbed():  # both or neither, so that a resumed run misses nothing
                if keep is not None:
                    keep(some)
                if store is not None and out.id is not None:
                    now = time.perf_counter()
                    store.add(out.id, some, now - told)
                    told = now
                found.update((row.number, row if store is None else _light(row)) for row in some)
            if progress is not None:
                progress(len(found), plan.games)
            if stopping is not None and stopping.add_all(some) is not None:
                break
    except KeyboardInterrupt:
        out.interrupted = True
    finally:
        rows.close()
        gc.set_threshold(*patience)
    whole = len(found) >= plan.games  # then the last deal is complete, too
    decision = None if stopping is None else stopping.finish() if whole else stopping.decision
    counted = plan.games if decision is None else decision.games  # later games came too late
    out.rows = [found[number] for number in sorted(found) if number < counted]
    out.seconds = time.perf_counter() - begun
    if store is not None and out.id is not None:
        kept = store.run(out.id)  # whose plan may have more games than this one
        whole = decision is not None or kept.done >= (kept.planned or 0)
        test = None if stopping is None else stopping.to_dict()
        store.finish(out.id, begun + out.seconds - told, whole=whole, test=test)
    return out


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Delays Ctrl-C to the end of the block, so that rows are kept in all places or in none. Pressing it twice does not
    wait."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    heard: list[int] = []

    def hear(number: int, frame: FrameType | None) -> None:
        if heard:
            signal.default_int_handler(number, frame)
        heard.append(number)

    signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if heard:
        raise KeyboardInterrupt


def _light(row: Row) -> Row:
    """The row without its actions, which are most of it. Changed in place: copying takes longer than a short game."""
    object.__setattr__(row, "actions", ())
    return row
