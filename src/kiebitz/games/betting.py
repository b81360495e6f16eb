"""What players of betting games say, in English and German, and how their table looks in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kiebitz._core import Game, State, View
from kiebitz.games.declaration.fields import Fields, number, text, truth, whole
from kiebitz.games.declaration.terminal import Terminal
from kiebitz.games.declaration.words import CHIPS, Language, Line, Phrase, Unit, Words, phrase
from kiebitz.games.scene import Scene

if TYPE_CHECKING:
    from rich.console import RenderableType

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


_RANKS: dict[str, Phrase] = {
    "J": phrase("jack", "Bube"),
    "Q": phrase("queen", "Dame"),
    "K": phrase("king", "König"),
    "A": phrase("ace", "Ass"),
    "T": phrase("10", "10"),
}
_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_TABLE: dict[str, Phrase] = {
    "public": phrase("public card: {0}", "offene Karte: {0}"),
    "later": phrase("after the first round", "nach der ersten Runde"),
    "pot": phrase("pot: {0}", "Pot: {0}"),
    "owed": phrase("; {0} to call", "; {0} zum Mitgehen"),
    "betting": phrase("betting", "Einsätze"),
    "round": phrase("round {0}", "Runde {0}"),
    "nothing": phrase("nothing yet", "noch nichts"),
}


def card_text(card: str, language: Language) -> str:
    """A card in words, with the sign of its suit if it has one.

    >>> card_text("Q", "en"), card_text("Q", "de"), card_text("Jh", "en"), card_text("7", "en")
    ('queen', 'Dame', 'jack ♥', '7')
    """
    rank = _RANKS[card[0]][language] if card[0] in _RANKS else card.rstrip("cdhs")
    return f"{rank} {_SUITS[card[-1]]}" if card[-1] in _SUITS else rank


@dataclass(frozen=True)
class BettingTerminal(Terminal):
    """A table with chips: cards, pot and bets, each in words."""

    spoken: BettingWords = field(default_factory=BettingWords)
    """How actions are called."""

    def draw(self, position: State | View, viewer: int | None = None, language: Language = "en") -> RenderableType:
        """Everybody's card as far as it may be seen, the public card, the pot and what was done."""
        from rich.text import Text

        return Text("\n".join(self._lines(position, viewer, language)))

    def _lines(self, position: State | View, viewer: int | None, language: Language) -> list[str]:
        """The table line by line.

        >>> import kiebitz as kb
        >>> state = kb.game("kuhn").new(seed=3)
        >>> state.apply(state.parse("bet"))
        >>> BettingTerminal()._lines(state.view(1), 1, "en")
        ['player 1: ?', 'you: king', 'pot: 3; 1 to call', 'betting · player 1: bet 1']
        """
        seats = range(position.game.info.players)
        views = [position] if isinstance(position, View) else [position.view(seat) for seat in seats]
        told = {view.observer: view.outline() for view in views}
        public = next(iter(told.values()))["public"]

        def say(key: str, *values: object) -> str:
            return _TABLE[key][language].format(*values)

        def who(seat: int) -> str:
            return self.seat(seat, viewer, language)

        lines = []
        for seat, shown in enumerate(public["shown"]):
            card = next(iter(told[seat]["hand"]), None) if seat in told else shown
            lines.append(f"{who(seat)}: {'?' if card is None else card_text(card, language)}")
        if "public" in public:
            card = public["public"]
            lines.append(say("public", say("later") if card is None else card_text(card, language)))
        owed = say("owed", f"{public['owed']:g}") if public["owed"] else ""
        lines.append(say("pot", f"{public['total']:g}") + owed)
        for place, deeds in enumerate(public["rounds"], 1):
            title = say("round", place) if "public" in public else say("betting")
            done = [f"{who(each['seat'])}: {self._did(each['kind'], each['amount'], language)}" for each in deeds]
            lines.append(" · ".join([title, *(done or [say("nothing")])]))
        return lines

    def _did(self, kind: str, amount: float, language: Language) -> str:
        name = kind if language == "en" else _GERMAN.get(kind, kind)
        return f"{name} {amount:g}" if amount and kind != "fold" else name

    def action(self, view: View, action: int, language: Language = "en") -> str:
        """By what it means now: the same chip is a bet, or a call of one."""
        return self.spoken.action(view, action, language)

    def details(self, state: State, language: Language = "en") -> list[str]:
        """The drawing has it all."""
        del state, language
        return []


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
