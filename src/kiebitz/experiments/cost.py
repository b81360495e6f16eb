"""What an experiment costs before it is run, and the machine it ran on.

The model is simple: a game costs its iterations, at the speed of this core's search, plus what Python adds. It is there
to choose sizes and to tell people how long to wait; reports hold measured times.
"""

from __future__ import annotations

from collections.abc import Iterator

from kiebitz.spec import Spec, Value, parse

ITERATIONS_PER_SECOND = 800_000
"""Tree-search iterations of one core, the average over a game of Doppelkopf."""
DECISIONS = 22
"""Searched decisions of one seat in a game of Doppelkopf; forced moves cost nothing."""
FEWER_DECISIONS = {"best": 9}
"""The same for agents that search less: calls at the last moment only, the last tricks solved."""
GAME_SECONDS = 0.006
"""What a game of Doppelkopf costs without any search: driving it from Python."""


def iterations_of(spec: str) -> int | None:
    """How many iterations an agent spends on a decision, all worlds together, as far as its spec says.

    >>> iterations_of("pimc(uct(iterations=1000), worlds=10)"), iterations_of("random")
    (10000, None)
    """
    numbers = dict(_numbers(parse(spec)))
    if "iterations" not in numbers:
        return None
    return numbers["iterations"] * numbers.get("worlds", 1)


def _numbers(value: Value) -> Iterator[tuple[str, int]]:
    if isinstance(value, Spec):
        for inner in (*value.args, *(item for _, item in value.kwargs)):
            yield from _numbers(inner)
        yield from ((key, item) for key, item in value.kwargs if isinstance(item, int))


def seat_seconds(spec: str) -> float:
    """What an agent costs in one seat of one game, in seconds of one core.

    >>> round(seat_seconds("cheat(uct(iterations=10_000))"), 3)
    0.275
    """
    decisions = FEWER_DECISIONS.get(parse(spec).name, DECISIONS)
    return decisions * (iterations_of(spec) or 0) / ITERATIONS_PER_SECOND
