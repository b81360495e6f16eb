"""The 3,000 recorded games of the reference engine, turn by turn: seat, phase, legal actions, and all of the result."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from tests.games.doppelkopf.playing import hand_texts, phase_of
from tests.games.doppelkopf.referee import NUMBER, Referee

FILE = Path(__file__).parents[2] / "data" / "doppelkopf-games.jsonl.gz"
PARTS = 10
VIEW_PHASES = {"R": "reservation", "A": "call", "C": "card"}


@cache
def records() -> list[dict[str, Any]]:
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_the_file_is_complete() -> None:
    assert [record["game"] for record in records()] == list(range(3000))


@pytest.mark.parametrize("part", range(PARTS))
def test_every_recorded_game_is_reproduced_turn_by_turn(part: int) -> None:
    game = kb.game("doppelkopf", preset="thesis")
    for record in records()[part::PARTS]:
        where = record["game"]
        state = game.deal(hand_texts(record["hands"]), start=record["start"])
        for (seat, name, phase), legal in zip(record["actions"], record["legal"], strict=True):
            assert state.player == seat, where
            assert phase_of(state) == phase, where
            assert state.legal() == [NUMBER[word] for word in legal.split()], where
            assert state.parse(name) == NUMBER[name], where
            state.apply(NUMBER[name])
        assert state.player == kb.TERMINAL, where
        result = state.result()
        assert {field: result[field] for field in record["result"]} == record["result"], where
        assert state.returns() == record["result"]["points"], where
        assert sum(result["item_points_re"]) * (3 if result["solo_scoring"] else 1) == result["points_re"], where
        assert sorted(result["items"]) == sorted([*result["base"], *(result["special"] or {})]), where


def test_the_seat_to_move_sees_the_recorded_phase() -> None:
    game = kb.game("doppelkopf", preset="thesis")
    for record in records()[::30]:
        state = game.deal(hand_texts(record["hands"]), start=record["start"])
        for seat, name, phase in record["actions"]:
            view = state.view(seat)
            assert view.player == seat
            assert view.legal() == state.legal()
            assert view.fields()["phase"] == VIEW_PHASES[phase]
            state.apply(view.parse(name))


@pytest.mark.parametrize("part", range(PARTS))
def test_the_referee_of_the_other_tests_agrees_with_the_records(part: int) -> None:
    """What the engine is compared with elsewhere is itself right."""
    for record in records()[part::PARTS]:
        table = Referee(record["hands"], record["start"])
        for (seat, name, phase), legal in zip(record["actions"], record["legal"], strict=True):
            assert (table.seat, table.phase, " ".join(table.legal())) == (seat, phase, legal)
            table.play(name)
        assert table.result() == record["result"]
