"""The solvers by name. Each is one entry here: what it is called, what it needs, what it promises, how it is made."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from kiebitz import _core
from kiebitz._core import CompiledGame, StopToken
from kiebitz.errors import ParameterError, UnknownName, UnsuitableGame
from kiebitz.solve.compiled import rules_of
from kiebitz.solve.dynamics import TableSolver
from kiebitz.solve.measures import is_two_player_zero_sum
from kiebitz.solve.normal_form import maximin, normal_form
from kiebitz.solve.policy import Array, Policy
from kiebitz.solve.sequence_form import equilibrium
from kiebitz.spec import Spec, parse


class Solver(Protocol):
    """What runs in iterations; the solvers of the core do."""

    @property
    def iterations(self) -> int:
        """How many so far."""

    def iterate(self, count: int, stop: StopToken | None = None) -> None:
        """So many more."""

    def average(self, player: int) -> Any:
        """The answer so far: a probability for each sequence of a player."""

    def memory(self) -> tuple[Any, ...]:
        """All that is needed to go on: the iterations, then lists of arrays or numbers."""

    def load(self, *memory: Any) -> None:
        """Goes on where `memory` was taken."""


@dataclass(frozen=True)
class Method:
    """A solver that people can ask for."""

    name: str
    title: str
    promise: str
    """What its result is worth, in a sentence."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Names and defaults; a default of None must be given."""
    make: Callable[..., Solver] | None = None
    """From a compiled game and options; runs in iterations."""
    exact: Callable[[CompiledGame], Policy] | None = None
    """Solves at once."""
    zero_sum: bool = False
    """Refuses everything but two-player zero-sum games."""

    def check(self, compiled: CompiledGame) -> None:
        """Refuses games that the method is not made for."""
        game = compiled.game
        if self.zero_sum and not is_two_player_zero_sum(game):
            raise UnsuitableGame(
                f"{self.name} needs a two-player zero-sum game; {game.name} has {game.info.players} players and "
                f"{game.info.utility.replace('_', ' ')} payoffs"
            )

    def warning(self, compiled: CompiledGame) -> str | None:
        """What the method does not promise in a game that it runs on all the same."""
        if self.exact is not None or is_two_player_zero_sum(compiled.game):
            return None
        return (
            f"{self.name} converges to an equilibrium in two-player zero-sum games only; "
            f"in {compiled.game.name} NashConv says how close it came"
        )


_SIMULTANEOUS = {"simultaneous": False}
_EQUILIBRIUM = "in two-player zero-sum games the average converges to an equilibrium"


def _cfr(**fixed: Any) -> Callable[..., Solver]:
    return lambda compiled, **options: _core.Cfr(compiled, **{**fixed, **options})


def _restricted(compiled: CompiledGame, opponent: Policy, p: float, player: int, **options: Any) -> Solver:
    if not isinstance(opponent, Policy):
        raise ParameterError(f"opponent: expected a policy, got {type(opponent).__name__}")
    if rules_of(opponent.game) != rules_of(compiled.game):
        raise ParameterError(f"opponent: expected a policy for {compiled.game.to_json()}")
    if player not in (0, 1):
        raise ParameterError(f"player: expected 0 or 1, whose answer is asked for, got {player!r:.60}")
    if not isinstance(p, int | float) or isinstance(p, bool) or not 0 <= p <= 1:
        raise ParameterError(f"p: expected a probability from 0 to 1, got {p!r:.60}")
    other = 1 - player
    return _core.Cfr(
        compiled, floor=True, gamma=1.0, restricted=other, probability=p, given=opponent.strategies[other], **options
    )


def _maximin(compiled: CompiledGame) -> Policy:
    form = normal_form(compiled.game)
    return form.policy(maximin(form).strategies)


def _on_the_table(rule: str) -> Callable[..., Solver]:
    return lambda compiled, **options: TableSolver(compiled, rule, **options)


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("cfr", "counterfactual regret minimisation (2007)", _EQUILIBRIUM, _SIMULTANEOUS, _cfr()),
        Method(
            "cfr_plus",
            "CFR+: regrets never below 0, later iterations count more (2014)",
            _EQUILIBRIUM,
            _SIMULTANEOUS,
            _cfr(floor=True, gamma=1.0),
        ),
        Method(
            "lcfr",
            "linear CFR: iteration t counts t times (2019)",
            _EQUILIBRIUM,
            _SIMULTANEOUS,
            _cfr(alpha=1.0, beta=1.0, gamma=1.0),
        ),
        Method(
            "dcfr",
            "discounted CFR (2019)",
            _EQUILIBRIUM,
            {"alpha": 1.5, "beta": 0.0, "gamma": 2.0, **_SIMULTANEOUS},
            _cfr(),
        ),
        Method(
            "pcfr_plus",
            "predictive CFR+: the last regret as a guess of the next (2021)",
            _EQUILIBRIUM,
            {"gamma": 2.0, **_SIMULTANEOUS},
            _cfr(floor=True, predictive=True),
        ),
        Method(
            "mccfr",
            "Monte Carlo CFR: chance, external or outcome sampling (2009)",
            _EQUILIBRIUM + ", in expectation",
            {"sampling": "external", "exploration": 0.6, "seed": 0},
            _core.Mccfr,
        ),
        Method("xfp", "fictitious play in extensive form (2015)", _EQUILIBRIUM, {}, _core.FictitiousPlay),
        Method(
            "rnr",
            "restricted Nash response to an opponent who follows a given policy with probability p (2007)",
            "robust exploitation: p = 0 is an equilibrium, p = 1 a best response",
            {"opponent": None, "p": None, "player": 0, **_SIMULTANEOUS},
            _restricted,
            zero_sum=True,
        ),
        Method(
            "lp",
            "the sequence form as a linear programme (1996), solved by HiGHS",
            "an equilibrium to the precision of the machine",
            exact=equilibrium,
            zero_sum=True,
        ),
        Method(
            "maximin",
            "a linear programme over the table of all pure strategies (1928)",
            "an equilibrium to the precision of the machine; the table must be small",
            exact=_maximin,
            zero_sum=True,
        ),
        Method(
            "regret_matching",
            "regret matching on the table of all pure strategies (2000)",
            _EQUILIBRIUM,
            make=_on_the_table("regret_matching"),
        ),
        Method(
            "fictitious_play",
            "best responses to the mean so far, on the table of all pure strategies (1951)",
            _EQUILIBRIUM,
            make=_on_the_table("fictitious_play"),
        ),
        Method(
            "replicator",
            "strategies grow by their payoff, on the table of all pure strategies (1978)",
            "in two-player zero-sum games the average comes close to an equilibrium, the closer the smaller the step",
            {"alpha": 0.02},
            _on_the_table("replicator"),
        ),
        Method(
            "lagging_anchor",
            "gradient steps tied to an anchor, in every information set (2002)",
            "proved for matrix games; elsewhere NashConv says how close it came",
            {"estimate": "exact", "alpha": 0.1, "eta": 0.3, "games": 10, "seed": 0},
            _core.LaggingAnchor,
        ),
        Method(
            "backward_induction",
            "perfect information: best in every subgame",
            "a subgame-perfect equilibrium",
            exact=lambda compiled: Policy(compiled, compiled.subgame_perfect()),
        ),
    )
}


def find_method(text: str | Spec, given: Mapping[str, Any]) -> tuple[Method, dict[str, Any]]:
    """A method and its options from a spec such as ``dcfr(alpha=2)`` and further options by name.

    >>> method, options = find_method("dcfr(alpha=2)", {"gamma": 3.0})
    >>> method.name, options
    ('dcfr', {'alpha': 2.0, 'beta': 0.0, 'gamma': 3.0, 'simultaneous': False})
    >>> find_method("cfr+", {})[0].name
    'cfr_plus'
    """
    spec = parse(text.replace("+", "_plus")) if isinstance(text, str) else text
    if not isinstance(spec, Spec) or spec.name not in METHODS:
        name = spec.name if isinstance(spec, Spec) else text
        raise UnknownName(f"there is no method '{name}'; expected one of {', '.join(METHODS)}")
    method = METHODS[spec.name]
    if spec.args:
        raise ParameterError(f"{method.name}: expected options by name, such as {method.name}(name=value)")
    options = {**method.options}
    for name, value in (*spec.kwargs, *given.items()):
        if name not in options:
            expected = ", ".join(options) or "none"
            raise ParameterError(f"{method.name}: unknown option '{name}'; expected {expected}")
        options[name] = _read(f"{method.name}: {name}", options[name], _plain(value))
    missing = [name for name, value in options.items() if value is None]
    if missing:
        raise ParameterError(f"{method.name}: the option '{missing[0]}' is needed")
    return method, options


def _plain(value: Any) -> Any:
    """A word in a spec is text."""
    return value.name if isinstance(value, Spec) and not value.args and not value.kwargs else value


def _read(name: str, default: Any, value: Any) -> Any:
    """An option of the kind that its default is of; kinds without one are looked at by those who use them."""
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ParameterError(f"{name}: expected true or false, got {value!r:.60}")
    elif isinstance(default, int):
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63:
            raise ParameterError(f"{name}: expected a whole number from 0 up, got {value!r:.60}")
    elif isinstance(default, float):
        if not isinstance(value, int | float) or isinstance(value, bool) or math.isnan(value):
            raise ParameterError(f"{name}: expected a number, got {value!r:.60}")
        return float(value)
    elif isinstance(default, str) and not isinstance(value, str):
        raise ParameterError(f"{name}: expected a word, got {value!r:.60}")
    return value


def averages(compiled: CompiledGame, solver: Solver) -> list[Array]:
    """The average strategy of each player."""
    return [solver.average(player) for player in range(compiled.players)]
