"""One tree for all worlds (ISMCTS) against one tree per world (PIMC), at equal numbers of iterations (DL-30), with the
depth and width of both kinds of tree."""

from __future__ import annotations

import kiebitz as kb
from kiebitz.experiments.doppelkopf.beliefs import views
from kiebitz.experiments.doppelkopf.columns import BOTH_CALLED, DIFFERENCE, STYLE, figures
from kiebitz.experiments.report import Bar, Column, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Conclusion, Evidence
from kiebitz.seeds import derive_seed
from kiebitz.stats import mean_interval

SIZES: dict[str, tuple[tuple[int, ...], int, int]] = {
    "quick": ((200,), 10, 2),
    "laptop": ((1_000,), 500, 20),
    "thesis": ((2_000, 20_000, 200_000), 1_000, 100),
}
"""Iterations per decision, deals (six games each), and deals whose trees are measured."""
WORLDS = 10
DEPTH = Column("depth", "mean depth", "number")
WIDTH = Column("width", "children of an inner node", "number")


def one_tree(iterations: int) -> str:
    """ISMCTS with the thesis' settings: raw points, C = 2.5, no calls below the root and in playouts.

    >>> one_tree(500)
    'ismcts(iterations=500, c=2.5, scale=raw, tree_calls=none, playout_calls=none)'
    """
    return f"ismcts(iterations={iterations}, c=2.5, scale=raw, tree_calls=none, playout_calls=none)"


def many_trees(iterations: int) -> str:
    """PIMC with the same settings and the same number of iterations over all worlds.

    >>> many_trees(500)
    'pimc(uct(iterations=50, c=2.5, scale=raw, tree_calls=none, playout_calls=none), worlds=10, fusion=visits)'
    """
    tree = f"uct(iterations={iterations // WORLDS}, c=2.5, scale=raw, tree_calls=none, playout_calls=none)"
    return f"pimc({tree}, worlds={WORLDS}, fusion=visits)"


def _name(iterations: int) -> str:
    return f"{iterations:,} iterations"


def comparisons(preset: str) -> list[Comparison]:
    """The two searches against each other, for each number of iterations."""
    numbers, deals, _ = SIZES[preset]
    return [Comparison(_name(number), (one_tree(number), many_trees(number)), deals) for number in numbers]


def conclude(evidence: Evidence) -> Conclusion:
    """The difference in points, and the shape of the trees."""
    numbers, _, measured = SIZES[evidence.preset]
    lines, findings = [], []
    for number in numbers:
        played = evidence.results.get(_name(number))
        if played is None:
            continue
        lines.append(
            ReportLine(_name(number), figures(played, 0), {}, [Bar("difference", "above", 0.0)], len(played.rows))
        )
        claim = f"One tree for all worlds beats one tree for each at {_name(number)}"
        findings.append(Finding.of(claim, DIFFERENCE, "above", 0.0, played.difference()))
    shapes = [
        _shape(f"{kind}, {_name(number)}", spec(number), measured, evidence)
        for number in numbers
        for kind, spec in (("one tree", one_tree), ("ten trees", many_trees))
    ]
    tables = [
        ReportTable("ISMCTS against PIMC", "ISMCTS", (DIFFERENCE, *STYLE, BOTH_CALLED), lines, "difference"),
        ReportTable("The trees", "search", (DEPTH, WIDTH), shapes, "depth"),
    ]
    note = (
        "Both draw worlds exactly and use raw points with C = 2.5, without calls below the root and in playouts; a "
        f"difference is ISMCTS minus PIMC, per player and game. PIMC has {WORLDS} worlds that share the iterations. "
        "Depth and width are measured at card decisions along random games."
    )
    return Conclusion(tables, findings, [note])


def _shape(name: str, spec: str, deals: int, evidence: Evidence) -> ReportLine:
    depths: list[list[float]] = []
    widths: list[list[float]] = []
    agent = kb.agent(spec, kb.game("doppelkopf", preset="thesis"), evidence.seed)
    for deal in range(deals):
        evidence.tick(f"trees: {name}", deal, deals)
        found = [agent.analyse(view).to_dict() for _, view in views(derive_seed(evidence.seed, "trees", deal))]
        depths.append([analysis["mean_depth"] for analysis in found])
        widths.append([analysis["branching"] for analysis in found])
    return ReportLine(name, {"depth": mean_interval(depths), "width": mean_interval(widths)}, games=deals)
