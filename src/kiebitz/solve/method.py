"""What a method of the solver is, and the registry of all methods.

A method is one function from a compiled game to a solver that iterates, or to a policy if it solves at once. Its
keyword arguments are its options, its docstring is its title:

    @register_method("nobody", promise="nothing at all")
    def nobody(compiled: CompiledGame, *, seed: Annotated[int, "random numbers"] = 0) -> Policy:
        '''All actions alike.'''
        return Policy.uniform(compiled.game)

Then ``kiebitz solve -m nobody`` and `kiebitz.solve.solve` know it. The methods of Kiebitz are in methods.py.
"""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from kiebitz._core import CompiledGame, Game, StopToken
from kiebitz.errors import ParameterError, UnknownName, UnsuitableGame
from kiebitz.options import OptionInfo, describe, keyword_options, read
from kiebitz.solve.measures import is_two_player_zero_sum
from kiebitz.solve.policy import Array, Policy
from kiebitz.spec import Spec, SpecError, parse


class Solver(Protocol):
    """What runs in iterations; the solvers of the core do."""

    @property
    def iterations(self) -> int:
        """How many so far."""

    def iterate(self, count: int, stop: StopToken | None = None) -> None:
        """Runs `count` more iterations."""

    def average(self, player: int) -> Any:
        """The answer so far: a probability for each sequence of a player."""

    def memory(self) -> tuple[Any, ...]:
        """All that is needed to continue: the iterations, then lists of arrays or numbers."""

    def load(self, *memory: Any) -> None:
        """Continues where `memory` was taken."""


class Need(NamedTuple):
    """What a method asks of a game."""

    words: str
    met: Callable[[Game], bool]


TWO_PLAYERS = Need("two players", lambda game: game.info.players == 2)
ZERO_SUM_FOR_TWO = Need("a two-player zero-sum game", is_two_player_zero_sum)
PERFECT_INFORMATION = Need("perfect information", lambda game: not game.info.hidden)


@dataclass(frozen=True)
class Method:
    """A method that people can ask for."""

    name: str
    title: str
    promise: str
    """What its result is worth, in a sentence."""
    needs: tuple[Need, ...]
    """Besides a game that can be compiled: finite, and no player forgets what it did."""
    Options: type[Any]
    function: Callable[..., Any]
    at_once: bool
    """Whether it solves at once; otherwise it runs in iterations."""

    @property
    def options(self) -> list[OptionInfo]:
        """Its options as people see them."""
        return describe(self.Options)

    def check(self, game: Game) -> None:
        """Refuses games that the method is not made for."""
        for need in self.needs:
            if not need.met(game):
                information = "hidden" if game.info.hidden else "perfect"
                raise UnsuitableGame(
                    f"{self.name} needs {need.words}; {game.name} has {game.info.players} players, "
                    f"{game.info.utility.replace('_', ' ')} payoffs and {information} information"
                )

    def warning(self, game: Game) -> str | None:
        """What the method does not promise in a game that it runs on all the same."""
        if self.at_once or is_two_player_zero_sum(game):
            return None
        return (
            f"{self.name} converges to an equilibrium in two-player zero-sum games only; "
            f"in {game.name} NashConv says how close it came"
        )

    def solver(self, compiled: CompiledGame, **options: Any) -> Solver:
        """A new solver, for methods that run in iterations."""
        assert not self.at_once, f"{self.name} solves at once"
        return typing.cast(Solver, self.function(compiled, **options))

    def policy(self, compiled: CompiledGame, **options: Any) -> Policy:
        """The answer, for methods that solve at once."""
        assert self.at_once, f"{self.name} runs in iterations"
        return typing.cast(Policy, self.function(compiled, **options))

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.title}", f"promise: {self.promise}"]
        lines += [f"needs: {', '.join(need.words for need in self.needs)}"] if self.needs else []
        for each in self.options:
            default = "required" if each.required else f"{each.default}"
            lines.append(f"  {each.name} ({default}): {each.help}")
        return "\n".join(lines)


METHODS: dict[str, Method] = {}
"""All methods by name, in the order in which they were registered."""

F = typing.TypeVar("F", bound=Callable[..., Any])


def register_method(name: str, *, promise: str, needs: tuple[Need, ...] = ()) -> Callable[[F], F]:
    """Makes a function known as a method of the solver.

    >>> from typing import Annotated
    >>> @register_method("alike", promise="nothing at all")
    ... def alike(compiled: CompiledGame) -> Policy:
    ...     '''All actions alike.'''
    ...     return Policy.uniform(compiled.game)
    >>> import kiebitz as kb
    >>> kb.solve.solve("kuhn", "alike").run.method
    'alike'
    >>> print(METHODS.pop("alike"))
    alike: All actions alike
    promise: nothing at all
    """
    if str(Spec(name)) != name:
        raise SpecError(f"expected a name, got {name!r}")

    def add(function: F) -> F:
        known = METHODS.get(name)
        if known is not None and known.function.__qualname__ != function.__qualname__:
            raise SpecError(f"there is already a method named '{name}'")
        title = (inspect.getdoc(function) or "").partition("\n")[0].removesuffix(".")
        at_once = typing.get_type_hints(function).get("return") is Policy
        METHODS[name] = Method(name, title, promise, needs, keyword_options(function), function, at_once)
        return function

    return add


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
    return method, vars(read(spec, method.Options, given))


def method_spec(method: Method, options: Mapping[str, Any]) -> str:
    """The method as people write it, with the options that are not the defaults.

    >>> method_spec(*find_method("dcfr(alpha=2)", {}))
    'dcfr(alpha=2.0)'
    """
    defaults = {field.name: field.default for field in dataclasses.fields(method.Options)}
    changed = [
        f"{name}={value}"
        for name, value in options.items()
        if not isinstance(value, Policy) and value != defaults[name]
    ]
    return f"{method.name}({', '.join(changed)})" if changed else method.name


def averages(compiled: CompiledGame, solver: Solver) -> list[Array]:
    """The average strategy of each player."""
    return [solver.average(player) for player in range(compiled.players)]
