"""The experiments with Doppelkopf: published figures, metrics of the recorded games, every experiment at toy scale."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import kiebitz as kb
from kiebitz.experiments import PRESETS, Comparison, list_experiments, run
from kiebitz.experiments.doppelkopf import BEST, beliefs, best, determinized, perfect, thesis
from kiebitz.games.doppelkopf.metrics import CONTRACTS, STEPS, metrics, of_moves, of_result

RECORDS = Path(__file__).parents[1] / "data" / "doppelkopf-games.jsonl.gz"
SPOKEN = {"re-kontra": 33, "no90": 34, "no60": 35, "no30": 36, "black": 37, "pass": 38}
NAMES = [experiment.name for experiment in list_experiments("doppelkopf")]


# --- Published figures ------------------------------------------------------------------------------------------------


@pytest.mark.requirement("DK-70")
@pytest.mark.parametrize(
    "points",
    [
        [row["points"] for row in thesis.C_FIRST.values()],
        [row["points"] for row in thesis.C_SECOND.values()],
        *([row["points"] for row in rows.values()] for rows in thesis.C_BY_ITERATIONS.values()),
        [row["points"] for row in thesis.SIX_WAY.values()],
    ],
)
def test_published_points_of_all_strategies_add_up_to_0(points: list[float]) -> None:
    """A check of the transcription: every strategy sits equally often, so only rounding is left (0.005 each)."""
    assert abs(math.fsum(points)) <= 0.005 * len(points) + 1e-9


def test_published_shares_are_shares() -> None:
    tables: list[dict[Any, thesis.Figures]] = [
        thesis.C_FIRST,
        thesis.C_SECOND,
        *thesis.C_BY_ITERATIONS.values(),
        thesis.AGAINST_RANDOM,
        thesis.SIX_WAY,
        thesis.SELF_PLAY_HIDDEN,
    ]
    for row in (row for table in tables for row in table.values()):
        assert all(0 < row[key] < 1 for key in ("calls", "calls_won", "solos", "solos_won"))


@pytest.mark.requirement("DK-35")
def test_the_figures_to_reach() -> None:
    wanted = {100: (6.30, 0.8996), 1_000: (6.43, 0.9233), 10_000: (6.52, 0.9399), 100_000: (6.62, 0.9418)}
    for iterations, (points, won) in wanted.items():
        assert thesis.AGAINST_RANDOM[iterations]["points"] == points
        assert thesis.AGAINST_RANDOM[iterations]["calls_won"] == pytest.approx(won)


# --- Metrics ----------------------------------------------------------------------------------------------------------


def recorded() -> list[dict[str, Any]]:
    with gzip.open(RECORDS, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.requirement("DK-71")
def test_metrics_of_the_recorded_games_agree_with_themselves() -> None:
    """Who called (from the moves) and what was called (from the result) tell the same story in 3,000 games."""
    calls = kb.game("doppelkopf").info.calls
    for record in recorded():
        result = record["result"]
        found = of_result(result)
        called = of_moves([(seat, SPOKEN[action]) for seat, action, phase in record["actions"] if phase == "A"], calls)
        for party in ("re", "kontra"):
            assert any(called["called"][seat] for seat in result[party]) == found[f"{party}_called"]
        assert found["both"] == (found["re_called"] and found["kontra_called"])
        assert all(said or not denied for said, denied in zip(called["called"], called["denied"], strict=True))
        assert found["contract"] in CONTRACTS
        assert {found["high_re"], found["high_kontra"]} <= set(STEPS)
        assert sum(found["solo"]) == result["type"].startswith("solo-")
        assert [seat for seat in range(4) if found["won"][seat]] == result.get(result["winner"], [])
        assert (
            sum(gain * points for gain, points in zip(found["gained"], result["points"], strict=True))
            == sum(abs(points) for points in result["points"]) / 2
        )


@pytest.mark.requirement("DK-71")
def test_metrics_of_a_played_game() -> None:
    game = kb.game("doppelkopf", preset="thesis")
    for seed in range(20):
        state = game.new(seed=seed)
        moves = []
        while state.player != kb.TERMINAL:
            moves.append((state.player, state.legal()[seed % len(state.legal())]))
            state.apply(moves[-1][1])
        found = metrics(state, moves)
        assert found == json.loads(json.dumps(found))
        assert sum(found["won"]) in (0, 1, 2, 3)


# --- Experiments ------------------------------------------------------------------------------------------------------


def toy(run: Comparison) -> Comparison:
    return run.shrunk(deals=2, iterations=4)


@pytest.mark.parametrize("name", NAMES)
def test_every_experiment_runs_at_toy_scale(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(beliefs.SIZES, "quick", (2, 20))
    experiment = next(item for item in list_experiments("doppelkopf") if item.name == name)
    report = run(experiment, "quick", 5, tmp_path, workers=1, shrink=toy)
    folder = tmp_path / f"doppelkopf-{name}-quick"
    data = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert not data["interrupted"]
    assert set(data["comparisons"]) == {item.key for item in experiment.comparisons("quick")}
    for comparison in data["comparisons"].values():
        assert comparison["deals"] >= 1
        for agent in comparison["agents"]:
            assert agent["player_games"] >= 0
            assert agent["cheats"] == agent["agent"].startswith("cheat(")
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert report.findings
    for table in report.tables:
        assert f"### {table.title}" in text
        assert any(line.ours is not None for line in table.lines)
    ElementTree.parse(folder / "plot.svg")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", NAMES)
def test_every_agent_of_every_experiment_can_play(name: str, preset: str) -> None:
    game = kb.game("doppelkopf", preset="thesis")
    experiment = next(item for item in list_experiments("doppelkopf") if item.name == name)
    keys = [item.key for item in experiment.comparisons(preset)]
    assert len(set(keys)) == len(keys)
    for spec in {spec for item in experiment.comparisons(preset) for spec in item.specs}:
        kb.agent(spec, game)


def test_laptop_presets_together_take_at_most_two_hours_on_two_cores() -> None:
    """By the model of costs; the reports hold the times measured."""
    total = sum(experiment.seconds("laptop") for experiment in list_experiments("doppelkopf"))
    assert total <= 2 * 2 * 3600


@pytest.mark.requirement("DK-60")
def test_the_thesis_players_are_instantiable_from_specs() -> None:
    game = kb.game("doppelkopf", preset="thesis")
    for spec in (perfect(10), determinized(10), determinized(10, fusion="rank"), determinized(10, leak=True), BEST):
        assert kb.agent(spec, game).sees_state == spec.startswith("cheat(")
    assert kb.agent(best(calls=False), game) != kb.agent(BEST, game)
    assert kb.agent(best(solos=False), game) != kb.agent(BEST, game)
