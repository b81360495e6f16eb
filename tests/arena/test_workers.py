"""Workers: the same rows from one process, from several and from a cluster; workers that die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.arena.plan import Plan
from kiebitz.arena.rows import Row
from kiebitz.arena.run import run
from kiebitz.arena.sprt import Bounds, Sprt
from kiebitz.arena.workers import ClusterError, rows_of
from kiebitz.errors import ParameterError

PLAN = Plan(kb.game("leduc"), ("pimc(uct(iterations=20), worlds=3)", "random"), games=60, seed=4, metrics=("leduc",))


def played(plan: Plan, **how: Any) -> list[dict[str, Any]]:
    rows = [row for some in rows_of(plan, range(plan.games), **how) for row in some]
    assert sorted(row.number for row in rows) == list(range(plan.games))
    return [timeless(row) for row in sorted(rows, key=lambda row: row.number)]


def timeless(row: Row) -> dict[str, Any]:
    return {**row.to_json(), "seconds": None, "slowest": None}


def test_dk_81_processes_change_nothing() -> None:
    assert played(PLAN, workers=1) == played(PLAN, workers=2)


def test_a_cluster_changes_nothing() -> None:
    pytest.importorskip("ray")
    assert played(PLAN, cluster="local") == played(PLAN, workers=1)


def test_a_cluster_that_is_not_there_is_said_to_be() -> None:
    pytest.importorskip("ray")
    with pytest.raises(ClusterError, match=r"--cluster 127\.0\.0\.1:1"):
        list(rows_of(PLAN, range(4), cluster="127.0.0.1:1"))


def test_games_written_in_python_reach_the_workers() -> None:
    name = kb.games.load_file(Path(__file__).parents[2] / "examples" / "hexapawn.py")
    plan = Plan(kb.game(name), ("random", "random"), games=20, seed=1)
    assert played(plan, workers=2) == played(plan, workers=1)


def killer(state: kb.State, moves: Any) -> dict[str, Any]:
    """A metric that kills its process in game 7, counted by its payoff of the deal, always."""
    del moves
    if os.environ.get("KIEBITZ_TEST_KILL") and state.history[0] == int(os.environ["KIEBITZ_TEST_KILL"]):
        os.kill(os.getpid(), signal.SIGKILL)
    return {}


def test_a_script_without_the_guard_is_told_so(tmp_path: Path) -> None:
    """Each worker reads the script again; one that starts workers at once would do so for ever."""
    script = tmp_path / "study.py"
    script.write_text(
        "import kiebitz as kb\n"
        "kb.arena.compare(kb.game('nim'), ['random', 'uct(iterations=10)'], deals=50, workers=2)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    said = [line for line in done.stderr.splitlines() if line.startswith("kiebitz.arena.workers.WorkerError: ")]
    assert any("the processes end before they can play" in line and "__main__" in line for line in said)


def test_a_game_that_kills_every_worker_is_void_and_the_others_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(kb.game("leduc"), ("random", "random(calls=false)"), games=6, seed=2, metrics=(f"{__name__}:killer",))
    first = plan.start(0).history[0]
    monkeypatch.setenv("KIEBITZ_TEST_KILL", str(first))
    rows = {row.number: row for some in rows_of(plan, range(6), workers=2) for row in some}
    assert sorted(rows) == list(range(6))
    for number, row in rows.items():
        bad = plan.start(plan.job(number).deal).history[0] == first
        assert [kind for _, kind, _ in row.events] == (["void"] if bad else [])


def test_a_worker_that_is_killed_is_replaced_and_no_game_is_lost_or_doubled() -> None:
    plan = Plan(kb.game("oware"), ("uct(iterations=2000)", "random"), games=40, seed=3)
    seen: list[Row] = []
    stop = threading.Event()

    def kill_some() -> None:
        import multiprocessing

        killed = 0
        while not stop.is_set() and killed < 2:  # a game may kill two workers before it is given up
            time.sleep(0.7)
            children = multiprocessing.active_children()
            if children and children[0].pid is not None:
                os.kill(children[0].pid, signal.SIGKILL)
                killed += 1

    thread = threading.Thread(target=kill_some)
    thread.start()
    try:
        for some in rows_of(plan, range(40), workers=2):
            seen += some
    finally:
        stop.set()
        thread.join()
    assert sorted(row.number for row in seen) == list(range(40))
    assert all(kind != "void" for row in seen for _, kind, _ in row.events)


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, 100_000])
def test_bad_numbers_of_workers(workers: Any) -> None:
    with pytest.raises(ParameterError, match="workers: expected 1 to 1,024"):
        list(rows_of(PLAN, range(4), workers=workers))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_test_ends_a_run_at_the_same_game_however_many_play(workers: int) -> None:
    plan = Plan(kb.game("nim"), ("nim_perfect", "random"), games=400, seed=4)
    done = run(plan, workers=workers, stopping=Sprt(Bounds(0.0, 0.5)))
    assert done.test is not None
    assert done.test.decision is not None
    assert done.test.decision.verdict == "upper"
    assert [row.number for row in done.rows] == list(range(done.test.decision.games))
    assert len(done.rows) == 64  # the first decision that can be
