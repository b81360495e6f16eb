"""Neural fictitious self-play: its losses, its schedule, and that it learns."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import kiebitz as kb
from kiebitz import learn
from kiebitz.learn.measure import Sheet
from kiebitz.learn.networks import Seats, padded
from kiebitz.learn.nfsp import NfspOptions, average_policy_loss, best_response_loss, epsilon

Batch = dict[str, torch.Tensor]


def some_batch(rows: int = 6, over: bool = False) -> Batch:
    rng = np.random.default_rng(1)
    return {
        "view": torch.from_numpy(rng.normal(size=(2, rows, 5)).astype(np.float32)),
        "action": torch.from_numpy(rng.integers(0, 3, (2, rows))),
        "legal": torch.ones(2, rows, 3, dtype=torch.bool),
        "reward": torch.from_numpy(rng.normal(size=(2, rows)).astype(np.float32)),
        "next": torch.from_numpy(rng.normal(size=(2, rows, 5)).astype(np.float32)),
        "over": torch.full((2, rows), float(over)),
    }


def nets(sizes: tuple[int, ...] = (5, 8, 3), count: int = 2) -> list[Seats]:
    torch.manual_seed(1)
    return [Seats(sizes, 2).double() for _ in range(count)]


def double(batch: Batch) -> Batch:
    return {name: value.double() if value.is_floating_point() else value for name, value in batch.items()}


@pytest.mark.requirement("NF-15")
def test_gradients_are_those_of_the_losses() -> None:
    """Against finite differences, to 1e-4."""
    best, average = nets()
    batch = double(some_batch())
    losses = {
        best: lambda: best_response_loss(best, nets()[1], batch, None, pull=False),
        average: lambda: average_policy_loss(average, batch, None),
    }
    for net, loss in losses.items():
        net.zero_grad()
        loss().backward()
        for weights in net.parameters():
            flat, gradient = weights.data.view(-1), weights.grad
            assert gradient is not None
            for place in range(0, len(flat), 7):
                kept, step, around = float(flat[place]), 1e-6, []
                for sign in (1, -1):
                    flat[place] = kept + sign * step
                    around.append(float(loss().detach()))
                flat[place] = kept
                expected = (around[0] - around[1]) / (2 * step)
                assert float(gradient.view(-1)[place]) == pytest.approx(expected, rel=1e-4, abs=1e-7)


@pytest.mark.requirement("NF-16")
def test_the_best_response_learns_the_taken_action_alone() -> None:
    best, target = nets((5, 3))
    batch = double(some_batch(rows=1, over=True))
    batch["action"][:] = 1
    best_response_loss(best, target, batch, None, pull=False).backward()
    gradient = best.biases[0].grad
    assert gradient is not None
    assert torch.all(gradient[:, 0, [0, 2]] == 0)
    value = best(batch["view"])[:, 0, 1]
    torch.testing.assert_close(gradient[:, 0, 1], 2 * (value - batch["reward"][:, 0]).detach())


@pytest.mark.requirement("NF-16")
def test_the_goal_is_the_reward_and_what_the_target_net_promises_of_legal_actions() -> None:
    best, target = nets()
    batch = double(some_batch(rows=2))
    batch["legal"][:, :, 2] = False
    after = target(batch["next"])[:, :, :2].max(dim=2).values
    error = best(batch["view"]).gather(2, batch["action"][:, :, None])[:, :, 0] - (batch["reward"] + after)
    loss = best_response_loss(best, target, batch, None, pull=False)
    torch.testing.assert_close(loss, (error**2).mean(dim=1).sum())


@pytest.mark.requirement("NF-15")
def test_the_nets_have_the_published_size() -> None:
    one = Seats([30, 64, 3], seats=1)
    assert sum(weights.numel() for weights in one.parameters()) == 2179


@pytest.mark.requirement("NF-18")
def test_exploration_fades_as_chosen() -> None:
    for decay, expected in {"root": (0.06, 0.0006, 0.00006), "release": (0.059406, 0.03, 0.005455)}.items():
        options = NfspOptions(decay=decay)
        assert [epsilon(options, step, 0) for step in (1, 10_000, 1_000_000)] == pytest.approx(expected, abs=1e-6)
    assert epsilon(NfspOptions(decay="factorial"), 1, updates=4) == pytest.approx(0.0025)


def quick(folder: Path, game: str = "leduc", **more: Any) -> kb.nets.NetFile:
    options = {"steps": 40, "measure_every": 10, "start": 20, "batch": 16, "games": 32, "hidden": 8, **more}
    return learn.train(kb.game(game), "nfsp", folder, **options)


@pytest.mark.requirement("NF-22")
def test_a_run_is_a_function_of_its_options(tmp_path: Path) -> None:
    one, other, third = (quick(tmp_path / str(n), seed=seed) for n, seed in enumerate((5, 5, 6)))
    assert weights(one) == weights(other) != weights(third)


def weights(net: kb.nets.NetFile) -> list[bytes]:
    return [layer[name].tobytes() for parts in net.seats for layer in parts["policy"] for name in ("weights", "bias")]


@pytest.mark.requirement("NF-22")
def test_a_run_that_was_killed_ends_like_one_that_was_not(tmp_path: Path) -> None:
    """Once before the first checkpoint, once after measurements that are newer than it, once when asked to stop."""
    whole = quick(tmp_path / "whole")
    parts = tmp_path / "parts"
    for last in (13, 27):
        with pytest.raises(KeyboardInterrupt):
            quick(parts, report=killed_after(last, parts))
        assert (parts / "checkpoint.npz").exists() == (last > 13)
    stop = kb.search.StopToken()
    quick(parts, stop=stop, report=lambda step, *_: stop.request() if step == 33 else None)
    net = quick(parts)
    assert weights(net) == weights(whole) == weights(kb.nets.NetFile.load(parts / "net.npz"))
    logs = [without_time((folder / "log.jsonl").read_text()) for folder in (tmp_path / "whole", parts)]
    assert logs[0] == logs[1]


def killed_after(last: int, folder: Path) -> Any:
    """Stops a run without a checkpoint; from step 18 on there is one of that step."""

    def report(step: int, *_: Any) -> None:
        if step == 18 and last > 18:
            raised = sys._getframe(1).f_locals["self"]
            raised.checkpoint()
        if step == last:
            raise KeyboardInterrupt

    return report


def without_time(log: str) -> list[str]:
    return [line.partition(', "cpu_seconds"')[0] for line in log.splitlines()]


@pytest.mark.requirement("NF-19", "NF-21")
def test_hands_modes_and_updates_are_counted_as_the_paper_says(tmp_path: Path) -> None:
    """One action in each of 32 games is a step; then two updates; a tenth of the hands by the best response."""
    quick(tmp_path / "run", steps=400, measure_every=400, games=64, eta=0.1)
    with np.load(tmp_path / "run" / "checkpoint.npz") as kept:
        hands, updates, by_best = kept["counts/array"]
        offered = [int(kept[f"played{seat}/offered"]) for seat in range(2)]
        imitated = [int(kept[f"imitated{seat}/offered"]) for seat in range(2)]
    assert 4.0 < 400 * 64 / hands < 6.5  # actions in a hand
    share = by_best / (2 * hands)
    assert abs(share - 0.1) < 4 * (0.09 / (2 * hands)) ** 0.5
    assert 700 < updates <= 800
    assert sum(offered) < 400 * 64  # a transition for each action whose consequences are known
    assert sum(offered) > 400 * 64 - 64 * 4
    assert 0.05 < sum(imitated) / sum(offered) < 0.2


@pytest.mark.requirement("NF-17")
def test_the_target_net_follows_after_so_many_updates(tmp_path: Path) -> None:
    """Two updates an iteration, a new target every 7th update."""
    for steps in (40, 41, 42, 43, 44, 45, 46):
        quick(tmp_path / str(steps), steps=steps, target_every=7, rl_rate=0.05)
        with np.load(tmp_path / str(steps) / "checkpoint.npz") as kept:
            same = all(np.array_equal(kept[f"best/{n}.0"], kept[f"target/{n}.0"]) for n in ("weights", "biases"))
            assert same == (kept["counts/array"][1] % 7 == 0)


@pytest.mark.requirement("NF-20")
def test_the_average_policy_draws_its_actions(tmp_path: Path) -> None:
    """Nets that do not change, played by the average policy alone: the first actions have its probabilities."""
    still: dict[str, Any] = {
        "eta": 0.0,
        "rl_rate": 0.0,
        "sl_rate": 0.0,
        "steps": 300,
        "games": 64,
        "measure_every": 300,
    }
    net = quick(tmp_path / "draws", **still)
    with np.load(tmp_path / "draws" / "checkpoint.npz") as kept:
        views, actions = kept["played0/view"], kept["played0/action"]
    game = kb.game("leduc")
    for card in ("Js", "Qs", "Ks"):
        view = game.deal([card, "Jh"]).view(0)
        chosen = actions[(views == np.asarray(view.tensor(), np.float32)).all(axis=1)]
        assert len(chosen) > 300
        for action, p in net.probabilities(view).items():
            assert abs(np.mean(chosen == action) - p) < 4 * np.sqrt(p * (1 - p) / len(chosen))
    argmax = quick(tmp_path / "argmax", **still, argmax=True)
    with np.load(tmp_path / "argmax" / "checkpoint.npz") as kept:
        views, actions = kept["played0/view"], kept["played0/action"]
    chances = argmax.probabilities(view)
    chosen = actions[(views == np.asarray(view.tensor(), np.float32)).all(axis=1)]
    assert set(chosen.tolist()) == {max(chances, key=lambda action: chances[action])}


def test_what_is_measured_is_what_plays(tmp_path: Path) -> None:
    for instead in (-1, 1):
        net = quick(tmp_path / str(instead), instead=instead)
        game = kb.game("leduc")
        agent = kb.agent(f'net(file="{tmp_path / str(instead) / "net.npz"}")', game)
        exact = kb.solve.exploitability(game, kb.solve.Policy.from_agent(game, agent))
        assert exact == pytest.approx(net.card.results["exploitability"], abs=1e-4)


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_it_learns(game: str, tmp_path: Path) -> None:
    net = learn.train(kb.game(game), "nfsp", tmp_path / "run", "toy")
    start = kb.solve.exploitability(game, kb.solve.Policy.uniform(game))
    assert net.card.results["exploitability"] < 0.75 * start


def test_a_net_that_diverges_is_stopped_and_the_last_good_one_stays(tmp_path: Path) -> None:
    with pytest.raises(kb.Error, match=r"not finite any more in step .* try a smaller learning rate"):
        quick(tmp_path / "run", steps=2000, rl_rate=1e4, measure_every=1)
    steps = [json.loads(line)["step"] for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert kb.nets.NetFile.load(tmp_path / "run" / "net.npz").card.steps == steps[-1]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"instead": 0}, "instead: expected an action that is legal in every decision, got 0"),
        ({"instead": 9}, "instead: expected an action that is legal in every decision, got 9"),
        ({"rl_memory": 20}, "rl_memory: expected more than start and batch"),
        ({"sl_memory": 16}, "sl_memory: expected more than start and batch"),
    ],
)
def test_options_that_cannot_work_are_refused_and_leave_nothing(
    tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(kb.Error) as caught:
        quick(tmp_path / "run", **options)
    assert words in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_nets_of_seats_leave_pytorch_unchanged() -> None:
    """The core computes what PyTorch does, to 1e-4."""
    game = kb.game("leduc")
    torch.manual_seed(3)
    both = Seats([30, 64, 32, 3], seats=2)
    sheet = Sheet(game)
    seats = [{"policy": padded(both.layers(seat), 6)} for seat in range(2)]
    net = kb.nets.NetFile(game, kb.nets.Card(game.to_json(), kb.nets.encoding_of(game)), seats)
    for seat, tensors in enumerate(sheet.tensors):
        with torch.no_grad():
            expected = both(torch.from_numpy(tensors).expand(2, -1, -1))[seat].numpy()
        movers = np.full(len(tensors), seat, np.int32)
        logits, _ = net.net.judge(game, tensors, np.ones((len(tensors), 6), np.uint8), movers)
        np.testing.assert_allclose(logits[:, :3], expected, atol=1e-4)
        assert (logits[:, 3:] < -1000).all()
