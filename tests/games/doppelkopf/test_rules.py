"""Doppelkopf's rules one by one: cards, reservations, tricks, parties, calls."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from scipy.stats import chisquare

import kiebitz as kb
from tests.games.doppelkopf.playing import (
    HEALTHY,
    PLAIN,
    call_levels,
    finish,
    game_of,
    hand_texts,
    legal_names,
    open_table,
    pass_on,
    phase_of,
    play,
    play_cards,
    random_hands,
    random_table,
)
from tests.games.doppelkopf.referee import (
    ACTIONS,
    CALLS,
    CARDS,
    KONTRA,
    NUMBER,
    OTHER,
    PASS,
    RE,
    RESERVATIONS,
    SOLOS,
    Referee,
    best_card,
    category,
    eyes,
    pack,
)

CONTRACTS = ["healthy", *SOLOS]

# Section 2.4, highest first: trumps, then the side suits.
QUEENS, JACKS = "CQ SQ HQ DQ", "CJ SJ HJ DJ"
CLUBS, SPADES, HEARTS, DIAMONDS = "CA CT CK C9", "SA ST SK S9", "HA HK H9", "DA DT DK D9"
ORDERS: dict[str, tuple[str, list[str]]] = {
    "healthy": (f"HT {QUEENS} {JACKS} {DIAMONDS}", [CLUBS, SPADES, HEARTS]),
    "solo-diamonds": (f"HT {QUEENS} {JACKS} {DIAMONDS}", [CLUBS, SPADES, HEARTS]),
    "solo-hearts": (f"HT {QUEENS} {JACKS} {HEARTS}", [CLUBS, SPADES, DIAMONDS]),
    "solo-spades": (f"HT {QUEENS} {JACKS} {SPADES}", [CLUBS, HEARTS, DIAMONDS]),
    "solo-clubs": (f"HT {QUEENS} {JACKS} {CLUBS}", [SPADES, HEARTS, DIAMONDS]),
    "solo-queens": (QUEENS, [" ".join(suit + rank for rank in "ATKJ9") for suit in "CSHD"]),
    "solo-jacks": (JACKS, [" ".join(suit + rank for rank in "ATKQ9") for suit in "CSHD"]),
    "solo-trumpless": ("", [" ".join(suit + rank for rank in "ATKQJ9") for suit in "CSHD"]),
}
TRUMP_CARDS = dict(zip(ORDERS, [26, 26, 24, 26, 26, 8, 8, 0], strict=True))


def solo_of_first(contract: str) -> list[str]:
    """Reservations by seat: seat 0 plays the contract, or everybody is healthy."""
    return [contract, *HEALTHY[1:]]


# --- Cards and deal -------------------------------------------------------------------------------------------------


@pytest.mark.requirement("DK-1")
def test_deck() -> None:
    """24 types, two of each, 240 eyes; every deal gives four hands of twelve."""
    game = game_of()
    assert eyes(pack()) == 240
    for seed in range(500):
        hands = [hand.split() for hand in game.new(seed=seed).position()["hands"]]
        assert [len(hand) for hand in hands] == [12] * 4
        assert sorted(card for hand in hands for card in hand) == sorted(pack())


@pytest.mark.requirement("DK-1")
def test_eyes() -> None:
    """A lone trick's eyes add up from A 11, 10 10, K 4, Q 3, J 2, 9 0."""
    game = game_of()
    random = Random(1)
    for _ in range(200):
        state = open_table(game, random_hands(random))
        finish(state, random.choice)
        result = state.result()
        won = [0] * 4
        cards = [card for card in state.history[49:] if card < len(CARDS)]
        for number, winner in enumerate(result["trick_winners"]):
            trick = cards[4 * number : 4 * number + 4]
            won[winner] += sum({"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}[CARDS[card][1]] for card in trick)
        assert result["eyes_player"] == won
        assert sum(won) == 240


@pytest.mark.requirement("DK-2")
def test_deal_and_start_seat_are_uniform() -> None:
    """100,000 deals: places of the club queens and start seats (chi-square), both queens in one hand 23.40 %."""
    game = game_of()
    starts: Counter[int] = Counter()
    queens: Counter[tuple[int, ...]] = Counter()
    deals = 100_000
    for seed in range(deals):
        history = game.new(seed=seed).history
        starts[history[0]] += 1
        queens[tuple(place // 12 for place, card in enumerate(history[1:]) if card == NUMBER["CQ"])] += 1
    together = sum(count for (one, other), count in queens.items() if one == other) / deals
    assert together == pytest.approx(0.2340, abs=0.005)
    assert chisquare([starts[seat] for seat in range(4)]).pvalue > 0.001
    pairs = [(one, other) for one, other in product(range(4), repeat=2) if one <= other]
    odds = [66 / 1128 if one == other else 144 / 1128 for one, other in pairs]
    assert chisquare([queens[pair] for pair in pairs], [deals * p for p in odds]).pvalue > 0.001


@pytest.mark.requirement("DK-2")
def test_chance_moves_deal_physical_cards() -> None:
    """Start seats have a quarter each; a card type has its copies left over the cards left."""
    state = game_of().root()
    assert state.outcomes() == [(seat, 0.25) for seat in range(4)]
    random = Random(2)
    state.apply(3)
    left = Counter(pack())
    while state.player == kb.CHANCE:
        total = sum(left.values())
        assert dict(state.outcomes()) == pytest.approx({NUMBER[c]: n / total for c, n in left.items() if n})
        action = random.choice(state.legal())
        left[CARDS[action]] -= 1
        state.apply(action)
    assert state.player == 3


# --- Reservations ---------------------------------------------------------------------------------------------------


@pytest.mark.requirement("DK-3")
def test_reservations_legality() -> None:
    """A wedding needs both club queens; everything else is always legal; each seat speaks once, from the start seat."""
    game = game_of()
    random = Random(3)
    weddings = 0
    for _ in range(500):
        hands = random_hands(random)
        start = random.randrange(4)
        state = game.deal(hand_texts(hands), start=start)
        for turn in range(4):
            seat = (start + turn) % 4
            assert state.player == seat
            both = hands[seat].count("CQ") == 2
            assert legal_names(state) == [name for name in RESERVATIONS if name != "wedding" or both]
            weddings += both
            play(state, "healthy")
        assert phase_of(state) != "R"
    assert weddings > 50


def finished(hands: Any, reservations: list[str], start: int = 0) -> dict[str, Any]:
    """The result of a game in which everybody plays the first legal card."""
    state = open_table(game_of(), hands, start, reservations)
    finish(state, lambda legal: legal[0])
    return state.result()


@pytest.mark.requirement("DK-3")
@pytest.mark.parametrize("start", range(4))
def test_of_four_solos_the_first_speaker_plays(start: int) -> None:
    words = ["solo-queens", "solo-jacks", "solo-clubs", "solo-trumpless"]
    result = finished(PLAIN, words, start)
    assert (result["type"], result["re"]) == (words[start], [start])
    assert result["reservations_shown"] == [words[seat] if seat == start else "hidden" for seat in range(4)]


@pytest.mark.requirement("DK-3")
def test_priorities() -> None:
    hands = [list(hand) for hand in PLAIN]
    hands[0][hands[0].index("DK")], hands[2][hands[2].index("CQ")] = "CQ", "DK"  # seat 0 has both
    assert hands[0].count("CQ") == 2
    plain = finished(hands, ["wedding", "healthy", "healthy", "healthy"])
    assert (plain["type"], plain["reservations_shown"]) == ("wedding", ["wedding", "healthy", "healthy", "healthy"])
    for start in range(4):  # a solo beats a wedding, before or after it; the wedding is shown all the same
        result = finished(hands, ["wedding", "healthy", "solo-hearts", "healthy"], start)
        assert (result["type"], result["re"], result["wedding"]) == ("solo-hearts", [2], None)
        assert result["reservations_shown"] == ["wedding", "healthy", "solo-hearts", "healthy"]
    silent = finished(hands, list(HEALTHY))
    assert (silent["type"], silent["silent_solo"], silent["re"]) == ("normal", True, [0])


@pytest.mark.requirement("DK-4")
def test_names_are_hidden_until_all_have_spoken() -> None:
    """10,000 random games: before, others know only that there is a reservation; after, overruled solos stay hidden."""
    game = game_of()
    random = Random(4)
    for _ in range(10_000):
        state = game.new(seed=random.randrange(2**40))
        start = state.player
        names: dict[int, str] = {}
        for _ in range(3):
            action = random.choice(state.legal())
            names[state.player] = ACTIONS[action]
            state.apply(action)
        observer = random.randrange(4)
        known = {s: n if n == "healthy" or s == observer else "hidden" for s, n in names.items()}
        assert state.view(observer).fields()["reservations"] == [known.get(seat, "-") for seat in range(4)]
        action = random.choice(state.legal())
        names[state.player] = ACTIONS[action]
        state.apply(action)
        solos = [seat % 4 for seat in range(start, start + 4) if names[seat % 4] in SOLOS]
        shown = {s: "hidden" if s in solos[1:] and s != observer else n for s, n in names.items()}
        view = state.view(observer)
        assert view.fields()["reservations"] == [shown[seat] for seat in range(4)]
        told = set(shown.values())
        text = str(view) + json.dumps(view.to_json())
        assert not any(name in text for name in SOLOS if name not in told)


# --- Tricks ---------------------------------------------------------------------------------------------------------


@cache
def tricks_of_pairs(contract: str) -> list[tuple[list[str], int]]:
    """First tricks led by seat 0, and who took them: every card led, every card that seat 1 may play on it.

    Some deals for each pair, until one of the two takes the trick (impossible where all others must beat them).
    """
    game = game_of()
    random = Random(contract)
    name = "normal" if contract == "healthy" else contract
    tricks = []
    for first, second in product(CARDS, repeat=2):
        for _ in range(8):
            cards = pack()
            cards.remove(first)
            cards.remove(second)
            random.shuffle(cards)
            led = category(first, name)
            if category(second, name) != led:  # seat 1 gets the front of the pack and must have none of what is led
                cards = [c for c in cards if category(c, name) != led] + [c for c in cards if category(c, name) == led]
            hands = [[first, *cards[11:22]], [second, *cards[:11]], cards[22:34], cards[34:]]
            state = open_table(game, hands, 0, solo_of_first(contract))
            trick: list[str] = []
            for planned in (first, second, None, None):
                pass_on(state)
                trick.append(planned or random.choice(legal_names(state)))
                play(state, trick[-1])
            pass_on(state)
            tricks.append((trick, state.player))
            if state.player < 2:
                break
    return tricks


@pytest.mark.requirement("DK-5")
@pytest.mark.parametrize("contract", CONTRACTS)
def test_trumps_and_orders(contract: str) -> None:
    """Trumps take cards of other suits; the order says which card takes which."""
    takes = {tuple(trick[:2]): taker == 1 for trick, taker in tricks_of_pairs(contract) if taker < 2}
    trumps, sides = ORDERS[contract]
    takes_others = {second for (first, second), won in takes.items() if won and first[0] != second[0]}
    assert takes_others == set(trumps.split())
    assert 2 * len(takes_others) == TRUMP_CARDS[contract]
    assert sorted(card for order in (trumps, *sides) for card in order.split()) == sorted(CARDS)
    for order in (trumps, *sides):
        for (high, better), (low, worse) in product(enumerate(order.split()), repeat=2):
            if (worse, better) in takes:
                assert takes[worse, better] == (high < low)


@pytest.mark.requirement("DK-6")
@pytest.mark.parametrize("contract", CONTRACTS)
def test_pairs_exhaustively(contract: str) -> None:
    """Every card on every other: the highest trump takes, else the highest of what was led, the first of two equals."""
    trumps, sides = ORDERS[contract]
    seen = set()
    for trick, taker in tricks_of_pairs(contract):
        led = next(order for order in (trumps, *sides) if trick[0] in order.split())
        deciding = trumps if any(card in trumps.split() for card in trick) else led
        places = [deciding.split().index(card) if card in deciding.split() else 99 for card in trick]
        assert taker == places.index(min(places)), trick
        seen.add(tuple(trick[:2]))
    assert seen == set(product(CARDS, repeat=2))
    if trumps.startswith("HT"):
        assert all(taker == 0 for trick, taker in tricks_of_pairs(contract) if trick[:2] == ["HT", "HT"])


# --- Parties --------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("DK-7")
def test_parties() -> None:
    """Normal: holders of a club queen. Both in one hand and healthy: alone. Solo: the soloist alone."""
    random = Random(7)
    game = game_of()
    silent = 0
    for number in range(400):
        hands = random_hands(random)
        holders = [seat for seat in range(4) if "CQ" in hands[seat]]
        soloist = number % 8
        words = [SOLOS[number % 7] if seat == soloist else "healthy" for seat in range(4)]
        state = open_table(game, hands, 0, words)
        finish(state, random.choice)
        result = state.result()
        assert result["re"] == ([soloist] if soloist < 4 else holders)
        assert result["solo_scoring"] == (len(result["re"]) == 1)
        assert result["silent_solo"] == (soloist >= 4 and len(holders) == 1)
        silent += result["silent_solo"]
    assert silent > 20


@cache
def wedding(partner_after: int | None) -> tuple[Referee, list[str]]:
    """A finished wedding without calls whose partner was found in that trick (0, 1, 2), or never; and its cards."""
    random = Random(70)
    while True:
        table = random_table(random, queens=1.0)
        while table.phase != "over":
            legal = table.legal()
            name = ("wedding" if "wedding" in legal else "healthy") if table.phase == "R" else None
            table.play(name or (PASS if table.phase == "A" else random.choice(legal)))
        if (None if len(table.re) == 1 else table.solved) == partner_after:
            return Referee(table.dealt, table.start), [card for _, card in table.played]


def opened(table: Referee) -> kb.State:
    """The engine's table for a wedding, declared by the holder of both club queens."""
    words = ["wedding" if hand.count("CQ") == 2 else "healthy" for hand in table.dealt]
    return open_table(game_of(), table.dealt, table.start, words)


@pytest.mark.requirement("DK-7")
@pytest.mark.parametrize("after", [0, 1, 2, None])
def test_wedding(after: int | None) -> None:
    table, cards = wedding(after)
    state = opened(table)
    play_cards(state, cards)
    result = state.result()
    bride = next(seat for seat in range(4) if table.dealt[seat].count("CQ") == 2)
    partner = None if after is None else result["trick_winners"][after]
    assert all(winner == bride for winner in result["trick_winners"][: 3 if after is None else after])
    assert result["re"] == sorted([bride] if partner is None else [bride, partner])
    assert result["wedding"] == {"player": bride, "solved_trick": 2 if after is None else after}
    assert result["solo_scoring"] == (after is None)


# --- Calls ----------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("DK-8")
def test_a_normal_game_without_calls_has_78_plies() -> None:
    """4 reservations, 26 decisions to call (16 in trick 1, 10 in trick 2), 48 cards; always two options."""
    game = game_of()
    random = Random(8)
    for _ in range(100):
        hands = random_hands(random)
        state = game.deal(hand_texts(hands), start=random.randrange(4))
        for _ in range(4):
            play(state, "healthy")
        per_trick: Counter[int] = Counter()
        per_card: list[int] = [0] * 48
        cards = 0
        while state.player != kb.TERMINAL:
            if phase_of(state) == "A":
                assert legal_names(state) == ["re-kontra", PASS]
                per_trick[cards // 4] += 1
                per_card[cards] += 1
                play(state, PASS)
            else:
                state.apply(random.choice(state.legal()))
                cards += 1
        assert per_trick == {0: 16, 1: 10}
        assert per_card[:8] == [4, 4, 4, 4, 4, 3, 2, 1]
        assert len(state.history) - 49 == 78


LIMIT = {1: 11, 2: 10, 3: 9, 4: 8, 5: 7}  # least cards in hand for a step
REPLY = {1: 10, 2: 9, 3: 8, 4: 7, 5: 6}  # least cards for a first word against the opponents' step


@pytest.mark.requirement("DK-9")
@pytest.mark.parametrize("after", ["normal", 0, 1, 2, None])
@pytest.mark.parametrize("caller", [RE, KONTRA])
@pytest.mark.parametrize("level", range(6))
def test_limits(after: Any, caller: str, level: int) -> None:
    """One party climbs to ``level`` as soon as it may, all else pass: in every later round exactly those are asked who
    hold enough cards, down to the limit and not below it; callers for the next step, the others for a reply."""
    if after == "normal":
        random = Random(level)
        table = random_table(random)
        while any(hand.count("CQ") == 2 for hand in table.dealt):
            table = random_table(random)
        state = open_table(game_of(), table.dealt, table.start)
        cards: list[str] = []
        shift = 0
    else:
        table, cards = wedding(after)
        state = opened(table)
        shift = 2 if after is None else after
    re = wedding_re(table, cards, after) if cards else {seat for seat in range(4) if "CQ" in table.dealt[seat]}
    sizes = [12] * 4
    climbed = 0
    asked_sizes: dict[str, set[int]] = {RE: set(), KONTRA: set()}
    unasked_sizes: dict[str, set[int]] = {RE: set(), KONTRA: set()}
    played = 0
    random = Random(9)
    while state.player != kb.TERMINAL:
        rounds: list[int] = []
        settled = not cards or played >= 4 * (shift + 1)
        while phase_of(state) == "A":
            assert settled
            party = RE if state.player in re else KONTRA
            if party == caller and climbed < level:
                play(state, CALLS[climbed])
                climbed += 1
                rounds = []
                continue
            assert legal_names(state) == [CALLS[climbed if party == caller else 0], PASS]
            rounds.append(state.player)
            play(state, PASS)
        mover = state.player
        if settled and climbed == level:
            order = [(mover + i) % 4 for i in range(4)]
            limits = {caller: LIMIT.get(level + 1, 99), OTHER[caller]: REPLY.get(level, LIMIT[1])}
            party_of = {seat: RE if seat in re else KONTRA for seat in order}
            expected = [seat for seat in order if sizes[seat] >= limits[party_of[seat]] - shift]
            assert sorted(rounds) == sorted(expected)
            for seat in order:
                (asked_sizes if seat in rounds else unasked_sizes)[party_of[seat]].add(sizes[seat])
        play(state, cards[played]) if cards else state.apply(random.choice(state.legal()))
        sizes[mover] -= 1
        played += 1
    if level < 5:
        assert min(asked_sizes[caller]) == LIMIT[level + 1] - shift
        assert max(unasked_sizes[caller]) == LIMIT[level + 1] - shift - 1
    else:
        assert asked_sizes[caller] == set()
    reply = REPLY.get(level, LIMIT[1])
    assert min(asked_sizes[OTHER[caller]]) == reply - shift
    assert max(unasked_sizes[OTHER[caller]]) == reply - shift - 1
    assert state.result()[f"lowest_{caller}"] == (CALLS[level - 1] if level else None)


def wedding_re(table: Referee, cards: list[str], after: int | None) -> set[int]:
    """The final Re party of a wedding, from its tricks."""
    bride = next(seat for seat in range(4) if table.dealt[seat].count("CQ") == 2)
    leader = table.start
    for number in range(3):
        leader = (leader + best_card(cards[4 * number : 4 * number + 4], "wedding")) % 4
        if leader != bride:
            assert number == after
            return {bride, leader}
    return {bride}


@pytest.mark.requirement("DK-9")
def test_a_reply_is_an_ordinary_first_step() -> None:
    """After a late Kontra, its party's next step keeps its own limit of 10 cards."""
    state = open_table(game_of(), PLAIN)
    call_levels(state, [0, 2], {RE: 3, KONTRA: 0})
    random = Random(1)
    cards = 0
    while cards < 12:
        if phase_of(state) == "C":
            state.apply(random.choice(state.legal()))
            cards += 1
        else:
            play(state, PASS)
    while state.player not in (1, 3):
        play(state, PASS)
    assert legal_names(state) == ["re-kontra", PASS]  # with nine cards, against "no 60"
    play(state, "re-kontra")
    while phase_of(state) == "A":
        assert state.player in (0, 2)
        play(state, PASS)
    finish(state, random.choice)
    assert state.result()["lowest_kontra"] == "re-kontra"
