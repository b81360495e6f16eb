"""What an experiment costs before it is run, and the machine it ran on.

The model is simple: a game costs its iterations, at the speed of this core's search, plus what Python adds. It is there
to choose sizes and to tell people how long to wait; reports hold measured times.
"""

from __future__ import annotations

from kiebitz.arena.effort import iterations_of
from kiebitz.spec import parse

ITERATIONS_PER_SECOND = 800_000
"""Tree-search iterations of one core, the average over a game of Doppelkopf."""
DECISIONS = 22
"""Searched decisions of one seat in a game of Doppelkopf; forced moves cost nothing."""
FEWER_DECISIONS = {"best": 9}
"""The same for agents that search less: calls at the last moment only, the last tricks solved."""
GAME_SECONDS = 0.006
"""What a game of Doppelkopf costs without any search: driving it from Python."""


def seat_seconds(spec: str) -> float:
    """What an agent costs in one seat of one game, in seconds of one core.

    >>> round(seat_seconds("cheat(uct(iterations=10_000))"), 3)
    0.275
    """
    decisions = FEWER_DECISIONS.get(parse(spec).name, DECISIONS)
    return decisions * (iterations_of(spec) or 0) / ITERATIONS_PER_SECOND
