"""Hints for people: what a search thinks of a view, without looking at anything the person cannot see."""

from __future__ import annotations

from kiebitz._core import View
from kiebitz.agents import AnalysisLike, agent
from kiebitz.agents.best import recommended

ITERATIONS = 40_000
WORLDS = 40


def advise(
    view: View, seed: int = 0, iterations: int = ITERATIONS, worlds: int = WORLDS, *, calls: str = "all"
) -> AnalysisLike:
    """What a tree search suggests to the player to move.

    In a hidden game every search starts from a world drawn from the view, and the values of all worlds are averaged.
    That is good advice where nobody gains by hiding what he knows; it cannot bluff. With ``calls="last"`` a call that
    can still be made later is not considered.

    >>> import kiebitz as kb
    >>> advise(kb.game("tic_tac_toe").load({"board": "xx.oo...."}).view(0)).best_name
    'c1'
    """
    if not view.game.info.hidden:
        return agent(f"uct(iterations={iterations})", view.game, seed).analyse(view)
    each = max(1, iterations // worlds)
    return agent(recommended(view.game, each, worlds, calls=calls), view.game, seed).analyse(view)
