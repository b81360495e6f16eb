"""How a game is best played: the recommended search, strengths in words, who gives advice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Players:
    """How a game is best played: the recommended search, strengths in words, who gives advice."""
