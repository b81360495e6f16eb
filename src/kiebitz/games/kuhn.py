"""Kuhn poker, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import Game, State
from kiebitz.games.betting import BettingTerminal, BettingWords, betting_fields
from kiebitz.games.declaration import Bounds, Declaration, Facts, Metrics, PlayedPeer, Players
from kiebitz.games.declaration.fields import Fields, observer, pattern, whole


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


CARD = "[JQK]|1?[0-9]"

FIELDS: Fields = {
    "view.observer": observer(10),
    "view.card": whole("your card, the lowest is 0", 0, 10),
    "view.dealt": whole("cards dealt so far", 0, 10),
    "view.betting": pattern("the actions in order: p for pass, b for bet", "[pb]*", "pbp"),
    "view.shown[]": whole("the card that each seat shows at the end; -1: none", -1, 10),
    "outline.hand[]": pattern("your card by name", CARD, "Q"),
    "outline.public.betting": pattern("as in the view", "[pb]*", "pbp"),
    "outline.public.shown[]": pattern("the card that each seat shows at the end, by name", CARD, "Q", null=True),
    **betting_fields(10, "check", "bet", "call", "fold"),
}

TRAINED: dict[str, dict[str, Any]] = {
    "toy": {"steps": 1500, "measure_every": 250, "rl_rate": 0.05, "sl_rate": 0.05, "start": 200},
    "laptop": {"steps": 100_000},
}
"""Neural fictitious self-play."""

DECLARATION = Declaration(
    players=PLAYERS,
    facts=Facts(drawn=True),
    words=BettingWords(),
    terminal=BettingTerminal(),
    metrics=KuhnMetrics({"kuhn": betting}),
    bounds=Bounds(place=4, most={"players": 6}),
    fields=FIELDS,
    learning={"nfsp": TRAINED},
)
