"""Sequential stopping: Wald's probability ratio test (1945) of two agents on duplicate deals, as engine testers use it.

The question is whether the mean difference of two agents is the lower or the upper of two bounds. After each deal the
log-likelihood ratio of the two, by the normal approximation with the variance between deals measured so far, either
decides or asks for another deal. A deal with its swapped seats is one observation: with two games of win, draw and loss
these are the pentanomial pairs of chess engine testing (Van den Bergh 2017).

Deals are judged strictly in the order of their games' numbers, in whatever order rows arrive: a game counts only when
all games before it are known. So the decision is the same for any number of workers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from kiebitz.errors import ParameterError
from kiebitz.store.rows import Row

LEAST_DEALS = 32
"""Deals before the first decision: the normal approximation and the measured variance need some."""

Verdict = Literal["upper", "lower"]


def elo_score(elo: float) -> float:
    """The mean score (win 1, draw 1/2) of an agent that is ``elo`` points stronger.

    >>> elo_score(0), round(elo_score(100), 3)
    (0.5, 0.64)
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class SprtBounds:
    """What a test is about.

    >>> SprtBounds(0.0, 0.1).check()
    """

    lower: float
    """Mean difference of payoffs per game (or Elo points) under the hypothesis that is kept when in doubt."""
    upper: float
    alpha: float = 0.05
    """How often ``upper`` may be concluded though the truth is ``lower``."""
    beta: float = 0.05
    """How often ``lower`` may be concluded though the truth is ``upper``."""
    elo: bool = False
    """Judge wins, draws and losses, with bounds in Elo points; otherwise payoffs."""
    least: int = LEAST_DEALS

    def check(self) -> None:
        """Refuses what cannot be tested."""
        if not (math.isfinite(self.lower) and math.isfinite(self.upper) and self.lower < self.upper):
            raise ParameterError(f"sprt: expected a lower bound below the upper, got {self.lower} and {self.upper}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ParameterError(f"sprt: expected error rates between 0 and 0.5, got {self.alpha} and {self.beta}")
        if isinstance(self.least, bool) or not isinstance(self.least, int) or self.least < 2:
            raise ParameterError(f"sprt: expected at least 2 deals, got {self.least}")

    @property
    def limits(self) -> tuple[float, float]:
        """Where the ratio decides: at or below the first for ``lower``, at or above the second for ``upper``.

        >>> [round(limit, 2) for limit in SprtBounds(0, 1).limits]
        [-2.94, 2.94]
        """
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


@dataclass(frozen=True)
class SprtDecision:
    """How a test ended."""

    verdict: Verdict
    deals: int
    games: int
    """Games judged: those with numbers below this one."""
    ratio: float

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        return dict(vars(self))


@dataclass
class Sprt:
    """A running test of two agents, by their numbers in the plan; feed it rows in any order.

    >>> test = Sprt(SprtBounds(0.0, 0.5))
    >>> rows = [Row(n, n // 2, (n % 2, 1 - n % 2), (1.0, -1.0) if n % 2 == 0 else (-1.0, 1.0), 1, 2, (1, 0), (0.0, 0.0),
    ...             (0.0, 0.0)) for n in range(80)]
    >>> decision = test.add_all(reversed(rows))
    >>> decision.verdict, decision.deals, decision.games
    ('upper', 32, 64)
    """

    bounds: SprtBounds
    first: int = 0
    second: int = 1
    least_number: int = 0
    """The number of the first game."""
    deals: int = 0
    """Judged so far."""
    decision: SprtDecision | None = None
    _waiting: dict[int, Row] = field(default_factory=dict, repr=False)
    _deal: list[Row] = field(default_factory=list, repr=False)
    _mean: float = 0.0
    _squares: float = 0.0
    _widest: float = 0.0

    def __post_init__(self) -> None:
        self.bounds.check()
        if self.first == self.second:
            raise ParameterError("sprt: expected two different agents")
        self._next = self.least_number
        low, high = self.bounds.lower, self.bounds.upper
        self._low, self._high = (elo_score(low), elo_score(high)) if self.bounds.elo else (low, high)

    def add(self, row: Row) -> SprtDecision | None:
        """Takes a finished game; returns the decision once there is one. Games after it change nothing, nor does a game
        that comes twice."""
        if self.decision is None and row.number >= self._next:
            self._waiting[row.number] = row
            while self.decision is None and self._next in self._waiting:
                self._take(self._waiting.pop(self._next))
        return self.decision

    def add_all(self, rows: Iterable[Row]) -> SprtDecision | None:
        """Takes many finished games."""
        for row in rows:
            self.add(row)
        return self.decision

    def finish(self) -> SprtDecision | None:
        """Judges the last deal too: call it when no further games come."""
        if self.decision is None and self._deal:
            self._judge()
        return self.decision

    @property
    def ratio(self) -> float:
        """The log-likelihood ratio of the upper bound to the lower, over the deals judged so far.

        One deal as far off as any seen is added to the spread, so that a few equal deals do not decide everything.
        """
        if self.deals == 0:
            return 0.0
        middle, gap = (self._low + self._high) / 2, self._high - self._low
        variance = (self._squares + max(self._widest, gap) ** 2) / self.deals
        return self.deals * gap * (self._mean - middle) / variance

    def to_dict(self) -> dict[str, Any]:
        """Where the test stands, as plain values for JSON."""
        return {
            **vars(self.bounds),
            "agents": [self.first, self.second],
            "deals": self.deals,
            "ratio": self.ratio,
            "decision": None if self.decision is None else self.decision.to_dict(),
            "words": self.words(),
        }

    def words(self) -> str:
        """Where the test stands, for people."""
        low, high = self.bounds.limits
        unit = " Elo" if self.bounds.elo else ""
        if self.decision is None:
            return f"undecided after {self.deals:,} deals: ratio {self.ratio:+.2f} between {low:+.2f} and {high:+.2f}"
        bound = self.bounds.upper if self.decision.verdict == "upper" else self.bounds.lower
        return (
            f"the difference is rather {bound:+g}{unit} than "
            f"{self.bounds.lower + self.bounds.upper - bound:+g}{unit}, decided after {self.decision.deals:,} deals "
            f"({self.decision.games:,} games, ratio {self.decision.ratio:+.2f})"
        )

    def _take(self, row: Row) -> None:
        if self._deal and row.deal != self._deal[0].deal:
            self._judge()  # the next deal has begun: this one is complete
        if self.decision is None:
            self._deal.append(row)
            self._next += 1

    def _judge(self) -> None:
        value = self._value(self._deal)
        last = self._deal[-1].number
        self._deal = []
        if value is None:
            return
        self.deals += 1
        step = value - self._mean
        self._mean += step / self.deals
        self._squares += step * (value - self._mean)
        self._widest = max(self._widest, abs(value - (self._low + self._high) / 2))
        low, high = self.bounds.limits
        ratio = self.ratio
        if self.deals >= self.bounds.least and not low < ratio < high:
            self.decision = SprtDecision("upper" if ratio > 0 else "lower", self.deals, last + 1, ratio)
            self._waiting.clear()

    def _value(self, rows: list[Row]) -> float | None:
        """What a deal says: mean payoff of the first agent minus that of the second, or its mean score in Elo tests."""
        payoffs: tuple[list[float], list[float]] = ([], [])
        scores = []
        for row in rows:
            if row.void is not None:
                continue
            ours, theirs = (
                [value for value, who in zip(row.payoffs, row.seating, strict=True) if who == agent]
                for agent in (self.first, self.second)
            )
            payoffs[0].extend(ours)
            payoffs[1].extend(theirs)
            if ours and theirs:
                gap = sum(ours) / len(ours) - sum(theirs) / len(theirs)
                scores.append(0.5 if abs(gap) < 1e-12 else float(gap > 0))
        if self.bounds.elo:
            return sum(scores) / len(scores) if scores else None
        if not payoffs[0] or not payoffs[1]:
            return None
        return math.fsum(payoffs[0]) / len(payoffs[0]) - math.fsum(payoffs[1]) / len(payoffs[1])
