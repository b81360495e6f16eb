"""The rows of the arena: what it costs beside the agents, games played and stored in batches, two workers for one."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import kiebitz as kb
from bench.measure import Row, Settings, Spread, versus
from kiebitz.agents.base import Agent, create, register
from kiebitz.arena.matches import make_plan
from kiebitz.arena.play import choose, play
from kiebitz.arena.run import run
from kiebitz.arena.store import Store

THINK = 0.01
"""Seconds that the agent of the overhead row takes for a move."""


class Thinks(Agent):
    """Takes its time and plays the first legal action."""

    def move(self, view: kb.View) -> int:
        """Waits, awake."""
        until = time.process_time() + THINK
        while time.process_time() < until:
            pass
        return view.legal()[0]


def arena(settings: Settings) -> list[Row]:
    """All of them."""
    return [overhead(settings), batches(settings), workers(settings)]


def overhead(settings: Settings) -> Row:
    """Games of agents that need 10 ms a move, through the arena with a store, against the bare loop over moves."""
    register("bench_thinks")(Thinks)
    game = kb.game("tic_tac_toe")
    plan = make_plan(game, ["bench_thinks", "bench_thinks"], 1_000_000)
    numbers = iter(range(1_000_000))
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "games.sqlite")
        kept = store.begin(plan.to_json(), plan.identity, "bench", "").id

        def ours() -> float:
            row = play(plan, next(numbers))
            store.add(kept, [row])
            return sum(row.moves)

        def bare() -> float:
            agents = [create("bench_thinks", game) for _ in range(2)]
            state, asked = game.new(seed=1), 0
            while state.player != kb.TERMINAL:
                legal = state.legal()
                asked += len(legal) > 1
                state.apply(choose(agents[state.player], state) if len(legal) > 1 else legal[0])
            return asked

        row = versus(
            settings,
            ours,
            bare,
            name="arena-overhead",
            work="moves of agents that need 10 ms each, played, counted and stored",
            peer="the bare loop over the same agents",
            unit="moves/s",
            target=0.99,
        )
        store.close()
    return row


def batches(settings: Settings) -> Row:
    """Random against random on Oware: plays and stores, against the rate that is asked for."""
    per_run = 2_000 if settings.quick else 20_000
    found = []
    for seed in range(settings.repetitions):
        plan = make_plan(kb.game("oware"), ["random", "random"], per_run, seed)
        with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "games.sqlite") as store:
            begun = time.process_time()
            run(plan, store=store, workers=1)
            found.append(per_run / (time.process_time() - begun))
    limit = 20_000.0
    return Row(
        "arena-batches",
        f"random against random on Oware, {per_run:,} games played and stored, one core",
        "the rate asked for",
        "games/s",
        Spread.of(found),
        Spread.of([limit]),
        Spread.of([rate / limit for rate in found]),
        target=1,
    )


def workers(settings: Settings) -> Row:
    """The same games by two processes and by one; wall time, so it means something on an idle machine only."""
    games = 20 if settings.quick else 400
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
        f"{games} games of two searching agents by two workers, starting them included, wall time",
        "the same by one",
        "games/s",
        Spread.of(rates[2]),
        Spread.of(rates[1]),
        Spread.of(ratios),
        target=1.8,
    )
