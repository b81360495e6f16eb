"""Runs: a plan is played, its rows are kept, and an interrupted run goes on where it was."""

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
"""Seconds that a run stays in this process before it starts workers, where nobody said how many there should be."""

GC_PATIENCE = (50_000, 50, 100)
"""Rows are kept by the thousand, and looking through them for garbage again and again takes longer than short games."""

Progress = Callable[[int, int], None]
"""Called with the games done and to do."""


@dataclass
class Run:
    """What was played of a plan."""

    plan: Plan
    rows: list[Row] = field(default_factory=list)
    """In the order of their numbers, without the actions where a store has them."""
    resumed: int = 0
    """Rows that were there already."""
    workers: int = 1
    seconds: float = 0.0
    """Wall clock, without the resumed games."""
    interrupted: bool = False
    test: Sprt | None = None
    """The test that could end it early, as it stands."""
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
) -> Run:
    """Plays the games of a plan. Ctrl-C ends it: the finished games are returned, and kept in the store.

    With a store every row is written as it comes, and games that are there already are not played again. `workers` is
    the number of processes (without it, one for each core; 1 stays in this process), `cluster` a Ray cluster instead.
    `stopping` ends the run by what the games say, judged in the order of their numbers; `keep` gets every row as it
    comes, complete, and before the store does: a process that is killed in between gives it these rows again.

    >>> import kiebitz as kb
    >>> done = run(Plan(kb.game("nim"), ("nim_perfect", "random"), games=10, seed=1), workers=1)
    >>> len(done.rows), done.rows[0].payoffs
    (10, (1.0, -1.0))
    """
    plan.check()
    count = (os.cpu_count() or 1) if workers is None else check_workers(workers)
    out = Run(plan, workers=count, test=stopping)
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
        if store is not None:  # only now, when nothing can be refused any more
            out.id = store.begin(plan.to_json(), identity, kind, command).id
        for some in rows:
            with _undisturbed():  # first what a run that goes on later could not make up for
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
    counted = plan.games if decision is None else decision.games  # games beyond it were only played by chance
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
    """Ctrl-C waits for the end of the block: what is kept in several places is kept in all of them or in none. Who
    cannot wait presses it twice."""
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
    """The row without its actions, which are most of it. Changed in place: it is ours, and copying takes longer than
    playing a short game.
    """
    object.__setattr__(row, "actions", ())
    return row
