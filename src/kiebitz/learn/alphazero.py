"""AlphaZero (Silver et al. 2018, A general reinforcement learning algorithm that masters chess, shogi, and Go through
self-play): a net plays against itself with a tree search and learns what the search thought and how the games ended.

By default with the root of Gumbel AlphaZero (Danihelka et al. 2022, Policy improvement by planning with Gumbel), which
learns from few simulations, and with playout cap randomisation (Wu 2019, Accelerating self-play learning in Go).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from kiebitz._core import Cache, Game, Net, self_play
from kiebitz.agents import agent
from kiebitz.errors import ParameterError
from kiebitz.games import declaration_of
from kiebitz.learn.measure import duel
from kiebitz.learn.memories import Batch, Circular
from kiebitz.learn.method import register
from kiebitz.learn.networks import PolicyValueNet
from kiebitz.learn.run import Run
from kiebitz.learn.symmetries import Symmetries
from kiebitz.nets import NetFile
from kiebitz.options import option
from kiebitz.seeds import derive_seed
from kiebitz.solve.method import PERFECT_INFORMATION

OPENINGS = 1_000_003
"""Measurements begin with the same random openings every time: numbers over time are comparable."""


@dataclass(frozen=True)
class AlphaZeroOptions:
    """Options of ``alphazero``."""

    STEPS_DECIDE: ClassVar[bool] = True  # the learning rate falls towards the last one

    steps: int = option(100, "iterations: a set of games, then learning from the newest ones", low=1)
    seed: int = option(1, "random numbers", low=0)
    games: int = option(200, "games in an iteration", low=1, high=1 << 20)
    # Search.
    simulations: int = option(32, "simulations of a full search", low=1)
    fast_simulations: int = option(8, "simulations of the other searches", low=1)
    full_share: float = option(
        1.0, "share of full searches; the others only choose the move, and nothing is learned from them", low=0, high=1
    )
    root: str = option("gumbel", "search of the root, as in the core's self_play", choices=("gumbel", "puct"))
    considered: int = option(16, "gumbel: actions that get simulations", low=1)
    scale: float = option(0.1, "gumbel: weight of values against priors", low=0)
    c: float = option(1.4142135623730951, "exploration constant", low=0)
    noise: float = option(0.25, "puct: share of noise in the priors of the root", low=0, high=1)
    drawn_plies: int = option(10, "puct: so many first actions are drawn by their visits", low=0)
    random_plies: int = option(0, "most random actions with which a game begins", low=0)
    reuse: bool = option(True, "keep the subtree of what was played")
    slots: int = option(64, "games side by side in each thread", low=1, high=65_536)
    threads: int = option(1, "threads that play; they change nothing but the speed", low=1, high=64)
    cache_mb: int = option(64, "megabytes for judgements of positions that come again", low=1, high=1 << 20)
    # Net.
    channels: int = option(32, "channels of convolutions, where the game has a board", low=1, high=1024)
    blocks: int = option(4, "residual blocks; dense layers where the game has no board", low=1, high=100)
    hidden: int = option(64, "neurons of a dense layer", low=1, high=4096)
    # Learning.
    window: int = option(200_000, "most rows that are learned from, the newest ones", low=1)
    fresh: float = option(
        0.5, "and at most this share of all rows so far, so that early games are soon forgotten", low=0.01, high=1
    )
    passes: float = option(4.0, "how often a row is learned from, on average", low=0)
    batch: int = option(256, "rows in one update", low=2)
    rate: float = option(0.002, "learning rate (AdamW) at the start", low=0, high=1e6)
    last_rate: float = option(
        0.05, "share of it that is left at the end; between them it follows a cosine", low=0, high=1
    )
    decay: float = option(0.01, "weight decay", low=0)
    search_share: float = option(
        0.25, "what the value learns: the payoff, this share of it the search's value", low=0, high=1
    )
    # Measuring.
    opponent: str = option("uct(iterations=100)", "who the net, without search, is measured against, beside random")
    opening_plies: int = option(4, "random actions with which measured games begin", low=0)
    measured_games: int = option(200, "games against each opponent, at least one in each seat", low=1)
    measure_every: int = option(5, "iterations between two measurements", low=1)


@register("alphazero", AlphaZeroOptions, needs=(PERFECT_INFORMATION,))
def alphazero(game: Game, options: AlphaZeroOptions, run: Run) -> NetFile:
    """AlphaZero: a net and a tree search improve each other; for games without hidden cards, any number of players."""
    check(game, options)
    info = game.info
    encoding = declaration_of(game).encoding
    board, symmetries = encoding.board(game), Symmetries(encoding.symmetries(game), info.tensor_size, info.actions)
    alone = info.utility in ("zero_sum", "constant_sum") and info.players == 2
    values = 1 if alone else info.players
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    net = PolicyValueNet(
        info.tensor_size, actions=info.actions, values=values, board=board,
        channels=options.channels, blocks=options.blocks, hidden=options.hidden, counts=encoding.counts(game),
    )  # fmt: skip
    optimizer = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=options.decay)
    row = {
        "tensor": ((info.tensor_size,), np.float32), "legal": ((info.actions,), np.bool_),
        "policy": ((info.actions,), np.float32), "value": ((values,), np.float32),
    }  # fmt: skip
    memory = Circular(options.window, row)
    counts = np.zeros(3, np.int64)  # games, positions that the net was asked about, updates
    run.keep(net=net, optimizer=optimizer, rng=rng, memory=memory, counts=counts)
    middle, half = (info.max_payoff + info.min_payoff) / 2, (info.max_payoff - info.min_payoff) / 2

    for step in run.steps(options.steps):
        evaluator = Cache(core_net(game, net), options.cache_mb)
        played = self_play(
            game, evaluator, options.games, derive_seed(options.seed, step), run.stop,
            simulations=options.simulations, fast_simulations=min(options.fast_simulations, options.simulations),
            full_share=options.full_share, root=options.root, considered=options.considered, scale=options.scale,
            c=options.c, noise=options.noise, drawn_plies=options.drawn_plies, random_plies=options.random_plies,
            reuse=options.reuse, slots=options.slots, threads=options.threads,
        )  # fmt: skip
        if played is None:
            run.give_up()
            continue
        full = played["full"] == 1
        paid = (1 - options.search_share) * played["outcome"] + options.search_share * played["expected"]
        memory.add(
            tensor=played["tensors"][full], legal=played["legal"][full].astype(bool), policy=played["policy"][full],
            value=((paid[full, :values] - middle) / half).astype(np.float32),
        )  # fmt: skip
        counts += (options.games, played["judged"], 0)

        # Learning.
        cooled = (1 + math.cos(math.pi * (step - 1) / options.steps)) / 2
        for group in optimizer.param_groups:
            group["lr"] = options.rate * (options.last_rate + (1 - options.last_rate) * cooled)
        newest = max(int(options.fresh * memory.offered), options.batch)
        updates = math.ceil(options.passes * int(full.sum()) / options.batch)
        losses = np.zeros(2)
        for _ in range(updates):
            losses += learn(net, optimizer, symmetries.turned(memory.newest(rng, options.batch, newest), rng)) / updates
        counts[2] += updates
        run.check(net, outputs=losses)

        if step % options.measure_every == 0 or step == options.steps:
            results = measure(game, net, options, run)
            run.log(
                net=net_file(game, net, run, results), **results,
                policy_loss=float(losses[0]), value_loss=float(losses[1]),
                plies=float(played["lengths"].mean()),
                games=int(counts[0]), judged=int(counts[1]), updates=int(counts[2]),
            )  # fmt: skip
    return net_file(game, net, run, measure(game, net, options, run))


def check(game: Game, options: AlphaZeroOptions) -> None:
    """Refuses options that cannot work."""
    if options.full_share < 1 and options.fast_simulations > options.simulations:
        raise ParameterError(
            f"fast_simulations: expected at most simulations ({options.simulations}), got {options.fast_simulations}"
        )
    agent(options.opponent, game)


def learn(net: PolicyValueNet, optimizer: torch.optim.Optimizer, batch: Batch) -> NDArray[np.float64]:
    """One update; returns the losses of policy (the entropy of its target left out) and value."""
    net.train()
    tensors, targets, values = (torch.from_numpy(batch[name]) for name in ("tensor", "policy", "value"))
    logits, raw = net(tensors)
    chances = functional.log_softmax(logits.masked_fill(~torch.from_numpy(batch["legal"]), -1e9), dim=1)
    policy_loss = functional.kl_div(chances, targets, reduction="batchmean")
    value_loss = functional.mse_loss(torch.tanh(raw), values)
    optimizer.zero_grad()
    (policy_loss + value_loss).backward()
    optimizer.step()
    return np.array([policy_loss.item(), value_loss.item()])


def core_net(game: Game, net: PolicyValueNet) -> Net:
    """The net as the core computes it."""
    layers = net.layers()
    return Net(game, layers["trunk"], layers["policy"], layers["value"], net.board)


def measure(game: Game, net: PolicyValueNet, options: AlphaZeroOptions, run: Run) -> dict[str, float]:
    """What the net gets without a search: 1 is the largest payoff, 0 the smallest."""
    file = net_file(game, net, run, {})
    plies = options.opening_plies
    against = duel(file, options.opponent, options.measured_games, OPENINGS, plies)
    random = duel(file, "random", options.measured_games, OPENINGS, plies)
    assert against.low is not None
    assert against.high is not None
    return {
        "score": against.value, "score_low": against.low, "score_high": against.high, "score_random": random.value,
    }  # fmt: skip


def net_file(game: Game, net: PolicyValueNet, run: Run, results: Mapping[str, float]) -> NetFile:
    """The net for files."""
    card = run.card(chooses="best", data="games against itself", results=dict(results))
    return NetFile(game, card, [net.layers()], net.board)
