"""Workers: the games of a plan on one process, on several, or on a cluster. The task is the same everywhere: a plan and
some numbers in, their rows out. Rows do not depend on which worker plays them or in which order they arrive.

A worker that dies loses only the games it was playing, and another one plays them again. A game that kills three
workers is given up and stored as void.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import socket
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.util import Finalize
from queue import SimpleQueue
from typing import Any, Protocol

from kiebitz.agents.process import end_programs
from kiebitz.arena.batch import can_batch, play_batch
from kiebitz.arena.plan import Plan
from kiebitz.arena.play import play
from kiebitz.errors import Error, ParameterError
from kiebitz.store.rows import VOID, Row

MOST_WORKERS = 1024
MOST_DEATHS = 3
"""How many workers a game may kill."""
TASK_SECONDS = 1.0
"""Seconds that a task should take: long enough to be worth sending, short enough to show progress."""
MOST_TASK = 5000
"""Most games of a task."""
BATCH = 250
"""Games of a batch: small enough for the processor's cache, which makes it a fifth faster than thousands."""
AHEAD = 2
"""Tasks per worker that are under way: one is played and one waits. If a single game takes as long as a task, only one,
so that the next game goes to the first worker that is free."""
NO_START = (
    "workers: the processes end before they can play; a script that starts them needs its calls under "
    "\"if __name__ == '__main__':\", because each process reads the script again (or say workers=1)"
)
END_SECONDS = 3.0
"""Seconds that workers get to end by themselves."""
TOKEN_HINT = "" if "RAY_AUTH_MODE" in os.environ else " (one that asks for a token needs RAY_AUTH_MODE=token)"
"""A hint for clusters that ask for a token: Ray sends this user's token only if told to."""
KNOCK_SECONDS = 5.0
"""Seconds that a cluster gets to answer at all."""


class ClusterError(Error):
    """A cluster that cannot be reached or fails."""


class WorkerError(Error):
    """Worker processes that cannot even start."""


def play_numbers(plan: Plan, numbers: Sequence[int]) -> list[Row]:
    """The task: plays some games of a plan.

    >>> import kiebitz as kb
    >>> plan = Plan(kb.game("nim"), ("random", "random"), games=10)
    >>> [row.number for row in play_numbers(plan, [3, 4])]
    [3, 4]
    """
    if can_batch(plan):
        pieces = (numbers[first : first + BATCH] for first in range(0, len(numbers), BATCH))
        return [row for piece in pieces for row in play_batch(plan, piece)]
    return [play(plan, number) for number in numbers]


def void_row(plan: Plan, number: int, words: str) -> Row:
    """The row of a game that cannot be played: all payoffs are zero, and an event says why."""
    job, players = plan.job(number), plan.game.info.players
    zeros = (0.0,) * players
    return Row(number, job.deal, job.seating, zeros, 0, 0, (0,) * players, zeros, zeros, ((-1, VOID, words),))


class Pool(Protocol):
    """Where tasks are played."""

    size: int

    def submit(self, numbers: Sequence[int]) -> Any:
        """Submits a task."""

    def wait(self, tasks: Sequence[Any]) -> list[tuple[Any, list[Row] | None]]:
        """Waits for at least one task: those that ended, with their rows, or None if a worker died."""

    def close(self) -> None:
        """Ends all workers, even in the middle of a game."""


@dataclass
class _Task:
    numbers: list[int]
    deaths: int = 0
    begun: float = 0.0
    ahead: int = 1


def rows_of(
    plan: Plan, numbers: Sequence[int], workers: int = 1, cluster: str | None = None, warm_up: float = 0.0
) -> Generator[list[Row], None, None]:
    """The rows of some games as they are finished, in any order. Closing the iterator ends the workers. A cluster is
    joined at once, so that a wrong address is reported before anything else happens.

    With `warm_up` this process plays alone for that many seconds: short runs are over before workers would have
    started.

    >>> import kiebitz as kb
    >>> plan = Plan(kb.game("nim"), ("random", "random"), games=100)
    >>> sum(len(rows) for rows in rows_of(plan, range(100)))
    100
    """
    check_workers(workers)
    if cluster is None or not numbers:
        return _rows(plan, numbers, workers, warm_up)
    return _pooled(plan, numbers, _RayPool(plan, cluster))


def check_workers(workers: int) -> int:
    """The number of processes, checked."""
    if isinstance(workers, bool) or not isinstance(workers, int) or not 1 <= workers <= MOST_WORKERS:
        raise ParameterError(f"workers: expected 1 to {MOST_WORKERS:,}, got {workers!r:.60}")
    return workers


def _rows(plan: Plan, numbers: Sequence[int], workers: int, warm_up: float) -> Generator[list[Row], None, None]:
    if workers == 1:
        yield from _inline(plan, numbers)
        return
    if warm_up > 0:
        begun, done = time.perf_counter(), 0
        for rows in _inline(plan, numbers):
            yield rows
            done += len(rows)
            if time.perf_counter() - begun > warm_up:
                break
        numbers = numbers[done:]
    if numbers:
        yield from _pooled(plan, numbers, _ProcessPool(plan, workers))


class _Sizes:
    """Chooses how many games make a task: as many as fit into its time, judging by the games so far."""

    def __init__(self) -> None:
        self.size = 1

    def learn(self, games: int, seconds: float) -> None:
        fitting = games * TASK_SECONDS / max(seconds, 1e-6)
        self.size = max(1, min(int(min(fitting, 4 * self.size)), MOST_TASK))


def _inline(plan: Plan, numbers: Sequence[int]) -> Iterator[list[Row]]:
    sizes = _Sizes()
    at = 0
    while at < len(numbers):
        begun = time.perf_counter()
        rows = play_numbers(plan, numbers[at : at + sizes.size])
        at += len(rows)
        sizes.learn(len(rows), time.perf_counter() - begun)
        yield rows


def _pooled(plan: Plan, numbers: Sequence[int], pool: Pool) -> Generator[list[Row], None, None]:
    """Rows from a pool, which is closed at the end, even if nobody ever asks for the first row."""

    def begun() -> Generator[list[Row], None, None]:
        try:
            yield []  # a generator that never started runs no finally
            yield from _handed_out(plan, numbers, pool)
        finally:
            pool.close()

    rows = begun()
    next(rows)
    return rows


def _handed_out(plan: Plan, numbers: Sequence[int], pool: Pool) -> Iterator[list[Row]]:
    sizes = _Sizes()
    at = 0
    under_way: dict[Any, _Task] = {}
    suspects: list[_Task] = []  # under way when a worker died; each is tried alone, to find the one to blame

    def hand_out(task: _Task) -> None:
        task.begun, task.ahead = time.perf_counter(), AHEAD if sizes.size > 1 else 1
        under_way[pool.submit(task.numbers)] = task

    while at < len(numbers) or under_way or suspects:
        most = (AHEAD if sizes.size > 1 else 1) * pool.size
        while not suspects and at < len(numbers) and len(under_way) < most:
            # The last tasks are small, so that no worker waits long for another.
            size = max(1, min(sizes.size, (len(numbers) - at) // (AHEAD * pool.size)))
            hand_out(_Task(list(numbers[at : at + size])))
            at += size
        if suspects and not under_way:
            hand_out(suspects.pop())
        for handle, rows in pool.wait(list(under_way)):
            task = under_way.pop(handle)
            if rows is not None:
                sizes.learn(len(rows), (time.perf_counter() - task.begun) / task.ahead)
                yield rows
            elif len(task.numbers) > 1:
                middle = len(task.numbers) // 2
                suspects += [_Task(task.numbers[:middle]), _Task(task.numbers[middle:])]
            elif task.deaths + 1 < MOST_DEATHS:
                suspects.append(_Task(task.numbers, task.deaths + 1))
            else:
                yield [void_row(plan, task.numbers[0], f"{MOST_DEATHS} workers died over it")]


# --- Processes of this machine ----------------------------------------------------------------------------------------


class _Worker:
    """A process, its tasks (the oldest first) and a pipe of its own: when the process dies, even in the middle of a
    message, the pipe tells."""

    def __init__(self, plan: Plan) -> None:
        context = multiprocessing.get_context("spawn")  # available everywhere, and safe with threads
        self.tasks: list[_Handle] = []
        self.ready = False
        try:
            self.pipe, theirs = context.Pipe()
            self.process = context.Process(target=_work, args=(theirs,))
            with theirs, _deaf():  # Ctrl-C is for the parent; the worker goes on
                self.process.start()
        except OSError as error:
            raise WorkerError(f"workers: no process can be started: {error.strerror or error}") from None
        self.say(plan)

    def say(self, message: object) -> None:
        with suppress(OSError):  # it died; the reader of its pipe will notice
            self.pipe.send(message)

    def hear(self) -> Any:
        """Its next message, or None if there will be no more."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            return None


@dataclass(eq=False)
class _Handle:
    numbers: Sequence[int]


class _ProcessPool:
    def __init__(self, plan: Plan, size: int) -> None:
        self.plan = plan
        self.size = size
        self._workers: list[_Worker] = []
        self._stillborn = 0
        # At the latest when this process ends, before multiprocessing waits for its children.
        self.close = Finalize(self, _end_workers, (self._workers,), exitpriority=10)

    def submit(self, numbers: Sequence[int]) -> _Handle:
        handle = _Handle(numbers)
        self._hand_out(handle)
        return handle

    def _hand_out(self, handle: _Handle) -> None:
        worker = min(self._workers, key=lambda worker: len(worker.tasks), default=None)
        if worker is None or (worker.tasks and len(self._workers) < self.size):
            worker = _Worker(self.plan)
            self._workers.append(worker)
        worker.tasks.append(handle)
        worker.say(list(handle.numbers))

    def wait(self, tasks: Sequence[_Handle]) -> list[tuple[Any, list[Row] | None]]:
        out: list[tuple[Any, list[Row] | None]] = []
        while not out:
            ready = wait([worker.pipe for worker in self._workers])
            for worker in [worker for worker in self._workers if worker.pipe in ready]:
                message = worker.hear()
                if message is None:
                    out += [(handle, None) for handle in self._bury(worker)]
                elif isinstance(message, BaseException):
                    raise message
                elif not worker.ready:
                    worker.ready = True
                    self._stillborn = 0
                else:
                    out.append((worker.tasks.pop(0), message))
        return out

    def _bury(self, worker: _Worker) -> list[_Handle]:
        """The task that a worker was playing when it died, if any; its other tasks go to other workers."""
        self._workers.remove(worker)
        _end_workers([worker])
        if not worker.ready:
            self._stillborn += 1
            if self._stillborn >= MOST_DEATHS:
                self.size = sum(other.ready for other in self._workers)  # start no more
                if not self.size:
                    raise WorkerError(NO_START)
        over = worker.tasks[:1] if worker.ready else []
        for handle in worker.tasks[len(over) :]:
            self._hand_out(handle)
        return over


def _end_workers(workers: list[_Worker]) -> None:
    """Ends processes, even in the middle of a game, and the programs that play in them."""
    for worker in workers:
        worker.pipe.close()  # those that listen end by themselves
        if not worker.ready:
            worker.process.kill()
    end = time.monotonic() + END_SECONDS
    for worker in workers:
        worker.process.join(max(0.0, end - time.monotonic()))
        worker.process.kill()
        worker.process.join()
    workers.clear()


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes started inside ignore Ctrl-C; this process gets it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: Connection) -> None:
    """The main loop of a worker: plays what it is given until the other end is gone."""
    if os.name == "posix":
        os.set_inheritable(pipe.fileno(), False)  # programs that an agent starts must not inherit it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    tasks: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, tasks), daemon=True).start()
    plan = tasks.get()
    answer: object = "ready"
    while True:
        with suppress(OSError):  # nobody reads any more
            try:
                pipe.send(answer)
            except Exception as error:  # before any byte was sent
                if isinstance(error, OSError):
                    raise
                pipe.send(_portable(error))
        numbers = tasks.get()
        try:
            answer = play_numbers(plan, numbers)
        except BaseException as error:
            answer = _portable(error)


def _portable(error: BaseException) -> BaseException:
    """The error with its traceback, or only its text if it cannot be pickled."""
    told = "".join(traceback.format_exception(error))
    try:
        error.add_note(f"in a worker:\n{told}")
        pickle.loads(pickle.dumps(error))
    except Exception:
        return WorkerError(f"workers: {error!r:.300}\n{told}")
    return error


def _listen(pipe: Connection, tasks: SimpleQueue[Any]) -> None:
    """Takes tasks at any time, so that the sender never blocks; ends the process when the other end is gone."""
    try:
        with suppress(EOFError, OSError):
            while True:
                tasks.put(pipe.recv())
        end_programs()
    except Exception as error:  # such as a plan with a game that this process does not know
        pipe.send(_portable(error))
    finally:
        os._exit(0)


# --- A cluster --------------------------------------------------------------------------------------------------------


def _knock(address: str) -> None:
    """Whether a cluster may be at an address such as host:port; Ray itself would wait for minutes.

    Ray speaks HTTP/2 (RFC 9113): such a server answers the preface with its settings, a frame of type 4.
    """
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdecimal():
        return
    with socket.create_connection((host, int(port)), timeout=KNOCK_SECONDS) as there:
        if os.environ.get("RAY_USE_TLS", "0") not in ("", "0"):
            return
        there.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))
        try:
            answer = there.recv(9)
        except OSError:
            answer = b""
        if answer[3:4] != b"\4":
            raise ClusterError("somebody answers there, but no Ray cluster")


class _RayPool:
    """Tasks on a Ray cluster: `local` starts one on this machine, anything else is the address of a running one."""

    def __init__(self, plan: Plan, address: str) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ImportError:
            raise ClusterError("--cluster: expected Ray; install kiebitz[cluster]") from None
        self._ray: Any = ray
        self._ours = not ray.is_initialized()
        try:
            if self._ours:
                self._start(address)
            self.size = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            self._task: Callable[..., Any] = ray.remote(max_retries=0)(play_numbers).remote
            self._plan = ray.put(plan)
        except Exception as error:
            hint = "" if isinstance(error, OSError | ClusterError) else TOKEN_HINT
            raise ClusterError(f"--cluster {address}: {error!s:.300}{hint}") from None

    def _start(self, address: str) -> None:
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
        if address == "local":
            self._ray.init(address="local", include_dashboard=False, **quiet)
        else:
            _knock(address)
            self._ray.init(address=address, **quiet)

    def submit(self, numbers: Sequence[int]) -> Any:
        return self._task(self._plan, list(numbers))

    def wait(self, tasks: Sequence[Any]) -> list[tuple[Any, list[Row] | None]]:
        done, _ = self._ray.wait(list(tasks), num_returns=1)
        out: list[tuple[Any, list[Row] | None]] = []
        for task in done:
            try:
                out.append((task, self._ray.get(task)))
            except self._ray.exceptions.RayTaskError as error:
                raise error.cause from None
            except self._ray.exceptions.RayError:  # a worker or a machine died
                out.append((task, None))
        return out

    def close(self) -> None:
        if self._ours:
            self._ray.shutdown()
