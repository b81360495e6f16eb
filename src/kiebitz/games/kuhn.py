"""Kuhn poker, declared for the layers above the rules."""

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
from kiebitz.games.declaration.words import CHIPS, Line, Phrase, Unit
from kiebitz.games.scene import Scene


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


class KuhnFacts(Facts):
    """The betting, the pot, and the cards that were shown."""

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
        """All ways to deal one card each."""
        players = view.game.info.players
        if math.perm(players + 1, players) > MOST_DEALS:
            return None
        return matching(view, "cards", itertools.permutations(range(players + 1), players))


def deed_of(name: str, betting: str) -> str:
    """What an action is called after this betting.

    >>> deed_of("pass", ""), deed_of("pass", "pb"), deed_of("bet", "p"), deed_of("bet", "b")
    ('check', 'fold', 'bet', 'call')
    """
    return {"pass": "fold", "bet": "call"}[name] if "b" in betting else {"pass": "check", "bet": "bet"}[name]


class KuhnWords(Words):
    """Bets and passes as poker players call them."""

    def deed(self, scene: Scene, action: int) -> Phrase:
        """What the log tells."""
        return DEEDS[deed_of(scene.state.name(action), scene.public["betting"])]

    def events(self, before: Scene, after: Scene) -> list[Line]:
        """Every bet is public."""
        return [self.move(before, after)]

    def moves(self, view: View, names: Sequence[str], language: Language) -> list[str]:
        """Each by what was bet before."""
        betting, told = view.fields()["betting"], []
        for name in names:
            told.append(spoken(deed_of(name, betting), language))
            betting += name[0]
        return told

    def unit(self, game: Game, proven: bool) -> Unit:
        """Chips."""
        return CHIPS


DECLARATION = Declaration(
    players=PLAYERS,
    facts=KuhnFacts(),
    words=KuhnWords(),
    metrics=KuhnMetrics({"kuhn": betting}),
    bounds=Bounds(place=4, most={"players": 6}),
)
