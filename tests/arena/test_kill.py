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
MOST_KILLS = 15


def begin(db: Path) -> subprocess.Popen[bytes]:
    """The command, in a process group of its own with its workers."""
    args = ["match", "oware", *AGENTS, "-n", str(GAMES), "--seed", "4", "--workers", "2", "--db", str(db), "--json"]
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
    killed = 0
    for turn in range(MOST_KILLS):
        before = stored(db)
        child = begin(db)
        while turn % 2 and stored(db) == before and child.poll() is None:  # else also before the first game
            time.sleep(0.05)
        try:
            child.wait(moments.uniform(0.0, 1.0))
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            killed += 1
        else:
            break
    assert killed > 1
    assert stored(db) > 0
    child = begin(db)
    _, errors = child.communicate(timeout=600)
    assert child.returncode == 0, errors.decode()
    expected = match(kb.game("oware"), AGENTS, games=GAMES, seed=4)
    with Store.open(db) as store:
        (run,) = store.runs()
        rows = list(store.rows(run.id))
    assert [row.number for row in rows] == list(range(GAMES))
    assert [row.actions for row in rows] == [row.actions for row in expected.rows]
    assert run.done == GAMES
