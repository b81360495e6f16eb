"""kill -9 at random moments: what was acknowledged is there, exactly once, and the run goes on."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from pathlib import Path

from tests.store.store_rows import PLAN, some_rows

from kiebitz.store.store import Store

KILLS = 20
BATCH = 25
LONGEST = 0.15
"""Seconds that a writer lives on."""


def write_until_killed(path: Path, pipe: int) -> None:
    """Goes on with the run, and says after each call how many games there are."""
    store = Store.open(path)
    run = store.begin(PLAN, "a" * 16, "match", "").id
    first = len(store.numbers(run))
    while True:
        store.add(run, some_rows(BATCH, first))
        first += BATCH
        os.write(pipe, b"%d\n" % first)


def killed_writer(path: Path, wait: float, after_a_call: bool) -> int:
    """Starts a writer, kills it after a while, and returns the number of games that it said were there."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            write_until_killed(path, writing)
        finally:
            os._exit(1)  # not back into the tests
    os.close(writing)
    with os.fdopen(reading) as said:
        lines = [said.readline()] if after_a_call else []
        time.sleep(wait)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        lines += said.readlines()
    assert os.WIFSIGNALED(status), "the writer ended by itself"
    return int(lines[-1]) if lines else 0


def test_kill_9_loses_at_most_the_call_in_flight(tmp_path: Path) -> None:
    path, rng = tmp_path / "results.db", random.Random()
    there = 0
    for kill in range(KILLS):
        # Every second time not before the first call has returned; else also while the database is made or opened.
        said = killed_writer(path, rng.uniform(0, LONGEST), after_a_call=kill % 2 == 1)
        if path.exists() and path.stat().st_size:
            with Store.open(path) as store:
                runs = store.runs()
                numbers = store.numbers(runs[0].id) if runs else set()
            assert numbers == set(range(len(numbers)))
            assert [run.done for run in runs] == [len(numbers)][: len(runs)]
            assert len(numbers) - max(said, there) in (0, BATCH)
            there = len(numbers)
        assert there >= said
    assert there >= KILLS // 2 * BATCH
    with Store.open(path) as store:
        assert list(store.rows(store.runs()[0].id)) == some_rows(there)
    with sqlite3.connect(path) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert plain.execute("SELECT count(*), count(DISTINCT number) FROM games").fetchone() == (there, there)
