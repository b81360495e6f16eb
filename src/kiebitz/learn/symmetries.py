"""Positions as seen from another side, for games that look the same when they are turned or mirrored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiebitz.games.declaration import Symmetry
from kiebitz.learn.memories import Batch


class Symmetries:
    """Turns and mirrors rows, each in a way of its own."""

    def __init__(self, symmetries: Any, numbers: int, actions: int) -> None:
        same = Symmetry(np.arange(numbers), np.arange(actions))
        all_of_them = [same, *symmetries]
        self.tensor = np.array([each.tensor for each in all_of_them])
        self.actions = np.array([each.actions for each in all_of_them])

    def turned(self, batch: Mapping[str, NDArray[Any]], rng: np.random.Generator) -> Batch:
        """The same positions as seen from another side."""
        rows = np.arange(len(batch["tensor"]))[:, None]
        chosen = rng.integers(0, len(self.tensor), len(rows))
        tensor, actions = self.tensor[chosen], self.actions[chosen]
        return {
            "tensor": batch["tensor"][rows, tensor],
            "legal": batch["legal"][rows, actions],
            "policy": batch["policy"][rows, actions],
            "value": batch["value"],
        }
