"""A tiny hidden game written in Python, for tests: a coin that only player 0 sees, a hidden penny and a guess.

Chance tosses a coin that shows heads one time in three. Player 0 sees it and hides a penny on heads or on tails. Player
1 has seen nothing and guesses the penny. A right guess wins 1, or 2 if the coin shows the same side.
"""

from __future__ import annotations

from random import Random
from typing import Any

import kiebitz as kb

SIDES = ("tails", "heads")
HEADS = 1 / 3
UNKNOWN = -1


class PenniesState(kb.PythonState):
    """Three sides, or UNKNOWN where not yet chosen."""

    def __init__(self) -> None:
        self.coin = UNKNOWN
        self.penny = UNKNOWN
        self.guess = UNKNOWN

    def player(self) -> int:
        if self.coin == UNKNOWN:
            return kb.CHANCE
        if self.penny == UNKNOWN:
            return 0
        return 1 if self.guess == UNKNOWN else kb.TERMINAL

    def legal(self) -> list[int]:
        return [] if self.player() == kb.TERMINAL else [0, 1]

    def outcomes(self) -> list[tuple[int, float]]:
        return [(0, 1 - HEADS), (1, HEADS)]

    def apply(self, action: int) -> None:
        if self.coin == UNKNOWN:
            self.coin = action
        elif self.penny == UNKNOWN:
            self.penny = action
        else:
            self.guess = action

    def returns(self) -> list[float]:
        stake = 2.0 if self.coin == self.penny else 1.0
        return [-stake, stake] if self.guess == self.penny else [stake, -stake]

    def name(self, action: int) -> str:
        return SIDES[action]

    def view(self, player: int) -> dict[str, Any]:
        seen = self.save()
        if player == 1 and self.guess == UNKNOWN:
            seen["coin"] = seen["penny"] = UNKNOWN
        return {**seen, "moves": sum(side != UNKNOWN for side in self.save().values())}


class Pennies(kb.PythonGame):
    """The descriptor and the sampler."""

    name = "pennies"
    title = "Hidden pennies"
    state = PenniesState
    actions = 2
    max_length = 3
    min_payoff = -2.0
    max_payoff = 2.0
    hidden = True
    chance = True
    tensor_size = 6

    def load(self, position: dict[str, Any]) -> kb.PythonState:
        state = super().load(position)
        sides = list(position.values())
        made = [side for side in sides if side != UNKNOWN]
        if any(side not in (0, 1) for side in made) or sides[: len(made)] != made:
            raise kb.PositionError("expected sides 0 and 1, coin before penny before guess")
        return state

    def sample(self, view: dict[str, Any], observer: int, random: Random) -> kb.PythonState:
        del observer
        coin, penny = view.get("coin"), view.get("penny")
        moves = view.get("moves", 0)
        if moves > 0 and coin == UNKNOWN:
            coin = int(random.random() < HEADS)
        if moves > 1 and penny == UNKNOWN:
            penny = random.randrange(2)
        return self.load({"coin": coin, "penny": penny, "guess": view.get("guess")})

    def public(self, view: dict[str, Any]) -> dict[str, Any]:
        done = view["moves"] == 3
        return {"moves": view["moves"], "sides": [SIDES[view[name]] for name in ("coin", "penny")] if done else None}

    def outline(self, view: dict[str, Any], observer: int) -> dict[str, Any]:
        return {"hand": [SIDES[view["coin"]]] if observer == 0 and view["coin"] != UNKNOWN else []}

    def tensor(self, view: dict[str, Any], observer: int) -> list[float]:
        del observer
        return [float(view[name] == side) for name in ("coin", "penny", "guess") for side in (0, 1)]
