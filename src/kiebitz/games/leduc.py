"""Leduc hold'em, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import Game, State
from kiebitz.games.betting import BettingTerminal, BettingWords, betting_fields, card_text
from kiebitz.games.declaration import Bounds, Declaration, Facts, Metrics, PlayedPeer, Players
from kiebitz.games.declaration.fields import Fields, observer, pattern, whole
from kiebitz.games.declaration.words import Line, happened, phrase
from kiebitz.games.registry import game as make_game
from kiebitz.games.scene import Scene


class LeducPeer(PlayedPeer):
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
    defaults=("check", "call"),
    peer=LeducPeer(),
)


def betting(state: State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """For each seat whether it folded and how often it bet or raised; for the hand whether cards were shown."""
    del moves
    done = [(each["seat"], each["kind"]) for betting in state.view(0).public()["rounds"] for each in betting]
    return {
        "folded": [(seat, "fold") in done for seat in range(2)],
        "bets": [sum(who == seat and kind in ("bet", "raise") for who, kind in done) for seat in range(2)],
        "showdown": state.result()["by"] == "showdown",
    }


class LeducMetrics(Metrics):
    """Folds, bets and showdowns; the unit is the bet of the first round."""

    def bet(self, game: Game) -> float:
        """The bet of the first round."""
        return float(game.params["bets"][0])


class LeducWords(BettingWords):
    """Bets, and the card between the rounds."""

    def events(self, before: Scene, after: Scene) -> list[Line]:
        """What everybody saw."""
        events, card = super().events(before, after), after.public["public"]
        if card is not None and before.public["public"] is None:
            english, german = card_text(card, "en"), card_text(card, "de")
            events.append(happened("card", phrase(f"The public card is {english}", f"Offen liegt {german}")))
        return events


CARD = "[2-9TJQKA][cdhs]"
ACTIONS = "[fcr]*(/[fcr]*)?"

FIELDS: Fields = {
    "view.observer": observer(2),
    "view.dealt": whole("private cards dealt so far", 0, 2),
    "view.card": whole("your card: rank times the number of suits, plus suit"),
    "view.public": whole("the public card in the same way; -1: not yet dealt", -1),
    "view.betting": pattern(
        "the actions in order: f, c (check or call), r (bet or raise), / between rounds", ACTIONS, "crc/r"
    ),
    "view.shown": whole("the card that the other player shows at the end; -1: none", -1),
    "outline.hand[]": pattern("your card by name", CARD, "Ks"),
    "outline.public.public": pattern("the public card by name", CARD, "Jh", null=True),
    "outline.public.betting": pattern("as in the view", ACTIONS, "crc/r"),
    "outline.public.shown[]": pattern("the card that each seat shows at the end", CARD, "Qh", null=True),
    **betting_fields(2, "check", "bet", "call", "raise", "fold"),
}

TRAINED: dict[str, dict[str, Any]] = {
    "toy": {"steps": 1500, "measure_every": 250, "rl_rate": 0.05, "sl_rate": 0.05, "start": 200},
    "laptop": {"steps": 1_000_000, "hidden": 128, "rl_rate": 0.02, "measure_every": 10_000},
    "thesis": {"steps": 400_000, "instead": 1},
}
"""Neural fictitious self-play: ``thesis`` as published, where the actions that are not legal mean to call."""

DECLARATION = Declaration(
    players=PLAYERS,
    facts=Facts(drawn=True),
    words=LeducWords(),
    terminal=BettingTerminal(),
    metrics=LeducMetrics({"leduc": betting}),
    bounds=Bounds(place=3),
    fields=FIELDS,
    learning={"nfsp": TRAINED},
)
