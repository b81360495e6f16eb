"""Memories of what was seen while playing, as arrays that are made once: circular, reservoir, prioritised.

Each takes and gives rows of several arrays at a time, such as observations, actions and rewards. What a memory
holds and how far it is can be saved and loaded (`memory`, `load`), so that a run goes on exactly where it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiebitz.errors import ParameterError

Row = Mapping[str, tuple[tuple[int, ...], Any]]
"""For each array its shape in one row, and its type."""
Batch = dict[str, NDArray[Any]]


class RowMemory:
    """Room for `capacity` rows. Subclasses say where new ones go."""

    def __init__(self, capacity: int, row: Row) -> None:
        if capacity < 1:
            raise ParameterError(f"capacity: expected at least 1, got {capacity}")
        self.capacity = capacity
        self.arrays: Batch = {name: np.zeros((capacity, *shape), kind) for name, (shape, kind) in row.items()}
        self.offered = 0
        """Rows that were ever added."""

    def __len__(self) -> int:
        return min(self.offered, self.capacity)

    @property
    def most_bytes(self) -> int:
        """What it takes in a checkpoint once it is full."""
        return sum(array.nbytes for array in self.arrays.values())

    def sample(self, rng: np.random.Generator, count: int) -> Batch:
        """`count` rows, each drawn from all that are there."""
        chosen = rng.integers(0, len(self), count)
        return {name: array.take(chosen, axis=0) for name, array in self.arrays.items()}

    def sample_into(self, rng: np.random.Generator, out: Batch) -> None:
        """Fills arrays with rows, each drawn from all that are there."""
        chosen = rng.integers(0, len(self), len(next(iter(out.values()))))
        for name, array in self.arrays.items():
            array.take(chosen, axis=0, out=out[name], mode="clip")

    def memory(self) -> Batch:
        """All of it as arrays."""
        kept = {name: array[: len(self)] for name, array in self.arrays.items()}
        return {**kept, "offered": np.array(self.offered)}

    def load(self, memory: Mapping[str, NDArray[Any]]) -> None:
        """Takes what `memory` gave."""
        self.offered = int(memory["offered"])
        for name, array in self.arrays.items():
            array[: len(self)] = memory[name]


class Circular(RowMemory):
    """Keeps the newest rows.

    >>> memory = Circular(3, {"x": ((), np.int64)})
    >>> memory.add(x=np.arange(5))
    >>> sorted(memory.arrays["x"].tolist()), len(memory)
    ([2, 3, 4], 3)
    """

    def add(self, **rows: NDArray[Any]) -> None:
        """New rows; each takes the place of the oldest one once the memory is full."""
        count = len(next(iter(rows.values())))
        first = self.offered % self.capacity
        if first + count <= self.capacity:  # a slice is filled several times as quickly
            for name, array in self.arrays.items():
                array[first : first + count] = rows[name]
        else:
            kept = slice(max(count - self.capacity, 0), count)
            places = (self.offered + np.arange(count)[kept]) % self.capacity
            for name, array in self.arrays.items():
                array[places] = rows[name][kept]
        self.offered += count

    def newest(self, rng: np.random.Generator, count: int, rows: int) -> Batch:
        """`count` rows, each drawn from the newest `rows`."""
        places = (self.offered - 1 - rng.integers(0, min(rows, len(self)), count)) % self.capacity
        return {name: array[places] for name, array in self.arrays.items()}


class Reservoir(RowMemory):
    """Keeps each row that was ever offered with the same probability (Vitter 1985).

    With `share`, a full memory takes each new row with that probability instead: older rows fade away exponentially.
    With `recency` r, row number n is there with a probability that grows as n to the power of r, once the memory is
    full: an average over time in which the later counts more (r = 1: the linear one of regret matching).

    >>> memory = Reservoir(100, {"x": ((), np.int64)}, np.random.default_rng(1))
    >>> for start in range(0, 10_000, 500):
    ...     memory.add(x=np.arange(start, start + 500))
    >>> 4000 < float(memory.arrays["x"].mean()) < 6000
    True
    """

    def __init__(
        self, capacity: int, row: Row, rng: np.random.Generator, share: float = 0.0, recency: float = 0.0
    ) -> None:
        super().__init__(capacity, row)
        self.rng = rng
        self.share = share
        self.recency = recency

    def add(self, **rows: NDArray[Any]) -> None:
        """Offers rows, one after the other."""
        count = len(next(iter(rows.values())))
        before = self.offered + np.arange(count)
        least = np.maximum((before + 1) / (1 + self.recency), self.capacity)
        drawn = (self.rng.random(count) * least).astype(np.int64)
        if self.share > 0:
            taken = self.rng.random(count) < self.share
            drawn = np.where(taken, self.rng.integers(0, self.capacity, count), self.capacity)
        places = np.where(before < self.capacity, before, drawn)
        kept = places < self.capacity
        if self.offered + count <= self.capacity:
            for name, array in self.arrays.items():
                array[self.offered : self.offered + count] = rows[name]
        else:
            for name, array in self.arrays.items():
                array[places[kept]] = rows[name][kept]
        self.offered += count


class Prioritised(Circular):
    """Draws rows more often the larger their priority (Schaul et al. 2016): a sum tree over a circular memory.

    >>> memory = Prioritised(4, {"x": ((), np.int64)})
    >>> memory.add(x=np.arange(4))
    >>> memory.update(np.arange(4), np.array([0.0, 0.0, 1.0, 0.0]))
    >>> set(memory.sample(np.random.default_rng(1), 20)["x"].tolist())
    {2}
    """

    def __init__(self, capacity: int, row: Row, alpha: float = 1.0) -> None:
        super().__init__(capacity, row)
        self.alpha = alpha
        self.leaves = 1 << (capacity - 1).bit_length()
        self.tree = np.zeros(2 * self.leaves)
        self.largest = 1.0

    def add(self, **rows: NDArray[Any]) -> None:
        """New rows have the largest priority so far, so that each is looked at."""
        count = len(next(iter(rows.values())))
        places = (self.offered + np.arange(max(count - self.capacity, 0), count)) % self.capacity
        super().add(**rows)
        self._set(places, np.full(len(places), self.largest))

    def update(self, places: NDArray[np.int64], priorities: NDArray[np.float64]) -> None:
        """Other priorities for rows that were drawn (`places` is in the sample)."""
        scaled = np.asarray(priorities, float) ** self.alpha
        self.largest = max(self.largest, float(scaled.max(initial=0.0)))
        self._set(places, scaled)

    def sample(self, rng: np.random.Generator, count: int) -> Batch:
        """`count` rows; with each its ``place`` and the ``probability`` with which it was drawn."""
        left = rng.random(count) * self.tree[1]
        places = np.ones(count, np.int64)
        while places[0] < self.leaves:
            places *= 2
            right = left >= self.tree[places]
            left = np.where(right, left - self.tree[places], left)
            places += right
        places = np.minimum(places - self.leaves, len(self) - 1)
        batch = {name: array.take(places, axis=0) for name, array in self.arrays.items()}
        return {**batch, "place": places, "probability": self.tree[places + self.leaves] / self.tree[1]}

    def memory(self) -> Batch:
        """All of it as arrays, priorities included."""
        return {**super().memory(), "priorities": self.tree[self.leaves :], "largest": np.array(self.largest)}

    def load(self, memory: Mapping[str, NDArray[Any]]) -> None:
        """Takes what `memory` gave."""
        super().load(memory)
        self.largest = float(memory["largest"])
        self._set(np.arange(self.leaves), memory["priorities"])

    def _set(self, places: NDArray[np.int64], priorities: NDArray[np.float64]) -> None:
        nodes = places + self.leaves
        self.tree[nodes] = priorities
        while len(nodes) and nodes[0] > 1:
            nodes = np.unique(nodes // 2)
            self.tree[nodes] = self.tree[2 * nodes] + self.tree[2 * nodes + 1]
