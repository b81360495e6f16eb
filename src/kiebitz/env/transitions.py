"""One game at a time, in which each player asks for what happened since its own last decision: the interface of a
thesis on Leduc hold'em (D. Joos, Ravensburg-Weingarten 2018), for any game with a tensor."""

from __future__ import annotations

import contextlib
import operator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kiebitz._core import TERMINAL, Game, State
from kiebitz.errors import Error, ParameterError, UnsuitableGame
from kiebitz.games.registry import game as make_game
from kiebitz.seeds import derive_seed

Numbers = NDArray[np.float32]


class Transition(NamedTuple):
    """What a player knows of the step from its last decision to now."""

    before: Numbers | None
    """What it saw at its last decision; None: it has not decided anything in this game."""
    action: int | None
    reward: float
    """What it got since then: its payoff once the game is over, nothing before."""
    now: Numbers
    over: bool


class TransitionEnv:
    """Whose turn it is belongs to the environment, and no player sees more than its own view.

    >>> env = TransitionEnv("kuhn", seed=3)
    >>> env.reset(dealer=1)
    >>> env.player
    1
    >>> env.step(0, player=1)
    >>> env.step([0.9, 0.1], player=0)
    >>> env.get_state(1).before is not None, env.get_state(1).over
    (True, True)
    """

    def __init__(self, game: Game | str, seed: int = 0) -> None:
        self.game = make_game(game) if isinstance(game, str) else game
        if self.game.info.tensor_size == 0:
            raise UnsuitableGame(f"{self.game.name} has no tensor to learn from: give it tensor_size and tensor()")
        self.seed = seed
        self.games = 0
        """Games so far."""
        self.reset()

    def reset(self, dealer: int = 0) -> None:
        """A new game, in which the player `dealer` has the first seat."""
        players = self.game.info.players
        if not 0 <= dealer < players:
            raise ParameterError(f"dealer: expected a player from 0 to {players - 1}, got {dealer!r:.60}")
        self.dealer = dealer
        self._state: State = self.game.new(seed=derive_seed(self.seed, self.games))
        self._seen: list[Numbers | None] = [None] * players
        self._done: list[int | None] = [None] * players
        self.games += 1

    @property
    def player(self) -> int | None:
        """Whose turn it is; None once the game is over."""
        seat = self._state.player
        return None if seat == TERMINAL else (seat + self.dealer) % self.game.info.players

    @property
    def phase(self) -> str:
        """The round, where a game has several."""
        return self._state.phase

    def get_state(self, player: int) -> Transition:
        """The transition of a player from its last decision to now."""
        seat = self._seat(player)
        over = self._state.player == TERMINAL
        reward = self._state.returns()[seat] if over else 0.0
        return Transition(self._seen[seat], self._done[seat], reward, self._tensor(seat), over)

    def step(self, action: int | ArrayLike, player: int) -> None:
        """Plays an action, or the one that a vector of outputs prefers. One that is illegal raises `IllegalAction`, and
        nothing changes."""
        if player != self.player:
            raise Error(f"player: expected {self.player}, whose turn it is, got {player!r:.60}")
        chosen = self._chosen(action)
        seat = self._state.player
        seen = self._tensor(seat)
        self._state.apply(chosen)
        self._seen[seat], self._done[seat] = seen, chosen

    def _chosen(self, action: Any) -> int:
        with contextlib.suppress(TypeError):
            return operator.index(action)
        actions = self.game.info.actions
        try:
            outputs = np.asarray(action, np.float64)
        except (TypeError, ValueError):
            outputs = np.empty(0)
        if outputs.ndim != 1 or not 2 <= len(outputs) <= actions or not np.isfinite(outputs).all():
            raise ParameterError(
                f"action: expected a whole number or 2 to {actions} finite numbers, got {action!s:.60}"
            )
        return int(outputs.argmax())

    def _seat(self, player: int) -> int:
        players = self.game.info.players
        if not 0 <= player < players:
            raise ParameterError(f"player: expected one from 0 to {players - 1}, got {player!r:.60}")
        return (player - self.dealer) % players

    def _tensor(self, seat: int) -> Numbers:
        return np.asarray(self._state.view(seat).tensor(), np.float32)
