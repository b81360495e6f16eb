"""AlphaZero: it learns, runs are functions of their options, and what PyTorch learned is what the core plays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import kiebitz as kb
from kiebitz import learn
from kiebitz._core import self_play
from kiebitz.games import declaration_of
from kiebitz.learn import alphazero as method
from kiebitz.learn.measure import duel
from kiebitz.learn.networks import PolicyValueNet
from kiebitz.learn.symmetries import Symmetries
from tests.learn.test_nfsp import killed_after, without_time

QUICK: dict[str, Any] = {
    "steps": 4, "games": 8, "simulations": 6, "channels": 4, "blocks": 1, "hidden": 8, "batch": 16, "passes": 1.0,
    "measured_games": 4, "measure_every": 2, "opponent": "random",
}  # fmt: skip


def quick(folder: Path, game: str = "tic_tac_toe", **more: Any) -> kb.nets.NetFile:
    return learn.train(kb.game(game), "alphazero", folder, **{**QUICK, **more})


def bytes_of(net: kb.nets.NetFile) -> list[bytes]:
    return [
        layer[name].tobytes()
        for parts in net.seats
        for part in ("trunk", "policy", "value")
        for layer in parts[part]
        for name in sorted(kb.nets.ARRAYS & layer.keys())
    ]


class TakeState(kb.PythonState):
    """Three players in turn take one or two of seven; who takes the last one wins."""

    def __init__(self) -> None:
        self.left = 7
        self.mover = 0

    def player(self) -> int:
        return self.mover if self.left else kb.TERMINAL

    def legal(self) -> list[int]:
        return list(range(min(self.left, 2)))

    def apply(self, action: int) -> None:
        self.left -= action + 1
        self.mover = (self.mover + 1) % 3

    def returns(self) -> list[float]:
        return [float(seat == (self.mover - 1) % 3) for seat in range(3)]


class Take(kb.PythonGame):
    """Its tensor is how many are left, one number each."""

    name = "take_seven"
    state = TakeState
    players = 3
    actions = 2
    max_legal = 2
    max_length = 7
    min_payoff = 0
    utility = "constant_sum"
    payoff_sum = 1
    tensor_size = 8

    def tensor(self, view: dict[str, Any], observer: int) -> list[float]:
        del observer
        return [float(view["left"] == count) for count in range(8)]


kb.register(Take)


def test_it_learns(tmp_path: Path) -> None:
    """The net alone, without search: far better than at the start, and hardly ever beaten by anybody."""
    game = kb.game("tic_tac_toe")
    net = learn.train(game, "alphazero", tmp_path / "run", "toy")
    start = kb.nets.NetFile(game, net.card, [{}])
    trained, untrained = (duel(each, "uct(iterations=100)", 200, 1, opening_plies=2) for each in (net, start))
    assert trained.low is not None
    assert untrained.high is not None
    assert trained.low > untrained.high + 0.1
    assert net.card.results["score_random"] > 0.9
    assert net.card.chooses == "best"


@pytest.mark.parametrize("seed", [5])
def test_a_run_is_a_function_of_its_options(seed: int, tmp_path: Path) -> None:
    one = quick(tmp_path / "one", seed=seed)
    same = quick(tmp_path / "same", seed=seed, threads=2, slots=3)
    other = quick(tmp_path / "other", seed=seed + 1)
    assert bytes_of(one) == bytes_of(same) != bytes_of(other)


def test_a_run_that_was_killed_ends_like_one_that_was_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after a step with a later checkpoint, then asked to stop in the middle of the games of a step."""
    more: dict[str, Any] = {"steps": 22, "games": 3, "measured_games": 2, "measure_every": 5}
    whole = quick(tmp_path / "whole", **more)
    parts = tmp_path / "parts"
    with pytest.raises(KeyboardInterrupt):
        quick(parts, report=killed_after(19, parts), **more)
    stop = kb.search.StopToken()

    def stopped(*given: Any, **options: Any) -> dict[str, Any] | None:
        stop.request()
        played: dict[str, Any] | None = self_play(*given, **options)
        return played

    with monkeypatch.context() as patched:
        patched.setattr(method, "self_play", stopped)
        assert quick(parts, stop=stop, **more).card.steps == 18
    net = quick(parts, **more)
    assert bytes_of(net) == bytes_of(whole) == bytes_of(kb.nets.NetFile.load(parts / "net.npz"))
    logs = [without_time((folder / "log.jsonl").read_text()) for folder in (tmp_path / "whole", parts)]
    assert logs[0] == logs[1]


def test_a_game_in_python_for_three_learns_a_value_for_each(tmp_path: Path) -> None:
    """With one or two left the mover wins: everybody's value says so."""
    net = quick(tmp_path / "run", "take_seven", steps=25, games=20, hidden=32, rate=0.01, passes=4.0, measure_every=25)
    for left in (1, 2):
        values = net.values(kb.game("take_seven").load({"left": left, "mover": 1}).view(1))
        assert values[1] > 0.8
        assert max(values[0], values[2]) < 0.2


@pytest.mark.parametrize("board", [(3, 6, 7), (0, 0, 0)])
def test_the_core_computes_what_was_learned(board: tuple[int, int, int]) -> None:
    game = kb.game("connect_four")
    net = PolicyValueNet(126, actions=7, values=1, board=board, channels=20, blocks=2, hidden=24)
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for weights in net.state_dict().values():
            if weights.is_floating_point():
                weights.add_(0.3 * torch.rand(weights.shape, generator=generator))
        x = (torch.rand(50, 126, generator=generator) < 0.3).float()
        net.eval()
        logits, raw = net(x)
    legal, movers = np.ones((50, 7), np.uint8), np.arange(50, dtype=np.int32) % 2
    own_logits, own_values = method.core_net(game, net).judge(game, x.numpy(), legal, movers)
    np.testing.assert_allclose(own_logits, logits.numpy(), rtol=1e-4, atol=1e-4)
    expected = np.tanh(raw.numpy()[:, 0])
    np.testing.assert_allclose(own_values[np.arange(50), movers], expected, atol=1e-4)


def test_symmetries_turn_all_parts_of_a_row_together() -> None:
    """Turned rows are rows of the turned position: a move in it is where its cell went."""
    game = kb.game("tic_tac_toe")
    rng = np.random.default_rng(1)
    turns = Symmetries(declaration_of(game).encoding.symmetries(game), 27, 9)
    tensors = np.zeros((200, 27), np.float32)
    marks = rng.integers(0, 3, (200, 9))
    for plane in range(3):
        tensors[:, 9 * plane : 9 * plane + 9] = marks == plane
    policy = rng.random((200, 9)).astype(np.float32) * (marks == 0)
    value = rng.random((200, 1)).astype(np.float32)
    turned = turns.turned({"tensor": tensors, "legal": marks == 0, "policy": policy, "value": value}, rng)
    np.testing.assert_array_equal(turned["legal"], turned["tensor"][:, :9] == 1)
    np.testing.assert_array_equal(turned["policy"] > 0, turned["legal"])
    np.testing.assert_array_equal(np.sort(turned["policy"]), np.sort(policy))
    np.testing.assert_array_equal(turned["value"], value)
    assert (turned["tensor"] != tensors).any()


def test_a_net_that_diverges_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(kb.Error, match=r"not finite any more in step 1: .* try a smaller learning rate"):
        quick(tmp_path / "run", rate=1e6, passes=20.0)
    assert not (tmp_path / "run" / "net.npz").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"full_share": 0.5, "fast_simulations": 7}, "fast_simulations: expected at most simulations"),
        ({"opponent": "nobody"}, "there is no agent 'nobody'"),
        ({"root": "magic"}, "root: expected one of gumbel, puct"),
        ({"batch": 1}, "batch: expected"),
    ],
)
def test_options_that_cannot_work_are_refused_and_leave_nothing(
    tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(kb.Error) as caught:
        quick(tmp_path / "run", **options)
    assert words in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_hidden_cards_are_not_for_it() -> None:
    with pytest.raises(kb.Error, match="alphazero needs perfect information"):
        learn.find("alphazero", kb.game("kuhn"))
    with pytest.raises(kb.Error, match="self_play: expected a game without hidden information, got kuhn"):
        self_play(kb.game("kuhn"), nothing, 1)


def nothing(tensors: Any, legal: Any, movers: Any) -> tuple[Any, Any]:
    return np.zeros(legal.shape), np.zeros((len(movers), 2))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"games": 0}, "games: expected 1 to"),
        ({"seed": -1}, "incompatible"),
        ({"simulations": 0}, "simulations: expected 1 to"),
        ({"tree": 3}, "self_play has no option 'tree'"),
        ({"evaluator": 3}, "expected an Evaluator or a function"),
    ],
)
def test_self_play_refuses_what_it_cannot_do(given: dict[str, Any], words: str) -> None:
    asked: dict[str, Any] = {"evaluator": nothing, "games": 1, **given}
    with pytest.raises((kb.Error, TypeError), match=words):
        self_play(kb.game("tic_tac_toe"), **asked)


def test_errors_of_an_evaluator_come_through() -> None:
    def faulty(*_: Any) -> Sequence[Any]:
        raise RuntimeError("no idea")

    def endless(tensors: Any, legal: Any, movers: Any) -> tuple[Any, Any]:
        return np.full(legal.shape, np.nan), np.zeros((len(movers), 2))

    for threads in (1, 2):
        with pytest.raises(RuntimeError, match="no idea"):
            self_play(kb.game("tic_tac_toe"), faulty, 10, threads=threads, slots=2)
        with pytest.raises(kb.Error, match="expected finite logits"):
            self_play(kb.game("tic_tac_toe"), endless, 10, threads=threads, slots=2)


def test_a_duel_seats_the_net_everywhere(tmp_path: Path) -> None:
    """Against itself both seats of each opening add up to one."""
    game = kb.game("tic_tac_toe")
    policy = {"kind": "dense", "weights": np.zeros((9, 27), np.float32), "bias": np.arange(9, dtype=np.float32)}
    card = kb.nets.Card(game.to_json(), kb.nets.encoding_of(game), "best")
    net = kb.nets.NetFile(game, card, [{"policy": [policy]}])
    net.save(tmp_path / "net.npz")
    score = duel(net, f'net(file="{tmp_path / "net.npz"}")', 20, seed=3, opening_plies=2)
    assert score.value == score.low == score.high == 0.5
