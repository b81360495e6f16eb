"""The analysis of a position: the protocols that those of the core and of Python share, and plain ones for Python.

Agents make analyses; games, the command line and the server show them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from kiebitz._core import View

Status = Literal["proven", "bounded", "estimated"]
"""What a value is worth. Proven: it follows from the rules. Bounded: so does its bound. Estimated: it comes from
playouts, evaluations, sampled worlds or a limit of depth, and so does its bound, if it has one."""
Bound = Literal["none", "lower", "upper"]
"""The true value is at least (lower) or at most (upper) this; none: it is this, as far as `Status` says."""


class ActionValueLike(Protocol):
    """What an analysis says about one action."""

    @property
    def action(self) -> int:
        """Its number."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def visits(self) -> int:
        """Simulations or nodes below it."""

    @property
    def value(self) -> float:
        """For the player to move, in payoff units."""

    @property
    def error(self) -> float:
        """Standard error of the value; 0 where there is none."""

    @property
    def exact(self) -> bool:
        """The value is proven."""

    @property
    def status(self) -> str:
        """A `Status`."""

    @property
    def bound(self) -> str:
        """A `Bound`."""

    @property
    def prior(self) -> float | None:
        """The probability that a net gives it before any search; None: no net was asked."""


class AnalysisLike(Protocol):
    """What every analysis has: the best action, a value, a line for each action and the principal line."""

    @property
    def method(self) -> str:
        """How it was found."""

    @property
    def player(self) -> int:
        """The player to move."""

    @property
    def best(self) -> int:
        """The action to play."""

    @property
    def best_name(self) -> str:
        """Its name."""

    @property
    def value(self) -> float:
        """Of the position for the player to move."""

    @property
    def exact(self) -> bool:
        """The value is proven."""

    @property
    def status(self) -> str:
        """A `Status`."""

    @property
    def bound(self) -> str:
        """A `Bound`."""

    @property
    def prior_value(self) -> float | None:
        """What a net says of the position before any search; None: no net was asked."""

    @property
    def actions(self) -> Sequence[ActionValueLike]:
        """One entry per legal action."""

    @property
    def line_names(self) -> Sequence[str]:
        """The principal line in words."""

    @property
    def iterations(self) -> int:
        """Simulations."""

    @property
    def nodes(self) -> int:
        """Nodes or positions."""

    @property
    def depth(self) -> int:
        """Plies."""

    @property
    def seconds(self) -> float:
        """Time taken."""

    @property
    def stopped(self) -> bool:
        """Cut short; an exact search by its budget, too."""

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""


@dataclass(frozen=True)
class PlainActionValue:
    """One action in an analysis made in Python."""

    action: int
    name: str
    visits: int = 0
    value: float = 0.0
    error: float = 0.0
    status: Status = "estimated"
    bound: Bound = "none"
    prior: float | None = None

    @property
    def exact(self) -> bool:
        """The value is proven."""
        return self.status == "proven"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        return {**dataclasses.asdict(self), "exact": self.exact}


@dataclass(frozen=True)
class PlainAnalysis:
    """An analysis made in Python, for agents that do not search."""

    method: str
    player: int
    best: int
    best_name: str
    value: float = 0.0
    actions: list[PlainActionValue] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    line_names: list[str] = field(default_factory=list)
    iterations: int = 0
    nodes: int = 0
    leaves: int = 0
    depth: int = 0
    seconds: float = 0.0
    stopped: bool = False
    memory_full: bool = False
    status: Status = "estimated"
    bound: Bound = "none"
    prior_value: float | None = None

    @classmethod
    def of_move(cls, method: str, view: View, best: int) -> PlainAnalysis:
        """The analysis of an agent that only knows its move."""
        actions = [PlainActionValue(action, view.name(action)) for action in view.legal()]
        name = view.name(best)
        return cls(method, view.player, best, name, actions=actions, line=[best], line_names=[name])

    @property
    def exact(self) -> bool:
        """The value is proven."""
        return self.status == "proven"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        actions = [action.to_dict() for action in self.actions]
        return {**dataclasses.asdict(self), "exact": self.exact, "actions": actions}

    def __str__(self) -> str:
        return f"{self.method}: {self.best_name}"
