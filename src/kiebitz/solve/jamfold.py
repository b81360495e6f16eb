"""Jam or fold: the end of a heads-up no-limit tournament, solved, with a bound on what this simple style can lose.

Two players, fixed blinds, the winner takes all. One of them, *we*, only ever folds or goes all-in before the flop; the
opponent may do anything. Against such a player the size of a raise does not matter, so the opponent has one choice per
starting hand: to call a jam or not, and in the small blind to fold, to limp and fold to a jam, or to limp and call it.
A hand ends with other stacks, seats change, the next hand begins: a recursive game, which has a value for each stack
(Everett 1957). What we can guarantee is a lower bound for a player who may do anything; what the opponent could
guarantee in our place, by the same tables, an upper one. That the two are so close is the result of Miltersen and
Sørensen (2007).

Values are probabilities to win the tournament. Strategies of all stacks are improved together (Hoffman and Karp 1966):
given what later hands are worth, the equilibrium of the hand at each stack is found exactly, by a linear programme over
the hands that may be mixed; what these strategies guarantee is what later hands are worth in the next round. Two best
responses, each a Markov decision process over the stacks, say how far the values can be from the truth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from rich.table import Table

from kiebitz.errors import LimitError, ParameterError
from kiebitz.solve import preflop
from kiebitz.solve.jamfold_stages import Stages, equilibrium, guess
from kiebitz.solve.preflop import HAND_NAMES, RANKS, Floats, hand_counts, is_mixed

Seat: TypeAlias = Literal["sb", "bb"]
SEATS: tuple[Seat, Seat] = ("sb", "bb")

MOST_STACKS = 2_000
"""Most stacks: their values are solutions of linear equations, and more would take minutes."""
FINEST = 1e-11
"""Smallest tolerance: below it rounding hides the error."""
GUESSES = 20
MOST_ROUNDS = 50


@dataclass(frozen=True)
class Rules:
    """The tournament: chips on the table, blinds, and the step that all stacks are multiples of.

    >>> rules = Rules(small_blind=250, big_blind=500, step=250)
    >>> rules.total, rules.row(3000)
    (8000, 12)
    """

    total: int = 8000
    small_blind: int = 300
    big_blind: int = 600
    step: int = 50
    restricted_opponent: bool = False
    """Whether the opponent, too, may only jam or fold."""

    def __post_init__(self) -> None:
        for name in ("step", "total", "small_blind", "big_blind"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ParameterError(f"{name}: expected a positive number of chips, got {value!r:.60}")
            if value % self.step:
                raise ParameterError(f"{name}: expected a multiple of the step of {self.step} chips, got {value}")
        if self.small_blind > self.big_blind:
            raise ParameterError(
                f"small_blind: expected at most the big blind of {self.big_blind}, got {self.small_blind}"
            )
        if self.total < 2 * self.step:
            raise ParameterError(f"total: expected at least two steps of {self.step} chips, got {self.total}")
        if self.total // self.step > MOST_STACKS:
            stacks = self.total // self.step
            raise LimitError(
                f"{self.total} chips in steps of {self.step} are {stacks} stacks; the limit is {MOST_STACKS}"
            )
        if not isinstance(self.restricted_opponent, bool):
            raise ParameterError(f"restricted_opponent: expected true or false, got {self.restricted_opponent!r:.60}")

    @property
    def stacks(self) -> npt.NDArray[np.int64]:
        """All stacks, from none to all chips."""
        return np.arange(0, self.total + 1, self.step)

    def row(self, stack: int) -> int:
        """The index in `stacks` of a stack at which both players still have chips."""
        if isinstance(stack, bool) or not isinstance(stack, int | np.integer):
            raise ParameterError(f"stack: expected a number of chips, got {stack!r:.60}")
        if not 0 < stack < self.total or stack % self.step:
            last = self.total - self.step
            raise ParameterError(f"stack: expected {self.step} to {last} in steps of {self.step}, got {stack}")
        return int(stack) // self.step

    def stages(self) -> Stages:
        """The hand at every stack."""
        step = self.step
        return Stages(self.total // step, self.small_blind // step, self.big_blind // step, self.restricted_opponent)


STANDARD = Rules()
"""The tournament of Miltersen and Sørensen."""


@dataclass(frozen=True)
class JamFold:
    """The solved endgame: what to do with every hand at every stack, and what that guarantees.

    Arrays have a row for each of `rules.stacks`; seats are "sb" and "bb". Columns of tables are hands in the order of
    `preflop.HAND_NAMES`.
    """

    rules: Rules
    sb_value: Floats
    """The probability to win that our tables guarantee before a hand in the small blind."""
    bb_value: Floats
    error: float
    """No jam/fold strategy guarantees more than this above `sb_value` or `bb_value`, at any stack."""
    rounds: int
    sb_jam: Floats
    """How often we jam in the small blind."""
    bb_jam: Floats
    """How often we jam in the big blind if the opponent does not fold."""
    opponent_call: Floats
    """How often the opponent calls our jam in the big blind."""
    opponent_play: Floats
    """How often the opponent folds, limps to fold to a jam, limps to call it, in the small blind (last axis)."""

    def lower(self, stack: int, seat: Seat = "sb") -> float:
        """What our tables guarantee: a lower bound for a player who may do anything."""
        return float((self.sb_value if _is_sb(seat) else self.bb_value)[self.rules.row(stack)])

    def upper(self, stack: int, seat: Seat = "sb") -> float:
        """An upper bound against good play: the opponent can use these tables, too."""
        return 1 - float((self.bb_value if _is_sb(seat) else self.sb_value)[-1 - self.rules.row(stack)])

    def gap(self, stack: int, seat: Seat = "sb") -> float:
        """The most that jam or fold can lose against perfect play without restrictions."""
        return self.upper(stack, seat) - self.lower(stack, seat)

    def chart(self, stack: int, seat: Seat = "sb") -> Floats:
        """How often each hand jams, as the 13 x 13 chart: pairs on the diagonal, suited hands above it."""
        jam: Floats = (self.sb_jam if _is_sb(seat) else self.bb_jam)[self.rules.row(stack)]
        return jam.reshape(len(RANKS), len(RANKS)).copy()

    def is_forced(self, stack: int, seat: Seat = "sb") -> bool:
        """Whether the blinds alone put all chips at stake, so that nothing is left to choose."""
        return not self.rules.stages().own_allowed[0 if _is_sb(seat) else 1][self.rules.row(stack) - 1, 0, 0]

    def jam_frequency(self, stack: int, seat: Seat = "sb") -> float:
        """How often we jam with a random hand."""
        return float(np.average(self.chart(stack, seat).ravel(), weights=hand_counts()))

    def mixed(self, stack: int, seat: Seat = "sb") -> dict[str, float]:
        """The hands that sometimes jam and sometimes fold, and how often they jam."""
        chances = self.chart(stack, seat).ravel().tolist()
        return {name: chance for name, chance in zip(HAND_NAMES, chances, strict=True) if is_mixed(chance)}

    def guarantee(self, sb_jam: npt.ArrayLike, bb_jam: npt.ArrayLike) -> tuple[Floats, Floats]:
        """What any other tables of how often to jam guarantee, by stack, in the small and in the big blind.

        They are broadcast to a row for each stack and a column for each hand: `guarantee(1, 1)` is always all-in.
        """
        stages = self.rules.stages()
        values = stages.worst_case(stages.own_from(sb_jam, bb_jam), stages.start())
        return values[0], values[1]

    def report(self, stack: int) -> dict[str, Any]:
        """Everything about one stack in plain values, for JSON."""
        return {
            "rules": asdict(self.rules),
            "stack": int(stack),
            "error": self.error,
            "seats": {
                seat: {
                    "lower": self.lower(stack, seat),
                    "upper": self.upper(stack, seat),
                    "gap": self.gap(stack, seat),
                    "jam_frequency": self.jam_frequency(stack, seat),
                    "mixed": self.mixed(stack, seat),
                    "jam": dict(zip(HAND_NAMES, self.chart(stack, seat).ravel().tolist(), strict=True)),
                }
                for seat in SEATS
            },
        }

    def caption(self, stack: int, seat: Seat = "sb") -> str:
        """What the chart of a seat shows, in a line."""
        who = "Small blind" if _is_sb(seat) else "Big blind"
        if self.is_forced(stack, seat):
            return f"{who}: all chips that can be lost are in, no choice"
        does = "jams" if _is_sb(seat) else "calls a jam"
        return f"{who}: {does} with {100 * self.jam_frequency(stack, seat):.1f} % of hands"

    def chart_table(self, stack: int, seat: Seat = "sb") -> Table:
        """The chart of a seat in colour for a terminal (Rich)."""
        return preflop.chart_table(self.caption(stack, seat), self.chart(stack, seat))

    def draw(self, stack: int, path: str | Path) -> None:
        """Saves the charts of both seats as a picture in the format that the path ends in (png, svg, pdf)."""
        rules = self.rules
        title = f"Jam or fold with {stack:,} of {rules.total:,} chips, blinds {rules.small_blind}/{rules.big_blind}"
        preflop.draw_charts(title, {self.caption(stack, seat): self.chart(stack, seat) for seat in SEATS}, path)


def solve_jamfold(
    rules: Rules = STANDARD,
    *,
    tolerance: float = 1e-8,
    progress: Callable[[int, float], None] | None = None,
) -> JamFold:
    """Solves the endgame for all stacks.

    It ends when the values are proved to be exact to `tolerance`, or after MOST_ROUNDS; `JamFold.error` is the error
    that is left. `progress` is called after each round, about once a second, with the round and the error.

    >>> result = solve_jamfold(Rules(small_blind=500, big_blind=1000, step=500))
    >>> result.error <= 1e-8, result.lower(4000) < result.upper(4000)
    (True, True)
    >>> result.chart(4000)[0, 0]
    np.float64(1.0)
    """
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not FINEST <= tolerance < 1:
        raise ParameterError(f"tolerance: expected {FINEST} to 1, got {tolerance!r:.60}")
    stages = rules.stages()
    own, opponent, low = guess(stages, GUESSES)
    for rounds in range(1, MOST_ROUNDS + 1):
        own, opponent = equilibrium(stages, own, opponent, low)
        low, high = stages.worst_case(own, low), stages.best_case(opponent, low)
        error = max(float((high - low).max()), 0.0)
        if progress is not None:
            progress(rounds, error)
        if error <= tolerance:
            break
    return JamFold(
        rules=rules,
        sb_value=low[0],
        bb_value=low[1],
        error=error,
        rounds=rounds,
        sb_jam=_rows(own.sb[..., 1]),
        bb_jam=_rows(own.bb[..., 1]),
        opponent_call=_rows(opponent.call[..., 1]),
        opponent_play=_rows(opponent.play),
    )


def _is_sb(seat: str) -> bool:
    if seat not in ("sb", "bb"):
        raise ParameterError(f"seat: expected sb or bb, got {seat!r:.60}")
    return seat == "sb"


def _rows(table: Floats) -> Floats:
    """The table with empty rows for the two stacks at which a player has no chips."""
    out = np.zeros((1, *table.shape[1:]))
    return np.concatenate([out, table, out])
