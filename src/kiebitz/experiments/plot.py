"""Interval plots as SVG text, with nothing to install: one line per setting, our figure as a dot with its interval, the
published figure as a diamond."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from kiebitz.stats import Estimate

WIDTH, LEFT, RIGHT = 720, 260, 30
LINE, HEAD, FOOT = 20, 34, 34
OURS, PUBLISHED = "#1b6ca8", "#c0392b"


@dataclass(frozen=True)
class Mark:
    """A setting: our figure and the published one, either of which may be missing."""

    name: str
    ours: Estimate | None
    published: float | None = None


@dataclass(frozen=True)
class Panel:
    """Settings on one axis."""

    title: str
    marks: Sequence[Mark]
    percent: bool = False


def interval_plot(title: str, panels: Sequence[Panel]) -> str:
    """The panels, one below the other.

    >>> text = interval_plot("points", [Panel("against random", [Mark("I = 100", Estimate(6.4, 6.2, 6.6), 6.3)])])
    >>> text.startswith("<svg"), "I = 100" in text
    (True, True)
    """
    body: list[str] = []
    y = 40.0
    for panel in panels:
        body += _panel(panel, y)
        y += HEAD + LINE * len(panel.marks) + FOOT
    legend = (
        f'<circle cx="{LEFT}" cy="{y + 6}" r="4" fill="{OURS}"/>'
        f'<text x="{LEFT + 10}" y="{y + 10}">Kiebitz, 95 % interval</text>'
        f'{_diamond(LEFT + 200, y + 6)}<text x="{LEFT + 210}" y="{y + 10}">thesis</text>'
    )
    height = y + 24
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}"',
            '  font-family="sans-serif" font-size="12">',
            f'<rect width="{WIDTH}" height="{height:.0f}" fill="white"/>',
            f'<text x="10" y="24" font-size="15">{escape(title)}</text>',
            *body,
            legend,
            "</svg>",
            "",
        ]
    )


def _panel(panel: Panel, top: float) -> list[str]:
    values = [value for mark in panel.marks for value in _values(mark)]
    ticks = _ticks(min(values), max(values))
    low, high = min(*values, ticks[0]), max(*values, ticks[-1])
    bottom = top + HEAD + LINE * len(panel.marks)

    def at(value: float) -> float:
        return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    out = [f'<text x="10" y="{top + 18:.1f}" font-weight="bold">{escape(panel.title)}</text>']
    for tick in ticks:
        text = f"{100 * tick:.3g} %" if panel.percent else f"{tick:.3g}"
        colour = "#888" if tick == 0 else "#ddd"
        out.append(f'<path d="M{at(tick):.1f} {top + HEAD - 8:.1f}V{bottom:.1f}" stroke="{colour}"/>')
        out.append(f'<text x="{at(tick):.1f}" y="{bottom + 15:.1f}" text-anchor="middle">{text}</text>')
    for i, mark in enumerate(panel.marks):
        y = top + HEAD + LINE * i + 4
        out.append(f'<text x="{LEFT - 12}" y="{y + 4:.1f}" text-anchor="end">{escape(mark.name)}</text>')
        if mark.published is not None and not math.isnan(mark.published):
            out.append(_diamond(at(mark.published), y))
        if mark.ours is not None:
            if mark.ours.low is not None and mark.ours.high is not None:
                span = f"M{at(mark.ours.low):.1f} {y:.1f}H{at(mark.ours.high):.1f}"
                out.append(f'<path d="{span}" stroke="{OURS}" stroke-width="2"/>')
            out.append(f'<circle cx="{at(mark.ours.value):.1f}" cy="{y:.1f}" r="4" fill="{OURS}"/>')
    return out


def _values(mark: Mark) -> list[float]:
    ours = [] if mark.ours is None else [mark.ours.value, mark.ours.low, mark.ours.high]
    return [value for value in (*ours, mark.published) if value is not None and not math.isnan(value)]


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers that cover a range, three to nine of them.

    >>> _ticks(-0.3, 1.1)
    [-0.5, 0.0, 0.5, 1.0, 1.5]
    """
    span = max(high - low, 1e-6)
    power = 10.0 ** math.floor(math.log10(span))
    step = next(factor * power for factor in (0.2, 0.5, 1.0, 2.0) if span / (factor * power) <= 6)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(i * step, 10) for i in range(first, max(last, first + 1) + 1)]


def _diamond(x: float, y: float) -> str:
    return f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z" fill="none" stroke="{PUBLISHED}" stroke-width="1.5"/>'
