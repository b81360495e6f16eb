"""Where agents meet: matches, comparisons on shared deals, and their statistics."""

from kiebitz.arena.compare import Comparison, Row, compare
from kiebitz.arena.match import Result, Score, match
from kiebitz.stats import Estimate, mean_interval, share_difference, wilson

__all__ = [
    "Comparison",
    "Estimate",
    "Result",
    "Row",
    "Score",
    "compare",
    "match",
    "mean_interval",
    "share_difference",
    "wilson",
]
