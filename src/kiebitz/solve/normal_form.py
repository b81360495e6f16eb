"""Normal forms: a game as one table over complete plans, and the equilibria that can be read off a table.

A pure strategy is a plan for everything: one action in every information set of a player. The table over all of them
has one axis per player and says what each gets (von Neumann and Morgenstern 1944). It is the form in which equilibria
are defined. It grows exponentially with the game, so it is for small games and for checking everything else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kiebitz._core import CompiledGame, View
from kiebitz.errors import Error, LimitError, ParameterError, UnsuitableGame
from kiebitz.games.matrix import ROUNDING, Array, MatrixGame, Profile
from kiebitz.solve.compiled import GameLike, compile_game, view_of
from kiebitz.solve.policy import Policy
from kiebitz.solve.programme import maximise, mixture_of

MOST_CELLS = 1_000_000
"""Largest table that `normal_form` fills."""


class NormalForm(MatrixGame):
    """A game as the table over its pure strategies, which can be turned into policies and back.

    The name of a strategy lists its actions, one for each information set in the order of `views()`; ``*`` stands where
    an earlier choice of the player makes the set impossible.
    """

    def __init__(
        self,
        payoffs: ArrayLike,
        actions: Sequence[Sequence[str]],
        compiled: CompiledGame,
        choices: Sequence[NDArray[np.int64]],
    ) -> None:
        super().__init__(payoffs, actions)
        self.compiled = compiled
        self.choices = tuple(choices)
        """Of each player: a row for each strategy with the sequence that it chooses in each set; 0 where it is open."""

    def views(self, player: int) -> list[View]:
        """What a player sees in each of the information sets that the names of strategies go through.

        >>> [str(view).splitlines()[0] for view in normal_form("kuhn").views(0)][:2]
        ['player 0 holds J', 'player 0 holds J']
        """
        return [view_of(self.compiled, self._player(player), number) for number in range(self.compiled.sets(player))]

    def policy(self, profile: Profile) -> Policy:
        """Behaviour that pays the same as mixed strategies against everybody (Kuhn 1953).

        >>> form = normal_form("kuhn")
        >>> form.policy(form.uniform()).distance(Policy.uniform("kuhn")) < 1e-12
        True
        """
        return Policy(
            self.compiled, [self.behaviour(player, part) for player, part in enumerate(self._checked(profile))]
        )

    def behaviour(self, player: int, mixed: Array) -> Array:
        """The behaviour of one player that pays the same as a mixed strategy: a probability for each sequence.

        >>> normal_form("kuhn").behaviour(0, np.full(64, 1 / 64)).round(2).tolist()[:3]
        [1.0, 0.5, 0.5]
        """
        strategy: Array = self.compiled.strategy(player, mixed @ self._plans[player])
        return strategy

    @cached_property
    def _plans(self) -> list[Array]:
        return [_plans(self.compiled, player, choices) for player, choices in enumerate(self.choices)]

    def profile(self, policy: Policy) -> list[Array]:
        """Mixed strategies that pay the same as behaviour: each plan with the product of its probabilities.

        >>> form = normal_form("kuhn")
        >>> form.payoff(form.profile(Policy.uniform("kuhn"))).round(6).tolist()
        [0.125, -0.125]
        """
        if policy.game.to_json() != self.compiled.game.to_json():
            raise ParameterError(f"policy: expected one for {self.compiled.game.name}, got one for {policy.game.name}")
        return [
            strategy[choices].prod(axis=1) for strategy, choices in zip(policy.strategies, self.choices, strict=True)
        ]


def normal_form(game: GameLike, *, reduced: bool = False, limit: int = MOST_CELLS) -> NormalForm:
    """The table of a game over all pure strategies of every player.

    With `reduced`, plans that differ only where their own earlier choices never lead are one strategy. `LimitError` if
    the table has more than `limit` cells.

    >>> normal_form("kuhn")
    MatrixGame(2 players, 64 x 64 actions)
    >>> normal_form("kuhn", reduced=True).shape
    (27, 64)
    >>> import kiebitz as kb
    >>> tree = normal_form(kb.game("tree", example="pure_equilibria"))
    >>> tree.actions[1]
    ('w, y', 'w, z', 'x, y', 'x, z')
    >>> tree.payoffs[0].tolist()
    [[2.0, 2.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]]
    """
    compiled = compile_game(game)
    players = range(compiled.players)
    counts = [_count(compiled, player, reduced) for player in players]
    if math.prod(counts) > limit:
        sizes = " x ".join(_size(count) for count in counts)
        raise LimitError(
            f"{compiled.game.name}: {sizes} pure strategies are too many for a table, expected at most {limit} cells"
        )
    choices = [_choices(compiled, player, reduced) for player in players]
    payoffs = np.zeros((compiled.players, *counts))
    # For each player and sequence: the strategies that play it.
    playing = [[np.flatnonzero(plan) for plan in _plans(compiled, player, choices[player]).T] for player in players]
    for player in players:
        own, others, values = (np.asarray(part) for part in compiled.ends(player))
        cells = np.insert(others.reshape(len(own), compiled.players - 1), player, own, axis=1)
        for cell, value in zip(cells.tolist(), values.tolist(), strict=True):
            payoffs[player][np.ix_(*(playing[p][sequence] for p, sequence in enumerate(cell)))] += value
    return NormalForm(payoffs, [_names(compiled, player, choices[player]) for player in players], compiled, choices)


def _sets(compiled: CompiledGame, player: int) -> list[tuple[int, range]]:
    """Of each information set: the player's sequence before it, and those of its choices."""
    parents, firsts, counts = (
        np.asarray(part(player)).tolist() for part in (compiled.parents, compiled.firsts, compiled.counts)
    )
    return [(p, range(f, f + c)) for p, f, c in zip(parents, firsts, counts, strict=True)]


def _count(compiled: CompiledGame, player: int, reduced: bool) -> int:
    """How many pure strategies a player has."""
    if not reduced:
        return math.prod(np.asarray(compiled.counts(player)).tolist())
    below = [1] * compiled.sequences(player)  # plans for what follows a sequence
    for parent, sequences in reversed(_sets(compiled, player)):
        below[parent] *= sum(below[s] for s in sequences)
    return below[0]


def _size(count: int) -> str:
    return f"{count:,}" if count < 10**12 else f"about 10^{int(math.log10(count))}"


def _choices(compiled: CompiledGame, player: int, reduced: bool) -> NDArray[np.int64]:
    sets = _sets(compiled, player)
    rows: list[list[int]] = [[]]
    for parent, sequences in sets:
        rows = [
            [*row, choice]
            for row in rows
            for choice in ((0,) if reduced and parent != 0 and parent not in row else sequences)
        ]
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(sets))


def _plans(compiled: CompiledGame, player: int, choices: NDArray[np.int64]) -> Array:
    """For each strategy and sequence: 1 if the strategy plays the whole sequence."""
    plans = np.zeros((len(choices), compiled.sequences(player)))
    plans[:, 0] = 1
    for number, (parent, sequences) in enumerate(_sets(compiled, player)):
        for sequence in sequences:
            plans[:, sequence] = plans[:, parent] * (choices[:, number] == sequence)
    return plans


def _names(compiled: CompiledGame, player: int, choices: NDArray[np.int64]) -> list[str]:
    words = {0: "*"}
    actions = np.asarray(compiled.actions(player)).tolist()
    for number, (_, sequences) in enumerate(_sets(compiled, player)):
        view = view_of(compiled, player, number)
        words.update({sequence: view.name(actions[sequence]) for sequence in sequences})
    names = [", ".join(words[sequence] for sequence in row) or "nothing" for row in choices.tolist()]
    if len(set(names)) == len(names):
        return names
    return [f"{name} ({number})" for number, name in enumerate(names)]  # labels with commas can read alike


# --- Equilibria -------------------------------------------------------------------------------------------------------


def pure_equilibria(matrix: MatrixGame) -> list[tuple[int, ...]]:
    """All pure equilibria, for any number of players: the cells in which everybody's action is a best response.

    >>> import kiebitz as kb
    >>> tree = normal_form(kb.game("tree", example="pure_equilibria"))
    >>> [(tree.actions[0][row], tree.actions[1][column]) for row, column in pure_equilibria(tree)]
    [('X', 'w, y'), ('X', 'w, z'), ('Y', 'x, y')]
    >>> pure_equilibria(MatrixGame.from_game(kb.game("rock_paper_scissors")))
    []
    """
    best = np.ones(matrix.shape, dtype=bool)
    for player, own in enumerate(matrix.payoffs):
        best &= own >= own.max(axis=player, keepdims=True) - ROUNDING * np.abs(own).max()
    return [tuple(cell) for cell in np.argwhere(best).tolist()]


class Maximin(NamedTuple):
    """The value of a zero-sum game for player 0, and for each player a strategy that guarantees it."""

    value: float
    strategies: tuple[Array, Array]


def maximin(matrix: MatrixGame) -> Maximin:
    """The value of a two-player zero-sum table and an equilibrium of it, by two linear programmes (HiGHS).

    Each player maximises what is certain whatever the other does. Both numbers are the value (von Neumann 1928).

    >>> import kiebitz as kb
    >>> toy = normal_form(kb.game("tree", example="raise_or_pass"))
    >>> abs(maximin(toy).value - 1 / 18) < 1e-9
    True
    """
    if matrix.players != 2 or not matrix.is_zero_sum:
        raise UnsuitableGame("maximin needs a two-player zero-sum game: in others it need not be an equilibrium")
    table = matrix.payoffs[0]
    first, second = _safest(table), _safest(-table.T)
    low, high = float((first @ table).min()), float((table @ second).max())
    if high - low > 1e-6 * np.abs(table).max():
        raise Error(f"the linear programmes disagree: the value is between {low:g} and {high:g}")
    return Maximin((low + high) / 2, (first, second))


def _safest(table: Array) -> Array:
    """The mixture of rows whose smallest entry is largest."""
    rows, columns = table.shape
    scale = np.abs(table).max() or 1.0
    found = maximise(
        np.append(np.zeros(rows), 1.0),
        not_above_zero=np.hstack([-table.T / scale, np.ones((columns, 1))]),
        equal=(np.append(np.ones(rows), 0.0)[np.newaxis], np.ones(1)),
        free=1,
    )
    assert found is not None  # any mixture guarantees something
    return mixture_of(found[:rows])
