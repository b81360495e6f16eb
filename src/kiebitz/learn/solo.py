"""What methods for a single learner share: the games that it is told to play, whole games at a time, and how it does.

The learner is one net for all seats: what it sees is written down from the view of the player to move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import Game
from kiebitz.env import Rewards, SoloEnv
from kiebitz.errors import ParameterError
from kiebitz.nets import NetFile
from kiebitz.options import option
from kiebitz.seeds import derive_seed

Choose = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.int64]]
"""From what is seen and what may be chosen to an action for each row."""

SELF = "self"
OUTCOMES = ("won", "drawn", "lost", "illegal")


@dataclass(frozen=True)
class SoloOptions:
    """Options of every method for a single learner: against whom it plays, for which rewards."""

    opponent: str = option(SELF, "who sits in the other seats: an agent, or self")
    seat: int = option(-1, "where the learner sits; -1: in each seat in turn", low=-1)
    games: int = option(16, "games side by side", low=1, high=65_536)
    payoff: float = option(1.0, "payoffs are multiplied by this")
    gains: str = option(
        "", "an evaluation of the game; what it rises by between two decisions is a reward; empty: none"
    )
    gain: float = option(1.0, "gains are multiplied by this")
    last_gain: bool = option(False, "the last step of a game brings its gain besides the payoff")
    illegal: str = option(
        "masked", "illegal actions are left out (masked), or end the game (punished)", choices=("masked", "punished")
    )
    illegal_reward: float = option(-1.0, "punished: what an illegal action gets")
    gamma: float = option(0.99, "a reward counts so much less for every decision before it", low=0, high=1)
    start_from: str = option("", "a net to begin with: a file that the same method wrote; empty: random weights")
    measure_every: int = option(1000, "steps between two measurements", low=1)
    measured_games: int = option(100, "games of a measurement, played without exploring; 0: none", low=0)
    measured_against: str = option("", "who sits in the other seats then; empty: the opponent, or random for self")
    keep_every: int = option(0, "steps between nets that are kept beside the last one; 0: none", low=0)

    def first_net(self, game: Game, method: str) -> NetFile | None:
        """The net to begin with, if one was named; one that another method wrote is refused."""
        if not self.start_from:
            return None
        file = NetFile.load(self.start_from, game)
        if file.card.method != method:
            raise ParameterError(
                f"start_from: expected a net of {method}, got one of {file.card.method or 'no method'}"
            )
        return file

    def env(self, game: Game, own: Choose, seed: int) -> SoloEnv:
        """The games to learn from; against itself the others play by `own`."""
        return self._env(game, own if self.opponent == SELF else self.opponent, self.games, seed)

    def _env(self, game: Game, opponent: str | Choose, games: int, seed: int) -> SoloEnv:
        if self.seat >= game.info.players:
            raise ParameterError(f"seat: expected a number from 0 to {game.info.players - 1}, or -1, got {self.seat}")
        illegal = self.illegal_reward if self.illegal == "punished" else None
        rewards = Rewards(self.payoff, self.gains, self.gain, self.last_gain, illegal)
        return SoloEnv(game, opponent, games, seed, seat=None if self.seat < 0 else self.seat, rewards=rewards)

    def yardstick(
        self, game: Game, choose: Choose, seed: int, dice: np.random.Generator | None = None
    ) -> Callable[[int], dict[str, float]]:
        """A function from the number of a step to how `choose` does then; the games are others in each step. What
        `choose` draws comes from `dice`, so that measuring changes nothing of what is learned."""
        against = self.measured_against or (self.opponent if self.opponent != SELF else "random")
        env = self._env(game, against, max(self.measured_games, 1), seed)

        def measure(step: int) -> dict[str, float]:
            if self.measured_games == 0:
                return {}
            env.reset(derive_seed(seed, "measured", step))
            if dice is not None:
                dice.bit_generator.state = np.random.default_rng(derive_seed(seed, "dice", step)).bit_generator.state
            tally = Tally(env)
            whole_games(env, choose, tally)
            return tally.taken()

        return measure


def value_layers(game: Game, layers: Sequence[Mapping[str, Any]], payoff: float) -> list[dict[str, Any]]:
    """The layers of a net that expects rewards, its last output, as the value of a file: there payoffs are tanh of an
    output, stretched to their range. In the middle of it that is what the net says, towards the ends it is less.

    >>> import kiebitz as kb
    >>> layer = {"kind": "dense", "weights": np.ones((1, 2), np.float32), "bias": np.ones(1, np.float32)}
    >>> leduc = value_layers(kb.game("leduc"), [layer], payoff=1.0)[-1]
    >>> round(float(leduc["bias"][0]), 4)
    0.0769
    """
    *below, last = layers
    middle, half = _payoffs(game)
    unit = np.float32((payoff or 1) * half)
    weights, bias = last["weights"][-1:] / unit, last["bias"][-1:] / unit - np.float32(middle / half)
    alone = game.info.players == 2 and game.info.utility in ("zero_sum", "constant_sum")
    more = 0 if alone else game.info.players - 1  # nothing is known of the others
    value = {**last, "weights": np.pad(weights, ((0, more), (0, 0))), "bias": np.pad(bias, (0, more)), "relu": False}
    return [*map(dict, below), value]


def expectation(game: Game, value: Mapping[str, Any], payoff: float) -> tuple[NDArray[Any], NDArray[Any]]:
    """Weights and bias of the last layer of a value as they learn: what `value_layers` made of them, undone."""
    middle, half = _payoffs(game)
    unit = np.float32((payoff or 1) * half)
    return value["weights"][:1] * unit, (value["bias"][:1] + np.float32(middle / half)) * unit


def _payoffs(game: Game) -> tuple[float, float]:
    """The middle of the payoffs, and how far they go from there."""
    most, least = game.info.max_payoff, game.info.min_payoff
    return (most + least) / 2, (most - least) / 2 or 1.0


class Tally:
    """How games ended since it was last asked: the mean sum of their rewards, and the share of each outcome. A draw is
    a payoff in the middle of what the game can pay.

    >>> env = SoloEnv("tic_tac_toe", games=200)
    >>> tally = Tally(env)
    >>> _ = whole_games(env, lambda view, legal: legal.argmax(axis=1), tally)
    >>> ended = tally.taken()
    >>> sum(ended[name] for name in OUTCOMES), ended["won"] > ended["lost"] > 0
    (1.0, True)
    """

    def __init__(self, env: SoloEnv) -> None:
        info = env.game.info
        self.middle = (info.max_payoff + info.min_payoff) / 2
        self.running = np.zeros(env.games)
        self.reward = 0.0
        self.counts = np.zeros(len(OUTCOMES), np.int64)

    def add(self, env: SoloEnv) -> None:
        """Takes down a step."""
        self.running += env.reward
        over, wrong = env.done, env.illegal
        if not over.any():
            return
        self.reward += float(self.running[over].sum())
        self.running[over] = 0
        lead = env.payoff[over & ~wrong] - self.middle
        self.counts += ((lead > 0).sum(), (lead == 0).sum(), (lead < 0).sum(), wrong.sum())

    def taken(self, prefix: str = "") -> dict[str, float]:
        """What happened since the last time; nothing if no game has ended."""
        games = int(self.counts.sum())
        if games == 0:
            return {}
        out = {f"{prefix}reward": self.reward / games}
        out |= {f"{prefix}{name}": int(count) / games for name, count in zip(OUTCOMES, self.counts, strict=True)}
        self.reward, self.counts = 0.0, np.zeros_like(self.counts)
        return out

    def memory(self) -> dict[str, NDArray[Any]]:
        """All of it as arrays."""
        return {"running": self.running, "reward": np.array(self.reward), "counts": self.counts}

    def load(self, memory: Mapping[str, NDArray[Any]]) -> None:
        """Takes what `memory` gave."""
        self.running, self.reward = np.array(memory["running"]), float(memory["reward"])
        self.counts = np.array(memory["counts"])


@dataclass(frozen=True)
class WholeGames:
    """One whole game in each row of an environment: arrays of steps x games. Where a game is over, `there` is False."""

    view: NDArray[np.float32]
    allowed: NDArray[np.bool_]
    action: NDArray[np.int64]
    reward: NDArray[np.float32]
    there: NDArray[np.bool_]

    def returns(self, gamma: float) -> NDArray[np.float32]:
        """For each decision the rewards from then on, the later ones discounted.

        >>> def row(*numbers):
        ...     return np.array(numbers, np.float32)[:, None]
        >>> there = row(1, 1, 0) > 0
        >>> WholeGames(row(0, 0, 0), there, there, row(1, 2, 0), there).returns(0.5)[:, 0].tolist()
        [2.0, 2.0, 0.0]
        """
        out = np.zeros_like(self.reward)
        after = np.zeros_like(self.reward[0])
        for step in reversed(range(len(out))):
            after = self.reward[step] + np.float32(gamma) * after
            out[step] = after
        return out


def whole_games(env: SoloEnv, choose: Choose, tally: Tally) -> WholeGames:
    """Plays on until one game has ended in each row."""
    playing = np.ones(env.games, bool)
    steps = []
    while playing.any():
        view, allowed, there = env.observation.copy(), env.allowed, playing.copy()
        action = np.zeros(env.games, np.int64)
        action[playing] = choose(view[playing], allowed[playing])
        env.step(action, playing)
        tally.add(env)
        steps.append((view, allowed, action, env.reward, there))
        playing &= ~env.done
    return WholeGames(*(np.stack(arrays) for arrays in zip(*steps, strict=True)))
