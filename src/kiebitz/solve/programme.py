"""Linear programmes by HiGHS, in the one shape that equilibria need."""

from __future__ import annotations

from typing import Any

import numpy as np

from kiebitz.errors import Error
from kiebitz.games.matrix import Array

_PRECISE = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}  # as close as HiGHS goes
_INFEASIBLE = 2


def maximise(gain: Any, *, not_above_zero: Any, equal: tuple[Any, Any], free: int = 0) -> Array | None:
    """The x that maximises ``gain @ x`` with ``not_above_zero @ x <= 0`` and ``equal[0] @ x == equal[1]``, or None if
    there is no such x. All numbers of x are from 0 up but the last `free` ones.

    >>> maximise([1.0, 2.0], not_above_zero=[[-1.0, 1.0]], equal=([[1.0, 1.0]], [1.0]))
    array([0.5, 0.5])
    """
    from scipy.optimize import linprog  # takes half a second to import

    size = len(gain)
    bounds: Any = [(0, None)] * (size - free) + [(None, None)] * free
    options: Any = _PRECISE
    found: Any = linprog(
        -np.asarray(gain, dtype=np.float64),
        A_ub=not_above_zero,
        b_ub=np.zeros(np.shape(not_above_zero)[0]),
        A_eq=equal[0],
        b_eq=equal[1],
        bounds=bounds,
        method="highs",
        options=options,
    )
    if found.status == _INFEASIBLE:
        return None
    if not found.success:
        raise Error(f"the linear programme was not solved: {found.message}")
    solution: Array = found.x
    return solution


def mixture_of(weights: Any) -> Array:
    """Probabilities from a solution, which may miss 0 and 1 by a little.

    >>> mixture_of([0.5, 0.5, -1e-12]).tolist()
    [0.5, 0.5, 0.0]
    """
    positive: Array = np.maximum(weights, 0.0)
    positive /= positive.sum()
    return positive
