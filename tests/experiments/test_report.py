"""Reports: rules of verdicts, tables with published and own rows, plots that are well-formed, strict JSON."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiebitz.experiments.plot import Mark, Panel, interval_plot
from kiebitz.experiments.report import Bar, Column, Finding, Report, ReportLine, ReportTable, Rule, judge
from kiebitz.stats import Estimate

POINTS = Column("points", "points", "points")
RATE = Column("rate", "games with a call", "share")
RULES: tuple[Rule, ...] = ("reach", "near", "above", "below", "least", "most")
numbers = st.floats(-100, 100)


@st.composite
def estimates(draw: st.DrawFn) -> Estimate:
    value, down, up = draw(numbers), draw(st.floats(0, 10)), draw(st.floats(0, 10))
    return Estimate(value, value - down, value + up)


@given(estimates(), numbers)
def test_verdicts_follow_from_the_interval(ours: Estimate, value: float) -> None:
    holds = {rule: judge(POINTS, Bar("points", rule, value), ours)[0] for rule in RULES}
    assert ours.low is not None
    assert ours.high is not None
    assert holds == {
        "reach": ours.high >= value,
        "near": ours.low <= value <= ours.high,
        "above": ours.low > value,
        "below": ours.high < value,
        "least": ours.value >= value,
        "most": ours.value <= value,
    }


@given(estimates(), numbers, st.floats(0, 10))
def test_more_is_never_worse_where_a_figure_should_be_reached(ours: Estimate, value: float, more: float) -> None:
    assert ours.low is not None
    assert ours.high is not None
    better = Estimate(ours.value + more, ours.low + more, ours.high + more)
    for rule in ("reach", "above", "least"):
        before, after = (judge(POINTS, Bar("points", rule, value), figure)[0] for figure in (ours, better))
        assert after or not before


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("ours", [Estimate(1.0, None, None), Estimate(math.nan, None, None)])
def test_a_figure_without_interval_is_not_judged(rule: Rule, ours: Estimate) -> None:
    holds, text = judge(POINTS, Bar("points", rule, 0.5), ours)
    assert holds is None
    assert "too few games" in text
    assert Finding.of("claim", POINTS, rule, 0.5, ours).holds is None


def test_a_small_report_does_not_refute_what_it_cannot_show() -> None:
    report = a_report()
    assert "| It helps | **no** |" in report.markdown()
    report.small = True
    assert "| It helps | too few games |" in report.markdown()
    report.findings = [Finding.of("It helps", POINTS, "above", 0.0, Estimate(-1.0, -2.0, -0.5))]
    assert "| It helps | **no** |" in report.markdown()


def a_report(interrupted: bool = False) -> Report:
    missed = ReportLine(
        "I = 100 | C = 2.5",
        {"points": Estimate(6.1, 6.0, 6.2), "rate": Estimate(0.8, 0.78, 0.82)},
        {"points": 6.3, "rate": 0.7998},
        [Bar("points", "reach", 6.3), Bar("rate", "near", 0.7998)],
        6000,
    )
    missing = ReportLine("I = 100,000", None, {"points": 6.62}, [Bar("points", "reach", 6.62)])
    table = ReportTable("Against random", "iterations", (RATE, POINTS), [missed, missing], "points", "A note.")
    return Report(
        name="game name",
        title="Some <title> & more",
        shows="What it shows.",
        preset="quick",
        seed=1,
        command="kiebitz experiment game name --preset quick --seed 1",
        hardware={"cpu": "some cpu", "cores": "2 cores"},
        tables=[table],
        findings=[Finding.of("It helps", POINTS, "above", 0.0, Estimate(-1.0, -2.0, 0.5))],
        seconds=90.0,
        interrupted=interrupted,
    )


@pytest.mark.requirement("DK-71")
def test_a_missed_figure_is_called_missed() -> None:
    text = a_report().markdown()
    assert "| I = 100 \\| C = 2.5 | thesis | 79.98 % | +6.30 |" in text
    assert "| Kiebitz | 80.0 % (78.0 to 82.0) | +6.10 (+6.00 to +6.20) | 6,000 |" in text
    assert "points: +6.30 missed, the interval ends at +6.20; games with a call: 79.98 % lies in the interval" in text
    assert "not run at this size" in text
    assert "| It helps | **no** | -1.00 (-2.00 to +0.50); points: +0.00 lies in the interval |" in text


@pytest.mark.requirement("DK-73")
def test_reports_name_command_machine_and_time() -> None:
    text = a_report().markdown()
    for part in ("kiebitz experiment game name --preset quick --seed 1", "some cpu, 2 cores", "1.5 minutes"):
        assert part in text
    assert "Interrupted" not in text
    assert "Interrupted" in a_report(interrupted=True).markdown()
    data = a_report().to_dict()
    assert (data["seed"], data["preset"], data["hardware"]["cpu"]) == (1, "quick", "some cpu")
    assert data["tables"][0]["lines"][0]["verdicts"][0]["holds"] is False
    assert data["tables"][0]["lines"][1]["ours"] is None


def test_all_rows_of_a_table_have_the_same_number_of_cells() -> None:
    rows = [line for line in a_report().tables[0].markdown().splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {7}


marks = st.builds(
    Mark, st.text(st.characters(codec="utf-8", categories=["L", "P"]), max_size=9), st.none() | estimates(), numbers
)


@given(st.lists(st.lists(marks, min_size=1, max_size=4), min_size=1, max_size=3), st.booleans())
def test_plots_are_well_formed_and_hold_every_mark(panels: list[list[Mark]], percent: bool) -> None:
    svg = interval_plot("a < b", [Panel("p & q", panel, percent) for panel in panels])
    root = ElementTree.fromstring(svg)
    width = float(root.attrib["viewBox"].split()[2])
    dots = [item for item in root.iter() if item.tag.endswith("circle")]
    assert len(dots) == 1 + sum(mark.ours is not None for panel in panels for mark in panel)
    assert all(0 <= float(dot.attrib["cx"]) <= width for dot in dots)


def test_a_report_without_figures_has_no_plot() -> None:
    report = a_report()
    report.tables = [ReportTable("Empty", "key", (POINTS,), [ReportLine("a", None)], "points")]
    assert "plot.svg" not in report.markdown()
    ElementTree.fromstring(report.svg())
