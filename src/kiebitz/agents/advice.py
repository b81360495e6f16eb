"""Advice for people: what the strongest analysis of a game says about a view, without looking at anything the person
cannot see, and with as much effort as they are ready to wait for.

Small hidden games are solved; in open games for two every move is searched on its own, so that each has a value; all
other games get a tree search. In a large hidden game every search starts from a world drawn from the view, and the
values of all worlds are averaged. That is good advice where nobody gains by hiding information, but it cannot bluff.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kiebitz._core import Game, StopToken, View
from kiebitz.agents.base import agent
from kiebitz.agents.best import recommended
from kiebitz.agents.equilibrium import EquilibriumAgent
from kiebitz.agents.every_move import comparable
from kiebitz.analysis import AnalysisLike
from kiebitz.errors import ParameterError
from kiebitz.games import declaration_of
from kiebitz.solve.compiled import compile_game
from kiebitz.spec import Spec

Effort = Literal["glance", "quick", "normal", "deep"]


@dataclass(frozen=True)
class _Budget:
    """The cost of an effort, by kind of search."""

    worlds: int
    each: int
    """Iterations of one world."""
    nodes: int
    """Positions of alpha-beta."""
    iterations: int
    """Iterations of a single tree."""
    solving: int
    """Nodes times iterations of a solver."""


_BUDGETS: dict[str, _Budget] = {
    "glance": _Budget(30, 1500, 500_000, 50_000, 15_000_000),
    "quick": _Budget(60, 3000, 2_500_000, 250_000, 50_000_000),
    "normal": _Budget(150, 6000, 12_000_000, 1_200_000, 250_000_000),
    "deep": _Budget(300, 12_000, 40_000_000, 3_000_000, 600_000_000),
}
_PYTHON_COST = 100
"""How much longer a step takes in a game written in Python, about."""
_SMALL_GAME_NODES = 3_000_000
"""Enough to search small games to the end, at any effort."""
EFFORTS: tuple[Effort, ...] = ("glance", "quick", "normal", "deep")
"""At most about 0.1, 0.3, 1.5 and 6 seconds on an ordinary machine."""


@dataclass(frozen=True)
class Study:
    """An analysis, and the spec of the agent that repeats it."""

    spec: str
    analysis: AnalysisLike


def advisers(game: Game, effort: Effort, *, calls: str = "all") -> list[Spec]:
    """The agents to ask about a game, in order: the answer of each but the last counts only if it is proven.

    >>> import kiebitz as kb
    >>> [str(spec) for spec in advisers(kb.game("connect_four"), "quick")]
    ['every_move(nodes=312_500)', 'uct(iterations=250_000, c=1.0)']
    """
    if effort not in _BUDGETS:
        raise ParameterError(f"effort: expected one of {', '.join(EFFORTS)}, got {effort!r:.60}")
    budget, cost = _BUDGETS[effort], _PYTHON_COST if game.needs_interpreter else 1
    if game.info.hidden:
        if not game.needs_interpreter and EquilibriumAgent.unsuitable(game) is None:
            return [_equilibrium(game, budget.solving)]
        return [recommended(game, budget.each // cost, budget.worlds, calls=calls)]
    tree = Spec.of("uct", iterations=budget.iterations // cost, c=1.0)
    if not comparable(game):
        return [tree]
    if declaration_of(game).players.tree_judges:
        return [Spec.of("every_move", nodes=budget.nodes // 8 // cost), tree]
    small = game.info.log10_states < 5 and not game.needs_interpreter
    return [Spec.of("every_move", nodes=max(budget.nodes, _SMALL_GAME_NODES) if small else budget.nodes // cost)]


def _equilibrium(game: Game, work: int) -> Spec:
    return Spec.of("equilibrium", iterations=max(20, min(work // compile_game(game).nodes, 20_000)), mixed=False)


def study(
    view: View, effort: Effort = "quick", seed: int = 0, stop: StopToken | None = None, *, calls: str = "all"
) -> Study:
    """The strongest analysis of a view within an effort; `stop` cuts it short.

    >>> import kiebitz as kb
    >>> found = study(kb.game("tic_tac_toe").load({"board": "xx.oo...."}).view(0))
    >>> found.spec, found.analysis.value
    ('every_move(nodes=3_000_000)', 1.0)
    """
    specs = advisers(view.game, effort, calls=calls)
    for last, spec in ((spec is specs[-1], spec) for spec in specs):
        asked = agent(spec, view.game, seed)
        asked.stop = stop
        analysis = asked.analyse(view)
        best = next((entry for entry in analysis.actions if entry.action == analysis.best), None)
        cut_short = stop is not None and stop.requested
        if last or cut_short or (best is not None and best.exact):
            return Study(asked.spec, analysis)
    raise AssertionError("the last adviser always answers")
