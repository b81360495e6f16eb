"""Memories keep what they promise: the newest rows, all rows with equal chances, or the most surprising ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.learn.memories import Circular, Prioritised, Reservoir, RowMemory

ROW: dict[str, tuple[tuple[int, ...], Any]] = {"x": ((), np.int64), "pair": ((2,), np.float32)}


def rows(first: int, count: int) -> dict[str, Any]:
    numbers = np.arange(first, first + count)
    return {"x": numbers, "pair": np.stack([numbers, -numbers], axis=1).astype(np.float32)}


@pytest.mark.requirement("NF-13")
@given(st.integers(1, 9), st.lists(st.integers(0, 25), max_size=8))
def test_a_circular_memory_holds_the_newest_rows(capacity: int, sizes: list[int]) -> None:
    memory, first = Circular(capacity, ROW), 0
    for size in sizes:
        memory.add(**rows(first, size))
        first += size
        kept = memory.arrays["x"][: len(memory)]
        assert sorted(kept.tolist()) == list(range(max(first - capacity, 0), first))
        np.testing.assert_array_equal(memory.arrays["pair"][: len(memory), 0], kept)


@pytest.mark.requirement("NF-14")
def test_a_reservoir_keeps_every_row_with_the_same_chance() -> None:
    """2,000 reservoirs of 100 out of 10,000 rows: each tenth of the rows is kept with 0.01 +- 0.0005."""
    kept = np.zeros(10_000)
    for seed in range(2000):
        memory = Reservoir(100, {"x": ((), np.int64)}, np.random.default_rng(seed))
        memory.add(x=np.arange(10_000))
        kept[memory.arrays["x"]] += 1
    shares = kept.reshape(10, 1000).mean(axis=1) / 2000
    assert np.abs(shares - 0.01).max() < 0.0005


def test_a_reservoir_is_the_same_however_rows_arrive() -> None:
    """Not row by row the same random numbers, but the same shares."""
    kept = np.zeros(300)
    for seed in range(3000):
        memory = Reservoir(30, {"x": ((), np.int64)}, np.random.default_rng(seed))
        for start in range(0, 300, 7):
            memory.add(x=np.arange(start, min(start + 7, 300)))
        kept[memory.arrays["x"]] += 1
    assert np.abs(kept.reshape(10, 30).mean(axis=1) / 3000 - 0.1).max() < 0.006


def test_a_fading_reservoir_prefers_newer_rows() -> None:
    memory = Reservoir(100, {"x": ((), np.int64)}, np.random.default_rng(1), share=0.25)
    for start in range(0, 10_000, 50):
        memory.add(x=np.arange(start, start + 50))
    assert memory.arrays["x"].mean() > 9000


def test_priorities_decide_how_often_a_row_is_drawn() -> None:
    memory = Prioritised(5, ROW)
    memory.add(**rows(0, 5))
    memory.update(np.arange(5), np.array([1.0, 2, 3, 4, 0]))
    drawn = memory.sample(np.random.default_rng(1), 20_000)
    shares = np.bincount(drawn["x"], minlength=5) / 20_000
    np.testing.assert_allclose(shares, [0.1, 0.2, 0.3, 0.4, 0], atol=0.015)
    np.testing.assert_allclose(drawn["probability"], (drawn["x"] + 1) / 10)


@pytest.mark.parametrize("kind", [Circular, Reservoir, Prioritised])
def test_a_memory_goes_on_where_another_was(kind: type[Any]) -> None:
    def make() -> RowMemory:
        more = (np.random.default_rng(3),) if kind is Reservoir else ()
        memory: RowMemory = kind(20, ROW, *more)
        return memory

    one, other = make(), make()
    one.add(**rows(0, 33))  # type: ignore[attr-defined]
    if isinstance(one, Prioritised):
        one.update(np.arange(20), np.linspace(0, 3, 20))
    other.load(one.memory())
    if isinstance(one, Reservoir) and isinstance(other, Reservoir):
        other.rng.bit_generator.state = one.rng.bit_generator.state
    for memory in (one, other):
        memory.add(**rows(33, 5))  # type: ignore[attr-defined]
    drawn = [memory.sample(np.random.default_rng(5), 50) for memory in (one, other)]
    for name in drawn[0]:
        np.testing.assert_array_equal(drawn[0][name], drawn[1][name])


def test_a_memory_without_room_is_refused() -> None:
    with pytest.raises(kb.Error, match="expected at least 1, got 0"):
        Circular(0, ROW)
