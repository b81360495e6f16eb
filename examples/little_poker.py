"""Little poker, a game with hidden cards in one file.

Both players put in 1 and get one card. The first passes, and the cards are compared, or bets 1 more. Then the second
folds or calls. The higher card wins.

    kiebitz play examples/little_poker.py
    kiebitz solve examples/little_poker.py
    kiebitz serve --games examples/little_poker.py
"""

from __future__ import annotations

from random import Random
from typing import Any

import kiebitz as kb

PASS, BET, FOLD, CALL = range(4)
NAMES = ("pass", "bet", "fold", "call")


class LittlePokerState(kb.PythonState):
    """Everything, as the dealer sees it: the cards, 0 while they are not dealt, and what was done."""

    def __init__(self, deck: int) -> None:
        self.deck = deck
        self.cards = [0, 0]
        self.done: list[int] = []

    def player(self) -> int:
        """Chance deals two cards; a bet asks the second player."""
        if 0 in self.cards:
            return kb.CHANCE
        if not self.done:
            return 0
        return 1 if self.done == [BET] else kb.TERMINAL

    def legal(self) -> list[int]:
        """Cards are numbered from 1; chance may deal those that are left, each as likely."""
        if self.player() == kb.CHANCE:
            return [card for card in range(1, self.deck + 1) if card not in self.cards]
        return {0: [PASS, BET], 1: [FOLD, CALL]}.get(self.player(), [])

    def apply(self, action: int) -> None:
        """A card to the first who has none, or what a player does."""
        if self.player() == kb.CHANCE:
            self.cards[self.cards.index(0)] = action
        else:
            self.done.append(action)

    def returns(self) -> list[float]:
        """The ante, or the ante and the bet, for the higher card; a fold gives up the ante."""
        if FOLD in self.done:
            return [1.0, -1.0]
        won = 2.0 if CALL in self.done else 1.0
        return [won, -won] if self.cards[0] > self.cards[1] else [-won, won]

    def name(self, action: int) -> str:
        """Words for what players do, numbers for cards."""
        return str(action) if self.player() == kb.CHANCE else NAMES[action]

    def view(self, player: int) -> dict[str, Any]:
        """What a player may know: not the other's card, unless it is shown."""
        seen = self.save()
        shown = self.done in ([PASS], [BET, CALL])
        dealt = [card > 0 for card in self.cards]
        cards = [card if seat == player or shown else 0 for seat, card in enumerate(self.cards)]
        return {**seen, "cards": cards, "dealt": dealt}


@kb.register
class LittlePoker(kb.PythonGame):
    """The descriptor, and how a hidden card is drawn."""

    name = "little_poker"
    title = "Little poker"
    hidden = True
    chance = True
    max_length = 4
    min_payoff = -2.0
    max_payoff = 2.0

    def __init__(self, deck: int = 6) -> None:
        if not 3 <= deck <= 100:
            raise kb.ParameterError(f"deck: expected 3 to 100 cards, got {deck}")
        self.deck = deck
        self.actions = max(len(NAMES), deck + 1)
        self.max_legal = deck

    def root(self) -> LittlePokerState:
        """Nothing is dealt."""
        return LittlePokerState(self.deck)

    def sample(self, view: dict[str, Any], observer: int, random: Random) -> kb.PythonState:
        """A whole state with its probability given the view: any other card is as likely."""
        del observer
        cards = list(view["cards"])
        for seat, dealt in enumerate(view["dealt"]):
            if dealt and not cards[seat]:
                cards[seat] = random.choice([card for card in range(1, self.deck + 1) if card not in cards])
        return self.load({"deck": self.deck, "cards": cards, "done": list(view["done"])})

    def public(self, view: dict[str, Any]) -> dict[str, Any]:
        """What everybody knows; servers and programs read it."""
        shown = view["done"] in ([PASS], [BET, CALL])
        return {"done": [NAMES[action] for action in view["done"]], "shown": view["cards"] if shown else None}

    def outline(self, view: dict[str, Any], observer: int) -> dict[str, Any]:
        """What the observer knows beyond that."""
        return {"hand": [str(view["cards"][observer])] if view["cards"][observer] else []}
