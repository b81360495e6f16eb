"""A small line plot with a logarithmic scale, written as SVG text: enough for the docs, with nothing to install."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 80, 110, 40, 50
COLOURS = ("#1b6ca8", "#c0392b", "#2e7d32", "#6a1b9a")


@dataclass(frozen=True)
class Curve:
    """A named list of points; the second coordinates are positive."""

    name: str
    points: Sequence[tuple[float, float]]


def log_plot(title: str, x_label: str, y_label: str, curves: Sequence[Curve]) -> str:
    """The curves over whole numbers, with powers of ten on the other axis."""
    xs = [x for curve in curves for x, _ in curve.points]
    ys = [math.log10(y) for curve in curves for _, y in curve.points]
    x_low, x_high = min(xs), max(*xs, min(xs) + 1)
    y_low, y_high = math.floor(min(ys)), math.ceil(max(ys))
    y_high = max(y_high, y_low + 1)

    def at_x(x: float) -> float:
        return LEFT + (x - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT)

    def at_y(log_y: float) -> float:
        return HEIGHT - BOTTOM - (log_y - y_low) / (y_high - y_low) * (HEIGHT - TOP - BOTTOM)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        '  font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="24" font-size="15">{escape(title)}</text>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x_label)}</text>',
        f'<text transform="translate(20 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">{escape(y_label)}</text>',
    ]
    for decade in range(y_low, y_high + 1):
        y = at_y(decade)
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        out.append(
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">10'
            f'<tspan dy="-5" font-size="9">{decade}</tspan></text>'
        )
    for x in range(math.ceil(x_low), math.floor(x_high) + 1):
        out.append(f'<text x="{at_x(x):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x}</text>')
    for curve, colour in zip(curves, COLOURS, strict=False):
        points = " ".join(f"{at_x(x):.1f},{at_y(math.log10(y)):.1f}" for x, y in curve.points)
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        last_x, last_y = curve.points[-1]
        out.append(
            f'<text x="{at_x(last_x) + 8:.1f}" y="{at_y(math.log10(last_y)) + 4:.1f}" fill="{colour}">'
            f"{escape(curve.name)}</text>"
        )
    return "\n".join([*out, "</svg>", ""])
