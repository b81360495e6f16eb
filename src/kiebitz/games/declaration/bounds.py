"""What a server offers of a game: whether at all, and the largest rule parameters."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bounds:
    """What a server offers of a game: whether at all, and the largest rule parameters."""
