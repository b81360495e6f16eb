"""nim_perfect wins every won position of Nim, and the lost ones are those of Bouton's theorem."""

from __future__ import annotations

import itertools
import json

import pytest

import kiebitz as kb
from kiebitz.agents.nim.perfect import is_lost


@pytest.mark.requirement("DL-6")
@pytest.mark.parametrize(("heaps", "most"), [(1, 10), (2, 10), (3, 5)])
def test_nim_bot_wins_every_won_position(heaps: int, most: int) -> None:
    """Against every line of the opponent; and exactly the positions with XOR 0 are lost."""
    game = kb.game("nim", heaps=[most] * heaps)
    bot = kb.agent("nim_perfect", game)
    winning: dict[str, bool] = {}

    def wins(state: kb.State, hero: int) -> bool:
        """Whether the bot wins from here whatever the other one does."""
        if state.player == kb.TERMINAL:
            return state.returns()[hero] == 1.0
        key = json.dumps([state.position(), hero])
        if key not in winning:
            actions = [bot.act(state.view(hero))] if state.player == hero else state.legal()
            below = []
            for action in actions:
                child = state.copy()
                child.apply(action)
                below.append(wins(child, hero))
            winning[key] = all(below)
        return winning[key]

    tried = 0
    for sizes in itertools.product(range(most + 1), repeat=heaps):
        if not any(sizes):
            continue
        for player in (0, 1):
            try:
                state = game.load({"heaps": list(sizes), "player": player})
            except kb.PositionError:
                continue  # this player cannot be to move here
            tried += 1
            xor = 0
            for size in sizes:
                xor ^= size
            assert is_lost(list(sizes), misere=False) == (xor == 0)
            assert wins(state, player) == (xor != 0)
    assert tried >= (most + 1) ** heaps - 1
