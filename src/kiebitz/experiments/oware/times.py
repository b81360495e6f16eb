"""Figures 5.1 and 5.2: the cost of a move, for minimax and alpha-beta by depth and for MCTS by cycles.

The thesis shows both as plots whose values are lost, so only its statements are judged. Times are CPU times.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import kiebitz as kb
from kiebitz.experiments.oware.agents import MODES, Mode, mcts
from kiebitz.experiments.report import Column, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Conclusion, Evidence
from kiebitz.search import AlphaBeta
from kiebitz.stats import Estimate

DEPTH_SIZES = {"quick": 5, "laptop": 9, "thesis": 9}
"""The largest depth."""
CYCLE_SIZES = {"quick": 1, "laptop": 100, "thesis": 1}
"""Games against random for each number of cycles."""
CYCLES = tuple(range(200, 1401, 100))

DEPTH_SECONDS = {"quick": 1.0, "laptop": 60.0, "thesis": 60.0}
CYCLE_SECONDS = {preset: 0.15 * games for preset, games in CYCLE_SIZES.items()}
"""Estimated costs of the measurements, in seconds of one core."""

MOVES = Column("moves", "moves", "number")
MINIMAX = Column("minimax", "minimax, µs a move", "number")
ALPHABETA = Column("alphabeta", "alpha-beta, µs a move", "number")
FASTER = Column("faster", "times faster", "number")
MINIMAX_NODES = Column("minimax_nodes", "minimax, nodes a move", "number")
ALPHABETA_NODES = Column("alphabeta_nodes", "alpha-beta, nodes a move", "number")
COST = Column("cost", "µs a move", "number")
EACH = Column("each", "µs a cycle", "number")


def no_comparisons(preset: str) -> list[Comparison]:
    """None: these experiments compare no agents."""
    return []


# --- Figure 5.1 -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Effort:
    """Means over the moves of one game."""

    depth: int
    moves: int
    seconds: tuple[float, float]
    """Minimax, alpha-beta."""
    nodes: tuple[float, float]


def measure_depth(depth: int, mode: Mode) -> Effort:
    """Plays one game in which both search every position; the first of the best moves is played.

    >>> effort = measure_depth(3, "strong")
    >>> effort.nodes[1] < effort.nodes[0]
    True
    """
    game = kb.game("oware", preset="thesis")
    evaluation = "own" if mode == "thesis" else "difference"
    searches = [
        AlphaBeta(game, depth=depth, cut=cut, evaluation=evaluation, terminals="evaluation")
        for cut in ("none", "equal")
    ]
    seconds, nodes, moves = [0.0, 0.0], [0, 0], 0
    state = game.new()
    while state.player != kb.TERMINAL:
        for i, search in enumerate(searches):
            begun = time.process_time()
            found = search.search(state)
            seconds[i] += time.process_time() - begun
            nodes[i] += found.nodes
        state.apply(found.best)
        moves += 1
    return Effort(depth, moves, (seconds[0] / moves, seconds[1] / moves), (nodes[0] / moves, nodes[1] / moves))


def depth_conclude(evidence: Evidence) -> Conclusion:
    """Time and nodes by depth, in both modes."""
    deepest = DEPTH_SIZES[evidence.preset]
    tables, findings = [], []
    for number, mode in enumerate(MODES):
        rows = []
        for depth in range(1, deepest + 1):
            evidence.tick(f"{mode} mode, depth {depth}", number * deepest + depth - 1, 2 * deepest)
            rows.append(measure_depth(depth, mode))
        columns = (MOVES, MINIMAX, ALPHABETA, FASTER, MINIMAX_NODES, ALPHABETA_NODES)
        lines = [ReportLine(str(row.depth), _figures(row), games=1) for row in rows]
        tables.append(
            ReportTable(f"Minimax and alpha-beta, {mode} mode (figure 5.1)", "depth", columns, lines, "faster")
        )
        findings += _depth_findings(rows, mode)
    note = (
        "One game for each depth; both search every position, so both are measured on the same positions. The thesis "
        "calls the growth factorial; by its own theory of branching factors it is exponential, as it is here."
    )
    return Conclusion(tables, findings, [note])


def _figures(row: Effort) -> dict[str, Estimate]:
    values = {
        "moves": float(row.moves),
        "minimax": 1e6 * row.seconds[0],
        "alphabeta": 1e6 * row.seconds[1],
        "faster": row.seconds[0] / row.seconds[1],
        "minimax_nodes": row.nodes[0],
        "alphabeta_nodes": row.nodes[1],
    }
    return {key: Estimate(value, None, None) for key, value in values.items()}


def _depth_findings(rows: Sequence[Effort], mode: Mode) -> list[Finding]:
    deep = [row for row in rows if row.depth >= 3]
    fewer = [row.nodes[0] / row.nodes[1] for row in deep]
    growth = [(deep[-1].nodes[i] / deep[0].nodes[i]) ** (1 / (deep[-1].depth - deep[0].depth)) for i in (0, 1)]
    return [
        Finding(
            f"Minimax visits far more positions than alpha-beta at larger depths ({mode} mode)",
            all(ratio > 1 for ratio in fewer) and fewer[-1] > fewer[0],
            f"{fewer[0]:.1f} times as many at depth {deep[0].depth}, {fewer[-1]:.1f} at depth {deep[-1].depth}",
        ),
        Finding(
            f"Alpha-beta grows more slowly with the depth than minimax ({mode} mode)",
            growth[1] < growth[0],
            f"nodes grow per ply by {growth[1]:.2f} against {growth[0]:.2f}",
        ),
    ]


# --- Figure 5.2 -------------------------------------------------------------------------------------------------------


def measure_cycles(cycles: int, games: int, seed: int) -> tuple[int, float]:
    """The number of MCTS's moves in games against random, seats alternating, and the seconds they took.

    >>> moves, seconds = measure_cycles(10, 1, seed=1)
    >>> moves > 5
    True
    """
    game = kb.game("oware", preset="thesis")
    moves, seconds = 0, 0.0
    for number in range(games):
        agents = [kb.agent(mcts(cycles), game, seed + number), kb.agent("random", game, seed + number)]
        state = game.new(seed=seed + number)
        while state.player != kb.TERMINAL:
            own = state.player == number % 2
            begun = time.process_time()
            action = agents[0 if own else 1].act(state.view(state.player))
            if own:
                seconds += time.process_time() - begun
                moves += 1
            state.apply(action)
    return moves, seconds


def linear_fit(x: Sequence[float], y: Sequence[float]) -> tuple[float, float, float]:
    """Slope and intercept of the least-squares line, and the share of the variance that it explains.

    >>> [round(value, 6) for value in linear_fit([1, 2, 3], [3, 5, 7])]
    [2.0, 1.0, 1.0]
    """
    import numpy as np

    slope, intercept = np.polyfit(np.asarray(x, dtype=float), np.asarray(y, dtype=float), 1)
    rest = np.asarray(y) - (slope * np.asarray(x) + intercept)
    return float(slope), float(intercept), float(1 - rest.var() / np.asarray(y).var())


def cycles_conclude(evidence: Evidence) -> Conclusion:
    """Time by cycles, and whether it grows linearly."""
    games = CYCLE_SIZES[evidence.preset]
    lines, costs = [], []
    for number, cycles in enumerate(CYCLES):
        evidence.tick(f"{cycles} cycles", number, len(CYCLES))
        moves, seconds = measure_cycles(cycles, games, evidence.seed)
        costs.append(1e6 * seconds / moves)
        ours = {"moves": float(moves), "cost": costs[-1], "each": costs[-1] / cycles}
        lines.append(
            ReportLine(str(cycles), {key: Estimate(value, None, None) for key, value in ours.items()}, games=games)
        )
    slope, intercept, explained = linear_fit(CYCLES, costs)
    finding = Finding(
        "OW-26: the time of MCTS grows linearly with its cycles (R² at least 0.98)",
        explained >= 0.98,
        f"R² = {explained:.4f}; {slope:.2f} µs a cycle and {intercept:.0f} µs a move",
    )
    table = ReportTable("MCTS by cycles (figure 5.2)", "cycles", (MOVES, COST, EACH), lines, "cost")
    return Conclusion([table], [finding], ["Games against random, seats alternating."])
