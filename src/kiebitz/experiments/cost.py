"""Estimates the cost of an experiment before it is run.

The model is simple: a game costs its iterations at the search's usual speed, plus the overhead of Python. It is good
enough to choose sizes and to tell people how long to wait; reports contain measured times.
"""

from __future__ import annotations

from kiebitz.arena.effort import iterations_of
from kiebitz.spec import parse

ITERATIONS_PER_SECOND = 800_000
"""Tree-search iterations per core, averaged over a game of Doppelkopf."""
DECISIONS = 22
"""Searched decisions per seat in a game of Doppelkopf; forced moves cost nothing."""
FEWER_DECISIONS = {"best": 9}
"""The same for agents that search less often: calls only at the last moment, the last tricks solved exactly."""
GAME_SECONDS = 0.006
"""Cost of a game of Doppelkopf without any search: driving it from Python."""


def seat_seconds(spec: str) -> float:
    """Cost of an agent in one seat of one game, in seconds of one core.

    >>> round(seat_seconds("cheat(uct(iterations=10_000))"), 3)
    0.275
    """
    decisions = FEWER_DECISIONS.get(parse(spec).name, DECISIONS)
    return decisions * (iterations_of(spec) or 0) / ITERATIONS_PER_SECOND
