"""What a finished game of Oware says: moves and captured seeds of each seat, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz.games.declaration import Metrics, ResultMetric


def of_result(result: Mapping[str, Any], counts: Sequence[int]) -> dict[str, Any]:
    """Own moves and captured seeds of each seat, how the game ended and whether the guard against endless play did it.

    >>> of_result({"captured": [25, 3], "ended": "majority"}, [20, 19])["guarded"]
    False
    """
    return {
        "own_moves": list(counts),
        "captured": list(result["captured"]),
        "ended": result["ended"],
        "guarded": result["ended"] == "guard",
    }


METRICS = Metrics({"oware": ResultMetric(of_result)})
