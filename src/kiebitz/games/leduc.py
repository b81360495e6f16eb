"""Leduc hold'em, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import Game, State
from kiebitz.games.declaration import Bounds, Declaration, Metrics, Peer, Players
from kiebitz.games.registry import game as make_game


class LeducPeer(Peer):
    """``leduc_poker`` of OpenSpiel."""

    draws_worlds = True

    def name(self, game: Game) -> str | None:
        """Only the standard rules are the same there."""
        return "leduc_poker" if game.params == make_game("leduc", "standard").params else None

    def actions(self, position: Mapping[str, Any]) -> Sequence[int]:
        """Cards, then the betting with the public card between its rounds."""
        numbers = {"f": 0, "c": 1, "r": 2, "/": position["public"]}
        return [*position["cards"], *(numbers[letter] for letter in position["betting"])]


PLAYERS = Players(
    levels={
        "casual": "equilibrium(iterations=8)",
        "strong": "equilibrium(iterations=20)",
        "best": "equilibrium",
    },
    peer=LeducPeer(),
)


def betting(state: State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """For each seat whether it folded and how often it bet or raised; for the hand whether cards were shown."""
    fold, bet = 0, 2
    return {
        "folded": [(seat, fold) in moves for seat in range(2)],
        "bets": [sum(move == (seat, bet) for move in moves) for seat in range(2)],
        "showdown": state.result()["by"] == "showdown",
    }


class LeducMetrics(Metrics):
    """Folds, bets and showdowns; the unit is the bet of the first round."""

    def bet(self, game: Game) -> float:
        """The bet of the first round."""
        return float(game.params["bets"][0])


DECLARATION = Declaration(
    players=PLAYERS,
    metrics=LeducMetrics({"leduc": betting}),
    bounds=Bounds(place=3),
)
