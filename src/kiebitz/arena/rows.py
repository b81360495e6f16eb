"""Rows: what is kept of one finished game. All that tables, ratings and reports say is computed from rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from kiebitz.errors import ParameterError

VOID = "void"
"""The kind of event of a game that could not be played."""

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
    """Legal actions, added up over all plies."""
    moves: tuple[int, ...]
    """For each seat, how often it was asked; forced moves are played without asking."""
    seconds: tuple[float, ...]
    """For each seat, the time taken over them."""
    slowest: tuple[float, ...]
    """For each seat, its longest move."""
    events: tuple[tuple[int, str, str], ...] = ()
    """What went wrong: seat, kind (``timeout``, ``forfeit``, ``void``) and words."""
    metrics: dict[str, Any] = field(default_factory=dict)
    """What else the game says: values of the whole game, or lists with one a seat."""
    actions: tuple[int, ...] = ()
    """All of them, chance included, from the start: the game can be replayed."""

    @property
    def void(self) -> str | None:
        """Why this game could not be played and says nothing about its agents; nothing where it was played."""
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
        """The row that ``to_json`` made plain values of."""
        try:
            values: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in data.items()}
            values["events"] = tuple((int(seat), str(kind), str(words)) for seat, kind, words in data["events"])
            return cls(**values)
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise ParameterError(f"row: expected the values of a game: {error!s:.100}") from None
