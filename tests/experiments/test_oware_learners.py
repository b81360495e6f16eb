"""The learned players of the Oware study at toy size: every stage from the one before, every cell of the tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.experiments import experiment, run, training
from kiebitz.experiments.oware import actor_critic, dqn, errata, learners, thesis
from kiebitz.experiments.training import Trained, Training, measured, smoothed

TINY = {"fresh": 300, "more": 200, "episodes": 300, "random": 6, "mcts": 1}


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> list[Training]:
    """Trains in this process, and little; what was asked for."""
    asked: list[Training] = []

    def here(
        trainings: Sequence[Training], folder: Path, tick: Callable[..., None], workers: int | None = None
    ) -> dict[str, Trained]:
        asked.extend(trainings)
        failed = {each.key: training._train(each, folder / each.key) for each in trainings}
        return {each.key: Trained(measured(folder / each.key), failed[each.key]) for each in trainings}

    for module in (learners, dqn, actor_critic):
        monkeypatch.setattr(module, "train_all", here)
    monkeypatch.setitem(learners.SIZES, "quick", TINY)
    monkeypatch.setattr(thesis, "DEEP_AGAINST", (2,))
    monkeypatch.setattr(dqn, "PLAYING", ["Random", "Perfekt2"])
    monkeypatch.setattr(thesis, "DEEP_CYCLES", (200,))
    return asked


@pytest.mark.requirement("OW-31")
@pytest.mark.requirement("OW-54")
@pytest.mark.requirement("OW-55")
def test_all_stages_are_trained_and_reported(tiny: list[Training], tmp_path: Path) -> None:
    """Both experiments, one after the other: the second finds the deep Q-learners of the first."""
    report = run(experiment("oware", "dqn"), "quick", out=tmp_path, workers=1)
    folder = tmp_path / "oware-dqn-quick"
    stages = {each.key: each.options for each in tiny}
    assert list(stages) == [
        "Random",
        *(f"Perfekt{d}{m}" for m in ("", "-strong") for d in (2, 4, 6)),
        "Mcts",
        dqn.AT_ONCE,
    ]
    assert [stages[key]["rate"] for key in ("Random", "Perfekt6", "Mcts")] == [5e-4, 5e-5, 1e-6]
    for key, options in stages.items():
        rows = measured(folder / "runs" / key)
        assert rows[-1]["step"] == (300 if key.startswith("Random") else 200)
        start = {"Random": None, dqn.AT_ONCE: None, "Mcts": folder / "runs" / "Perfekt2" / "net.npz"}
        expected = start.get(key, folder / "runs" / "Random" / "net-200.npz")
        assert options.get("start_from") == (None if expected is None else str(expected))
    assert kb.nets.NetFile.load(folder / "runs" / "Random" / "net-200.npz").card.steps == 200
    assert (folder / "curves.png").read_bytes().startswith(b"\x89PNG")
    text = (folder / "report.md").read_text()
    for name in dqn.PLAYING:
        assert f"DQN-{name}, alpha-beta(2), thesis" in text
        assert f"DQN-{name}, MCTS(200)" in text
    assert all(f"| E-{number} |" in text for number in range(1, 15))
    assert "3.51" in text
    assert "69,668,534,468" in text
    table = next(each for each in report.tables if "5.5" in each.title)
    assert [line.published["won"] for line in table.lines[:4]] == [0.81, 0.70]
    assert all(line.ours is not None and line.ours["masked"].low is not None for line in table.lines)
    json.loads((folder / "results.json").read_text())

    tiny.clear()
    logs = {path: path.read_text() for path in (folder / "runs").glob("*/log.jsonl")}
    report = run(experiment("oware", "actor-critic"), "quick", out=tmp_path, workers=1)
    assert len(logs) == 9
    assert all(path.read_text() == text for path, text in logs.items())
    actors = {each.key: each.options for each in tiny if each.method == "actor_critic"}
    assert list(actors) == ["Random", *actor_critic.GAINS]
    assert [options.get("gains") for options in actors.values()] == [None, "difference_no_award", "own_no_award"]
    text = (tmp_path / "oware-actor-critic-quick" / "report.md").read_text()
    for name in thesis.NETS:
        assert f"AC, DQN-{name}" in text
    assert "figure 4.9" in text
    assert {line.name for line in report.tables[-1].lines} == set(actors)


def test_published_cells_add_up() -> None:
    cells = [
        *thesis.DQN_RANDOM.values(),
        *(cell for row in (*thesis.DQN_ALPHABETA.values(), *thesis.DQN_MCTS.values()) for cell in row.values()),
        thesis.AC_RANDOM,
        *thesis.AC_ALPHABETA.values(),
        *thesis.AC_MCTS.values(),
        *thesis.AC_DQN.values(),
    ]
    assert len(cells) == 4 + 16 + 16 + 13
    assert {sum(cell) for cell in cells} == {100}


@pytest.mark.parametrize(
    ("moves", "won"),
    [*((thesis.DQN_MOVES[net], thesis.DQN_RANDOM[net][0]) for net in thesis.NETS), (thesis.AC_MOVES, 80)],
)
def test_published_intervals_follow_from_the_wins(moves: thesis.Moves, won: int) -> None:
    half = 1.96 * moves.deviation / (won - 1) ** 0.5
    assert moves.low == pytest.approx(moves.mean - half, abs=0.02)
    assert moves.high == pytest.approx(moves.mean + half, abs=0.02)


def test_a_moving_average_is_the_mean_of_the_last_ones() -> None:
    values = [float(n * n % 17) for n in range(60)]
    assert smoothed(values, 25)[40] == pytest.approx(sum(values[16:41]) / 25)
    assert smoothed([], 25) == []


def test_the_corrected_numbers_of_the_errata() -> None:
    assert errata.positions() == 69_668_534_468
    assert errata.branching() == pytest.approx(3.506, abs=0.001)


def test_choices_that_a_mask_decides_are_counted(tmp_path: Path) -> None:
    """A net that always prefers the first pit is overruled wherever that is empty; one without preference never is."""
    import numpy as np

    game = kb.game("oware", preset="thesis")

    def share(bias: list[float], weights: Any) -> float:
        layer = {"kind": "dense", "weights": weights, "bias": np.array(bias)}
        card = kb.nets.Card(game.to_json(), kb.nets.encoding_of(game), "best")
        kb.nets.NetFile(game, card, [{"policy": [layer]}]).save(tmp_path / "net.npz")
        return learners.masked_choices(tmp_path / "net.npz", 20, 1).value

    assert share([1, 0, 0, 0, 0, 0], np.zeros((6, 14))) > 0.2
    assert share([0] * 6, np.eye(6, 14)) == 0  # the fullest pit is never empty
