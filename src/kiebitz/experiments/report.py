"""The report of an experiment: published figures and ours side by side, each line with a verdict in plain words.

A verdict follows from the 95 % interval by one of a few rules, and says so when a figure is missed. A figure without an
interval (a single deal) is never judged.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from kiebitz.experiments.plot import Mark, Panel, interval_plot
from kiebitz.stats import Estimate

Kind = Literal["share", "points", "number"]
Rule = Literal["reach", "near", "above", "below", "least", "most"]


@dataclass(frozen=True)
class Column:
    """A column of a table: a figure that every line has."""

    key: str
    title: str
    kind: Kind
    digits: int = 2

    def show(self, value: float) -> str:
        """A value as text.

        >>> Column("a", "a", "share").show(0.7998), Column("b", "b", "points").show(6.3)
        ('79.98 %', '+6.30')
        >>> Column("c", "c", "number", digits=3).show(0.0512)
        '0.051'
        """
        if math.isnan(value):
            return "-"
        if self.kind == "share":
            return f"{100 * value:.2f} %"
        if self.kind == "points":
            return f"{round(value, self.digits) + 0.0:+.{self.digits}f}"  # + 0.0: no -0.00
        return f"{value:,.{self.digits}f}"

    def show_interval(self, estimate: Estimate) -> str:
        """An estimate with its interval as text.

        >>> Column("a", "a", "share").show_interval(Estimate(0.5, 0.25, 0.75))
        '50.0 % (25.0 to 75.0)'
        """
        if math.isnan(estimate.value):
            return "-"
        if self.kind != "share":
            text = self.show(estimate.value)
            if estimate.low is None or estimate.high is None:
                return text
            return f"{text} ({self.show(estimate.low)} to {self.show(estimate.high)})"
        text = f"{100 * estimate.value:.1f} %"
        if estimate.low is None or estimate.high is None:
            return text
        return f"{text} ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


@dataclass(frozen=True)
class Bar:
    """A bar that one figure of a line has to pass.

    ``reach``: the upper end of our interval is at least the value; ``near``: our interval contains the value; ``above``
    and ``below``: our whole interval lies on that side of it; ``least`` and ``most``: our mean does.
    """

    column: str
    rule: Rule
    value: float


def judge(column: Column, bar: Bar, ours: Estimate) -> tuple[bool | None, str]:
    """Whether a figure passes a bar (None: too few games to tell), and the verdict in words.

    >>> judge(Column("points", "points", "points"), Bar("points", "reach", 6.3), Estimate(6.1, 5.9, 6.4))
    (True, 'points: the mean is below +6.30, which lies in the interval')
    >>> judge(Column("points", "points", "points"), Bar("points", "reach", 6.3), Estimate(6.1, 5.9, 6.2))
    (False, 'points: +6.30 missed, the interval ends at +6.20')
    """
    title, value = column.title, column.show(bar.value)
    if math.isnan(ours.value) or ours.low is None or ours.high is None:
        return None, f"{title}: too few games to tell"
    if bar.rule == "reach":
        if ours.high < bar.value:
            return False, f"{title}: {value} missed, the interval ends at {column.show(ours.high)}"
        if ours.value < bar.value:
            return True, f"{title}: the mean is below {value}, which lies in the interval"
        return True, f"{title}: {'the whole interval' if ours.low >= bar.value else 'the mean'} reaches {value}"
    if bar.rule == "near":
        if ours.low <= bar.value <= ours.high:
            return True, f"{title}: {value} lies in the interval"
        return False, f"{title}: {'higher' if ours.value > bar.value else 'lower'} than {value}"
    if bar.rule in ("above", "below"):
        if ours.low <= bar.value <= ours.high:
            return False, f"{title}: {value} lies in the interval"
        side = "above" if ours.low > bar.value else "below"
        return side == bar.rule, f"{title}: the interval is {side} {value}"
    holds = ours.value >= bar.value if bar.rule == "least" else ours.value <= bar.value
    word = "at least" if bar.rule == "least" else "at most"
    return holds, f"{title}: the mean is {'' if holds else 'not '}{word} {value}"


@dataclass(frozen=True)
class ReportLine:
    """A line of a table: a setting, the published figures, ours (None if it was not run) and the bars."""

    name: str
    ours: Mapping[str, Estimate] | None
    published: Mapping[str, float] = field(default_factory=dict)
    bars: Sequence[Bar] = ()
    games: int = 0


@dataclass(frozen=True)
class ReportTable:
    """A table of a report: settings of one kind, and the column to plot."""

    title: str
    key: str
    """What the lines are: the title of the first column."""
    columns: Sequence[Column]
    lines: Sequence[ReportLine]
    plotted: str
    note: str = ""
    counted: str = "games"
    """What the last column counts."""

    def verdicts(self, line: ReportLine) -> list[tuple[bool | None, str]]:
        """The verdict on each bar of a line."""
        if line.ours is None:
            return []
        columns = {column.key: column for column in self.columns}
        return [judge(columns[bar.column], bar, line.ours[bar.column]) for bar in line.bars]

    def rows(self, judged: bool = True) -> list[list[str]]:
        """The table as texts, its titles first: for each setting the published figures, and ours below them; with a
        verdict on each line unless that is not wanted."""
        judged = judged and any(line.bars for line in self.lines)
        published = any(line.published for line in self.lines)
        head = [self.key, *(["of"] if published else []), *(column.title for column in self.columns), self.counted]
        out = [[*head, *(["verdict"] if judged else [])]]
        for line in self.lines:
            if line.published:
                shown = [column.show(line.published.get(column.key, math.nan)) for column in self.columns]
                out.append([line.name, "thesis", *shown, "", *([""] if judged else [])])
                if line.ours is None and not line.bars:
                    continue
            if line.ours is None:
                words = ["-"] * len(self.columns)
                end = [""] + (["not run at this size"] if judged else [])
            else:
                words = [column.show_interval(line.ours[column.key]) for column in self.columns]
                end = [f"{line.games:,}"] + (["; ".join(text for _, text in self.verdicts(line))] if judged else [])
            out.append([line.name, *(["Kiebitz"] if published else []), *words, *end])
        return out

    def markdown(self) -> str:
        """The table as Markdown."""
        head, *lines = self.rows()
        out = [f"### {self.title}", "", *([self.note, ""] if self.note else [])]
        return "\n".join([*out, _cells(head), _cells(["---"] * len(head)), *map(_cells, lines), ""])

    def panel(self) -> Panel | None:
        """The plotted column; None if it was not measured."""
        column = next(column for column in self.columns if column.key == self.plotted)
        marks = [
            Mark(line.name, None if line.ours is None else line.ours[column.key], line.published.get(column.key))
            for line in self.lines
            if line.ours is not None and not math.isnan(line.ours[column.key].value)
        ]
        return Panel(f"{self.title}: {column.title}", marks, percent=column.kind == "share") if marks else None

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        return {
            "title": self.title,
            "columns": {column.key: column.title for column in self.columns},
            "lines": [
                {
                    self.key: line.name,
                    "published": dict(line.published),
                    "ours": None if line.ours is None else {key: _plain(x) for key, x in line.ours.items()},
                    "games": line.games,
                    "verdicts": [{"holds": holds, "text": text} for holds, text in self.verdicts(line)],
                }
                for line in self.lines
            ],
        }


@dataclass(frozen=True)
class Finding:
    """A statement, whether it holds here (None: too few games to tell), and the figures behind the verdict."""

    claim: str
    holds: bool | None
    figures: str
    undecided: bool = False
    """Whether the bar lies within the interval, so that more games may show it after all."""

    @classmethod
    def of(cls, claim: str, column: Column, rule: Rule, value: float, ours: Estimate) -> Finding:
        """The statement that a figure passes a bar.

        >>> Finding.of("A beats B", Column("d", "difference", "points"), "above", 0.0, Estimate(1.0, 0.5, 1.5)).holds
        True
        """
        holds, text = judge(column, Bar(column.key, rule, value), ours)
        shown = column.show_interval(ours)
        inside = ours.low is not None and ours.high is not None and ours.low <= value <= ours.high
        return cls(claim, holds, f"{shown}; {text}" if holds is not None else shown, not holds and inside)


@dataclass
class Report:
    """Everything that is written down about an experiment that was run."""

    name: str
    title: str
    shows: str
    preset: str
    seed: int
    command: str
    hardware: Mapping[str, Any]
    tables: Sequence[ReportTable] = ()
    findings: Sequence[Finding] = ()
    comparisons: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    seconds: float = 0.0
    interrupted: bool = False
    small: bool = False
    """Played to see that it works: what such a report does not show, it does not refute."""
    afterword: str = ""

    def shown(self, finding: Finding) -> str:
        """Whether a statement is shown: yes, no, or that there are too few games to tell."""
        if finding.holds is None or (self.small and finding.undecided):
            return "too few games"
        return "yes" if finding.holds else "no"

    @property
    def took(self) -> str:
        """How long it took, and where."""
        return f"Took {self.seconds / 60:.1f} minutes on {', '.join(str(value) for value in self.hardware.values())}."

    def markdown(self) -> str:
        """The report as Markdown, ready for the documentation; it links to the plot and the figures beside it."""
        out = [f"# {self.title}", "", self.shows, ""]
        if self.interrupted:
            out += ["**Interrupted: what follows covers the games that were finished.**", ""]
        out += ["```sh", self.command, "```", ""]
        out += [f"{self.took} All figures: [results.json](results.json).", ""]
        out += [*(f"{note}\n" for note in self.notes)]
        if self.findings:
            out += ["## What was found", "", "| statement | shown | figures |", "|---|---|---|"]
            words = {"no": "**no**"}
            shown = [words.get(word, word) for word in map(self.shown, self.findings)]
            out += [_cells([item.claim, word, item.figures]) for item, word in zip(self.findings, shown, strict=True)]
            out += [""]
        if self.tables:
            out += ["## Tables", ""]
            if any(table.panel() for table in self.tables):
                out += [f"![{self.title}](plot.svg)", ""]
            out += [table.markdown() for table in self.tables]
        if self.comparisons:
            out += ["## What was played", "", *_played(self.comparisons), ""]
        out += [self.afterword, ""] if self.afterword else []
        out += [
            "Means have 95 % intervals from the spread between deals, shares have Wilson's. "
            "All comparisons share their deals."
        ]
        return "\n".join(out).rstrip() + "\n"

    def svg(self) -> str:
        """The plot as SVG."""
        return interval_plot(self.title, [panel for table in self.tables if (panel := table.panel())])

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        return {
            "experiment": self.name,
            "title": self.title,
            "preset": self.preset,
            "seed": self.seed,
            "command": self.command,
            "hardware": dict(self.hardware),
            "wall_clock_seconds": self.seconds,
            "interrupted": self.interrupted,
            "notes": list(self.notes),
            "findings": [vars(finding) for finding in self.findings],
            "tables": [table.to_dict() for table in self.tables],
            "comparisons": {key: dict(value) for key, value in self.comparisons.items()},
        }


def _played(comparisons: Mapping[str, Mapping[str, Any]]) -> Iterable[str]:
    yield _cells(["comparison", "agent", "deals", "games", "plies", "seconds per move", "iterations per second"])
    yield _cells(["---"] * 7)
    for name, data in comparisons.items():
        for agent in data["agents"]:
            counts = [f"{data['deals']:,}", f"{data['games']:,}", f"{data['plies']['value'] or 0:.1f}"]
            times = [_number(agent["seconds_per_move"], ".2g"), _number(agent.get("iterations_per_second"), ",.0f")]
            yield _cells([name, f"`{agent['agent']}`{' (cheats)' * agent['cheats']}", *counts, *times])


def _number(value: float | None, form: str) -> str:
    return "" if value is None else f"{value:{form}}"


def _cells(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _plain(estimate: Estimate) -> dict[str, float | None]:
    return {key: None if value is None or math.isnan(value) else value for key, value in estimate.to_dict().items()}
