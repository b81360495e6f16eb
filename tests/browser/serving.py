"""A server in a process of its own, started as people start it, that tests may stop and start again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "src" / "kiebitz" / "server" / "page" / "index.html"
WAIT = 60.0


class Serving:
    """``kiebitz serve`` on a port of its own (the same after each start) and a store that outlives it.

    Only chance is fixed: every run of the tests gets the same cards.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        assert PAGE.is_file(), "the page of the table is not built: `make page` builds it"
        self._folder = folder
        self._options = options
        self._log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._port = 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}/"

    def start(self) -> None:
        assert self._process is None
        paths = [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONUNBUFFERED": "1"}
        env["XDG_CACHE_HOME"] = str(self._folder / "cache")
        db = self._folder / "tables.db"
        serve = ["serve", "--no-open", "--port", str(self._port), "--db", str(db), *self._options]
        command = [sys.executable, str(Path(__file__).with_name("seeded.py")), *serve]
        self._process = self._run(command, env)
        until = time.monotonic() + WAIT
        while not self._answers():
            assert time.monotonic() < until, f"the server does not answer:\n{self._log.read_text()}"
            if self._process.poll() is not None:
                # Another connection may hold the port for a moment since the server was stopped.
                assert "in use" in self._log.read_text(), f"the server did not start:\n{self._log.read_text()}"
                self._process = self._run(command, env)
            time.sleep(0.05)

    def _run(self, command: list[str], env: dict[str, str]) -> subprocess.Popen[bytes]:
        with self._log.open("wb") as log:
            return subprocess.Popen(command, env=env, stdout=log, stderr=subprocess.STDOUT)

    def _answers(self) -> bool:
        told = re.search(r"http://127\.0\.0\.1:(\d+)/", self._log.read_text())
        if told is None:
            return False
        self._port = int(told[1])
        try:
            return httpx.get(f"{self.address}api/health", trust_env=False, timeout=WAIT).status_code == 200
        except httpx.TransportError:
            return False

    def stop(self) -> None:
        """End the process as a shutdown of the machine would."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(WAIT)
        finally:
            self._process.kill()
            self._process = None
        assert "Traceback" not in self._log.read_text(), self._log.read_text()
