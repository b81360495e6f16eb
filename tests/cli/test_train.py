"""kiebitz train: what suits a game, what its presets are, and how long it takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress
from typer.testing import CliRunner, Result

import kiebitz as kb
from kiebitz import learn
from kiebitz.cli import app
from kiebitz.games import declaration_of


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["train", *words], env={"COLUMNS": "160", "NO_COLOR": "1"})


# --- Which methods, which presets -------------------------------------------------------------------------------------


def test_a_game_alone_lists_what_suits_it_with_its_presets() -> None:
    done = run("kuhn")
    assert done.exit_code == 0, done.output
    rows = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert "toy, laptop " in rows["nfsp"]
    assert rows["dqn"].split()[1] == "-"
    assert rows["alphazero"] == "alphazero needs perfect information, which kuhn is not"
    assert "for example: kiebitz train kuhn nfsp --preset toy\n" in done.stdout


def test_the_example_names_the_rules_that_were_asked_for() -> None:
    done = run("leduc", "--rules", "thesis", "-p", "raises=1")
    assert "for example: kiebitz train leduc --rules thesis -p raises=1 nfsp --preset toy\n" in done.stdout


@pytest.mark.parametrize("name", kb.list_games())
def test_every_declared_preset_is_listed_and_can_be_asked_for(name: str) -> None:
    game = kb.game(name)
    done = run(name, "--json")
    if not game.info.tensor_size:
        assert done.exit_code == 2
        return
    listed = {each["name"]: each["presets"] for each in json.loads(done.stdout)}
    for method, presets in declaration_of(game).learning.items():
        assert listed[method] == list(presets)
        for preset in presets:
            learn.find(method, game, preset)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("kuhn", "nfsp", "--preset", "thesis"), "kuhn has no preset 'thesis' for nfsp: expected toy or laptop"),
        (
            ("kuhn", "dqn", "--preset", "toy"),
            "kuhn has no preset 'toy' for dqn: without a preset dqn runs with its defaults; presets of the game: nfsp "
            "(toy, laptop)",
        ),
        (
            ("nim", "dqn", "--preset", "toy"),
            "nim has no preset 'toy' for dqn: without a preset dqn runs with its defaults; presets of the game: none",
        ),
    ],
)
def test_a_preset_that_is_missing_says_what_there_is(words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert done.stderr == f"error: {message}\n"


# --- Progress and the end ---------------------------------------------------------------------------------------------


def test_games_of_a_teacher_are_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First its games are counted, then the epochs."""
    seen: list[tuple[int, int, str]] = []

    def update(self: Progress, task: Any, *, completed: int, total: int, description: str) -> None:
        del self, task
        seen.append((completed, total, description))

    monkeypatch.setattr(Progress, "update", update)
    method = "supervised(teacher=random, games=20, steps=3, channels=4, blocks=1, hidden=8, batch=16)"
    done = run("tic_tac_toe", method, "--folder", str(tmp_path / "run"), "--db", "none")
    assert done.exit_code == 0, done.output
    assert seen[:21] == [(number, 20, "supervised: the teacher plays") for number in range(21)]
    assert [each[:2] for each in seen[21:]] == [(1, 3), (2, 3), (3, 3)]
    assert seen[-1][2].startswith("supervised: validation loss ")


def test_a_short_training_took_seconds(tmp_path: Path) -> None:
    done = run("kuhn", "nfsp(steps=10, measure_every=5, games=16)", "--folder", str(tmp_path / "run"), "--db", "none")
    assert "nfsp after 10 steps and " in done.output
    assert " CPU seconds: exploitability " in done.output
