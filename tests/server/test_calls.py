"""A call round is one public phase (spec 2.16): who may be asked follows from what everybody knows, nothing else."""

from __future__ import annotations

from random import Random

import pytest

import kiebitz as kb
from kiebitz.games import declaration_of
from kiebitz.games.declaration.facts import SecretRound
from kiebitz.games.scene import Scene
from kiebitz.server.views import OpenRound, view_part
from tests.games.doppelkopf.playing import game_of, hand_texts, phase_of, random_name, random_table
from tests.games.doppelkopf.referee import NUMBER, House
from tests.games.doppelkopf.test_views import pass_until, public_moments, spoken_game, twin_hands

FACTS = declaration_of("doppelkopf").facts
asks = FACTS.asks


def able_seats(state: kb.State) -> tuple[int, ...]:
    found = Scene(state).round
    return () if found is None else found.able


def call_view(state: kb.State, seat: int) -> kb.View | None:
    return state.view(seat).if_asked()


def known_view(state: kb.State, seat: int) -> kb.View:
    return call_view(state, seat) or state.view(seat).unasked()


HOUSES = [House(), House(nines=False), House(second_ten=True, piglets=True)]


@pytest.mark.parametrize("house", HOUSES, ids=["thesis", "without_nines", "house_rules"])
def test_whoever_the_rules_ask_is_publicly_able(house: House) -> None:
    """In random games with many calls: the core only asks seats that could be asked, judging by public facts."""
    game, random = game_of(house), Random(5)
    asked = 0
    for _ in range(150):
        table = random_table(random, house, queens=0.4)
        state = game.deal(hand_texts(table.dealt), start=table.start)
        calls = random.choice([0.0, 0.05, 0.3, 0.8])
        while state.player != kb.TERMINAL:
            if asks(state):
                asked += 1
                assert state.player in able_seats(state)
                assert call_view(state, state.player) == state.view(state.player)
            name = random_name(table, random, calls, solos=0.1)
            table.play(name)
            state.apply(NUMBER[name])
    assert asked > 2000


def test_a_seat_can_speak_by_its_own_view_exactly_when_the_rules_would_ask_it() -> None:
    """Before every card: the seats with a call view are those that the core asks when everybody passes."""
    game, random = game_of(), Random(6)
    rounds = 0
    for _ in range(60):
        table = random_table(random, None, queens=0.4)
        state = game.deal(hand_texts(table.dealt), start=table.start)
        while state.player != kb.TERMINAL:
            if phase_of(state) == "C" or asks(state):
                walk, passed = state.copy(), set()
                while asks(walk):
                    passed.add(walk.player)
                    walk.apply(38)
                if state.history[-1] < 24 or not passed:  # at the start of a round
                    able = {seat for seat in range(4) if call_view(state, seat) is not None}
                    assert passed <= able <= set(able_seats(state)) | passed
                    rounds += 1
            name = random_name(table, random, 0.1, solos=0.1)
            table.play(name)
            state.apply(NUMBER[name])
    assert rounds > 1000


def test_the_phase_is_the_same_for_all_deals_with_the_same_public_history() -> None:
    """Twins by another seat's view: other cards, parties and seats asked, but the same public part and phase."""
    game, random = game_of(), Random(7)
    compared = differently_asked = 0
    while compared < 3000 or differently_asked < 6:  # without those this would prove nothing
        state, table = spoken_game(game, random, random.randrange(4, 40))
        observer = random.randrange(4)
        hands, names = twin_hands(state, state.view(observer).sample(random.randrange(2**32)))
        twins = [game.deal(hand_texts(each), start=table.start) for each in (table.dealt, hands)]
        for kind, seat, action in public_moments(state):
            assert Scene(twins[0]).public == Scene(twins[1]).public
            able = able_seats(twins[0])
            assert able == able_seats(twins[1])
            if able:
                one, other = (known_view(twin, observer) for twin in twins)
                assert one == other
                assert one.key == other.key
                for answers in ({}, {observer: 38}):
                    asking = OpenRound(SecretRound("call", able, 38, "pass"), answers)
                    parts = [view_part(Scene(twin.copy()), observer, asking) for twin in twins]
                    assert parts[0] == parts[1]
            differently_asked += len({(asks(twin), twin.player) for twin in twins}) > 1
            if kind == "R":
                twins[0].apply(action)
                twins[1].apply(NUMBER[names[seat]])
                continue
            for twin in twins:
                pass_until(twin, kind, seat)
                twin.apply(action)
            compared += 1


def test_public_parties_agree_with_every_seat_and_with_the_truth() -> None:
    """What everybody knows, each seat knows."""
    game, random = game_of(), Random(8)
    known = 0
    for _ in range(60):
        table = random_table(random, None, queens=0.4)
        state = game.deal(hand_texts(table.dealt), start=table.start)
        while state.player != kb.TERMINAL:
            for party, seat in zip(Scene(state).public["parties"], range(4), strict=True):
                if party:
                    known += 1
                    assert all(state.view(observer).outline()["parties"][seat] == party for observer in range(4))
            name = random_name(table, random, 0.05, solos=0.1)
            table.play(name)
            state.apply(NUMBER[name])
        result = state.result()
        assert all(seat in result[party] for seat, party in enumerate(Scene(state).public["parties"]) if party)
        assert Scene(state).public["sizes"] == [0, 0, 0, 0]
    assert known > 1000
