"""A game in a terminal: its drawing, its questions, its hints."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Terminal:
    """A game in a terminal: its drawing, its questions, its hints."""
