"""Curves of solvers as a picture: exploitability over iterations or seconds, several methods in one plot, log axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path

from kiebitz.errors import ParameterError
from kiebitz.solve.run import Point

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
"""Colours that colour-blind people can tell apart (Okabe and Ito 2008)."""
KINDS = (".png", ".svg", ".pdf")


def picture_path(path: str | Path) -> Path:
    """A path that pictures can be written to; anything else is refused.

    >>> picture_path("curve.png").name
    'curve.png'
    """
    path = Path(path)
    if path.suffix.lower() not in KINDS:
        raise ParameterError(f"{path}: expected a picture that ends in {', '.join(KINDS)}")
    return path


def plot_curves(curves: Mapping[str, Sequence[Point]], path: str | Path, title: str, over: str = "iterations") -> None:
    """Draws the curves of some runs and saves the picture in the format that the path ends in (png, svg, pdf).

    >>> import tempfile
    >>> from kiebitz.solve.run import solve
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     curves = {name: solve("kuhn", name, iterations=50).run.curve for name in ("cfr", "dcfr")}
    ...     plot_curves(curves, folder + "/kuhn.png", "Kuhn poker")
    ...     Path(folder + "/kuhn.png").stat().st_size > 1000
    True
    """
    path = picture_path(path)
    if over not in ("iterations", "seconds"):
        raise ParameterError(f"over: expected iterations or seconds, got {over!r:.60}")
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # takes half a second to import
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    half = all(point.exploitability is not None for curve in curves.values() for point in curve)
    ends = {}
    for (name, curve), colour in zip(curves.items(), cycle(COLOURS), strict=False):
        points = [point for point in curve if point.nash_conv > 0]  # log axes have no 0
        heights = [point.distance if half else point.nash_conv for point in points]
        marker = "." if len(points) < 5 else ""
        (line,) = axes.plot([getattr(point, over) for point in points], heights, color=colour, marker=marker)
        line.set_label(name)
        ends[line] = heights[-1] if heights else 0.0
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(over)
    axes.set_ylabel("exploitability = NashConv / 2, in payoff units" if half else "NashConv, in payoff units")
    axes.set_title(title, loc="left")
    axes.grid(True, which="major", alpha=0.4)
    axes.grid(True, which="minor", alpha=0.12)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(handles=sorted(ends, key=lambda line: -ends[line]), frameon=False)  # in the order of their ends
    figure.savefig(path, dpi=150)
