"""A run that is killed again and again, with kill -9 at random moments, ends with every game played exactly once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import kiebitz as kb
from kiebitz.arena import Store, match

GAMES = 60
AGENTS = ["uct(iterations=600)", "random"]
COMMAND = [sys.executable, "-c", "from kiebitz.cli import main; main()"]
KILLS = 6


def begin(db: Path, games: int) -> subprocess.Popen[bytes]:
    """The command, in a process group of its own with its workers."""
    args = ["match", "oware", *AGENTS, "-n", str(games), "--seed", "4", "--workers", "2", "--db", str(db), "--json"]
    return subprocess.Popen(
        [*COMMAND, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )


def stored(db: Path) -> int:
    """How many games are there."""
    if not db.exists() or not db.stat().st_size:
        return 0
    with Store.open(db) as store:
        return sum(run.done for run in store.runs())


def test_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    db = tmp_path / "games.sqlite"
    moments = random.Random(1)
    games, killed = GAMES, 0
    while killed < KILLS:
        before = stored(db)
        child = begin(db, games)
        while killed % 2 and stored(db) == before and child.poll() is None:  # else also before the first game
            time.sleep(0.05)
        try:
            child.wait(moments.uniform(0.0, 1.0))
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            killed += 1
        else:
            games += GAMES  # it was faster: the same run goes on with more
    assert stored(db) > 0
    child = begin(db, games)
    _, errors = child.communicate(timeout=600)
    assert child.returncode == 0, errors.decode()
    expected = match(kb.game("oware"), AGENTS, games=games, seed=4)
    with Store.open(db) as store:
        (run,) = store.runs()
        rows = list(store.rows(run.id))
    assert [row.number for row in rows] == list(range(games))
    assert [row.actions for row in rows] == [row.actions for row in expected.rows]
    assert run.done == games
