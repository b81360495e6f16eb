"""Networks in PyTorch, and the same in the core: each kind of layer gives the same numbers to 1e-4."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch

import kiebitz as kb
from kiebitz.learn.networks import Counts, PolicyValueNet
from kiebitz.nets import Card, NetFile, encoding_of

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "dense": ("leduc", {"blocks": 3}),
    "convolution": ("connect_four", {"blocks": 0, "board": (3, 6, 7)}),
    "residual": ("connect_four", {"blocks": 2, "board": (3, 6, 7)}),
    "counts": ("oware", {"blocks": 2, "counts": (48.0, 13)}),
}


def random_net(kind: str) -> tuple[kb.Game, PolicyValueNet]:
    """A net after a few updates: no weight and no statistic of a batch norm is what it was at the start."""
    name, options = KINDS[kind]
    game = kb.game(name)
    torch.manual_seed(1)
    rest: dict[str, Any] = {"board": (0, 0, 0), "channels": 20, "hidden": 24, **options}
    net = PolicyValueNet(game.info.tensor_size, actions=game.info.actions, values=1, **rest)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.03)
    for _ in range(5):
        logits, value = net(torch.randn(32, game.info.tensor_size))
        optimizer.zero_grad()
        (logits.sin().sum() + value.cos().sum()).backward()
        optimizer.step()
    net.zero_grad()
    return game, net.eval()


@pytest.mark.requirement("DL-34")
@pytest.mark.parametrize("kind", KINDS)
def test_the_core_computes_what_pytorch_does(kind: str, tmp_path: Any) -> None:
    game, net = random_net(kind)
    x = 2 * torch.rand(50, game.info.tensor_size) - 0.5
    with torch.no_grad():
        logits, raw = net(x)
    NetFile(game, Card(game.to_json(), encoding_of(game)), [net.layers()], net.board).save(tmp_path / "net.npz")
    file = NetFile.load(tmp_path / "net.npz")
    legal, movers = np.ones((50, game.info.actions), np.uint8), np.arange(50, dtype=np.int32) % 2
    own_logits, own_values = file.net.judge(game, x.numpy(), legal, movers)
    np.testing.assert_allclose(own_logits, logits.numpy(), rtol=1e-4, atol=1e-4)
    middle, half = (game.info.max_payoff + game.info.min_payoff) / 2, (game.info.max_payoff - game.info.min_payoff) / 2
    expected = middle + half * np.tanh(raw.numpy()[:, 0])
    np.testing.assert_allclose(own_values[np.arange(50), movers], expected, atol=1e-4 * half)
    assert np.ptp(own_logits) > 0.5  # and it is no net of zeros


def test_counts_are_a_dense_layer_over_a_one_for_each_count() -> None:
    torch.manual_seed(1)
    counts = Counts(6, 9, scale=12.0, kinds=5)
    x = torch.randint(0, 5, (40, 6))
    ones = torch.nn.functional.one_hot(x, 5).float().flatten(1)
    expected = torch.relu(ones @ counts.weights + counts.bias)
    torch.testing.assert_close(counts(x / 12), expected)
    assert counts.layer()["weights"].shape == (9, 30)


def test_numbers_that_are_no_counts_are_taken_for_the_nearest_one_in_pytorch_and_in_the_core() -> None:
    game, net = random_net("counts")
    size, inf = game.info.tensor_size, float("inf")
    pairs = [(0.6, 1), (2.4, 2), (2.6, 3), (11.4, 11), (13, 12), (1e30, 12), (inf, 12), (-0.4, 0), (-9, 0), (-inf, 0),
             (float("nan"), 0)]  # fmt: skip
    rows = np.full((2, len(pairs), size), 4 / 48, np.float32)
    for row, (number, nearest) in enumerate(pairs):
        rows[0, row, 3], rows[1, row, 3] = number / 48, nearest / 48
    legal, movers = np.ones((len(pairs), game.info.actions), np.uint8), np.zeros(len(pairs), np.int32)
    file = NetFile(game, Card(game.to_json(), encoding_of(game)), [net.layers()])
    in_core = [file.net.judge(game, given, legal, movers)[0] for given in rows]
    with torch.no_grad():
        in_pytorch = [net(torch.from_numpy(given))[0].numpy() for given in rows]
    for given, nearest_ones in (in_core, in_pytorch):
        np.testing.assert_array_equal(given, nearest_ones)
    np.testing.assert_allclose(in_core[0], in_pytorch[0], rtol=1e-4, atol=1e-4)


@pytest.mark.requirement("DL-34")
@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_those_of_finite_differences(kind: str) -> None:
    """A loss of policy and value, in 64 bits, differentiated by each weight with a relative error below 1e-4."""
    game, net = random_net(kind)
    net = net.double().train()
    generator = torch.Generator().manual_seed(2)
    x = torch.rand(6, game.info.tensor_size, generator=generator, dtype=torch.float64)
    goal = torch.softmax(torch.rand(6, game.info.actions, generator=generator, dtype=torch.float64), dim=1)

    def loss() -> torch.Tensor:
        logits, value = net(x)
        return -(goal * torch.log_softmax(logits, dim=1)).sum(dim=1).mean() + (torch.tanh(value) - 0.3).square().mean()

    loss().backward()
    rng, step = np.random.default_rng(3), 1e-6
    for weights in net.parameters():
        assert weights.grad is not None
        gradient, flat = weights.grad.flatten(), weights.data.view(-1)
        scale = float(gradient.abs().max())
        for place in rng.choice(len(flat), min(5, len(flat)), replace=False):
            kept, ends = float(flat[place]), []
            for side in (step, -step):
                flat[place] = kept + side
                ends.append(float(loss().detach()))
            flat[place] = kept
            slope = (ends[0] - ends[1]) / (2 * step)
            assert abs(slope - float(gradient[place])) <= 1e-4 * max(scale, 1e-4)


def test_the_kinds_above_have_all_layers_that_the_core_knows() -> None:
    layers = itertools.chain.from_iterable(layer for kind in KINDS for layer in random_net(kind)[1].layers().values())
    assert {layer["kind"] for layer in layers} == {"dense", "conv", "residual", "counts"}
