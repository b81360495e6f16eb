"""process(command): a program in any language as an agent, over lines of JSON (docs/protocol.md).

The program gets the view and answers with an action. It is started without a shell, gets a limited time for every
answer and is always ended. Every way in which it can fail is a named error with its last output on stderr.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import multiprocessing.util
import os
import select
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, ClassVar, NoReturn

from kiebitz._core import Game, View
from kiebitz.agents.base import Agent, register
from kiebitz.errors import BudgetError, Error, IllegalAction, ParameterError, UnsuitableGame
from kiebitz.options import LONGEST, REQUIRED, Texts, option

PROTOCOL = 1
LONGEST_LINE = 1 << 16
"""Longest answer, in bytes."""
LAST_WORDS = 2000
"""Bytes of stderr that are kept for messages."""
GRACE = 1.0
"""Seconds that a program gets to end by itself after "quit"."""
IDLE = 8
"""Programs that are kept between games: agents are made anew for every game, but programs start slowly."""


class ProgramError(Error):
    """A program broke the protocol; the base of the errors below."""


class ProgramStartError(ProgramError):
    """The program does not exist, cannot be run, or did not say that it is ready."""


class ProgramTimeoutError(ProgramError):
    """The program did not answer in time."""


class ProgramDiedError(ProgramError):
    """The program ended, or closed its output, in the middle of a game."""


class ProgramAnswerError(ProgramError):
    """The program sent something that is not an answer of the protocol."""


class ProgramActionError(ProgramError, IllegalAction):
    """The program answered with an action that is not legal."""


@dataclass(frozen=True)
class ProcessOptions:
    """Options of ``process``."""

    command: str | Texts = option(  # noqa: RUF009 (it makes a field)
        REQUIRED, "the program and its arguments, as a list or as one text; no shell is involved"
    )
    seconds: float = option(10.0, "the longest time for one move", low=1e-3, high=LONGEST, error=BudgetError)
    start_seconds: float = option(10.0, "the longest time until it is ready", low=1e-3, high=LONGEST, error=BudgetError)


@register("process")
class Process(Agent):
    """Plays what an external program answers.

    >>> import sys, kiebitz as kb
    >>> from kiebitz.spec import Spec
    >>> program = '''
    ... import json, sys
    ... for line in sys.stdin:
    ...     message = json.loads(line)
    ...     if message["type"] == "hello":
    ...         print(json.dumps({"protocol": 1, "name": "last"}), flush=True)
    ...     elif message["type"] == "move":
    ...         print(json.dumps({"action": message["legal"][-1]["action"]}), flush=True)
    ... '''
    >>> game = kb.game("tic_tac_toe")
    >>> spec = Spec.of("process", command=(sys.executable, "-c", program))
    >>> kb.agent(spec, game).act(game.new().view(0))
    8
    """

    Options = ProcessOptions
    options: ProcessOptions
    runs_code: ClassVar[bool] = True

    def __init__(self, game: Game, options: ProcessOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        self._command = _split(options.command)
        self._seat = _Seat((self._command, game.origin))
        self._new = True
        self._seconds = options.seconds
        weakref.finalize(self, _Seat.leave, self._seat)

    @classmethod
    def unsuitable(cls, game: Game, cheating: bool = False) -> str | None:
        """It plays every game, but cannot cheat: the protocol sends views."""
        if cheating:
            return f"{cls.name} gets views only, so it cannot look at the full state: write it without cheat(...)"
        return super().unsuitable(game, cheating)

    @property
    def pure(self) -> bool:
        """False: nothing is known about how a program chooses."""
        return False

    @classmethod
    def files(cls, options: ProcessOptions) -> list[Path]:
        """The program, and those of its arguments that are files."""
        program, *arguments = _split(options.command)
        found = (shutil.which(program), *arguments)
        return [Path(name) for name in found if name is not None and os.path.isfile(name)]

    def prepare(self, seconds: float | None = None) -> None:
        """Starts the program, or takes an idle one, unless one is running."""
        self._seconds = self.options.seconds if seconds is None else min(seconds, self.options.seconds)
        if self._seat.program is None or not self._seat.program.mine:
            self._seat.program = self._take()
            self._new = True

    def move(self, view: View) -> int:
        """Asks the program."""
        if self._seat.program is None or not self._seat.program.mine:
            self.prepare()
        program = self._seat.program
        assert program is not None
        lines: list[Mapping[str, Any]] = [{"type": "game", "seed": self.seed}] if self._new else []
        self._new = False
        legal = view.legal()
        lines.append(
            {
                "type": "move",
                "view": view.to_json(),
                "outline": outline_of(view),
                "legal": [_action(view, action) for action in legal],
                "seconds": self._seconds,
            }
        )
        try:
            action = program.ask(lines, self.options.seconds).get("action")
            if isinstance(action, bool) or not isinstance(action, int):
                program.fail(ProgramAnswerError, "expected an answer with a whole number as its action")
            if action not in legal:
                expected = ", ".join(str(a) for a in legal[:12]) + (" ..." if len(legal) > 12 else "")
                program.fail(ProgramActionError, f"action {action!s:.30} is not legal here; expected one of {expected}")
        except BaseException:  # on Ctrl-C, too: its answer would arrive as the answer to another question
            self._seat.program = None
            program.end(grace=0)
            raise
        return action

    def close(self) -> None:
        """Releases the program, to be used in another game or ended; the next move takes or starts one."""
        self._seat.leave()

    def _take(self) -> Program:
        if (waiting := _pool.take(self._seat.key)) is not None:
            return waiting
        info = {name: value for name, value in self.game.info.to_dict().items() if isinstance(value, int | float | str)}
        program = Program(self._command)
        try:
            described = {"game": self.game.to_json(), "params": self.game.params, "info": info}
            ready = program.ask([{"type": "hello", "protocol": PROTOCOL, **described}], self.options.start_seconds)
            if ready.get("protocol") != PROTOCOL:
                program.fail(ProgramAnswerError, f'expected an answer to hello with "protocol": {PROTOCOL}')
        except ProgramError as error:
            program.end(grace=0)
            raise ProgramStartError(str(error)) from error
        except BaseException:
            program.end(grace=0)
            raise
        return program


def outline_of(view: View) -> dict[str, Any]:
    """What the rules say about a view, so that a program needs none: its outline, with what everybody knows as
    `public`; in a game where nothing is hidden, that alone.

    >>> import kiebitz as kb
    >>> outline_of(kb.game("nim").new().view(0))
    {'public': {'heaps': [1, 3, 5, 7]}}
    """
    for told in (view.outline, lambda: {"public": view.public()}):
        with contextlib.suppress(UnsuitableGame):
            return told()
    return {}


def _action(view: View, action: int) -> dict[str, Any]:
    return {"action": action, "name": view.name(action), "kind": view.kind(action), "amount": view.amount(action)}


def _split(command: str | Texts) -> Texts:
    """The program and its arguments; refused before the first game if the program does not exist."""
    try:
        parts = tuple(shlex.split(command)) if isinstance(command, str) else command
    except ValueError as error:
        raise ParameterError(f"process: command: {error}".lower()) from None
    if not parts or not parts[0] or any("\0" in part for part in parts):
        raise ParameterError("process: command: expected a program and its arguments")
    if shutil.which(parts[0]) is None:
        raise ProgramStartError(f"process: there is no program {parts[0]!r:.100} that can be run")
    return parts


class Program:
    """A running program and the lines to and from it. A forked process must not use it: see ``mine``."""

    def __init__(self, command: Sequence[str]) -> None:
        _pool.watch()
        self._name = " ".join(shlex.join(command).split())[:100]
        self._owner = os.getpid()
        self._output = b""
        self._words = b""
        with _pool.lock:
            if _pool.closing:
                raise ProgramStartError(f"{self._name}: not started, because Kiebitz is shutting down")
            try:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,  # a process group of its own, so that its children are ended with it
                )
            except OSError as error:
                raise ProgramStartError(f"{self._name}: {error.strerror}") from None
            self._running = weakref.finalize(self, _end, self._process, self._owner, 0.0)
            _pool.started.add(self)
        for pipe in self._pipes():
            os.set_blocking(pipe.fileno(), False)

    @property
    def mine(self) -> bool:
        """Whether this process started it, and has not ended it."""
        return self._owner == os.getpid() and self._running.alive

    @property
    def alive(self) -> bool:
        """Whether it can be asked again: running, and silent unless asked."""
        if not self.mine or _fate(self._process) is not None:
            return False
        self._hear(self._pipes()[1].fileno())
        return not self._output

    def ask(self, messages: Sequence[Mapping[str, Any]], seconds: float) -> dict[str, Any]:
        """Sends the messages, one per line, and waits for the answer to the last one."""
        stdin, stdout, stderr = (pipe.fileno() for pipe in self._pipes())
        deadline = time.monotonic() + seconds
        left = memoryview("".join(json.dumps(m, separators=(",", ":")) + "\n" for m in messages).encode())
        self._hear(stdout)
        if self._output:
            self.fail(ProgramAnswerError, f"it spoke without being asked: {_excerpt(self._output)}")
        poll = select.poll()
        poll.register(stdin, select.POLLOUT)
        poll.register(stdout, select.POLLIN)
        poll.register(stderr, select.POLLIN)
        while b"\n" not in self._output:
            if len(self._output) > LONGEST_LINE:
                self.fail(ProgramAnswerError, f"expected an answer of at most {LONGEST_LINE} bytes")
            wait = deadline - time.monotonic()
            if wait <= 0:
                self.fail(ProgramTimeoutError, f"no answer within {seconds:g} s")
            # Not for long: children of the program can keep its output open after it has ended.
            ready = poll.poll(min(wait, 0.1) * 1000)
            if not ready and _fate(self._process) is not None:
                self.fail(ProgramDiedError, self._how_it_ended())
            for pipe, _ in ready:
                if pipe == stdin:
                    left = self._say(left)
                    if not left:
                        poll.unregister(stdin)
                elif not self._hear(pipe):
                    if pipe == stdout:
                        self.fail(ProgramDiedError, self._how_it_ended())
                    poll.unregister(stderr)
        line, self._output = self._output.split(b"\n", 1)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self.fail(ProgramAnswerError, f"expected a JSON object, got {_excerpt(line)}")
        return answer

    def fail(self, kind: type[ProgramError], words: str) -> NoReturn:
        """Raises an error with the program's last output on stderr."""
        self._hear(self._pipes()[2].fileno())
        last = self._words.decode(errors="replace").strip()
        last = "".join(char if char.isprintable() or char == "\n" else " " for char in last)
        raise kind(f"{self._name}: {words}" + (f"\nits last words on stderr:\n{last}" if last else ""))

    def dismiss(self) -> None:
        """Says goodbye and closes its input, so that a well-behaved program ends by itself."""
        if self.mine:
            with contextlib.suppress(OSError, ValueError):
                os.write(self._pipes()[0].fileno(), b'{"type":"quit"}\n')
            with contextlib.suppress(OSError):
                self._pipes()[0].close()

    def end(self, grace: float = GRACE) -> None:
        """Ends it, whether it cooperates or not."""
        if not self.mine:
            return
        if grace:
            self.dismiss()
        if self._running.detach() is not None:
            _end(self._process, self._owner, grace)

    def _pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        return process.stdin, process.stdout, process.stderr

    def _say(self, left: memoryview) -> memoryview:
        """Writes as much as the program accepts now and returns the rest."""
        try:
            return left[os.write(self._pipes()[0].fileno(), left[:LONGEST_LINE]) :]
        except BlockingIOError:
            return left
        except OSError:  # it closed its input: its output will say why
            return left[:0]

    def _hear(self, pipe: int) -> bool:
        """Reads what is available, at most the length of a line; false at the end of the output."""
        try:
            data = os.read(pipe, LONGEST_LINE)
        except BlockingIOError:
            return True
        if pipe == self._pipes()[2].fileno():
            self._words = (self._words + data)[-LAST_WORDS:]
        else:
            self._output += data
        return bool(data)

    def _how_it_ended(self) -> str:
        deadline = time.monotonic() + 1.0  # output closes a moment before the process ends
        while (fate := _fate(self._process)) is None and time.monotonic() < deadline:
            time.sleep(0.002)
        if fate is None:
            return "it closed its output"
        ended = fate.si_code == os.CLD_EXITED
        return f"it ended with exit code {fate.si_status}" if ended else f"it was ended by signal {fate.si_status}"


def _excerpt(data: bytes) -> str:
    return repr(data[:80].decode(errors="replace"))


def _fate(process: subprocess.Popen[bytes]) -> os.waitid_result | None:
    """How it ended, if it did. Its process id stays reserved until ``wait``, so that its group can be ended safely."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)


def _end(process: subprocess.Popen[bytes], owner: int, grace: float) -> None:
    """Closes the input, waits a moment, ends the rest of the group and leaves no zombie."""
    pipes = [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe is not None]
    if os.getpid() == owner:
        with contextlib.suppress(OSError):
            pipes[0].close()
        deadline = time.monotonic() + grace
        while time.monotonic() < deadline and _fate(process) is None:
            time.sleep(0.002)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for pipe in pipes:
        with contextlib.suppress(OSError):
            pipe.close()


# --- Programs between games -------------------------------------------------------------------------------------------

_Key = tuple[Texts, str]


class _Pool:
    """The programs of this process: the idle ones, and a record of all of them so that none outlives it."""

    def __init__(self) -> None:
        self.idle: dict[_Key, list[Program]] = {}
        self.started: weakref.WeakSet[Program] = weakref.WeakSet()
        self.owner = 0
        self.closing = False
        self.lock = threading.RLock()
        """Held while a program starts, so that none starts while another thread ends them all."""

    def watch(self) -> None:
        """Called before the first program of every process: workers of multiprocessing exit without ``atexit``."""
        if self.owner != os.getpid():
            self.owner = os.getpid()
            self.closing = False
            self.lock = threading.RLock()
            self.idle.clear()  # those belong to the parent process
            atexit.register(self.close)
            multiprocessing.util.Finalize(None, self.close, exitpriority=1)

    def take(self, key: _Key) -> Program | None:
        """An idle program that is still running, if there is one."""
        waiting = self.idle.get(key, [])
        while waiting:
            program = waiting.pop()
            if program.alive:
                return program
            program.end(grace=0)
        return None

    def give(self, key: _Key, program: Program) -> None:
        """Keeps a program for another game, unless there are too many already."""
        if self.closing or sum(map(len, self.idle.values())) >= IDLE:
            program.end()
        else:
            self.idle.setdefault(key, []).append(program)

    def close(self) -> None:
        """Ends all programs; together they get as much time to end by themselves as a single one."""
        with self.lock:
            self.closing = True
            started = list(self.started)
        for program in started:
            program.dismiss()
        deadline = time.monotonic() + GRACE
        for program in started:
            program.end(max(0.0, deadline - time.monotonic()))


_pool = _Pool()


class _Seat:
    """Holds an agent's program; separate from the agent, so that it can be given back when the agent is gone."""

    def __init__(self, key: _Key) -> None:
        self.key = key
        self.program: Program | None = None

    def leave(self) -> None:
        program, self.program = self.program, None
        if program is not None and program.mine:
            _pool.give(self.key, program)


def end_programs() -> None:
    """Ends all programs of this process and starts no more: for processes that exit without running Python's exit
    handlers."""
    _pool.close()


def end_idle() -> None:
    """Ends the idle programs.

    >>> end_idle()
    """
    for waiting in _pool.idle.values():
        while waiting:
            waiting.pop().end()
