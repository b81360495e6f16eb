"""nim_perfect: Bouton's theory of Nim (Bouton 1901, Nim, a game with a complete mathematical theory).

A player wins by leaving heaps whose binary digits add up to an even number in every place. In misère play the same
holds until a move would leave only heaps of one: then an odd number of them must be left instead of an even one.
"""

from __future__ import annotations

from functools import reduce
from operator import xor

from kiebitz._core import Game, View
from kiebitz.agents.base import Agent, register


def is_lost(heaps: list[int], misere: bool) -> bool:
    """Whether the player to move loses against perfect play.

    >>> is_lost([1, 2, 3], misere=False), is_lost([1, 1], misere=False), is_lost([1, 1], misere=True)
    (True, True, False)
    """
    if misere and all(heap <= 1 for heap in heaps):
        return sum(heaps) % 2 == 1
    return reduce(xor, heaps, 0) == 0


@register("nim_perfect")
class NimPerfect(Agent):
    """Plays Nim perfectly, normal and misère; from a lost position it takes the first action."""

    offered = 20
    searches = False

    @classmethod
    def unsuitable(cls, game: Game, cheating: bool = False) -> str | None:
        """It plays one game only."""
        return None if game.name == "nim" else f"nim_perfect plays only nim, not {game.name}"

    def move(self, view: View) -> int:
        """The first action that leaves a lost position, else the first."""
        misere = bool(self.game.params["misere"])
        for action in view.legal():
            after = view.sample(0)
            after.apply(action)
            if is_lost([int(heap) for heap in after.position()["heaps"]], misere):
                return action
        return view.legal()[0]
