"""House rules of Doppelkopf: each is a switch, off by default, with a test named after it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import kiebitz as kb
from tests.games.doppelkopf.playing import (
    BOTH_FOXES,
    HEALTHY,
    PLAIN,
    finish,
    game_of,
    hand_texts,
    legal_names,
    open_table,
    pass_on,
    phase_of,
    play,
    play_cards,
    random_couples,
    random_hands,
)
from tests.games.doppelkopf.referee import KONTRA, NUMBER, PASS, RE, SOLOS, House, net_points

TRICK = list[tuple[int, str]]
RESULT = dict[str, Any]


def trick_taker(game: kb.Game, hands: Any, cards: list[str], reservations: Any = HEALTHY) -> int:
    """Who leads after the first trick, begun by seat 0."""
    state = open_table(game, hands, 0, reservations)
    play_cards(state, cards)
    pass_on(state)
    return state.player


def test_second_ten_beats_the_first() -> None:
    cards = ["HT", "HT", "CJ", "SJ"]
    assert trick_taker(game_of(), PLAIN, cards) == 0
    assert trick_taker(game_of(House(second_ten=True)), PLAIN, cards) == 1
    # If the ten is not a trump, the first one wins as usual.
    for solo in ("solo-trumpless", "solo-queens", "solo-jacks"):
        reservations = [solo, "healthy", "healthy", "healthy"]
        assert trick_taker(game_of(House(second_ten=True)), PLAIN, ["HT", "HT", "HK", "HK"], reservations) == 0


def test_second_ten_beats_the_first_in_the_last_trick_too() -> None:
    random = Random(3)
    games = {False: game_of(), True: game_of(House(second_ten=True))}
    found = 0
    while found < 5:
        hands = random_hands(random)
        state = open_table(games[True], hands)
        cards: list[int] = []
        seats: list[int] = []
        while state.player != kb.TERMINAL:
            pass_on(state)
            legal = state.legal()
            cards.append(random.choice([card for card in legal if card != NUMBER["HT"]] or legal))
            seats.append(state.player)
            state.apply(cards[-1])
        tens = [seat for seat, card in zip(seats[-4:], cards[-4:], strict=True) if card == NUMBER["HT"]]
        if len(tens) < 2:
            continue
        found += 1
        assert state.result()["trick_winners"][-1] == tens[1]
        plain = open_table(games[False], hands)
        for card in cards:
            pass_on(plain)
            plain.apply(card)
        assert plain.result()["trick_winners"][-1] == tens[0]


def test_piglets_are_the_highest_trumps() -> None:
    cards = ["HT", "DA", "CJ", "SJ"]
    on = game_of(House(piglets=True))
    assert trick_taker(game_of(), BOTH_FOXES, cards) == 0
    assert trick_taker(on, BOTH_FOXES, cards) == 1
    assert trick_taker(on, PLAIN, cards) == 0  # one fox each: no piglets
    assert trick_taker(on, BOTH_FOXES, cards, ["solo-diamonds", "healthy", "healthy", "healthy"]) == 1
    assert trick_taker(on, BOTH_FOXES, ["DK", "DA", "DT", "HA"], ["solo-hearts", *HEALTHY[1:]]) == 3
    # Everybody hears of them before the first card, but not before the reservations.
    state = on.deal(hand_texts(BOTH_FOXES))
    assert all(state.view(seat).fields()["piglets"] == -1 for seat in range(4))
    state = open_table(on, BOTH_FOXES)
    assert all(state.view(seat).fields()["piglets"] == 1 for seat in range(4))


def test_piglets_are_no_foxes() -> None:
    """Nothing beats a piglet, so it cannot be caught; nor does it count as a fox that takes the last trick."""
    game = game_of(House(piglets=True, fox_last=True))
    taken_last = 0
    random = Random(6)

    def keep_foxes(legal: list[int]) -> int:
        return random.choice([card for card in legal if card != NUMBER["DA"]] or legal)

    for seed in range(100):
        state = open_table(game, BOTH_FOXES, seed % 4)
        finish(state, keep_foxes)
        last = state.result()["trick_winners"][-1] == 1 and state.history[-4:].count(NUMBER["DA"]) > 0
        taken_last += last
        assert not any(item.startswith("fox") for item in state.result()["special"])
    assert taken_last > 0


def last_tricks(house: House, matters: Any) -> list[tuple[RESULT, RESULT, TRICK]]:
    """Results with and without the house rules of the same random games, and the last trick, where it ``matters``."""
    games = (game_of(house), game_of())
    random = Random(repr(house))
    found: list[tuple[RESULT, RESULT, TRICK]] = []
    while len(found) < 8:
        hands = random_couples(random, 30.0) if len(found) % 4 else random_hands(random)
        states = [open_table(game, hands) for game in games]
        trick: TRICK = []
        keep = {NUMBER["DA"], NUMBER["CJ"]}
        while states[0].player != kb.TERMINAL:
            for state in states:
                pass_on(state)
            legal = states[0].legal()
            card = random.choice([c for c in legal if c not in keep] or legal)
            trick = [*trick[-3:], (states[0].player, legal_names(states[0])[legal.index(card)])]
            for state in states:
                state.apply(card)
        with_rule, without = states[0].result(), states[1].result()
        if matters(with_rule, trick):
            found.append((with_rule, without, trick))
    return found


def differences(with_rule: RESULT, without: RESULT) -> dict[str, int]:
    """Special items that the house rule added; nothing else may differ but the points."""
    same = set(with_rule) - {"special", "points", "points_re", "points_kontra"}
    for field in same:
        if not field.startswith("item") and field not in ("payoffs", "returns"):
            assert with_rule[field] == without[field], field
    added: dict[str, int] = {k: v for k, v in with_rule["special"].items() if k not in without["special"]}
    assert without["special"] == {k: v for k, v in with_rule["special"].items() if k not in added}
    return added


def test_fox_last_trick_taken_by_the_diamond_ace() -> None:
    def by_fox(result: RESULT, trick: TRICK) -> bool:
        return (result["trick_winners"][-1], "DA") in trick and not result["solo_scoring"]

    for with_rule, without, _ in last_tricks(House(fox_last=True), by_fox):
        party = RE if with_rule["trick_winners"][-1] in with_rule["re"] else KONTRA
        assert differences(with_rule, without) == {f"fox_last_{party}": 1}
        assert with_rule["points_re"] - without["points_re"] == (1 if party == RE else -1)


def test_charlie_caught_in_the_last_trick() -> None:
    def caught(result: RESULT, trick: TRICK) -> int:
        winner = result["trick_winners"][-1]
        return sum(card == "CJ" and (seat in result["re"]) != (winner in result["re"]) for seat, card in trick)

    def matters(result: RESULT, trick: TRICK) -> bool:
        return caught(result, trick) > 0 and not result["solo_scoring"]

    for with_rule, without, trick in last_tricks(House(charlie_caught=True), matters):
        party = RE if with_rule["trick_winners"][-1] in with_rule["re"] else KONTRA
        count = caught(with_rule, trick)
        assert differences(with_rule, without) == {f"charlie_caught_{party}": count}
        assert with_rule["points_re"] - without["points_re"] == (count if party == RE else -count)


def test_house_points_never_count_for_a_lone_seat() -> None:
    game = game_of(House(second_ten=True, piglets=True, fox_last=True, charlie_caught=True))
    random = Random(2)
    for number in range(100):
        state = open_table(game, random_hands(random), 0, [SOLOS[number % 7], "healthy", "healthy", "healthy"])
        finish(state, random.choice)
        result = state.result()
        assert result["special"] is None
        assert result["points_re"] == 3 * net_points(result["winner"], result["base"], None)


def test_nines_left_out() -> None:
    """40 cards, ten tricks, and calls two cards earlier: 4 reservations, 16 + 10 decisions to call, 40 cards."""
    game = game_of(House(nines=False))
    random = Random(9)
    for _ in range(20):
        hands = random_hands(random, nines=False)
        if any(hand.count("CQ") == 2 for hand in hands):
            continue
        state = game.deal(hand_texts(hands))
        dealt = len(state.history)
        assert dealt == 1 + 40
        for _ in range(4):
            play(state, "healthy")
        sizes: list[int] = []
        cards = 0
        while state.player != kb.TERMINAL:
            if phase_of(state) == "A":
                sizes.append(len(state.view(state.player).fields()["hand"].split()))
                play(state, PASS)
            else:
                state.apply(random.choice(state.legal()))
                cards += 1
        assert cards == 40
        assert min(sizes) == 9
        assert len(state.history) - dealt == 4 + 26 + 40
        assert len(state.result()["trick_winners"]) == 10
        assert sum(state.result()["eyes_player"]) == 240
    with pytest.raises(kb.PositionError):
        game.deal(hand_texts(PLAIN))
