"""Leduc hold'em, declared for the layers above the rules."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import Game, State, View
from kiebitz.games.betting import DEEDS, spoken
from kiebitz.games.dealing import card_names
from kiebitz.games.declaration import Bounds, Declaration, Facts, Language, Metrics, Peer, Players, Words
from kiebitz.games.declaration.facts import MOST_DEALS, Hands, Public, matching
from kiebitz.games.declaration.words import CHIPS, Line, Phrase, Unit, happened, phrase
from kiebitz.games.registry import game as make_game
from kiebitz.games.scene import Scene


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


class LeducFacts(Facts):
    """The public card, the betting, the pot, and the cards that were shown."""

    def public(self, scene: Scene) -> Public:
        """What everybody knows."""
        return scene.view(0).public()

    def text(self, view: View) -> None:
        """Pages draw the game."""

    def holdings(self, game: Game) -> list[str]:
        """The cards of the pack."""
        return card_names(game)

    def hands(self, state: State) -> Hands:
        """One card each."""
        names = card_names(state.game)
        return [[names[card]] for card in state.position()["cards"]]

    def deals(self, view: View) -> list[State] | None:
        """All ways to deal one card each, the public card left out."""
        pack = view.game.params["ranks"] * view.game.params["suits"]
        if math.perm(pack, 2) > MOST_DEALS:
            return None
        rest = [card for card in range(pack) if card != view.fields()["public"]]
        return matching(view, "cards", itertools.permutations(rest, 2))


class LeducWords(Words):
    """Bets as poker players call them."""

    def deed(self, scene: Scene, action: int) -> Phrase:
        """What the log tells."""
        return DEEDS[scene.state.name(action)]

    def events(self, before: Scene, after: Scene) -> list[Line]:
        """Every bet is public, and so is the card between the rounds."""
        events, card = [self.move(before, after)], after.public["public"]
        if card is not None and before.public["public"] is None:
            events.append(happened("card", phrase(f"The public card is {card}", f"Offen liegt {card}")))
        return events

    def moves(self, view: View, names: Sequence[str], language: Language) -> list[str]:
        """As poker players call them."""
        return [spoken(name, language) for name in names]

    def unit(self, game: Game, proven: bool) -> Unit:
        """Chips."""
        return CHIPS


DECLARATION = Declaration(
    players=PLAYERS,
    facts=LeducFacts(),
    words=LeducWords(),
    metrics=LeducMetrics({"leduc": betting}),
    bounds=Bounds(place=3),
)
