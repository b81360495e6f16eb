"""What is said about a game of Oware."""

from __future__ import annotations

from kiebitz._core import Game
from kiebitz.games.declaration import Words
from kiebitz.games.declaration.words import Unit, counted, phrase


class OwareWords(Words):
    """Everything is counted in seeds."""

    def unit(self, game: Game) -> Unit:
        """Seeds, of which a search says how many more are captured; in games that count wins only, too.

        >>> import kiebitz as kb
        >>> OwareWords().unit(kb.game("oware")).scale, OwareWords().unit(kb.game("oware", payoff="seeds")).scale
        (36, 1)
        """
        scale = 12 * game.params["seeds"] if game.params["payoff"] == "win" else 1
        title = phrase("Expected lead in seeds", "Erwarteter Vorsprung in Samen")
        return counted("seeds", "Samen", 0, 1.0, scale)._replace(title=title)
