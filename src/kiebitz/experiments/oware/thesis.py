"""The published figures that need no trained network: D. Hirsch's master's thesis (University of Ulm, 2023) on
strategies for Oware Abapa. 100 games per cell; shares as fractions, moves are those of the winner."""

from __future__ import annotations

from dataclasses import dataclass

GAMES = 100
"""Games per cell."""


@dataclass(frozen=True)
class Moves:
    """Own moves in won games: mean, deviation, and the ends of the 95 % interval."""

    mean: float
    deviation: float
    low: float
    high: float


DEPTHS = tuple(range(1, 9))
CYCLES = tuple(range(200, 1401, 200))
AGAINST = (2, 4, 6, 8)
"""Depths of alpha-beta in table 5.3."""

ALPHABETA_RANDOM: dict[int, tuple[int, int, int]] = {
    1: (91, 8, 1),
    2: (100, 0, 0),
    3: (98, 2, 0),
    4: (98, 2, 0),
    5: (96, 3, 1),
    6: (97, 2, 1),
    7: (98, 2, 0),
    8: (98, 2, 0),
}
"""Table 5.1: alpha-beta, which moves first, against random, by depth: games won, lost, drawn."""

ALPHABETA_GOAL: dict[int, float] = {depth: 0.91 if depth == 1 else 0.98 for depth in DEPTHS}
"""Shares that have to be reached (OW-18). Depth 2: 98 %, as table 5.2 contradicts the perfect score of table 5.1;
depths 5 and 6: 98 %, more than the thesis has."""

ALPHABETA_MOVES: dict[int, Moves] = {
    1: Moves(20.96, 7.57, 19.41, 22.50),
    2: Moves(19.48, 6.70, 18.10, 20.87),
    3: Moves(19.69, 6.71, 18.34, 21.04),
    4: Moves(18.63, 7.56, 17.10, 20.16),
    5: Moves(16.81, 6.32, 15.54, 18.08),
    6: Moves(18.89, 6.05, 17.70, 20.08),
    7: Moves(18.18, 5.76, 17.04, 19.33),
    8: Moves(17.80, 6.01, 16.60, 18.99),
}
"""Table 5.2: own moves in won games, from another hundred games each."""

MCTS_ALPHABETA: dict[int, dict[int, tuple[int, int, int]]] = {
    200: {2: (82, 17, 1), 4: (75, 19, 6), 6: (73, 24, 3), 8: (74, 21, 5)},
    400: {2: (87, 12, 1), 4: (88, 9, 3), 6: (83, 12, 5), 8: (75, 22, 3)},
    600: {2: (90, 10, 0), 4: (92, 8, 0), 6: (94, 6, 0), 8: (85, 13, 2)},
    800: {2: (94, 6, 0), 4: (92, 5, 2), 6: (95, 4, 1), 8: (89, 10, 1)},
    1000: {2: (98, 2, 0), 4: (95, 4, 1), 6: (98, 2, 0), 8: (90, 10, 0)},
    1200: {2: (95, 5, 0), 4: (92, 7, 1), 6: (94, 4, 2), 8: (93, 5, 2)},
    1400: {2: (95, 3, 2), 4: (94, 4, 0), 6: (93, 6, 1), 8: (95, 4, 1)},
}
"""Table 5.3: MCTS against alpha-beta, by cycles and depth: games won, lost, drawn. Two cells for depth 4 do not add up
to 100 (99 and 98); they are kept as published."""

MCTS_RANDOM = (100, 0, 0)
"""Table 5.3: MCTS against random, the same for every number of cycles."""

MCTS_MOVES: dict[int, Moves] = {
    200: Moves(15.94, 4.47, 15.06, 16.82),
    400: Moves(15.11, 4.80, 14.16, 16.06),
    600: Moves(13.77, 4.08, 12.97, 14.57),
    800: Moves(13.78, 3.84, 13.02, 14.54),
    1000: Moves(13.79, 3.92, 13.02, 14.56),
    1200: Moves(14.55, 3.56, 13.85, 15.25),
    1400: Moves(13.94, 3.63, 13.22, 14.66),
}
"""Table 5.4: own moves of MCTS in games won against random."""
