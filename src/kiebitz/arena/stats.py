"""Statistics of matches: means with confidence intervals, and shares with Wilson intervals (Wilson 1927) and their
differences (Newcombe 1998)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval; without bounds where there were too few games for one."""

    value: float
    low: float | None
    high: float | None

    def to_dict(self) -> dict[str, float | None]:
        """All of it as plain values for JSON."""
        return {"value": self.value, "low": self.low, "high": self.high}


def mean_interval(blocks: Sequence[Sequence[float]], confidence: float = CONFIDENCE) -> Estimate:
    """The mean of all numbers with Student's interval, where numbers of one block may depend on each other.

    A block is a set of games that share a deal, the agents having changed seats. Deals are independent of each other,
    games of one deal are not, so the spread between blocks is what counts (the cluster-robust error of a mean).

    >>> estimate = mean_interval([[1.0], [2.0], [3.0], [4.0]])
    >>> round(estimate.value, 3), round(estimate.low, 3), round(estimate.high, 3)
    (2.5, 0.446, 4.554)
    """
    blocks = [block for block in blocks if len(block) > 0]
    count = sum(len(block) for block in blocks)
    if count == 0:
        return Estimate(math.nan, None, None)
    mean = math.fsum(math.fsum(block) for block in blocks) / count
    k = len(blocks)
    if k < 2:
        return Estimate(mean, None, None)
    squares = math.fsum(math.fsum(x - mean for x in block) ** 2 for block in blocks)
    error = math.sqrt(k / (k - 1) * squares) / count
    half = student_quantile(0.5 + confidence / 2, k - 1) * error
    return Estimate(mean, mean - half, mean + half)


def wilson(hits: int, trials: int, confidence: float = CONFIDENCE) -> Estimate:
    """A share of trials with Wilson's score interval, which stays sensible at 0 and at 1.

    >>> estimate = wilson(8, 10)
    >>> round(estimate.value, 4), round(estimate.low, 4), round(estimate.high, 4)
    (0.8, 0.4902, 0.9433)
    """
    if trials == 0:
        return Estimate(math.nan, None, None)
    z2 = NormalDist().inv_cdf(0.5 + confidence / 2) ** 2
    share = hits / trials
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = math.sqrt(z2) / (1 + z2 / trials) * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2))
    return Estimate(share, max(0.0, centre - half), min(1.0, centre + half))


def share_difference(a: Estimate, b: Estimate) -> Estimate:
    """The share a minus the share b of other trials, with the interval made from their Wilson intervals (Newcombe 1998,
    method 10).

    >>> estimate = share_difference(wilson(56, 70), wilson(48, 80))
    >>> round(estimate.value, 4), round(estimate.low, 4), round(estimate.high, 4)
    (0.2, 0.0524, 0.3339)
    """
    value = a.value - b.value
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return Estimate(value, None, None)
    return Estimate(
        value,
        value - math.hypot(a.value - a.low, b.high - b.value),
        value + math.hypot(a.high - a.value, b.value - b.low),
    )


@lru_cache(maxsize=1024)
def student_quantile(p: float, freedom: int) -> float:
    """The p-quantile of Student's distribution for p >= 0.5 (Abramowitz and Stegun 26.7: exact sums for few degrees of
    freedom, the expansion around the normal quantile for many).

    >>> round(student_quantile(0.975, 9), 4)
    2.2622
    """
    if not 0.5 <= p < 1 or freedom < 1:
        raise ValueError(f"expected 0.5 <= p < 1 and freedom >= 1, got {p} and {freedom}")
    if freedom > 60:
        return _expansion(NormalDist().inv_cdf(p), freedom)
    # Bisection in the angle, where the distribution is a finite sum: t = tan(angle) * sqrt(freedom).
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        if 0.5 + _share_within(middle, freedom) / 2 < p:
            low = middle
        else:
            high = middle
    return math.tan(low) * math.sqrt(freedom)


def _share_within(angle: float, freedom: int) -> float:
    """Probability that Student's t lies within -+ tan(angle) * sqrt(freedom): 26.7.3 and 26.7.4."""
    cos2, sin = math.cos(angle) ** 2, math.sin(angle)
    odd = freedom % 2
    term, total = 1.0, 0.0
    for k in range(odd, freedom - 1, 2):  # the factors 2/3, 4/5 ... (odd) or 1/2, 3/4 ... (even)
        total += term
        term *= cos2 * (k + 1) / (k + 2)
    if odd:
        return 2 / math.pi * (angle + sin * math.cos(angle) * total)
    return sin * total


def _expansion(x: float, freedom: int) -> float:
    """26.7.5."""
    terms = (
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return math.fsum(term / freedom**i for i, term in enumerate(terms))
