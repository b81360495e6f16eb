"""A plain referee for Doppelkopf, written from the rules alone, to check the engine against; used only by tests.

Rules: the tournament rules of the DDV as settled by the recorded games (announcement rounds, replies, wedding shift,
shown reservations, winning tests). Everything is a list or a text, nothing is clever: read it beside the rules. Actions
are the names of the recorded games; the position of a name in ``ACTIONS`` is its number.

>>> table = Referee(["CQ CQ HT HT SQ SQ HQ HQ DQ DQ CJ CJ", "SJ SJ HJ HJ DJ DJ DA DA DT DT DK DK",
...                  "D9 D9 CA CA CT CT CK CK C9 C9 SA SA", "ST ST SK SK S9 S9 HA HA HK HK H9 H9"], start=0)
>>> table.seat, table.phase, table.legal()[:2]
(0, 'R', ['healthy', 'wedding'])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SUITS, RANKS = "DHCS", "9TJQKA"
CARDS = [suit + rank for suit in SUITS for rank in RANKS]
SOLOS = [f"solo-{name}" for name in ("diamonds", "hearts", "spades", "clubs", "trumpless", "queens", "jacks")]
RESERVATIONS = ["healthy", "wedding", *SOLOS]
CALLS = ["re-kontra", "no90", "no60", "no30", "black"]
PASS = "pass"
ACTIONS = [*CARDS, *RESERVATIONS, *CALLS, PASS]
HOUSE_ACTIONS = ["poverty", "throw-in", "take", "leave", "keep", "left", "opposite", "right"]
NUMBER = {name: number for number, name in enumerate([*ACTIONS, *HOUSE_ACTIONS])}
EYES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}

RE, KONTRA = "re", "kontra"
OTHER = {RE: KONTRA, KONTRA: RE}


@dataclass(frozen=True)
class House:
    """House rules, all off by default."""

    second_ten: bool = False
    piglets: bool = False
    fox_last: bool = False
    charlie_caught: bool = False
    nines: bool = True
    superpiglets: bool = False
    hyperpiglets: bool = False
    piglets_when_played: bool = False
    throw_in: bool = False
    poverty: bool = False
    solo_ranking: bool = False
    soloist_leads: bool = False
    genscher: bool = False
    bock: bool = False
    bock_solo: bool = False
    bock_hearts: bool = False
    owed: tuple[int, ...] = ()
    forced: int = -1
    worth: int = 1


def eyes(cards: Sequence[str]) -> int:
    """What the cards count.

    >>> eyes(["CA", "ST", "H9"])
    21
    """
    return sum(EYES[card[1]] for card in cards)


def pack(nines: bool = True) -> list[str]:
    """All cards, two of each.

    >>> len(pack()), len(pack(nines=False)), eyes(pack())
    (48, 40, 240)
    """
    return [card for card in CARDS for _ in range(2) if nines or card[1] != "9"]


def trumps(contract: str, piglets: bool = False, above: Sequence[str] = ()) -> list[str]:
    """The trumps of a contract, highest first; ``above``: super- and hyperpiglets, the highest first.

    >>> trumps("solo-jacks")
    ['CJ', 'SJ', 'HJ', 'DJ']
    """
    queens = [suit + "Q" for suit in "CSHD"]
    jacks = [suit + "J" for suit in "CSHD"]
    if contract == "solo-trumpless":
        return []
    if contract == "solo-queens":
        return queens
    if contract == "solo-jacks":
        return jacks
    suit = {"solo-hearts": "H", "solo-spades": "S", "solo-clubs": "C"}.get(contract, "D")
    order = ["HT", *queens, *jacks, *(suit + rank for rank in "ATK9" if suit + rank != "HT")]
    if piglets and suit == "D":
        first = [*above, "DA"]
        order = [*first, *(card for card in order if card not in first)]
    return order


SOLO_RANKING = [f"solo-{name}" for name in ("trumpless", "queens", "jacks", "clubs", "spades", "hearts", "diamonds")]


def is_poor(hand: Sequence[str]) -> bool:
    """At most three trumps.

    >>> is_poor(["HT", "CQ", "DA", "SA"]), is_poor(["HT", "CQ", "DA", "D9"])
    (True, False)
    """
    return sum(card in trumps("normal") for card in hand) <= 3


def is_bad(hand: Sequence[str]) -> bool:
    """May it be thrown in?

    >>> is_bad(["DA", "SA", "CK"]), is_bad(["DJ", "SA", "CK"]), is_bad(["DJ", "SK", "CK", "SK", "CK", "DK"])
    (True, False, True)
    """
    ranks = "".join(card[1] for card in hand)
    fulls = ranks.count("A") + ranks.count("T")
    high = [card for card in hand if card in trumps("normal") and card not in ("DA", "DT", "DK", "D9")]
    return ranks.count("9") >= 5 or ranks.count("K") >= 5 or fulls >= 8 or not high


def category(card: str, contract: str) -> str:
    """What must be followed when this card is led: ``trump`` or its suit.

    >>> category("DK", "normal"), category("DK", "solo-clubs")
    ('trump', 'D')
    """
    return "trump" if card in trumps(contract) else card[0]


def best_card(
    cards: Sequence[str],
    contract: str,
    second_ten: bool = False,
    piglets: bool = False,
    above: Sequence[str] = (),
) -> int:
    """Which card of a trick, in the order played, wins it. Of two equal cards the first.

    >>> best_card(["CA", "CA", "C9", "D9"], "normal"), best_card(["CA", "CA", "C9", "D9"], "solo-clubs")
    (3, 0)
    """
    order = trumps(contract, piglets, above)
    led = category(cards[0], contract)

    def strength(card: str) -> int:
        if card in order:
            return 100 - order.index(card)
        return 50 - "ATKQJ9".index(card[1]) if card[0] == led else 0

    strengths = [strength(card) for card in cards]
    winner = strengths.index(max(strengths))
    if second_ten and cards[winner] == "HT" and "HT" in order and cards.count("HT") == 2:
        winner = len(cards) - 1 - list(reversed(cards)).index("HT")
    return winner


def winner_of(eyes_re: int, tricks_re: int, level: dict[str, int], tricks: int = 12) -> str:
    """``re``, ``kontra`` or ``none``. ``level`` counts the steps each party has called (0 to 5).

    >>> winner_of(120, 6, {"re": 0, "kontra": 0}), winner_of(120, 6, {"re": 0, "kontra": 1})
    ('kontra', 're')
    """
    got = {RE: eyes_re, KONTRA: 240 - eyes_re}
    won = {RE: tricks_re, KONTRA: tricks - tricks_re}

    def reached(party: str) -> bool:
        own, against = level[party], level[OTHER[party]]
        if own == 5:
            return won[party] == tricks
        if own >= 2:
            return got[party] >= {2: 151, 3: 181, 4: 211}[own]
        if against == 5:
            return won[party] >= 1
        if against >= 2:
            return got[party] >= {2: 90, 3: 60, 4: 30}[against]
        only_kontra = level[KONTRA] == 1 and level[RE] == 0
        return got[party] >= (120 if (party == RE) == only_kontra else 121)

    winners = [party for party in (RE, KONTRA) if reached(party)]
    assert len(winners) < 2
    return winners[0] if winners else "none"


def base_items(eyes_re: int, tricks_re: int, level: dict[str, int], tricks: int = 12) -> dict[str, int]:
    """The items of the base score; without a winner each counts for the party it is named after.

    >>> base_items(200, 10, {"re": 1, "kontra": 0})
    {'won': 1, 'under90': 1, 'under60': 1, 'said_re': 2}
    """
    got = {RE: eyes_re, KONTRA: 240 - eyes_re}
    winner = winner_of(eyes_re, tricks_re, level, tricks)
    items: dict[str, int] = {}

    def under(party: str, prefix: str) -> None:
        for bound in (90, 60, 30):
            if got[OTHER[party]] < bound:
                items[f"{prefix}under{bound}"] = 1

    def against(party: str) -> None:
        for step, (bound, word) in enumerate([(120, "no90"), (90, "no60"), (60, "no30"), (30, "black")], 2):
            if level[OTHER[party]] >= step and got[party] >= bound:
                items[f"{party}_{bound}_vs_{word}"] = 1

    if winner == "none":
        for party in (RE, KONTRA):
            under(party, f"{party}_")
            against(party)
        return items
    items["won"] = 1
    under(winner, "")
    if (tricks - tricks_re if winner == RE else tricks_re) == 0:
        items["black"] = 1
    for party in (RE, KONTRA):
        if level[party] >= 1:
            items[f"said_{party}"] = 2
        for word in CALLS[1 : level[party]]:
            items[f"{party}_said_{word}"] = 1
    against(winner)
    return items


class Referee:
    """One game at a table: who is asked what, what is legal, and what it was worth."""

    def __init__(self, hands: Sequence[str | Sequence[str]], start: int, house: House | None = None) -> None:
        self.house = house or House()
        self.dealt = [sorted(hand.split() if isinstance(hand, str) else hand, key=CARDS.index) for hand in hands]
        assert sorted(card for hand in self.dealt for card in hand) == sorted(pack(self.house.nines))
        self.hands = [list(hand) for hand in self.dealt]
        self.size = len(self.hands[0])
        self.start = start
        self.reservations: list[str | None] = [None] * 4
        self.contract = "normal"
        self.re: list[int] = []
        self.solved: int | None = None  # the trick after which a wedding was settled
        self.played: list[tuple[int, str]] = []
        self.winners: list[int] = []
        self.calls: list[tuple[int, int, str]] = []  # cards played before it, seat, word
        self.level = {RE: 0, KONTRA: 0}
        self.mover = start  # who plays the next card
        self.asked = start  # who is asked in a round of calls
        self.passes = 0  # in a row
        self.seat: int | None = start
        self.phase = "R"
        self.thrown: int | None = None  # the seat whose hand ended the deal before the first card
        self.poor: int | None = None
        self.taker: int | None = None
        self.down: list[str] = []  # in poverty, the cards that were put down and those that came back
        self.back: list[str] = []
        self.played_with = self.dealt  # hands before the first card
        self.announced: list[tuple[int, str]] = []  # piglets that were announced when played: seat, card

    # --- Moves

    def legal(self) -> list[str]:
        """The legal actions in the order of their numbers."""
        if self.seat is None:
            return []
        hand = self.hands[self.seat]
        if self.phase == "R":
            if self.seat == self.house.forced:
                return SOLOS
            names = [name for name in RESERVATIONS if name != "wedding" or hand.count("CQ") == 2]
            names += ["poverty"] * (self.house.poverty and is_poor(hand))
            return names + ["throw-in"] * (self.house.throw_in and is_bad(hand))
        if self.phase == "P":
            return ["take", "leave"]
        if self.phase == "K":
            return ["keep", "left", "opposite", "right"]
        if self.phase == "G":
            return sorted(set(hand), key=CARDS.index)
        if self.phase == "A":
            return [CALLS[self.next_step(self.seat) - 1], PASS]
        cards = sorted(set(hand), key=CARDS.index)
        trick = self.trick()
        if not trick:
            return cards
        led = category(trick[0], self.contract)
        follow = [card for card in cards if category(card, self.contract) == led]
        return follow or cards

    def play(self, action: str) -> None:
        """Plays a legal action of the seat whose turn it is."""
        assert action in self.legal(), action
        assert self.seat is not None
        if self.phase == "R":
            self._reserve(action)
        elif self.phase == "P":
            self._answer(action)
        elif self.phase == "G":
            self._give(action)
        elif self.phase == "K":
            self._choose(action)
        elif self.phase == "A":
            self._speak(action)
        else:
            self._play_card(action)

    def _reserve(self, action: str) -> None:
        assert self.seat is not None
        self.reservations[self.seat] = action
        if action == "throw-in":
            self.contract = "throw-in"
            self._throw(self.seat)
            return
        self.seat = (self.seat + 1) % 4
        if self.seat == self.start:
            self._settle_contract()
            if self.contract == "poverty":
                assert self.poor is not None
                self._ask_to_take(self.poor + 1)
            else:
                self._open_round()

    def _throw(self, seat: int) -> None:
        self.thrown, self.seat, self.phase = seat, None, "over"

    def _ask_to_take(self, seat: int) -> None:
        """The next seat is asked, unless it is poor itself; when all have been asked, the deal ends."""
        assert self.poor is not None
        while seat % 4 != self.poor and self.reservations[seat % 4] == "poverty":
            seat += 1
        if seat % 4 == self.poor:
            self._throw(self.poor)
        else:
            self.seat, self.phase = seat % 4, "P"

    def _answer(self, action: str) -> None:
        assert self.seat is not None
        assert self.poor is not None
        if action == "leave":
            self._ask_to_take(self.seat + 1)
            return
        self.taker = self.seat
        self.re = sorted([self.poor, self.taker])
        self.down = [card for card in self.hands[self.poor] if card in trumps("normal")]
        self.hands[self.poor] = [card for card in self.hands[self.poor] if card not in trumps("normal")]
        self.hands[self.taker] += self.down
        self.phase = "G"
        self._end_exchange()

    def _give(self, card: str) -> None:
        assert self.taker is not None
        assert self.poor is not None
        self.hands[self.taker].remove(card)
        self.hands[self.poor].append(card)
        self.back.append(card)
        self._end_exchange()

    def _end_exchange(self) -> None:
        if len(self.back) == len(self.down):
            self.played_with = [list(hand) for hand in self.hands]
            self._open_round()

    def _settle_contract(self) -> None:
        solos = [seat for seat in self.speaking_order() if self.reservations[seat] in SOLOS]
        if any(seat in self.house.owed for seat in solos):
            solos = [seat for seat in solos if seat in self.house.owed]
        if solos:
            if self.house.solo_ranking:
                solos.sort(key=lambda seat: SOLO_RANKING.index(str(self.reservations[seat])))
            self.contract = str(self.reservations[solos[0]])
            self.re = [solos[0]]
            if self.house.soloist_leads or solos[0] in self.house.owed:
                self.mover = solos[0]
            return
        if "poverty" in self.reservations:
            self.contract = "poverty"
            self.poor = next(seat for seat in self.speaking_order() if self.reservations[seat] == "poverty")
            self.re = [self.poor]
            return
        if "wedding" in self.reservations:
            self.contract = "wedding"
            self.re = [self.reservations.index("wedding")]
            return
        self.re = [seat for seat in range(4) if "CQ" in self.dealt[seat]]

    def _speak(self, action: str) -> None:
        assert self.seat is not None
        if action == PASS:
            self.passes += 1
        else:
            self.passes = 0
            self.level[self.party(self.seat)] += 1
            self.calls.append((len(self.played), self.seat, action))
        self.asked = (self.asked + 1) % 4
        self._find_speaker()

    def _open_round(self) -> None:
        self.asked = self.mover
        self.passes = 0
        self._find_speaker()

    def _find_speaker(self) -> None:
        while self.passes < 4:
            if self.next_step(self.asked):
                self.seat, self.phase = self.asked, "A"
                return
            self.passes += 1
            self.asked = (self.asked + 1) % 4
        self.seat, self.phase = self.mover, "C"

    def _play_card(self, card: str) -> None:
        self.hands[self.mover].remove(card)
        both = self.house.piglets_when_played and card in self.hands[self.mover]
        if both and card in self.ladder()[len(self.announced) :][:1]:
            self.announced.append((self.mover, card))
        self.played.append((self.mover, card))
        kings = [seat for seat, other in self.played if other == "DK"]
        player, self.mover = self.mover, (self.mover + 1) % 4
        if len(self.played) % 4 == 0:
            self._take_trick(self.played[-4:])
        in_time = len(self.played) <= 4 * (self.size - 1)
        if self.house.genscher and card == "DK" and kings == [player] * 2 and self.contract == "normal" and in_time:
            self.seat, self.phase = player, "K"
        elif any(self.hands):
            self._open_round()
        else:
            self.seat, self.phase = None, "over"

    def _choose(self, action: str) -> None:
        """Who played both diamond kings keeps the party, or chooses the partner: then the others are partners."""
        assert self.seat is not None
        if action != "keep":
            pair = [self.seat, (self.seat + ["keep", "left", "opposite", "right"].index(action)) % 4]
            self.re = [seat for seat in range(4) if (seat in pair) == (self.seat in self.re)]
        self._open_round()

    def _take_trick(self, trick: list[tuple[int, str]]) -> None:
        self.mover = trick[self._best([card for _, card in trick])][0]
        self.winners.append(self.mover)
        if self.contract == "wedding" and self.solved is None:
            if self.mover != self.re[0]:
                self.re = sorted([self.re[0], self.mover])
                self.solved = len(self.winners) - 1
            elif len(self.winners) == 3:
                self.solved = 2

    def _best(self, cards: list[str]) -> int:
        return best_card(cards, self.contract, self.house.second_ten, self.has_piglets(), self.above())

    # --- What is known of the table

    def speaking_order(self) -> list[int]:
        """The seats from the start seat on."""
        return [(self.start + i) % 4 for i in range(4)]

    def trick(self) -> list[str]:
        """The cards of the trick on the table."""
        return [card for _, card in self.played[len(self.played) // 4 * 4 :]]

    def party(self, seat: int) -> str:
        """The party of a seat; in a wedding, only once it is settled."""
        return RE if seat in self.re else KONTRA

    def ladder(self) -> list[str]:
        """The cards of piglets, superpiglets and hyperpiglets, as far as the rules and the contract have them."""
        if self.contract not in ("normal", "wedding", "solo-diamonds", "poverty"):
            return []
        kinds = [self.house.piglets, self.house.superpiglets, self.house.hyperpiglets, False]
        return ["DA", *(["D9", "DK"] if self.house.nines else ["DK", "DJ"])][: kinds.index(False)]

    def swines(self) -> list[tuple[int, str]]:
        """Seat and card of the kinds in play, the lowest first."""
        if self.house.piglets_when_played:
            return self.announced
        found: list[tuple[int, str]] = []
        for card in self.ladder():
            holders = [seat for seat, hand in enumerate(self.played_with) if hand.count(card) == 2]
            if not holders:
                break
            found.append((holders[0], card))
        return found

    def has_piglets(self) -> bool:
        """Are both diamond aces of one hand the highest trumps of this game?"""
        return bool(self.swines())

    def above(self) -> list[str]:
        """Super- and hyperpiglets in play, the highest first."""
        return [card for _, card in reversed(self.swines()[1:])]

    def next_step(self, seat: int) -> int:
        """The step (1 to 5) that the seat may call now, or 0."""
        if self.contract == "wedding" and self.solved is None:
            return 0
        party = self.party(seat)
        step = self.level[party] + 1
        if step > 5:
            return 0
        cards = len(self.hands[seat]) + (self.solved or 0) + 12 - self.size
        in_time = cards >= 12 - step
        opponents = self.level[OTHER[party]]
        reply = step == 1 and opponents > 0 and cards >= 11 - opponents
        return step if in_time or reply else 0

    def shown(self) -> list[str]:
        """The reservations as the table knows them once all have spoken."""
        return [
            "hidden" if name in SOLOS and not (self.contract == name and self.re == [seat]) else str(name)
            for seat, name in enumerate(self.reservations)
        ]

    # --- The end

    def special_items(self) -> dict[str, int] | None:
        """Special points with their counts; None where they do not count."""
        if len(self.re) == 1:
            return None
        items: dict[str, int] = {}

        def add(item: str, seat: int) -> None:
            name = f"{item}_{self.party(seat)}"
            items[name] = items.get(name, 0) + 1

        if self.result_winner() == KONTRA:
            items["against_club_queens"] = 1
        for number, winner in enumerate(self.winners):
            trick = self.played[4 * number : 4 * number + 4]
            last = number == len(self.winners) - 1
            if eyes([card for _, card in trick]) >= 40:
                add("doppelkopf", winner)
            for seat, card in trick:
                caught = self.party(seat) != self.party(winner)
                if card == "DA" and caught and not self.has_piglets():
                    add("fox", winner)
                if card == "CJ" and caught and last and self.house.charlie_caught:
                    add("charlie_caught", winner)
            best = next(card for seat, card in trick if seat == winner)
            if last and best == "CJ":
                add("charlie", winner)
            if last and best == "DA" and self.house.fox_last and not self.has_piglets():
                add("fox_last", winner)
        return items

    def _eyes_re(self) -> int:
        return sum(count for seat, count in enumerate(self.eyes_player()) if seat in self.re)

    def _tricks_re(self) -> int:
        return sum(winner in self.re for winner in self.winners)

    def eyes_player(self) -> list[int]:
        """Eyes won so far, per seat."""
        got = [0] * 4
        for number, winner in enumerate(self.winners):
            got[winner] += eyes([card for _, card in self.played[4 * number : 4 * number + 4]])
        return got

    def result_winner(self) -> str:
        """Who won the finished game."""
        return winner_of(self._eyes_re(), self._tricks_re(), self.level, len(self.winners))

    def result(self) -> dict[str, Any]:
        """The fields of the recorded games."""
        assert self.phase == "over"
        if self.thrown is not None:
            return {"type": self.contract, "thrown": self.thrown, "winner": "none", "points": [0] * 4, "items": []}
        winner = self.result_winner()
        base = base_items(self._eyes_re(), self._tricks_re(), self.level, len(self.winners))
        special = self.special_items()
        points = net_points(winner, base, special) * self.house.worth
        alone = len(self.re) == 1
        points_re, points_kontra = points * 3 if alone else points, -points
        house: dict[str, Any] = {}
        if self.house.bock_hearts:
            tricks = [self.played[4 * n : 4 * n + 4] for n in range(len(self.winners))]
            hearts = [all(category(card, self.contract) == "H" for _, card in trick) for trick in tricks]
            house["heart_tricks"] = sum(hearts)
        last_call = {party: CALLS[level - 1] if level else None for party, level in self.level.items()}
        return {
            "type": self.contract,
            "silent_solo": self.contract == "normal" and alone,
            "reservations_shown": self.shown(),
            "wedding": (
                {"player": self.reservations.index("wedding"), "solved_trick": self.solved}
                if self.contract == "wedding"
                else None
            ),
            "re": self.re,
            "kontra": [seat for seat in range(4) if seat not in self.re],
            "solo_scoring": alone,
            "trick_winners": self.winners,
            "eyes_player": self.eyes_player(),
            "eyes_re": self._eyes_re(),
            "eyes_kontra": 240 - self._eyes_re(),
            "tricks_re": self._tricks_re(),
            "lowest_re": last_call[RE],
            "lowest_kontra": last_call[KONTRA],
            "winner": winner,
            "points": [points_re if seat in self.re else points_kontra for seat in range(4)],
            "points_re": points_re,
            "points_kontra": points_kontra,
            "base": base,
            "special": special,
            **house,
        }


def net_points(winner: str, base: dict[str, int], special: dict[str, int] | None) -> int:
    """What one Re seat gets, before a lone seat is tripled.

    >>> net_points("kontra", {"won": 1, "said_re": 2}, {"fox_re": 1, "against_club_queens": 1})
    -3
    """
    if winner == "none":
        points = sum(count if item.startswith("re_") else -count for item, count in base.items())
    else:
        points = sum(base.values()) * (1 if winner == RE else -1)
    for item, count in (special or {}).items():
        points += count if item.endswith("_re") else -count
    return points
