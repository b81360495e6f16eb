"""Time and nodes of minimax and alpha-beta on oware `thesis`, one game per depth (OW-20; Hirsch 2023, figure 5.1).

Both search every position of the game, so both are measured on the same positions; they find the same value, and the
lowest of the best actions is played.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import kiebitz as kb
from bench.plot import Curve, log_plot
from kiebitz.search import AlphaBeta

DEEPEST = 9


@dataclass(frozen=True)
class DepthRow:
    """Means over the moves of one game."""

    depth: int
    moves: int
    minimax_seconds: float
    alphabeta_seconds: float
    minimax_nodes: float
    alphabeta_nodes: float

    @property
    def faster(self) -> float:
        """How many times faster alpha-beta is."""
        return self.minimax_seconds / self.alphabeta_seconds


def measure(deepest: int = DEEPEST) -> list[DepthRow]:
    """Plays one game per depth."""
    return [_one_game(depth) for depth in range(1, deepest + 1)]


def _one_game(depth: int) -> DepthRow:
    game = kb.game("oware", preset="thesis")
    kinds = {"minimax": AlphaBeta(game, depth=depth, cut="none"), "alpha-beta": AlphaBeta(game, depth=depth)}
    seconds = dict.fromkeys(kinds, 0.0)
    nodes = dict.fromkeys(kinds, 0)
    state = game.new()
    moves = 0
    while state.player != kb.TERMINAL:
        found = {}
        for name, search in kinds.items():
            start = time.process_time()
            found[name] = search.search(state)
            seconds[name] += time.process_time() - start
            nodes[name] += found[name].nodes
        if found["minimax"].value != found["alpha-beta"].value:
            raise RuntimeError(f"minimax and alpha-beta differ at depth {depth} in\n{state}")
        state.apply(found["minimax"].best)
        moves += 1
    return DepthRow(
        depth,
        moves,
        seconds["minimax"] / moves,
        seconds["alpha-beta"] / moves,
        nodes["minimax"] / moves,
        nodes["alpha-beta"] / moves,
    )


def check(rows: list[DepthRow]) -> list[str]:
    """The statements of OW-20 that the rows do not show; empty if all is well.

    Growth is judged over the whole range from depth 3, because the time per move also depends on the game.
    """
    wrong = [
        f"depth {row.depth}: alpha-beta is not faster than minimax"
        for row in rows
        if row.depth >= 3 and row.faster <= 1
    ]
    deep = [row for row in rows if row.depth >= 3]
    if len(deep) >= 2:
        first, last = deep[0], deep[-1]
        if last.faster <= first.faster:
            wrong.append("the ratio of the times does not grow with the depth")
        if growth(deep, "alphabeta") >= growth(deep, "minimax"):
            wrong.append("alpha-beta grows as fast per ply as minimax")
    return wrong


def growth(rows: list[DepthRow], kind: str) -> float:
    """The factor by which the nodes grow per ply (geometric mean)."""
    first, last = rows[0], rows[-1]
    nodes = [getattr(row, f"{kind}_nodes") for row in (first, last)]
    return float((nodes[1] / nodes[0]) ** (1 / (last.depth - first.depth)))


def table(rows: list[DepthRow]) -> str:
    """The rows as a Markdown table: CPU seconds and nodes per move."""
    out = [
        "| depth | moves | minimax, s | alpha-beta, s | times faster | minimax, nodes | alpha-beta, nodes |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    out += [
        f"| {row.depth} | {row.moves} | {row.minimax_seconds:.2e} | {row.alphabeta_seconds:.2e} | {row.faster:.1f} "
        f"| {row.minimax_nodes:,.0f} | {row.alphabeta_nodes:,.0f} |"
        for row in rows
    ]
    deep = [row for row in rows if row.depth >= 3]
    if len(deep) >= 2:
        out += [
            "",
            "Seconds of CPU time and nodes are means over the moves of the game. "
            f"Nodes grow per ply by {growth(deep, 'minimax'):.2f} (minimax) and {growth(deep, 'alphabeta'):.2f} "
            f"(alpha-beta), from depth {deep[0].depth} to {deep[-1].depth}.",
        ]
    return "\n".join(out)


def plot(rows: list[DepthRow], path: Path) -> None:
    """Seconds per move by depth, on a logarithmic scale, as an SVG."""
    curves = [
        Curve("minimax", [(row.depth, row.minimax_seconds) for row in rows]),
        Curve("alpha-beta", [(row.depth, row.alphabeta_seconds) for row in rows]),
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(log_plot("Oware thesis: seconds a move by depth", "depth", "seconds a move", curves), "utf-8")
