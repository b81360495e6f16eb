"""Seatings: which agents sit where in the games of a deal. A deal that is played in several seatings cancels luck.

| format | agents | the games of a deal |
|---|---|---|
| `match` | one a seat | everybody sits at every seat once: rotations |
| `permutations` | one a seat | every order |
| `series` | one a seat | one: the next deal is played one seat further, as at a real table; a running score |
| `two_against_two` | 2 | every way to give half of the seats to each |
| `constellations` | 2 or more | who plays against how many of whom, seats drawn (the thesis' comparison play) |
| `round_robin` | 2 or more | every pair of agents, as in `two_against_two` |
| `gauntlet` | 2 or more | the first agent against each other one, likewise |
| `self_play` | 1 | one agent at all seats |
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations

from kiebitz.errors import ParameterError, UnknownName
from kiebitz.seeds import derive_seed
from kiebitz.store.rows import Seating

FORMATS = (
    "match",
    "permutations",
    "series",
    "two_against_two",
    "constellations",
    "round_robin",
    "gauntlet",
    "self_play",
)
MOST_TABLES = 100_000
"""Games of one deal."""


def two_against_two(players: int = 4) -> list[Seating]:
    """Every way to give half of the seats to agent 0 and half to agent 1.

    >>> two_against_two()
    [(0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0), (1, 0, 0, 1), (1, 0, 1, 0), (1, 1, 0, 0)]
    """
    if players % 2:
        raise ParameterError(f"two_against_two: expected an even number of players, got {players}")
    return pairings(players)


def pairings(players: int) -> list[Seating]:
    """Every way to divide the seats between two agents as evenly as possible.

    >>> pairings(2), len(pairings(3))
    ([(0, 1), (1, 0)], 6)
    """
    sizes = sorted({players // 2, players - players // 2}) if players > 1 else [1]
    chosen = [set(seats) for size in sizes for seats in combinations(range(players), size)]
    return [tuple(0 if seat in seats else 1 for seat in range(players)) for seats in chosen]


def constellations(agents: int, players: int = 4) -> list[Seating]:
    """Groups of agents that can sit at one table, in any order: of two or three agents all must play, of more at least
    two.

    >>> constellations(2)
    [(0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1)]
    >>> constellations(3)
    [(0, 0, 1, 2), (0, 1, 1, 2), (0, 1, 2, 2)]
    >>> len(constellations(4)), len(constellations(6))
    (31, 120)
    """
    least = min(agents if agents <= 3 else 2, players)
    tables = combinations_with_replacement(range(agents), players)
    return [table for table in tables if len(set(table)) >= least]


def check_format(name: str, agents: int, players: int) -> None:
    """Refuses a format that does not fit the number of agents."""
    wanted = {"match": players, "permutations": players, "series": players, "two_against_two": 2, "self_play": 1}
    if name not in FORMATS:
        raise UnknownName(f"format: expected one of {', '.join(FORMATS)}, got '{name}'")
    if name in wanted and agents != wanted[name]:
        number = wanted[name]
        seats = f", one for each of its {players} seats" if name in ("match", "permutations", "series") else ""
        raise ParameterError(f"{name}: expected {number} agent{'s' * (number != 1)}{seats}, got {agents}")
    if name not in wanted and agents < 2:
        raise ParameterError(f"{name}: expected at least two agents, got {agents}")
    if players < 2 and name not in ("self_play", "match", "series"):
        raise ParameterError(f"{name}: expected a game of two or more players; self_play is for one")
    if name == "two_against_two":
        two_against_two(players)
    if name == "permutations" and math.factorial(players) > MOST_TABLES:
        raise ParameterError(f"permutations: {players} players have too many orders, expected at most 8 players")


@cache
def fixed_tables(name: str, agents: int, players: int) -> list[Seating]:
    """The seatings of every deal, in formats where all deals have the same.

    >>> fixed_tables("match", 3, 3)
    [(0, 1, 2), (2, 0, 1), (1, 2, 0)]
    >>> fixed_tables("round_robin", 3, 2)
    [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    """
    if name == "self_play":
        return [(0,) * players]
    if name == "match":
        return [tuple((seat - turn) % players for seat in range(players)) for turn in range(players)]
    if name == "permutations":
        return list(permutations(range(players)))
    if name == "two_against_two":
        return two_against_two(players)
    pairs = [(0, other) for other in range(1, agents)] if name == "gauntlet" else list(combinations(range(agents), 2))
    return [tuple(pair[side] for side in seating) for pair in pairs for seating in pairings(players)]


def series_table(players: int, deal: int) -> Seating:
    """The seating of a game of a series: everybody moves on by one seat after each game.

    >>> [series_table(3, deal) for deal in range(4)]
    [(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 1, 2)]
    """
    return fixed_tables("match", players, players)[deal % players]


def drawn_tables(agents: int, players: int, seed: int, deal: int, per_deal: int | None) -> list[Seating]:
    """The constellations of a deal with seats drawn at random; with `per_deal` only that many, the deals taking turns.

    >>> [sorted(seating) for seating in drawn_tables(2, 4, 1, 0, None)]
    [[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 1]]
    """
    tables: Sequence[Seating] = constellations(agents, players)
    if per_deal is not None:
        order = list(tables)
        random.Random(derive_seed(seed, "tables")).shuffle(order)
        tables = [order[(deal * per_deal + i) % len(order)] for i in range(per_deal)]
    seats = random.Random(derive_seed(seed, "seats", deal))
    return [tuple(seats.sample(table, players)) for table in tables]
