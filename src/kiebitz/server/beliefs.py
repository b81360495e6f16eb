"""Who may hold what: the hidden cards of a view as probabilities by seat, and a few worlds laid open.

In Doppelkopf the probabilities are exact and take into account what the rules say about what was seen (who could not
follow, who declared what). In Kuhn, Leduc and Liar's Dice they are those of the deal alone, exact as well: what to
conclude from bets and bids is left to the player. Where there are too many deals to count, they are estimated.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from kiebitz._core import Game, State, View
from kiebitz.errors import UnsuitableGame
from kiebitz.games.doppelkopf.situation import SEATS, card_code, card_name

SHOWN = 5
"""Worlds that are laid open."""
SAMPLED = 200
"""Worlds to estimate from where there are too many to count."""
MOST = 20_000
"""Deals that are counted one by one."""

_CODES = {card_name(card_code(action)): card_code(action) for action in range(24)}

Hands = list[list[str]]


def beliefs(view: View, seed: int = 0) -> dict[str, Any]:
    """For each card (each face of a die) the probability that a seat holds it, and up to five sampled worlds.

    >>> import kiebitz as kb
    >>> found = beliefs(kb.game("kuhn").deal(["Q", "J"], start=0).view(0))
    >>> found["cards"], found["exact"], found["given"]
    ({'J': [0.0, 0.5], 'Q': [1.0, 0.0], 'K': [0.0, 0.5]}, True, 'deal')
    """
    game = view.game
    if game.name not in _HANDS:
        raise UnsuitableGame(f"beliefs: expected a game with hidden cards, got {game.name}")
    cards, exact = _cards(view, seed)
    drawn = (_HANDS[game.name](state) for state in view.worlds(SHOWN, seed))
    different = list({repr(hands): hands for hands in drawn}.values())
    return {
        "cards": cards,
        "exact": exact,
        "given": "rules" if game.name == "doppelkopf" else "deal",
        "worlds": [{"hands": hands} for hands in different],
    }


def _cards(view: View, seed: int) -> tuple[dict[str, list[float]], bool]:
    """The table, and whether it is exact."""
    if view.game.name == "doppelkopf":
        known: dict[str, list[float]] = view.beliefs()["cards"]
        return {_CODES[name]: list(chances) for name, chances in known.items()}, True
    read = _HANDS[view.game.name]
    worlds = _all_worlds(view)
    exact = worlds is not None
    hands = [read(state) for state in (worlds if worlds is not None else view.worlds(SAMPLED, seed))]
    return _marginals(_names(view.game), hands, view.game.info.players), exact


def _marginals(names: Sequence[str], worlds: Sequence[Hands], players: int) -> dict[str, list[float]]:
    """In what share of the worlds a seat holds at least one of a card."""
    return {
        name: [sum(name in hands[seat] for hands in worlds) / len(worlds) for seat in range(players)] for name in names
    }


# --- All deals, one by one --------------------------------------------------------------------------------------------


def _all_worlds(view: View) -> list[State] | None:
    """Every world that the view allows, all equally likely by the deal; nothing if there are too many."""
    game, position = view.game, view.sample(0).position()
    field = "dice" if game.name == "liars_dice" else "cards"
    dealt = len(position[field])
    if game.name == "liars_dice":
        sides = game.params["sides"]
        size = float(sides**dealt)
        deals: Iterable[tuple[int, ...]] = itertools.product(range(sides), repeat=dealt)
    else:
        pack = _pack(game)
        size = float(math.perm(pack, dealt))
        deals = itertools.permutations(range(pack), dealt)
    if size > MOST:
        return None
    found = []
    for deal in deals:
        if position.get("public", -1) in deal:
            continue
        state = game.load({**position, field: list(deal)})
        if state.view(view.observer) == view:
            found.append(state)
    return found


def _pack(game: Game) -> int:
    return game.info.players + 1 if game.name == "kuhn" else game.params["ranks"] * game.params["suits"]


def _names(game: Game) -> list[str]:
    """The cards, or the faces of the dice."""
    if game.name == "liars_dice":
        return [str(face + 1) for face in range(game.params["sides"])]
    root = game.root()
    return [root.name(card) for card in root.legal()]


# --- Hands ------------------------------------------------------------------------------------------------------------


def _doppelkopf(state: State) -> Hands:
    return [str(state.view(seat).fields()["hand"]).split() for seat in range(SEATS)]


def _card_each(state: State) -> Hands:
    names = _names(state.game)
    return [[names[card]] for card in state.position()["cards"]]


def _dice(state: State) -> Hands:
    each, dice = state.game.params["dice"], state.position()["dice"]
    return [
        sorted(str(face + 1) for face in dice[each * seat : each * (seat + 1)]) for seat in range(len(dice) // each)
    ]


_HANDS: dict[str, Callable[[State], Hands]] = {
    "doppelkopf": _doppelkopf,
    "kuhn": _card_each,
    "leduc": _card_each,
    "liars_dice": _dice,
}
