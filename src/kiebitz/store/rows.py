"""Rows: what is kept of one finished game. Tables, ratings and reports are computed from rows alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from kiebitz.errors import ParameterError

VOID = "void"
"""Kind of event: the game could not be played."""
FORFEIT = "forfeit"
"""Kind of event: an agent failed."""

Seating = tuple[int, ...]
"""Which agent, by its number in the plan, sits at each seat."""


@dataclass(frozen=True, slots=True)
class Row:
    """One game of a run.

    >>> row = Row(3, 1, (0, 1), (1.0, -1.0), 5, 20, (3, 2), (0.1, 0.2), (0.05, 0.15))
    >>> Row.from_json(row.to_json()) == row
    True
    """

    number: int
    """Of the game in its plan, from 0."""
    deal: int
    """Games of one deal share their chance."""
    seating: Seating
    payoffs: tuple[float, ...]
    """By seat."""
    plies: int
    """Actions of players, forced ones included."""
    choices: int
    """Number of legal actions, summed over all plies."""
    moves: tuple[int, ...]
    """By seat, how often it was asked; forced moves are played without asking."""
    seconds: tuple[float, ...]
    """By seat, the time taken for those moves."""
    slowest: tuple[float, ...]
    """By seat, the time of its slowest move."""
    events: tuple[tuple[int, str, str], ...] = ()
    """What went wrong: seat, kind (``timeout``, ``forfeit``, ``void``) and message."""
    metrics: dict[str, Any] = field(default_factory=dict)
    """Metrics of the game: values for the whole game, or lists with one value per seat."""
    actions: tuple[int, ...] = ()
    """All actions from the start, chance included, so that the game can be replayed."""

    @property
    def void(self) -> str | None:
        """Why this game could not be played and says nothing about its agents; None if it was played."""
        return next((words for _, kind, words in self.events if kind == VOID), None)

    def to_json(self) -> dict[str, Any]:
        """The row as plain values."""
        data = {name.name: getattr(self, name.name) for name in fields(self)}
        data["events"] = [list(event) for event in self.events]
        for name in ("seating", "payoffs", "moves", "seconds", "slowest", "actions"):
            data[name] = list(data[name])
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Row:
        """The inverse of ``to_json``."""
        try:
            values: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in data.items()}
            values["events"] = tuple((int(seat), str(kind), str(words)) for seat, kind, words in data["events"])
            return cls(**values)
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise ParameterError(f"row: expected the values of a game: {error!s:.100}") from None
