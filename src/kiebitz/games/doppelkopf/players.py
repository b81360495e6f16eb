"""How Doppelkopf is best played: by sampled worlds, one tree each, with settings that were measured (docs/experiments).

Calls wait for the last possible moment, worlds are drawn exactly and the last four tricks are solved. Calls and solos
must beat their alternative on the same worlds by a margin, because open cards and random playouts flatter the player
who takes the risk.
"""

from __future__ import annotations

from kiebitz._core import Game
from kiebitz.games.declaration import Players
from kiebitz.games.declaration.players import Lesson


class DoppelkopfPlayers(Players):
    """Sampled worlds with measured settings."""

    def search(self, game: Game, iterations: int, worlds: int) -> str:
        """PIMC over UCT, the last tricks solved exactly."""
        del game
        tree = (
            f"uct(iterations={iterations}, c=2.5, scale=siblings, expand=all, tree_calls=none, playout_calls=none, "
            "class_share=0.5)"
        )
        care = "care=0.5, margin=0.7, bid_margin=1.0, exact_last=16"
        return f"pimc({tree}, worlds={worlds}, fusion=value, {care})"


PLAYERS = DoppelkopfPlayers(
    lesson=Lesson(2346),  # Re with eight trumps, two side aces, a fox and a jack of clubs; nobody has a wedding
    levels={
        "beginner": "best(iterations=10, worlds=1, calls=false, solos=false)",
        "casual": "rule_of_thumb",
        "strong": "best(iterations=300, worlds=15)",
        "best": "best(iterations=3000, worlds=60)",
    },
)
