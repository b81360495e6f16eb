"""What is said at a Doppelkopf table, in English and German: names of seats, contracts and calls, what happened, what a
person is asked, and a result item by item.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import View
from kiebitz.games.declaration.words import LANGUAGES, Language
from kiebitz.games.doppelkopf.situation import CODES, SEATS, STEPS, Call, Situation, card_name

_WORDS: dict[str, tuple[str, str]] = {
    "normal": ("normal game", "Normalspiel"),
    "silent": ("silent solo", "stilles Solo"),
    "healthy": ("healthy", "gesund"),
    "wedding": ("wedding", "Hochzeit"),
    "solo-diamonds": ("diamonds solo", "Karosolo"),
    "solo-hearts": ("hearts solo", "Herzsolo"),
    "solo-spades": ("spades solo", "Piksolo"),
    "solo-clubs": ("clubs solo", "Kreuzsolo"),
    "solo-trumpless": ("no-trump solo", "Fleischloser"),
    "solo-queens": ("queens solo", "Damensolo"),
    "solo-jacks": ("jacks solo", "Bubensolo"),
    "poverty": ("poverty", "Armut"),
    "throw-in": ("throw-in", "Schmeißen"),
    "keep": ("leave it as it is", "alles so lassen"),
    "left": ("the player to the left", "der Spieler links"),
    "opposite": ("the player opposite", "der Spieler gegenüber"),
    "right": ("the player to the right", "der Spieler rechts"),
    "take": ("take them", "nehmen"),
    "leave": ("leave them", "liegen lassen"),
    "re": ("Re", "Re"),
    "kontra": ("Kontra", "Kontra"),
    "none": ("nobody", "niemand"),
    "no90": ("no 90", "keine 90"),
    "no60": ("no 60", "keine 60"),
    "no30": ("no 30", "keine 30"),
    "black": ("black", "schwarz"),
    "pass": ("no call", "keine Ansage"),
    "seat": ("seat {0}", "Platz {0}"),
    "alone": ("alone", "allein"),
    "has healthy": ("is healthy", "ist gesund"),
    "has reservation": ("has a reservation", "hat einen Vorbehalt"),
    "has wedding": ("shows a wedding", "zeigt eine Hochzeit"),
    "has piglets": ("shows both ♦A: piglets", "zeigt beide ♦A: Schweinchen"),
    "has superpiglets": ("shows superpiglets", "zeigt Superschweine"),
    "has hyperpiglets": ("shows hyperpiglets", "zeigt Hyperschweine"),
    "calls piglets": ("announces piglets", "sagt Schweinchen an"),
    "calls superpiglets": ("announces superpiglets", "sagt Superschweine an"),
    "calls hyperpiglets": ("announces hyperpiglets", "sagt Hyperschweine an"),
    "has poverty": ("shows poverty", "zeigt Armut"),
    "throws in": ("throws the hand in", "schmeißt"),
    "puts down": ("puts down {0} trumps", "legt {0} Trumpf ab"),
    "takes them": ("takes the trumps", "nimmt die Trümpfe"),
    "leaves them": ("leaves the trumps", "lässt die Trümpfe liegen"),
    "gives back": ("gives {0} cards back, {1} of them trumps", "gibt {0} Karten zurück, davon {1} Trumpf"),
    "keeps": ("leaves the parties as they are", "lässt die Parteien, wie sie sind"),
    "chooses": ("says Genscher and chooses a partner", "sagt Genscher und sucht sich einen Partner aus"),
    "is chosen": ("is the new partner", "ist der neue Partner"),
    "thrown": ("The deal is thrown in: nobody scores", "Das Blatt wird geworfen: keine Punkte"),
    "not taken": ("Nobody takes the poverty: nobody scores", "Niemand nimmt die Armut: keine Punkte"),
    "shown hand": ("hand of {0}", "Blatt von {0}"),
    "contract": ("contract: {0}", "Spiel: {0}"),
    "calls": ("calls {0}", "sagt {0}"),
    "plays": ("plays {0}", "spielt {0}"),
    "trick to": ("trick {0}: {1} eyes for {2}", "Stich {0}: {1} Augen für {2}"),
    "partner": ("partner: {0}", "Partner: {0}"),
    "no partner": ("no partner found", "kein Partner gefunden"),
    "wins": ("{0} wins", "{0} gewinnt"),
    "nobody wins": ("Nobody wins: both promised too much", "Niemand gewinnt: beide haben zu viel versprochen"),
    "eyes and tricks": ("{0}: {1} eyes, {2} ({3})", "{0}: {1} Augen, {2} ({3})"),
    "trick": ("{0} trick", "{0} Stich"),
    "tricks": ("{0} tricks", "{0} Stiche"),
    "value": ("for {0}", "für {0}"),
    "tripled": ("three times that for the soloist", "dreifach für den Alleinspieler"),
    "worth": ("Bock round: all points times {0}", "Bockrunde: alle Punkte mal {0}"),
    "ask reservation": ("Do you have a reservation?", "Hast du einen Vorbehalt?"),
    "ask poverty": (
        "Do you take the {0} trumps of {1}? You give as many cards back and play together.",
        "Nimmst du die {0} Trumpf von {1}? Du gibst ebenso viele Karten zurück und ihr spielt zusammen.",
    ),
    "ask genscher": (
        "You have played both ♦K. Who is your partner from now on?",
        "Du hast beide ♦K gespielt. Wer ist ab jetzt dein Partner?",
    ),
    "ask give": ("Give a card back ({0} of {1}).", "Gib eine Karte zurück ({0} von {1})."),
    "ask call": ("Do you want to call {0}? {1}", "Willst du {0} ansagen? {1}"),
    "why re-kontra": ("It adds 2 points, no matter who wins.", "Das bringt 2 Punkte mehr, egal, wer gewinnt."),
    "why eyes": (
        "Then the others must stay below {0} (+1 point).",
        "Dann müssen die anderen unter {0} bleiben (+1 Punkt).",
    ),
    "why black": (
        "Then the others may take no trick (+1 point).",
        "Dann dürfen die anderen keinen Stich machen (+1 Punkt).",
    ),
    "your reservation": ("your reservation", "dein Vorbehalt"),
    "your answer": ("yes or no", "ja oder nein"),
    "your card": ("your card", "deine Karte"),
    "your partner": ("your partner", "dein Partner"),
    "your card back": ("card to give back", "Karte zurück"),
    "how to type": (
        "Type a card as ♣Q, cq or 'kreuz dame', or the number under it.",
        "Eine Karte als ♣D, cq oder 'kreuz dame' eingeben, oder die Zahl darunter.",
    ),
    "must follow": ("{0} must be followed", "{0} muss bedient werden"),
    "trump": ("trump", "Trumpf"),
    "C": ("clubs", "Kreuz"),
    "S": ("spades", "Pik"),
    "H": ("hearts", "Herz"),
    "D": ("diamonds", "Karo"),
    "your hand": ("your hand", "deine Karten"),
    "hand of": ("cards of {0}", "Karten von {0}"),
    "party": ("party", "Partei"),
    "eyes": ("eyes", "Augen"),
    "called": ("called", "angesagt"),
    "last trick": ("last trick", "letzter Stich"),
    "trick number": ("trick {0}", "Stich {0}"),
    "of": ("trick {0} of {1}", "Stich {0} von {1}"),
    "leads": ("leads", "raus"),
    "highest": ("highest", "vorn"),
    "took": ("takes {0}", "nimmt {0}"),
    "reserved": ("reservation", "Vorbehalt"),
    "speaking": ("reservations", "Vorbehalte"),
    "over": ("the game is over", "das Spiel ist aus"),
    "own reservation": ("yours: {0}", "deiner: {0}"),
    "expected points": ("expected points for you", "Punkte, die du erwarten kannst"),
    "holders": ("who may hold one more", "wer noch eine haben kann"),
    "re probability": ("is Re", "ist Re"),
    "contract name": ("contract", "Spielart"),
    "winner": ("won by", "Sieger"),
}

_SEAT_NAMES = (("You", "Left", "Opposite", "Right"), ("Du", "Links", "Gegenüber", "Rechts"))


def word(key: str, language: Language = "en", *values: object) -> str:
    """A word or phrase of the game in a language.

    >>> word("solo-queens", "de"), word("calls", "en", "Re")
    ('Damensolo', 'calls Re')
    """
    return _WORDS[key][LANGUAGES.index(language)].format(*values)


def seat_name(seat: int, you: int | None, language: Language = "en", numbered: bool = False) -> str:
    """What a seat is called by the person at seat ``you``; without one, seats have only their numbers, from 1.

    >>> [seat_name(seat, 2) for seat in range(4)], seat_name(1, None), seat_name(0, 0, "de", numbered=True)
    (['Opposite', 'Right', 'You', 'Left'], 'seat 2', 'Du (1)')
    """
    if you is None:
        return word("seat", language, seat + 1)
    name = _SEAT_NAMES[LANGUAGES.index(language)][(seat - you) % SEATS]
    return f"{name} ({seat + 1})" if numbered else name


def call_text(call: Call, language: Language = "en") -> str:
    """A call in words.

    >>> call_text(Call.read("4:1:re")), call_text(Call.read("4:1:re-no90"), "de")
    ('Re', 'keine 90')
    """
    return word(call.party if call.step == 1 else STEPS[call.step - 1], language)


def contract_text(situation: Situation, you: int | None, language: Language = "en") -> str:
    """The contract and who plays it, once it is known.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> for name in ("wedding", "healthy", "healthy", "solo-jacks"):
    ...     state.apply(state.parse(name))
    >>> contract_text(Situation.of(state.view(0)), 0)
    'jacks solo (Opposite)'
    """
    if situation.contract is None:
        return ""
    seats = [seat_name(seat, you, language) for seat in (situation.declarer, situation.partner) if seat is not None]
    if situation.alone:
        seats.append(word("alone", language))
    return word(situation.contract, language) + (f" ({', '.join(seats)})" if seats else "")


REACTIONS = {"healthy": "has healthy", "throw-in": "throws in"}
"""What is said of a seat that has spoken; of all others, that there is a reservation."""


def exchanged(
    before: Mapping[str, Any] | None, after: Mapping[str, Any] | None, asked: int | None
) -> list[tuple[int, str, list[int]]]:
    """What happened in the exchange of poverty between two positions: seat, phrase and its numbers; ``asked`` is the
    seat that had its turn before.

    >>> put = {"from": 1, "to": None, "cards": 2, "back": 0, "trumps_back": None}
    >>> exchanged(None, put, 0), exchanged(put, {**put, "to": 3}, 3)
    ([(1, 'puts down', [2])], [(3, 'takes them', [])])
    """
    if after is None:
        return []
    events: list[tuple[int, str, list[int]]] = []
    if before is None:
        events.append((after["from"], "puts down", [after["cards"]]))
    elif before["to"] is None and asked is not None:
        events.append((asked, "leaves them" if after["to"] is None else "takes them", []))
    if after["trumps_back"] is not None and (before is None or before["trumps_back"] is None):
        events.append((after["to"], "gives back", [after["cards"], after["trumps_back"]]))
    return events


def regrouped(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> list[tuple[int, str]]:
    """What was said to Genscher between two positions: seat and phrase.

    >>> regrouped(None, {"seat": 1, "partner": 3}), regrouped(None, {"seat": 1, "partner": None})
    ([(1, 'chooses'), (3, 'is chosen')], [(1, 'keeps')])
    """
    if before is not None or after is None:
        return []
    if after["partner"] is None:
        return [(after["seat"], "keeps")]
    return [(after["seat"], "chooses"), (after["partner"], "is chosen")]


def news(before: Situation, after: Situation, you: int | None, language: Language = "en") -> list[str]:
    """What an observer saw happen between two situations, one line each; the person's own moves are left out.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> before = Situation.of(state.view(0))
    >>> state.apply(state.parse("wedding"))
    >>> news(before, Situation.of(state.view(0)), you=0)
    ['Right     has a reservation']
    """

    def line(seat: int, text: str) -> None:
        if seat != you:
            lines.append(f"{seat_name(seat, you, language):<9} {text}")

    lines: list[str] = []
    for i in range(SEATS):
        seat = (after.start + i) % SEATS
        if before.reservations[seat] == "-" != after.reservations[seat]:
            line(seat, word(REACTIONS.get(after.reservations[seat], "has reservation"), language))
    if before.contract is None and after.contract not in (None, "throw-in"):
        for seat, said in enumerate(after.reservations):
            if said in ("wedding", "poverty") and seat != after.declarer:
                line(seat, word(f"has {said}", language))
        lines.append(word("contract", language, contract_text(after, you, language)))
    for seat, key, values in exchanged(before.exchange, after.exchange, before.turn):
        line(seat, word(key, language, *values))
    for kind, holder in after.piglets.items():
        if kind not in before.piglets:
            line(holder, word(f"{'calls' if after.tricks else 'has'} {kind}", language))
    for call in after.calls[len(before.calls) :]:
        line(call.seat, word("calls", language, call_text(call, language)))
    shown = sum(len(trick.cards) for trick in before.tricks)
    for number, trick in enumerate(after.tricks, 1):
        for place, (seat, card) in enumerate(trick.cards, SEATS * (number - 1)):
            if place >= shown:
                line(seat, word("plays", language, card_name(card, language)))
        if trick.complete and SEATS * number > shown:
            lines.append(word("trick to", language, number, trick.eyes, seat_name(trick.taker, you, language)))
    for seat, key in regrouped(before.genscher, after.genscher):
        line(seat, word(key, language))
    if after.partner is not None and before.partner is None and after.contract == "wedding":
        lines.append(word("partner", language, seat_name(after.partner, you, language)))
    if after.alone and not before.alone:
        lines.append(word("no partner", language))
    return lines


def action_text(view: View, action: int, language: Language = "en") -> str:
    """An action of the observer in words.

    >>> import kiebitz as kb
    >>> view = kb.game("doppelkopf").new(seed=7).view(3)
    >>> [action_text(view, action, "de") for action in view.legal()][:3]
    ['gesund', 'Hochzeit', 'Karosolo']
    """
    return name_text(view.name(action), language)


def name_text(name: str, language: Language = "en") -> str:
    """An action in words, given by its name.

    >>> name_text("♣Q", "de"), name_text("no90", "de")
    ('♣D', 'keine 90')
    """
    return card_name(CODES[name], language) if name in CODES else word(name, language)


def question(view: View, language: Language = "en") -> str:
    """What a person is asked in plain words, other than to play a card.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> question(state.view(3))
    'Do you have a reservation?'
    >>> for name in ("healthy", "healthy", "healthy", "healthy"):
    ...     state.apply(state.parse(name))
    >>> question(state.view(3))
    'Do you want to call Re? It adds 2 points, no matter who wins.'
    """
    if view.phase == "reservation":
        return word("ask reservation", language)
    if view.phase == "genscher":
        return word("ask genscher", language)
    if view.phase in ("poverty", "exchange"):
        deal = view.public()["exchange"]
        if view.phase == "exchange":
            return word("ask give", language, deal["back"] + 1, deal["cards"])
        return word("ask poverty", language, deal["cards"], seat_name(deal["from"], view.observer, language))
    call = next(action for action in view.legal() if view.kind(action) == "announcement")
    name = view.name(call)
    reasons = {"re": "why re-kontra", "kontra": "why re-kontra", "black": "why black"}
    why = word(reasons.get(name, "why eyes"), language, name.removeprefix("no"))
    return word("ask call", language, action_text(view, call, language), why)


# --- The result -------------------------------------------------------------------------------------------------------


def contract_name(result: Mapping[str, Any], language: Language = "en") -> str:
    """The contract of a finished game in a word or two, for a score sheet.

    >>> contract_name({"type": "normal", "silent_solo": True}, "de")
    'stilles Solo'
    """
    return word("silent" if result["silent_solo"] else result["type"], language)


def explain(
    result: Mapping[str, Any], you: int | None = None, language: Language = "en", names: Sequence[str] | None = None
) -> tuple[list[str], list[tuple[str, int]], list[str]]:
    """A finished game from ``State.result()``: who won with what, the items of the score with their points for the
    party that gained, and what follows from their sum. Seats are called by their ``names``, or as `seat_name` does.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> while state.player != kb.TERMINAL:
    ...     state.apply(state.legal()[-1 if state.phase == "call" else 0])
    >>> head, items, sums = explain(state.result(), you=0)
    >>> head[0], items[0], sums[-1]
    ('Re wins', ('game won', 1), 'You -1, Left -1, Opposite -1, Right +3')
    """
    called = names or [seat_name(seat, you, language) for seat in range(SEATS)]
    order = range(SEATS) if you is None else [(you + i) % SEATS for i in range(SEATS)]
    points = ", ".join(f"{called[seat]} {result['points'][seat]:+d}" for seat in order)
    if result.get("thrown") is not None:
        return [word("thrown" if result["type"] == "throw-in" else "not taken", language)], [], [points]
    winner: str = result["winner"]
    gained = winner if winner != "none" else "re" if sum(result["item_points_re"]) > 0 else "kontra"
    sign = 1 if gained == "re" else -1
    head = [word("nobody wins", language) if winner == "none" else word("wins", language, word(winner, language))]
    total_tricks = len(result["trick_winners"])
    for party in ("re", "kontra"):
        tricks = result["tricks_re"] if party == "re" else total_tricks - result["tricks_re"]
        seats = ", ".join(called[seat] for seat in result[party])
        count = word("trick" if tricks == 1 else "tricks", language, tricks)
        head.append(
            word("eyes and tricks", language, word(party, language), result[f"eyes_{party}"], count, seats),
        )
    items = [
        (text, sign * value) for text, value in zip(result[f"items_{language}"], result["item_points_re"], strict=True)
    ]
    sums = [f"{word('value', language, word(gained, language))}: {sum(value for _, value in items):+d}"]
    if result["solo_scoring"]:
        sums.append(word("tripled", language))
    if result.get("worth", 1) != 1:
        sums.append(word("worth", language, result["worth"]))
    return head, items, [*sums, points]
