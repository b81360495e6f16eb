"""The rows of the arena: its overhead on top of the agents, games played and stored in batches, two workers against
one, and steps of the vectorised environment.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

import kiebitz as kb
from bench.measure import Row, Settings, Spread, alternate, versus
from kiebitz.agents.base import Agent, create, register
from kiebitz.arena.matches import make_plan
from kiebitz.arena.play import choose
from kiebitz.arena.run import run
from kiebitz.env.vector import VectorEnv
from kiebitz.store.store import Store

THINK = 0.01
"""Seconds per move of the agent in the overhead row."""


class Thinks(Agent):
    """Takes a fixed time and plays the first legal action."""

    def move(self, view: kb.View) -> int:
        """Busy-waits, then moves."""
        until = time.process_time() + THINK
        while time.process_time() < until:
            pass
        return view.legal()[0]


def arena(settings: Settings) -> list[Row]:
    """All rows of the arena."""
    return [overhead(settings), batches(settings), vector(settings), workers(settings)]


def overhead(settings: Settings) -> Row:
    """Games of agents that need 10 ms per move, through the arena with a store, against a bare loop over moves."""
    register("bench_thinks")(Thinks)
    game = kb.game("tic_tac_toe")
    games = 4 if settings.quick else 80
    seeds = iter(range(1_000_000))
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "games.sqlite") as store:

        def ours() -> float:
            plan = make_plan(game, ["bench_thinks", "bench_thinks"], games, next(seeds))
            return sum(sum(row.moves) for row in run(plan, store=store, workers=1).rows)

        def bare() -> float:
            asked = 0
            for _ in range(games):
                agents = [create("bench_thinks", game) for _ in range(2)]
                state = game.new(seed=1)
                while state.player != kb.TERMINAL:
                    legal = state.legal()
                    asked += len(legal) > 1
                    state.apply(choose(agents[state.player], state) if len(legal) > 1 else legal[0])
            return asked

        return versus(
            settings,
            ours,
            bare,
            name="arena-overhead",
            work=f"{games} games of agents that need 10 ms per move, played, counted and stored as a run",
            peer="the bare loop over the same agents",
            unit="moves/s",
            target=0.99,
        )


def batches(settings: Settings) -> Row:
    """Random against random on Oware, played and stored, against the rate asked for."""
    per_run = 2_000 if settings.quick else 20_000
    found = []
    for seed in range(settings.repetitions):
        plan = make_plan(kb.game("oware"), ["random", "random"], per_run, seed)
        with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "games.sqlite") as store:
            begun = time.process_time()
            run(plan, store=store, workers=1)
            found.append(per_run / (time.process_time() - begun))
    return _against_rate(
        "arena-batches",
        f"random against random on Oware, {per_run:,} games played and stored, one core",
        "games/s",
        found,
        20_000.0,
    )


def vector(settings: Settings) -> Row:
    """Random play of Leduc through the vectorised environment, actions chosen by NumPy, against the rate asked for."""
    env = VectorEnv("leduc", 1024, seed=1)
    rng = np.random.default_rng(1)

    def step() -> float:
        env.step(np.where(env.mask, rng.random(env.mask.shape), -1.0).argmax(axis=1))
        return 1024.0

    (found,) = alternate(settings, step)
    work = "decisions of 1,024 games of Leduc at once, choosing random actions included, one core"
    return _against_rate("env-vector", work, "decisions/s", found, 100_000.0)


def _against_rate(name: str, work: str, unit: str, found: list[float], limit: float) -> Row:
    """A row that compares with the rate asked for, where there is no peer."""
    ratios = Spread.of([rate / limit for rate in found])
    return Row(name, work, "the rate asked for", unit, Spread.of(found), Spread.of([limit]), ratios, target=1)


def workers(settings: Settings) -> Row:
    """The same games by two processes and by one; wall time, so it is meaningful on an idle machine only."""
    games = 4 if settings.quick else 200
    plan = make_plan(kb.game("oware"), ["uct(iterations=2000)", "uct(iterations=2000)"], games, 1)
    rates: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(settings.repetitions):
        for count, found in rates.items():
            begun = time.perf_counter()
            run(plan, workers=count)
            found.append(games / (time.perf_counter() - begun))
    ratios = [two / one for one, two in zip(rates[1], rates[2], strict=True)]
    return Row(
        "arena-workers",
        f"{games} games of two searching agents by two workers, including their start, wall time",
        "one worker",
        "games/s",
        Spread.of(rates[2]),
        Spread.of(rates[1]),
        Spread.of(ratios),
        target=1.8,
    )
