"""equilibrium: solves a small game on the spot and plays the policy that it found.

Discounted regret minimisation (Brown and Sandholm 2019, DCFR) on the compiled game. In two-player zero-sum games the
average comes close to an equilibrium: nobody can win against it in the long run. In others it is a sensible policy
without that promise. Games are solved once for each set of rules and number of iterations, and kept.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from kiebitz._core import CompiledGame, Game, StopToken, View
from kiebitz.agents.base import Agent, register
from kiebitz.analysis import PlainActionValue, PlainAnalysis
from kiebitz.errors import Error, LimitError
from kiebitz.options import option, search_option
from kiebitz.solve.compiled import compile_game, rules_of
from kiebitz.solve.measures import measure
from kiebitz.solve.method import averages, find_method
from kiebitz.solve.policy import Policy
from kiebitz.solve.values import InformationSet, Places, Values, places_of

MOST_NODES = 400_000
"""Larger games are refused: solving them takes longer than a person waits."""
MOST_NODES_PYTHON = 20_000
"""The same for games written in Python, which are compiled more slowly."""
WORK = 150_000_000
"""Nodes times iterations where no number of iterations is given: well under a second."""
MOST_ITERATIONS = 4000
"""Where no number is given, no more than this: small games are solved to several digits long before."""
KEPT = 12
"""Most solved games that are kept."""
VERDICTS = 200
"""Sets of rules for which it is remembered whether they can be solved."""


@dataclass(frozen=True)
class MixedActionValue(PlainActionValue):
    """One action of a policy: its value, and how often it should be played."""

    share: float = 0.0


class Solved:
    """A solved game: its policy, and how far the policy of half the iterations was from it."""

    def __init__(self, policy: Policy, earlier: Policy, places: Places, iterations: int, stopped: bool) -> None:
        self.policy = policy
        self.iterations = iterations
        self.stopped = stopped
        self.distance = measure(policy).nash_conv
        """What all players together could still gain by deviating."""
        self._now, self._earlier = Values(policy, places), Values(earlier, places)

    def probabilities(self, view: View) -> dict[int, float]:
        """The probability of each action."""
        return self._now.probabilities(view)

    def at(self, view: View) -> tuple[InformationSet, dict[int, float]]:
        """The information set of a view, and for each action the error of its value: how much it moved in the second
        half of the iterations, and no less than what players could gain by deviating."""
        now, before = self._now.of(view), self._earlier.of(view)
        errors = {a: max(abs(value - before.values[a]), self.distance, 1e-9) for a, value in now.values.items()}
        return now, errors


_lock = threading.Lock()
_solving: dict[tuple[str, int], threading.Lock] = {}
"""One lock per game being solved."""
_kept: OrderedDict[tuple[str, int], Solved] = OrderedDict()
_places: OrderedDict[str, Places] = OrderedDict()
_verdicts: OrderedDict[str, str | None] = OrderedDict()


def solved(game: Game, iterations: int | None = None, stop: StopToken | None = None) -> Solved:
    """The game, solved. Solutions are kept, except those that were cut short.

    >>> import kiebitz as kb
    >>> solved(kb.game("kuhn")).distance < 0.001
    True
    """
    compiled = _compiled(game)
    count = iterations or usual_iterations(compiled)
    key = (rules_of(game), count)
    with _lock:
        alone = _solving.setdefault(key, threading.Lock())
    try:
        with alone:
            with _lock:
                if key in _kept:
                    _kept.move_to_end(key)
                    return _kept[key]
            found = _solve(compiled, count, stop)
            with _lock:
                if not found.stopped:
                    _keep(_kept, key, found)
            return found
    finally:
        with _lock:
            _solving.pop(key, None)


def _keep(where: OrderedDict[Any, Any], key: Any, value: Any, most: int = KEPT) -> None:
    where[key] = value
    where.move_to_end(key)
    while len(where) > most:
        where.popitem(last=False)


def usual_iterations(compiled: CompiledGame) -> int:
    """The number of iterations that takes well under a second.

    >>> usual_iterations(compile_game("kuhn"))
    4000
    """
    return max(20, min(MOST_ITERATIONS, WORK // compiled.nodes))


def _compiled(game: Game) -> CompiledGame:
    return compile_game(game, nodes=MOST_NODES_PYTHON if game.needs_interpreter else MOST_NODES)


def _solve(compiled: CompiledGame, iterations: int, stop: StopToken | None) -> Solved:
    method, options = find_method("dcfr", {})
    solver = method.solver(compiled, **options)
    solver.iterate(1)  # so that there is a policy even if it is cut short at once
    solver.iterate(max(0, iterations // 2 - 1), stop)
    earlier = Policy(compiled, averages(compiled, solver))
    if stop is None or not stop.requested:
        solver.iterate(iterations - solver.iterations, stop)
    policy = Policy(compiled, averages(compiled, solver))
    rules = rules_of(compiled.game)
    with _lock:
        places = _places.get(rules)
    if places is None:
        places = places_of(compiled)
        with _lock:
            _keep(_places, rules, places)
    return Solved(policy, earlier, places, solver.iterations, solver.iterations < iterations)


@dataclass(frozen=True)
class EquilibriumOptions:
    """Options of ``equilibrium``."""

    iterations: int | None = search_option(
        "uct",
        "iterations",
        help="iterations of the solver; without a number as many as take well under a second",
        most=MOST_ITERATIONS,
    )
    mixed: bool = option(True, "draw actions by their probabilities; false: the likeliest one that is not worse")


@register("equilibrium")
class EquilibriumAgent(Agent):
    """Solves a small hidden game on the first move and plays so that nobody gains by knowing how it plays.

    >>> import kiebitz as kb
    >>> kuhn = kb.game("kuhn")
    >>> king = kuhn.deal(["J", "K"], start=0)
    >>> king.apply(king.parse("bet"))
    >>> king.name(kb.agent("equilibrium", kuhn).act(king.view(1)))
    'bet'
    """

    Options = EquilibriumOptions
    options: EquilibriumOptions
    offered = 40
    solves = True

    @classmethod
    def unsuitable(cls, game: Game, cheating: bool = False) -> str | None:
        """Open games, where searches are better, and games that are too large to be solved while people wait."""
        rules = rules_of(game)
        with _lock:
            known = rules in _verdicts and not game.needs_interpreter
            verdict = _verdicts[rules] if known else None
        if not known:
            verdict = cls._verdict(game)
        with _lock:
            _keep(_verdicts, rules, verdict, VERDICTS)
        return verdict

    @classmethod
    def _verdict(cls, game: Game) -> str | None:
        if not game.info.hidden:
            return f"{cls.name} is for games with hidden information, and in {game.name} nothing is: try alphabeta"
        too_large = f"{cls.name}: {game.name} with these rules is too large to be solved on the spot: try pimc or best"
        if game.info.log10_states > 7:
            return too_large
        try:
            _compiled(game)
        except LimitError:
            return too_large
        except Error as error:
            return f"{cls.name}: {error}"
        return None

    def distribution(self, view: View) -> dict[int, float]:
        """The probability of each action."""
        return self._solved().probabilities(view)

    def move(self, view: View) -> int:
        """A draw that depends on seed and view alone; with ``mixed=false`` the likeliest action among the best."""
        found = self._solved()
        return self._choose(found, view) if self.options.mixed else _likeliest(*found.at(view))

    def analyse(self, view: View) -> PlainAnalysis:
        """Values and shares of all actions, and the one that it plays."""
        self._check_turn(view.player, view.observer)
        begun = time.perf_counter()
        found = self._solved()
        now, errors = found.at(view)
        best = self._choose(found, view) if self.options.mixed else _likeliest(now, errors)
        actions: list[PlainActionValue] = [
            MixedActionValue(a, view.name(a), found.iterations, value, errors[a], share=now.probabilities[a])
            for a, value in now.values.items()
        ]
        name = view.name(best)
        return PlainAnalysis(
            f"equilibrium, {found.iterations} iterations",
            view.player,
            best,
            name,
            value=now.values[best],
            actions=actions,
            line=[best],
            line_names=[name],
            iterations=found.iterations,
            seconds=time.perf_counter() - begun,
            stopped=found.stopped,
        )

    def _choose(self, found: Solved, view: View) -> int:
        left = self.seed_for(view) / 2**63
        chances = found.probabilities(view)
        for action, probability in chances.items():
            left -= probability
            if left < 0:
                return action
        return max(chances, key=lambda action: chances[action])

    def _solved(self) -> Solved:
        return solved(self.game, self.options.iterations, self.stop)


def _likeliest(now: InformationSet, errors: dict[int, float]) -> int:
    """The action played most often among those that are not clearly worse than the best."""
    top = max(now.values, key=lambda action: now.values[action])
    sound = [a for a, value in now.values.items() if now.values[top] - value <= 2 * (errors[a] + errors[top])]
    return max(sound, key=lambda action: now.probabilities[action])
