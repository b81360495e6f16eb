"""Supervised learning: games are split whole, nets beat guessing, and no record is trusted."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

import kiebitz as kb
from kiebitz import arena, learn
from kiebitz.cli import app
from kiebitz.learn.networks import PolicyValueNet
from kiebitz.learn.run import Run
from kiebitz.learn.supervised import (
    Examples,
    SupervisedOptions,
    losses,
    measured,
    parts_of,
    split,
    supervised,
    weighted,
)
from kiebitz.records import Record, Resigned, load, record_of, replay, save
from tests.learn.test_alphazero import bytes_of
from tests.learn.test_nfsp import killed_after, without_time

QUICK: dict[str, Any] = {
    "steps": 4, "games": 30, "teacher": "random", "channels": 4, "blocks": 1, "hidden": 8, "batch": 32,
}  # fmt: skip


def quick(folder: Path, game: str = "tic_tac_toe", **more: Any) -> kb.nets.NetFile:
    return learn.train(kb.game(game), "supervised", folder, **{**QUICK, **more})


def games_of(name: str, count: int = 40, agents: str = "random", **rules: Any) -> list[Record]:
    """Games as they are played in matches."""
    game = kb.game(name, **rules)
    found = []
    for seed in range(count):
        state = game.new(seed=seed)
        seats = [kb.agent(agents, game, seed=100 * seed + seat) for seat in range(game.info.players)]
        while state.player != kb.TERMINAL:
            state.apply(seats[state.player].act(state.view(state.player)))
        found.append(record_of(state, [agents] * len(seats), seed))
    return found


# --- It learns --------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("DL-34")
def test_it_learns_by_one_command(tmp_path: Path) -> None:
    """On games that were put aside: surely more often right than the most frequent move, nearer to how games end than
    their mean; and the curve shows both parts."""
    folder = tmp_path / "run"
    command = ["train", "connect_four", "supervised", "--preset", "toy", "--folder", str(folder), "--json"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    results = json.loads(done.stdout)["card"]["results"]
    assert results["accuracy_low"] > results["majority_high"] + 0.05
    assert results["cross_entropy"] < results["majority_cross_entropy"] - 0.1
    assert results["value_error"] < results["mean_value_error"] - 0.05
    rows = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert rows[-1]["training_loss"] < rows[0]["training_loss"]
    assert (folder / "curve.png").stat().st_size > 10_000
    net = kb.nets.NetFile.load(folder / "net.npz", kb.game("connect_four"))
    assert net.card.results == results
    assert [layer["kind"] for layer in net.seats[0]["trunk"]] == ["conv", "residual", "residual"]
    assert net.card.data.startswith("800 games of uct(iterations=300) against itself, ")


@pytest.mark.parametrize("name", ["leduc", "doppelkopf"])
def test_hidden_games_are_learned_from_what_the_mover_knew(name: str, tmp_path: Path) -> None:
    net = learn.train(kb.game(name), "supervised", tmp_path / "run", "toy")
    results = net.card.results
    assert results["accuracy_low"] > results["majority_high"]
    view = kb.game(name).new(seed=1).view(0)
    assert len(net.values(view)) == net.game.info.players


def test_what_only_repeats_the_games_it_saw_is_noticed_and_the_best_net_is_kept(tmp_path: Path) -> None:
    """Moves at random: there is nothing to learn but by heart."""
    net = quick(tmp_path / "run", steps=60, hidden=128, blocks=2, dense=True, rate=0.01, patience=3, symmetries=False)
    rows = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    losses = [row["validation_loss"] for row in rows]
    best = int(np.argmin(losses)) + 1
    assert net.card.results["overfits_after"] == net.card.results["epoch"] == best
    assert len(rows) == best + 3 < 60
    assert rows[-1]["training_loss"] < rows[best - 1]["training_loss"]
    data = split(net.game, list(load(tmp_path / "run" / "games.jsonl")), SupervisedOptions(**net.card.config))
    again = measured_by_file(net, data[1])
    assert again == pytest.approx(rows[best - 1]["validation_accuracy"])


def measured_by_file(net: kb.nets.NetFile, part: Examples) -> float:
    """The accuracy of a net as the core plays it."""
    movers = np.zeros(len(part), np.int32)
    logits = net.net.judge(net.game, part.tensors, part.legal.astype(np.uint8), movers)[0]
    right = np.where(part.legal, logits, -np.inf).argmax(axis=1) == part.actions
    return float(right[part.legal.sum(axis=1) > 1].mean())


def test_the_results_are_those_of_the_net_that_plays(tmp_path: Path) -> None:
    net = quick(tmp_path / "run", teacher="uct(iterations=50)", games=60)
    test = split(net.game, list(load(tmp_path / "run" / "games.jsonl")), SupervisedOptions(**net.card.config))[2]
    assert net.card.results["accuracy"] == pytest.approx(measured_by_file(net, test))
    assert net.card.results["accuracy_low"] < net.card.results["accuracy"] < net.card.results["accuracy_high"]
    assert net.card.results["positions"] == len(test)
    assert net.card.results["decisions"] == (test.legal.sum(axis=1) > 1).sum()


@pytest.mark.parametrize(("learns", "missing"), [("policy", "value"), ("value", "policy")])
def test_a_net_has_only_what_it_learned(learns: str, missing: str, tmp_path: Path) -> None:
    net = quick(tmp_path / "run", learns=learns)
    assert not net.seats[0][missing]
    assert net.seats[0][learns]
    assert ("accuracy" in net.card.results) == (learns == "policy")
    assert ("value_error" in net.card.results) == (learns == "value")
    untrained = PolicyValueNet(27, actions=9, values=1, board=(3, 3, 3), channels=4, blocks=1, hidden=8)
    assert not untrained.policy.weight.any()


def test_values_of_more_players_begin_with_the_one_to_move(tmp_path: Path) -> None:
    net = quick(
        tmp_path / "run", "take_seven", games=150, opening_plies=0, learns="value", hidden=32, steps=25, rate=0.02
    )
    last, either = (net.values(kb.game("take_seven").load({"left": left, "mover": 1}).view(1)) for left in (1, 2))
    assert last[1] > 0.8  # takes the last one
    assert either[0] < 0.2 < min(either[1:])  # takes both and wins, or leaves one to the next
    part = split(net.game, list(load(tmp_path / "run" / "games.jsonl")), SupervisedOptions())[0]
    np.testing.assert_allclose(part.values.sum(axis=1), -1)  # one wins, two lose


@pytest.mark.requirement("DL-34")
@pytest.mark.parametrize("learns", ["policy", "value", "both"])
def test_gradients_of_the_loss_are_those_of_finite_differences(learns: str) -> None:
    options = SupervisedOptions(learns=learns, value_weight=0.7)
    rows = Examples(kb.game("tic_tac_toe"), games_of("tic_tac_toe", 1), options).rows(slice(None))
    rows = {name: array if name == "legal" else array.astype(np.float64) for name, array in rows.items()}
    torch.manual_seed(1)
    net = PolicyValueNet(27, actions=9, values=1, board=(3, 3, 3), channels=3, blocks=1, hidden=5).double()
    for weights in net.parameters():
        torch.nn.init.normal_(weights, std=0.5)

    def loss() -> torch.Tensor:
        return weighted(*losses(net, rows), options).mean()

    loss().backward()
    step = 1e-6
    for name, weights in net.named_parameters():
        if weights.grad is None:
            assert ("policy" in name) != (learns == "policy")  # a head that learns nothing
            continue
        flat, gradient = weights.data.view(-1), weights.grad.flatten()
        for place in range(0, len(flat), 7):
            kept, ends = float(flat[place]), []
            for side in (step, -step):
                flat[place] = kept + side
                ends.append(float(loss().detach()))
            flat[place] = kept
            slope = (ends[0] - ends[1]) / (2 * step)
            assert abs(slope - float(gradient[place])) <= 1e-4 * max(float(gradient.abs().max()), 1e-4)


# --- Games and positions ----------------------------------------------------------------------------------------------


def test_no_game_is_in_two_parts_and_equal_games_are_in_one() -> None:
    games = games_of("tic_tac_toe", 60)
    games += games[:20]
    options = SupervisedOptions(validation=0.2, test=0.3, seed=4)
    parts = parts_of(games, options)
    where: dict[Any, set[int]] = {}
    for game, part in zip(games, parts, strict=True):
        where.setdefault(game.actions, set()).add(int(part))
    assert all(len(each) == 1 for each in where.values())
    different = len(where)
    assert sorted(sum(each == {part} for each in where.values()) for part in range(3)) == sorted(
        [round(0.2 * different), round(0.3 * different), different - round(0.2 * different) - round(0.3 * different)]
    )
    assert (parts_of(games, options) == parts).all()
    assert (parts_of(games, dataclasses.replace(options, seed=5)) != parts).any()
    for part, number in zip(split(kb.game("tic_tac_toe"), games, options), range(3), strict=True):
        assert {where[game.actions].copy().pop() for game in part.games} == {number}


@pytest.mark.parametrize("name", ["connect_four", "leduc", "doppelkopf"])
def test_a_row_is_a_decision_as_its_player_saw_it(name: str) -> None:
    record = games_of(name, 3)[2]
    game = kb.game(name)
    rows = Examples(game, [record], SupervisedOptions())
    returns, half = np.array(record.returns), (game.info.max_payoff - game.info.min_payoff) / 2
    row = 0
    for ply, (action, _) in enumerate(record.actions):
        state = replay(record, ply)
        if state.player < 0:
            continue
        np.testing.assert_array_equal(rows.tensors[row], state.view(state.player).tensor())
        assert np.flatnonzero(rows.legal[row]).tolist() == state.legal()
        assert rows.actions[row] == action
        expected = [returns[(state.player + k) % game.info.players] for k in range(rows.values.shape[1])]
        np.testing.assert_allclose(rows.values[row] * half, expected, atol=1e-5)
        row += 1
    assert row == len(rows)


def test_nothing_is_learned_from_who_stood_in_or_from_an_end_that_nobody_knows() -> None:
    game = kb.game("doppelkopf")
    whole = games_of("doppelkopf", 1)[0]
    asked = [
        ply for ply in range(len(whole.actions)) if len(replay(whole, ply).legal()) > 1 <= replay(whole, ply).player
    ]
    seat = replay(whole, asked[20]).player
    later = sum(replay(whole, ply).player == seat for ply in range(asked[20], len(whole.actions)))
    given_up = dataclasses.replace(whole, resigned=(Resigned(seat, asked[20]),))
    both = SupervisedOptions()
    assert len(Examples(game, [whole], both)) - len(Examples(game, [given_up], both)) == later > 0
    unfinished = dataclasses.replace(whole, actions=whole.actions[:-5], returns=None, result=None)
    assert len(Examples(game, [unfinished], SupervisedOptions(learns="policy"))) > 20
    with pytest.raises(kb.Error, match="expected positions in the games to test, got 0 of 1 games"):
        Examples(game, [unfinished], both, "to test")


def test_the_majority_is_the_most_frequent_action_that_is_legal() -> None:
    """Three in four moves of the first player go to the middle; where it is taken, to the corner."""
    game = kb.game("tic_tac_toe")

    def after(*names: str) -> Record:
        state = game.new()
        for name in names:
            state.apply(state.parse(name))
        return record_of(state)

    policy = SupervisedOptions(learns="policy")
    learned = Examples(game, [after("b2", "a1")] * 3 + [after("c3", "b2")], policy)
    test = Examples(game, [after("b2", "a1"), after("a1", "b2"), after("b2", "c3")], policy)
    net = PolicyValueNet(27, actions=9, values=1, board=(3, 3, 3), channels=3, blocks=1, hidden=5)
    seen = measured(net, test, learned, policy)
    assert seen["majority"] == 4 / 6  # b2, a1, (not a1), b2, b2, (not c3)
    assert seen["cross_entropy"] == pytest.approx((3 * np.log(9) + 3 * np.log(8)) / 6, rel=1e-5)


def test_games_of_matches_are_taken_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    arena.match(kb.game("nim"), ["random", "random"], games=40, seed=1, record=path)
    net = quick(tmp_path / "run", "nim", records=str(path))
    assert net.card.data == "40 games of match.jsonl, 28 to learn from, 6 to say when to stop, 6 to test"
    assert not (tmp_path / "run" / "games.jsonl").exists()


# --- Runs -------------------------------------------------------------------------------------------------------------


def test_a_run_is_a_function_of_its_options(tmp_path: Path) -> None:
    one, same, other = (quick(tmp_path / str(n), seed=seed) for n, seed in enumerate((3, 3, 4)))
    assert bytes_of(one) == bytes_of(same) != bytes_of(other)


def test_a_run_that_was_killed_ends_like_one_that_was_not(tmp_path: Path) -> None:
    """Asked to stop while the teacher plays; killed after a later checkpoint; asked to stop between two epochs."""
    more: dict[str, Any] = {"steps": 25, "patience": 25}
    whole = quick(tmp_path / "whole", **more)
    parts = tmp_path / "parts"
    stop = kb.search.StopToken()
    stop.request()
    assert quick(parts, stop=stop, **more).card.data == "nothing yet"
    stop = kb.search.StopToken()
    quick(parts, stop=stop, report=lambda step, *_: stop.request() if step == 30 else None, **more)  # the last game
    with pytest.raises(KeyboardInterrupt):
        quick(parts, report=killed_after(20, parts), **more)
    stop = kb.search.StopToken()
    quick(parts, stop=stop, report=lambda step, *_: stop.request() if step == 22 else None, **more)
    net = quick(parts, **more)
    assert bytes_of(net) == bytes_of(whole) == bytes_of(kb.nets.NetFile.load(parts / "net.npz"))
    assert net.card.results == whole.card.results
    logs = [without_time((folder / "log.jsonl").read_text()) for folder in (tmp_path / "whole", parts)]
    assert logs[0] == logs[1]


@pytest.mark.parametrize("name", ["tic_tac_toe", "leduc"])
def test_games_of_a_teacher_that_was_killed_are_not_lost(name: str, tmp_path: Path) -> None:
    """Killed after 17 games, ended by an error after 25: it goes on each time, and the net is the same."""
    whole = quick(tmp_path / "whole", name)
    game, folder, killed = kb.game(name), tmp_path / "run", tmp_path / "killed"

    def copied(step: int, last: int, row: dict[str, Any]) -> None:
        assert last == 30
        assert row == {"phase": "the teacher plays"}
        if step == 17:
            shutil.copytree(folder, killed)
            stop.request()

    options, stop = SupervisedOptions(**QUICK), kb.search.StopToken()
    supervised(game, options, Run(game, "supervised", options, folder, checkpoint_seconds=0, stop=stop, report=copied))
    assert len(list(load(killed / "games.jsonl"))) == 17
    seen: list[int] = []

    def failing(step: int, *_: Any) -> None:
        seen.append(step)
        if step == 25:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        quick(killed, name, report=failing)
    assert seen == list(range(17, 26))
    assert len(list(load(killed / "games.jsonl"))) == 25
    net = quick(killed, name)
    assert bytes_of(net) == bytes_of(whole)
    assert net.card.results == whole.card.results
    assert (killed / "games.jsonl").read_bytes() == (tmp_path / "whole" / "games.jsonl").read_bytes()


def test_the_time_of_a_teacher_that_was_stopped_counts(tmp_path: Path) -> None:
    """29 games, and after the last one it takes longer, not less."""
    seconds = []
    for last in (29, 30):
        stop = kb.search.StopToken()
        ask = {last: stop.request}
        quick(
            tmp_path, teacher="uct(iterations=2000)", stop=stop, report=lambda step, *_, ask=ask: ask.get(step, int)()
        )
        with np.load(tmp_path / "checkpoint.npz") as kept:
            seconds.append(kept["seconds"][0])
    assert 0 < seconds[0] < seconds[1]


def test_a_run_that_stopped_early_is_over(tmp_path: Path) -> None:
    more: dict[str, Any] = {"steps": 60, "patience": 2, "rate": 0.02}
    net = quick(tmp_path / "run", **more)
    assert net.card.steps < 60
    again = quick(tmp_path / "run", **more)
    assert (again.card.steps, again.card.results) == (net.card.steps, net.card.results)


def test_a_run_does_not_go_on_with_other_games(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    save(path, games_of("tic_tac_toe", 30))
    quick(tmp_path / "run", records=str(path), steps=2)
    before = (tmp_path / "run" / "checkpoint.npz").read_bytes()
    save(path, games_of("tic_tac_toe", 31)[30:])
    with pytest.raises(kb.Error, match=r"mine\.jsonl: expected the games with which the training in .* began"):
        quick(tmp_path / "run", records=str(path), steps=2)
    assert (tmp_path / "run" / "checkpoint.npz").read_bytes() == before


# --- Bad input --------------------------------------------------------------------------------------------------------


def text_of(name: str, count: int = 5, **rules: Any) -> str:
    return "".join(json.dumps(game.to_json()) + "\n" for game in games_of(name, count, **rules))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "mine.jsonl: expected recorded games, got an empty file"),
        ("\n\n", "mine.jsonl: expected recorded games, got an empty file"),
        ("hello", "mine.jsonl: line 1: expected a complete JSON object"),
        (text_of("tic_tac_toe") + "{}", "mine.jsonl: line 6: expected the field 'schema'"),
        (text_of("tic_tac_toe")[:-30], "mine.jsonl: line 5: expected a complete JSON object"),
        (text_of("nim"), "mine.jsonl: line 1: expected a game of tic_tac_toe with {}, got one of nim with"),
        (text_of("tic_tac_toe").replace('"returns": [1.0, -1.0]', '"returns": [-1.0, 1.0]'), "returns: expected"),
        (text_of("tic_tac_toe").replace("[4,", "[3,"), "expected the name"),
        (text_of("tic_tac_toe", 2), "expected at least 3 different games"),
        (text_of("tic_tac_toe", 1) * 5, "expected at least 3 different games"),
    ],
)
def test_records_that_cannot_be_used_are_refused_and_leave_nothing(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(text)
    with pytest.raises(kb.Error) as caught:
        quick(tmp_path / "run", records=str(path))
    assert words in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_games_by_other_rules_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(text_of("leduc") + text_of("leduc", raises=3))
    with pytest.raises(
        kb.UnsuitableGame, match=r"line 6: expected a game of leduc with .*'raises': 2.*, got .*'raises': 3"
    ):
        quick(tmp_path / "run", "leduc", records=str(path))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"records": "nowhere.jsonl"}, "nowhere.jsonl: there is no such file"),
        ({"records": "."}, "a folder"),
        ({"teacher": "nobody"}, "there is no agent 'nobody'"),
        ({"teacher": "nim_perfect"}, "nim_perfect"),
        ({"validation": 0.6, "test": 0.5}, "validation and test: expected at most 0.95 together"),
        ({"learns": "much"}, "learns: expected one of policy, value, both"),
        ({"games": 2}, "games: expected"),
    ],
)
def test_options_that_cannot_work_are_refused_and_leave_nothing(
    tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(kb.Error) as caught:
        quick(tmp_path / "run", **options)
    assert words in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_a_net_that_diverges_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(kb.Error, match=r"not finite any more in step 1: .* try a smaller learning rate"):
        quick(tmp_path / "run", rate=1e6, dense=True, blocks=8)
    assert not (tmp_path / "run" / "net.npz").exists()


def test_damaged_games_of_the_teacher_are_refused_by_name(tmp_path: Path) -> None:
    quick(tmp_path / "run")
    (tmp_path / "run" / "games.jsonl").write_text("{")
    with pytest.raises(kb.Error, match=r"games\.jsonl: line 1"):
        quick(tmp_path / "run")
