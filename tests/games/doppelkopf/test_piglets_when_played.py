"""Piglets that are announced when they are played: with the first of both cards, and nobody knows before.

The further kinds come into play in the same way, if the kind below is in play already. Random games agree with the
referee, and what the cards tell is held against it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

import kiebitz as kb
from kiebitz.games import declaration_of
from kiebitz.games.declaration import LANGUAGES
from kiebitz.games.doppelkopf.situation import Situation
from kiebitz.games.doppelkopf.words import news
from kiebitz.games.scene import Scene
from tests.games.doppelkopf.playing import (
    BOTH_FOXES,
    HEALTHY,
    PLAIN,
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
from tests.games.doppelkopf.test_table_rules import some_house

ALONE = House(piglets=True, piglets_when_played=True)
ALL = House(piglets=True, superpiglets=True, hyperpiglets=True, piglets_when_played=True)
KINDS = ("piglets", "superpiglets", "hyperpiglets")

PAIRS = (  # seat 1: both aces, seat 2: both nines, seat 0: both kings of diamonds
    ["HT", "CQ", "SQ", "HQ", "DQ", "DK", "DT", "DK", "CA", "CT", "SA", "ST"],
    ["HT", "SQ", "HQ", "DQ", "CJ", "DA", "DA", "HJ", "CA", "CT", "SA", "ST"],
    ["CQ", "CJ", "SJ", "D9", "DJ", "DT", "D9", "HA", "HK", "H9", "CK", "C9"],
    ["SJ", "HJ", "DJ", "HA", "HK", "H9", "CK", "C9", "SK", "SK", "S9", "S9"],
)


def after(house: House, hands: tuple[list[str], ...], cards: str, said: tuple[str, ...] = HEALTHY) -> kb.State:
    """These cards on the table, led by seat 0, and nobody calls."""
    state = open_table(game_of(house), hands, 0, said)
    play_cards(state, cards.split())
    if state.player != kb.TERMINAL:
        pass_on(state)
    return state


def known(state: kb.State) -> list[int | None]:
    """Who has which kind, as everybody knows it."""
    public = state.view(0).public()
    return [public.get(kind) for kind in KINDS]


# --- The announcement -------------------------------------------------------------------------------------------------


def test_piglets_when_played_are_announced_with_the_first_ace() -> None:
    """With it they are the highest trumps, in the trick on the table already; before, the order is as usual."""
    before, now = after(ALONE, BOTH_FOXES, "HT"), after(ALONE, BOTH_FOXES, "HT DA")
    assert before.view(3).public()["trumps"] == trumps("normal")
    assert now.view(3).public()["trumps"] == trumps("normal", piglets=True)
    for seat in range(4):
        assert before.view(seat).fields()["piglets"] == -1
        assert now.view(seat).fields()["piglets"] == now.view(seat).public()["piglets"] == 1
        assert before.view(seat).outline()["takers"] == [0]
        assert now.view(seat).outline()["takers"] == [1]
    assert after(ALONE, BOTH_FOXES, "HT DA CJ SJ").player == 1
    assert after(ALONE, BOTH_FOXES, "HT D9 CJ SJ").player == 0


def test_piglets_when_played_need_both_aces_in_one_hand() -> None:
    state = after(ALONE, PLAIN, "HT DA CJ SJ")
    assert (state.player, known(state)[0]) == (0, None)
    state = after(ALONE, PLAIN, "DA DA CQ SJ")
    assert (state.player, known(state)[0]) == (2, None)


@pytest.mark.parametrize("contract", SOLOS)
def test_piglets_when_played_are_there_only_where_diamonds_are_trumps(contract: str) -> None:
    state = open_table(game_of(ALONE), BOTH_FOXES, 0, (contract, *HEALTHY[1:]))
    assert "DA" in legal_names(state) or phase_of(state) == "A"
    pass_on(state)
    play(state, "DT")
    pass_on(state)
    play(state, "DA")
    assert (known(state)[0] == 1) == (contract == "solo-diamonds")


def test_piglets_when_played_are_a_choice_of_the_rules_and_need_piglets() -> None:
    assert known(open_table(game_of(House(piglets=True)), BOTH_FOXES))[0] == 1
    for house in (House(piglets_when_played=True), House(piglets_when_played=True, superpiglets=True)):
        assert after(house, BOTH_FOXES, "HT DA CJ SJ").player == 0
    assert not any(kb.game("doppelkopf", preset=name).params["piglets_when_played"] for name in ("thesis", "club"))


def test_a_further_kind_comes_into_play_only_above_the_one_below_it() -> None:
    """Both nines count where piglets have been announced before the first of them, and never after that."""
    state = after(ALL, PAIRS, "HT DA D9 SJ")
    assert (known(state), state.player) == ([1, 2, None], 2)
    early = after(ALL, PAIRS, "HT HQ D9 SJ DT DA DT HJ DA D9 DJ DK")
    assert (known(early), early.player) == ([1, None, None], 1)
    late = after(ALL, PAIRS, "DK DA D9 SJ D9 DJ DK HT")
    assert (known(late), late.player) == ([1, 2, None], 2)  # the first king came before the nines
    third = after(ALL, PAIRS, "DT DA D9 SJ D9 DJ DK HT")
    assert (known(third), third.player) == ([1, 2, 0], 0)
    assert third.view(3).public()["trumps"][:4] == ["DK", "D9", "DA", "HT"]


def test_the_announcement_is_told_when_it_happens() -> None:
    """In the log, in the terminal and in the tensor; piglets that are shown are told before the first card."""
    for house, cards, told in (
        (ALONE, "HT DA", ("announces piglets", "sagt Schweinchen an")),
        (House(piglets=True), "", ("shows both ♦A: piglets", "zeigt beide ♦A: Schweinchen")),
    ):
        before = open_table(game_of(house), BOTH_FOXES, 0) if cards else game_of(house).deal(hand_texts(BOTH_FOXES))
        play_cards(before, cards.split()[:-1])
        now = before.copy()
        for name in cards.split()[-1:] or HEALTHY:
            pass_on(now)
            play(now, name)
        lines = [
            line.told(["A", "B", "C", "D"])["text"]
            for line in declaration_of(now.game).words.events(Scene(before), Scene(now))
        ]
        assert {"en": f"B {told[0]}", "de": f"B {told[1]}"} in lines
        for language, text in zip(LANGUAGES, told, strict=True):
            heard = news(Situation.of(before.view(3)), Situation.of(now.view(3)), 3, language)
            assert any(line.endswith(text) for line in heard)
        objects = [[row.tolist() for row in state.view(3).tensor().reshape(-1, 6)] for state in (before, now)]
        assert [[row[3] for row in rows if row[0] == 42] for rows in objects] == [[], [3]]  # counted from seat 3


def test_both_aces_may_come_together_in_the_exchange_of_poverty() -> None:
    hands = [list(hand) for hand in PLAIN]
    hands[0][hands[0].index("DA")], hands[3][hands[3].index("SJ")] = "SJ", "DA"
    state = open_table(
        game_of(House(piglets=True, piglets_when_played=True, poverty=True)), hands, 0, (*HEALTHY[:3], "poverty")
    )
    for word in ("leave", "take", "CT", "CA", "ST"):
        play(state, word)
    play_cards(state, ["HT"])
    assert known(state)[0] is None
    play_cards(state, ["DA", "D9", "CA"])
    pass_on(state)
    assert (known(state)[0], state.player) == (1, 1)


# --- Who knows what ---------------------------------------------------------------------------------------------------


def chance_of_second_ace(view: kb.View) -> list[float]:
    """How likely each other seat holds an ace of diamonds."""
    return [float(chance) for chance in view.beliefs()["copies"]["♦A"]]


def test_an_ace_without_an_announcement_proves_that_its_player_has_no_other() -> None:
    before, single, both = (after(ALONE, PLAIN, cards) for cards in ("HT", "HT DA", "HT DA CJ"))
    assert all(0 < chance < 1 for chance in chance_of_second_ace(before.view(3))[:3])
    assert chance_of_second_ace(single.view(3))[1] == chance_of_second_ace(both.view(3))[1] == 0
    told = after(ALONE, BOTH_FOXES, "HT DA")
    assert chance_of_second_ace(told.view(3)) == [0, 1, 0, 0]


def test_before_the_first_ace_everything_is_possible() -> None:
    """As many worlds have both aces in one hand as without the rule."""
    counts = [open_table(game_of(house), PLAIN).view(3).beliefs()["deals"] for house in (House(), ALL)]
    assert counts[0] == counts[1]
    view = open_table(game_of(ALL), PLAIN).view(3)
    together = sum(
        max(world.view(seat).fields()["hand"].split().count("DA") for seat in range(3)) == 2
        for world in (view.sample(seed) for seed in range(200))
    )
    assert 20 < together < 100


def test_a_nine_tells_nothing_before_piglets_are_announced() -> None:
    early, late = after(ALL, PAIRS, "HT HQ D9"), after(ALL, BOTH_FOXES, "HT DA D9")
    assert early.view(3).beliefs()["copies"]["♦9"][2] > 0
    assert late.view(3).beliefs()["copies"]["♦9"][2] == 0


def test_views_with_announcements_that_no_cards_explain_are_refused() -> None:
    game = game_of(ALL)
    told = after(ALL, PAIRS, "HT DA D9").view(3).fields()
    assert game.load_view(told).fields() == told
    for change in (
        {"piglets": -1},
        {"piglets": 2},
        {"superpiglets": 1},
        {"hyperpiglets": 0},
        {"cards": "HT SQ D9"},
        {"cards": "HT DA DJ"},
    ):
        with pytest.raises(kb.ViewError, match=r"piglets|no deal explains"):
            game.load_view({**told, **change})
    assert game.load_view({**told, "superpiglets": -1}).beliefs()["copies"]["♦9"][2] == 0  # one nine in that hand
    twice = after(ALL, PAIRS, "HT HQ D9 SJ DT DA DT HJ DA D9").view(3).fields()
    assert game.load_view(twice).fields() == twice
    with pytest.raises(kb.ViewError, match="superpiglets"):
        game.load_view({**twice, "superpiglets": 2})


# --- Any mix of the rules ---------------------------------------------------------------------------------------------


def pairs_table(random: Random, house: House) -> Referee:
    """A deal in which one hand has both copies of a kind more often than not."""
    hands = random_hands(random, house.nines)
    for card in ("DA", "D9", "DK", "DJ"):
        holders = [seat for seat in range(4) if card in hands[seat]]
        if len(holders) == 2 and random.random() < 0.6:
            keeper, other = random.sample(holders, 2)
            back = random.choice([c for c in hands[keeper] if c not in ("DA", "D9", "DK", "DJ")])
            hands[other][hands[other].index(card)] = back
            hands[keeper][hands[keeper].index(back)] = card
    return Referee(hands, random.randrange(4), house)


def test_random_games_with_piglets_when_played_agree_with_the_referee() -> None:
    """In any mix with the other rules, also from positions, views and records that were saved on the way."""
    random = Random(41)
    seen: Counter[int] = Counter()
    for _ in range(50):
        house = replace(some_house(random), piglets=True, piglets_when_played=True, throw_in=False, forced=-1)
        house = replace(house, superpiglets=random.random() < 0.8, hyperpiglets=random.random() < 0.8)
        game = game_of(house)
        for _ in range(6):
            table = pairs_table(random, house)
            state = game.deal(hand_texts(table.dealt), start=table.start)
            while table.seat is not None:
                assert (state.player, phase_of(state)) == (table.seat, table.phase)
                assert legal_names(state) == table.legal()
                assert [holder for holder in known(state) if holder is not None] == [seat for seat, _ in table.swines()]
                if random.random() < 0.03:
                    assert game.load(state.position()).key == state.key
                    view = state.view(random.randrange(4))
                    assert game.load_view(view.fields()) == view
                name = random_name(table, random, 0.05, solos=0.03)
                table.play(name)
                play(state, name)
            expected, result = table.result(), state.result()
            assert {field: result[field] for field in expected} == expected
            assert kb.records.replay(kb.records.record_of(state)).result() == result
            seen[len(table.announced)] += 1
    assert min(seen[kinds] for kinds in range(4)) > 5


def test_players_play_with_piglets_that_are_announced_when_played() -> None:
    """Whole games by players with and without search: their moves are legal, and piglets do appear."""
    game = game_of(ALL)
    specs = [
        "rule_of_thumb",
        "best(iterations=20, worlds=2)",
        "pimc(inner=uct(iterations=20), worlds=2)",
        "ismcts(iterations=40)",
    ]
    random = Random(5)
    announced = 0
    for _ in range(6):
        table = pairs_table(random, ALL)
        state = game.deal(hand_texts(table.dealt), start=table.start)
        agents = [kb.agent(spec, game, seed=3) for spec in specs]
        while state.player != kb.TERMINAL:
            state.apply(agents[state.player].act(state.view(state.player)))
        announced += known(state)[0] is not None
        assert sum(state.returns()) == 0
    assert announced > 0
