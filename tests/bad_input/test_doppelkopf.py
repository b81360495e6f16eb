"""Doppelkopf: deals, positions, records and views that cannot be are refused by an error that names the broken rule."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.records import RecordError, from_json, record_of, replay
from tests.contract.walks import face
from tests.games.doppelkopf.playing import (
    PLAIN,
    call_levels,
    finish,
    game_of,
    hand_texts,
    open_table,
    pass_on,
    play,
    play_cards,
    random_hands,
    random_name,
    random_table,
)
from tests.games.doppelkopf.referee import KONTRA, NUMBER, PASS, RE, House

BOTH_QUEENS = [
    "HT CQ CQ SQ HQ DQ DA DT CA CT SA ST",
    "HT SQ HQ DQ CJ DA DT D9 CA CT SA ST",
    "DK CJ SJ HJ DJ DK D9 HA HK H9 CK C9",
    "SJ HJ DJ HA HK H9 CK C9 SK SK S9 S9",
]


def plain() -> list[str]:
    return hand_texts(PLAIN)


# --- Deals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "old", "new", "message"),
    [
        (0, "DK", "CQ", "CQ.*three times"),
        (3, "SJ", "S9", "S9.*three times"),
        (0, " ST", "", "seat 0.*expected 12 cards, got 11"),
        (0, "ST", "ST S9", "seat 0.*expected 12 cards, got 13"),
        (2, "C9", "C8", "seat 2.*'C8' is not a card"),
        (1, "HT", "X", "seat 1.*'X' is not a card"),
        (1, "HT", "joker", "seat 1.*'joker' is not a card"),
    ],
)
def test_hands_that_are_not_a_deal(seat: int, old: str, new: str, message: str) -> None:
    hands = plain()
    assert old in hands[seat]
    hands[seat] = hands[seat].replace(old, new, 1)
    with pytest.raises(kb.PositionError, match=message):
        game_of().deal(hands)


@pytest.mark.parametrize("start", [-1, 4, 100])
def test_a_start_seat_that_does_not_exist(start: int) -> None:
    with pytest.raises(kb.PositionError, match=r"start.*0 to 3"):
        game_of().deal(plain(), start=start)


@pytest.mark.parametrize("hands", [[], ["CQ"], plain()[:3], [*plain(), "CQ"]])
def test_a_wrong_number_of_hands(hands: list[str]) -> None:
    with pytest.raises(kb.PositionError, match=r"hands.*expected 4"):
        game_of().deal(hands)


@pytest.mark.parametrize("hands", [None, 5, [1, 2, 3, 4], [None] * 4, [["CQ", 3]] * 4, [[["CQ"]]] * 4])
def test_hands_of_the_wrong_kind(hands: Any) -> None:
    with pytest.raises((kb.PositionError, TypeError)):
        game_of().deal(hands)


def test_nines_at_a_table_without() -> None:
    game = game_of(House(nines=False))
    with pytest.raises(kb.PositionError, match="seat 0: expected 10 cards, got 12"):
        game.deal(plain())
    hands = hand_texts(random_hands(Random(1), nines=False))
    with pytest.raises(kb.PositionError, match=r"C9.*without nines"):
        game.deal([hands[0][:-2] + "C9", *hands[1:]])


@pytest.mark.parametrize(
    "rule", ["second_ten", "piglets", "piglets_when_played", "fox_last", "charlie_caught", "nines"]
)
@pytest.mark.parametrize("value", [2, "yes", None, 0.5])
def test_house_rules_are_on_or_off(rule: str, value: Any) -> None:
    with pytest.raises(kb.ParameterError, match=rule):
        kb.game("doppelkopf", **{rule: value})


def test_unknown_house_rules_are_refused() -> None:
    with pytest.raises(kb.ParameterError, match="moon"):
        kb.game("doppelkopf", moon=True)


# --- Actions --------------------------------------------------------------------------------------------------------


def test_illegal_actions_are_refused_and_change_nothing() -> None:
    state = open_table(game_of(), PLAIN)
    pass_on(state)
    play(state, "CA")
    pass_on(state)
    before = face(state)
    for name in ("SA", "HT", "CK", "healthy", "re-kontra", PASS):  # must follow clubs; holds no such card; wrong phase
        with pytest.raises(kb.IllegalAction, match="expected one of"):
            state.apply(NUMBER[name])
        with pytest.raises(kb.IllegalAction, match="names no legal action"):
            state.parse(name)
    for number in (-1, 39, 1000):
        with pytest.raises(kb.IllegalAction):
            state.apply(number)
    assert face(state) == before


def test_a_wedding_without_both_queens_is_illegal() -> None:
    state = game_of().deal(plain())
    with pytest.raises(kb.IllegalAction):
        state.apply(NUMBER["wedding"])


def test_only_the_next_step_may_be_called() -> None:
    state = open_table(game_of(), PLAIN)
    for name in ("no90", "no60", "no30", "black"):
        with pytest.raises(kb.IllegalAction):
            state.apply(NUMBER[name])


# --- Records --------------------------------------------------------------------------------------------------------


def finished_record() -> dict[str, Any]:
    state = open_table(game_of(), PLAIN)
    finish(state, Random(1).choice)
    data: dict[str, Any] = json.loads(json.dumps(record_of(state).to_json()))
    return data


def test_a_record_with_an_illegal_card() -> None:
    """The second card revokes: clubs were led, the seat has clubs and plays a spade."""
    state = open_table(game_of(), PLAIN)
    play_cards(state, ["CA"])
    pass_on(state)
    data = json.loads(json.dumps(record_of(state).to_json()))
    data["actions"].append([NUMBER["SA"], "♠A"])
    count = len(data["actions"])
    with pytest.raises(RecordError, match=rf"action {count} of {count}.*{NUMBER['SA']}.*not legal.*♣A"):
        replay(from_json(data))


def test_records_that_do_not_tell_the_truth() -> None:
    for field, value, message in [
        ("returns", [1, -1, 1, -1], "returns"),
        ("returns", [0.0, 0.0, 0.0], "returns"),
        ("result", {"winner": "re"}, "result"),
        ("seats", ["a", "b"], "seats.*4"),
        ("game", {"name": "doppelkopf", "params": {"moon": True}}, "game.*moon"),
        ("game", {"name": "doppelkopf", "params": {"nines": False}}, "action"),
    ]:
        data = finished_record()
        data[field] = value
        with pytest.raises(RecordError, match=message):
            replay(from_json(data))
    data = finished_record()
    data["actions"] = data["actions"][:-1]
    with pytest.raises(RecordError, match="not over"):
        replay(from_json(data))
    data = finished_record()
    data["actions"][60][1] = "♥10" if data["actions"][60][1] != "♥10" else "♦9"
    with pytest.raises(RecordError, match=r"action 61.*name"):
        replay(from_json(data))


# --- Positions ------------------------------------------------------------------------------------------------------


def middle(observer: int | None = None) -> dict[str, Any]:
    """A position of a normal game in its second trick, Re called by seat 0, seat 2 asked; or somebody's view of it."""
    state = open_table(game_of(), PLAIN)
    call_levels(state, [0, 2], {RE: 1, KONTRA: 0})
    play_cards(state, ["CA", "CA", "CK", "CK", "SA", "SA"])
    return state.position() if observer is None else state.view(observer).fields()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"start": 4}, "start"),
        ({"hands": plain()[:3]}, "hands"),
        ({"hands": [plain()[0], plain()[0], *plain()[2:]]}, "hands.*three times"),
        ({"cards": "CA SA"}, "cards.*card 2, SA.*must follow"),
        ({"cards": "CA CK"}, "cards.*card 2, CK.*does not hold"),
        ({"cards": "CA XX"}, "cards.*'XX'"),
        ({"cards": "CA CA CA"}, "cards.*CA.*three times"),
        ({"reservations": ["wedding", "healthy", "healthy", "healthy"]}, "wedding needs both club queens"),
        ({"reservations": ["poverty", "healthy", "healthy", "healthy"]}, "reservations.*poverty"),
        ({"reservations": ["healthy", "-", "healthy", "healthy"]}, "reservations.*in turn"),
        ({"calls": ["0:1:re"]}, "calls.*seat 1.*kontra"),
        ({"calls": ["0:0:re-no90"]}, "calls.*seat 0.*could say re only"),
        ({"calls": ["0:0:re", "0:0:re-no30"]}, "calls.*no90 only"),
        ({"calls": ["7:0:re"]}, "calls.*not possible"),
        ({"calls": ["nonsense"]}, "calls.*expected such as"),
        ({"asked": 7}, "asked"),
        ({"cards": "", "reservations": ["-", "-", "-", "-"], "calls": [], "asked": 1}, "asked.*nothing to say"),
        ({"moon": 1}, "moon"),
    ],
)
def test_positions_that_the_rules_cannot_produce(changes: dict[str, Any], message: str) -> None:
    assert game_of().load(middle()).position() == middle()
    with pytest.raises(kb.PositionError, match=message):
        game_of().load(middle() | changes)


# --- Views ----------------------------------------------------------------------------------------------------------

SEAT_0, SEAT_3 = middle(0), middle(3)  # hands: DT DQ DK DA HT HQ CT CQ ST SQ; DJ H9 HJ HK HA C9 S9 S9 SJ SK SK


@pytest.mark.parametrize(
    ("base", "changes", "message"),
    [
        # Cards
        (SEAT_3, {"hand": "CA H9 HJ HK HA C9 S9 S9 SJ SK SK"}, "CA"),  # both were played by others
        (SEAT_3, {"hand": "DJ H9 HJ HK HA C9 S9 S9 S9 SK SK"}, "hand.*S9.*three times"),
        (SEAT_3, {"hand": "DJ H9 HJ HK HA C9 S9 S9 SJ SK"}, "hand.*expected 11 cards, got 10"),
        (SEAT_3, {"hand": "DJ H9 HJ HK HA C9 S9 S9 SJ SK SK SK"}, "hand"),
        (SEAT_3, {"hand": "DJ H9 HJ HK HA C9 S9 S9 SJ SK S8"}, "hand.*'S8' is not a card"),
        (SEAT_3, {"cards": "CA CA CA"}, "cards.*three times"),
        # Seat 1 does not follow clubs in the first trick and has one in the second.
        (SEAT_3, {"cards": "CA SA CK CK CT CT"}, "cards.*seat 1 plays CT after it did not follow"),
        # The observer did not follow clubs but has one.
        (SEAT_3, {"cards": "CA CA CK SK SA SA", "hand": "DJ H9 HJ HK HA C9 S9 S9 SJ SK CK"}, "hand.*to follow"),
        # Reservations
        (SEAT_3, {"reservations": ["healthy", "wedding", "healthy", "healthy"]}, "calls.*nobody may call yet"),
        (
            SEAT_0,
            {"reservations": ["healthy", "wedding", "healthy", "healthy"], "calls": []},
            "no deal explains this view",
        ),  # seat 0 has a queen
        (SEAT_0, {"reservations": ["wedding", "healthy", "healthy", "healthy"], "calls": []}, "wedding needs both"),
        (SEAT_3, {"reservations": ["healthy", "hidden", "healthy", "healthy"]}, "reservations.*hidden is a solo"),
        (SEAT_3, {"reservations": ["hidden", "solo-jacks", "healthy", "healthy"], "calls": []}, "reservations.*hidden"),
        (SEAT_3, {"reservations": ["solo-jacks", "solo-queens", "healthy", "healthy"]}, "only the first solo"),
        (SEAT_3, {"reservations": ["healthy", "healthy", "healthy", "hidden"]}, "reservations"),  # one's own is known
        (SEAT_3, {"reservations": ["healthy", "-", "healthy", "healthy"]}, "reservations.*in turn"),
        (SEAT_3, {"reservations": ["-", "-", "-", "-"]}, "phase|reservations"),
        (SEAT_3, {"reservations": ["healthy"] * 3}, "reservations"),
        # Calls
        (SEAT_3, {"calls": ["0:0:re", "0:0:kontra"]}, "calls.*both parties"),
        (SEAT_3, {"calls": ["0:0:re-no90"]}, "calls.*only the next step"),
        (SEAT_3, {"calls": ["0:3:re"]}, "calls.*its club queens"),
        (SEAT_0, {"calls": ["0:0:kontra"]}, "calls.*its club queens"),
        (
            SEAT_3,
            {"calls": ["0:0:re", "0:1:re-no90", "0:2:re-no60"]},
            "no deal explains this view",
        ),  # three seats, two queens
        (
            SEAT_0,
            {"calls": ["0:0:re", "0:1:kontra", "0:2:kontra-no90", "0:3:kontra-no60"]},
            "no deal explains this view",
        ),  # one queen is nobody's
        (SEAT_3, {"calls": ["9:0:re"]}, "calls.*out of order"),
        (SEAT_3, {"calls": ["re"]}, "calls.*expected such as"),
        (SEAT_3, {"calls": ["0:7:re"]}, "calls.*expected such as"),
        (SEAT_3, {"calls": [f"0:0:{RE}"] * 11}, "calls"),
        # Phases
        (SEAT_3, {"phase": "call", "hand": "DJ H9 HJ HK HA C9 S9 S9 SJ SK"}, "hand"),
        (SEAT_0, {"phase": "wait"}, "phase.*card is next"),
        (SEAT_3, {"phase": "over"}, "phase.*cards"),
        (SEAT_3, {"phase": "deal"}, "dealt|phase"),
        (SEAT_3, {"phase": "start"}, "start|dealt|phase"),
        (SEAT_3, {"phase": "night"}, "phase.*expected"),
        (SEAT_3, {"dealt": 47}, "dealt"),
        (SEAT_3, {"start": -1}, "start"),
        (SEAT_3, {"observer": 4}, "observer"),
        (SEAT_3, {"piglets": 1}, "piglets"),
        # Fields
        (SEAT_3, {"asked": 2}, "asked"),
        (SEAT_3, {"hand": 3}, "hand"),
        (SEAT_3, {"cards": None}, "cards"),
    ],
)
def test_views_that_no_deal_can_explain(base: dict[str, Any], changes: dict[str, Any], message: str) -> None:
    assert game_of().load_view(base).fields() == base
    with pytest.raises(kb.ViewError, match=message):
        game_of().load_view(base | changes)


@pytest.mark.parametrize("field", list(SEAT_3))
def test_every_field_of_a_view_is_needed(field: str) -> None:
    with pytest.raises(kb.ViewError, match=field):
        game_of().load_view({name: value for name, value in SEAT_3.items() if name != field})


def test_a_late_call_is_no_view() -> None:
    """Kontra with ten cards and nothing to reply to."""
    state = open_table(game_of(), PLAIN)
    play_cards(state, ["CA", "CA", "CK", "CK", "SA", "SA", "C9", "S9"])
    pass_on(state)
    view = state.view(3).fields()
    assert game_of().load_view(view).fields() == view
    with pytest.raises(kb.ViewError, match=r"calls.*too late"):
        game_of().load_view(view | {"calls": ["8:1:kontra"]})


def test_kontra_cannot_have_played_a_club_queen() -> None:
    state = open_table(game_of(), PLAIN)
    play_cards(state, ["CQ", "D9", "CQ", "DJ"])
    view = state.view(1).fields()
    assert game_of().load_view(view | {"calls": ["0:0:re"]}).observer == 1
    for caller, party in ((0, KONTRA), (2, KONTRA), (3, RE)):
        with pytest.raises(kb.ViewError, match="call"):
            game_of().load_view(view | {"calls": [f"0:{caller}:{party}"]})


def test_a_wedding_has_no_calls_before_its_partner() -> None:
    state = open_table(game_of(), [hand.split() for hand in BOTH_QUEENS], 0, ["wedding", *["healthy"] * 3])
    play_cards(state, ["CA"])
    view = state.view(1).fields()
    with pytest.raises(kb.ViewError, match=r"calls.*nobody may call yet"):
        game_of().load_view(view | {"calls": ["0:0:re"]})


def test_more_cards_than_places() -> None:
    """Three seats without trumps leave nobody to hold the trumps that are out."""
    state = open_table(game_of(), PLAIN)
    view = state.view(0).fields()
    trumpless = view | {"cards": "HT CA CK CK", "hand": view["hand"].replace("HT ", "")}
    with pytest.raises(kb.ViewError, match="no deal explains this view"):
        game_of().load_view(trumpless)


def test_mutated_views_load_exactly_or_are_refused() -> None:
    """Random damage to real views: a view that is accepted is one that its own worlds have, to the last field."""
    game = game_of()
    random = Random(10)
    outcomes = {True: 0, False: 0}
    for _ in range(60):
        table = random_table(random, queens=0.3)
        state = game.deal(hand_texts(table.dealt), start=table.start)
        for _ in range(random.randrange(70)):
            if table.phase == "over":
                break
            name = random_name(table, random, 0.05)
            table.play(name)
            play(state, name)
        for observer in range(4):
            fields = state.view(observer).fields()
            for _ in range(10):
                broken = damaged(fields, random)
                try:
                    view = game.load_view(broken)
                except kb.ViewError:
                    outcomes[False] += 1
                    continue
                outcomes[True] += 1
                assert normal(view.fields()) == normal(broken)
                for seed in range(3):
                    world = view.sample(seed)
                    assert world.view(view.observer) == view
                    assert game.load(world.position()).position() == world.position()  # replays every move
    assert outcomes[False] > 500
    assert outcomes[True] > 50


def normal(fields: dict[str, Any]) -> dict[str, Any]:
    """A hand is a set of cards: their order does not count."""
    return fields | {"hand": sorted(fields["hand"].split())}


def damaged(fields: dict[str, Any], random: Random) -> dict[str, Any]:
    """The fields with one small lie."""
    cards, hand = fields["cards"].split(), fields["hand"].split()
    every = list(NUMBER)[:24]
    lies: list[dict[str, Any]] = [
        {"phase": random.choice(["deal", "reservation", "call", "card", "wait", "over"])},
        {"start": random.randrange(4)},
        {"observer": random.randrange(4)},
        {
            "reservations": [
                random.choice(["healthy", "wedding", "solo-jacks", "hidden", "-"]),
                *fields["reservations"][1:],
            ]
        },
        {
            "calls": [
                *fields["calls"],
                f"{len(cards)}:{random.randrange(4)}:{random.choice(['re', 'kontra', 're-no90'])}",
            ]
        },
        {"calls": fields["calls"][:-1]},
        {"cards": " ".join(cards[:-1])},
    ]
    if hand:
        swapped = list(hand)
        swapped[random.randrange(len(hand))] = random.choice(every)
        lies.append({"hand": " ".join(swapped)})
    if cards:
        swapped = list(cards)
        swapped[random.randrange(len(cards))] = random.choice(every)
        lies.append({"cards": " ".join(swapped)})
    return fields | random.choice(lies)
