"""Games of a series: in games that draw who begins, the start moves on from game to game."""

from __future__ import annotations

from kiebitz._core import CHANCE, Game, State


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
