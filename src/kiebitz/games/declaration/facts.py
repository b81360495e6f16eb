"""What is known of a position and to whom: public facts, phases, secret rounds, hands and beliefs to show."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Facts:
    """What is known of a position and to whom: public facts, phases, secret rounds, hands and beliefs to show."""
