"""The evaluator of poker hands against phevaluator, an independent one: all hands of five, a million of seven.

And the all-in table: sums, symmetry, known odds, rows and pairs of hands counted by other ways.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from itertools import chain, combinations, starmap
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from phevaluator import evaluate_cards

import kiebitz as kb
from kiebitz import _core
from kiebitz.solve.preflop import (
    BOARDS,
    DEALS,
    HAND_NAMES,
    HANDS,
    all_in_table,
    chart_table,
    count_pairs,
    draw_charts,
    hand_counts,
    hand_index,
    main,
)

Cards = npt.NDArray[np.uint8]
RANK_LETTERS, SUIT_LETTERS = "23456789TJQKA", "cdhs"


def by_phevaluator(hands: Iterable[Sequence[int]]) -> npt.NDArray[np.int64]:
    """Strengths, larger is better; it numbers cards as we do, and ranks from 1, the best hand."""
    return -np.fromiter(starmap(evaluate_cards, hands), np.int64)


def all_hands(cards: int, size: int) -> Cards:
    """All choices of ``size`` of the first ``n`` cards, in the order of itertools."""
    return np.fromiter(chain.from_iterable(combinations(range(cards), size)), np.uint8).reshape(-1, size)


def random_hands(n: int, size: int, seed: int) -> Cards:
    drawn = np.random.default_rng(seed).integers(52, size=(2 * n, size), dtype=np.uint8)
    different = np.diff(np.sort(drawn, axis=1), axis=1).all(axis=1)
    hands = drawn[different][:n]
    assert len(hands) == n
    return hands


def assert_same_order(ours: npt.NDArray[np.integer], reference: npt.NDArray[np.integer]) -> int:
    """Whether both rank all hands alike, ties included; returns the number of different strengths."""
    _, our_rank = np.unique(ours, return_inverse=True)
    _, their_rank = np.unique(reference, return_inverse=True)
    assert np.array_equal(our_rank, their_rank)
    return int(our_rank.max()) + 1


@pytest.mark.requirement("PK-1")
def test_all_five_card_hands_in_the_order_of_an_independent_library() -> None:
    hands = all_hands(52, 5)
    assert len(hands) == comb(52, 5) == 2_598_960
    strengths = _core.evaluate_hands(hands)
    theirs = by_phevaluator(combinations(range(52), 5))
    assert assert_same_order(strengths, theirs) == 7462
    counts = {_core.hand_category(i << 12): int(n) for i, n in enumerate(np.bincount(strengths >> 12))}
    assert counts == {
        "high card": 1_302_540,
        "pair": 1_098_240,
        "two pair": 123_552,
        "three of a kind": 54_912,
        "straight": 10_200,
        "flush": 5_108,
        "full house": 3_744,
        "four of a kind": 624,
        "straight flush": 40,
    }


@pytest.mark.requirement("PK-1")
@pytest.mark.parametrize(("n", "size"), [(1_000_000, 7), (100_000, 6)])
def test_many_hands_in_the_order_of_an_independent_library(n: int, size: int) -> None:
    hands = random_hands(n, size, seed=size)
    strengths = _core.evaluate_hands(hands)
    assert assert_same_order(strengths, by_phevaluator(hands.tolist())) > 3_000
    assert np.array_equal(strengths, _core.evaluate_hands(np.ascontiguousarray(hands[:, ::-1])))


def test_cards_are_numbered_by_rank_and_suit() -> None:
    names = [rank + suit for rank in RANK_LETTERS for suit in SUIT_LETTERS]
    assert [_core.card_name(card) for card in range(52)] == names
    assert [_core.parse_card(name) for name in names] == list(range(52))


@pytest.mark.parametrize("text", ["", "A", "as", "Asd", "10c", "♠A"])
def test_text_that_names_no_card(text: str) -> None:
    with pytest.raises(kb.ParameterError, match="expected a card such as As"):
        _core.parse_card(text)


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (np.zeros((2, 4), np.uint8), "expected a row of 5, 6 or 7 cards for each hand, got an array of shape 2 x 4"),
        (np.zeros(5, np.uint8), "got an array of shape 5"),
        (np.zeros((1, 1, 5), np.uint8), "got an array of shape 1 x 1 x 5"),
        (np.array([[0, 1, 2, 3, 4], [5, 6, 7, 8, 52]], np.uint8), "row 1 has card 52, expected 0 to 51"),
        (np.array([[0, 1, 2, 3, 255]], np.uint8), "row 0 has card 255"),
        (np.array([[0, 1, 2, 3, 3]], np.uint8), "row 0 has a card twice"),
        (np.array([[0, 1, 2, 3, 256]]), "expected a NumPy array of type uint8"),
        ([[0, 1, 2, 3, 4]], "expected a NumPy array of type uint8"),
        (None, "expected a NumPy array of type uint8"),
    ],
)
def test_hands_that_are_none(cards: Any, message: str) -> None:
    with pytest.raises(kb.ParameterError, match=message):
        _core.evaluate_hands(cards)


def test_no_hands_are_no_strengths() -> None:
    assert _core.evaluate_hands(np.zeros((0, 7), np.uint8)).shape == (0,)


# --- The all-in table ---------------------------------------------------------------------------------------------


@pytest.mark.requirement("PK-6")
def test_table_adds_up() -> None:
    table = all_in_table()
    assert table.pairs.shape == table.wins.shape == (HANDS, HANDS)
    assert np.array_equal(table.pairs, table.pairs.T)
    assert np.array_equal(table.pairs, count_pairs())
    assert np.array_equal(table.pairs.sum(axis=1), hand_counts() * comb(50, 2))
    assert int(table.pairs.sum()) == DEALS
    assert np.array_equal(table.losses, table.wins.T)
    assert np.array_equal(table.wins + table.ties + table.losses, table.pairs * BOARDS)
    assert np.all(table.ties >= 0)
    assert np.array_equal(table.ties, table.ties.T)
    with pytest.raises(ValueError, match="read-only"):
        table.wins[0, 0] = 1


@pytest.mark.requirement("PK-6")
@pytest.mark.parametrize(
    ("hand", "against", "equity"), [("AA", "KK", 81.95), ("AKs", "QQ", 46.05), ("AKo", "22", 47.35)]
)
def test_known_equities(hand: str, against: str, equity: float) -> None:
    assert 100 * all_in_table().equity(hand, against) == pytest.approx(equity, abs=0.01)
    assert all_in_table().equity(hand, against) + all_in_table().equity(against, hand) == pytest.approx(1)


@pytest.mark.requirement("PK-6")
def test_a_row_counted_hand_by_hand() -> None:
    """The shipped table comes from a sweep over sorted hands; a row of it from comparing all pairs of hands."""
    row = hand_index("J9s")
    wins = _core.all_in_wins_of(row)
    assert wins is not None
    assert np.array_equal(wins, all_in_table().wins[row])


@pytest.mark.requirement("PK-6")
def test_a_pair_of_hands_board_by_board() -> None:
    """Aces against ace-king suited: every board for one deal of the aces, nothing merged."""
    mine = [_core.parse_card("Ac"), _core.parse_card("Ad")]
    boards = all_hands(48, 5)  # of the cards that are left
    assert len(boards) == BOARDS
    wins = ties = 0
    for suit in "hs":
        their = [_core.parse_card("A" + suit), _core.parse_card("K" + suit)]
        left = np.setdiff1d(np.arange(52), mine + their).astype(np.uint8)
        ours, theirs = (
            _core.evaluate_hands(np.hstack([left[boards], np.tile(np.array(hand, np.uint8), (BOARDS, 1))]))
            for hand in (mine, their)
        )
        wins += int((ours > theirs).sum())
        ties += int((ours == theirs).sum())
    table, cell = all_in_table(), (hand_index("AA"), hand_index("AKs"))
    deals_of_aces = 6
    assert (deals_of_aces * wins, deals_of_aces * ties) == (table.wins[cell], table.ties[cell])
    assert table.pairs[cell] == deals_of_aces * 2


def test_the_command_prints_odds(capsys: pytest.CaptureFixture[str]) -> None:
    main(["AA", "KK"])
    printed = capsys.readouterr().out
    assert f"of {36 * BOARDS:,} deals" in printed
    assert "equity 81.95 %" in printed


@pytest.mark.parametrize("arguments", [[], ["AA"], ["AA", "KQ"], ["KAs", "22"]])
def test_the_command_refuses_what_is_not_two_hands(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert "starting hand" in capsys.readouterr().err


@pytest.mark.parametrize("strength", [-1, 9 << 12, 1 << 40])
def test_strengths_that_are_none(strength: int) -> None:
    with pytest.raises(kb.ParameterError, match="expected a result of evaluate_hands"):
        _core.hand_category(strength)


def test_a_stopped_count_is_none() -> None:
    stop = _core.StopToken()
    stop.request()
    assert _core.all_in_wins(stop) is None
    assert _core.all_in_wins_of(0, stop) is None


@pytest.mark.parametrize("kind", [-1, 169])
def test_kinds_that_do_not_exist(kind: int) -> None:
    with pytest.raises(kb.ParameterError, match="expected 0 to 168"):
        _core.all_in_wins_of(kind)


# --- Charts -----------------------------------------------------------------------------------------------------------


def test_names_of_starting_hands() -> None:
    assert len(set(HAND_NAMES)) == HANDS
    assert [HAND_NAMES[i] for i in (0, 1, 13, 14, 168)] == ["AA", "AKs", "AKo", "KK", "22"]
    assert all(hand_index(name) == i for i, name in enumerate(HAND_NAMES))


def test_a_chart_fills_cells_of_hands_that_are_played(tmp_path: Path) -> None:
    chart = np.zeros((13, 13))
    chart[0, 0], chart[0, 1], chart[1, 0] = 1, 0.25, 1e-6
    draw_charts("A & K", {"one": chart, "the same again": chart}, tmp_path / "chart.svg")
    picture = (tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert ET.fromstring(picture).tag.endswith("svg")
    assert picture.count("#2e8b57") == picture.count("#f0c04a") == 2  # a full and a mixed cell, twice
    assert chart_table("A & K", chart).row_count == 13
