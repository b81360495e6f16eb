"""Kuhn poker, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import Game, State
from kiebitz.games.betting import BettingWords
from kiebitz.games.declaration import Bounds, Declaration, Facts, Metrics, PlayedPeer, Players


class KuhnPeer(PlayedPeer):
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
    defaults=("check", "call"),
    peer=KuhnPeer(),
)


def betting(state: State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """For each seat whether it folded and how often it bet or called; for the hand whether cards were shown."""
    del moves
    done = [(each["seat"], each["kind"]) for betting in state.view(0).public()["rounds"] for each in betting]
    folded = [(seat, "fold") in done for seat in range(len(state.returns()))]
    return {
        "folded": folded,
        "bets": [sum(who == seat and kind in ("bet", "call") for who, kind in done) for seat in range(len(folded))],
        "showdown": sum(folded) < len(folded) - 1,
    }


class KuhnMetrics(Metrics):
    """Folds, bets and showdowns; every bet is one chip."""

    def bet(self, game: Game) -> float:
        """One chip."""
        del game
        return 1.0


DECLARATION = Declaration(
    players=PLAYERS,
    facts=Facts(drawn=True),
    words=BettingWords(),
    metrics=KuhnMetrics({"kuhn": betting}),
    bounds=Bounds(place=4, most={"players": 6}),
)
