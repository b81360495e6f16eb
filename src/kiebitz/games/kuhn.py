"""Kuhn poker, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import Game
from kiebitz.games.declaration import Bounds, Declaration, Peer, Players


class KuhnPeer(Peer):
    """``kuhn_poker`` of OpenSpiel."""

    draws_worlds = True

    def name(self, game: Game) -> str:
        """The rules are the same for any number of players."""
        return f"kuhn_poker(players={game.params['players']})"

    def actions(self, position: Mapping[str, Any]) -> Sequence[int]:
        """Cards, then passes and bets."""
        return [*position["cards"], *("pb".index(letter) for letter in position["betting"])]


PLAYERS = Players(
    levels={
        "casual": "equilibrium(iterations=2)",
        "strong": "equilibrium(iterations=8)",
        "best": "equilibrium",
    },
    peer=KuhnPeer(),
)

DECLARATION = Declaration(
    players=PLAYERS,
    bounds=Bounds(place=4, most={"players": 6}),
)
