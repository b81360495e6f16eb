"""The JSON fields of Doppelkopf's views and outlines (core/games/doppelkopf/outline.hpp)."""

from __future__ import annotations

from kiebitz.games.declaration.fields import Field, Fields, listed, observer, pattern, text, truth, whole

SOLOS = ("diamonds", "hearts", "spades", "clubs", "trumpless", "queens", "jacks")
CONTRACTS = ("normal", "wedding", *(f"solo-{name}" for name in SOLOS), "poverty", "throw-in")
RESERVATIONS = ("-", "healthy", "hidden", *CONTRACTS[1:])
LEVELS = ("", "-no90", "-no60", "-no30", "-black")
CALLS = tuple(party + level for party in ("re", "kontra") for level in LEVELS)
CARD = "[CSHD][9JQKTA]"
CARDS = f"({CARD}( {CARD})*)?"
PHASES = ("deal", "reservation", "poverty", "exchange", "call", "card", "genscher", "wait", "over")


def _seat(meaning: str, null: bool = False) -> Field:
    return whole(meaning, 0, 3, null=null)


def _card(meaning: str) -> Field:
    return pattern(meaning, CARD, "HT")


def _told(outline: str) -> Fields:
    """What the outline and its public part say in the same way."""
    return {
        f"{outline}.contract": text("the contract, once all have spoken", *CONTRACTS, null=True),
        f"{outline}.declarer": _seat("who plays a wedding, a solo or poverty, or threw the hand in", null=True),
        f"{outline}.partner": _seat("the partner in a wedding or in poverty, once found", null=True),
        f"{outline}.alone": truth("whether a wedding stays without a partner"),
        f"{outline}.piglets": _seat("who showed or announced both aces of diamonds", null=True),
        f"{outline}.superpiglets": _seat("with that rule: who has superpiglets, once known", null=True),
        f"{outline}.hyperpiglets": _seat("with that rule: who has hyperpiglets, once known", null=True),
        f"{outline}.thrown": listed("with poverty or throw_in: the hand that ended the deal", null=True),
        f"{outline}.thrown.seat": _seat("whose hand it was"),
        f"{outline}.thrown.hand[]": pattern("its cards, trumps first", CARDS, "DA DK"),
        f"{outline}.genscher": listed("with that rule: the answer of who played both kings of diamonds", null=True),
        f"{outline}.genscher.seat": _seat("who that is"),
        f"{outline}.genscher.partner": _seat("the partner chosen; none: all stays as it is", null=True),
        f"{outline}.exchange": listed("with poverty: the trumps of a poor hand", null=True),
        f"{outline}.exchange.from": _seat("who put them down"),
        f"{outline}.exchange.to": _seat("who took them", null=True),
        f"{outline}.exchange.cards": whole("how many they are", 0, 3),
        f"{outline}.exchange.back": whole("cards that came back so far", 0, 3),
        f"{outline}.exchange.trumps_back": whole("trumps among them, once all are back", 0, 3, null=True),
        f"{outline}.parties[]": text("the party of each seat; empty: not known", "", "re", "kontra"),
        f"{outline}.trumps[]": _card("the trumps, the highest first"),
        f"{outline}.turn": _seat("who speaks or plays next", null=True),
        f"{outline}.led": text("what must be followed: trump or a suit", "trump", "C", "S", "H", "D", null=True),
        f"{outline}.eyes[]": whole("eyes that each seat has taken", 0, 240),
    }


FIELDS: Fields = {
    "view.observer": observer(4),
    "view.phase": text("what is asked; a seat that waits does not learn for what", *PHASES),
    "view.start": _seat("who leads to the first trick"),
    "view.dealt": whole("cards dealt so far", 0, 48),
    "view.hand": pattern("your cards: suit (C, S, H, D) and rank (9, J, Q, K, T for ten, A)", CARDS, "DT HQ CA"),
    "view.reservations[]": text("what each seat reserved, as far as you know; - is not yet asked", *RESERVATIONS),
    "view.calls[]": pattern("cards played before, seat and call", "[0-9]+:[0-3]:[a-z0-9-]+", "1:2:kontra-no90"),
    "view.cards": pattern("all cards played, in order", CARDS, "HT CQ"),
    "view.piglets": whole("who showed or announced both aces of diamonds; -1: nobody so far", -1, 3),
    "view.superpiglets": whole("with that rule: who has superpiglets; -1: nobody so far", -1, 3),
    "view.hyperpiglets": whole("with that rule: who has hyperpiglets; -1: nobody so far", -1, 3),
    "view.shown": pattern("with poverty or throw_in: the hand that ended the deal", CARDS, "DA DK"),
    "view.answering": whole("with poverty: who is asked to take the trumps; -1: nobody", -1, 3),
    "view.taker": whole("who took them; -1: nobody", -1, 3),
    "view.passed": whole("how many were put down", 0, 3),
    "view.returned": whole("cards that came back so far", 0, 3),
    "view.trumps_back": whole("trumps among them, once all are back", 0, 3),
    "view.down": pattern("the cards put down, known to the two who exchange them", CARDS, "HJ DJ"),
    "view.back": pattern("the cards that came back, known to the same two", CARDS, "CT ST"),
    "view.genscher": text("with that rule: the answer, once there is one", "", "keep", "left", "opposite", "right"),
    "view.genscher_party": text("the party of who chose a partner", "", "re", "kontra"),
    **_told("outline"),
    "outline.down": pattern("with poverty: the cards put down, known to the two who exchange them", CARDS, "HJ DJ"),
    "outline.back": pattern("the cards that came back, known to the same two", CARDS, "CT ST"),
    "outline.hand[]": pattern(
        "your hand: trumps, clubs, spades, hearts, diamonds, each from the highest", CARDS, "HT CQ DJ"
    ),
    "outline.playable[]": _card("the different cards that you may play to the trick on the table"),
    "outline.follows": truth("whether you can follow"),
    "outline.tricks[]": pattern("the cards of each trick in order", CARDS, "HT CQ DJ D9"),
    "outline.leaders[]": _seat("who led to each trick"),
    "outline.takers[]": _seat("who takes each trick, so far"),
    "outline.trick_eyes[]": whole("eyes of each trick", 0, 44),
    "outline.size": whole("tricks of the game", 10, 12),
    **_told("outline.public"),
    "outline.public.start": _seat("who leads to the first trick"),
    "outline.public.trick[].seat": _seat("who played each card of the trick on the table"),
    "outline.public.trick[].card": _card("the card"),
    "outline.public.leader": _seat("who led to it", null=True),
    "outline.public.last": listed("the trick before", null=True),
    "outline.public.last.cards[].seat": _seat("who played each of its cards"),
    "outline.public.last.cards[].card": _card("the card"),
    "outline.public.last.taker": _seat("who took it"),
    "outline.public.last.eyes": whole("its eyes", 0, 44),
    "outline.public.tricks_taken[]": whole("tricks that each seat has taken", 0, 12),
    "outline.public.calls[].seat": _seat("who called"),
    "outline.public.calls[].call": text("the call", *CALLS),
    "outline.public.calls[].at": whole("cards played before it", 0, 48),
    "outline.public.reservations[]": text("what everybody knows of each reservation", *RESERVATIONS),
    "outline.public.sizes[]": whole("cards in each hand", 0, 15),
    "outline.public.asked[]": _seat("seats that might call something before the next card"),
}
