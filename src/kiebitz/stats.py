"""Statistics of matches: means with confidence intervals, and shares with Wilson intervals (Wilson 1927) and their
differences (Newcombe 1998)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
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
    from scipy.special import stdtrit  # a tenth of a second that only intervals pay for

    half = float(stdtrit(k - 1, 0.5 + confidence / 2)) * error
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
