"""Workers: the same rows from one process, from several and from a cluster; workers that die."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.arena.plan import Plan
from kiebitz.arena.run import run
from kiebitz.arena.sprt import Sprt, SprtBounds
from kiebitz.arena.workers import ClusterError, WorkerError, _ProcessPool, _Worker, rows_of
from kiebitz.errors import ParameterError
from kiebitz.spec import Spec
from kiebitz.store.rows import Row

WAIT = 120.0
"""Seconds after which a test counts as hanging; none takes nearly as long."""

PLAN = Plan(kb.game("leduc"), ("pimc(uct(iterations=20), worlds=3)", "random"), games=60, seed=4, metrics=("leduc",))


def played(plan: Plan, **how: Any) -> list[dict[str, Any]]:
    rows = [row for some in rows_of(plan, range(plan.games), **how) for row in some]
    assert sorted(row.number for row in rows) == list(range(plan.games))
    return [timeless(row) for row in sorted(rows, key=lambda row: row.number)]


def timeless(row: Row) -> dict[str, Any]:
    return {**row.to_json(), "seconds": None, "slowest": None}


@pytest.mark.requirement("DK-81")
def test_processes_change_nothing() -> None:
    assert played(PLAN, workers=1) == played(PLAN, workers=2)


def test_a_cluster_changes_nothing() -> None:
    assert played(PLAN, cluster="local") == played(PLAN, workers=1)


def test_a_missing_cluster_is_reported() -> None:
    with pytest.raises(ClusterError, match=r"--cluster 127\.0\.0\.1:1"):
        list(rows_of(PLAN, range(4), cluster="127.0.0.1:1"))


def test_a_server_that_is_no_cluster_is_recognised() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            caller, _ = server.accept()
            with caller:
                caller.recv(100)
                caller.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(ClusterError, match="somebody answers there, but no Ray cluster"):
            rows_of(PLAN, range(4), cluster=f"127.0.0.1:{server.getsockname()[1]}")
        thread.join()


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
    plan = Plan(kb.game("oware"), ("uct(iterations=500)", "random"), games=40, seed=3)
    seen: list[Row] = []
    killed: list[int] = []
    for some in rows_of(plan, range(40), workers=2):
        seen += some
        if len(killed) < 2:  # a game may kill two workers before it is given up
            number = next(child.pid for child in multiprocessing.active_children() if child.pid not in killed)
            assert number is not None
            os.kill(number, signal.SIGKILL)
            killed.append(number)
    assert len(killed) == 2
    assert sorted(row.number for row in seen) == list(range(40))
    assert all(kind != "void" for row in seen for _, kind, _ in row.events)


@pytest.fixture
def talking() -> Iterator[tuple[_ProcessPool, Any, _Worker]]:
    """A pool whose worker is in the middle of a message that is longer than its pipe; nobody reads."""
    pool = _ProcessPool(Plan(kb.game("oware"), ("random", "random"), games=10_000, seed=1), 1)
    task = pool.submit(range(5000))
    (worker,) = pool._workers
    assert worker.hear() == "ready"
    worker.ready = True
    assert worker.pipe.poll(WAIT)
    yield pool, task, worker
    pool.close()


def test_a_worker_that_dies_in_the_middle_of_a_message(talking: tuple[_ProcessPool, Any, _Worker]) -> None:
    pool, task, worker = talking
    assert worker.process.pid is not None
    os.kill(worker.process.pid, signal.SIGKILL)
    assert pool.wait([task]) == [(task, None)]
    again = pool.submit([3, 4])
    ((found, rows),) = pool.wait([again])
    assert found is again
    assert [row.number for row in rows or []] == [3, 4]


def test_workers_end_in_the_middle_of_a_message(talking: tuple[_ProcessPool, Any, _Worker]) -> None:
    pool, _, worker = talking
    mine = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(WAIT,))
    mine.start()
    pool.close()
    assert worker.process.exitcode is not None
    assert mine.is_alive(), "processes of others are left alone"
    mine.kill()
    mine.join()


class OddError(Exception):
    """An error that cannot be unpickled: it takes two arguments and keeps one."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(one + two)


def odd(state: kb.State, moves: Any) -> dict[str, Any]:
    """A metric that fails with something that cannot travel."""
    raise OddError("what ", "happened")


def plain(state: kb.State, moves: Any) -> dict[str, Any]:
    """A metric that fails as anything may."""
    return {"share": 1 / 0}


def heavy(state: kb.State, moves: Any) -> dict[str, Any]:
    """A metric whose value cannot travel."""
    return {"share": lambda: 1}


@pytest.mark.parametrize(
    ("metric", "error", "words"),
    [("odd", WorkerError, "what happened"), ("plain", ZeroDivisionError, "division"), ("heavy", Exception, "pickle")],
)
def test_the_error_of_a_worker_arrives(metric: str, error: type[Exception], words: str) -> None:
    """As itself where it can travel, else in its words; with the place where it happened. Nothing is kept as void."""
    plan = Plan(kb.game("leduc"), ("random", "random(calls=false)"), games=6, metrics=(f"{__name__}:{metric}",))
    with pytest.raises(error, match=words) as caught:
        list(rows_of(plan, range(6), workers=2))
    assert "in _work" in "".join([str(caught.value), *getattr(caught.value, "__notes__", ())])


class Unreadable:
    """Something that cannot be read again, as a plan whose game is known to one process only."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("no number",)


def test_a_plan_that_a_worker_cannot_read_is_said_to_be() -> None:
    plan: Any = Unreadable()
    pool = _ProcessPool(plan, 1)
    try:
        task = pool.submit([0])
        with pytest.raises(ValueError, match="no number"):
            pool.wait([task])
    finally:
        pool.close()


@pytest.mark.parametrize("early", ["", "weakref.finalize(early, print)\n"])
def test_a_program_that_forgets_its_workers_ends(tmp_path: Path, early: str) -> None:
    """Whatever else is done at its end, and in which order."""
    script = tmp_path / "study.py"
    script.write_text(
        "import weakref\n"
        "class Early: pass\n"
        "early = Early()\n"
        f"{early}"
        "import kiebitz as kb\n"
        "from kiebitz.arena.plan import Plan\n"
        "from kiebitz.arena.workers import rows_of\n"
        "if __name__ == '__main__':\n"
        "    plan = Plan(kb.game('oware'), ('uct(iterations=200)', 'random'), games=1000)\n"
        "    rows = rows_of(plan, range(1000), workers=2)\n"
        "    assert next(rows)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=WAIT, check=False)
    assert done.returncode == 0, done.stderr


PROGRAM = """
import json, os, sys, time
def note(what):
    with open(sys.argv[1], "a") as file: file.write(what + "\\n")
note(str(os.getpid()))
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello": print('{"protocol": 1}', flush=True)
    elif message["type"] == "quit": note("quit"); sys.exit()
    elif message["type"] == "move":
        if len(sys.argv) > 2: note("thinks"); time.sleep(1000)
        print(json.dumps({"action": message["legal"][0]["action"]}), flush=True)
time.sleep(1000)  # it never ends by itself
"""


def program(note: Path, *more: str) -> str:
    return str(Spec.of("process", (sys.executable, "-I", "-S", "-c", PROGRAM, str(note), *more), seconds=WAIT))


def are_gone(pids: list[int]) -> bool:
    def gone(pid: int) -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except (FileNotFoundError, ProcessLookupError):
            return True

    end = time.monotonic() + WAIT
    while not (done := all(map(gone, pids))) and time.monotonic() < end:
        time.sleep(0.05)
    return done


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@needs_proc
def test_programs_of_workers_are_told_when_a_run_is_over(tmp_path: Path) -> None:
    note = tmp_path / "note"
    plan = Plan(kb.game("nim"), (program(note), "random"), games=20, seed=1)
    rows = [row for some in rows_of(plan, range(20), workers=2) for row in some]
    assert not any(row.events for row in rows)
    lines = note.read_text().split()
    pids = [int(line) for line in lines if line != "quit"]
    assert lines.count("quit") == len(pids) > 0
    assert are_gone(pids)


@needs_proc
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_program_of_a_worker_outlives_a_run_that_is_ended(tmp_path: Path, how: signal.Signals) -> None:
    """Not even one that thinks and does not listen."""
    note = tmp_path / "note"
    # Tests that a shell started in the background ignore Ctrl-C, and so would what they start.
    code = "from signal import *; signal(SIGINT, default_int_handler); from kiebitz.cli import main; main()"
    args = ["match", "nim", program(note, "think"), "random", "-n", "20", "--workers", "2"]
    args += ["--db", str(tmp_path / "results.db")]
    run = subprocess.Popen(
        [sys.executable, "-c", code, *args],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + WAIT
    while not note.exists() or note.read_text().split().count("thinks") < 2:
        assert time.monotonic() < end
        time.sleep(0.05)
    run.send_signal(how)
    run.wait(timeout=WAIT)
    assert are_gone([int(line) for line in note.read_text().split() if line.isdecimal()])


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, 100_000])
def test_bad_numbers_of_workers(workers: Any) -> None:
    with pytest.raises(ParameterError, match="workers: expected 1 to 1,024"):
        list(rows_of(PLAN, range(4), workers=workers))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_test_ends_a_run_at_the_same_game_however_many_play(workers: int) -> None:
    plan = Plan(kb.game("nim"), ("nim_perfect", "random"), games=400, seed=4)
    done = run(plan, workers=workers, stopping=Sprt(SprtBounds(0.0, 0.5)))
    assert done.test is not None
    assert done.test.decision is not None
    assert done.test.decision.verdict == "upper"
    assert [row.number for row in done.rows] == list(range(done.test.decision.games))
    assert len(done.rows) == 64  # the first decision that can be
