"""The figures of a report, for its page and for other documents."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kiebitz.arena.summary import Summary
from kiebitz.errors import Error
from kiebitz.spec import Spec, Value, parse
from kiebitz.stats import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

from kiebitz.arena.entries import Entry

MOST_VALUES = 12
"""Values of a text metric that a figure shows."""
LABEL = 34
"""Longest name of an agent in a figure."""
INK, LINE, BLUE, ORANGE = "#010203", "#888888", "#2f7fc1", "#d5722a"
"""INK becomes the colour of the page's text; the other colours are visible on light and dark backgrounds."""


# --- Curves -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Curve:
    """How payoffs change with one number in the spec of an agent."""

    option: str
    label: str
    """The spec with a dot for the number, and what stays the same."""
    points: tuple[tuple[float, Estimate], ...]


def curves(entries: Sequence[Entry]) -> list[Curve]:
    """Agents that differ in one number, in one run or each in a run of its own against the same opponents.

    >>> curves([])
    []
    """
    found: dict[tuple[str, str, str], list[tuple[float, Estimate]]] = {}
    for entry in entries:
        specs = entry.summary.specs
        if not entry.summary.games:
            continue
        options = [dict(_numbers(spec)) for spec in specs]
        for agent, numbers in enumerate(options):
            for (template, option), value in numbers.items():
                family = [other for other in range(len(specs)) if (template, option) in options[other]]
                if len(family) > 1:
                    context = f"in {entry.name}"
                else:
                    others = [spec for other, spec in enumerate(specs) if other != agent]
                    context = f"against {', '.join(others)}" if others else "alone"
                key = (option, template, f"{context}, {entry.game.info.title}")
                found.setdefault(key, []).append((value, entry.summary.payoff(agent)))
    return [
        Curve(option, f"{template} {context}", tuple(sorted(points, key=lambda point: point[0])))
        for (option, template, context), points in found.items()
        if len({value for value, _ in points}) > 1
    ]


def _numbers(spec: str) -> Iterator[tuple[tuple[str, str], float]]:
    """The numbers in a spec: the spec with a dot in place of the number, the name of the option, the number."""
    try:
        parsed = parse(spec)
    except Error:
        return
    for option, value, changed in _holes(parsed):
        yield (str(changed).replace('"·"', "·"), option), value


def _holes(spec: Spec) -> Iterator[tuple[str, float, Spec]]:
    places: list[tuple[str, Value]] = [(spec.name, value) for value in spec.args] + list(spec.kwargs)
    for place, (option, value) in enumerate(places):

        def put(new: Value, place: int = place) -> Spec:
            values = [new if i == place else old for i, (_, old) in enumerate(places)]
            split = len(spec.args)
            names = [key for key, _ in spec.kwargs]
            return replace(spec, args=tuple(values[:split]), kwargs=tuple(zip(names, values[split:], strict=True)))

        if isinstance(value, Spec):
            yield from ((inner, number, put(changed)) for inner, number, changed in _holes(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield option, float(value), put("·")


# --- Figures ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Picture:
    """A figure of a report."""

    name: str
    """The name of its file."""
    title: str
    png: bytes
    """For other documents, on white."""
    svg: str
    """For the page, in the colour of its text."""


def _picture(name: str, title: str, figure: Figure) -> Picture:
    png, svg = io.BytesIO(), io.StringIO()
    figure.savefig(png, format="png", dpi=150, facecolor="white")
    figure.savefig(svg, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = svg.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    # Make ids unique: a page has many drawings.
    text = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", text)
    text = text.replace(INK, "currentColor").replace("<svg", '<svg aria-hidden="true" focusable="false"', 1)
    return Picture(name, title, png.getvalue(), text)


def pictures(entries: Sequence[Entry]) -> list[list[Picture]]:
    """The figures of each entry, then those of all entries together."""
    import matplotlib as mpl  # half a second that only figures should cost

    style: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": "kiebitz",
        "text.parse_math": False,
        "font.size": 10,
        **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
    }
    with mpl.rc_context(style):
        return [
            *(list(_of_entry(number, entry)) for number, entry in enumerate(entries, 1)),
            [_curve(number, curve) for number, curve in enumerate(curves(entries), 1)],
        ]


def _of_entry(number: int, entry: Entry) -> Iterator[Picture]:
    summary = entry.summary
    if not summary.games:
        return
    names = [_label(agent, spec) for agent, spec in enumerate(summary.specs)]
    figure, (axes,) = _figure(1, len(names))
    _intervals(axes, names, [summary.payoff(agent) for agent in range(len(names))])
    axes.set_xlabel("mean payoff per game, 95 % interval")
    yield _picture(f"payoff-{number}", "Mean payoff", figure)
    if len(names) > 2:
        yield _crosstable(number, summary, names)
    if len(names) > 1 and summary.crosstable:
        figure, (axes,) = _figure(1, len(names))
        shown = [rating for rating in entry.ratings if rating.games]
        _intervals(
            axes,
            [names[rating.agent] for rating in shown],
            [Estimate(rating.value, rating.low, rating.high) for rating in shown],
        )
        axes.set_xlabel("Bradley-Terry rating in Elo points, 95 % interval; arrows: no bound")
        yield _picture(f"ratings-{number}", "Ratings", figure)
    if entry.metrics:
        figure, panels = _figure(len(entry.metrics), len(names))
        for axes, (name, kind) in zip(panels, entry.metrics, strict=True):
            _bars(axes, names, [entry.metric(name, agent) for agent in range(len(names))], kind == "share")
            axes.set_title(name.replace("_", " "), loc="left")
        yield _picture(f"metrics-{number}", "Metrics by agent", figure)
    for name in entry.words:
        counts = list(summary.histogram(name).items())[:MOST_VALUES]
        figure, (axes,) = _figure(1, len(counts))
        total = sum(summary.histogram(name).values())
        _bars(axes, [value for value, _ in counts], [Estimate(count / total, None, None) for _, count in counts], True)
        yield _picture(f"{re.sub('[^A-Za-z0-9_]', '_', name)}-{number}", f"How often: {name.replace('_', ' ')}", figure)
    if summary.bet is not None or entry.format == "series":
        yield _running(number, summary, names)


def _figure(panels: int, lines: int) -> tuple[Figure, list[Axes]]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, panels * (0.9 + 0.34 * lines)), layout="constrained")
    FigureCanvasAgg(figure)
    found = [figure.add_subplot(panels, 1, place + 1) for place in range(panels)]
    for axes in found:
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(True, axis="x", color=LINE, alpha=0.35)
        axes.set_axisbelow(True)
    return figure, found


def _lines(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def _intervals(axes: Axes, names: Sequence[str], estimates: Sequence[Estimate]) -> None:
    """One dot per line with its interval; an arrow if one bound is missing."""
    _lines(axes, names)
    axes.axvline(0, color=LINE, linewidth=1)
    for y, estimate in enumerate(estimates):
        low, high = estimate.low, estimate.high
        if (low is None) != (high is None):
            bound = low if high is None else high
            assert bound is not None
            axes.plot([bound, estimate.value], [y, y], color=BLUE, linewidth=2, solid_capstyle="round")
            axes.plot([estimate.value], [y], marker=">" if high is None else "<", markersize=9, color=BLUE)
            continue
        if low is not None and high is not None:
            axes.plot([low, high], [y, y], color=BLUE, linewidth=2, solid_capstyle="round")
        axes.plot([estimate.value], [y], marker="o", markersize=6, color=BLUE)


def _bars(axes: Axes, names: Sequence[str], estimates: Sequence[Estimate], share: bool) -> None:
    _lines(axes, names)
    factor = 100 if share else 1
    scaled = [estimate.scaled(factor) for estimate in estimates]
    axes.barh(range(len(names)), [0.0 if np.isnan(e.value) else e.value for e in scaled], 0.62, color=BLUE, alpha=0.75)
    for y, estimate in enumerate(scaled):
        if estimate.low is not None and estimate.high is not None:
            axes.plot([estimate.low, estimate.high], [y, y], color=INK, linewidth=1.5)
    if share:
        axes.set_xlim(0, 100 * 1.02)
        axes.set_xlabel("% of games")


def _crosstable(number: int, summary: Summary, names: Sequence[str]) -> Picture:
    from matplotlib.patches import Rectangle

    size = len(names)
    figure, (axes,) = _figure(1, size)
    figure.set_size_inches(max(8.0, 3 + 0.95 * size), 1.4 + 0.55 * size)
    widest = max((abs(cell.mean.value) for cell in summary.crosstable.values()), default=0.0) or 1.0
    for (a, b), cell in summary.crosstable.items():
        estimate = cell.difference
        colour = BLUE if estimate.value >= 0 else ORANGE
        alpha = 0.06 + 0.54 * abs(estimate.value) / widest
        axes.add_patch(Rectangle((b - 0.48, a - 0.48), 0.96, 0.96, facecolor=colour, alpha=alpha, linewidth=0))
        text = f"{estimate.value:+.2f}"
        if estimate.high is not None:
            text += f"\n±{estimate.high - estimate.value:.2f}"
        axes.text(b, a, text, ha="center", va="center", fontsize=9)
    _lines(axes, names)
    axes.set_xlim(-0.6, size - 0.4)
    axes.set_xticks(range(size), [str(agent + 1) for agent in range(size)])
    axes.xaxis.tick_top()
    axes.tick_params(axis="both", length=0)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    return _picture(f"crosstable-{number}", "Row against column: difference of mean payoffs, 95 % interval", figure)


def _running(number: int, summary: Summary, names: Sequence[str]) -> Picture:
    figure, (axes,) = _figure(1, 8)
    places = np.unique(np.linspace(0, summary.games - 1, 500).astype(np.int64))
    for agent, name in enumerate(names):
        style = (BLUE, ORANGE, LINE)[agent % 3], ("-", "--", ":")[agent // 3 % 3]
        axes.plot(places + 1, summary.bankroll(agent)[places], color=style[0], linestyle=style[1], label=name)
    axes.set_xlabel("games")
    axes.set_ylabel("won so far")
    axes.legend(frameon=False)
    return _picture(f"score-{number}", "Running score", figure)


def _curve(number: int, curve: Curve) -> Picture:
    figure, (axes,) = _figure(1, 9)
    x = [value for value, _ in curve.points]
    y = [estimate.value for _, estimate in curve.points]
    for at, estimate in curve.points:
        if estimate.low is not None and estimate.high is not None:
            axes.plot([at, at], [estimate.low, estimate.high], color=BLUE, linewidth=2, solid_capstyle="round")
    axes.plot(x, y, color=BLUE, marker="o", linewidth=1, alpha=0.9)
    axes.grid(True, axis="y", color=LINE, alpha=0.35)
    if min(x) > 0 and max(x) / min(x) >= 8:
        axes.set_xscale("log")
    axes.set_xticks(x, [f"{value:,g}" for value in x])
    axes.set_xticks([], minor=True)
    axes.set_xlabel(curve.option)
    axes.set_ylabel("mean payoff, 95 % interval")
    return _picture(f"curve-{number}", f"Payoff by {curve.option}: {curve.label}", figure)


def _label(agent: int, spec: str) -> str:
    text = spec if len(spec) <= LABEL else f"{spec[: LABEL - 1]}…"
    return f"{text}  {agent + 1}"
