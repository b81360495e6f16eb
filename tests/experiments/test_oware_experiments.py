"""The Oware study: published figures as transcribed, measurements, and every experiment at toy scale."""

from __future__ import annotations

import json
import math
from pathlib import Path
from xml.etree import ElementTree

import pytest

import kiebitz as kb
from kiebitz.experiments import Comparison, run
from kiebitz.experiments.oware import EXPERIMENTS, against_random, master, thesis, times, tree_search
from kiebitz.experiments.oware.agents import MODES, alphabeta, mcts
from kiebitz.experiments.oware.figures import move_seconds
from kiebitz.experiments.run import PRESETS

NAMES = [experiment.name for experiment in EXPERIMENTS if experiment.train is None]
"""Those that train their players first are in test_oware_learners.py."""


@pytest.mark.requirement("OW-52")
@pytest.mark.parametrize("moves", [*thesis.ALPHABETA_MOVES.values(), *thesis.MCTS_MOVES.values()])
def test_published_intervals_are_symmetric(moves: thesis.Moves) -> None:
    """A check of the transcription: the mean lies in the middle, and the width implies at most 100 wins."""
    assert moves.mean == pytest.approx((moves.low + moves.high) / 2, abs=0.011)
    wins = 1 + (1.96 * moves.deviation / ((moves.high - moves.low) / 2)) ** 2
    assert 88 < wins < 103


def test_published_cells_add_up_to_100_except_two() -> None:
    """Errata E-3 of the specification."""
    cells = [*thesis.ALPHABETA_RANDOM.values(), *(c for row in thesis.MCTS_ALPHABETA.values() for c in row.values())]
    assert sorted(sum(cell) for cell in cells)[:3] == [98, 99, 100]
    assert len(cells) == 8 + 28
    assert {sum(cell) for cell in cells} == {98, 99, 100}


@pytest.mark.requirement("OW-54")
def test_the_cells_of_all_tables_are_played() -> None:
    for preset in ("laptop", "thesis"):
        keys = {item.key for item in tree_search.comparisons(preset)}
        assert len(keys) == 7 + 2 * 28
        assert {item.key for item in against_random.comparisons(preset)} == {
            against_random.key_of(mode, depth) for mode in MODES for depth in range(1, 9)
        }


@pytest.mark.parametrize("preset", PRESETS)
def test_every_agent_of_every_experiment_can_play(preset: str) -> None:
    game = kb.game("oware", preset="thesis")
    for experiment in EXPERIMENTS:
        assert experiment.seconds(preset) > 0
        for spec in {spec for item in experiment.comparisons(preset) for spec in item.specs}:
            assert kb.agent(spec, game).spec == kb.agent(kb.agent(spec, game).spec, game).spec


def test_laptop_presets_together_take_at_most_three_hours_on_two_cores() -> None:
    """By the model of costs; the reports hold the times measured."""
    assert sum(experiment.seconds("laptop") for experiment in EXPERIMENTS) <= 3 * 2 * 3600


def test_costs_grow_with_depth_and_cycles() -> None:
    for mode in MODES:
        costs = [move_seconds(alphabeta(depth, mode)) for depth in range(1, 9)]
        assert costs == sorted(costs)
        assert 0 < costs[0] < costs[-1] < 0.1
    assert move_seconds(mcts(1400)) == pytest.approx(7 * move_seconds(mcts(200)))


def test_a_line_is_found_and_a_curve_is_not() -> None:
    x = list(range(200, 1401, 100))
    assert times.linear_fit(x, [3.0 * v + 7 for v in x])[2] == pytest.approx(1.0)
    assert times.linear_fit(x, [math.exp(v / 200) for v in x])[2] < 0.9


@pytest.mark.requirement("OW-20")
def test_both_searches_are_measured_on_the_same_positions() -> None:
    for mode in MODES:
        effort = times.measure_depth(4, mode)
        assert effort.moves > 10
        assert effort.nodes[1] < effort.nodes[0]


def toy(item: Comparison) -> Comparison:
    return item.shrunk(deals=2, iterations=20)


@pytest.mark.parametrize("name", NAMES)
def test_every_experiment_runs_at_toy_scale(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(times.DEPTH_SIZES, "quick", 4)
    monkeypatch.setattr(times, "CYCLES", (5, 10, 20))
    monkeypatch.setitem(master.SIZES, "quick", (2, 0.001))
    experiment = next(item for item in EXPERIMENTS if item.name == name)
    report = run(experiment, "quick", 5, tmp_path, workers=1, shrink=toy)
    folder = tmp_path / f"oware-{name}-quick"
    data = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert not data["interrupted"]
    assert set(data["comparisons"]) == {item.key for item in experiment.comparisons("quick")}
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert report.findings
    for table in report.tables:
        assert f"### {table.title}" in text
        assert any(line.ours is not None for line in table.lines)
    ElementTree.parse(folder / "plot.svg")
