"""What is said at a table, in English and German: public events for the log and the result of a game.

Names of players are put in last and as they are: whatever somebody typed is text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kiebitz._core import TERMINAL, State
from kiebitz.games.declaration import LANGUAGES, Language
from kiebitz.games.doppelkopf.situation import SEATS, Situation, card_name
from kiebitz.games.doppelkopf.words import call_text, explain, word
from kiebitz.server.public import public_part, shown_reservations

Entry = dict[str, Any]
Words = dict[Language, str]
Names = Sequence[str]
"""Who sits where; nothing, or an empty text, where nobody is known."""


@dataclass(frozen=True)
class Line:
    """A line of the log before names are put in: in each language texts, and seats where their names belong."""

    seat: int | None
    kind: str
    text: dict[Language, tuple[str | int, ...]]

    def told(self, names: Names) -> Entry:
        """The line as it is shown.

        >>> did(1, "move", {"en": "passes", "de": "passt"}).told(["Ada", "{0}"])
        {'seat': 1, 'kind': 'move', 'text': {'en': '{0} passes', 'de': '{0} passt'}}
        """
        text = {
            language: "".join(part if isinstance(part, str) else name_of(names, part, language) for part in parts)
            for language, parts in self.text.items()
        }
        return {"seat": self.seat, "kind": self.kind, "text": text}


def name_of(names: Names, seat: int, language: Language) -> str:
    """The name of a seat in a sentence.

    >>> name_of(["Ada", ""], 0, "de"), name_of(["Ada", ""], 1, "de"), name_of([], 1, "en")
    ('Ada', 'Platz 2', 'Seat 2')
    """
    name = names[seat] if seat < len(names) else ""
    return name or f"{'Seat' if language == 'en' else 'Platz'} {seat + 1}"


def did(seat: int, kind: str, words: Words) -> Line:
    """That somebody did something: the name, then the words."""
    return Line(seat, kind, {language: (seat, f" {text}") for language, text in words.items()})


def happened(kind: str, words: Words) -> Line:
    """That something happened by itself."""
    return Line(None, kind, {language: (text,) for language, text in words.items()})


def both(key: str, *values: object) -> Words:
    """A phrase of Doppelkopf in both languages.

    >>> both("has healthy")
    {'en': 'is healthy', 'de': 'ist gesund'}
    """
    return {language: word(key, language, *values) for language in LANGUAGES}


def signed(value: float, language: Language) -> str:
    """A payoff as score sheets write it, at most two places.

    >>> signed(2.0, "en"), signed(-0.5, "de"), signed(1 / 3, "en"), signed(-0.001, "en")
    ('+2', '−0,5', '+0.33', '0')
    """
    rounded = round(value, 2)
    text = f"{rounded:+.12g}".replace("-", "−") if rounded else "0"
    return text.replace(".", ",") if language == "de" else text


# --- What happens -----------------------------------------------------------------------------------------------------


def public_events(before: State, after: State) -> list[Line]:
    """What everybody saw happen between two positions of a game, the oldest first."""
    events = _doppelkopf_events(before, after) if after.game.name == "doppelkopf" else _moves(before, after)
    if after.player == TERMINAL and before.player != TERMINAL:
        events.append(Line(None, "result", {language: _outcome(after, language) for language in LANGUAGES}))
    return events


def _moves(before: State, after: State) -> list[Line]:
    """The action of whoever was to move; chance that follows it shows in Leduc only, as the public card."""
    name = before.name(after.history[len(before.history)])
    events = [did(before.player, "move", _move(before, name))]
    if after.game.name == "leduc":
        card = public_part(after)["public"]
        if card is not None and public_part(before)["public"] is None:
            events.append(happened("card", {"en": f"The public card is {card}", "de": f"Offen liegt {card}"}))
    return events


def _move(state: State, name: str) -> Words:
    """A move as the log tells it.

    >>> import kiebitz as kb
    >>> _move(kb.game("nim").new(), "2:3")
    {'en': 'takes 3 from heap 2', 'de': 'nimmt 3 von Haufen 2'}
    >>> _move(kb.game("liars_dice").new(seed=1), "2x5")
    {'en': 'bids two fives', 'de': 'bietet zwei Fünfen'}
    """
    game = state.game.name
    if game == "nim":
        return {"en": f"takes {taken_text(name, 'en')}", "de": f"nimmt {taken_text(name, 'de')}"}
    if game == "kuhn":
        name = kuhn_deed(name, public_part(state)["betting"])
    if name in _DEEDS:
        return dict(zip(LANGUAGES, _DEEDS[name], strict=True))
    if game == "liars_dice":
        return {"en": f"bids {bid_text(name, 'en')}", "de": f"bietet {bid_text(name, 'de')}"}
    return {"en": f"plays {name}", "de": f"spielt {name}"}


def taken_text(name: str, language: Language) -> str:
    """What a move of Nim takes.

    >>> taken_text("2:3", "en"), taken_text("2:3", "de")
    ('3 from heap 2', '3 von Haufen 2')
    """
    heap, _, taken = name.partition(":")
    return f"{taken} from heap {heap}" if language == "en" else f"{taken} von Haufen {heap}"


def kuhn_deed(name: str, betting: str) -> str:
    """What an action of Kuhn poker is called after this betting.

    >>> kuhn_deed("pass", ""), kuhn_deed("pass", "pb"), kuhn_deed("bet", "p"), kuhn_deed("bet", "b")
    ('check', 'fold', 'bet', 'call')
    """
    return (_FACING_A_BET if "b" in betting else _FREE)[name]


_FREE = {"pass": "check", "bet": "bet"}
_FACING_A_BET = {"pass": "fold", "bet": "call"}
"""What the two actions of Kuhn poker mean."""
_DEEDS = {
    "bet": ("bets", "setzt"),
    "check": ("checks", "schiebt"),
    "call": ("calls", "geht mit"),
    "raise": ("raises", "erhöht"),
    "fold": ("folds", "steigt aus"),
    "liar": ("doubts the bid", "zweifelt das Gebot an"),
}
_COUNTS: dict[Language, tuple[str, ...]] = {
    "en": ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    "de": ("eine", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"),
}
_FACES: dict[Language, tuple[str, ...]] = {
    "en": ("one", "two", "three", "four", "five", "six"),
    "de": ("Eins", "Zwei", "Drei", "Vier", "Fünf", "Sechs"),
}


def bid_text(bid: str, language: Language) -> str:
    """A bid of Liar's Dice in words; numbers that are too large for them stay digits.

    >>> bid_text("1x1", "en"), bid_text("3x6", "en"), bid_text("1x1", "de"), bid_text("3x6", "de")
    ('one one', 'three sixes', 'eine Eins', 'drei Sechsen')
    >>> bid_text("13x20", "en"), bid_text("2x7", "de")
    ('13 20s', 'zwei 7er')
    """
    count, face = (int(part) for part in bid.split("x"))
    many = _COUNTS[language][count - 1] if count <= len(_COUNTS[language]) else str(count)
    if face > len(_FACES[language]):
        ending = "er" if language == "de" else "s" if count > 1 else ""
        return f"{many} {face}{ending}"
    ending = "" if count == 1 else "en" if language == "de" else "es" if face == 6 else "s"
    return f"{many} {_FACES[language][face - 1]}{ending}"


def _doppelkopf_events(before: State, after: State) -> list[Line]:
    old, new = Situation.of(before.view(0)), Situation.of(after.view(0))
    events: list[Line] = []
    if old.contract is None:
        said_before, said = shown_reservations(before), shown_reservations(after)
        for i in range(SEATS):
            seat = (new.start + i) % SEATS
            if said_before[seat] == "-" != said[seat]:
                healthy = said[seat] == "healthy"
                events.append(did(seat, "reservation", both("has healthy" if healthy else "has reservation")))
    if old.contract is None and new.contract is not None:
        for seat in range(SEATS):
            if said[seat] == "wedding" and seat != new.declarer:
                events.append(did(seat, "reservation", both("has wedding")))
        events.append(_contract(new.declarer, new.contract))
        if new.piglets is not None:
            events.append(did(new.piglets, "reservation", both("has piglets")))
    for call in new.calls[len(old.calls) :]:
        texts: Words = {lang: word("calls", lang, call_text(call, lang)) for lang in LANGUAGES}
        events.append(did(call.seat, "call", texts))
    shown = sum(len(trick.cards) for trick in old.tricks)
    for number, trick in enumerate(new.tricks, 1):
        for place, (seat, card) in enumerate(trick.cards, SEATS * (number - 1)):
            if place >= shown:
                events.append(did(seat, "card", both("plays", card_name(card))))
        if trick.complete and SEATS * number > shown:
            events.append(did(trick.taker, "trick", _trick(number, trick.eyes)))
    if new.partner is not None and old.partner is None:
        events.append(did(new.partner, "reservation", {"en": "is the partner", "de": "ist Partner"}))
    if new.alone and not old.alone and new.declarer is not None:
        alone: Words = {"en": "finds no partner", "de": "findet keinen Partner"}
        events.append(did(new.declarer, "reservation", alone))
    return events


def _contract(declarer: int | None, contract: str) -> Line:
    """What is played, and by whom.

    >>> _contract(1, "solo-trumpless").told(["Ada", "Bob"])["text"]
    {'en': 'Bob plays a no-trump solo', 'de': 'Bob spielt einen Fleischlosen'}
    """
    english, german = word(contract, "en"), word(contract, "de")
    if declarer is None:
        return happened("reservation", {"en": f"This is a {english}", "de": f"Dies ist ein {german}"})
    german = {"wedding": "eine Hochzeit", "solo-trumpless": "einen Fleischlosen"}.get(contract, f"ein {german}")
    return did(declarer, "reservation", {"en": f"plays a {english}", "de": f"spielt {german}"})


def _trick(number: int, eyes: int) -> Words:
    return {"en": f"takes trick {number} with {eyes} eyes", "de": f"nimmt Stich {number} mit {eyes} Augen"}


# --- The result -------------------------------------------------------------------------------------------------------


def result_words(state: State, names: Names = ()) -> dict[Language, list[str]]:
    """The result of a finished game, a sentence each, in both languages; at the end everybody's points.

    >>> import kiebitz as kb
    >>> result_words(kb.game("tic_tac_toe").load({"board": "xxxoo...."}), ["Ada", "Bob"])
    {'en': ['Ada wins', 'Ada +1, Bob −1'], 'de': ['Ada gewinnt', 'Ada +1, Bob −1']}
    """
    out: dict[Language, list[str]] = {}
    for language in LANGUAGES:
        called = [name_of(names, seat, language) for seat in range(state.game.info.players)]
        points = [f"{name} {signed(value, language)}" for name, value in zip(called, state.returns(), strict=True)]
        out[language] = [*_told_result(state, called, language), ", ".join(points)]
    return out


def _told_result(state: State, names: Names, language: Language) -> list[str]:
    if state.game.name != "doppelkopf":
        return ["".join(part if isinstance(part, str) else names[part] for part in _outcome(state, language))]
    head, items, sums = explain(dict(state.result()), None, language, names)
    told = [f"{text}: {signed(points, language)}" for text, points in items]
    return [*head, *told, *(text.replace("-", "−") for text in sums[:-1])]


def _outcome(state: State, language: Language) -> tuple[str | int, ...]:
    """Who won, in one sentence: texts, and seats where their names belong."""
    if state.game.name == "doppelkopf":
        return (explain(dict(state.result()), None, language)[0][0],)
    returns = list(state.returns())
    winners = [seat for seat, value in enumerate(returns) if value == max(returns)]
    if len(winners) == len(returns):
        return ("A draw" if language == "en" else "Unentschieden",)
    if len(winners) == 1:
        return (winners[0], " wins" if language == "en" else " gewinnt")
    parts: list[str | int] = []
    for place, seat in enumerate(winners):
        last = " and " if language == "en" else " und "
        parts += [", " if 0 < place < len(winners) - 1 else last, seat] if place else [seat]
    return (*parts, " share the win" if language == "en" else " gewinnen gemeinsam")
