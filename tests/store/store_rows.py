"""Rows for the tests of the store, of all shapes that a game can give."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from kiebitz.store.rows import Row

PLAN: dict[str, Any] = {"game": {"name": "nim"}, "agents": ["nim_perfect", "random"], "games": 100}


def some_rows(count: int, first: int = 0, seed: int = 0) -> list[Row]:
    """Rows as a match of two has them; the same for the same arguments."""
    return [_row(number, random.Random(seed * 1_000_003 + number)) for number in range(first, first + count)]


def _row(number: int, rng: random.Random) -> Row:
    actions = tuple(rng.randrange(6) for _ in range(rng.randrange(20, 40)))
    win = rng.choice((1.0, -1.0))
    times = (rng.random(), rng.random())
    return Row(number, number // 2, (0, 1), (win, -win), len(actions), 90, (9, 8), times, times, actions=actions)


_FLOATS = st.floats(allow_nan=False, allow_infinity=False)
_COUNTS = st.integers(0, 2**63 - 1)
_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | _FLOATS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@st.composite
def rows(draw: st.DrawFn) -> Row:
    """Any row of a table of one to four."""
    seats = draw(st.integers(1, 4))

    def by_seat(values: st.SearchStrategy[Any]) -> tuple[Any, ...]:
        return draw(st.tuples(*[values] * seats))

    largest = draw(st.sampled_from((255, 2**16 - 1, 2**32 - 1, 2**64 - 1)))
    return Row(
        number=draw(_COUNTS),
        deal=draw(_COUNTS),
        seating=by_seat(st.integers(0, 9)),
        payoffs=by_seat(_FLOATS),
        plies=draw(_COUNTS),
        choices=draw(_COUNTS),
        moves=by_seat(st.integers(0, 10**6)),
        seconds=by_seat(_FLOATS),
        slowest=by_seat(_FLOATS),
        events=tuple(draw(st.lists(st.tuples(st.integers(0, 3), st.text(), st.text()), max_size=2))),
        metrics=draw(st.dictionaries(st.text(), _PLAIN, max_size=3)),
        actions=tuple(draw(st.lists(st.integers(0, largest), max_size=20))),
    )


def row_lists() -> st.SearchStrategy[list[Row]]:
    """Rows of one run, in any order."""
    return st.lists(rows(), max_size=8, unique_by=lambda row: row.number)
