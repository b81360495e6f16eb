"""Doppelkopf's score: who wins, what a game is worth, how long it takes."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

import kiebitz as kb
from tests.games.doppelkopf.playing import (
    HEALTHY,
    call_levels,
    finish,
    game_of,
    legal_names,
    open_table,
    pass_on,
    play,
    play_cards,
    random_couples,
)
from tests.games.doppelkopf.referee import (
    CARDS,
    KONTRA,
    RE,
    House,
    base_items,
    net_points,
    pack,
    winner_of,
)

BOUNDS = {0, 29, 30, 59, 60, 89, 90, 119, 120, 121, 150, 151, 180, 181, 210, 211, 240}


@cache
def played_out() -> dict[tuple[int, int], tuple[list[list[str]], list[str]]]:
    """Games of two against two (seats 0 and 2 are Re, seat 0 starts): deal and cards by Re's eyes and the number of
    parties that took a trick, from random play over lopsided deals, until nearly all totals are there."""
    game = game_of()
    random = Random(10)
    found: dict[tuple[int, int], tuple[list[list[str]], list[str]]] = {}
    totals: set[int] = set()
    while len(totals) < 225 or not totals >= BOUNDS:
        hands = random_couples(random, random.choice([0.5, 4.0, 9.0, 14.0, 20.0, 40.0]))
        state = open_table(game, hands)
        finish(state, random.choice)
        result = state.result()
        totals.add(result["eyes_re"])
        parties = 1 if result["tricks_re"] in (0, 12) else 2
        cards = [CARDS[action] for action in state.history[49:] if action < len(CARDS)]
        found.setdefault((result["eyes_re"], parties), (hands, cards))
    return found


@pytest.mark.requirement("DK-10")
def test_winner_over_eyes_and_commitments() -> None:
    """Nearly all eye totals with all 36 pairs of levels: winner, base items and points as the referee has them."""
    game = game_of()
    winners: Counter[str] = Counter()
    values: set[int] = set()
    for (total, _), (hands, cards) in played_out().items():
        for re, kontra in product(range(6), repeat=2):
            levels = {RE: re, KONTRA: kontra}
            state = open_table(game, hands)
            call_levels(state, [0, 2], levels)
            play_cards(state, cards)
            result = state.result()
            winner = winner_of(total, result["tricks_re"], levels)
            assert result["winner"] == winner, (total, levels)
            assert result["base"] == base_items(total, result["tricks_re"], levels), (total, levels)
            assert result["points_re"] == net_points(winner, result["base"], result["special"])
            winners[winner] += 1
            if winner != "none":
                values.add(sum(result["base"].values()))
    assert min(winners.values()) > 500
    assert values == set(range(1, 22))  # before special points


@pytest.mark.requirement("DK-10")
@pytest.mark.parametrize(
    ("re", "kontra", "eyes_re", "winner"),
    [
        (0, 0, 120, KONTRA),
        (0, 0, 121, RE),
        (0, 1, 120, RE),
        (0, 1, 119, KONTRA),
        (1, 0, 120, KONTRA),
        (1, 1, 120, KONTRA),
        (1, 1, 121, RE),
        (2, 0, 150, KONTRA),
        (2, 0, 151, RE),
        (3, 0, 180, KONTRA),
        (3, 0, 181, RE),
        (4, 0, 210, KONTRA),
        (4, 0, 211, RE),
        (0, 2, 90, RE),
        (0, 2, 89, KONTRA),
        (0, 3, 60, RE),
        (0, 4, 30, RE),
        (0, 4, 29, KONTRA),
        (2, 2, 120, "none"),
        (3, 2, 151, "none"),
        (3, 2, 89, KONTRA),
    ],
)
def test_boundaries(re: int, kontra: int, eyes_re: int, winner: str) -> None:
    """The table of section 2.8, line by line."""
    hands, cards = played_out()[eyes_re, 2]
    state = open_table(game_of(), hands)
    call_levels(state, [0, 2], {RE: re, KONTRA: kontra})
    play_cards(state, cards)
    assert state.result()["eyes_re"] == eyes_re
    assert state.result()["winner"] == winner


@pytest.mark.requirement("DK-10")
@pytest.mark.parametrize(("level", "winner", "points"), [(5, KONTRA, -21), (4, RE, 27)])
def test_black_is_about_tricks_not_eyes(level: int, winner: str, points: int) -> None:
    """One trick of four nines breaks black, though the soloist has all 240 eyes; "no 30" is kept."""
    hands = [
        "S9 SA SA ST ST SK SK CA CA CT CT CK",
        "C9 C9 CK CQ CQ CJ CJ D9 D9 DJ DJ DQ",
        "H9 H9 HT HT HJ HJ HQ HQ HK HK HA HA",
        "S9 SQ SQ SJ SJ DT DT DK DK DA DA DQ",
    ]
    state = open_table(game_of(), [hand.split() for hand in hands], 3, ["solo-trumpless", *HEALTHY[1:]])
    call_levels(state, [0], {RE: level, KONTRA: 0})
    play_cards(state, ["S9", "S9", "C9", "H9", "SQ", "SA"])
    winners = iter(["SA", "ST", "ST", "SK", "SK", "CA", "CA", "CT", "CT", "CK"])
    while state.player != kb.TERMINAL:
        pass_on(state)
        play(state, next(winners) if state.player == 0 else legal_names(state)[0])
    result = state.result()
    assert (result["eyes_re"], result["tricks_re"]) == (240, 11)
    assert (result["winner"], result["points_re"]) == (winner, points)
    assert "black" not in result["base"]


# --- Payoffs --------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("DK-12")
def test_points_add_up_to_zero() -> None:
    """20,000 random games; a lone Re seat has three times the points."""
    game = game_of()
    random = Random(12)
    alone = 0
    for number in range(20_000):
        state = game.new(seed=number)
        while state.player != kb.TERMINAL:
            state.apply(random.choice(state.legal()))
        points = state.returns()
        assert sum(points) == 0
        assert all(game.info.min_payoff <= value <= game.info.max_payoff for value in points)
        values = Counter(points)
        if len(values) == 2 and min(values.values()) == 1:
            lone = next(value for value, count in values.items() if count == 1)
            other = next(value for value, count in values.items() if count == 3)
            assert lone == -3 * other
            alone += 1
        else:
            assert values == {0: 4} or sorted(values.values()) == [2, 2]
    assert alone > 1000


@pytest.mark.requirement("DK-13")
def test_all_cards_are_played() -> None:
    game = game_of()
    random = Random(13)
    for seed in range(300):
        state = game.new(seed=seed)
        while state.player != kb.TERMINAL:
            state.apply(random.choice(state.legal()))
        assert Counter(CARDS[a] for a in state.history[49:] if a < len(CARDS)) == Counter(pack())
        assert all(state.view(seat).fields()["hand"] == "" for seat in range(4))


@pytest.mark.requirement("DK-14")
def test_house_rules_are_off_by_default() -> None:
    expected = {name: list(rule) if isinstance(rule, tuple) else rule for name, rule in vars(House()).items()}
    for game in (kb.game("doppelkopf"), kb.game("doppelkopf", preset="thesis")):
        assert game.params == expected


@pytest.mark.requirement("DK-16")
def test_length_and_branching_of_games_between_searches() -> None:
    """Tree search with open cards against itself: the thesis has 97 plies and 3.08 actions at 100,000 iterations.

    40 games with 1,000 iterations a move; the standard error of the mean is 1.7 plies and 0.03 actions.
    """
    game = game_of()
    thesis: dict[str, Any] = {
        "c": 2.5,
        "scale": "raw",
        "expand": "all",
        "tree_calls": "none",
        "playout_calls": "none",
    }
    plies, branching = [], []
    for seed in range(40):
        search = kb.search.Uct(game, iterations=1000, seed=seed, **thesis)
        state = game.new(seed=seed)
        choices = []
        while state.player != kb.TERMINAL:
            legal = state.legal()
            choices.append(len(legal))
            state.apply(search.search(state).best if len(legal) > 1 else legal[0])
        plies.append(len(choices))
        branching.append(sum(choices) / len(choices))
    assert sum(plies) / len(plies) == pytest.approx(97, abs=5)
    assert sum(branching) / len(branching) == pytest.approx(3.08, abs=0.15)
