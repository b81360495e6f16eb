"""Doppelkopf's rules, beside an independent referee and by example: tricks, parties, calls, score, house rules."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kiebitz as kb
from tests.games.doppelkopf.playing import (
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
    random_name,
    random_table,
)
from tests.games.doppelkopf.referee import (
    CALLS,
    CARDS,
    KONTRA,
    NUMBER,
    PASS,
    RE,
    SOLOS,
    House,
    Referee,
    best_card,
    category,
    net_points,
)

HOUSES = [
    House(second_ten, piglets, fox_last, charlie_caught, nines)
    for second_ten, piglets, fox_last, charlie_caught, nines in product([False, True], repeat=5)
]


def house_id(house: House) -> str:
    return "+".join(name for name, on in vars(house).items() if on is True) or "none"


# --- Beside the referee ---------------------------------------------------------------------------------------------


def play_side_by_side(game: kb.Game, table: Referee, random: Random, calls: float) -> None:
    """A random game at both tables; every turn and the whole result must agree."""
    state = game.deal(hand_texts(table.dealt), start=table.start)
    while table.seat is not None:
        assert state.player == table.seat
        assert phase_of(state) == table.phase
        assert legal_names(state) == table.legal()
        name = random_name(table, random, calls)
        table.play(name)
        play(state, name)
    expected = table.result()
    result = state.result()
    assert {field: result[field] for field in expected} == expected
    assert state.returns() == expected["points"]


@pytest.mark.parametrize("calls", [0.0, 0.02, 0.1, 0.4, 1.0])
def test_random_games_agree_with_the_referee(calls: float) -> None:
    game = game_of()
    random = Random(int(calls * 100))
    for _ in range(150):
        play_side_by_side(game, random_table(random, queens=0.4), random, calls)


@pytest.mark.parametrize("house", HOUSES, ids=house_id)
def test_random_games_agree_with_the_referee_under_house_rules(house: House) -> None:
    game = game_of(house)
    random = Random(repr(house))
    for number in range(30):
        play_side_by_side(game, random_table(random, house, queens=0.3), random, [0.0, 0.05, 0.3][number % 3])


# --- Golden examples ------------------------------------------------------------------------------------------------

GOLDEN_FILE = Path(__file__).parents[2] / "data" / "doppelkopf-golden.json"
GOLDEN: dict[str, dict[str, Any]] = {game["name"]: game for game in json.loads(GOLDEN_FILE.read_text("utf-8"))}
LADDER = ["under90", "under60", "under30", "black"]


def said(party: str, level: int) -> dict[str, int]:
    """The items of a party that climbed to this level."""
    words = {f"{party}_said_{word}": 1 for word in CALLS[1:level]}
    return ({f"said_{party}": 2} if level else {}) | words


EXPECTED: dict[str, tuple[int, str, dict[str, int], int | None, int]] = {
    # eyes of Re, winner, base items, special points for Re on balance (None: they do not count), points of a Re seat
    "G1": (240, "re", {"won": 1} | dict.fromkeys(LADDER, 1) | said("re", 3), 1, 10),
    "G2": (117, "kontra", {"won": 1}, None, -3),
    "G3": (213, "re", {"won": 1} | dict.fromkeys(LADDER[:3], 1) | said("re", 1), 1, 7),
    "G4": (110, "kontra", {"won": 1} | said("re", 1) | said("kontra", 1), -1, -6),
    "G5": (80, "kontra", {"won": 1, "under90": 1} | said("kontra", 1), -1, -5),
    "G6": (130, "kontra", {"won": 1, "kontra_90_vs_no60": 1} | said("re", 3), -1, -7),
    "G7": (
        57,
        "none",
        {"kontra_under90": 1, "kontra_under60": 1, "re_30_vs_black": 1}
        | {"kontra_120_vs_no90": 1, "kontra_90_vs_no60": 1, "kontra_60_vs_no30": 1, "kontra_30_vs_black": 1},
        0,
        -5,
    ),
    "G8": (120, "kontra", {"won": 1}, -1, -2),
    "G9": (120, "re", {"won": 1} | said("kontra", 1), 0, 3),
    "G10": (
        240,
        "re",
        {"won": 1}
        | dict.fromkeys(LADDER, 1)
        | said("re", 5)
        | said("kontra", 5)
        | {"re_120_vs_no90": 1, "re_90_vs_no60": 1, "re_60_vs_no30": 1, "re_30_vs_black": 1},
        None,
        63,
    ),
}
EYES_OF_RE = {"G1": [111, 129], "G3": [88, 125], "G4": [27, 83]}  # per seat, where the thesis names them


@pytest.mark.requirement("DK-11")
@pytest.mark.parametrize("name", EXPECTED)
def test_golden_score(name: str) -> None:
    """The scoring examples of the specification, reached by a deal, calls in the first round, and 48 cards."""
    golden = GOLDEN[name]
    state = open_table(game_of(), [hand.split() for hand in golden["hands"]], golden["start"], golden["reservations"])
    solo = [seat for seat, word in enumerate(golden["reservations"]) if word in SOLOS]
    call_levels(state, solo or [s for s in range(4) if "CQ" in golden["hands"][s]], golden["levels"])
    play_cards(state, golden["cards"].split())
    eyes_re, winner, base, special, points = EXPECTED[name]
    result = state.result()
    assert (result["eyes_re"], result["winner"], result["points_re"]) == (eyes_re, winner, points)
    assert result["base"] == base
    assert (None if result["special"] is None else net_points("none", {}, result["special"])) == special
    if name in EYES_OF_RE:
        assert sorted(result["eyes_player"][seat] for seat in result["re"]) == EYES_OF_RE[name]
    if name == "G7":
        assert result["special"] == {}
        assert 0 < result["tricks_re"] < 12


def test_the_score_is_explained_in_two_languages() -> None:
    golden = GOLDEN["G4"]
    state = open_table(game_of(), [hand.split() for hand in golden["hands"]], golden["start"])
    call_levels(state, [s for s in range(4) if "CQ" in golden["hands"][s]], golden["levels"])
    play_cards(state, golden["cards"].split())
    result = state.result()
    worth = dict(zip(result["items"], result["item_points_re"], strict=True))
    assert sum(worth.values()) == result["points_re"] == -6
    assert worth["said_re"] == worth["said_kontra"] == -2
    assert len(result["items_en"]) == len(result["items_de"]) == len(result["items"])
    english = dict(zip(result["items"], result["items_en"], strict=True))
    german = dict(zip(result["items"], result["items_de"], strict=True))
    assert english["against_club_queens"] == "against the queens"
    assert german["against_club_queens"] == "gegen die Alten"
    assert all(english.values())
    assert all(german.values())


# --- Notation -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["CQ", "cq", "♣Q", "kreuz dame", "Kreuz Dame", "queen of clubs", " cq "])
def test_a_card_has_many_names(text: str) -> None:
    state = open_table(game_of(), PLAIN)
    pass_on(state)
    assert state.parse(text) == NUMBER["CQ"]


def test_every_name_is_read_back() -> None:
    game = game_of()
    for seed in range(20):
        state = game.new(seed=seed)
        random = Random(seed)
        while state.player != kb.TERMINAL:
            for action in state.legal():
                assert state.parse(state.name(action)) == action
            state.apply(random.choice(state.legal()))


def test_hands_may_be_lists_or_texts_in_any_notation() -> None:
    game = game_of()
    texts = hand_texts(PLAIN)
    state = game.deal(texts, start=2)
    assert state.player == 2
    assert game.deal([text.replace("CQ", "♣Q").replace("HT", "♥10") for text in texts], start=2).key == state.key
    assert game.deal([list(hand) for hand in PLAIN], start=2).key == state.key


# --- Tricks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("contract", ["healthy", *SOLOS])
def test_follow_what_is_led_or_play_anything(contract: str) -> None:
    game = game_of()
    random = Random(contract)
    for _ in range(20):
        hands = random_hands(random)
        state = open_table(game, hands, 0, [contract, "healthy", "healthy", "healthy"])
        name = "normal" if contract == "healthy" else contract
        trick: list[str] = []
        while state.player != kb.TERMINAL:
            pass_on(state)
            legal = legal_names(state)
            held = sorted(set(hands[state.player]), key=CARDS.index)
            following = [c for c in held if trick and category(c, name) == category(trick[0], name)]
            assert legal == (following or held)
            card = random.choice(legal)
            hands[state.player].remove(card)
            play(state, card)
            trick = [*trick, card] if len(trick) < 3 else []


@pytest.mark.parametrize("contract", ["healthy", *SOLOS])
def test_the_first_of_two_equal_cards_wins(contract: str) -> None:
    """Every card that is the best of its trick twice."""
    game = game_of()
    name = "normal" if contract == "healthy" else contract
    random = Random(contract)
    seen: set[str] = set()
    for _ in range(250):
        state = open_table(game, random_hands(random), 0, [contract, "healthy", "healthy", "healthy"])
        leader, trick = 0, []
        while state.player != kb.TERMINAL:
            pass_on(state)
            trick.append(random.choice(legal_names(state)))
            play(state, trick[-1])
            if len(trick) == 4:
                winner = best_card(trick, name)
                if state.player == kb.TERMINAL:
                    break
                pass_on(state)
                assert (state.player - leader) % 4 == winner
                if trick.count(trick[winner]) == 2:
                    seen.add(trick[winner])
                    assert trick.index(trick[winner]) == winner
                leader, trick = state.player, []
    assert len(seen) >= 10


# --- Weddings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solved", [0, 1, 2, None])
def test_wedding_is_settled_by_the_first_other_taker(solved: int | None) -> None:
    """Tricks 1 to 3; if the wedding player wins all three, they stay alone and are scored as a soloist."""
    game = game_of()
    random = Random(11)
    found = 0
    while found < 20:
        table = random_table(random, queens=1.0)
        bride = next(seat for seat in range(4) if table.dealt[seat].count("CQ") == 2)
        state = open_table(game, table.dealt, table.start, ["wedding" if s == bride else "healthy" for s in range(4)])
        for _ in range(4):
            assert phase_of(state) == "C"  # nobody is asked before the parties are known
            play(state, random.choice(legal_names(state)))
        finish(state, random.choice)
        result = state.result()
        winners = result["trick_winners"][:3]
        trick = next((n for n, winner in enumerate(winners) if winner != bride), None)
        if trick != solved:
            continue
        found += 1
        assert result["wedding"] == {"player": bride, "solved_trick": 2 if trick is None else trick}
        assert result["re"] == sorted({bride} if trick is None else {bride, winners[trick]})
        assert result["solo_scoring"] == (trick is None)
        assert (result["special"] is None) == (trick is None)


def test_foxes_before_the_clarifying_trick_count_for_the_final_parties() -> None:
    """A-07: a fox taken by the later partner from the wedding player does not count."""
    game = game_of()
    random = Random(5)
    caught = {True: 0, False: 0}
    while min(caught.values()) < 5:
        table = random_table(random, queens=1.0)
        bride = next(seat for seat in range(4) if table.dealt[seat].count("CQ") == 2)
        state = open_table(game, table.dealt, table.start, ["wedding" if s == bride else "healthy" for s in range(4)])
        played: list[tuple[int, int]] = []
        while state.player != kb.TERMINAL:
            pass_on(state)
            action = random.choice(state.legal())
            played.append((state.player, action))
            state.apply(action)
        result = state.result()
        if result["solo_scoring"] or result["wedding"]["solved_trick"] != 0:
            continue
        early = [seat for seat, action in played[:4] if action == NUMBER["DA"]]
        late = [seat for seat, action in played[4:] if action == NUMBER["DA"]]
        if len(early) != 1 or result["trick_winners"][0] == early[0] or len(late) != 1:
            continue
        taker = result["trick_winners"][0]
        fox = (early[0] in result["re"]) != (taker in result["re"])
        late_trick = next(n for n, (seat, a) in enumerate(played) if n >= 4 and a == NUMBER["DA"]) // 4
        late_taker = result["trick_winners"][late_trick]
        late_fox = (late[0] in result["re"]) != (late_taker in result["re"])
        count = sum(n for item, n in result["special"].items() if item.startswith("fox"))
        assert count == fox + late_fox
        caught[fox] += 1


# --- Calls ----------------------------------------------------------------------------------------------------------


def test_a_round_ends_after_four_passes_in_a_row_and_a_call_begins_anew() -> None:
    state = open_table(game_of(), PLAIN, start=1)
    asked: list[int] = []
    for name in [PASS] * 3 + ["re-kontra", PASS, "no90", PASS, PASS, "re-kontra"] + [PASS] * 4:
        assert phase_of(state) == "A"
        asked.append(state.player)
        play(state, name)
    assert asked == [1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1]
    assert phase_of(state) == "C"
    assert state.player == 1


def test_either_mate_may_raise_and_only_the_next_step_is_offered() -> None:
    state = open_table(game_of(), PLAIN, start=0)  # Re: 0 and 2
    for caller, word in [(0, "re-kontra"), (2, "no90"), (0, "no60"), (2, "no30"), (0, "black")]:
        while state.player != caller:
            play(state, PASS)
        assert legal_names(state) == [word, PASS]
        play(state, word)
    while phase_of(state) == "A":
        assert state.player in (1, 3)
        play(state, PASS)


def test_black_by_both_parties_ends_all_talk() -> None:
    state = open_table(game_of(), PLAIN, start=0)
    call_levels(state, [0, 2], {RE: 5, KONTRA: 5})
    assert phase_of(state) == "C"
    random = Random(1)
    while state.player != kb.TERMINAL:
        assert phase_of(state) == "C"
        state.apply(random.choice(state.legal()))
