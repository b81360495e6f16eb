"""Background jobs with progress: people start a review and fetch its result later."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kiebitz._core import StopToken
from kiebitz.server.errors import TableError
from kiebitz.server.workers import Workers

logger = logging.getLogger("kiebitz.server")

Work = Callable[[StopToken, Callable[[float], None]], dict[str, Any]]
"""Called with a stop token and a function that takes its progress, 0 to 1."""


@dataclass(eq=False)
class BackgroundJob:
    """A piece of work, its state and its result."""

    address: str
    """The address that asked for it."""
    state: str = "waiting"
    progress: float = 0.0
    result: dict[str, Any] | None = None
    stop: StopToken = field(default_factory=StopToken)
    running: asyncio.Future[None] | None = None
    """Done once no thread works on it any more."""

    def to_dict(self) -> dict[str, Any]:
        """The job as clients see it."""
        return {"state": self.state, "progress": self.progress, "result": self.result}


class Jobs:
    """The jobs of a server; finished ones are dropped, oldest first, when there are too many."""

    def __init__(self, workers: Workers, most: int, most_of_one: int) -> None:
        self.workers = workers
        self.most = most
        self.most_of_one = most_of_one
        """Largest number of unfinished jobs per address."""
        self._jobs: OrderedDict[str, BackgroundJob] = OrderedDict()

    def begin(self, work: Work, address: str) -> str:
        """Starts a job and returns its id."""
        busy = [job for job in self._jobs.values() if job.running is not None and not job.running.done()]
        if sum(job.address == address for job in busy) >= self.most_of_one:
            raise TableError("too_many", "too many of your reviews are running; wait for one of them")
        while len(self._jobs) >= self.most:
            self._drop_one()
        job = BackgroundJob(address)

        def progress(share: float) -> None:
            job.progress = min(1.0, max(job.progress, float(share)))

        def run() -> None:
            if job.stop.requested:
                return
            job.state = "running"
            try:
                result = work(job.stop, progress)
            except Exception:
                if job.stop.requested:
                    job.state = "cancelled"
                else:
                    logger.exception("a job failed")
                    job.state = "failed"
                return
            if job.stop.requested:
                job.state = "cancelled"
            else:
                job.result, job.progress, job.state = result, 1.0, "done"

        job.running = self.workers.run(run, address)
        return self._add(job)

    def done(self, result: dict[str, Any], address: str) -> str:
        """The id of a job whose result is known already."""
        while len(self._jobs) >= self.most:
            self._drop_one()
        return self._add(BackgroundJob(address, "done", 1.0, result))

    def _drop_one(self) -> None:
        """Forgets the oldest job that has ended."""
        ended = next((id for id, job in self._jobs.items() if job.running is None or job.running.done()), None)
        if ended is None:
            raise TableError("busy", "too many reviews are running; try again later")
        del self._jobs[ended]

    def _add(self, job: BackgroundJob) -> str:
        id = secrets.token_urlsafe(9)
        self._jobs[id] = job
        return id

    def get(self, id: str) -> BackgroundJob:
        """A job by its id."""
        if id not in self._jobs:
            raise TableError("unknown_job", "there is no such job")
        return self._jobs[id]

    def cancel(self, id: str) -> None:
        """Stops a job."""
        job = self.get(id)
        job.stop.request()
        if job.state == "waiting" and job.running is not None:
            job.running.cancel()  # it leaves the queue
        if job.state in ("waiting", "running"):
            job.state = "cancelled"

    def close(self) -> None:
        """Stops all jobs."""
        for job in self._jobs.values():
            job.stop.request()
