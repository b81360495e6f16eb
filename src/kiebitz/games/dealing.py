"""Games of a series: in games that draw who begins, the start moves on from game to game. And games that go on from a
position of an earlier one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import CHANCE, Game, State
from kiebitz.seeds import derive_seed


def draws_start(game: Game) -> bool:
    """Whether the first chance move draws who begins.

    >>> import kiebitz as kb
    >>> draws_start(kb.game("doppelkopf")), draws_start(kb.game("kuhn")), draws_start(kb.game("nim"))
    (True, False, False)
    """
    root = game.root()
    seats = [f"seat {i}" for i in range(game.info.players)]
    return root.player == CHANCE and [root.name(action) for action in root.legal()] == seats


def card_names(game: Game) -> list[str]:
    """The names of the cards by their numbers, of a game that begins with dealing one.

    >>> import kiebitz as kb
    >>> card_names(kb.game("kuhn"))
    ['J', 'Q', 'K']
    """
    root = game.root()
    return [root.name(card) for card in root.legal()]


def deal(game: Game, seed: int, start: int | None = None) -> State:
    """The start of a game, chance resolved from the seed; with ``start``, this seat begins with the same cards.

    >>> import kiebitz as kb
    >>> game = kb.game("doppelkopf")
    >>> drawn, given = deal(game, 7), deal(game, 7, start=1)
    >>> drawn.position()["start"], given.position()["start"]
    (3, 1)
    >>> drawn.position()["hands"] == given.position()["hands"]
    True
    """
    state = game.new(seed=seed)
    if start is None:
        return state
    again = game.root()
    for action in [start, *state.history[1:]]:
        again.apply(action)
    return again


def resume(game: Game, seed: int, actions: Sequence[int], position: Mapping[str, Any] | None = None) -> list[State]:
    """A game up to a position: the states that players decided in, the last one to go on from; what chance brings then
    is resolved from the seed.

    ``actions`` are all from the start, or from a saved ``position``, chance included.

    >>> import kiebitz as kb
    >>> game = kb.game("leduc")
    >>> earlier = game.new(seed=3)
    >>> for action in ("call", "call"):
    ...     earlier.apply(earlier.parse(action))
    >>> states = resume(game, 7, earlier.history)
    >>> [len(state.history) for state in states], states[-1].key == earlier.key
    ([2, 3, 5], True)
    """
    state = game.root() if position is None else game.load(dict(position))
    states: list[State] = []
    for action in actions:
        if state.player != CHANCE:
            states.append(state.copy())
        state.apply(action)
    if game.info.chance:
        state.set_chance([derive_seed(seed, "chance", word) for word in range(4)])
    return [*states, state]
