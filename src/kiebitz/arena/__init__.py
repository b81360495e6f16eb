"""Where agents meet: matches and their statistics."""

from kiebitz.arena.match import Result, Score, match
from kiebitz.arena.stats import Estimate, mean_interval, wilson

__all__ = ["Estimate", "Result", "Score", "match", "mean_interval", "wilson"]
