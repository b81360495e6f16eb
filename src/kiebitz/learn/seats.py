"""Small dense networks that learn, one for each seat of a game, side by side in the core.

A method gives the derivative of its loss by each output and the core goes one step down: nets of a hundred neurons
learn ten times as fast as in a framework, whose overhead they would not notice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import SeatNets
from kiebitz.errors import ParameterError

NEVER = -10_000.0
"""The logit of an action that no decision has."""

Array = NDArray[np.float32]


class Seats:
    """A network for each seat: rows of seat s go through the weights of seat s. Weights begin uniformly within
    1/sqrt(inputs).

    >>> nets = Seats([30, 64, 3], seats=2, rng=np.random.default_rng(1))
    >>> sum(weights.size for weights in nets.parameters()) // 2
    2179
    >>> x = np.ones((2, 5, 30), np.float32)
    >>> before = nets.outputs(x)
    >>> nets.descend(np.ones_like(before), rate=0.01)
    >>> bool((nets.outputs(x) < before).all())
    True
    """

    def __init__(
        self, sizes: Sequence[int], seats: int, rng: np.random.Generator, relu_output: bool = False, adam: bool = False
    ) -> None:
        self.relu_output = relu_output
        self.nets = SeatNets(sizes, seats, relu_output, adam)
        for (inputs, _), weights, biases in zip(pairwise(sizes), self.nets.weights, self.nets.biases, strict=True):
            bound = inputs**-0.5
            weights[:] = rng.uniform(-bound, bound, weights.shape)
            biases[:] = rng.uniform(-bound, bound, biases.shape)

    def outputs(self, x: Array) -> Array:
        """Inputs (seats x rows x numbers) to outputs."""
        return self.nets.outputs(np.ascontiguousarray(x, np.float32))

    def say(self, x: Array, seats: NDArray[np.int64]) -> Array:
        """The same for rows in any order, each with its seat; not to learn from."""
        return self.nets.say(x, seats)

    def descend(self, slopes: Array, rate: float) -> None:
        """One step of gradient descent, or of Adam, from the last outputs: `slopes` is the derivative of the loss by
        each."""
        self.nets.descend(np.ascontiguousarray(slopes, np.float32), rate)

    def parameters(self) -> list[Array]:
        """All weights and biases, to read and to write: each seats x ... ."""
        return [*self.nets.weights, *self.nets.biases]

    def copy(self, other: Seats) -> None:
        """Takes the weights of another one."""
        for own, theirs in zip(self.parameters(), other.parameters(), strict=True):
            own[:] = theirs

    def layers(self, seat: int, outputs: int) -> list[dict[str, Any]]:
        """The network of one seat for `kiebitz.nets.NetFile`; outputs beyond its own are never preferred."""
        out: list[dict[str, Any]] = []
        last = len(self.nets.weights) - 1
        for number, (weights, biases) in enumerate(zip(self.nets.weights, self.nets.biases, strict=True)):
            more = outputs - biases.shape[1] if number == last else 0
            out.append(
                {
                    "kind": "dense",
                    "weights": np.pad(weights[seat].T, ((0, more), (0, 0))),
                    "bias": np.pad(biases[seat], (0, more), constant_values=NEVER),
                    "relu": number < last or self.relu_output,
                }
            )
        return out

    def begin(self, layers: Sequence[Mapping[str, Any]]) -> None:
        """Takes the weights of dense layers as a `kiebitz.nets.NetFile` has them, for all seats.

        >>> one, other = (Seats([3, 5, 2], 1, np.random.default_rng(seed)) for seed in (1, 2))
        >>> other.begin(one.layers(0, 2))
        >>> all(np.array_equal(a, b) for a, b in zip(one.parameters(), other.parameters()))
        True
        """
        sizes = [weights.shape[1:] for weights in self.nets.weights]
        given = [np.shape(layer["weights"])[::-1] for layer in layers]
        if given != sizes or any(layer["kind"] != "dense" for layer in layers):
            raise ParameterError(f"expected a net with layers of {_words(sizes)} numbers, got one of {_words(given)}")
        for layer, weights, biases in zip(layers, self.nets.weights, self.nets.biases, strict=True):
            weights[:] = np.asarray(layer["weights"], np.float32).T
            biases[:] = layer["bias"]

    def memory(self) -> dict[str, NDArray[Any]]:
        """All of it as arrays."""
        kept = {str(number): weights for number, weights in enumerate(self.parameters())}
        if self.nets.averages:
            kept |= {f"average{number}": average for number, average in enumerate(self.nets.averages)}
            kept["steps"] = np.array(self.nets.steps)
        return kept

    def load(self, memory: Mapping[str, NDArray[Any]]) -> None:
        """Takes what `memory` gave."""
        for number, weights in enumerate(self.parameters()):
            weights[:] = memory[str(number)]
        for number, average in enumerate(self.nets.averages):
            average[:] = memory[f"average{number}"]
        if "steps" in memory:
            self.nets.steps = int(memory["steps"])


def neurons(text: str) -> list[int]:
    """Sizes of hidden layers as people write them.

    >>> neurons("100, 50"), neurons("")
    ([100, 50], [])
    """
    try:
        sizes = [int(part) for part in text.split(",")] if text.strip() else []
    except ValueError:
        sizes = [0]
    if any(not 1 <= size <= 4096 for size in sizes):
        raise ParameterError(f"hidden: expected numbers of neurons from 1 to 4096, such as 100,50; got {text!r:.60}")
    return sizes


def softmax(logits: NDArray[Any]) -> NDArray[Any]:
    """The last axis as probabilities.

    >>> softmax(np.array([0.0, 0.0])).tolist()
    [0.5, 0.5]
    """
    weights: NDArray[Any] = np.exp(logits - logits.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights


def _words(sizes: Sequence[Sequence[int]]) -> str:
    return ", ".join("x".join(map(str, size)) for size in sizes)
