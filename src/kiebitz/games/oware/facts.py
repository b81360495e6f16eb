"""What is known of a position of Oware, and what losses are counted in."""

from __future__ import annotations

from kiebitz._core import Game, View
from kiebitz.games.declaration import Facts, Words
from kiebitz.games.declaration.facts import Public
from kiebitz.games.declaration.words import Unit, phrase
from kiebitz.games.scene import Scene


class OwareFacts(Facts):
    """Pits and captured seeds."""

    def public(self, scene: Scene) -> Public:
        """What everybody knows."""
        at = scene.state.position()
        return {"pits": at["pits"], "captured": at["captured"], "turn": scene.turn, "ended": at["ended"]}

    def text(self, view: View) -> None:
        """Pages draw the game."""


class OwareWords(Words):
    """Losses are counted in seeds."""

    def unit(self, game: Game, proven: bool) -> Unit:
        """Seeds, where a search estimates how many more are captured."""
        if game.params["payoff"] != "win" or proven:
            return super().unit(game, proven)
        return Unit(12 * game.params["seeds"], 0, phrase("seeds", "Samen"))
