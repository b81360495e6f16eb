"""Doppelkopf's records, action numbers and observations in words."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np
import pytest

import kiebitz as kb
from tests.games.doppelkopf.playing import (
    PLAIN,
    game_of,
    hand_texts,
    legal_names,
    open_table,
    pass_on,
    play,
    random_hands,
    random_name,
    random_table,
)
from tests.games.doppelkopf.referee import (
    ACTIONS,
    CARDS,
    PASS,
)


@pytest.mark.requirement("DK-15")
def test_replay_and_record() -> None:
    """From the deal, the start seat and the actions; through the history; through a record and a saved position."""
    game = game_of()
    random = Random(15)
    for _ in range(20):
        table = random_table(random, queens=0.3)
        state = game.deal(hand_texts(table.dealt), start=table.start)
        while table.phase != "over":
            name = random_name(table, random, 0.1)
            table.play(name)
            play(state, name)
            if random.random() < 0.05:
                again = game.load(json.loads(json.dumps(state.position())))
                assert (again.key, again.player, again.legal()) == (state.key, state.player, state.legal())
                assert again.position() == state.position()
        again = game.deal(hand_texts(table.dealt), start=table.start)
        for action in state.history[49:]:
            again.apply(action)
        walk = game.root()
        for action in state.history:
            walk.apply(action)
        record = kb.records.from_json(json.loads(json.dumps(kb.records.record_of(state).to_json())))
        for other in (again, walk, kb.records.replay(record), game.load(state.position())):
            assert other.result() == state.result()
            assert other.key == state.key


@pytest.mark.requirement("DK-20")
def test_actions() -> None:
    """39 ids; two copies of a card are one action; a decision always has something legal."""
    game = game_of()
    assert game.info.actions == len(ACTIONS) == 39
    random = Random(20)
    for seed in range(100):
        state = game.new(seed=seed)
        while state.player != kb.TERMINAL:
            legal = state.legal()
            assert legal
            assert legal == sorted(set(legal))
            assert 0 <= legal[0] <= legal[-1] < 39
            assert all(state.parse(ACTIONS[action]) == action for action in legal)
            state.apply(random.choice(legal))


@pytest.mark.requirement("DK-20")
def test_eleven_cards_with_one_pair_offer_ten_leads() -> None:
    game = game_of()
    random = Random(11)
    found = 0
    while found < 10:
        hands = random_hands(random)
        state = open_table(game, hands)
        for _ in range(4):
            pass_on(state)
            hands[state.player].remove(name := random.choice(legal_names(state)))
            play(state, name)
        pass_on(state)
        hand = hands[state.player]
        if len(hand) == 11 and len(set(hand)) == 10:
            assert len(state.legal()) == 10
            found += 1


@pytest.mark.requirement("DK-21")
def test_observation_in_words() -> None:
    """Own hand, cards, calls and shown reservations, but nothing of the other hands."""
    state = open_table(game_of(), PLAIN)
    play(state, "re-kontra")
    play(state, PASS)
    fields = state.view(3).fields()
    assert fields["hand"].split() == sorted(PLAIN[3], key=CARDS.index)
    assert fields["calls"] == ["0:0:re"]
    assert fields["phase"] == "card"
    assert not any(word in json.dumps(fields) for word in ("asked", "pass", "ply", "kontra"))


def rotated(fields: dict[str, Any], turn: int) -> dict[str, Any]:
    """The same view at a table turned by ``turn`` seats."""
    calls = [call.split(":") for call in fields["calls"]]
    return fields | {
        "observer": (fields["observer"] + turn) % 4,
        "start": (fields["start"] + turn) % 4,
        "reservations": [fields["reservations"][(seat - turn) % 4] for seat in range(4)],
        "calls": [f"{before}:{(int(seat) + turn) % 4}:{word}" for before, seat, word in calls],
    }


@pytest.mark.requirement("DK-23")
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_turning_the_table_turns_everything(turn: int) -> None:
    """Views and payoffs turn with the table; the numbers of the information state are the same for the same seat."""
    game = game_of()
    random = Random(turn)
    for _ in range(20):
        table = random_table(random, queens=0.3)
        turned_hands = [table.dealt[(seat - turn) % 4] for seat in range(4)]
        state = game.deal(hand_texts(table.dealt), start=table.start)
        turned = game.deal(hand_texts(turned_hands), start=(table.start + turn) % 4)
        while table.seat is not None:
            assert turned.player == (state.player + turn) % 4
            assert turned.legal() == state.legal()
            for seat in range(4):
                one, other = state.view(seat), turned.view((seat + turn) % 4)
                assert np.array_equal(one.tensor(), other.tensor())
                assert other.fields() == rotated(one.fields(), turn)
            name = random_name(table, random, 0.1)
            table.play(name)
            play(state, name)
            play(turned, name)
        assert [turned.returns()[(seat + turn) % 4] for seat in range(4)] == state.returns()
