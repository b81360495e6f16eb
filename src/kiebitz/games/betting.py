"""What players of betting games say, in English and German."""

from __future__ import annotations

from collections.abc import Sequence

from kiebitz._core import Game, View
from kiebitz.games.declaration.words import CHIPS, Language, Line, Phrase, Unit, Words, phrase
from kiebitz.games.scene import Scene

_DEEDS: dict[str, Phrase] = {
    "bet": phrase("bets", "setzt"),
    "check": phrase("checks", "schiebt"),
    "call": phrase("calls", "geht mit"),
    "raise": phrase("raises", "erhöht"),
    "fold": phrase("folds", "steigt aus"),
}
"""Kinds of actions, after a name."""
_GERMAN = {"bet": "setzen", "check": "schieben", "call": "mitgehen", "raise": "erhöhen", "fold": "aussteigen"}


class BettingWords(Words):
    """Public bets, told by their kinds; losses are counted in chips."""

    def deed(self, scene: Scene, action: int) -> Phrase:
        """What the log tells.

        >>> import kiebitz as kb
        >>> BettingWords().deed(Scene(kb.game("kuhn").new(seed=1)), 0)
        {'en': 'checks', 'de': 'schiebt'}
        """
        return _DEEDS[scene.state.kind(action)]

    def events(self, before: Scene, after: Scene) -> list[Line]:
        """Everybody sees every bet."""
        return [self.move(before, after)]

    def action(self, view: View, action: int, language: Language) -> str:
        """By its kind: what a bet is called depends on what is owed."""
        return self.moves(view, [view.kind(action)], language)[0]

    def moves(self, view: View, names: Sequence[str], language: Language) -> list[str]:
        """As players call them."""
        del view
        return [name if language == "en" else _GERMAN.get(name, name) for name in names]

    def unit(self, game: Game, proven: bool) -> Unit:
        """Chips."""
        del game, proven
        return CHIPS
