"""Metrics: what a finished game says beyond its payoffs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kiebitz._core import State

Metrics = Callable[[State, Sequence[tuple[int, int]]], dict[str, Any]]
"""From the final state of a game and its moves (seat, action): true or false, numbers or text for the whole game, lists
for one value a seat."""
