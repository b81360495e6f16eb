"""The kibitz panel: what each option is worth according to the strongest analysis, from the player's view alone.

The numbers are those of ``agent.analyse(view)``; the answer includes the spec of the agent, to reproduce them.
"""

from __future__ import annotations

import math
import time
from typing import Any

from kiebitz._core import StopToken, View
from kiebitz.agents.advice import Effort, study
from kiebitz.agents.opinion import opinion_of
from kiebitz.agents.review import best_of, outcome_of
from kiebitz.analysis import AnalysisLike
from kiebitz.errors import ParameterError
from kiebitz.server.beliefs import beliefs

__all__ = ["EFFORTS", "beliefs", "kibitz", "panel"]

EFFORTS: tuple[Effort, ...] = ("quick", "normal", "deep")
"""What people can ask for: at most about 0.3, 1.5 and 6 seconds."""


def kibitz(view: View, effort: str = "quick", stop: StopToken | None = None) -> dict[str, Any]:
    """What each option of the player to move is worth; a stopped analysis returns what it has found so far.

    >>> import kiebitz as kb
    >>> found = kibitz(kb.game("tic_tac_toe").load({"board": "xx.oo...."}).view(0))
    >>> found["spec"], found["value"], found["line"], found["actions"][0]["exact"]
    ('every_move(nodes=3_000_000)', 1.0, ['c1'], True)
    """
    level = next((each for each in EFFORTS if each == effort), None)
    if level is None:
        raise ParameterError(f"effort: expected one of {', '.join(EFFORTS)}, got {effort!r:.60}")
    begun = time.perf_counter()
    found = study(view, level, stop=stop)
    return panel(found.analysis, view, found.spec, time.perf_counter() - begun)


def panel(analysis: AnalysisLike, view: View, spec: str, seconds: float) -> dict[str, Any]:
    """An analysis as the panel shows it; ``share`` is an action's share of visits, or its probability in a policy.

    ``good`` has all actions that are as good as the best one; it is empty where every action loses. ``prior`` and
    ``prior_value`` are what a net thinks without looking ahead, where there is one.
    """
    net = opinion_of(view, analysis)
    visits = sum(entry.visits for entry in analysis.actions)
    return {
        "seat": view.observer,
        "spec": spec,
        "method": analysis.method,
        "value": _finite(analysis.value),
        "status": analysis.status,
        "bound": analysis.bound,
        "prior_value": None if net is None else net.value,
        "best": analysis.best,
        "good": best_of(analysis, view.game),
        "actions": [
            {
                "action": entry.action,
                "name": entry.name,
                "kind": view.kind(entry.action),
                "amount": view.amount(entry.action),
                "visits": entry.visits,
                "share": getattr(entry, "share", entry.visits / visits if visits else 0.0),
                "value": _finite(entry.value),
                "error": _finite(entry.error),
                "exact": entry.exact,
                "status": entry.status,
                "bound": entry.bound,
                "outcome": outcome_of(view.game, entry),
                "prior": None if net is None else net.policy.get(entry.action),
            }
            for entry in analysis.actions
        ],
        "line": list(analysis.line_names),
        "worlds": getattr(analysis, "worlds", 0),
        "stopped": analysis.stopped,
        "seconds": round(seconds, 3),
    }


def _finite(value: float) -> float:
    """A number that JSON can express."""
    return value if math.isfinite(value) else 0.0
