"""Folders of training runs: what is kept, what is refused, and what a user sees."""

from __future__ import annotations

import errno
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
from kiebitz.learn.run import Run
from kiebitz.store.database import StoreError
from kiebitz.store.store import Store

SMALL = {"steps": 20, "measure_every": 5, "start": 20, "batch": 16, "games": 32, "hidden": 8}


def small(folder: Path, **more: Any) -> kb.nets.NetFile:
    return learn.train(kb.game("kuhn"), "nfsp", folder, **{**SMALL, **more})


def test_a_run_leaves_everything_in_its_folder(tmp_path: Path) -> None:
    net = small(tmp_path / "run")
    names = {path.name.partition(".tfevents")[0] for path in (tmp_path / "run").iterdir()}
    assert names == {"config.json", "log.jsonl", "checkpoint.npz", "net.npz", "curve.png", "events.out", "lock"}
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
    with pytest.raises(kb.Error, match=r"a training with another hidden is kept there \(8, not 16\)"):
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
    with pytest.raises(kb.Error, match="this checkpoint is that of another training"):
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


def test_a_longer_run_goes_on_and_equals_one_that_was_as_long_from_the_start(tmp_path: Path) -> None:
    small(tmp_path / "run", steps=10)
    longer = small(tmp_path / "run", steps=20)
    whole = small(tmp_path / "whole", steps=20)
    for seat, parts in enumerate(whole.seats):
        for one, other in zip(parts["policy"], longer.seats[seat]["policy"], strict=True):
            np.testing.assert_array_equal(one["weights"], other["weights"])
    assert json.loads((tmp_path / "run" / "config.json").read_text())["options"]["steps"] == 20
    assert small(tmp_path / "run", steps=10).card.steps == 20  # nothing is left to do, and nothing is lost
    assert json.loads((tmp_path / "run" / "config.json").read_text())["options"]["steps"] == 20
    with pytest.raises(kb.Error, match=r"another (hidden|steps) is kept"):
        small(tmp_path / "run", steps=30, hidden=16)


def test_where_a_step_depends_on_their_number_a_run_cannot_become_longer(tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "games": 4, "simulations": 2, "fast_simulations": 2, "hidden": 8, "blocks": 1, "measured_games": 2,
        "opponent": "random", "batch": 4,
    }  # fmt: skip
    game = kb.game("tic_tac_toe")
    learn.train(game, "alphazero", tmp_path / "run", steps=1, **options)
    with pytest.raises(kb.Error, match="of 1 steps is kept there, and what alphazero does in each depends"):
        learn.train(game, "alphazero", tmp_path / "run", steps=2, **options)


# --- The store --------------------------------------------------------------------------------------------------------


def test_every_run_is_in_the_store_and_goes_on_there(tmp_path: Path) -> None:
    with Store.open(tmp_path / "results.db") as store:
        small(tmp_path / "run", steps=10, store=store, command="kiebitz train kuhn nfsp")
        info = store.runs(kind="training")[0]
        assert (info.game, info.plan["method"], info.plan["seed"], info.plan["steps"]) == ("kuhn", "nfsp", 1, 10)
        assert info.plan["folder"] == str(tmp_path / "run")
        assert info.agents == ("nfsp(steps=10, games=32, hidden=8, batch=16, start=20, measure_every=5)",)
        assert info.command == "kiebitz train kuhn nfsp"
        assert info.finished is not None
        assert info.training is not None
        assert info.training["steps"] == 10
        assert info.training["cpu_hours"] >= 0
        assert info.training["results"]["exploitability"] > 0
        first = info.training["net"]
        assert len(first) == 16
        small(tmp_path / "run", store=store)
        again = store.runs(kind="training")
        assert [(run.id, run.planned, run.plan["steps"]) for run in again] == [(info.id, None, 20)]
        assert again[0].training is not None
        assert again[0].training["steps"] == 20
        assert again[0].training["net"] != first
        small(tmp_path / "other", store=store)
        assert len(store.runs()) == 2
        with pytest.raises(kb.Error, match="another hidden"):  # what was refused is no run
            small(tmp_path / "other", store=store, hidden=16)
        assert len(store.runs()) == 2


def test_a_run_that_was_stopped_is_unfinished_in_the_store(tmp_path: Path) -> None:
    stop = kb.StopToken()

    def report(step: int, last: int, row: dict[str, Any]) -> None:
        if step == 7:
            stop.request()

    with Store.open(tmp_path / "results.db") as store:
        small(tmp_path / "run", store=store, stop=stop, report=report)
        info = store.runs()[0]
        assert info.finished is None
        assert info.training is not None
        assert info.training["steps"] == 7


def test_a_store_that_cannot_be_written_costs_a_warning_and_no_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise StoreError("results.db: the disk is full; earlier data is kept")

    for broken in ("begin", "finish"):
        words: list[str] = []
        with Store.open(tmp_path / f"{broken}.db") as store, monkeypatch.context() as patch:
            patch.setattr(store, broken, refuse)
            net = small(tmp_path / broken, steps=10, store=store, warn=words.append)
        assert net.card.steps == 10
        assert words == [
            "the training goes on, but the store does not know of it: "
            "results.db: the disk is full; earlier data is kept"
        ]


def test_the_command_lists_its_run_and_trains_without_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db, folder = str(tmp_path / "results.db"), str(tmp_path / "run")
    options = ("kuhn", "nfsp(measure_every=5, games=16)", "--steps", "10", "--folder", folder)
    assert run(*options, "--db", db).exit_code == 0
    listed = CliRunner().invoke(app, ["results", "--db", db], env={"COLUMNS": "160"})
    assert "training" in listed.output
    assert "10 of 10 steps" in listed.output
    shown = CliRunner().invoke(app, ["results", "1", "--db", db], env={"COLUMNS": "160"})
    assert folder in shown.output.replace("\n", "")
    assert "exploitability" in shown.output
    refused = CliRunner().invoke(app, ["results", "1", "--csv", "-", "--db", db])
    assert refused.exit_code != 0
    assert "it has no games" in refused.stderr
    deleted = CliRunner().invoke(app, ["results", "--delete", "1", "--yes", "--db", db])
    assert "its folder stays" in deleted.output
    assert Path(folder, "net.npz").is_file()
    monkeypatch.setenv("KIEBITZ_DB", str(tmp_path / "no" / "such" / "folder" / "results.db"))
    done = run(*options)
    assert done.exit_code == 0, done.output
    assert "not listed in the store" in done.output
    assert run(*options, "--db", str(tmp_path / "no" / "folder" / "x.db")).exit_code != 0


# --- Folders of others, full disks, two at a time ---------------------------------------------------------------------


def one(folder: Path, method: str = "reinforce", **more: Any) -> kb.nets.NetFile:
    options = {"steps": 20, "measure_every": 10, "measured_games": 4, "opponent": "random", **more}
    return learn.train(kb.game("tic_tac_toe"), method, folder, **options)


def test_the_checkpoint_of_a_training_of_the_same_shape_is_refused(tmp_path: Path) -> None:
    one(tmp_path / "a", seed=1)
    one(tmp_path / "b", seed=2, gamma=0.5)
    before = (tmp_path / "a" / "net.npz").read_bytes()
    (tmp_path / "a" / "checkpoint.npz").write_bytes((tmp_path / "b" / "checkpoint.npz").read_bytes())
    with pytest.raises(kb.Error, match=r"checkpoint\.npz: this checkpoint is that of another training"):
        one(tmp_path / "a", seed=1, steps=30)
    assert (tmp_path / "a" / "net.npz").read_bytes() == before


def test_a_run_does_not_go_on_when_the_game_is_written_down_in_another_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one(tmp_path / "run")
    monkeypatch.setattr("kiebitz.learn.run.encoding_of", lambda game: "0123456789abcdef")
    with pytest.raises(kb.Error, match=r"another encoding is kept there .* choose a new folder"):
        one(tmp_path / "run", steps=30)


def test_only_one_training_at_a_time_in_a_folder(tmp_path: Path) -> None:
    one(tmp_path / "run")
    holder = Run(kb.game("tic_tac_toe"), "reinforce", learn.methods()["reinforce"].Options(), tmp_path / "run")
    holder._take_hold()
    with pytest.raises(kb.Error, match="a training is going on there"):
        one(tmp_path / "run", steps=30)
    holder.let_go()
    assert one(tmp_path / "run", steps=30).card.steps == 30


def test_a_full_disk_leaves_the_last_checkpoint_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one(tmp_path / "run")
    kept = {path.name: path.read_bytes() for path in (tmp_path / "run").glob("*.npz")}

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            one(tmp_path / "run", steps=30)
    assert {path.name: path.read_bytes() for path in (tmp_path / "run").glob("*.npz")} == kept
    undisturbed = one(tmp_path / "other", steps=30)
    again = one(tmp_path / "run", steps=30)
    for part in ("policy", "value"):
        for ours, theirs in zip(again.seats[0][part], undisturbed.seats[0][part], strict=True):
            assert np.array_equal(ours["weights"], theirs["weights"])


@pytest.mark.parametrize("line", [b"[1]\n", b'{"a": 1}\n', b"\xff\xfe\x00\n", b'{"step": "x"}\n', b"[" * 100_000])
def test_a_broken_log_costs_its_rows_and_no_training(tmp_path: Path, line: bytes) -> None:
    one(tmp_path / "run")
    with open(tmp_path / "run" / "log.jsonl", "ab") as file:
        file.write(line)
    assert one(tmp_path / "run", steps=30).card.steps == 30
    rows = [json.loads(row) for row in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert [row["step"] for row in rows] == [10, 20, 30]


def test_a_run_without_measurements_ends_as_others_do(tmp_path: Path) -> None:
    assert one(tmp_path / "run", "actor_critic", measured_games=0, measure_every=1, steps=5).card.steps == 5


def test_memories_that_no_checkpoint_holds_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(kb.Error, match=r"the memories would hold .* GB and a checkpoint holds 2\.1 GB"):
        learn.train(kb.game("doppelkopf"), "dqn", tmp_path / "run", memory=1_000_000, measured_games=0)
    assert not (tmp_path / "run").exists()


def test_a_table_that_is_not_finite_is_stopped_by_step(tmp_path: Path) -> None:
    with (
        pytest.raises(kb.Error, match="not finite any more in step 300: nothing was kept before"),
        np.errstate(all="ignore"),
    ):
        learn.train(kb.game("kuhn"), "q_learning", tmp_path / "run", payoff=1e308, measure_every=300, steps=600)


def test_without_a_working_pytorch_the_message_names_the_extra_and_the_cause() -> None:
    code = (
        "import sys, importlib.abc\n"
        "class Broken(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'torch': raise ImportError('libtorch_cpu.so: cannot open shared object file')\n"
        "sys.meta_path.insert(0, Broken())\n"
        "from kiebitz import learn\n"
        "learn.methods()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "learning needs PyTorch: pip install 'kiebitz[train]' (libtorch_cpu.so" in done.stderr


@pytest.mark.parametrize(("game", "folder"), [("kuhn", "run"), (None, "run")])
def test_what_is_no_game_is_refused_by_name(game: Any, folder: str, tmp_path: Path) -> None:
    with pytest.raises(kb.Error, match="game: expected a game"):
        learn.train(game, "nfsp", tmp_path / folder)
    with pytest.raises(kb.Error, match="folder: expected the name of a folder"):
        learn.train(kb.game("kuhn"), "nfsp", None)  # type: ignore[arg-type]
