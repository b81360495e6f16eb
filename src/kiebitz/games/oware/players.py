"""How Oware is best played: deep alpha-beta with a table of endings."""

from __future__ import annotations

from typing import Any

from kiebitz._core import Game, Known
from kiebitz.games.declaration import Players
from kiebitz.games.declaration.players import Lesson
from kiebitz.games.oware.openspiel import OwarePeer

NODES = 25
"""Positions of alpha-beta that take as long as a simulation."""


class OwarePlayers(Players):
    """``oware_master``, and the table of endings that it uses."""

    def search(self, game: Game, iterations: int, worlds: int) -> str:
        """Alpha-beta that takes about as long as the simulations would.

        >>> import kiebitz as kb
        >>> OwarePlayers().search(kb.game("oware"), 100, 20)
        'oware_master(nodes=50000)'
        """
        del game
        return f"oware_master(nodes={NODES * iterations * worlds})"

    def endings(self, game: Game) -> Known:
        """The table of positions with few seeds."""
        from kiebitz.games.oware.endgame import SEEDS, endgame  # a command, too: it must not be loaded with its package

        return endgame(game, SEEDS)


def lesson(game: Game) -> dict[str, Any]:
    """A late position in which one pit captures and the next one would capture everything.

    >>> import kiebitz as kb
    >>> state = kb.game("oware", preset="abapa").load(lesson(kb.game("oware", preset="abapa")))
    >>> state.apply(state.parse("F"))
    >>> state.position()["captured"]
    [19, 16]
    """
    pits = [1, 1, 0, 2, 5, 1, 2, 2, 1, 1, 0, 0]
    each = (12 * game.params["seeds"] - sum(pits)) // 2
    return {"pits": pits, "captured": [each, each], "player": 0}


PLAYERS = OwarePlayers(
    lesson=Lesson(position=lesson),
    levels={
        "casual": "uct(iterations=50)",
        "strong": "alphabeta(depth=4)",
        "learned": "uct(iterations=2000, prior=shipped)",
        "best": "oware_master(nodes=3_000_000)",
    },
    peer=OwarePeer(),
)
