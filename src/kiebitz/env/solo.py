"""A game for one learner: the other seats are part of the environment (as in most textbooks on reinforcement learning),
many games side by side.

After the learner's move the others answer at once; what the learner sees next is a position in which it has to decide
again. Finished games start anew, like those of `VectorEnv`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import TERMINAL, Game, State
from kiebitz.agents import Agent, agent
from kiebitz.env.vector import VectorEnv, checked_rows
from kiebitz.errors import IllegalAction, ParameterError, UnsuitableGame

Chooser = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.int64]]
"""From observations and masks to an action for each row."""

MOST_ROUNDS = 100_000
"""Answers in a row after which nobody believes any more that the learner will have to decide."""


@dataclass(frozen=True)
class Rewards:
    """What a learner gets."""

    payoff: float = 1.0
    """Payoffs at the end are multiplied by this."""
    gains: str = ""
    """An evaluation of the game; what it rises by from decision to decision is a reward, too. Empty: none."""
    gain: float = 1.0
    """Gains are multiplied by this."""
    last_gain: bool = False
    """Whether the last step of a game brings its gain besides the payoff."""
    illegal: float | None = None
    """What an illegal action gets; it ends the game. None: illegal actions are refused."""


class SoloEnv:
    """`games` games in which the learner sits in one seat and `opponent` in all others: the spec of an agent, or a
    function from observations and masks to actions.

    >>> env = SoloEnv("tic_tac_toe", "random", games=64, seed=1)
    >>> won = lost = 0
    >>> for _ in range(40):
    ...     env.step(env.mask.argmax(axis=1))  # the first legal action everywhere
    ...     won, lost = won + int((env.reward > 0).sum()), lost + int((env.reward < 0).sum())
    >>> won > lost > 0
    True
    """

    observation: NDArray[np.float32]
    """(games, tensor_size): what the learner knows where it has to decide."""
    mask: NDArray[np.int8]
    """(games, actions): 1 for each legal action."""
    reward: NDArray[np.float32]
    """(games,): what the last step brought."""
    done: NDArray[np.bool_]
    """(games,): whether the last step ended the game; what is observed is then in the next one."""
    illegal: NDArray[np.bool_]
    """(games,): whether it did so because the action was illegal."""
    payoff: NDArray[np.float64]
    """(games,): the learner's payoff in a game that has ended by the rules; 0 otherwise."""

    def __init__(
        self,
        game: Game | str,
        opponent: str | Chooser = "random",
        games: int = 16,
        seed: int = 0,
        *,
        seat: int | None = 0,
        rewards: Rewards | None = None,
    ) -> None:
        self.rewards = rewards or Rewards()
        self.env = VectorEnv(game, games, seed, self.rewards.gains)
        self.game, self.games = self.env.game, games
        players = self.game.info.players
        if seat is not None and not 0 <= seat < players:
            raise ParameterError(
                f"seat: expected a number from 0 to {players - 1}, or None for each in turn, got {seat}"
            )
        self.fixed_seat = seat
        """Where the learner sits; None: in each seat in turn."""
        self.observation, self.mask = self.env.observation, self.env.mask
        self._rows = np.arange(games)
        self._policy: Chooser | None = None if isinstance(opponent, str) else opponent
        self._agent: Agent | None = None
        self._states: list[State] = []
        if isinstance(opponent, str) and opponent != "random":
            self._agent = agent(opponent, self.game)
            if not self._agent.pure:
                raise ParameterError(
                    f"opponent: expected an agent whose moves depend on seed and position alone, got {opponent}"
                )
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Starts all games anew; the same seed and the same actions give the same games."""
        self.env.reset(seed)
        self._rng = np.random.default_rng(seed)
        self._begin()
        self._states = [self._fresh(row) for row in range(self.games)] if self._agent is not None else []
        self._answer()
        self._begin_step()

    def _begin(self) -> None:
        self._acted = np.zeros(self.games, bool)
        self._begin_step()

    def _begin_step(self) -> None:
        self.reward = np.zeros(self.games, np.float32)
        self.done = np.zeros(self.games, bool)
        self.illegal = np.zeros(self.games, bool)
        self.payoff = np.zeros(self.games)

    @property
    def seat(self) -> NDArray[np.int64]:
        """(games,): where the learner sits."""
        if self.fixed_seat is not None:
            return np.full(self.games, self.fixed_seat)
        seats: NDArray[np.int64] = (self._rows + self.env.episode // self.games) % self.game.info.players
        return seats

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """(games, actions): what the learner chooses from: everything, where illegal actions are punished."""
        return self.mask > 0 if self.rewards.illegal is None else np.ones(self.mask.shape, bool)

    def step(self, actions: NDArray[np.int64], rows: NDArray[np.bool_] | None = None) -> None:
        """Plays the learner's action in each game, or in those of `rows`, and the answers of the others.

        >>> env = SoloEnv("tic_tac_toe", lambda observation, mask: mask.argmax(axis=1), games=2)
        >>> env.step(np.array([4, 8]))
        >>> env.mask.tolist()
        [[0, 1, 1, 1, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1, 1, 1, 0]]
        """
        actions = np.asarray(actions, np.int64)
        moving = np.ones(self.games, bool) if rows is None else checked_rows(rows, self.games)
        if actions.shape != (self.games,):
            raise ParameterError(f"actions: expected {self.games} whole numbers, got an array of shape {actions.shape}")
        wrong = moving & ~self._legal(np.where(moving, actions, -1))
        if self.rewards.illegal is None and wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            legal = np.flatnonzero(self.mask[row]).tolist()
            raise IllegalAction(f"row {row}: action {actions[row]} is not legal; expected one of {legal!s:.80}")
        self._begin_step()
        self._acted |= moving & ~wrong
        self._play(actions, moving & ~wrong)
        if wrong.any():
            self.env.restart(wrong)
            self.reward[wrong] = self.rewards.illegal
            self.done |= wrong
            self.illegal |= wrong
            self._acted &= ~wrong
            if self._agent is not None:
                for row in np.flatnonzero(wrong).tolist():
                    self._states[row] = self._fresh(row)
        self._answer()

    def _legal(self, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        inside = (actions >= 0) & (actions < self.game.info.actions)
        allowed: NDArray[np.bool_] = inside & (self.mask[self._rows, np.where(inside, actions, 0)] > 0)
        return allowed

    def _answer(self) -> None:
        """Lets the others play until the learner has to decide everywhere."""
        for _ in range(MOST_ROUNDS):
            waiting = self.env.player != self.seat
            if not waiting.any():
                return
            self._play(self._answers(waiting), waiting)
        raise UnsuitableGame(f"{self.game.name}: the learner's seat never has to decide")

    def _answers(self, waiting: NDArray[np.bool_]) -> NDArray[np.int64]:
        """What the others play in some games; anything where a game is over before anybody moved."""
        if self._policy is not None:
            out = np.zeros(self.games, np.int64)
            out[waiting] = self._policy(self.observation[waiting], self.mask[waiting] > 0)
            return out
        if self._agent is None:
            drawn: NDArray[np.int64] = (self._rng.random(self.mask.shape) * self.mask).argmax(axis=1)
            return drawn
        out = np.zeros(self.games, np.int64)
        for row in np.flatnonzero(waiting).tolist():
            state = self._states[row]
            if state.player != TERMINAL:
                self._agent.seed = int(self.env.seed[row]) >> 1  # an agent plays each game with a seed of its own
                out[row] = self._agent.act(state.view(state.player))
        return out

    def _play(self, actions: NDArray[np.int64], moving: NDArray[np.bool_]) -> None:
        """One action in some games, whoever plays it, and what it brings the learner."""
        seats = self.seat
        self.env.step(actions, moving)
        over = self.env.done & self._acted
        reward = np.where(self._acted, self.env.gains[self._rows, seats] * self.rewards.gain, 0.0)
        payoffs = self.env.rewards[self._rows, seats]
        self.reward += reward.astype(np.float32)
        ends = (payoffs * self.rewards.payoff).astype(np.float32)
        self.reward = np.where(over, ends + (self.reward if self.rewards.last_gain else 0), self.reward)
        self.payoff = np.where(over, payoffs, self.payoff)
        self.done |= over
        if self._agent is not None:
            for row in np.flatnonzero(moving).tolist():
                if self.env.done[row]:
                    self._states[row] = self._fresh(row)
                else:
                    self._states[row].apply(int(actions[row]))
        self._acted &= ~self.env.done

    def _fresh(self, row: int) -> State:
        return self.game.new(seed=int(self.env.seed[row]))

    # --- Going on from there ------------------------------------------------------------------------------------------

    def memory(self) -> dict[str, NDArray[Any]]:
        """Where all games are, as arrays, so that another environment can go on from there."""
        state = np.array(json.dumps(self._rng.bit_generator.state))
        return {**self.env.memory(), "acted": self._acted, "random": state}

    def load(self, memory: Mapping[str, NDArray[Any]]) -> None:
        """Goes where `memory` was taken; `reward` and `done` are empty until the next step."""
        self.env.load(memory)
        self._begin()
        self._acted = np.array(memory["acted"], bool)
        self._rng.bit_generator.state = json.loads(str(memory["random"]))
        if self._agent is not None:
            ends = np.cumsum(memory["counts"])
            self._states = [self._fresh(row) for row in range(self.games)]
            for state, end, count in zip(self._states, ends, memory["counts"], strict=True):
                for action in memory["actions"][end - count : end]:
                    state.apply(int(action))

    def __repr__(self) -> str:
        return f"<SoloEnv of {self.games} games of {self.game.name}>"
