"""Thinking time: it runs for the player to move alone, by the clock of the server, and has an end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.server.clocks import Clock, milliseconds
from tests.server.running import OPEN, QUICK, Person, Running, running
from tests.server.test_control import RANDOM, rematch, resign, undo


class Time:
    """The clock of the server, which tests set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = milliseconds()
        for where in ("live", "hub"):
            monkeypatch.setattr(f"kiebitz.server.{where}.milliseconds", lambda: self.now)

    def passes(self, seconds: float) -> None:
        self.now += round(seconds * 1000)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


def left(person: Person) -> list[float | None]:
    """Seconds that everybody has."""
    return [None if each is None else each / 1000 for each in person.look()["clock"]["left"]]


def two(server: Running, **options: Any) -> tuple[Person, Person]:
    ada = server.open("connect_four", OPEN, clock_seconds=60, **options)
    return ada, server.sit(ada.table, 1)


def test_a_table_has_no_clock_unless_it_was_asked_for(server: Running) -> None:
    assert server.open("connect_four", OPEN).look()["clock"] is None
    body = {"game": {"name": "nim"}, "seats": [OPEN, OPEN], "options": {"clock_seconds": 1}}
    assert server.http.post("/api/tables", json=body).status_code == 422


def test_the_clock_of_the_player_to_move_runs(clock: Time, server: Running) -> None:
    ada = server.open("connect_four", OPEN, clock_seconds=60, increment_seconds=5)
    clock.passes(100)  # nobody is there to play against
    grace = server.sit(ada.table, 1)
    clock.passes(10)
    assert left(grace) == [50, 60]
    ada.acted("d")
    assert left(ada) == [55, 60]
    clock.passes(7)
    assert ada.look()["clock"] == {"left": [55_000, 53_000], "running": 1}
    undo(ada)
    undo(grace)
    assert left(ada) == [55, 53]  # what was thought of is not given back
    clock.passes(1)
    assert left(ada) == [54, 53]


def test_it_goes_on_after_a_restart_and_stands_while_no_server_is_there(clock: Time, tmp_path: Path) -> None:
    with running(tmp_path / "t.db") as server:
        ada, grace = two(server, games=2)
        ada.acted("d")
        clock.passes(20)
        grace.acted("d")
        clock.passes(8)
        with ada.socket() as socket:
            assert socket.receive()["snapshot"]["clock"]["left"] == [52_000, 40_000]  # a new connection knows
    clock.passes(1000)
    with running(tmp_path / "t.db") as server:
        again = Person(server, ada.table, 0, ada.token)
        assert left(again) == [60, 40]
        clock.passes(5)
        assert left(again) == [55, 40]
        resign(again)
        clock.passes(500)
        assert again.post("/next").json()["clock"] == {"left": [60_000, 60_000], "running": None}


def test_whose_time_is_up_loses_a_game_that_two_win_or_lose(clock: Time, tmp_path: Path) -> None:
    with running(tmp_path / "t.db") as server:
        ada, grace = two(server)
        ada.acted("d")
        clock.passes(60)
        assert grace.act("d").status_code == 409
        end = grace.look()
        assert end["over"]["words"]["en"][0] == "Grace ran out of time: Ada wins"
        assert end["log"][-1]["text"]["de"] == "Grace hat die Bedenkzeit überschritten"
        record = ada.get("/games/1/record").json()
        assert record["resigned"] == [[1, 1, "time"]]
        kb.records.replay(kb.records.from_json(record))
        clock.passes(500)
        rematch(ada)
        assert rematch(grace).json()["clock"]["left"] == [60_000, 60_000]


def test_nobody_has_to_ask_for_the_end_of_time(server: Running) -> None:
    """The server itself notices it; in a game for chips a bot plays on."""
    for game, over in (("connect_four", True), ("leduc", False)):
        ada = server.open(game, OPEN, clock_seconds=60)
        server.sit(ada.table, 1)
        table = server.hub.lives[ada.table].table
        assert table.clock is not None
        table.clock = Clock((60_000, 20), table.clock.since)
        ada.acted(0 if over else "call")
        seen = ada.until(lambda s: s["control"]["resigned"] == [1])
        assert (seen["over"] is not None) is over
        if not over:
            assert seen["log"][1]["text"]["en"] == "Grace has run out of time: a bot plays on"
            assert ada.until(lambda s: s["turn"] == 0 or s["over"] is not None)["clock"]["left"][1] is None


def test_a_pause_stops_the_clock_and_bots_have_none(clock: Time, server: Running) -> None:
    ada = server.open("connect_four", RANDOM, clock_seconds=60)
    ada.acted("d")  # the first action is free
    ada.until(lambda s: s["turn"] == 0)
    clock.passes(3)
    assert ada.post("/pace", {"paused": True}).json()["clock"] == {"left": [57_000, None], "running": None}
    clock.passes(1000)
    assert ada.post("/pace", {"paused": False}).json()["clock"] == {"left": [57_000, None], "running": 0}


def test_a_secret_round_does_not_wait_for_ever(tmp_path: Path) -> None:
    with running(tmp_path / "t.db", replace(QUICK, answer_seconds=0.05)) as server:
        ada = server.open("doppelkopf", RANDOM, RANDOM, RANDOM, clock_seconds=60)
        seen = ada.until(lambda s: s["turn"] == 0)
        ada.acted("healthy")
        seen = ada.until(lambda s: s["phase"] == "card")
        assert seen["control"]["resigned"] == []
