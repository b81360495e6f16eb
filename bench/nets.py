"""Searches guided by a net, beside the net alone: what the tree, its batches and the encoding cost on top."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

import kiebitz as kb
from bench.measure import Row, Settings, versus
from kiebitz.search import AlphaBeta, Net, Uct

BATCH = 64
SIMULATIONS = 2_048


def guided(settings: Settings) -> list[Row]:
    """Positions judged per second by a search, and by its net alone in batches of 64."""
    game = kb.game("connect_four")
    net = convolutional(game, channels=32, blocks=3)
    state = game.new()
    tensors, legal, movers = some_positions(game, BATCH)
    seeds = iter(range(10**9))

    def ours() -> float:
        search = Uct(game, iterations=SIMULATIONS, evaluator=net, streams=8, leaves=8, batch=BATCH, seed=next(seeds))
        return search.search(state).leaves

    def alone() -> float:
        for _ in range(SIMULATIONS // BATCH):
            net.judge(game, tensors, legal, movers)
        return SIMULATIONS

    row = versus(
        settings,
        ours,
        alone,
        name="guided-connect-four",
        work=f"UCT guided by a net (32 channels, 3 blocks), connect four, {SIMULATIONS:,} simulations",
        peer=f"the net alone in batches of {BATCH}",
        unit="positions/s",
        target=0.9,
    )
    return [row]


def judged_leaves(settings: Settings) -> list[Row]:
    """Leaves judged per second by alpha-beta, which asks for one at a time, and by its net alone in batches of 64; then
    tree searches by how many leaves of their tree are judged together, against all that they can gain."""
    game = kb.game("oware")
    net = dense_layers(game, (128, 128, 128))
    state = game.new()
    positions = some_positions(game, BATCH)

    def ours() -> float:
        return AlphaBeta(game, depth=5, evaluator=net).search(state).leaves

    def alone() -> float:
        for _ in range(SIMULATIONS // BATCH):
            net.judge(game, *positions)
        return SIMULATIONS

    def tree(leaves: int) -> Callable[[], float]:
        return lambda: Uct(game, iterations=SIMULATIONS, evaluator=net, leaves=leaves).search(state).leaves

    rows = [
        versus(
            settings,
            ours,
            alone,
            name="judged-alphabeta-oware",
            work="alpha-beta with a net (3 dense layers of 128) at its leaves, oware, depth 5",
            peer=f"the net alone in batches of {BATCH}",
            unit="positions/s",
        )
    ]
    for leaves in (1, 4, 8):
        rows.append(
            versus(
                settings,
                tree(leaves),
                tree(32),
                name=f"judged-uct-oware-{leaves}",
                work=f"UCT guided by the same net, leaves={leaves}, {SIMULATIONS:,} simulations",
                peer="leaves=32",
                unit="positions/s",
            )
        )
    return rows


def dense_layers(game: kb.Game, sizes: Sequence[int]) -> Net:
    """A net with random weights and no board."""
    rng = np.random.default_rng(1)

    def dense(inputs: int, outputs: int, relu: bool = False) -> dict[str, Any]:
        weights = rng.normal(size=(outputs, inputs)) / inputs**0.5
        return {"kind": "dense", "weights": weights, "bias": np.zeros(outputs), "relu": relu}

    widths = [game.info.tensor_size, *sizes]
    trunk = [dense(inputs, outputs, relu=True) for inputs, outputs in pairwise(widths)]
    return Net(game, trunk, [dense(widths[-1], game.info.actions)], [dense(widths[-1], 1)])


def convolutional(game: kb.Game, channels: int, blocks: int) -> Net:
    """A net with random weights."""
    rng = np.random.default_rng(1)
    rows, columns = int(game.params["rows"]), int(game.params["columns"])
    planes = game.info.tensor_size // (rows * columns)

    def conv(kind: str, inputs: int) -> dict[str, Any]:
        shape = (channels, inputs, 3, 3)
        layer = {"kind": kind, "weights": rng.normal(size=shape) / (9 * inputs) ** 0.5, "bias": np.zeros(channels)}
        if kind == "residual":
            layer |= {"weights2": rng.normal(size=shape) / (9 * inputs) ** 0.5, "bias2": np.zeros(channels)}
        return {**layer, "relu": True}

    def dense(outputs: int) -> dict[str, Any]:
        inputs = channels * rows * columns
        return {"kind": "dense", "weights": rng.normal(size=(outputs, inputs)) / inputs, "bias": np.zeros(outputs)}

    trunk = [conv("conv", planes), *(conv("residual", channels) for _ in range(blocks))]
    return Net(game, trunk, [dense(game.info.actions)], [dense(1)], board=(planes, rows, columns))


def some_positions(game: kb.Game, count: int) -> tuple[Any, Any, Any]:
    """Positions of random games as arrays."""
    rng = np.random.default_rng(2)
    tensors: list[Any] = []
    movers: list[int] = []
    legal = np.zeros((count, game.info.actions), np.uint8)
    while len(movers) < count:
        state = game.new(seed=len(movers))
        for _ in range(int(rng.integers(2, 20))):
            if state.player < 0:
                break
            state.apply(int(rng.choice(state.legal())))
        if state.player < 0:
            continue
        legal[len(movers), state.legal()] = 1
        tensors.append(state.view(state.player).tensor())
        movers.append(state.player)
    return np.array(tensors, np.float32), legal, np.array(movers, np.int32)
