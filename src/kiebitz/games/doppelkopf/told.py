"""What the log, the result and the review say about a game of Doppelkopf."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from kiebitz._core import Game, State, View
from kiebitz.games.declaration.facts import Public
from kiebitz.games.declaration.words import (
    LANGUAGES,
    POINTS,
    Language,
    Line,
    Names,
    Phrase,
    Reason,
    Sentence,
    Unit,
    Words,
    did,
    happened,
    name_of,
    phrase,
    signed,
)
from kiebitz.games.doppelkopf.facts import FACTS
from kiebitz.games.doppelkopf.review import EYES, TELLING, GameFate, TrickFate, game_of, trick_of
from kiebitz.games.doppelkopf.situation import SEATS, SWINE, Call, card_name
from kiebitz.games.doppelkopf.words import (
    REACTIONS,
    action_text,
    call_text,
    exchanged,
    explain,
    name_text,
    regrouped,
    word,
)
from kiebitz.games.scene import Scene


class DoppelkopfWords(Words):
    """Reservations, calls, cards and tricks; points; who takes a trick and which call stands."""

    def events(self, before: Scene, after: Scene) -> list[Line]:
        """What everybody saw, from public facts alone."""
        old, new = before.public, after.public
        return [
            *_reservations(old, new),
            *_exchange(old, new),
            *_piglets(old, new),
            *_calls(old, new),
            *_cards(old, new),
            *_genscher(old, new),
            *_partners(old, new),
        ]

    def outcome(self, state: State, language: Language) -> Sentence:
        """Which party won."""
        return (explain(dict(state.result()), None, language)[0][0],)

    def result(self, state: State, names: Names, language: Language) -> list[str]:
        """Who won with what, item by item."""
        head, items, sums = explain(dict(state.result()), None, language, names)
        told = [f"{text}: {signed(points, language)}" for text, points in items]
        return [*head, *told, *(text.replace("-", "−") for text in sums[:-1])]

    def place(self, view: View, number: int, language: Language) -> str:
        """The trick, or the reservation."""
        found = FACTS.place(view)
        if found["decision"] == "reservation":
            return "Reservation" if language == "en" else "Vorbehalt"
        if found["decision"] in ("poverty", "exchange"):
            return "Poverty" if language == "en" else "Armut"
        return f"Trick {found['trick']}" if language == "en" else f"Stich {found['trick']}"

    def action(self, view: View, action: int, language: Language) -> str:
        """Cards by their symbols, all else in words."""
        return action_text(view, action, language)

    def moves(self, view: View, names: Sequence[str], language: Language) -> list[str]:
        """The same for actions given by name."""
        del view
        return [name_text(name, language) for name in names]

    def unit(self, game: Game) -> Unit:
        """Points."""
        return POINTS

    def reason(self, view: View, played: int, best: int) -> Reason | None:
        """Who takes the trick after either card or what it is worth, or else how the game ends; of calls and
        reservations, how often they win."""
        return _about_trick(view, played, best) if view.phase == "card" else _about_promise(view, played, best)


def _about_trick(view: View, played: int, best: int) -> Reason | None:
    good, bad = trick_of(view, best), trick_of(view, played)
    if abs(good.share - bad.share) >= TELLING:
        return partial(_takers, view, (best, good), (played, bad))
    if good.worth - bad.worth >= EYES:
        return partial(_worth, view, (best, good), (played, bad))
    return _about_end(view, played, best)


def _about_end(view: View, played: int, best: int) -> Reason | None:
    """How often either choice wins, or how many eyes it brings, where that speaks for the better one."""
    good, bad = game_of(view, best), game_of(view, played)
    if good.wins - bad.wins >= TELLING:
        return partial(_winning, view, (best, good), (played, bad))
    if good.eyes - bad.eyes >= EYES:
        return partial(_eyes, view, (best, good), (played, bad))
    return None


OfTrick = tuple[int, TrickFate]
OfGame = tuple[int, GameFate]


def _named(view: View, best: int, played: int, names: Names, language: Language) -> tuple[str, str, str]:
    """Who decides, and what both choices are called."""
    first, second = (action_text(view, action, language) for action in (best, played))
    return name_of(names, view.observer, language), first, second


def _winning(view: View, best: OfGame, played: OfGame, names: Names, language: Language) -> str:
    who, first, second = _named(view, best[0], played[0], names, language)
    good, bad = best[1].wins, played[1].wins
    if language == "en":
        return f"The side of {who} wins in {good:.0f} % of the worlds with {first}, in {bad:.0f} % with {second}."
    return f"Mit {first} gewinnt die Seite von {who} in {good:.0f} % der Welten, mit {second} in {bad:.0f} %."


def _eyes(view: View, best: OfGame, played: OfGame, names: Names, language: Language) -> str:
    who, first, second = _named(view, best[0], played[0], names, language)
    good, bad = best[1].eyes, played[1].eyes
    if language == "en":
        return f"With {first} the side of {who} has {good:.0f} eyes in the end on average, with {second} {bad:.0f}."
    return f"Mit {first} hat die Seite von {who} am Ende im Schnitt {good:.0f} Augen, mit {second} {bad:.0f}."


def _takers(view: View, best: OfTrick, played: OfTrick, names: Names, language: Language) -> str:
    """Which side the trick goes to, and to whom most often after the card that was played."""
    who, first, second = _named(view, best[0], played[0], names, language)
    taker, times = played[1].taker
    taken = name_of(names, taker, language)
    if language == "en":
        text = f"With {first} the side of {who} takes this trick in {best[1].share:.0f} % of the worlds"
        return f"{text}, with {second} in {played[1].share:.0f} %; it then goes to {taken} most often ({times:.0f} %)."
    text = f"Mit {first} geht dieser Stich in {best[1].share:.0f} % der Welten an die Seite von {who}"
    return f"{text}, mit {second} in {played[1].share:.0f} %; dann macht ihn meist {taken} ({times:.0f} %)."


def _worth(view: View, best: OfTrick, played: OfTrick, names: Names, language: Language) -> str:
    """What the trick brings, where both cards win or lose it as often."""
    who, first, second = _named(view, best[0], played[0], names, language)
    good, bad = (signed(round(trick.worth), language) for _, trick in (best, played))
    if language == "en":
        return f"With {first} this trick brings the side of {who} {good} eyes on average, with {second} {bad}."
    return f"Mit {first} bringt dieser Stich der Seite von {who} im Schnitt {good} Augen, mit {second} {bad}."


def _about_promise(view: View, played: int, best: int) -> Reason | None:
    called = next((action for action in (best, played) if view.kind(action) == "announcement"), None)
    if called is not None:
        return _about_call(view, called, kept=called == best)
    if view.phase != "reservation":
        return None
    return _about_end(view, played, best)


def _about_call(view: View, called: int, kept: bool) -> Reason:
    """How often a call that should have been made stands, or one that should not falls."""
    won = game_of(view, called).wins
    share = f"{won if kept else 100 - won:.0f} %"

    def told(names: Names, language: Language) -> str:
        del names
        call = action_text(view, called, language)
        if language == "en":
            return f"{call} {'stands' if kept else 'falls'} in {share} of the worlds."
        return f"{call} {'hält' if kept else 'platzt'} in {share} der Welten."

    return told


def both(key: str, *values: object) -> Phrase:
    """A phrase in both languages.

    >>> both("has healthy")
    {'en': 'is healthy', 'de': 'ist gesund'}
    """
    return {language: word(key, language, *values) for language in LANGUAGES}


def _reservations(old: Public, new: Public) -> list[Line]:
    if old["contract"] is not None:
        return []
    events: list[Line] = []
    for i in range(SEATS):
        seat = (new["start"] + i) % SEATS
        if old["reservations"][seat] == "-" != new["reservations"][seat]:
            events.append(did(seat, "reservation", both(REACTIONS.get(new["reservations"][seat], "has reservation"))))
    if new["contract"] not in (None, "throw-in"):
        for seat, said in enumerate(new["reservations"]):
            if said in ("wedding", "poverty") and seat != new["declarer"]:
                events.append(did(seat, "reservation", both(f"has {said}")))
        events.append(_contract(new["declarer"], new["contract"]))
    return events


def _exchange(old: Public, new: Public) -> list[Line]:
    found = exchanged(old.get("exchange"), new.get("exchange"), old["turn"])
    return [did(seat, "reservation", both(key, *values)) for seat, key, values in found]


def _genscher(old: Public, new: Public) -> list[Line]:
    found = regrouped(old.get("genscher"), new.get("genscher"))
    return [did(seat, "reservation", both(key)) for seat, key in found]


def _piglets(old: Public, new: Public) -> list[Line]:
    shown = [kind for kind in SWINE if new.get(kind) is not None and old.get(kind) is None]
    says, shows = ("call", "calls"), ("reservation", "has")  # with a card, or before the first one
    icon, verb = says if new["trick"] or new["last"] else shows
    return [did(new[kind], icon, both(f"{verb} {kind}")) for kind in shown]


def _contract(declarer: int | None, contract: str) -> Line:
    """What is played, and by whom.

    >>> _contract(1, "solo-trumpless").told(["Ada", "Bob"])["text"]
    {'en': 'Bob plays a no-trump solo', 'de': 'Bob spielt einen Fleischlosen'}
    """
    english, german = word(contract, "en"), word(contract, "de")
    if declarer is None:
        return happened("reservation", phrase(f"This is a {english}", f"Gespielt wird ein {german}"))
    if contract == "poverty":
        return did(declarer, "reservation", both("has poverty"))
    german = {"wedding": "eine Hochzeit", "solo-trumpless": "einen Fleischlosen"}.get(contract, f"ein {german}")
    return did(declarer, "reservation", phrase(f"plays a {english}", f"spielt {german}"))


def _calls(old: Public, new: Public) -> list[Line]:
    events = []
    for each in new["calls"][len(old["calls"]) :]:
        call = Call.read(f"{each['at']}:{each['seat']}:{each['call']}")
        text: Phrase = {language: word("calls", language, call_text(call, language)) for language in LANGUAGES}
        events.append(did(call.seat, "call", text))
    return events


def _card(card: str) -> Phrase:
    return {language: word("plays", language, card_name(card, language)) for language in LANGUAGES}


def _cards(old: Public, new: Public) -> list[Line]:
    """The card that was played, and the trick if it was the fourth."""
    complete = sum(new["tricks_taken"]) > sum(old["tricks_taken"])
    cards = new["last"]["cards"] if complete else new["trick"]
    events = [did(played["seat"], "card", _card(played["card"])) for played in cards[len(old["trick"]) :]]
    if complete:
        number, eyes = sum(new["tricks_taken"]), new["last"]["eyes"]
        text = phrase(f"takes trick {number} with {eyes} eyes", f"nimmt Stich {number} mit {eyes} Augen")
        events.append(did(new["last"]["taker"], "trick", text))
    return events


def _partners(old: Public, new: Public) -> list[Line]:
    events = []
    if new["partner"] is not None and old["partner"] is None and new["contract"] == "wedding":
        events.append(did(new["partner"], "reservation", phrase("is the partner", "ist Partner")))
    if new["alone"] and not old["alone"] and new["declarer"] is not None:
        events.append(did(new["declarer"], "reservation", phrase("finds no partner", "findet keinen Partner")))
    return events
