"""Batches: games between agents of the core are played there, many at a time. The same games, without Python."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from kiebitz.arena.metrics import find_metric
from kiebitz.arena.plan import Limits, Openings, Plan
from kiebitz.games.declaration import ResultMetric
from kiebitz.spec import parse
from kiebitz.store.rows import Row

NATIVE = "random"


def can_batch(plan: Plan) -> bool:
    """Whether the games of a plan can be played in a batch: random players, no openings or limits, and metrics that
    need no state.

    >>> import kiebitz as kb
    >>> can_batch(Plan(kb.game("oware"), ("random", "random"), games=10))
    True
    """
    return (
        plan.openings == Openings()
        and plan.limits == Limits()
        and not plan.given
        and all(str(parse(spec)) == NATIVE for spec in plan.agents)
        and all(isinstance(find_metric(name), ResultMetric) for name in plan.metrics)
    )


def play_batch(plan: Plan, numbers: Sequence[int]) -> list[Row]:
    """The rows of some games of a plan, as `play` gives them; only the times differ, which are means of the batch.

    >>> import kiebitz as kb
    >>> from kiebitz.arena.play import play
    >>> plan = Plan(kb.game("oware"), ("random", "random"), games=2, seed=1, metrics=("oware",))
    >>> rows = [play(plan, number) for number in (0, 1)]
    >>> [(row.actions, row.metrics) for row in play_batch(plan, [0, 1])] == [(row.actions, row.metrics) for row in rows]
    True
    """
    players = plan.game.info.players
    jobs = [plan.job(number) for number in numbers]
    chance = {deal: plan.chance_seed(deal) for deal in {job.deal for job in jobs}}
    seeds = {deal: [plan.seat_seed(deal, seat) for seat in range(players)] for deal in chance}
    begun = time.perf_counter()
    payoffs, plies, choices, moves, lengths, actions, results = plan.game.random_games(
        [chance[job.deal] for job in jobs], [seed for job in jobs for seed in seeds[job.deal]]
    )
    mean = (time.perf_counter() - begun) / max(int(moves.sum()), 1)
    paid, own, asked = (of_seats.reshape(-1, players).tolist() for of_seats in (payoffs, plies, moves))
    all_actions = tuple(actions.tolist())  # slices of which are tuples, too
    choice_counts = choices.tolist()
    slowest = (mean,) * players
    metrics = [metric for name in plan.metrics if isinstance(metric := find_metric(name), ResultMetric)]
    rows = []
    begin = 0
    for i, (job, end) in enumerate(zip(jobs, np.cumsum(lengths).tolist(), strict=True)):
        found: dict[str, Any] = {}
        for metric in metrics:
            found.update(metric.of(results[i] if results else {}, own[i]))
        rows.append(
            Row(
                job.number,
                job.deal,
                job.seating,
                tuple(paid[i]),
                sum(own[i]),
                choice_counts[i],
                tuple(asked[i]),
                tuple(mean * count for count in asked[i]),
                slowest,
                (),
                found,
                all_actions[begin:end],
            )
        )
        begin = end
    return rows
