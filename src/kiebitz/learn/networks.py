"""Networks in PyTorch that leave it as layers which the core computes (`kiebitz.nets.NetFile`)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

Layers = list[dict[str, Any]]
Board = tuple[int, int, int]


class PolicyValueNet(nn.Module):
    """A common trunk with a policy and a value on top: residual blocks of convolutions over a board (He et al. 2016),
    dense layers where there is none, the first of them with weights for each count where the numbers are counts. Batch
    norm disappears into the weights on the way to the core.

    >>> _ = torch.manual_seed(1)
    >>> net = PolicyValueNet(126, actions=7, values=1, board=(3, 6, 7), channels=16, blocks=2, hidden=32)
    >>> logits, value = net(torch.zeros(5, 126))
    >>> logits.shape, value.shape
    (torch.Size([5, 7]), torch.Size([5, 1]))
    >>> [layer["kind"] for layer in net.layers()["trunk"]]
    ['conv', 'residual', 'residual']
    """

    def __init__(
        self,
        numbers: int,
        *,
        actions: int,
        values: int,
        board: Board,
        channels: int,
        blocks: int,
        hidden: int,
        counts: tuple[float, int] = (0.0, 0),
    ) -> None:
        super().__init__()
        self.board = board
        planes, rows, columns = board
        parts: list[Convolution | Residual | Dense | Counts]
        if planes:
            parts = [Convolution(planes, channels), *(Residual(channels) for _ in range(blocks))]
            width = channels * rows * columns
        else:
            parts = [Dense(i, o) for i, o in pairwise([numbers] + [hidden] * blocks)]
            if counts[1]:
                parts[0] = Counts(numbers, hidden, *counts)
            width = hidden
        self.parts = parts
        self.trunk = nn.Sequential(*parts)
        self.policy = nn.Linear(width, actions)
        self.value_hidden = nn.Linear(width, hidden)
        self.value = nn.Linear(hidden, values)
        for head in (self.policy, self.value):  # the first opinion is none
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Rows of tensors to a logit for each action, and values before their tanh."""
        if self.board[0]:
            x = x.view(-1, *self.board)
        x = self.trunk(x).flatten(1)
        return self.policy(x), self.value(torch.relu(self.value_hidden(x)))

    def layers(self) -> dict[str, Layers]:
        """The same for the core."""
        return {
            "trunk": [part.layer() for part in self.parts],
            "policy": [dense(self.policy)],
            "value": [dense(self.value_hidden, relu=True), dense(self.value)],
        }


class Convolution(nn.Module):
    """3 x 3 cells, batch norm, relu."""

    def __init__(self, inputs: int, channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        """Planes to channels."""
        return torch.relu(self.norm(self.conv(x)))

    def layer(self) -> dict[str, Any]:
        """For the core."""
        weights, bias = folded(self.conv, self.norm)
        return {"kind": "conv", "weights": weights, "bias": bias, "relu": True}


class Residual(nn.Module):
    """Two convolutions around which the input is added."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        """Channels to channels."""
        inside = torch.relu(self.norm1(self.conv1(x)))
        return torch.relu(x + self.norm2(self.conv2(inside)))

    def layer(self) -> dict[str, Any]:
        """For the core."""
        weights, bias = folded(self.conv1, self.norm1)
        weights2, bias2 = folded(self.conv2, self.norm2)
        return {
            "kind": "residual",
            "weights": weights,
            "bias": bias,
            "weights2": weights2,
            "bias2": bias2,
            "relu": True,
        }


class Dense(nn.Module):
    """All inputs to all outputs, relu."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)

    def forward(self, x: Tensor) -> Tensor:
        """Numbers to numbers."""
        return torch.relu(self.linear(x))

    def layer(self) -> dict[str, Any]:
        """For the core."""
        return dense(self.linear, relu=True)


class Counts(nn.Module):
    """Numbers that are counts, each with weights of its own for every count, to all outputs, relu."""

    def __init__(self, inputs: int, outputs: int, scale: float, kinds: int) -> None:
        super().__init__()
        self.scale = scale
        self.kinds = kinds
        self.weights = nn.Parameter(torch.randn(inputs * kinds, outputs) * inputs**-0.5)
        self.bias = nn.Parameter(torch.zeros(outputs))
        self.register_buffer("firsts", torch.arange(inputs) * kinds, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Numbers to numbers."""
        counts = (x * self.scale + 0.5).clamp(0, self.kinds - 1).nan_to_num(0)
        places = counts.long() + self.get_buffer("firsts")
        return torch.relu(nn.functional.embedding_bag(places, self.weights, mode="sum") + self.bias)

    def layer(self) -> dict[str, Any]:
        """For the core."""
        weights, bias = (part.detach().numpy().copy() for part in (self.weights.T, self.bias))
        return {"kind": "counts", "weights": weights, "bias": bias, "scale": self.scale, "relu": True}


def dense(linear: nn.Linear, relu: bool = False) -> dict[str, Any]:
    """A dense layer for the core."""
    weights, bias = (part.detach().numpy().copy() for part in (linear.weight, linear.bias))
    return {"kind": "dense", "weights": weights, "bias": bias, "relu": relu}


def folded(conv: nn.Conv2d, norm: nn.BatchNorm2d) -> tuple[Any, Any]:
    """Weights and bias of a convolution that does what it and the batch norm behind it do when not training."""
    assert norm.running_mean is not None
    assert norm.running_var is not None
    scale = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
    weights = conv.weight.detach() * scale[:, None, None, None]
    bias = norm.bias.detach() - norm.running_mean * scale
    return np.asarray(weights.numpy()), np.asarray(bias.numpy())
