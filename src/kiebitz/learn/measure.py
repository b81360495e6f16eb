"""Measures of nets while they learn: exact ones, from the policy of a net in every information set of a small game, and
games against known opponents."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import TERMINAL, CompiledGame, Game, State
from kiebitz.agents import agent
from kiebitz.nets import NetFile
from kiebitz.seeds import derive_seed
from kiebitz.solve import compile_game
from kiebitz.solve.compiled import view_of
from kiebitz.stats import Estimate, mean_interval

Array = NDArray[np.float64]


class Sheet:
    """All information sets of a small game as rows of arrays, so that a policy is one batch for each seat.

    >>> import kiebitz as kb
    >>> sheet = Sheet(kb.game("leduc"))
    >>> [tensors.shape for tensors in sheet.tensors]
    [(468, 30), (468, 30)]
    >>> alike = [sheet.strategy(seat, np.zeros((468, 6))) for seat in range(2)]
    >>> round(sheet.exploitability(alike), 6)
    2.373611
    """

    def __init__(self, game: Game) -> None:
        self.compiled: CompiledGame = compile_game(game)
        seats = range(self.compiled.players)
        self.tensors: list[NDArray[np.float32]] = []
        self.legal: list[NDArray[np.bool_]] = []
        """For each seat its information sets x actions."""
        for seat in seats:
            views = [view_of(self.compiled, seat, number) for number in range(self.compiled.sets(seat))]
            self.tensors.append(np.array([view.tensor() for view in views], np.float32).reshape(len(views), -1))
            legal = np.zeros((len(views), game.info.actions), bool)
            for row, view in enumerate(views):
                legal[row, view.legal()] = True
            self.legal.append(legal)

    def probabilities(self, seat: int, logits: NDArray[np.floating[Any]], instead: int | None = None) -> Array:
        """Softmax over the legal actions; with `instead` over all of the columns, of which the illegal ones are played
        as that action."""
        legal = self.legal[seat][:, : logits.shape[1]]
        shown = logits.astype(float)
        if instead is None:
            shown = np.where(legal, shown, -np.inf)
        weights: Array = np.exp(shown - shown.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        if instead is not None:
            weights[:, instead] += np.where(legal, 0, weights).sum(axis=1)
            weights = np.where(legal, weights, 0)
        return weights

    def strategy(self, seat: int, logits: NDArray[np.floating[Any]], instead: int | None = None) -> Array:
        """The policy as the compiled game takes it: a probability for each sequence."""
        return self.sequences(seat, self.probabilities(seat, logits, instead))

    def sequences(self, seat: int, probabilities: Array) -> Array:
        """Probabilities by information set and action as those of sequences."""
        out = np.ones(self.compiled.sequences(seat))
        counts = self.compiled.counts(seat)
        rows = np.repeat(np.arange(len(counts)), counts)
        starts = np.repeat(self.compiled.firsts(seat), counts)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        places = starts + within
        out[places] = probabilities[rows, self.compiled.actions(seat)[places]]
        return out

    def exploitability(self, strategies: Sequence[Array]) -> float:
        """NashConv / 2 of a two-player zero-sum game."""
        return sum(self.best_values(strategies)) / 2

    def best_values(self, strategies: Sequence[Array]) -> list[float]:
        """What a best response of each seat gets against the others."""
        return self.compiled.best_values(list(strategies))

    def payoffs(self, strategies: Sequence[Array]) -> list[float]:
        """What each seat gets when all keep to these."""
        return self.compiled.payoffs(list(strategies))


def duel(net: NetFile, opponent: str, games: int, seed: int, opening_plies: int) -> Estimate:
    """What a net without search gets against others from random openings, each played once in every seat; 1 is the
    largest payoff of the game, 0 the smallest.

    >>> import kiebitz as kb
    >>> tic_tac_toe = kb.game("tic_tac_toe")
    >>> net = kb.nets.NetFile(tic_tac_toe, kb.nets.Card(tic_tac_toe.to_json(), "", "best"), [{}])
    >>> 0 < duel(net, "random", 20, seed=1, opening_plies=2).value < 1
    True
    """
    game, seats = net.game, range(net.game.info.players)
    other = agent(opponent, game, seed=seed)
    count = max(math.ceil(games / len(seats)), 2)  # an interval needs two
    begun = [opening(game, derive_seed(seed, number), opening_plies) for number in range(count)]
    states = [state.copy() for state in begun for _ in seats]
    playing = [number for number, state in enumerate(states) if state.player != TERMINAL]
    while playing:
        own = [number for number in playing if states[number].player == number % len(seats)]
        if own:
            logits = net.judge([states[number].view(states[number].player) for number in own])[0]
            for number, row in zip(own, logits, strict=True):
                legal = states[number].legal()
                states[number].apply(legal[int(row[legal].argmax())])
        for number in set(playing) - set(own):
            states[number].apply(other.act(states[number].view(states[number].player)))
        playing = [number for number in playing if states[number].player != TERMINAL]
    low, high = game.info.min_payoff, game.info.max_payoff
    scores = [(state.returns()[number % len(seats)] - low) / (high - low) for number, state in enumerate(states)]
    return mean_interval([scores[first : first + len(seats)] for first in range(0, len(scores), len(seats))])


def opening(game: Game, seed: int, plies: int) -> State:
    """A position after random actions; fewer of them if the game would be over."""
    chooser = random.Random(seed)
    state = game.new(seed=seed)
    before = state.copy()
    for _ in range(plies):
        state.apply(chooser.choice(state.legal()))
        if state.player == TERMINAL:
            return before
        before = state.copy()
    return state
