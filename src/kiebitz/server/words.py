"""What is said at a table, in English and German: public events for the log and the result of a game."""

from __future__ import annotations

from typing import Any

from kiebitz._core import TERMINAL, State
from kiebitz.games.doppelkopf import SEATS, Call, Situation, card_name
from kiebitz.games.doppelkopf_words import LANGUAGES, Language, call_text, contract_text, explain, word
from kiebitz.server.public import public_part, shown_reservations

Entry = dict[str, Any]
Words = dict[str, str]


def both(key: str, *values: object) -> Words:
    """A phrase of Doppelkopf in both languages.

    >>> both("has healthy")
    {'en': 'is healthy', 'de': 'ist gesund'}
    """
    return {language: word(key, language, *values) for language in LANGUAGES}


def entry(seat: int | None, kind: str, text: Words) -> Entry:
    """A line of the log."""
    return {"seat": seat, "kind": kind, "text": text}


def public_events(before: State, after: State) -> list[Entry]:
    """What everybody saw happen between two positions of a game, the oldest first."""
    events = _doppelkopf_events(before, after) if after.game.name == "doppelkopf" else _moves(before, after)
    if after.player == TERMINAL and before.player != TERMINAL:
        words = result_words(after)
        events.append(entry(None, "result", {language: words[language][0] for language in LANGUAGES}))
    return events


def _moves(before: State, after: State) -> list[Entry]:
    """The action of whoever was to move; chance that follows it shows in Leduc only, as the public card."""
    name = before.name(after.history[len(before.history)])
    events = [entry(before.player, "move", _move(after.game.name, name))]
    if after.game.name == "leduc":
        card = public_part(after)["public"]
        if card is not None and public_part(before)["public"] is None:
            events.append(entry(None, "card", {"en": f"the public card is {card}", "de": f"offen liegt {card}"}))
    return events


def _move(game: str, name: str) -> Words:
    """A move as the log tells it.

    >>> _move("nim", "1:3")
    {'en': 'heap 1: take 3', 'de': 'Haufen 1: nimmt 3'}
    """
    if game == "nim":
        heap, _, taken = name.partition(":")
        return {"en": f"heap {heap}: take {taken}", "de": f"Haufen {heap}: nimmt {taken}"}
    return {"en": name, "de": _GERMAN.get(name, name)}


_GERMAN = {
    "pass": "passt",
    "bet": "setzt",
    "check": "schiebt",
    "call": "geht mit",
    "raise": "erhöht",
    "fold": "steigt aus",
    "liar": "zweifelt an",
}


def _doppelkopf_events(before: State, after: State) -> list[Entry]:
    old, new = Situation.of(before.view(0)), Situation.of(after.view(0))
    events: list[Entry] = []
    if old.contract is None:
        said_before, said = shown_reservations(before), shown_reservations(after)
        for i in range(SEATS):
            seat = (new.start + i) % SEATS
            if said_before[seat] == "-" != said[seat]:
                healthy = said[seat] == "healthy"
                events.append(entry(seat, "reservation", both("has healthy" if healthy else "has reservation")))
    if old.contract is None and new.contract is not None:
        for seat in range(SEATS):
            if said[seat] == "wedding" and seat != new.declarer:
                events.append(entry(seat, "reservation", both("has wedding")))
        texts: Words = {lang: word("contract", lang, _contract(new, lang)) for lang in LANGUAGES}
        events.append(entry(new.declarer, "reservation", texts))
        if new.piglets is not None:
            events.append(entry(new.piglets, "reservation", both("has piglets")))
    for call in new.calls[len(old.calls) :]:
        events.append(entry(call.seat, "call", _called(call)))
    shown = sum(len(trick.cards) for trick in old.tricks)
    for number, trick in enumerate(new.tricks, 1):
        for place, (seat, card) in enumerate(trick.cards, SEATS * (number - 1)):
            if place >= shown:
                events.append(entry(seat, "card", both("plays", card_name(card))))
        if trick.complete and SEATS * number > shown:
            events.append(entry(trick.taker, "trick", _trick(number, trick.eyes)))
    if new.partner is not None and old.partner is None:
        events.append(entry(new.partner, "reservation", {"en": "is the partner", "de": "ist Partner"}))
    if new.alone and not old.alone:
        events.append(entry(new.declarer, "reservation", both("no partner")))
    return events


def _contract(situation: Situation, language: Language) -> str:
    """The contract without names: the line of the log has the seat."""
    return contract_text(situation, None, language).partition(" (")[0]


def _called(call: Call) -> Words:
    return {language: word("calls", language, call_text(call, language)) for language in LANGUAGES}


def _trick(number: int, eyes: int) -> Words:
    return {"en": f"takes trick {number}: {eyes} eyes", "de": f"nimmt Stich {number}: {eyes} Augen"}


def result_words(state: State) -> dict[str, list[str]]:
    """The result of a finished game, a sentence each, in both languages.

    >>> import kiebitz as kb
    >>> result_words(kb.game("tic_tac_toe").load({"board": "xxxoo...."}))
    {'en': ['seat 0 wins', 'payoffs: +1, -1'], 'de': ['Platz 0 gewinnt', 'Auszahlung: +1, -1']}
    """
    if state.game.name == "doppelkopf":
        out: dict[str, list[str]] = {}
        for language in LANGUAGES:
            head, items, sums = explain(dict(state.result()), None, language)
            out[language] = [*head, *(f"{text}: {points:+d}" for text, points in items), *sums]
        return out
    returns = list(state.returns())
    winners = [seat for seat, value in enumerate(returns) if value == max(returns)]
    payoffs = ", ".join(f"{value:+g}" if value else "0" for value in returns)
    if len(winners) == len(returns):
        first = {"en": "a draw", "de": "unentschieden"}
    else:
        english = " and ".join(f"seat {seat}" for seat in winners)
        german = " und ".join(f"Platz {seat}" for seat in winners)
        first = {
            "en": f"{english} {'wins' if len(winners) == 1 else 'share the win'}",
            "de": f"{german} {'gewinnt' if len(winners) == 1 else 'gewinnen'}",
        }
    return {"en": [first["en"], f"payoffs: {payoffs}"], "de": [first["de"], f"Auszahlung: {payoffs}"]}
