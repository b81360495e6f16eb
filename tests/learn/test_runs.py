"""Folders of training runs: what is kept, what is refused, and what a user sees."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import kiebitz as kb
from kiebitz import learn
from kiebitz.cli import app

SMALL = {"steps": 20, "measure_every": 5, "start": 20, "batch": 16, "games": 32, "hidden": 8}


def small(folder: Path, **more: Any) -> kb.nets.NetFile:
    return learn.train(kb.game("kuhn"), "nfsp", folder, **{**SMALL, **more})


def test_a_run_leaves_everything_in_its_folder(tmp_path: Path) -> None:
    net = small(tmp_path / "run")
    names = {path.name.partition(".tfevents")[0] for path in (tmp_path / "run").iterdir()}
    assert names == {"config.json", "log.jsonl", "checkpoint.npz", "net.npz", "curve.png", "events.out"}
    rows = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert [row["step"] for row in rows] == [5, 10, 15, 20]
    assert rows[-1]["exploitability"] == net.card.results["exploitability"]
    assert net.card.config["hidden"] == 8
    assert net.card.steps == 20
    again = small(tmp_path / "run")  # nothing is left to do
    assert again.card.results == net.card.results


def test_another_run_does_not_go_on_in_the_folder(tmp_path: Path) -> None:
    small(tmp_path / "run")
    before = (tmp_path / "run" / "checkpoint.npz").read_bytes()
    with pytest.raises(kb.Error, match="a training with another options is kept there"):
        small(tmp_path / "run", hidden=16)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(kb.Error, match="expected an empty folder"):
        small(tmp_path / "mine")
    assert (tmp_path / "run" / "checkpoint.npz").read_bytes() == before


def test_damaged_checkpoints_are_refused_by_name(tmp_path: Path) -> None:
    small(tmp_path / "run", steps=10)
    path = tmp_path / "run" / "checkpoint.npz"
    whole = path.read_bytes()
    for broken in (b"", whole[: len(whole) // 2], b"nothing"):
        path.write_bytes(broken)
        with pytest.raises(kb.Error, match=r"checkpoint\.npz"):
            small(tmp_path / "run", steps=10)
    (tmp_path / "run" / "config.json").write_text("{")
    with pytest.raises(kb.Error, match=r"config\.json: expected the configuration"):
        small(tmp_path / "run", steps=10)


def test_a_checkpoint_of_other_nets_is_refused(tmp_path: Path) -> None:
    small(tmp_path / "one")
    small(tmp_path / "two", hidden=16)
    (tmp_path / "one" / "checkpoint.npz").write_bytes((tmp_path / "two" / "checkpoint.npz").read_bytes())
    with pytest.raises(kb.Error, match="does not fit the training"):
        small(tmp_path / "one")


def test_what_cannot_be_learned_is_refused() -> None:
    with pytest.raises(kb.UnknownName, match="there is no method 'magic'; expected one of"):
        learn.find("magic", kb.game("kuhn"))
    with pytest.raises(kb.Error, match="nfsp needs a two-player zero-sum game"):
        learn.find("nfsp", kb.game("doppelkopf"))
    with pytest.raises(kb.Error, match="no preset 'thesis' for nfsp"):
        learn.find("nfsp", kb.game("kuhn"), "thesis")
    with pytest.raises(kb.Error, match="there is no preset 'huge'"):
        learn.find("nfsp", kb.game("kuhn"), "huge")
    with pytest.raises(kb.Error, match="nfsp has no option 'layers'"):
        learn.find("nfsp(layers=3)", kb.game("kuhn"))


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["train", *words])


def test_the_command_trains_and_says_where_the_net_is(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    done = run("kuhn", "nfsp(steps=10, measure_every=5, games=16)", "--folder", folder)
    assert done.exit_code == 0, done.output
    assert "nfsp after 10 steps" in done.output
    assert "exploitability" in done.output
    listed = run()
    assert listed.exit_code == 0
    assert "nfsp" in listed.output
    as_json = run("kuhn", "nfsp(steps=10, measure_every=5, games=16)", "--folder", folder, "--json")
    assert json.loads(as_json.output)["card"]["steps"] == 10


def test_without_pytorch_the_message_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "import kiebitz as kb, kiebitz.learn\n"
        "try: kiebitz.learn.train\n"
        "except kb.Error as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "learning needs torch: pip install 'kiebitz[train]'"


def test_vectorised_games_go_on_where_others_were() -> None:
    from kiebitz.env import VectorEnv

    for name in ("leduc", "oware", "liars_dice"):
        one, other = VectorEnv(name, games=9, seed=4), VectorEnv(name, games=9)
        rng = np.random.default_rng(1)
        for _ in range(30):
            one.step((rng.random(one.mask.shape) * one.mask).argmax(axis=1))
        other.load(one.memory())
        for _ in range(40):
            for array in ("observation", "mask", "player", "episode", "seed"):
                np.testing.assert_array_equal(getattr(one, array), getattr(other, array))
            action = (rng.random(one.mask.shape) * one.mask).argmax(axis=1)
            one.step(action)
            other.step(action)
            np.testing.assert_array_equal(one.rewards, other.rewards)


def test_places_that_cannot_be_are_refused() -> None:
    from kiebitz.env import VectorEnv

    env = VectorEnv("leduc", games=2)
    place = env.memory()
    for changes in (
        {"counts": np.array([1, 0])},
        {"counts": np.array([1, 0]), "actions": np.array([77])},
        {"actions": np.array([1])},
        {"episodes": np.array([1])},
    ):
        with pytest.raises(kb.Error):
            env.load({**place, **changes})
    with pytest.raises(kb.Error, match="reset"):
        env.step([1, 1])
    env.reset()
    env.step([1, 1])
