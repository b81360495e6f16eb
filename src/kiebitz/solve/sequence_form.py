"""The sequence form as a linear programme (Koller, Megiddo and von Stengel 1996), solved by HiGHS: the equilibrium of
a two-player zero-sum game to the precision of the machine, in a size that grows like the tree and not like its
strategies.

With realisation plans x and y, payoffs A and the constraints E x = e, F y = f (the empty sequence has weight 1, the
choices of a set share the weight of the sequence before it), player 0 maximises f'q subject to A'x >= F'q, E x = e,
x >= 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kiebitz._core import CompiledGame
from kiebitz.errors import Error, UnsuitableGame
from kiebitz.solve.measures import is_two_player_zero_sum
from kiebitz.solve.policy import Array, Policy
from kiebitz.solve.programme import maximise

if TYPE_CHECKING:  # SciPy takes a moment to import, and most commands need none of this
    from scipy.sparse import csr_array


def payoff_matrix(compiled: CompiledGame) -> csr_array:
    """What player 0 gets for each pair of sequences of a two-player game, weighted by chance.

    >>> from kiebitz.solve.compiled import compile_game
    >>> payoff_matrix(compile_game("kuhn")).shape
    (13, 13)
    """
    if compiled.players != 2:
        raise UnsuitableGame(f"the payoff matrix needs two players, {compiled.game.name} has {compiled.players}")
    from scipy.sparse import coo_array

    own, other, value = compiled.ends(0)
    return coo_array((value, (own, other)), shape=(compiled.sequences(0), compiled.sequences(1))).tocsr()


def constraints(compiled: CompiledGame, player: int) -> csr_array:
    """The matrix E of a player: E x = (1, 0, ..., 0) says that x is a realisation plan.

    >>> from kiebitz.solve.compiled import compile_game
    >>> constraints(compile_game("kuhn"), 0).shape
    (7, 13)
    """
    from scipy.sparse import coo_array

    counts = np.asarray(compiled.counts(player))
    sets = np.arange(1, len(counts) + 1)
    rows = np.concatenate([[0], sets, np.repeat(sets, counts)])
    columns = np.concatenate([[0], np.asarray(compiled.parents(player)), np.arange(1, compiled.sequences(player))])
    values = np.concatenate([[1.0], np.full(len(counts), -1.0), np.ones(int(counts.sum()))])
    return coo_array((values, (rows, columns)), shape=(len(counts) + 1, compiled.sequences(player))).tocsr()


def equilibrium(compiled: CompiledGame) -> Policy:
    """An equilibrium of a two-player zero-sum game by two linear programmes, one a player.

    >>> from kiebitz.solve.compiled import compile_game
    >>> from kiebitz.solve.measures import measure
    >>> abs(measure(equilibrium(compile_game("kuhn"))).values[0] + 1 / 18) < 1e-9
    True
    """
    if not is_two_player_zero_sum(compiled.game):
        raise UnsuitableGame(
            f"lp needs a two-player zero-sum game; {compiled.game.name} has {compiled.players} players and "
            f"{compiled.game.info.utility.replace('_', ' ')} payoffs"
        )
    matrix = payoff_matrix(compiled)
    sides = [constraints(compiled, player) for player in range(2)]
    # A constant sum moves values but no choices.
    plans = [_best_plan(matrix, *sides), _best_plan(-matrix.T, *reversed(sides))]
    return Policy(compiled, [compiled.strategy(player, plan) for player, plan in enumerate(plans)])


def _best_plan(matrix: Any, own: csr_array, other: csr_array) -> Array:
    """The plan that maximises the least payoff."""
    from scipy.sparse import csr_array, hstack

    size, values = own.shape[1], other.shape[0]
    gain = np.zeros(size + values)
    gain[size] = 1.0
    start = np.zeros(own.shape[0])
    start[0] = 1.0
    found = maximise(
        gain,
        not_above_zero=hstack([-matrix.T, other.T]),
        equal=(hstack([own, csr_array((own.shape[0], values))]), start),
        free=values,
    )
    if found is None:  # every game has an equilibrium
        raise Error("the linear programme was not solved: HiGHS found no plan at all")
    plan: Array = np.maximum(found[:size], 0.0)
    return plan
