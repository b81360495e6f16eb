"""The core's search algorithms, as functions and classes with documented options.

Agents (`kiebitz.agents`) wrap these; use them directly to study an algorithm on a single position.

>>> import kiebitz as kb
>>> state = kb.game("tic_tac_toe").new()
>>> AlphaBeta(state.game, depth=9).search(state).nodes
18297
>>> solve(state).outcome
'draw'
>>> perft(state, 3)
504
>>> count(state).terminal
255168
>>> round(bandit([0.2, 0.8], c=0.5, seed=1).best_share, 1)
1.0
"""

from kiebitz._core import (
    ActionValue,
    AlphaBeta,
    Analysis,
    BanditResult,
    Cache,
    Evaluator,
    Ismcts,
    Net,
    OpenHand,
    Parts,
    Pimc,
    Search,
    Seated,
    Solution,
    StopToken,
    TreeCount,
    Uct,
    ViewSearch,
    bandit,
    count,
    perft,
    self_play,
    solve,
)

__all__ = [
    "ActionValue",
    "AlphaBeta",
    "Analysis",
    "BanditResult",
    "Cache",
    "Evaluator",
    "Ismcts",
    "Net",
    "OpenHand",
    "Parts",
    "Pimc",
    "Search",
    "Seated",
    "Solution",
    "StopToken",
    "TreeCount",
    "Uct",
    "ViewSearch",
    "bandit",
    "count",
    "perft",
    "self_play",
    "solve",
]
