"""Walks through all states of a small game."""

from __future__ import annotations

import kiebitz as kb


def everything(game: kb.Game) -> list[kb.State]:
    """All nodes of the game tree."""
    found: list[kb.State] = []
    waiting = [game.root()]
    while waiting:
        state = waiting.pop()
        found.append(state)
        for action in state.legal():
            below = state.copy()
            below.apply(action)
            waiting.append(below)
    return found


def decisions(game: kb.Game) -> list[kb.State]:
    """All nodes in which a player moves."""
    return [state for state in everything(game) if state.player >= 0]
