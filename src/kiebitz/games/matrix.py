"""Matrix games: everybody chooses once, at the same time, and a table says what each player gets (the normal form).

NashConv (Lanctot et al. 2017) is the sum over the players of what each could gain by deviating alone. Exploitability
(Heinrich and Silver 2016) is half of it in a two-player zero-sum game. Both are 0 in an equilibrium and only there.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kiebitz._core import CHANCE, TERMINAL, Game, State
from kiebitz.errors import LimitError, ParameterError, UnsuitableGame

Array = NDArray[np.float64]
Profile = Sequence[ArrayLike]  # one mixed strategy per player: the probability of each action

MAX_PAYOFF = 1e18  # as in trees from files
MAX_PLAYS = 100_000  # cells of a table that from_game() fills
SUM_TOLERANCE = 1e-9  # how far from 1 probabilities may sum
ROUNDING = 1e-12  # differences below this part of the largest payoff are rounding errors


class BestReply(NamedTuple):
    """The best actions of a player against the others, and their value."""

    actions: tuple[int, ...]
    value: float


class MatrixGame:
    """A game in normal form: `payoffs[player, action of player 0, action of player 1, ...]`, one axis per player.

    `actions` names each player's actions; by default they are numbered.

    >>> win = np.array([[1, -1], [-1, 1]])
    >>> pennies = MatrixGame([win, -win], actions=[["heads", "tails"]] * 2)
    >>> pennies
    MatrixGame(2 players, 2 x 2 actions)
    >>> pennies.nash_conv(pennies.uniform())
    0.0
    >>> pennies.best_response(1, [[0.75, 0.25], [0.5, 0.5]])
    BestReply(actions=(1,), value=0.5)
    """

    def __init__(self, payoffs: ArrayLike, actions: Sequence[Sequence[str]] | None = None) -> None:
        table = _numbers(payoffs, "payoffs")
        if table.ndim < 2 or table.ndim != table.shape[0] + 1 or 0 in table.shape:
            raise ParameterError(
                f"payoffs: expected one table per player with one axis per player, got the shape {table.shape}"
            )
        if not np.all(np.abs(table) <= MAX_PAYOFF):  # false for NaN as well
            raise ParameterError(f"payoffs: expected numbers between {-MAX_PAYOFF:g} and {MAX_PAYOFF:g}")
        table.flags.writeable = False
        self.payoffs = table
        self.players = table.shape[0]
        self.shape = table.shape[1:]
        self.actions = _names(actions, self.shape)

    @classmethod
    def from_game(cls, game: Game) -> Self:
        """The table of a game in which every player moves exactly once, without knowing what the others chose.

        Anything else raises `UnsuitableGame`: chance, and players with no, two or more, or informed moves.

        >>> import kiebitz as kb
        >>> rps = MatrixGame.from_game(kb.game("rock_paper_scissors", payoff="thesis"))
        >>> rps.actions[0]
        ('rock', 'paper', 'scissors')
        >>> rps.payoff(rps.uniform()).round(6).tolist()
        [0.333333, 0.333333]
        >>> MatrixGame.from_game(kb.game("tree", example="rps_visible"))
        Traceback (most recent call last):
        kiebitz._core.UnsuitableGame: tree: not a matrix game, because player 1 knows something of the others' choices
        """
        if not isinstance(game, Game):
            raise ParameterError(f"expected a game, got {type(game).__name__}")
        players = range(game.info.players)
        sets: dict[int, tuple[str, list[int]]] = {}  # the one information set of a player and what is legal there
        names: dict[int, list[str]] = {}
        plays: dict[tuple[int, ...], list[float]] = {}

        def walk(state: State, chosen: dict[int, int]) -> None:
            player = state.player
            if player == TERMINAL:
                for idle in set(players) - set(chosen):
                    raise _unsuitable(game, f"there is a play without a move of player {idle}")
                if len(plays) == MAX_PLAYS:
                    raise LimitError(f"{game.name}: expected at most {MAX_PLAYS} plays for a table of payoffs")
                plays[tuple(chosen[player] for player in players)] = state.returns()
                return
            if player == CHANCE:
                raise _unsuitable(game, "it has chance moves")
            if player in chosen:
                raise _unsuitable(game, f"player {player} moves more than once")
            legal = state.legal()
            here = (state.view(player).key, legal)
            if sets.setdefault(player, here) != here:
                raise _unsuitable(game, f"player {player} knows something of the others' choices")
            names.setdefault(player, [state.name(action) for action in legal])
            for index, action in enumerate(legal):
                after = state.copy()
                after.apply(action)
                walk(after, {**chosen, player: index})

        walk(game.root(), {})
        actions = [names[player] for player in players]
        table = np.empty((*map(len, actions), len(players)))  # every cell was played
        for cell, payoffs in plays.items():
            table[cell] = payoffs
        return cls(np.moveaxis(table, -1, 0), actions)

    @property
    def is_zero_sum(self) -> bool:
        """Whether the payoffs of all players sum to zero in every cell.

        >>> MatrixGame([[[3, 0], [5, 1]], [[3, 5], [0, 1]]]).is_zero_sum  # the prisoner's dilemma
        False
        """
        return bool(np.abs(self.payoffs.sum(axis=0)).max() <= ROUNDING * np.abs(self.payoffs).max())

    def uniform(self) -> list[Array]:
        """The profile in which everybody chooses all actions with the same probability.

        >>> [strategy.tolist() for strategy in MatrixGame([[[1, 2]], [[3, 4]]]).uniform()]
        [[1.0], [0.5, 0.5]]
        """
        return [np.full(size, 1 / size) for size in self.shape]

    def payoff(self, profile: Profile) -> Array:
        """The expected payoff of each player.

        >>> MatrixGame([[[3, 0], [5, 1]], [[3, 5], [0, 1]]]).payoff([[0.5, 0.5], [1, 0]]).tolist()
        [4.0, 1.5]
        """
        mixed = self._checked(profile)
        return np.array([strategy @ self._values(player, mixed) for player, strategy in enumerate(mixed)])

    def action_values(self, player: int, profile: Profile) -> Array:
        """The value of each action of a player if all others keep to the profile.

        >>> MatrixGame([[[3, 0], [5, 1]], [[3, 5], [0, 1]]]).action_values(0, [[1, 0], [0.5, 0.5]]).tolist()
        [1.5, 3.0]
        """
        return self._values(self._player(player), self._checked(profile))

    def best_response(self, player: int, profile: Profile) -> BestReply:
        """All best actions of a player if the others keep to the profile, and their value.

        >>> import kiebitz as kb
        >>> rps = MatrixGame.from_game(kb.game("rock_paper_scissors"))
        >>> rps.best_response(0, [[1, 0, 0], [0, 0.5, 0.5]])  # against paper and scissors
        BestReply(actions=(2,), value=0.5)
        """
        values = self.action_values(player, profile)
        slack = ROUNDING * np.abs(self.payoffs[player]).max()
        return BestReply(tuple(np.flatnonzero(values >= values.max() - slack).tolist()), float(values.max()))

    def nash_conv(self, profile: Profile) -> float:
        """NashConv: the sum over the players of what each gains by the best deviation; 0 in an equilibrium.

        >>> MatrixGame([[[3, 0], [5, 1]], [[3, 5], [0, 1]]]).nash_conv([[1, 0], [1, 0]])  # both gain 2
        4.0
        """
        mixed = self._checked(profile)
        total = 0.0
        for player, strategy in enumerate(mixed):
            values = self._values(player, mixed)
            total += float(strategy @ (values.max() - values))  # what each action misses: no rounding below 0
        return total

    def exploitability(self, profile: Profile) -> float:
        """NashConv / 2, the mean payoff of the two best responses; for two-player zero-sum games only.

        >>> import kiebitz as kb
        >>> rps = MatrixGame.from_game(kb.game("rock_paper_scissors"))
        >>> always_rock = [1, 0, 0]
        >>> rps.exploitability([always_rock, always_rock]), rps.nash_conv([always_rock, always_rock])
        (1.0, 2.0)
        """
        if self.players != 2 or not self.is_zero_sum:
            raise UnsuitableGame("exploitability needs a two-player zero-sum game; nash_conv() takes any")
        return self.nash_conv(profile) / 2

    def __repr__(self) -> str:
        return f"MatrixGame({self.players} players, {' x '.join(map(str, self.shape))} actions)"

    def _values(self, player: int, mixed: list[Array]) -> Array:
        values: Array = self.payoffs[player]
        for other in reversed(range(self.players)):  # from the last axis on, so that the numbers of the others stay
            if other != player:
                values = np.tensordot(values, mixed[other], axes=(other, 0))
        return values

    def _player(self, player: int) -> int:
        try:
            number = operator.index(player)
        except TypeError:
            number = -1
        if not 0 <= number < self.players:
            raise ParameterError(f"player: expected a number from 0 to {self.players - 1}, got {player!r:.60}")
        return number

    def _checked(self, profile: Profile) -> list[Array]:
        try:
            mixed = [_numbers(strategy, f"strategy of player {player}") for player, strategy in enumerate(profile)]
        except TypeError:  # not even a sequence
            mixed = []
        if len(mixed) != self.players:
            raise ParameterError(f"profile: expected {self.players} strategies, one per player")
        for player, size in enumerate(self.shape):
            strategy = mixed[player]
            what = f"strategy of player {player}"
            if strategy.shape != (size,):
                raise ParameterError(f"{what}: expected {size} probabilities, got the shape {strategy.shape}")
            if not np.all((strategy >= 0) & (strategy <= 1 + SUM_TOLERANCE)):  # false for NaN as well
                raise ParameterError(f"{what}: expected probabilities from 0 to 1")
            total = float(strategy.sum())
            if abs(total - 1) > SUM_TOLERANCE:
                raise ParameterError(f"{what}: expected probabilities that sum to 1, got {total:g}")
            mixed[player] = strategy / total
        return mixed


def _numbers(value: ArrayLike, what: str) -> Array:
    """A copy as floats; texts, truth values, complex numbers and ragged lists are refused."""
    try:
        array = np.asarray(value)
        if array.dtype.kind in "iufO":
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ParameterError(f"{what}: expected numbers in rows of the same length")


def _names(actions: Sequence[Sequence[str]] | None, shape: tuple[int, ...]) -> tuple[tuple[str, ...], ...]:
    if actions is None:
        return tuple(tuple(map(str, range(size))) for size in shape)
    try:
        names = tuple(tuple(own) for own in actions)
    except TypeError:
        names = ()
    if tuple(map(len, names)) != shape or not all(isinstance(name, str) for own in names for name in own):
        raise ParameterError(f"actions: expected {' and '.join(map(str, shape))} names, a list per player")
    for player, own in enumerate(names):
        if len(set(own)) != len(own):
            raise ParameterError(f"actions: expected different names for the actions of player {player}")
    return names


def _unsuitable(game: Game, why: str) -> UnsuitableGame:
    return UnsuitableGame(f"{game.name}: not a matrix game, because {why}")
