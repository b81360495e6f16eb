"""Whole random games of Kiebitz, driven move by move from Python; bench/peers.py has the same loops for OpenSpiel."""

from __future__ import annotations

import random

import kiebitz as kb
from bench.measure import Work


def dealt(game: kb.Game, count: int) -> Work:
    """Games with chance resolved from a seed: `game.new(seed)`."""
    generator = random.Random(1)

    def work() -> float:
        choice, terminal = generator.choice, kb.TERMINAL
        for seed in range(count):
            state = game.new(seed=seed)
            while state.player != terminal:
                state.apply(choice(state.legal()))
            state.returns()
        return count

    return work


def dealt_lean(game: kb.Game, count: int) -> Work:
    """The same with a cheaper way to draw an action."""
    uniform = random.Random(1).random

    def work() -> float:
        draw, terminal = uniform, kb.TERMINAL
        for seed in range(count):
            state = game.new(seed=seed)
            while state.player != terminal:
                actions = state.legal()
                state.apply(actions[int(draw() * len(actions))])
            state.returns()
        return count

    return work


def caller_deals(game: kb.Game, count: int) -> Work:
    """Games with chance sampled by the caller: `game.root()`."""
    generator = random.Random(1)

    def work() -> float:
        choice, choices = generator.choice, generator.choices
        terminal, chance = kb.TERMINAL, kb.CHANCE
        for _ in range(count):
            state = game.root()
            while (player := state.player) != terminal:
                if player == chance:
                    actions, weights = zip(*state.outcomes(), strict=True)
                    state.apply(choices(actions, weights)[0])
                else:
                    state.apply(choice(state.legal()))
            state.returns()
        return count

    return work


def loop_alone(game: kb.Game, count: int) -> Work:
    """The cost of Python itself for such games: the loop and the draw, over recorded lists of legal actions."""
    choice = random.Random(1).choice
    recorded: list[list[list[int]]] = []
    for seed in range(count):
        state = game.new(seed=seed)
        legal: list[list[int]] = []
        while state.player != kb.TERMINAL:
            legal.append(state.legal())
            state.apply(choice(legal[-1]))
        recorded.append(legal)

    def work() -> float:
        for game_lists in recorded:
            for actions in game_lists:
                choice(actions)
        return count

    return work
