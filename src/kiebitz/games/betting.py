"""What players of betting games say, in English and German."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kiebitz._core import Game, View
from kiebitz.games.declaration.fields import Fields, number, text, truth, whole
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
_CHIPS: dict[str, Phrase] = {
    "bet": phrase("bets {}", "setzt {}"),
    "raise": phrase("raises to {}", "erhöht auf {}"),
}
"""The same with an amount."""
_GERMAN = {"bet": "setzen", "check": "schieben", "call": "mitgehen", "raise": "erhöhen", "fold": "aussteigen"}
_MOVES: dict[str, Phrase] = {"bet": phrase("bet {}", "{} setzen"), "raise": phrase("raise to {}", "auf {} erhöhen")}


@dataclass(frozen=True)
class BettingWords(Words):
    """Public bets, told by their kinds; losses are counted in chips."""

    amounts: bool = False
    """Whether players choose how much they bet or raise to, so that it has to be said."""

    def deed(self, scene: Scene, action: int) -> Phrase:
        """What the log tells.

        >>> import kiebitz as kb
        >>> BettingWords().deed(Scene(kb.game("kuhn").new(seed=1)), 0)
        {'en': 'checks', 'de': 'schiebt'}
        """
        kind = scene.state.kind(action)
        if self.amounts and kind in _CHIPS:
            chips = f"{scene.state.amount(action):g}"
            return {language: text.format(chips) for language, text in _CHIPS[kind].items()}
        return _DEEDS[kind] if kind in _DEEDS else super().deed(scene, action)

    def events(self, before: Scene, after: Scene) -> list[Line]:
        """Everybody sees every bet."""
        return [self.move(before, after)]

    def action(self, view: View, action: int, language: Language) -> str:
        """By its kind: what a bet is called depends on what is owed."""
        kind = view.kind(action)
        if self.amounts and kind in _MOVES:
            return _MOVES[kind][language].format(f"{view.amount(action):g}")
        return self.moves(view, [kind if kind in _DEEDS else view.name(action)], language)[0]

    def moves(self, view: View, names: Sequence[str], language: Language) -> list[str]:
        """As players call them."""
        del view
        return [name if language == "en" else _GERMAN.get(name, name) for name in names]

    def unit(self, game: Game) -> Unit:
        """Chips."""
        del game
        return CHIPS


def betting_fields(players: int, *kinds: str) -> Fields:
    """The fields of an outline that games with one betting part share: the state of the pot and what was done.

    >>> betting_fields(2, "check", "bet")["outline.public.rounds[][].kind"].choices
    ('check', 'bet')
    """
    return {
        "outline.public.pot[]": number("chips that a seat has put in"),
        "outline.public.total": number("chips in the pot"),
        "outline.public.folded[]": truth("whether a seat has folded"),
        "outline.public.rounds[][].seat": whole("who acted, for each betting round", 0, players - 1),
        "outline.public.rounds[][].kind": text("what they did", *kinds),
        "outline.public.rounds[][].amount": number("chips that they added"),
        "outline.public.owed": number("chips that the next player needs to call"),
        "outline.public.step": number("the size of a bet or raise now"),
    }
