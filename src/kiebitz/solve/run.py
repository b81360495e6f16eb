"""Runs a solver until it is good enough: iterations, seconds or a target, with a curve, checkpoints and Ctrl-C."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kiebitz._core import CompiledGame
from kiebitz.errors import ParameterError
from kiebitz.games.registry import from_json
from kiebitz.solve.archive import Archive, write_archive
from kiebitz.solve.compiled import GameLike, compile_game, game_of, read_path, rules_of
from kiebitz.solve.measures import Measures, measure
from kiebitz.solve.method import Method, Solver, averages, find_method, method_spec
from kiebitz.solve.policy import Policy

FORMAT = "kiebitz solver 1"
DEFAULT_ITERATIONS = 1000
_STRIDE = 1.1  # a curve has a point every 10% more iterations: dense enough to see, cheap enough to compute
_SLICE = 0.05  # seconds between two checks of the clock
_KEEP = 60.0  # seconds between two checkpoints


class Point(NamedTuple):
    """A point of a curve: how far from an equilibrium after how many iterations and seconds (without the checks)."""

    iterations: int
    seconds: float
    nash_conv: float
    exploitability: float | None
    values: list[float]

    @property
    def distance(self) -> float:
        """Exploitability where it is defined, NashConv elsewhere."""
        return self.nash_conv if self.exploitability is None else self.exploitability


@dataclass
class SolverRun:
    """How a policy was solved."""

    method: str
    iterations: int = 0
    seconds: float = 0.0
    """Spent on solving, without compiling and checks."""
    curve: list[Point] = field(default_factory=list)
    stopped: bool = False
    """Ended by Ctrl-C."""
    warning: str | None = None

    @property
    def last(self) -> Point:
        """The last point."""
        return self.curve[-1]

    def __str__(self) -> str:
        """What was done and how good the result is, in a line.

        >>> print(SolverRun("dcfr", 10, 0.5, [Point(10, 0.5, 0.2, 0.1, [0.25, -0.25])]))
        dcfr: 10 iterations in 0.5 s, exploitability 0.1, NashConv 0.2, values +0.25 -0.25
        """
        plural = "" if self.iterations == 1 else "s"
        words = [f"{self.method}: {self.iterations:,} iteration{plural} in {self.seconds:.3g} s"]
        if self.curve:
            if self.last.exploitability is not None:
                words.append(f"exploitability {self.last.exploitability:.3g}")
            words += [
                f"NashConv {self.last.nash_conv:.3g}",
                f"values {' '.join(f'{v:+.6g}' for v in self.last.values)}",
            ]
        words += ["stopped"] if self.stopped else []
        words += [self.warning] if self.warning else []
        return ", ".join(words)


Progress = Callable[[Point], None]


@dataclass(frozen=True)
class _Limits:
    """When a run ends, and how often it is measured."""

    iterations: int | None
    seconds: float | None
    target: float | None
    check_every: int | None

    @property
    def given(self) -> bool:
        return any(limit is not None for limit in (self.iterations, self.seconds, self.target, self.check_every))

    def check(self) -> None:
        for name, count in (("iterations", self.iterations), ("check_every", self.check_every)):
            if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < 1):
                raise ParameterError(f"{name}: expected a whole number from 1 up, got {count!r:.60}")
        for name, number in (("seconds", self.seconds), ("target", self.target)):
            if number is None:
                continue
            if not isinstance(number, int | float) or isinstance(number, bool) or not 0 < number < math.inf:
                raise ParameterError(f"{name}: expected a number above 0, got {number!r:.60}")

    def next_check(self, done: int) -> int:
        if self.check_every is not None:
            return (done // self.check_every + 1) * self.check_every
        return max(done + 1, math.ceil(done * _STRIDE))


def solve(
    game: GameLike,
    method: str = "dcfr",
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    check_every: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
    resume: str | Path | None = None,
    **options: Any,
) -> Policy:
    """Solves a game and returns the average policy; ``policy.run`` says how it went.

    It ends after `iterations` (1,000 if there is no limit), after `seconds`, or when the exploitability (NashConv in
    games other than two-player zero-sum ones) is at most `target`, whichever comes first; Ctrl-C keeps the average so
    far. The curve has a point every `check_every` iterations, and `progress` is called with each. `checkpoint` is a
    file to which the solver's memory is written once a minute and at the end; `resume` continues from such a file as if
    the run had never stopped. `iterations` includes those before the checkpoint, `seconds` does not.

    >>> policy = solve("kuhn", "cfr+", iterations=2000)
    >>> round(policy.run.last.exploitability, 4), round(policy.run.last.values[0], 4)
    (0.0, -0.0556)
    >>> solve("kuhn", "lp")
    Policy(kuhn, 12 information sets)
    """
    chosen, read = find_method(method, options)
    compiled = compile_game(game_of(game))
    chosen.check(compiled.game)
    name = method_spec(chosen, read)
    limits = _Limits(iterations, seconds, target, check_every)
    if chosen.at_once:
        if limits.given or checkpoint is not None or resume is not None:
            raise ParameterError(f"{chosen.name} solves at once: it takes no iterations, seconds, target or checkpoint")
        return _solve_at_once(chosen, compiled, read, progress)
    limits.check()
    if iterations is None and seconds is None and target is None:
        limits = replace(limits, iterations=DEFAULT_ITERATIONS)
    solver = chosen.solver(compiled, **read)
    run = SolverRun(name, warning=chosen.warning(compiled.game))
    if resume is not None:
        _resume(Path(resume), compiled, solver, run)
    if checkpoint is None:
        return _iterate(compiled, solver, run, limits, _Watch(progress, lambda: None))
    file = Path(checkpoint)
    _write(file, compiled, solver, run)  # so that a path that cannot be written is refused now, not after hours
    policy = _iterate(compiled, solver, run, limits, _Watch(progress, lambda: _write(file, compiled, solver, run)))
    _write(file, compiled, solver, run)
    return policy


def _solve_at_once(
    method: Method, compiled: CompiledGame, options: dict[str, Any], progress: Progress | None
) -> Policy:
    begun = time.perf_counter()
    policy = method.policy(compiled, **options)
    run = SolverRun(method_spec(method, options), 1, time.perf_counter() - begun)
    run.curve.append(_point(1, run.seconds, measure(policy)))
    if progress is not None:
        progress(run.last)
    policy.run = run
    return policy


@dataclass
class _Watch:
    """What happens during a run: progress is told, and checkpoints are kept."""

    progress: Progress | None
    keep: Callable[[], None]
    kept: float = field(default_factory=time.monotonic)

    def see(self, point: Point) -> None:
        if self.progress is not None:
            self.progress(point)

    def keep_now_and_then(self) -> None:
        if time.monotonic() - self.kept > _KEEP:
            self.keep()
            self.kept = time.monotonic()


def _iterate(compiled: CompiledGame, solver: Solver, run: SolverRun, limits: _Limits, watch: _Watch) -> Policy:
    policy: Policy | None = None
    speed = 1.0  # iterations between two checks of the clock
    spent = run.seconds  # by earlier runs
    last = math.inf if limits.iterations is None else limits.iterations
    check = limits.next_check(run.last.iterations if run.curve else 0)
    try:
        while True:
            done = solver.iterations
            out_of_time = limits.seconds is not None and run.seconds - spent >= limits.seconds
            finished = out_of_time or done >= last
            if finished or done >= check:
                policy = Policy(compiled, averages(compiled, solver))
                _add(run, done, measure(policy))
                watch.see(run.last)
                check = limits.next_check(done)
                finished = finished or (limits.target is not None and run.last.distance <= limits.target)
            if finished:
                break
            count = int(max(1, min(check - done, last - done, speed)))
            begun = time.perf_counter()
            solver.iterate(count)
            took = time.perf_counter() - begun
            run.seconds += took
            run.iterations = solver.iterations
            speed = max(1.0, count * _SLICE / max(took, 1e-6))
            watch.keep_now_and_then()
    except KeyboardInterrupt:
        run.stopped = True
        policy = None  # there may have been iterations since the last check
    run.iterations = solver.iterations
    if policy is None:
        policy = Policy(compiled, averages(compiled, solver))
        _add(run, run.iterations, measure(policy))
    policy.run = run
    return policy


def _add(run: SolverRun, iterations: int, measures: Measures) -> None:
    """Adds a point to the curve, unless there is one for these iterations."""
    if not run.curve or run.last.iterations != iterations:
        run.curve.append(_point(iterations, run.seconds, measures))


def _point(iterations: int, seconds: float, measures: Measures) -> Point:
    return Point(iterations, seconds, measures.nash_conv, measures.exploitability, measures.values)


# --- Checkpoints ------------------------------------------------------------------------------------------------------


def _write(path: Path, compiled: CompiledGame, solver: Solver, run: SolverRun) -> None:
    """All that is needed to continue, in one NumPy archive; an older file is replaced completely or not at all."""
    iterations, *tables = solver.memory()
    arrays: dict[str, Any] = {
        "format": np.array(FORMAT),
        "game": np.array(json.dumps(compiled.game.to_json())),
        "method": np.array(run.method),
        "iterations": np.array(iterations),
        "seconds": np.array(run.seconds),
        "curve": np.array(json.dumps(run.curve)),
    }
    for number, table in enumerate(tables):
        for player, part in enumerate(table):
            arrays[f"table_{number}_{player}"] = np.asarray(part)
    write_archive(path, arrays)


def _resume(path: Path, compiled: CompiledGame, solver: Solver, run: SolverRun) -> None:
    arrays = Archive(read_path(path), FORMAT)
    try:
        stored, method = from_json(json.loads(str(arrays["game"]))), str(arrays["method"])
        if rules_of(stored) != rules_of(compiled.game):
            raise ParameterError(f"{path}: this run solves {stored.to_json()}, expected {compiled.game.to_json()}")
        if method != run.method:
            raise ParameterError(f"{path}: this run uses {method}, expected {run.method}")
        tables = [
            [_part(arrays.part(f"table_{number}_{player}", np.asarray(own).nbytes)) for player, own in enumerate(table)]
            for number, table in enumerate(solver.memory()[1:])
        ]
        solver.load(int(arrays["iterations"]), *tables)
        run.seconds = float(arrays["seconds"])
        run.curve.extend(Point(*point) for point in json.loads(str(arrays["curve"])))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(f"{path}: a part of the run is missing or broken: {error}") from None


def _part(array: Any) -> Any:
    """A table of a solver, or one of its plain numbers."""
    return int(array) if array.ndim == 0 else array


def curve_rows(curve: Sequence[Point]) -> list[dict[str, Any]]:
    """A curve for programs.

    >>> curve_rows([Point(1, 0.5, 2.0, 1.0, [0.0, 0.0])])[0]["nash_conv"]
    2.0
    """
    return [point._asdict() for point in curve]
