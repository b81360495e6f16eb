"""Hints for people: what a search thinks of a view, without looking at anything the person cannot see."""

from __future__ import annotations

import math
import time

from kiebitz._core import View
from kiebitz.agents import AnalysisLike, PlainActionValue, PlainAnalysis, agent
from kiebitz.search import Uct

ITERATIONS = 10_000
WORLDS = 40


def advise(view: View, seed: int = 0, iterations: int = ITERATIONS, worlds: int = WORLDS) -> AnalysisLike:
    """What a tree search suggests to the player to move.

    In a hidden game every search starts from a world drawn from the view, and the values of all worlds are averaged.
    That is good advice where nobody gains by hiding what he knows; it cannot bluff.

    >>> import kiebitz as kb
    >>> advise(kb.game("tic_tac_toe").load({"board": "xx.oo...."}).view(0)).best_name
    'c1'
    """
    if not view.game.info.hidden:
        return agent(f"uct(iterations={iterations})", view.game, seed).analyse(view)
    begun = time.perf_counter()
    legal = view.legal()
    values: dict[int, list[float]] = {action: [] for action in legal}
    visits = dict.fromkeys(legal, 0)
    nodes = 0
    for world in range(worlds):
        state = view.sample(seed + world)
        analysis = Uct(view.game, iterations=max(1, iterations // worlds), seed=seed + world).search(state)
        nodes += analysis.nodes
        for entry in analysis.actions:
            visits[entry.action] += entry.visits
            if entry.visits:
                values[entry.action].append(entry.value)
    actions = [
        PlainActionValue(action, view.name(action), visits[action], _mean(values[action]), _error(values[action]))
        for action in legal
    ]
    best = max(actions, key=lambda entry: entry.value if entry.visits else -math.inf)
    return PlainAnalysis(
        f"uct in {worlds} sampled worlds",
        view.player,
        best.action,
        best.name,
        best.value,
        actions,
        [best.action],
        [best.name],
        iterations=sum(visits.values()),
        nodes=nodes,
        seconds=time.perf_counter() - begun,
    )


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def _error(values: list[float]) -> float:
    """Standard error of the mean over worlds."""
    if len(values) < 2:
        return 0.0
    mean = _mean(values)
    return math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (len(values) - 1) / len(values))
