"""The agents of the Oware study as specs.

*Thesis mode* is alpha-beta as the thesis most likely had it: it counts only its own captured seeds, which fits the
published tables best (the thesis does not say). *Strong mode* counts the difference. Everything else is the same: moves
in the order of their numbers, the lowest of equally good moves, no table, finished games valued by the evaluation.
"""

from __future__ import annotations

from typing import Literal

from kiebitz.spec import Spec, Value

Mode = Literal["thesis", "strong"]
MODES: tuple[Mode, ...] = ("thesis", "strong")
RANDOM = "random"

_EVALUATIONS = {"thesis": "own", "strong": "difference"}


def alphabeta(depth: int, mode: Mode, cut: str = "equal") -> str:
    """Alpha-beta to a depth; ``cut="none"`` makes it minimax.

    >>> alphabeta(8, "strong")
    'alphabeta(depth=8, evaluation=difference, terminals=evaluation, order=index, deepen=false, narrow=false, table_mb=0)'
    """  # noqa: E501 (one spec)
    options = {"evaluation": Spec(_EVALUATIONS[mode]), "terminals": Spec("evaluation")}
    cuts = {} if cut == "equal" else {"cut": Spec(cut)}
    plain: dict[str, Value] = {"order": Spec("index"), "deepen": False, "narrow": False, "table_mb": 0}
    return str(Spec.of("alphabeta", depth=depth, **options, **cuts, **plain))


def mcts(cycles: int) -> str:
    """The thesis' tree search: c = 1, payoffs from -1 to 1, playing the move with the best mean.

    >>> mcts(200)
    'uct(iterations=200, c=1.0, formula=ucb1_sqrt2, scale=raw, final=value)'
    """
    words = {"formula": Spec("ucb1_sqrt2"), "scale": Spec("raw"), "final": Spec("value")}
    return str(Spec.of("uct", iterations=cycles, c=1.0, **words))


def master(seconds: float) -> str:
    """Our best player.

    >>> master(1.0)
    'oware_master(seconds=1.0)'
    """
    return str(Spec.of("oware_master", seconds=seconds))
