"""Dominance: actions of a table that can be dropped, because something else is better whatever the others do.

Strict dominance, also by mixtures (Gale, Kuhn and Tucker 1950), and the weak kind. The toy game of the poker papers
(`kb.game("tree", example="raise_or_pass")`) shows the differences. Folding with a king is never better than calling,
and equally good where nobody raises: only weak dominance removes it. Once player 2 folds every jack and calls with
every king, a raise with the queen is strictly worse than a pass, and 8 x 8 strategies have become 4 x 2:

>>> import kiebitz as kb
>>> from kiebitz.solve.normal_form import normal_form
>>> toy = normal_form(kb.game("tree", example="raise_or_pass"))
>>> cautious = eliminate(toy, 1, weak=True, mixed=False).game
>>> iterated_dominance(cautious, mixed=False).game
MatrixGame(2 players, 4 x 2 actions)

Mixtures remove one more, the strategy that never raises: always raising with the king and bluffing with a third of the
jacks is strictly better against both plans that are left.

>>> iterated_dominance(cautious).removed[-1].action
'pass, pass, pass'

Repeated weak dominance leaves 2 x 2 strategies and the one question that dominance cannot answer: when to bluff.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kiebitz.games.matrix import Array, MatrixGame
from kiebitz.solve.programme import maximise, mixture_of

_TOLERANCE = 1e-9
"""Differences below this share of the largest payoff are ignored: linear programmes are no more exact than that."""


class Removal(NamedTuple):
    """An action that is dominated by another one, or by a mixture."""

    round: int
    player: int
    action: str
    by: dict[str, float]
    """The dominating actions with their probabilities."""


class Reduction(NamedTuple):
    """What is left of a table, and what was removed, in order."""

    game: MatrixGame
    removed: list[Removal]


def eliminate(matrix: MatrixGame, player: int, *, weak: bool = False, mixed: bool = True) -> Reduction:
    """Removes every dominated action of one player, while the others keep theirs.

    An action is strictly dominated if something else is better whatever the others do; with `weak`, if something else
    is never worse and at least once better. With `mixed` that can be a mixture of actions (a linear programme for each
    action), otherwise only a single one.

    >>> table = MatrixGame([[[3, 0], [0, 3], [1, 1]], [[0] * 2] * 3], [["a", "b", "c"], ["l", "r"]])
    >>> step = eliminate(table, 0)
    >>> step.game.actions[0], step.removed[0].action, step.removed[0].by
    (('a', 'b'), 'c', {'a': 0.5, 'b': 0.5})
    """
    player = matrix._player(player)
    table = np.moveaxis(matrix.payoffs[player], player, 0).reshape(matrix.shape[player], -1)
    table = table / (np.abs(table).max() or 1.0)
    names = matrix.actions[player]
    left = list(range(len(names)))
    removed = []
    for action in range(len(names)):
        others = [other for other in left if other != action]
        weights = _dominating(table[others] - table[action], weak, mixed)
        if weights is not None:
            left = others
            by = {names[other]: float(p) for other, p in zip(others, weights, strict=True) if p > _TOLERANCE}
            removed.append(Removal(1, player, names[action], by))
    if not removed:
        return Reduction(matrix, [])
    actions = list(matrix.actions)
    actions[player] = tuple(names[action] for action in left)
    return Reduction(MatrixGame(matrix.payoffs.take(left, axis=player + 1), actions), removed)


def iterated_dominance(matrix: MatrixGame, *, weak: bool = False, mixed: bool = True) -> Reduction:
    """Removes dominated actions of all players in turn until none is left.

    Strict dominance loses no equilibrium and comes to the same end in any order. Weak dominance can lose equilibria
    (never the value of a zero-sum game), and what is left may depend on the order: here player 0 begins in every round.
    For another order call `eliminate` step by step.

    >>> dilemma = MatrixGame([[[3, 0], [5, 1]], [[3, 5], [0, 1]]], [["cooperate", "defect"]] * 2)
    >>> iterated_dominance(dilemma).game.actions
    (('defect',), ('defect',))
    """
    removed: list[Removal] = []
    rounds = 0
    while True:
        rounds += 1
        before = len(removed)
        for player in range(matrix.players):
            matrix, step = eliminate(matrix, player, weak=weak, mixed=mixed)
            removed += [removal._replace(round=rounds) for removal in step]
        if len(removed) == before:
            return Reduction(matrix, removed)


def _dominating(gains: Array, weak: bool, mixed: bool) -> Array | None:
    """A mixture of rows that gains everywhere (weakly: somewhere, and loses nowhere), if there is one."""

    def dominates(gain: Array) -> bool:
        if weak:
            return bool(gain.min() >= -_TOLERANCE and gain.max() > _TOLERANCE)
        return bool(gain.min() > _TOLERANCE)

    rows, columns = gains.shape
    if rows == 0 or gains.max(axis=0).min() < (-_TOLERANCE if weak else _TOLERANCE):
        return None  # against some actions no row is good enough
    for row in range(rows):
        if dominates(gains[row]):
            alone: Array = np.eye(rows)[row]
            return alone
    if not mixed or rows == 1:
        return None
    # Strictly: the largest gain that is certain. Weakly: the largest sum of gains without a loss.
    margin = 0.0 if weak else 1.0
    found = maximise(
        np.append(gains.sum(axis=1) * (1 - margin), margin),
        not_above_zero=np.hstack([-gains.T, np.full((columns, 1), margin)]),
        equal=(np.append(np.ones(rows), 0.0)[np.newaxis], np.ones(1)),
    )
    if found is None:  # every mixture loses somewhere
        return None
    weights = mixture_of(found[:rows])
    return weights if dominates(weights @ gains) else None
