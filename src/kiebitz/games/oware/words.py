"""What is said about a game of Oware."""

from __future__ import annotations

from kiebitz._core import Game
from kiebitz.games.declaration import Words
from kiebitz.games.declaration.words import Unit, phrase


class OwareWords(Words):
    """Losses are counted in seeds."""

    def unit(self, game: Game, proven: bool) -> Unit:
        """Seeds, where a search estimates how many more are captured."""
        if game.params["payoff"] != "win" or proven:
            return super().unit(game, proven)
        return Unit(12 * game.params["seeds"], 0, phrase("seeds", "Samen"))
