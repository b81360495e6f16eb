"""kiebitz experiment and kiebitz compare: lists, JSON, files, and one plain message for every mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import kiebitz as kb
from kiebitz.cli import app
from kiebitz.experiments import Comparison, Experiment, ReportTable, registry
from kiebitz.experiments.report import Column, ReportLine
from kiebitz.experiments.run import Conclusion, Evidence


def run(*args: str) -> Result:
    return CliRunner().invoke(app, list(args), env={"COLUMNS": "140", "NO_COLOR": "1"})


def good(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.output
    return result.stdout


def conclude(evidence: Evidence) -> Conclusion:
    column = Column("points", "points", "points")
    lines = [ReportLine(key, {"points": c.payoff(0)}, games=len(c.rows)) for key, c in evidence.results.items()]
    return Conclusion([ReportTable("Points", "run", (column,), lines, "points")])


TINY = Experiment(
    "tiny",
    "A tiny one",
    "Nothing much.",
    lambda: kb.game("kuhn", players=4),
    lambda preset: [Comparison("all", ("random", "random"), 3)],
    conclude,
)


def test_experiments_are_listed_with_what_they_show_and_how_long_they_take() -> None:
    text = good("experiment", "doppelkopf")
    listed: list[dict[str, Any]] = json.loads(good("experiment", "doppelkopf", "--json"))
    assert [item["name"] for item in listed] == [item.name for item in registry.list_experiments("doppelkopf")]
    for item in listed:
        assert item["name"] in text
        assert item["shows"]
        assert 0 < item["seconds"]["quick"] < item["seconds"]["laptop"] < item["seconds"]["thesis"]


def test_an_experiment_prints_and_writes_its_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "kuhn", (TINY,))
    text = good("experiment", "kuhn", "tiny", "--out", str(tmp_path), "--workers", "1", "--seed", "4")
    assert "A tiny one" in text
    assert "too few to show" in " ".join(text.split())
    assert text.isascii()  # no picture stands for the plot
    assert (tmp_path / "kuhn-tiny-quick" / "report.md").exists()
    data = json.loads(good("experiment", "kuhn", "tiny", "--out", str(tmp_path), "--workers", "1", "--json"))
    assert data["comparisons"]["all"]["games"] == 18


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("experiment", "chess"), "no experiments for 'chess'; expected one of connect_four, doppelkopf"),
        (("experiment", "doppelkopf", "nothing"), "no experiment 'nothing' for doppelkopf; expected one of c-study"),
        (("experiment", "doppelkopf", "random", "--preset", "huge"), "expected quick, laptop, thesis, got 'huge'"),
        (("compare", "kuhn", "random"), "two_against_two: expected 2 agents, got 1"),
        (("compare", "kuhn", "random", "uct"), "cheat(uct(...))"),
    ],
)
def test_mistakes_are_one_message(args: tuple[str, ...], message: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_compare_shows_the_paired_difference(tmp_path: Path) -> None:
    args = ("compare", "kuhn", "-p", "players=4", "cheat(uct(iterations=20))", "random", "-n", "20", "--workers", "1")
    file = tmp_path / "games.sqlite"
    text = good(*args, "--db", str(file))
    assert "120 games on 20 deals" in text
    assert "is better than random" in text
    assert "* cheats" in text
    data = json.loads(good(*args, "--db", str(file), "--json"))
    assert data["resumed"] == 120
    assert data["difference"]["low"] > 0
