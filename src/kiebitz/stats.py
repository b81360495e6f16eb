"""Statistics of matches: means with Student's interval over deals, p-values and the deals still needed; shares with
Wilson intervals (Wilson 1927) and their differences (Newcombe 1998); the interval of the Oware thesis (Hirsch 2023)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

CONFIDENCE = 0.95
POWER = 0.8
"""Probability that the deals ``Mean.blocks_to_show`` asks for show a difference that exists (Cohen 1988)."""
MOST_BLOCKS = 10**15
"""Upper limit for numbers of deals: nobody plays more."""


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval; the bounds are None if there were too few games."""

    value: float
    low: float | None
    high: float | None

    @property
    def flat(self) -> bool:
        """Whether all measured values are equal, so that their spread says nothing about the next ones.

        >>> Estimate(1.0, 1.0, 1.0).flat, Estimate(1.0, 0.5, 1.5).flat, Estimate(1.0, None, None).flat
        (True, False, False)
        """
        return self.high is not None and self.high - self.value < 1e-9

    def to_dict(self) -> dict[str, float | None]:
        """Value and bounds as plain values for JSON."""
        return {"value": self.value, "low": self.low, "high": self.high}

    def scaled(self, factor: float) -> Estimate:
        """The same in another unit.

        >>> Estimate(0.5, 0.25, None).scaled(1000)
        Estimate(value=500.0, low=250.0, high=None)
        """
        low, high = (None if bound is None else bound * factor for bound in (self.low, self.high))
        return Estimate(self.value * factor, *((low, high) if factor >= 0 else (high, low)))


@dataclass(frozen=True)
class Mean:
    """The mean of numbers that come in blocks, with its standard error: the basis of intervals, p-values and the number
    of games still needed.

    >>> mean = Mean.of([1.0, 2.0, 3.0, 4.0])
    >>> mean.value, round(mean.error, 3), round(mean.p_value(), 3)
    (2.5, 0.645, 0.03)
    """

    value: float
    error: float | None
    """None with fewer than two blocks."""
    blocks: int
    count: int
    """Numbers in all blocks together."""

    @classmethod
    def of(cls, sums: ArrayLike, counts: ArrayLike | None = None) -> Mean:
        """From the sum and the count of each block; without counts, every block has one number. Empty blocks are
        ignored.

        Numbers in the same block may depend on each other, those in different blocks do not. So the spread between
        blocks counts (the cluster-robust error of a mean).
        """
        totals = np.asarray(sums, dtype=np.float64)
        sizes = np.ones_like(totals) if counts is None else np.asarray(counts, dtype=np.float64)
        if not sizes.all():
            totals, sizes = totals[sizes > 0], sizes[sizes > 0]
        k, count = len(totals), float(sizes.sum())
        if k == 0:
            return cls(math.nan, None, 0, 0)
        value = float(totals.sum()) / count
        if k == 1:
            return cls(value, None, 1, round(count))
        rest = totals - value * sizes
        error = math.sqrt(k / (k - 1) * float(rest @ rest)) / count
        scale = float(np.abs(totals).max()) / math.sqrt(count)
        # Rounding can give equal numbers a tiny spread, which means nothing.
        return cls(value, error if error > 1e-13 * scale else 0.0, k, round(count))

    def estimate(self, confidence: float = CONFIDENCE) -> Estimate:
        """The mean with Student's interval."""
        if self.error is None:
            return Estimate(self.value, None, None)
        half = _student(self.blocks - 1, 0.5 + confidence / 2) * self.error
        return Estimate(self.value, self.value - half, self.value + half)

    def p_value(self, null: float = 0.0) -> float | None:
        """How likely a mean at least this far from ``null`` is if ``null`` is the truth: Student's test, two-sided.

        If all blocks are equal, their spread says nothing, and the sign test takes its place (all blocks on one side).
        None with fewer than two blocks.
        """
        if self.error is None:
            return None
        if self.error == 0.0:
            return 1.0 if self.value == null else 2.0 ** (1 - self.blocks)
        from scipy.special import stdtr  # a tenth of a second that only p-values pay for

        return float(2 * stdtr(self.blocks - 1, -abs(self.value - null) / self.error))

    def blocks_for(self, half_width: float, confidence: float = CONFIDENCE) -> int | None:
        """How many blocks, including those played, give an interval of plus or minus ``half_width`` if the spread stays
        the same; None if it is not known."""
        if self.error is None or half_width <= 0:
            return None
        spread = self.error * math.sqrt(self.blocks)
        blocks = max(2, _square_up(NormalDist().inv_cdf(0.5 + confidence / 2) * spread / half_width))
        while blocks < 1000 and _student(blocks - 1, 0.5 + confidence / 2) * spread > half_width * math.sqrt(blocks):
            blocks += 1
        return blocks

    def detectable(self, confidence: float = CONFIDENCE, power: float = POWER) -> float | None:
        """The smallest difference that these blocks show with probability ``power``; None if the spread is unknown."""
        normal = NormalDist()
        quantiles = normal.inv_cdf(0.5 + confidence / 2) + normal.inv_cdf(power)
        return None if self.error is None else quantiles * self.error

    def blocks_to_show(self, difference: float, confidence: float = CONFIDENCE, power: float = POWER) -> int | None:
        """How many blocks, including those played, show a difference of that size with probability ``power``."""
        now = self.detectable(confidence, power)
        if now is None or difference == 0:
            return None
        return max(2, _square_up(now * math.sqrt(self.blocks) / abs(difference)))


def mean_interval(blocks: Sequence[Sequence[float]], confidence: float = CONFIDENCE) -> Estimate:
    """The mean of all numbers with Student's interval, where numbers in the same block may depend on each other.

    A block is usually the games that share a deal, with the agents in different seats.

    >>> estimate = mean_interval([[1.0], [2.0], [3.0], [4.0]])
    >>> round(estimate.value, 3), round(estimate.low, 3), round(estimate.high, 3)
    (2.5, 0.446, 4.554)
    """
    sums, counts = [math.fsum(block) for block in blocks], [len(block) for block in blocks]
    return Mean.of(sums, counts).estimate(confidence)


def population(values: ArrayLike) -> tuple[float, float]:
    """Mean and population standard deviation (divided by the count), as in the Oware thesis (Hirsch 2023).

    >>> population([1, 3])
    (2.0, 1.0)
    """
    numbers: np.ndarray[Any, np.dtype[np.float64]] = np.asarray(values, dtype=np.float64)
    return (float(numbers.mean()), float(numbers.std())) if len(numbers) else (math.nan, math.nan)


def thesis_interval(mean: float, deviation: float, count: int) -> Estimate:
    """The 95 % interval of the Oware thesis (Hirsch 2023): mean ± 1.96 · population deviation / √(count − 1).

    >>> estimate = thesis_interval(28.84, 11.10, 80)
    >>> round(estimate.low, 2), round(estimate.high, 2)
    (26.39, 31.29)
    """
    if count < 2:
        return Estimate(mean, None, None)
    half = 1.96 * deviation / math.sqrt(count - 1)
    return Estimate(mean, mean - half, mean + half)


def wilson(hits: int, trials: int, confidence: float = CONFIDENCE) -> Estimate:
    """A share of trials with Wilson's score interval, which makes sense even at 0 and at 1.

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
    """Share a minus share b of independent trials, with an interval made from their Wilson intervals (Newcombe 1998,
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


def _student(freedom: int, p: float) -> float:
    from scipy.special import stdtrit  # a tenth of a second that only intervals pay for

    return float(stdtrit(freedom, p))


def _square_up(root: float) -> int:
    return MOST_BLOCKS if root > math.sqrt(MOST_BLOCKS) else math.ceil(root * root)
