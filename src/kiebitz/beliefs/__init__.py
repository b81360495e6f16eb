"""Which hidden worlds are likely: the beliefs of the core by name, and beliefs that hand over hands or worlds of their
own.

A world is a full state that a player cannot tell from the true one. Every hidden game has the belief ``exact``, which
draws worlds with the probability that follows from the rules; a game may bring more (``list_beliefs``). A belief made
in Python, for example a trained network, is registered under a name and hands over hands as one array, a row for each
world and in it an owner for each card of ``game.pack``:

    @register("first")
    class First:
        '''Always the same hands.'''

        def hands(self, view: View, count: int, seed: int) -> WeightedHands:
            return WeightedHands(view.hands(1, 0).repeat(count, axis=0))

It can then be written as ``pimc(belief=first)``. The core builds all worlds at once, draws what else is hidden, and
refuses hands that the view does not allow. For games without a pack a belief has ``worlds`` instead and hands over full
states (`WeightedWorlds`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import Game, State, View
from kiebitz.errors import ParameterError

EXACT = "exact"


@dataclass(frozen=True)
class WeightedWorlds:
    """Worlds drawn for one view, with weights; without weights all count the same."""

    worlds: list[State]
    weights: list[float] | None = None


@dataclass(frozen=True)
class WeightedHands:
    """Hands drawn for one view, with weights; without weights all count the same."""

    hands: NDArray[np.integer]
    """A row for each world: the owner of each card of ``game.pack``, -1 for nobody."""
    weights: list[float] | None = None


class WorldBelief(Protocol):
    """Draws worlds for a view: a pure function of view, number and seed."""

    def worlds(self, view: View, count: int, seed: int) -> WeightedWorlds:
        """`count` worlds consistent with the view."""


@runtime_checkable
class HandBelief(Protocol):
    """Draws hands for a view: a pure function of view, number and seed."""

    def hands(self, view: View, count: int, seed: int) -> WeightedHands:
        """`count` rows of owners consistent with the view."""


Belief = WorldBelief | HandBelief

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
    if made is None:
        return WeightedWorlds(view.worlds(count, seed, belief))
    if isinstance(made, HandBelief):
        drawn = made.hands(view, count, seed)
        return WeightedWorlds(view.worlds_of(drawn.hands, seed), drawn.weights)
    return made.worlds(view, count, seed)
