"""Doppelkopf as tables play it: poverty, throwing in, swines, solos in their order, compulsory solos and Bock.

Each rule is a switch with a test named after it, and random games under any mix of them agree with the referee.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import kiebitz as kb
from tests.contract.walks import view_face
from tests.games.doppelkopf.playing import (
    BOTH_FOXES,
    HEALTHY,
    PLAIN,
    both_kings,
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
)
from tests.games.doppelkopf.referee import SOLOS, House, Referee, trumps

POVERTY = House(poverty=True)
TO_SEAT_3 = (*HEALTHY[:3], "poverty")  # who has SJ HJ DJ in PLAIN
BAD = (
    ["HT", "CQ", "SQ", "HQ", "DQ", "DA", "DT", "DK", "CA", "CT", "SA", "ST"],
    ["HT", "SQ", "HQ", "DQ", "CJ", "DA", "DT", "CJ", "CA", "CT", "SA", "ST"],
    ["CQ", "SJ", "SJ", "HJ", "DJ", "DK", "DJ", "HA", "HK", "HJ", "CK", "SK"],
    ["D9", "D9", "HA", "HK", "H9", "H9", "CK", "C9", "C9", "SK", "S9", "S9"],
)


# --- Poverty ----------------------------------------------------------------------------------------------------------


def exchanged(back: list[str], taker: int = 1) -> kb.State:
    """Seat 3 puts down its three trumps, and ``taker`` gives these cards back."""
    state = open_table(game_of(POVERTY), PLAIN, 0, TO_SEAT_3)
    while state.player != taker:
        play(state, "leave")
    play(state, "take")
    for card in back:
        play(state, card)
    return state


def test_poverty_cards_are_exchanged_and_the_two_play_together() -> None:
    state = open_table(game_of(POVERTY), PLAIN, 0, TO_SEAT_3)
    assert (state.phase, state.player, legal_names(state)) == ("poverty", 0, ["take", "leave"])
    state = exchanged([])
    assert (state.phase, state.player) == ("exchange", 1)
    assert state.view(0).public()["sizes"] == [12, 15, 12, 9]
    state = exchanged(["CT", "DJ", "ST"])
    assert state.phase == "call"
    public = state.view(0).public()
    assert public["exchange"] == {"from": 3, "to": 1, "cards": 3, "back": 3, "trumps_back": 1}
    assert (public["contract"], public["declarer"], public["partner"]) == ("poverty", 3, 1)
    assert public["parties"] == ["kontra", "re", "kontra", "re"]
    assert public["turn"] == 0  # the start seat leads as usual
    assert public["sizes"] == [12] * 4
    assert Counter(state.view(3).fields()["hand"].split())["DJ"] == 1
    random = Random(1)
    finish(state, random.choice)
    result = state.result()
    assert (result["type"], result["re"], result["solo_scoring"]) == ("poverty", [1, 3], False)
    assert result["exchange"] == {"from": 3, "to": 1, "cards": 3, "trumps_back": 1}


def test_poverty_needs_a_hand_with_at_most_three_trumps() -> None:
    state = game_of(POVERTY).deal(hand_texts(PLAIN))
    with pytest.raises(kb.IllegalAction, match="at most three trumps"):
        play(state, "poverty")
    for _ in range(3):
        play(state, "healthy")
    assert "poverty" in legal_names(state)


def test_poverty_that_nobody_takes_ends_the_deal() -> None:
    state = open_table(game_of(POVERTY), PLAIN, 0, TO_SEAT_3)
    for _ in range(3):
        play(state, "leave")
    assert state.player == kb.TERMINAL
    assert state.returns() == [0, 0, 0, 0]
    assert state.result()["thrown"] == 3
    for seat in range(4):
        assert Counter(state.view(seat).fields()["shown"].split()) == Counter(PLAIN[3])


def test_poverty_goes_behind_solos_and_before_weddings() -> None:
    hands = [list(hand) for hand in PLAIN]
    hands[0][hands[0].index("DK")], hands[2][hands[2].index("CQ")] = "CQ", "DK"
    game = game_of(POVERTY)
    assert open_table(game, hands, 0, ["wedding", *TO_SEAT_3[1:]]).view(0).public()["contract"] == "poverty"
    solo = open_table(game, hands, 0, ["healthy", "healthy", "solo-jacks", "poverty"]).view(0)
    assert solo.public()["contract"] == "solo-jacks"
    assert solo.public()["reservations"][3] == "poverty"  # shown, as weddings are
    held = solo.beliefs()["copies"]
    assert sum(chances[3] for card, chances in held.items() if card_code(card) in trumps("normal")) <= 3


def card_code(name: str) -> str:
    """The code of a card's name."""
    return "CSHD"["♣♠♥♦".index(name[0])] + ("T" if name[1:] == "10" else name[1:])


def test_poverty_shows_the_cards_to_the_two_alone() -> None:
    """Two exchanges that differ only in the cards look the same to the others, who know how many trumps came back."""
    one, other = exchanged(["CT", "DJ", "ST"]), exchanged(["CA", "SJ", "SA"])
    for seat in (0, 2):
        assert one.view(seat).fields() == other.view(seat).fields()
        assert one.view(seat).outline() == other.view(seat).outline()
        assert (one.view(seat).tensor() == other.view(seat).tensor()).all()
        assert one.view(seat).fields()["back"] == ""
    for seat in (1, 3):
        assert sorted(one.view(seat).fields()["down"].split()) == ["DJ", "HJ", "SJ"]
        assert sorted(one.view(seat).fields()["back"].split()) == ["CT", "DJ", "ST"]
    assert exchanged(["CT", "CA", "ST"]).view(0) != one.view(0)


@pytest.mark.parametrize("back", [[], ["CT"], ["CT", "DJ"], ["CT", "DJ", "ST"], ["SQ", "DJ", "HT"]], ids=len)
def test_poverty_beliefs_know_the_trumps_of_the_poor_hand(back: list[str]) -> None:
    """Once all cards are back, everybody knows how many trumps the poor hand holds; the two know more."""
    state = exchanged(back)
    known = len(back) == 3
    for seat in range(3):
        held = state.view(seat).beliefs()["copies"]
        sure = sum(card in trumps("normal") for card in back)
        at_poor = sum(chances[3] for card, chances in held.items() if card_code(card) in trumps("normal"))
        if known or seat == 1:
            assert at_poor == pytest.approx(sure)
        else:
            assert at_poor <= len(back) + 1e-9
    poor = state.view(3).beliefs()["cards"]
    kept = [card for card in ("♠J", "♥J", "♦J") if card_code(card) not in back]
    assert all(poor[card][1] == pytest.approx(1) for card in kept)


@pytest.mark.parametrize(
    "back", [["CT", "CA", "ST"], ["CT", "DJ", "ST"], ["CQ", "DJ", "ST"], ["CQ", "CQ", "SJ"]], ids=" ".join
)
def test_poverty_may_be_taken_by_a_wedding(back: list[str]) -> None:
    """The club queens were the taker's own: every world that a view allows says so, whoever has them now."""
    hands = [list(hand) for hand in PLAIN]
    hands[0][hands[0].index("CQ")], hands[1][hands[1].index("SQ")] = "SQ", "CQ"
    hands[2][hands[2].index("CQ")], hands[1][hands[1].index("DQ")] = "DQ", "CQ"
    game, random = game_of(POVERTY), Random(2)
    state = open_table(game, hands, 0, ("healthy", "wedding", "healthy", "poverty"))
    for word in ["leave", "take", *back]:
        play(state, word)
    while state.player != kb.TERMINAL:
        for seat in range(4):
            view = state.view(seat)
            assert game.load_view(view.fields()) == view
            for seed in range(3):
                world = view.sample(seed)
                assert world.view(seat) == view
                assert Counter(world.position()["hands"][1].split())["CQ"] == 2
        pass_on(state)
        state.apply(random.choice(state.legal()))
        if state.player != kb.TERMINAL:
            pass_on(state)


# --- Throwing in ------------------------------------------------------------------------------------------------------


def test_throw_in_ends_the_deal_without_points() -> None:
    state = game_of(House(throw_in=True)).deal(hand_texts(BAD), start=3)
    with pytest.raises(kb.IllegalAction):
        play(game_of().deal(hand_texts(BAD), start=3), "throw-in")
    play(state, "throw-in")
    assert state.player == kb.TERMINAL
    assert state.returns() == [0, 0, 0, 0]
    assert (state.result()["type"], state.result()["thrown"]) == ("throw-in", 3)
    for seat in range(4):
        assert Counter(state.view(seat).public()["thrown"]["hand"][-1].split())["S9"] in (0, 2)
        assert Counter(state.view(seat).fields()["shown"].split()) == Counter(BAD[3])


@pytest.mark.parametrize(
    ("cards", "bad"),
    [
        ("D9 H9 H9 C9 C9 CQ CJ DJ CK SK HA CA", True),  # five nines
        ("D9 H9 H9 C9 CT CQ CJ DJ CK SK HA CA", False),
        ("DK HK HK CK SK CQ CJ DJ SQ H9 HA CA", True),  # five kings
        ("DA HA HA CA CA SA ST ST CQ CJ DJ SQ", True),  # eight aces and tens
        ("DA HA HA CA CA SA ST CK CQ CJ DJ SQ", False),
        ("DA DA DT DK CA CT CK SA ST SK HA H9", True),  # no trump above a fox
        ("DJ DA DT DK CA CT CK SA SK SK HA H9", False),
    ],
)
def test_throw_in_needs_a_bad_hand(cards: str, bad: bool) -> None:
    random = Random(cards)
    rest = [card for hand in random_hands(random) for card in hand]
    for card in cards.split():
        rest.remove(card)
    hands = [cards.split(), rest[:12], rest[12:24], rest[24:]]
    assert ("throw-in" in legal_names(game_of(House(throw_in=True)).deal(hand_texts(hands)))) == bad


# --- Swines -----------------------------------------------------------------------------------------------------------

SUPER = (  # seat 1: both foxes, seat 2: both nines, seat 0: both kings of diamonds
    ["HT", "CQ", "SQ", "HQ", "DQ", "DK", "DT", "DK", "CA", "CT", "SA", "ST"],
    ["HT", "SQ", "HQ", "DQ", "CJ", "DA", "DA", "HJ", "CA", "CT", "SA", "ST"],
    ["CQ", "CJ", "SJ", "D9", "DJ", "DT", "D9", "HA", "HK", "H9", "CK", "C9"],
    ["SJ", "HJ", "DJ", "HA", "HK", "H9", "CK", "C9", "SK", "SK", "S9", "S9"],
)


def taker(house: House, hands: tuple[list[str], ...], cards: list[str]) -> int:
    """Who takes the first trick, led by seat 0."""
    state = open_table(game_of(house), hands)
    play_cards(state, cards)
    pass_on(state)
    return state.player


def test_superpiglets_rank_above_piglets() -> None:
    cards = ["HT", "DA", "D9", "SJ"]
    assert taker(House(piglets=True), SUPER, cards) == 1
    assert taker(House(piglets=True, superpiglets=True), SUPER, cards) == 2
    assert taker(House(superpiglets=True), SUPER, cards) == 0  # nothing without piglets
    assert taker(House(piglets=True, superpiglets=True), BOTH_FOXES, cards) == 1
    state = open_table(game_of(House(piglets=True, superpiglets=True)), SUPER)
    assert [state.view(seat).fields()["superpiglets"] for seat in range(4)] == [2] * 4


def test_hyperpiglets_rank_above_superpiglets() -> None:
    cards = ["DK", "DA", "D9", "SJ"]
    assert taker(House(piglets=True, superpiglets=True), SUPER, cards) == 2
    assert taker(House(piglets=True, superpiglets=True, hyperpiglets=True), SUPER, cards) == 0
    assert taker(House(piglets=True, hyperpiglets=True), SUPER, cards) == 1  # nothing without superpiglets


# --- Solos ------------------------------------------------------------------------------------------------------------


def test_solo_ranking_the_highest_solo_is_played() -> None:
    said = ["solo-hearts", "solo-trumpless", "solo-trumpless", "solo-queens"]
    for house, contract, declarer in (
        (House(), "solo-hearts", 0),
        (House(solo_ranking=True), "solo-trumpless", 1),
    ):
        state = open_table(game_of(house), PLAIN, 0, said)
        for seat in range(4):
            public = state.view(seat).public()
            assert (public["contract"], public["declarer"]) == (contract, declarer)
            assert public["reservations"].count("hidden") == 3
            assert state.view(seat).sample(seat).view(seat) == state.view(seat)


def test_soloist_leads_to_the_first_trick() -> None:
    said = ["healthy", "healthy", "solo-jacks", "healthy"]
    for house, leader in ((House(), 0), (House(soloist_leads=True), 2)):
        state = open_table(game_of(house), PLAIN, 0, said)
        pass_on(state)
        assert state.player == leader
    state = open_table(game_of(House(soloist_leads=True)), PLAIN, 1)
    pass_on(state)
    assert state.player == 1


def test_compulsory_solo_goes_first_and_leads() -> None:
    """In a list: whose solo is still owed goes before others, and leads; after it, solos are as usual."""
    said = ["solo-hearts", "healthy", "solo-jacks", "healthy"]
    for owed, declarer, leader in (((), 0, 0), ((2,), 2, 2), ((0, 2), 0, 0), ((1, 3), 0, 0)):
        state = open_table(game_of(House(owed=owed)), PLAIN, 0, said)
        assert state.view(1).public()["declarer"] == declarer
        pass_on(state)
        assert state.player == leader
    state = open_table(game_of(House(owed=(3,))), PLAIN, 1, [*HEALTHY[:3], "solo-queens"])
    pass_on(state)
    assert state.player == 3


def test_compulsory_solo_is_forced_at_the_end_of_a_list() -> None:
    state = game_of(House(owed=(1, 2), forced=2)).deal(hand_texts(PLAIN), start=2)
    assert legal_names(state) == SOLOS
    with pytest.raises(kb.IllegalAction, match="compulsory solo"):
        play(state, "healthy")
    with pytest.raises(kb.ParameterError, match="owes a solo"):
        game_of(House(owed=(1,), forced=2))


@pytest.mark.parametrize("spec", ["best(iterations=10, worlds=1, calls=false, solos=false)", "random(calls=false)"])
def test_compulsory_solo_is_played_by_players_that_avoid_solos(spec: str) -> None:
    game = game_of(House(owed=(1, 2), forced=2))
    view = game.deal(hand_texts(PLAIN), start=2).view(2)
    assert kb.agent(spec, game).act(view) in view.legal()


def test_bock_doubles_all_points() -> None:
    random = Random(4)
    for _ in range(20):
        hands = random_hands(random)
        states = [open_table(game_of(house), hands) for house in (House(), House(worth=2))]
        while states[0].player != kb.TERMINAL:
            action = random.choice(states[0].legal())
            for state in states:
                state.apply(action)
        assert states[1].returns() == [2 * points for points in states[0].returns()]
        assert states[1].result()["items"] == states[0].result()["items"]
        assert states[1].result()["worth"] == 2
    assert states[1].game.info.max_payoff == 126


# --- Genscher ---------------------------------------------------------------------------------------------------------


def test_genscher_lets_who_played_both_diamond_kings_choose_the_partner() -> None:
    state = both_kings(game_of(House(genscher=True)))
    assert (state.phase, state.player, legal_names(state)) == ("genscher", 0, ["keep", "left", "opposite", "right"])
    assert state.view(2).public()["turn"] == 0
    before = state.copy()
    play(state, "left")
    public = state.view(3).public()
    assert public["parties"] == ["re", "re", "kontra", "kontra"]  # seat 0 stays what it was, and says so
    assert public["genscher"] == {"seat": 0, "partner": 1}
    assert state.view(3).beliefs()["parties"] == {"0+1": 1}
    random = Random(1)
    kept = before.copy()
    play(kept, "keep")
    assert kept.view(3).public()["genscher"] == {"seat": 0, "partner": None}
    for table, re in ((state, [0, 1]), (kept, [0, 2])):
        finish(table, random.choice)
        assert table.result()["re"] == re


def test_genscher_needs_a_normal_game_and_both_kings_before_the_last_trick() -> None:
    """Nobody is asked without the rule, in a solo, or for a king in the last trick."""
    random = Random(3)
    asked = Counter[str]()
    for _ in range(400):
        house = House(genscher=random.random() < 0.8)
        table = poor_table(random, house)
        state = game_of(house).deal(hand_texts(table.dealt), start=table.start)
        while state.player != kb.TERMINAL:
            if state.phase == "genscher":
                asked[state.view(0).public()["contract"]] += 1
                assert house.genscher
                cards = state.view(0).fields()["cards"].split()
                assert cards[-1] == "DK"
                assert cards.count("DK") == 2
                assert len(cards) <= 44
            elif phase_of(state) == "R" and random.random() < 0.7:
                play(state, "healthy")
                continue
            state.apply(random.choice(state.legal()))
    assert set(asked) == {"normal"}


# --- Any mix of them --------------------------------------------------------------------------------------------------


def poor_table(random: Random, house: House) -> Referee:
    """A deal in which somebody has few trumps, more often than not."""
    hands = random_hands(random, house.nines)
    if random.random() < 0.7:
        poor = random.randrange(4)
        for i, card in enumerate(hands[poor]):
            seat = (poor + random.randrange(1, 4)) % 4
            plain = [k for k, other in enumerate(hands[seat]) if other not in trumps("normal")]
            if card in trumps("normal") and plain and random.random() < 0.9:
                k = random.choice(plain)
                hands[poor][i], hands[seat][k] = hands[seat][k], card
    kings = [seat for seat in range(4) if "DK" in hands[seat]]
    if len(kings) == 2 and random.random() < 0.5:
        keeper, other = kings
        other_card = next(card for card in hands[keeper] if card != "DK" and hands[other].count(card) < 2)
        hands[other][hands[other].index("DK")] = other_card
        hands[keeper][hands[keeper].index(other_card)] = "DK"
    return Referee(hands, random.randrange(4), house)


def some_house(random: Random) -> House:
    """Any mix of the rules."""
    switches = {name: random.random() < 0.6 for name, on in vars(House()).items() if isinstance(on, bool)}
    owed = tuple(seat for seat in range(4) if random.random() < 0.3)
    forced = random.choice(owed) if owed and random.random() < 0.2 else -1
    return House(**switches, owed=owed, forced=forced, worth=random.choice([1, 1, 2]))


def test_random_games_agree_with_the_referee_under_any_mix_of_rules() -> None:
    """Every turn, every result, and what all seats see of worlds behind their views, positions and records."""
    random = Random(13)
    seen: Counter[str] = Counter()
    for _ in range(60):
        house = some_house(random)
        game = game_of(house)
        for _ in range(5):
            table = poor_table(random, house)
            state = game.deal(hand_texts(table.dealt), start=table.start)
            while table.seat is not None:
                assert (state.player, phase_of(state)) == (table.seat, table.phase)
                assert legal_names(state) == table.legal()
                if random.random() < 0.05 or table.phase in "PGK":
                    assert game.load(state.position()).key == state.key
                    view = state.view(random.randrange(4))
                    twin = view.sample(random.randrange(2**32)).view(view.observer)
                    assert twin == view
                    assert view_face(twin) == view_face(view)
                    seen[view.fields()["phase"]] += 1
                name = random_name(table, random, 0.05)
                table.play(name)
                play(state, name)
            expected = table.result()
            result = state.result()
            assert {field: result[field] for field in expected} == expected
            assert state.returns() == expected["points"]
            seen[expected["type"]] += 1
    for name in ("poverty", "exchange", "genscher", "throw-in", "normal", "wedding", "solo-jacks"):
        assert seen[name] > 0, name
