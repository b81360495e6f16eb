"""Liar's dice, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import Game
from kiebitz.games.declaration import Bounds, Declaration, Peer, Players


class LiarsDicePeer(Peer):
    """``liars_dice`` of OpenSpiel."""

    def name(self, game: Game) -> str | None:
        """The rules are the same for two players."""
        dice = f"liars_dice(numdice={game.params['dice']},dice_sides={game.params['sides']})"
        return dice if game.params["players"] == 2 else None

    def actions(self, position: Mapping[str, Any]) -> Sequence[int]:
        """Dice, then bids."""
        return [*position["dice"], *position["bids"]]


PLAYERS = Players(
    levels={
        "casual": "equilibrium(iterations=5)",
        "strong": "equilibrium(iterations=15)",
        "best": "equilibrium",
    },
    peer=LiarsDicePeer(),
)

DECLARATION = Declaration(
    players=PLAYERS,
    bounds=Bounds(place=5, most={"players": 6, "dice": 5, "sides": 10}),
)
