"""Drives the Doppelkopf engine by the words of the recorded games: random deals, whole games, call rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

import kiebitz as kb
from tests.games.doppelkopf.referee import CALLS, NUMBER, PASS, RE, House, Referee, pack, trumps

FIRST_RESERVATION, FIRST_CALL = NUMBER["healthy"], NUMBER[CALLS[0]]
HEALTHY = ("healthy",) * 4
NAMES = {number: name for name, number in NUMBER.items()}

# Two deals for tricks by hand: seats 0 and 2 are Re; 0 and 1 have a ten of hearts each and, in the first, a fox each.
PLAIN = (
    ["HT", "CQ", "SQ", "HQ", "DQ", "DA", "DT", "DK", "CA", "CT", "SA", "ST"],
    ["HT", "SQ", "HQ", "DQ", "CJ", "DA", "DT", "D9", "CA", "CT", "SA", "ST"],
    ["CQ", "CJ", "SJ", "HJ", "DJ", "DK", "D9", "HA", "HK", "H9", "CK", "C9"],
    ["SJ", "HJ", "DJ", "HA", "HK", "H9", "CK", "C9", "SK", "SK", "S9", "S9"],
)
BOTH_FOXES = (
    ["HT", "CQ", "SQ", "HQ", "DQ", "DK", "DT", "DK", "CA", "CT", "SA", "ST"],
    ["HT", "SQ", "HQ", "DQ", "CJ", "DA", "DA", "D9", "CA", "CT", "SA", "ST"],
    ["CQ", "CJ", "SJ", "HJ", "DJ", "DT", "D9", "HA", "HK", "H9", "CK", "C9"],
    ["SJ", "HJ", "DJ", "HA", "HK", "H9", "CK", "C9", "SK", "SK", "S9", "S9"],
)

KINGS = (  # seats 0 and 2 are Re; seat 0 has both kings of diamonds
    ["HT", "CQ", "SQ", "HQ", "DQ", "DK", "DT", "DK", "CA", "CT", "SA", "ST"],
    ["HT", "SQ", "HQ", "DQ", "CJ", "DA", "DT", "D9", "CA", "CT", "SA", "ST"],
    ["CQ", "CJ", "SJ", "HJ", "DJ", "DA", "D9", "HA", "HK", "H9", "CK", "C9"],
    ["SJ", "HJ", "DJ", "HA", "HK", "H9", "CK", "C9", "SK", "SK", "S9", "S9"],
)


def game_of(house: House | None = None) -> kb.Game:
    """The game with these house rules.

    >>> game_of().info.players
    4
    """
    house = house or House()
    return kb.game("doppelkopf", **{**vars(house), "owed": list(house.owed)})


def random_hands(random: Random, nines: bool = True) -> list[list[str]]:
    """A deal.

    >>> [len(hand) for hand in random_hands(Random(1))]
    [12, 12, 12, 12]
    """
    cards = pack(nines)
    random.shuffle(cards)
    size = len(cards) // 4
    return [cards[size * seat : size * (seat + 1)] for seat in range(4)]


def random_couples(random: Random, noise: float) -> list[list[str]]:
    """A deal without both club queens in one hand in which one party has the better cards: the smaller ``noise``, the
    better. Seats 0 and 2 are Re.

    >>> ["CQ" in hand for hand in random_couples(Random(1), 3.0)]
    [True, False, True, False]
    """
    order = trumps("normal")
    cards = [card for card in pack() if card != "CQ"]
    worth = [(-order.index(c) if c in order else -20 - "ATKQJ9".index(c[1])) + noise * random.random() for c in cards]
    ranked = [card for _, card in sorted(zip(worth, cards, strict=True), reverse=True)]
    if random.random() < 0.5:
        ranked.reverse()
    re, kontra = ranked[:22], ranked[22:]
    random.shuffle(re)
    random.shuffle(kontra)
    return [["CQ", *re[:11]], kontra[:12], ["CQ", *re[11:]], kontra[12:]]


def hand_texts(hands: Iterable[Sequence[str]]) -> list[str]:
    """Hands as ``Game.deal`` takes them.

    >>> hand_texts([["CQ", "D9"]])
    ['CQ D9']
    """
    return [" ".join(hand) for hand in hands]


def phase_of(state: kb.State) -> str:
    """R, A or C as in the recorded games, read off the legal actions.

    >>> phase_of(game_of().new(seed=1))
    'R'
    """
    if state.phase in ("poverty", "exchange", "genscher"):
        return {"poverty": "P", "exchange": "G", "genscher": "K"}[state.phase]
    first = state.legal()[0]
    return "C" if first < FIRST_RESERVATION else "R" if first < FIRST_CALL else "A"


def legal_names(state: kb.State) -> list[str]:
    """The legal actions in the words of the recorded games.

    >>> legal_names(game_of().new(seed=1))[0]
    'healthy'
    """
    return [NAMES[action] for action in state.legal()]


def play(state: kb.State, name: str) -> None:
    """Plays an action by its recorded name.

    >>> state = game_of().new(seed=1)
    >>> play(state, "solo-jacks")
    >>> state.history[-1]
    32
    """
    state.apply(NUMBER[name])


def open_table(
    game: kb.Game, hands: Iterable[Sequence[str]], start: int = 0, reservations: Sequence[str] = HEALTHY
) -> kb.State:
    """A deal with its reservations (by seat) made."""
    state = game.deal(hand_texts(hands), start=start)
    for seat in range(start, start + 4):
        play(state, reservations[seat % 4])
    return state


def pass_on(state: kb.State) -> None:
    """Everybody who is asked passes, until a card is due."""
    while phase_of(state) == "A":
        play(state, PASS)


def play_cards(state: kb.State, cards: Iterable[str]) -> None:
    """Plays cards; everybody who is asked for a call passes."""
    for card in cards:
        pass_on(state)
        play(state, card)


def both_kings(game: kb.Game) -> kb.State:
    """Seat 0 has just played its second king of diamonds; without calls."""
    state = open_table(game, KINGS)
    play_cards(state, ["DK", "D9", "D9", "DJ", "SK", "SA", "SA", "C9", "HQ", "DQ", "DJ", "HJ", "DK"])
    return state


def call_levels(state: kb.State, re: Iterable[int], levels: dict[str, int]) -> None:
    """Both parties climb to their level in the current call round; the first seat that is asked speaks."""
    level = dict.fromkeys(levels, 0)
    members = set(re)
    while level != levels:
        party = RE if state.player in members else "kontra"
        if level[party] < levels[party]:
            play(state, CALLS[level[party]])
            level[party] += 1
        else:
            play(state, PASS)


def finish(state: kb.State, choose: Callable[[list[int]], int]) -> None:
    """Plays to the end without calls."""
    while state.player != kb.TERMINAL:
        legal = state.legal()
        state.apply(legal[-1] if legal[0] >= FIRST_CALL else choose(legal))


def random_name(table: Referee, random: Random, calls: float, solos: float = 0.15) -> str:
    """An action of a random player that calls and plays solos that often; weddings half of the time."""
    legal = table.legal()
    if table.phase == "A":
        return legal[0] if random.random() < calls else PASS
    if table.phase == "R":
        if random.random() < solos or "healthy" not in legal:
            return random.choice(legal[1:] if "healthy" in legal else legal)
        house = [name for name in ("poverty", "throw-in") if name in legal]
        if house and random.random() < 0.7:
            return random.choice(house)
        return random.choice(legal[:2]) if "wedding" in legal else "healthy"
    return random.choice(legal)


def random_table(random: Random, house: House | None = None, queens: float = 0.0) -> Referee:
    """A random deal at a referee's table; with chance ``queens`` one seat gets both club queens."""
    house = house or House()
    hands = random_hands(random, house.nines)
    if random.random() < queens:
        keeper = random.choice([seat for seat in range(4) if "CQ" in hands[seat]])
        for seat in range(4):
            if seat != keeper and "CQ" in hands[seat]:
                other = next(card for card in hands[keeper] if card != "CQ")
                hands[seat][hands[seat].index("CQ")] = other
                hands[keeper][hands[keeper].index(other)] = "CQ"
    return Referee(hands, random.randrange(4), house)
