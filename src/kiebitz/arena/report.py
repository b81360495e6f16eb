"""Reports: one self-contained HTML page about some runs, its figures as PNG beside it, and the numbers as JSON.

The page needs nothing from outside and no scripts: figures are drawn into it as SVG in the colours of the page, which
follow the reader's choice of light or dark. Agent specs are foreign text and are escaped everywhere.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kiebitz._core import Game
from kiebitz.agents.base import create
from kiebitz.arena.matches import Result
from kiebitz.arena.ratings import Rating, bradley_terry, openskill
from kiebitz.arena.rows import Row
from kiebitz.arena.store import Store
from kiebitz.arena.summary import Summary
from kiebitz.errors import Error, ParameterError
from kiebitz.games.registry import from_json
from kiebitz.machine import hardware_text
from kiebitz.spec import Spec, Value, parse
from kiebitz.stats import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_RATED = 100_000
"""Games up to which openskill is run: it takes them one by one."""
MOST_VALUES = 12
"""Values of a metric in words that a figure shows."""
LABEL = 34
"""Longest name of an agent in a figure."""
INK, LINE, BLUE, ORANGE = "#010203", "#888888", "#2f7fc1", "#d5722a"
"""INK becomes the colour of the page's text; the others are seen on light and dark."""


@dataclass(frozen=True)
class Entry:
    """A run in a report."""

    summary: Summary
    name: str
    game: Game
    format: str
    seed: int
    command: str
    machine: str
    version: str
    seconds: float
    planned: int | None = None
    date: str = ""

    @property
    def games_per_second(self) -> float | None:
        """Over the whole run, all workers together."""
        return self.summary.games / self.seconds if self.seconds > 0 else None

    @cached_property
    def ratings(self) -> list[Rating]:
        """Bradley-Terry, the best of each group first."""
        return sorted(bradley_terry(self.summary), key=lambda rating: (rating.group, -rating.value))

    @cached_property
    def openskill(self) -> dict[int, Rating]:
        """By agent; nothing for very long runs."""
        if self.summary.games > MOST_RATED:
            return {}
        return {rating.agent: rating for rating in openskill(self.summary)}

    @property
    def metrics(self) -> list[tuple[str, str]]:
        """Name and kind of the metrics that say something about each agent."""
        columns = self.summary.columns
        found = [(name, self.summary.kind(name)) for name, column in columns.items() if column.seats]
        return [item for item in found if item[1] != "text"]

    @property
    def words(self) -> list[str]:
        """Metrics of whole games whose values are words."""
        return [name for name in self.summary.columns if self.summary.kind(name) == "text"]

    @property
    def noted(self) -> bool:
        """Whether something has to be said about a rating."""
        return any(rating.note for rating in self.ratings)

    def metric(self, name: str, agent: int) -> Estimate:
        """A metric of an agent: its share or its mean."""
        share = self.summary.kind(name) == "share"
        return self.summary.share(name, agent) if share else self.summary.metric_mean(name, agent)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        return {
            "name": self.name,
            "game": self.game.to_json(),
            "format": self.format,
            "seed": self.seed,
            "command": self.command,
            "machine": self.machine,
            "version": self.version,
            "seconds": self.seconds,
            "games_per_second": self.games_per_second,
            "planned": self.planned,
            "date": self.date,
            **self.summary.to_dict(),
            "ratings": [rating.to_dict() for rating in self.ratings],
            "openskill": [rating.to_dict() for rating in self.openskill.values()],
        }


# --- Where entries come from ------------------------------------------------------------------------------------------


def from_result(result: Result, name: str = "run", command: str = "") -> Entry:
    """An entry from what was just played."""
    from kiebitz import __version__

    plan = result.plan
    machine, version = hardware_text(), f"Kiebitz {__version__}"
    return Entry(
        result, name, plan.game, plan.format, plan.seed, command, machine, version, result.run.seconds, plan.games
    )


def from_store(store: Store, run: int) -> Entry:
    """An entry from a run of a store."""
    info = store.run(run)
    return _from_info(vars(info), store.rows(run, actions=False), f"run {run}", info.created)


def from_file(path: str | Path) -> Entry:
    """An entry from a file of JSON lines: the run with its ``plan`` first, then a row each."""
    path = Path(path)
    with path.open(encoding="utf-8") as file:
        lines = enumerate(file, 1)
        info = _line(path, *next(lines, (1, "")))
        if not isinstance(info.get("plan"), Mapping):
            raise ParameterError(f"{path}: line 1: expected a run with its plan")

        def rows() -> Iterator[Row]:
            for number, line in lines:
                data = _line(path, number, line)
                data.pop("run", None)
                yield Row.from_json(data)

        try:
            created = datetime.fromisoformat(str(info["created"])) if info.get("created") else None
        except ValueError:
            raise ParameterError(f"{path}: line 1: expected a date, got {info['created']!r:.60}") from None
        return _from_info(info, rows(), path.name, created)


def _line(path: Path, number: int, text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise ParameterError(f"{path}: line {number}: expected a JSON object")
    return data


def _from_info(data: Mapping[str, Any], rows: Iterator[Row], name: str, created: datetime | None) -> Entry:
    plan = data["plan"]
    try:
        game, specs = from_json(plan["game"]), [str(spec) for spec in plan["agents"]]
        summary = Summary(rows, specs, game, [_cheats(spec, game) for spec in specs])
        return Entry(
            summary=summary,
            name=name,
            game=game,
            format=str(plan.get("format", "")),
            seed=int(plan.get("seed", 0)),
            command=str(data.get("command") or ""),
            machine=str(data.get("hardware") or ""),
            version=f"Kiebitz {data['version']}" if data.get("version") else "",
            seconds=float(data.get("seconds") or 0.0),
            planned=plan.get("games"),
            date="" if created is None else created.strftime("%Y-%m-%d %H:%M"),
        )
    except (KeyError, TypeError) as error:
        raise ParameterError(f"{name}: expected a plan with its game and agents: {error!s:.100}") from None


def _cheats(spec: str, game: Game) -> bool:
    try:
        return create(spec, game).sees_state
    except Error:  # an agent that is not there any more
        return False


# --- Curves -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Curve:
    """How payoffs change with one number in the spec of an agent."""

    option: str
    label: str
    """The spec with a dot for the number, and what stays the same."""
    points: tuple[tuple[float, Estimate], ...]


def curves(entries: Sequence[Entry]) -> list[Curve]:
    """Agents that differ in one number: in one run, or each in a run of its own against the same others.

    >>> curves([])
    []
    """
    found: dict[tuple[str, str, str], dict[float, Estimate]] = {}
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
                found.setdefault(key, {})[value] = entry.summary.payoff(agent)
    return [
        Curve(option, f"{template} {context}", tuple(sorted(points.items(), key=lambda point: point[0])))
        for (option, template, context), points in found.items()
        if len(points) > 1
    ]


def _numbers(spec: str) -> Iterator[tuple[tuple[str, str], float]]:
    """The numbers in a spec: the spec with a dot instead, the name of the option, the number."""
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
    """Of its file."""
    title: str
    png: bytes
    """For other documents: on white."""
    svg: str
    """To stand in the page, in the colour of its text."""


def _picture(name: str, title: str, figure: Figure) -> Picture:
    png, svg = io.BytesIO(), io.StringIO()
    figure.savefig(png, format="png", dpi=150, facecolor="white")
    figure.savefig(svg, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = svg.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    # Names inside one drawing are its own: a page has many of them.
    text = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", text)
    text = text.replace(INK, "currentColor").replace("<svg", '<svg aria-hidden="true" focusable="false"', 1)
    return Picture(name, title, png.getvalue(), text)


def pictures(entries: Sequence[Entry]) -> list[list[Picture]]:
    """The figures of each entry, and last those of all together."""
    import matplotlib as mpl  # half a second that only pictures pay for

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
    """A dot with its interval a line; an arrow where there is no bound on one side."""
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


# --- The page ---------------------------------------------------------------------------------------------------------


def write_report(entries: Sequence[Entry], out: str | Path, title: str = "") -> Path:
    """Writes the report and returns the path of its page. ``out`` is a folder, or the page if it ends in .html; figures
    and numbers (report.json) go beside it.

    >>> import tempfile, kiebitz as kb
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
    for picture in (picture for some in drawn for picture in some):
        (path.parent / f"{picture.name}.png").write_bytes(picture.png)
    numbers = json.dumps([_finite(entry.to_dict()) for entry in entries], indent=1, ensure_ascii=False, allow_nan=False)
    path.with_suffix(".json").write_text(numbers + "\n", encoding="utf-8")
    path.write_text(page, encoding="utf-8")
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
    # What matplotlib has drawn has its text escaped already; nothing else is trusted.
    figures = [[(picture, Markup(picture.svg)) for picture in some] for some in drawn]
    parts = list(zip(entries, figures, strict=False))
    return environment.get_template("report.html").render(title=title, parts=parts, curves=figures[-1])


def _number(value: float | None, digits: int = 2, sign: bool = True) -> str:
    if value is None or np.isnan(value):
        return "–"
    text = f"{value + 0.0:{'+' if sign else ''},.{digits}f}"
    return text.replace("+", "") if float(text.replace(",", "")) == 0 else text


def _interval(estimate: Estimate, digits: int = 2, sign: bool = True) -> str:
    if estimate.low is None or estimate.high is None:
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
    """The same data without numbers that JSON does not know."""
    if isinstance(data, float) and not np.isfinite(data):
        return None
    if isinstance(data, dict):
        return {str(key): _finite(value) for key, value in data.items()}
    return [_finite(item) for item in data] if isinstance(data, list | tuple) else data
