"""Reports: one self-contained HTML page about some runs, with its figures as PNG and the numbers as JSON beside it.

The page loads nothing and has no scripts: figures are drawn into it as SVG in the colours of the page, which follow the
reader's choice of light or dark. Agent specs are foreign text and are escaped everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kiebitz.errors import ParameterError
from kiebitz.files import replacing
from kiebitz.stats import Estimate

if TYPE_CHECKING:
    pass

from kiebitz.arena.entries import Entry
from kiebitz.arena.figures import Picture, pictures


def write_report(entries: Sequence[Entry], out: str | Path, title: str = "") -> Path:
    """Writes the report and returns the path of its page. ``out`` is a folder, or the page itself if it ends in .html;
    figures and numbers (report.json) go beside it.

    >>> import tempfile, kiebitz as kb
    >>> from kiebitz.arena.entries import from_result
    >>> result = kb.arena.match(kb.game("nim"), ["nim_perfect", "random"], games=20, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write_report([from_result(result)], folder)
    ...     page.name, "nim_perfect is better than random" in page.read_text(encoding="utf-8")
    ('report.html', True)
    """
    if not entries:
        raise ParameterError("report: expected at least one run")
    path = Path(out)
    path = path if path.suffix.lower() in (".html", ".htm") else path / "report.html"
    title = title or ", ".join(dict.fromkeys(entry.game.info.title for entry in entries))
    drawn = pictures(entries)
    page = _page(entries, drawn, title)
    path.parent.mkdir(parents=True, exist_ok=True)
    numbers = json.dumps([_finite(entry.to_dict()) for entry in entries], indent=1, ensure_ascii=False, allow_nan=False)
    files = {path.parent / f"{picture.name}.png": picture.png for some in drawn for picture in some}
    files |= {path.with_suffix(".json"): f"{numbers}\n".encode(), path: page.encode()}
    for name, data in files.items():
        with replacing(name) as file:
            file.write(data)
    return path


def _page(entries: Sequence[Entry], drawn: Sequence[Sequence[Picture]], title: str) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("kiebitz.arena"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"number": _number, "interval": _interval, "percent": _percent, "time": _time}
    # Text in matplotlib's drawings is already escaped; nothing else is trusted.
    figures = [[(picture, Markup(picture.svg)) for picture in some] for some in drawn]
    parts = list(zip(entries, figures, strict=False))
    return environment.get_template("report.html").render(title=title, parts=parts, curves=figures[-1])


def _number(value: float | None, digits: int = 2, sign: bool = True) -> str:
    if value is None or np.isnan(value):
        return "–"
    text = f"{value + 0.0:{'+' if sign else ''},.{digits}f}"
    return text.replace("+", "") if float(text.replace(",", "")) == 0 else text


def _interval(estimate: Estimate, digits: int = 2, sign: bool = True) -> str:
    if estimate.low is None or estimate.high is None or estimate.flat:
        return _number(estimate.value, digits, sign)
    bounds = (_number(bound, digits, sign) for bound in (estimate.low, estimate.high))
    return f"{_number(estimate.value, digits, sign)} ({' to '.join(bounds)})"


def _percent(estimate: Estimate) -> str:
    if np.isnan(estimate.value):
        return "–"
    text = f"{100 * estimate.value:.1f} %"
    if estimate.low is None or estimate.high is None:
        return text
    return f"{text} ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def _time(seconds: float) -> str:
    """A time in a unit that people read easily.

    >>> _time(0.0000123), _time(0.25), _time(75), _time(7200)
    ('12 µs', '250 ms', '75.0 s', '2.0 h')
    """
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 1:
        return f"{seconds * 1000:.3g} ms"
    return (
        f"{seconds:.1f} s"
        if seconds < 600
        else f"{seconds / 60:.1f} min"
        if seconds < 7200
        else f"{seconds / 3600:.1f} h"
    )


def _finite(data: Any) -> Any:
    """The same data with None in place of numbers that JSON does not have."""
    if isinstance(data, float) and not np.isfinite(data):
        return None
    if isinstance(data, dict):
        return {str(key): _finite(value) for key, value in data.items()}
    return [_finite(item) for item in data] if isinstance(data, list | tuple) else data
