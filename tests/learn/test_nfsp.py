"""Neural fictitious self-play: its losses, its schedule, and that it learns."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kiebitz as kb
from kiebitz import learn
from kiebitz.env import VectorEnv
from kiebitz.learn.measure import Sheet
from kiebitz.learn.nfsp import NfspOptions, average_policy_slopes, best_response_slopes, epsilon
from kiebitz.learn.seats import Seats

Batch = dict[str, Any]


def some_batch(rows: int = 6, over: bool = False) -> Batch:
    rng = np.random.default_rng(1)
    return {
        "view": rng.normal(size=(2, rows, 5)).astype(np.float32),
        "action": rng.integers(0, 3, (2, rows)),
        "legal": np.ones((2, rows, 3), bool),
        "reward": rng.normal(size=(2, rows)).astype(np.float32),
        "next": rng.normal(size=(2, rows, 5)).astype(np.float32),
        "over": np.full((2, rows), float(over), np.float32),
    }


def nets(sizes: tuple[int, ...] = (5, 8, 3), count: int = 2) -> list[Seats]:
    rng = np.random.default_rng(1)
    return [Seats(sizes, 2, rng) for _ in range(count)]


def error_of(batch: Batch, values: Any, target: Seats) -> Any:
    """Of the taken action against its goal."""
    after = np.where(batch["legal"], target.outputs(batch["next"]), -np.inf).max(axis=2)
    goal = batch["reward"] + np.where(batch["over"] > 0, 0, after)
    return np.take_along_axis(values, batch["action"][:, :, None], axis=2)[:, :, 0] - goal


@pytest.mark.requirement("NF-15", "NF-16")
def test_slopes_are_the_derivatives_of_the_losses() -> None:
    """Against finite differences of the outputs, to 1e-4; those by the weights are tested in the core."""
    best, target = nets()
    batch = some_batch()
    batch["legal"][:, ::2, 2] = False
    batch["action"][:, ::2] %= 2
    outputs = best.outputs(batch["view"]).astype(float)

    def squared(values: Any) -> float:
        return float((error_of(batch, values, target) ** 2).mean(axis=1).sum())

    batch["goal"] = np.eye(3, dtype=np.float32)[batch["action"]]
    soft = batch | {"goal": np.full((2, 6, 3), 1 / 3, np.float32), "legal": np.ones((2, 6, 3), bool)}

    def surprise(logits: Any, batch: Batch = batch) -> float:
        weights = np.where(batch["legal"], np.exp(logits), 0)
        logs = np.log(np.maximum(weights / weights.sum(axis=2, keepdims=True), 1e-300))
        return float(-(batch["goal"] * logs).sum(axis=2).mean(axis=1).sum())

    def surprise_of_shares(values: Any) -> float:
        shares = np.clip(values / values.sum(axis=2, keepdims=True), 1e-7, 1 - 1e-7)
        return float(-(batch["goal"] * np.log(shares)).sum(axis=2).mean(axis=1).sum())

    for loss, slopes in (
        (squared, best_response_slopes(best, target, batch, None, pull=False)),
        (surprise, average_policy_slopes(best, batch, None)),
        (partial(surprise, batch=soft), average_policy_slopes(best, soft, None)),
        (surprise_of_shares, average_policy_slopes(best, batch, None, linear=True)),
    ):
        for place in np.ndindex(outputs.shape):
            around = []
            for sign in (1, -1):
                moved = outputs.copy()
                moved[place] += sign * 1e-5
                around.append(loss(moved))
            assert slopes[place] == pytest.approx((around[0] - around[1]) / 2e-5, rel=1e-4, abs=2e-6)


@pytest.mark.requirement("NF-16")
def test_the_best_response_learns_the_taken_action_alone() -> None:
    best, target = nets()
    batch = some_batch(over=True)
    batch["action"][:] = 1
    slopes = best_response_slopes(best, target, batch, None, pull=False)
    assert np.all(slopes[:, :, [0, 2]] == 0)
    values = best.outputs(batch["view"])[:, :, 1]
    np.testing.assert_allclose(slopes[:, :, 1], 2 * (values - batch["reward"]) / 6, rtol=1e-5)


def test_all_actions_can_be_pulled_towards_the_target_net() -> None:
    """As in the thesis: the taken one towards its goal, the others towards what the target net says."""
    best, target = nets()
    batch = some_batch()
    plain, pulled = (best_response_slopes(best, target, batch, None, pull=pull) for pull in (False, True))
    taken = batch["action"][:, :, None]
    own = [np.take_along_axis(each, taken, axis=2) for each in (plain, pulled)]
    np.testing.assert_allclose(own[0], own[1], rtol=1e-5)
    apart = 2 * (best.outputs(batch["view"]) - target.outputs(batch["view"])) / 6
    others = np.ones(pulled.shape, bool)
    np.put_along_axis(others, taken, False, axis=2)
    np.testing.assert_allclose(pulled[others], apart[others], rtol=1e-4, atol=1e-6)


@pytest.mark.requirement("NF-15")
def test_the_nets_have_the_published_size() -> None:
    one = Seats([30, 64, 3], 1, np.random.default_rng(1))
    assert sum(weights.size for weights in one.parameters()) == 2179


@pytest.mark.requirement("NF-18")
def test_exploration_fades_as_chosen() -> None:
    for decay, expected in {"root": (0.06, 0.0006, 0.00006), "release": (0.059406, 0.03, 0.005455)}.items():
        options = NfspOptions(decay=decay)
        assert [epsilon(options, step, 0) for step in (1, 10_000, 1_000_000)] == pytest.approx(expected, abs=1e-6)
    assert epsilon(NfspOptions(decay="factorial"), 1, updates=4) == pytest.approx(0.0025)


def quick(folder: Path, game: str = "leduc", rules: str | None = None, **more: Any) -> kb.nets.NetFile:
    options = {"steps": 40, "measure_every": 10, "start": 20, "batch": 16, "games": 32, "hidden": 8, **more}
    return learn.train(kb.game(game, preset=rules), "nfsp", folder, **options)


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


@pytest.mark.requirement("NF-10")
def test_transitions_go_from_one_own_decision_to_the_next(tmp_path: Path) -> None:
    """Nets that do not change and always play their best action: the memories hold what the same hands give when they
    are played with views and states."""
    steps = 300
    still: dict[str, Any] = {"eta": 0.0, "argmax": True, "rl_rate": 0.0, "sl_rate": 0.0, "games": 1}
    net = quick(tmp_path / "run", steps=steps, measure_every=steps, **still)
    played: list[list[Any]] = [[], []]
    env, actions = VectorEnv("leduc", games=1, seed=NfspOptions().seed), 0
    while actions < steps:
        state = env.game.new(seed=int(env.seed[0]))
        last: list[Any] = [None, None]
        while state.player != kb.TERMINAL and actions < steps:
            seat, view = state.player, state.view(state.player)
            if last[seat] is not None:
                played[seat].append((*last[seat], 0.0, view.tensor(), 0.0))
            chances = net.probabilities(view)
            action = max(chances, key=lambda each: chances[each])
            last[seat] = (view.tensor(), action)
            state.apply(action)
            env.step([action])
            actions += 1
        if state.player == kb.TERMINAL:
            for seat in range(2):
                if last[seat] is not None:
                    played[seat].append((*last[seat], state.returns()[seat], [0.0] * 30, 1.0))
    with np.load(tmp_path / "run" / "checkpoint.npz") as kept:
        for seat, expected in enumerate(played):
            assert len(kept[f"played{seat}/action"]) == len(expected) > 20
            for name, column in zip(
                ("view", "action", "reward", "next", "over"), zip(*expected, strict=True), strict=True
            ):
                np.testing.assert_array_equal(kept[f"played{seat}/{name}"], np.array(column), err_msg=name)


@pytest.mark.requirement("NF-10")
@pytest.mark.parametrize("rules", ["standard", "thesis"])
def test_rewards_add_up_to_the_payoff_whenever_they_come(rules: str, tmp_path: Path) -> None:
    """The same hands with both: each seat gets its payoff in sum, and what it pays it pays at once."""
    still: dict[str, Any] = {"eta": 0.0, "rl_rate": 0.0, "sl_rate": 0.0, "games": 1, "steps": 400, "measure_every": 400}
    got = []
    for rewards in ("end", "paid"):
        quick(tmp_path / rewards, rules=rules, rewards=rewards, **still)
        with np.load(tmp_path / rewards / "checkpoint.npz") as kept:
            got.append([(kept[f"played{seat}/reward"], kept[f"played{seat}/over"] > 0) for seat in range(2)])
    for (late, ends), (soon, same_ends) in zip(*got, strict=True):
        assert np.array_equal(ends, same_ends)
        hands = np.cumsum(ends) - ends
        whole = hands < ends.sum()
        sums = [np.bincount(hands[whole], payments[whole]) for payments in (late, soon)]
        np.testing.assert_allclose(sums[0], sums[1], atol=1e-5)
        assert (soon[~ends] <= 0).all()
        assert (soon[~ends] < 0).any()
        assert not late[~ends].any()


@pytest.mark.requirement("NF-17")
def test_the_target_net_follows_after_so_many_updates(tmp_path: Path) -> None:
    """Two updates an iteration, a new target every 7th update."""
    for steps in (40, 41, 42, 43, 44, 45, 46):
        quick(tmp_path / str(steps), steps=steps, target_every=7, rl_rate=0.05)
        with np.load(tmp_path / str(steps) / "checkpoint.npz") as kept:
            same = all(np.array_equal(kept[f"best/{n}"], kept[f"target/{n}"]) for n in range(4))
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
        ({"game": "kuhn", "rewards": "paid"}, "rewards: expected end, because kuhn does not tell what is paid before"),
    ],
)
def test_options_that_cannot_work_are_refused_and_leave_nothing(
    tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(kb.Error) as caught:
        quick(tmp_path / "run", **options)
    assert words in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_nets_of_seats_play_as_they_learned() -> None:
    """The net of the core that plays says what the learning one said, to 1e-4."""
    game = kb.game("leduc")
    both = Seats([30, 64, 32, 3], 2, np.random.default_rng(3))
    sheet = Sheet(game)
    seats = [{"policy": both.layers(seat, 6)} for seat in range(2)]
    net = kb.nets.NetFile(game, kb.nets.Card(game.to_json(), kb.nets.encoding_of(game)), seats)
    for seat, tensors in enumerate(sheet.tensors):
        expected = both.outputs(np.broadcast_to(tensors, (2, *tensors.shape)))[seat]
        movers = np.full(len(tensors), seat, np.int32)
        logits, _ = net.net.judge(game, tensors, np.ones((len(tensors), 6), np.uint8), movers)
        np.testing.assert_allclose(logits[:, :3], expected, atol=1e-4)
        assert (logits[:, 3:] < -1000).all()
