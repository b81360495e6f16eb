"""A no-limit bet in Python, for tests: one player may raise to any amount, the other folds or calls.

Its position nests: pots with the seats that can win them, and a list of what was done in each street.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import kiebitz as kb
from kiebitz.games.betting import BettingWords
from kiebitz.games.declaration import Declaration, Players

FOLD, CALL, FIRST_RAISE = 0, 1, 2


@lru_cache
def amounts(stack: int, step: int) -> tuple[int, ...]:
    """What may be raised to: steps from the smallest raise up, then everything."""
    return (*range(max(2, step), stack, step), stack)


class NoLimitState(kb.PythonState):
    """What was raised to, and who has answered."""

    def __init__(self, stack: int = 100, step: int = 1) -> None:
        self.stack = stack
        self.step = step
        self.bet = 1
        self.moves = 0
        self.folded = False
        self.pots: list[dict[str, Any]] = [{"chips": 2.0, "seats": [0, 1]}]
        self.streets: list[list[Any]] = [[], ["blinds", 1, None]]

    def amounts(self) -> tuple[int, ...]:
        return amounts(self.stack, self.step)

    def player(self) -> int:
        return kb.TERMINAL if self.folded or self.moves == 2 else self.moves

    def legal(self) -> list[int]:
        if self.player() == kb.TERMINAL:
            return []
        return [FOLD, CALL] if self.moves == 1 else list(range(FIRST_RAISE + len(self.amounts())))

    def apply(self, action: int) -> None:
        self.folded = action == FOLD
        self.moves += 1
        if action >= FIRST_RAISE:
            self.bet = self.amounts()[action - FIRST_RAISE]
        self.streets[0].append([self.kind(action), self.bet])
        self.pots[0]["chips"] += 0.0 if self.folded else float(self.bet)
        if self.folded:
            self.pots[0]["seats"].remove(self.moves - 1)

    def returns(self) -> list[float]:
        return [1.0, -1.0] if self.folded == (self.moves == 2) else [-1.0, 1.0]

    def kind(self, action: int) -> str:
        return {FOLD: "fold", CALL: "call"}.get(action, "raise")

    def amount(self, action: int) -> float:
        return float(self.bet if action == CALL else self.amounts()[action - FIRST_RAISE])


class NoLimit(kb.PythonGame):
    """The rules with a stack and the step of a raise."""

    name = "any_bet"
    state = NoLimitState
    declaration = Declaration(players=Players(defaults=("check", "fold")), words=BettingWords(amounts=True))
    max_length = 2
    kinds: tuple[kb.ActionKind, ...] = (
        kb.ActionKind("fold", "move"),
        kb.ActionKind("call", "move", "chips"),
        kb.ActionKind("raise", "move", "chips"),
    )

    def __init__(self, stack: int = 100, step: int = 1) -> None:
        self.stack, self.step = stack, step
        self.actions = FIRST_RAISE + stack

    def root(self) -> kb.PythonState:
        return NoLimitState(self.stack, self.step)
