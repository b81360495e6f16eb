"""The rows of the solvers (NF-29, PK2-64): Leduc with all 936 information sets, against OpenSpiel's C++, in CPU time
with one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import kiebitz as kb
from bench import bare, peers
from bench.measure import Row, Settings, Spread, Work, alternate, versus
from kiebitz import _core
from kiebitz.solve import Policy, compile_game, nash_conv, solve
from kiebitz.solve.method import find_method

TARGET = 1e-3
"""NashConv at which the race ends."""
CHECK = 50
"""Iterations between two checks in the race, on both sides."""


def equilibria(settings: Settings) -> list[Row]:
    """Regret minimisation, exploitability, sampling, and the race to a small NashConv, on Leduc."""
    rows: list[Row] = []
    for name, method, target, solver in (
        ("solve-cfr", "cfr", 200, "CFRSolver"),
        ("solve-cfr-plus", "cfr_plus", 150, "CFRPlusSolver"),
        ("solve-dcfr", "dcfr", 150, "CFRSolver"),
    ):
        row = versus(
            settings,
            iterations_of(method, 1000),
            peers.regret_minimisation(solver),
            name=name,
            work=f"{method} on Leduc, 936 information sets, both players per iteration",
            peer=f"{peers.version()} {solver} (C++)",
            unit="iterations/s",
            target=target,
        )
        rows.append(row)
        if method == "cfr":
            rows += memory_bound(settings, row, method)
    policy = solve("leduc", "cfr", iterations=100)
    rows.append(
        versus(
            settings,
            measured(policy),
            peers.nash_conv(policy),
            name="solve-exploitability",
            work="exact NashConv and exploitability of a tabular Leduc policy",
            peer=f"{peers.version()} nash_conv (C++)",
            unit="policies/s",
            target=500,
        )
    )
    rows.append(
        versus(
            settings,
            iterations_of("mccfr", 20_000),
            peers.external_sampling(),
            name="solve-mccfr-external",
            work="external-sampling MCCFR on Leduc, both players per iteration",
            peer=f"{peers.version()} ExternalSamplingMCCFRSolver (C++)",
            unit="iterations/s",
            target=15,
        )
    )
    rows.append(race(settings))
    rows.append(
        versus(
            settings,
            games_of("truncated"),
            games_of("canonical"),
            name="lagging-anchor",
            work="games sampled by the lagging anchor on Leduc, truncated by a table of values",
            peer="the same with canonical sampling",
            unit="games/s",
            target=1,
        )
    )
    return rows


def games_of(estimate: str) -> Work:
    """Games that the lagging anchor samples for its gradients; additional games cost time but do not count. A step has
    many games, so that the step itself costs little.
    """
    solver = _core.LaggingAnchor(compile_game("leduc"), estimate, games=1000)

    def work() -> float:
        before = solver.games
        solver.iterate(200)
        return solver.games - before

    return work


def iterations_of(method: str, count: int) -> Work:
    """``count`` more iterations of a solver that keeps running."""
    compiled = compile_game("leduc")
    chosen, options = find_method(method, {})
    solver = chosen.solver(compiled, **options)

    def work() -> float:
        solver.iterate(count)
        return count

    return work


def measured(policy: Policy) -> Work:
    """NashConv of a policy, through the public function."""

    def work() -> float:
        for _ in range(20):
            nash_conv("leduc", policy)
        return 20

    return work


def race(settings: Settings) -> Row:
    """Runs from scratch to the target: the game is compiled anew each time, with a check every 50 iterations."""
    methods = ("pcfr_plus", "dcfr", "cfr_plus")

    def ours(method: str) -> Callable[[], float]:
        def run() -> float:
            compiled = _core.compile(kb.game("leduc"))
            chosen, options = find_method(method, {})
            solver = chosen.solver(compiled, **options)
            while True:
                solver.iterate(CHECK)
                profile = [solver.average(player) for player in range(2)]
                if sum(compiled.best_values(profile)) <= TARGET:
                    return solver.iterations

        return run

    times = {method: [cpu(ours(method)) for _ in range(settings.repetitions)] for method in methods}
    best = min(times, key=lambda method: float(np.median(times[method])))
    theirs = [cpu(peers.race(TARGET, CHECK)) for _ in range(1 if settings.quick else 3)]
    speedups = Spread.of([float(np.median(theirs)) / mine for mine in times[best]])
    note = ", ".join(f"{method} {1e3 * float(np.median(mine)):.0f} ms" for method, mine in times.items())
    return Row(
        "solve-race",
        f"from scratch to NashConv {TARGET:g} on Leduc: compiling, {best}, a check every {CHECK} iterations",
        f"{peers.version()} CFRPlusSolver (C++), a check every {CHECK} iterations",
        "runs/s",
        Spread.of([1 / mine for mine in times[best]]),
        Spread.of([1 / mine for mine in theirs]),
        speedups,
        target=100,
        note=note,
    )


def memory_bound(settings: Settings, row: Row, method: str) -> list[Row]:
    """The speed of an iteration against that of reading as many bytes as it moves through memory."""
    compiled = compile_game("leduc")
    moved = 0
    for player in range(2):
        rows, _, values = compiled.ends(player)
        moved += 12 * len(values) + 8 * len(np.unique(rows))  # values and columns, row numbers and row ends
        moved += 12 * compiled.sets(player)
        # Averages, values, regrets, strategy and plan are read and written once; the opponent's plan is read.
        moved += (5 * 2 + 1) * 8 * compiled.sequences(player)
    data = np.arange(moved // 8, dtype=np.float64)
    own, read = alternate(settings, iterations_of(method, 1000), reading(data))
    limit = list(read)
    found = bare.against(row, f"memory: {moved / 1000:.0f} KB per iteration, read by NumPy's sum", own, limit)
    return [found]


def reading(data: np.ndarray) -> Work:
    """Passes over as many bytes as an iteration moves."""

    def work() -> float:
        for _ in range(1000):
            np.add.reduce(data)  # not a dot product: its library may use threads, whose time would count
        return 1000

    return work


def cpu(work: Callable[[], float]) -> float:
    """CPU seconds of one piece of work."""
    start = time.process_time()
    work()
    return time.process_time() - start
