"""What a server offers of a game: whether at all, and the largest rule parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Bounds:
    """What a server offers of a game: whether at all, and the largest rule parameters."""

    place: int | None = None
    """Where the lobby lists the game, the smallest number first; None: only after ``serve --games NAME``."""
    most: Mapping[str, float] = field(default_factory=dict)
    """The largest value of a rule parameter, where the rules allow more than a server can afford."""
    lengths: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The fewest and most values of a list; other lists have as many values as their default."""
