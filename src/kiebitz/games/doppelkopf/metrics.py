"""What a finished game of Doppelkopf says about style: calls, solos, winners and contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kiebitz._core import State
from kiebitz.games.declaration import Metrics

SOLOS = (
    "solo-trumpless",
    "solo-jacks",
    "solo-queens",
    "solo-clubs",
    "solo-spades",
    "solo-hearts",
    "solo-diamonds",
)
CONTRACTS = ("normal", "wedding", "silent-solo", *SOLOS)
STEPS = ("none", "re-kontra", "no90", "no60", "no30", "black")


def metrics(state: State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """The metrics of one game: for each seat whether it called, denied, played a solo, gained points and won; for the
    game its contract and the strongest call of each party."""
    result = state.result()
    return {**of_result(result), **of_moves(moves, state.game.info.calls)}


def of_result(result: dict[str, Any]) -> dict[str, Any]:
    """Metrics from the result.

    >>> found = of_result({"type": "solo-jacks", "silent_solo": False, "re": [2], "kontra": [0, 1, 3],
    ...                    "winner": "re", "points": [-4, -4, 12, -4], "lowest_re": "no90", "lowest_kontra": None})
    >>> found["contract"], found["solo"], found["won"], found["both"]
    ('solo-jacks', [False, False, True, False], [False, False, True, False], False)
    """
    winners = result.get(result["winner"], ())
    solo = result["type"] in SOLOS
    highest = {party: result[f"lowest_{party}"] or "none" for party in ("re", "kontra")}
    return {
        "contract": "silent-solo" if result["silent_solo"] else result["type"],
        "solo": [solo and seat in result["re"] for seat in range(4)],
        "gained": [points > 0 for points in result["points"]],
        "won": [seat in winners for seat in range(4)],
        "high_re": highest["re"],
        "high_kontra": highest["kontra"],
        "re_called": highest["re"] != "none",
        "kontra_called": highest["kontra"] != "none",
        "both": "none" not in highest.values(),
    }


def of_moves(moves: Sequence[tuple[int, int]], calls: Sequence[int]) -> dict[str, Any]:
    """Metrics from the moves; `calls` are the actions re-kontra, no90, no60, no30 and black.

    >>> of_moves([(0, 24), (1, 33), (1, 34), (2, 38), (3, 33)], range(33, 38))["called"]
    [False, True, False, True]
    """
    called = {seat for seat, action in moves if action in calls}
    denied = {seat for seat, action in moves if action in calls[1:]}
    return {"called": [seat in called for seat in range(4)], "denied": [seat in denied for seat in range(4)]}


METRICS = Metrics({"doppelkopf": metrics})
