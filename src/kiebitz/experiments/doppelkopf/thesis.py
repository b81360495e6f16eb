"""The published figures that need no trained network: T. Diesner-Mayer's M.Sc. thesis (FernUniversität in Hagen, 2025)
on MCTS and AlphaZero in Doppelkopf. Shares as fractions, points per player and game.

Figures that the thesis shows only as plots are lost; its statements about them are in the experiments.
"""

from __future__ import annotations

Figures = dict[str, float]


def _figures(calls: float, calls_won: float, solos: float, solos_won: float, *points: float) -> Figures:
    """A row of a table: percentages, then mean points and their standard deviation where given."""
    named = {"calls": calls, "calls_won": calls_won, "solos": solos, "solos_won": solos_won}
    out = {key: round(value / 100, 6) for key, value in named.items()}
    return out | dict(zip(("points", "deviation"), points, strict=False))


C_FIRST: dict[float, Figures] = {
    2.5: _figures(35.08, 72.45, 5.74, 31.24, +0.31, 5.90),
    7.5: _figures(33.24, 80.94, 9.35, 23.47, +0.16, 6.29),
    12.5: _figures(30.67, 78.33, 9.78, 20.18, -0.14, 6.44),
    17.5: _figures(31.03, 76.55, 10.80, 18.92, -0.33, 6.64),
}
"""Four values of C against each other, 100,000 iterations, perfect information, 750 games per constellation."""

C_SECOND: dict[float, Figures] = {
    1.5: _figures(37.09, 65.45, 3.55, 38.86, -0.10, 6.16),
    2.5: _figures(37.29, 71.23, 5.95, 31.09, +0.11, 6.10),
    5.0: _figures(34.74, 80.22, 8.26, 27.76, +0.10, 6.34),
    7.5: _figures(33.10, 78.62, 9.33, 25.11, -0.11, 6.54),
}
"""The second pass in the same setting."""

C_BY_ITERATIONS: dict[int, dict[float, Figures]] = {
    10: {
        2.5: _figures(86.48, 54.73, 18.11, 50.00, +0.16),
        3.75: _figures(87.68, 53.02, 18.36, 45.93, -0.07),
        5.0: _figures(88.53, 53.30, 18.84, 45.62, -0.09),
    },
    20: {
        2.5: _figures(80.75, 51.89, 8.07, 47.47, -0.12),
        3.75: _figures(81.22, 52.60, 8.08, 53.10, +0.09),
        5.0: _figures(79.66, 51.58, 8.74, 51.80, +0.02),
    },
    100: {
        2.5: _figures(55.48, 53.52, 5.57, 37.78, -0.19),
        3.75: _figures(52.60, 57.49, 6.35, 40.38, -0.06),
        5.0: _figures(52.25, 57.63, 6.83, 38.29, +0.26),
    },
    1_000: {
        2.5: _figures(38.89, 62.37, 7.77, 25.00, -0.20),
        3.75: _figures(39.62, 69.39, 8.73, 21.79, +0.15),
        5.0: _figures(40.42, 69.16, 10.00, 20.87, +0.05),
    },
    10_000: {
        2.5: _figures(36.98, 66.94, 6.75, 22.07, -0.09),
        3.75: _figures(36.33, 74.22, 9.08, 23.88, +0.22),
        5.0: _figures(35.45, 73.85, 9.65, 28.01, -0.12),
    },
    100_000: {
        2.5: _figures(35.57, 70.84, 6.29, 30.73, -0.08),
        3.75: _figures(32.66, 76.90, 7.11, 29.26, +0.02),
        5.0: _figures(31.76, 82.80, 8.26, 30.00, +0.06),
    },
    200_000: {
        2.5: _figures(34.84, 73.75, 4.93, 38.99, +0.07),
        3.75: _figures(32.29, 80.30, 6.88, 30.67, -0.01),
        5.0: _figures(31.13, 82.29, 7.28, 31.06, -0.06),
    },
    500_000: {
        2.5: _figures(34.57, 73.74, 5.01, 34.19, -0.03),
        3.75: _figures(32.26, 80.43, 6.03, 26.18, -0.11),
        5.0: _figures(30.95, 85.17, 6.34, 26.63, +0.14),
    },
    1_000_000: {
        2.5: _figures(35.12, 76.15, 4.56, 42.86, +0.06),
        3.75: _figures(30.96, 83.43, 5.85, 33.33, 0.00),
        5.0: _figures(30.72, 87.46, 6.69, 32.08, -0.06),
    },
    2_000_000: {
        2.5: _figures(34.05, 73.40, 3.44, 43.40, 0.00),
        3.75: _figures(32.22, 86.84, 5.32, 34.97, +0.03),
        5.0: _figures(29.92, 90.07, 5.75, 28.98, -0.03),
    },
}
"""Three values of C against each other for each number of iterations, 6,000 games each (table A.1)."""

AGAINST_RANDOM: dict[int, Figures] = {
    10: _figures(89.93, 52.74, 13.38, 46.82, +0.85, 8.68),
    20: _figures(84.73, 71.16, 2.70, 72.22, +4.02, 7.02),
    100: _figures(79.98, 89.96, 2.63, 76.58, +6.30, 5.22),
    200: _figures(77.88, 91.61, 3.65, 72.15, +6.35, 5.30),
    1_000: _figures(77.80, 92.33, 4.17, 69.60, +6.43, 5.17),
    10_000: _figures(76.78, 93.99, 4.40, 73.86, +6.52, 4.82),
    100_000: _figures(76.73, 94.18, 3.53, 75.47, +6.62, 4.57),
}
"""MCTS with perfect information, C = 2.5, against random players that never call, 6,000 games each."""

SIX_WAY: dict[str, Figures] = {
    "AZ+AR average": _figures(53.81, 48.09, 5.81, 75.57, +0.09),
    "AZ+AR rank": _figures(55.55, 46.73, 5.38, 73.85, -0.15),
    "MCTS+AR average": _figures(33.43, 67.62, 3.34, 72.93, +0.71),
    "MCTS+AR rank": _figures(31.26, 62.99, 3.49, 69.11, +0.09),
    "MCTS+CAP average": _figures(53.55, 53.69, 7.50, 48.76, -0.23),
    "MCTS+CAP rank": _figures(53.35, 53.54, 7.97, 42.02, -0.51),
}
"""Six strategies against each other: 200,000 iterations, C = 2.5, 5 worlds."""

WORLDS_JOINT: dict[tuple[int, int], float] = {
    (100_000, 5): -0.28,
    (100_000, 10): -0.11,
    (100_000, 15): +0.19,
    (200_000, 5): -0.10,
    (200_000, 10): -0.10,
    (200_000, 15): +0.19,
    (500_000, 5): +0.03,
    (500_000, 10): -0.09,
    (500_000, 15): +0.22,
}
"""MCTS+AR average: points by iterations and worlds, all nine at one table."""

WORLDS_DIRECT: dict[tuple[int, int], float] = {(5, 10): 0.25, (10, 15): 0.11, (15, 25): 0.17, (25, 50): 0.08}
"""MCTS+AR average, 200,000 iterations: advantage of more worlds over fewer."""

SELF_PLAY_HIDDEN: dict[int, Figures] = {
    10: _figures(36.08, 57.23, 9.01, 58.13),
    100: _figures(32.11, 64.92, 3.47, 53.50),
    1_000: _figures(31.59, 63.37, 5.62, 50.81),
    10_000: _figures(31.91, 64.46, 5.22, 47.41),
    100_000: _figures(32.22, 64.57, 4.35, 48.70),
    200_000: _figures(32.71, 66.55, 3.51, 54.09),
    500_000: _figures(33.43, 65.56, 3.46, 54.49),
    1_000_000: _figures(33.17, 65.75, 3.26, 54.79),
}
"""Self-play of MCTS+AR average, C = 2.5, 25 worlds, 6,000 games each, by iterations."""

PLIES, PLIES_DEVIATION = 97.0, 10.34
BRANCHING, BRANCHING_DEVIATION = 3.08, 0.19
"""Four MCTS players with perfect information at 100,000 iterations."""
