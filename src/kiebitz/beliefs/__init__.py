"""Which hidden worlds are likely: the beliefs of the core by name, and beliefs that hand over worlds of their own.

A world is a full state that a player cannot tell from the true one. Every hidden game has the belief ``exact``, which
draws worlds with the probability that follows from the rules; a game may bring more (``list_beliefs``). A belief made
in Python, for example a trained network, is registered under a name and hands over a batch of worlds:

    @register("first")
    class First:
        '''Always the same world.'''

        def worlds(self, view: View, count: int, seed: int) -> WeightedWorlds:
            return WeightedWorlds(view.worlds(1, 0) * count)

It can then be written as ``pimc(belief=first)``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from kiebitz._core import Game, State, View
from kiebitz.errors import ParameterError

EXACT = "exact"


@dataclass(frozen=True)
class WeightedWorlds:
    """Worlds drawn for one view, with weights; without weights all count the same."""

    worlds: list[State]
    weights: list[float] | None = None


class Belief(Protocol):
    """Draws worlds for a view: a pure function of view, number and seed."""

    def worlds(self, view: View, count: int, seed: int) -> WeightedWorlds:
        """`count` worlds consistent with the view."""


_registry: dict[str, Belief] = {}
B = TypeVar("B", bound=Callable[[], Belief])


def register(name: str) -> Callable[[B], B]:
    """Registers a belief written in Python under a name."""
    if name == EXACT or not name.isidentifier():
        raise ParameterError(f"expected a name for the belief that is not '{EXACT}', got {name!r}")

    def add(make: B) -> B:
        _registry[name] = make()
        return make

    return add


def python_belief(name: str) -> Belief | None:
    """The belief written in Python under this name; None if the name belongs to the game.

    >>> python_belief("exact") is None
    True
    """
    return _registry.get(name)


def list_beliefs(game: Game) -> list[str]:
    """The beliefs that a search of this game can use, the usual one first.

    >>> import kiebitz as kb
    >>> list_beliefs(kb.game("leduc"))[0]
    'exact'
    """
    own: list[str] = list(game.info.beliefs) or [EXACT]
    return own + sorted(_registry)


def draw(view: View, count: int, seed: int = 0, belief: str = EXACT) -> WeightedWorlds:
    """Worlds for a view by any belief; those of the core are the ones that a search with this seed uses.

    >>> import kiebitz as kb
    >>> view = kb.game("kuhn").new(seed=1).view(0)
    >>> all(world.view(0) == view for world in draw(view, 5).worlds)
    True
    """
    made = python_belief(belief)
    return made.worlds(view, count, seed) if made is not None else WeightedWorlds(view.worlds(count, seed, belief))
