"""Networks in PyTorch: plain ones, and one for each seat side by side, which train as quickly as one.

Weights begin uniformly within 1/sqrt(inputs), as PyTorch does by itself. What was trained leaves PyTorch as layers that
the core computes (`kiebitz.nets.NetFile`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

NEVER = -10_000.0
"""The logit of an action that no decision has."""


class Seats(nn.Module):
    """A network of dense layers for each seat: rows of seat s go through the weights of seat s.

    >>> _ = torch.manual_seed(1)
    >>> nets = Seats([30, 64, 3], seats=2)
    >>> sum(weights.numel() for weights in nets.parameters()) // 2
    2179
    >>> nets(torch.zeros(2, 5, 30)).shape
    torch.Size([2, 5, 3])
    """

    def __init__(self, sizes: Sequence[int], seats: int, relu_output: bool = False) -> None:
        super().__init__()
        self.sizes = tuple(sizes)
        self.relu_output = relu_output
        pairs = list(pairwise(sizes))
        self.weights = nn.ParameterList([_uniform((seats, i, o), i) for i, o in pairs])
        self.biases = nn.ParameterList([_uniform((seats, 1, o), i) for i, o in pairs])

    def forward(self, x: Tensor) -> Tensor:
        """Inputs (seats x rows x numbers) to outputs."""
        last = len(self.weights) - 1
        for number, (weights, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            x = torch.baddbmm(bias, x, weights)
            if number < last or self.relu_output:
                x = torch.relu(x)
        return x

    def layers(self, seat: int) -> list[dict[str, Any]]:
        """The network of one seat, for the core."""
        last = len(self.weights) - 1
        return [
            {
                "kind": "dense",
                "weights": weights[seat].detach().numpy().T.copy(),
                "bias": bias[seat, 0].detach().numpy().copy(),
                "relu": number < last or self.relu_output,
            }
            for number, (weights, bias) in enumerate(zip(self.weights, self.biases, strict=True))
        ]


def padded(layers: list[dict[str, Any]], outputs: int) -> list[dict[str, Any]]:
    """The same layers with more outputs, which are never preferred."""
    *inner, last = layers
    more = outputs - len(last["bias"])
    weights = np.pad(last["weights"], ((0, more), (0, 0)))
    bias = np.pad(last["bias"], (0, more), constant_values=NEVER)
    return [*inner, {**last, "weights": weights, "bias": bias}]


def _uniform(shape: tuple[int, ...], inputs: int) -> nn.Parameter:
    bound = inputs**-0.5
    return nn.Parameter(torch.empty(shape).uniform_(-bound, bound))
