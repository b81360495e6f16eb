"""Matches between agents: comparisons on shared deals, tournaments, and their statistics."""

from typing import TYPE_CHECKING, Any

from kiebitz.arena.matches import Result, compare, match, tournament
from kiebitz.arena.plan import Limits, Openings, Plan
from kiebitz.arena.seatings import FORMATS
from kiebitz.arena.summary import Summary
from kiebitz.arena.sweep import Setting, Sweep, sweep
from kiebitz.stats import Estimate, mean_interval, share_difference, wilson
from kiebitz.store.rows import Row

if TYPE_CHECKING:
    from kiebitz.store.store import Store

__all__ = [
    "FORMATS",
    "Estimate",
    "Limits",
    "Openings",
    "Plan",
    "Result",
    "Row",
    "Setting",
    "Store",
    "Summary",
    "Sweep",
    "compare",
    "match",
    "mean_interval",
    "share_difference",
    "sweep",
    "tournament",
    "wilson",
]


def __getattr__(name: str) -> Any:
    """Loads the store on first use, because SQLAlchemy is slow to import."""
    if name == "Store":
        from kiebitz.store.store import Store

        return Store
    raise AttributeError(f"module 'kiebitz.arena' has no attribute '{name}'")
