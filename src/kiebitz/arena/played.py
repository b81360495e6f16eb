"""The games of a run as arrays: its rows are read once, in the order of their numbers, so that every statistic takes a
few array operations.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import Game
from kiebitz.errors import ParameterError, UnknownName
from kiebitz.store.rows import FORFEIT, Row, Seating

CHUNK = 65_536
"""Rows turned into arrays at a time."""

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass
class MetricColumn:
    """A metric of all rows that have it: numbers, truth values, or indices of texts in ``words``."""

    seats: int
    """0: one value per game."""
    at: array[int] = field(default_factory=lambda: array("q"))
    values: array[float] = field(default_factory=lambda: array("d"))
    words: dict[str, int] = field(default_factory=dict)
    kinds: set[type] = field(default_factory=set)

    def add(self, row: int, value: Any) -> None:
        """Takes the value of a row, or the values of its seats."""
        self.at.append(row)
        for item in value if self.seats else (value,):
            self.kinds.add(type(item))
            number = self.words.setdefault(item, len(self.words)) if isinstance(item, str) else item
            self.values.append(math.nan if number is None else number)

    def name(self, value: float) -> str:
        """The original form of a value."""
        if self.words:
            return list(self.words)[int(value)]
        if self.kinds <= {bool, type(None)}:
            return str(bool(value))
        return str(value) if float in self.kinds else str(int(value))


class Played:
    """The games of a run.

    >>> rows = [Row(n, 0, (n, 1 - n), (1.0, -1.0), 5, 20, (3, 2), (0.1, 0.2), (0.05, 0.15)) for n in (1, 0)]
    >>> played = Played(rows, ["random", "uct(iterations=10)"])
    >>> played.games, played.deals, played.numbers.tolist(), list(played.each_game())[0]
    (2, 1, [0, 1], ((0, 1), [1.0, -1.0]))
    """

    def __init__(
        self,
        rows: Iterable[Row],
        specs: Sequence[str],
        game: Game | None = None,
        cheats: Sequence[bool] | None = None,
    ) -> None:
        self.specs = tuple(specs)
        self.game = game
        self.cheats = (False,) * len(self.specs) if cheats is None else tuple(cheats)
        self.columns: dict[str, MetricColumn] = {}
        self.events: Counter[tuple[int, str]] = Counter()
        """How often an agent (by its number) had each kind of event."""
        self.reasons: dict[int, Counter[str]] = {}
        """Why agents (by their numbers) failed, and how often."""
        self.void: Counter[str] = Counter()
        """Games that could not be played, by reason; no other figure includes them."""
        self._read(row for row in rows if not self._is_void(row))

    # --- Reading ------------------------------------------------------------------------------------------------------

    def _read(self, rows: Iterator[Row]) -> None:
        ids: dict[Seating, int] = {}
        chunks: list[list[NDArray[Any]]] = []
        done = 0
        while chunk := list(islice(rows, CHUNK)):
            for row in chunk:
                if row.seating not in ids:
                    self._check(row, ids)
                    ids[row.seating] = len(ids)
            if any(not len(r.seating) == len(r.payoffs) == len(r.moves) == len(r.seconds) for r in chunk):
                raise ParameterError("rows: expected one payoff, count and time for each seat")
            single = [(r.number, r.deal, r.plies, r.choices, ids[r.seating]) for r in chunk]
            chunks.append(
                [
                    np.array(single, dtype=np.int64),
                    np.array([r.payoffs for r in chunk], dtype=np.float64),
                    np.array([r.moves for r in chunk], dtype=np.int64),
                    np.array([r.seconds for r in chunk], dtype=np.float64),
                    np.array([r.slowest for r in chunk], dtype=np.float64),
                ]
            )
            for position, row in enumerate(chunk, done):
                if row.metrics:
                    self._measure(position, row)
                for seat, kind, words in row.events:
                    self.events[row.seating[seat], kind] += 1
                    if kind == FORFEIT:
                        self.reasons.setdefault(row.seating[seat], Counter())[words] += 1
            done += len(chunk)
        self.seatings = list(ids)
        self.players = len(self.seatings[0]) if ids else 0
        self.games = done
        self._arrange([np.concatenate(parts) for parts in zip(*chunks, strict=True)] if chunks else [])

    def _is_void(self, row: Row) -> bool:
        words = row.void if row.events else None
        if words is not None:
            self.void[words] += 1
        return words is not None

    def _check(self, row: Row, known: Mapping[Seating, int]) -> None:
        players = len(next(iter(known), row.seating))
        if len(row.seating) != players or not players:
            raise ParameterError(f"game {row.number}: expected {players} seats as in the first, got {len(row.seating)}")
        if not all(0 <= agent < len(self.specs) for agent in row.seating):
            raise ParameterError(f"game {row.number}: expected agents 0 to {len(self.specs) - 1}, got {row.seating}")

    def _measure(self, position: int, row: Row) -> None:
        for name, value in row.metrics.items():
            seats = len(value) if isinstance(value, list | tuple) else 0
            column = self.columns.get(name)
            if column is None:
                column = self.columns[name] = MetricColumn(seats)
            if column.seats != seats or seats not in (0, len(row.seating)):
                raise ParameterError(f"game {row.number}: {name}: expected one value a game in all, or one a seat")
            column.add(position, value)

    def _arrange(self, parts: list[NDArray[Any]]) -> None:
        """Puts the games into the order of their numbers, and finds those of each deal and of each seating."""
        if not parts:
            parts = [np.empty((0, 5), np.int64), *(np.empty((0, 0)) for _ in range(4))]
        order = np.argsort(parts[0][:, 0], kind="stable")
        self._place = np.empty_like(order)
        self._place[order] = np.arange(len(order))
        single, self.payoffs, self._moves, self._seconds, self._slowest = (part[order] for part in parts)
        self.numbers, deals, self._plies, self._choices, self._seating = (single[:, i].copy() for i in range(5))
        if (self.numbers[1:] == self.numbers[:-1]).any():
            twice = self.numbers[1:][self.numbers[1:] == self.numbers[:-1]][0]
            raise ParameterError(f"game {twice}: expected each game once, got it again")
        found, self._deal = np.unique(deals, return_inverse=True)
        self.deals = len(found)
        self._by_seating = np.argsort(self._seating, kind="stable")
        self._bounds = np.searchsorted(self._seating[self._by_seating], np.arange(len(self.seatings) + 1))
        self._who = np.array(self.seatings, dtype=np.int64).reshape(len(self.seatings), self.players)

    def _games_with(self, *agents: int, together: bool = True) -> Whole:
        """The games in which all of these agents sit (or any of them, if not together), in order."""
        for agent in agents:
            if not 0 <= agent < len(self.specs):
                raise ParameterError(f"agent: expected 0 to {len(self.specs) - 1}, got {agent}")
        quantifier = all if together else any
        here = [i for i, seating in enumerate(self.seatings) if quantifier(agent in seating for agent in agents)]
        if len(here) == len(self.seatings):
            return np.arange(self.games)
        parts = [self._by_seating[self._bounds[i] : self._bounds[i + 1]] for i in here]
        return np.sort(np.concatenate(parts)) if parts else np.empty(0, np.int64)

    def _seats(self, games: Whole, agent: int) -> NDArray[np.bool_]:
        """Where the agent sits in these games: games x seats."""
        seats: NDArray[np.bool_] = (self._who == agent)[self._seating[games]]
        return seats

    def each_game(self) -> Iterator[tuple[Seating, list[float]]]:
        """Seating and payoffs of every game, in the order of their numbers."""
        for number, payoffs in zip(self._seating.tolist(), self.payoffs.tolist(), strict=True):
            yield self.seatings[number], payoffs

    def payoffs_of(self, seating: int) -> Floats:
        """The payoffs of all games with one of ``seatings``, given by its index: games x seats."""
        return self.payoffs[self._by_seating[self._bounds[seating] : self._bounds[seating + 1]]]

    def _column(self, what: str) -> tuple[MetricColumn, Floats, Whole]:
        if what not in self.columns:
            raise UnknownName(
                f"metric: expected {', '.join(self.columns) or 'none: no game has any'}, got '{what:.60}'"
            )
        column = self.columns[what]
        values = np.frombuffer(column.values, dtype=np.float64).reshape(len(column.at), column.seats or 1)
        games = self._place[np.frombuffer(column.at, dtype=np.int64)]
        order = np.argsort(games, kind="stable")
        return column, values[order], games[order]
