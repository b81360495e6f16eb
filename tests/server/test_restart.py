"""A restart in the middle of a game loses nothing, on every game and with answers under way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

import kiebitz as kb
from kiebitz.server.catalogue import offered
from tests.server.running import BOT, OPEN, QUICK, WAIT, Person, Running, eventually, running, usual, whose


def without_presence(snapshot: dict[str, Any]) -> dict[str, Any]:
    return {**snapshot, "seats": [{**seat, "connected": None} for seat in snapshot["seats"]]}


def again(person: Person, server: Running) -> Person:
    return Person(server, person.table, person.seat, person.token)


@pytest.mark.parametrize("game", offered())
def test_every_game_goes_on_where_it_was(game: str, tmp_path: Path) -> None:
    with running(tmp_path / "t.db") as server:
        players = kb.game(game).info.players
        first = server.open(game, *[OPEN] * (players - 1), games=None)
        people = [first, *(server.sit(first.table, seat) for seat in range(1, players))]
        for _ in range(3 if game == "kuhn" else 9):
            found = whose(people)
            if found is None:
                first.post("/next")
            else:
                found[0].acted(found[1]["views"][str(found[0].seat)]["legal"][-1]["action"])
        whose(people)
        before = [without_presence(person.look()) for person in people]
        watching = server.spectator(first.table).look()
    with running(tmp_path / "t.db") as server:
        people = [again(person, server) for person in people]
        assert [without_presence(person.look()) for person in people] == before
        assert without_presence(server.spectator(first.table).look()) == without_presence(watching)
        assert first.table in [each["table"] for each in server.http.get("/api/tables").json()]
        found = whose(people)
        if found is not None:
            found[0].acted(usual(*found))


def test_hidden_answers_of_a_call_round_survive(tmp_path: Path) -> None:
    with running(tmp_path / "t.db") as server:
        first = server.open("doppelkopf", OPEN, OPEN, OPEN)
        people = [first, *(server.sit(first.table, seat) for seat in (1, 2, 3))]
        for _ in range(4):
            people[first.look()["turn"]].acted("healthy")
        people[1].acted("pass")
        version = first.look()["version"]
    with running(tmp_path / "t.db") as server:
        people = [again(person, server) for person in people]
        assert people[1].look()["prompt"] is None
        assert people[0].look()["version"] == version
        for seat in (0, 2, 3):
            assert people[seat].look()["phase"] == "call"
            people[seat].acted("pass")
        people[0].until(lambda seen: seen["phase"] == "card")


def test_bots_play_on_after_a_restart_and_the_series_keeps_its_score(tmp_path: Path) -> None:
    with running(tmp_path / "t.db") as server:
        person = server.open("leduc", BOT, games=3)
        person.play_on()
        person.post("/next")
        middle = person.look()
        assert middle["number"] == 2
    with running(tmp_path / "t.db") as server:
        person = again(person, server)
        assert person.look()["score"]["games"] == middle["score"]["games"]
        end = person.play_on()
        assert len(end["score"]["games"]) == 2
        record = person.get("/games/1/record").json()
        assert record["returns"] == end["score"]["games"][0]
        assert person.get("/games/2/record").status_code == 200


def test_a_table_of_bots_alone_ends_its_game_and_waits_for_its_owner(tmp_path: Path) -> None:
    with running(tmp_path / "t.db", QUICK) as server:
        owner = server.open("nim", BOT, BOT, me=False, games=2)
        owner.until(lambda seen: seen["over"] is not None)
        assert server.spectator(owner.table).post("/next").status_code == 401
    with running(tmp_path / "t.db", QUICK) as server:
        owner = again(owner, server)
        assert owner.post("/next").status_code == 200
        end = owner.until(lambda seen: seen["over"] is not None and seen["number"] == 2)
        assert len(end["score"]["games"]) == 2
        assert owner.post("/next").json()["error"]["code"] == "series_over"


def test_two_browsers_stay_in_step_after_one_was_away(tmp_path: Path) -> None:
    """One socket is lost for a while; on its return the first message has everything."""
    with running(tmp_path / "t.db") as server:
        ada = server.open("connect_four", OPEN)
        grace = server.sit(ada.table, 1)
        with ada.socket() as watching:
            away = grace.socket()
            away.receive()
            away.close()
            ada.until(lambda seen: not seen["seats"][1]["connected"])
            for i in range(6):
                (ada, grace)[i % 2].acted("d")
            with grace.socket() as back:
                version = ada.look()["version"]
                ours, theirs = watching.until(version), back.until(version)
                while not ours["seats"][1]["connected"]:
                    ours = watching.receive()["snapshot"]
                for key in ("version", "public", "history", "turn", "log", "seats"):
                    assert ours[key] == theirs[key]
                ada.acted("a")
                assert watching.until(version + 1)["public"] == back.until(version + 1)["public"]


def serving(folder: Path) -> tuple[subprocess.Popen[str], httpx.Client]:
    """A real `kiebitz serve` and a client of it."""
    command = [sys.executable, "-m", "kiebitz", "serve", "--no-open", "--port", "0", "--db", str(folder / "t.db")]
    env = {**os.environ, "PYTHONPATH": str(Path(kb.__file__).parents[1])}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    assert process.stdout is not None
    address = process.stdout.readline().split("//")[1].split("/")[0]
    return process, httpx.Client(transport=httpx.HTTPTransport(retries=8), base_url=f"http://{address}", timeout=WAIT)


def test_a_killed_server_has_kept_what_it_acknowledged(tmp_path: Path) -> None:
    process, http = serving(tmp_path)
    try:
        body = {"game": {"name": "oware"}, "seats": [{"kind": "person", "name": "Ada", "me": True}, OPEN]}
        made = http.post("/api/tables", json=body).json()
        headers = {"Authorization": f"Bearer {made['token']}"}
        table = f"/api/tables/{made['table']}"
        answer = http.post(f"{table}/actions", json={"version": 1, "action": "C"}, headers=headers)
        assert answer.status_code == 200
    finally:
        process.kill()
        process.wait(WAIT)
        http.close()
    process, http = serving(tmp_path)
    try:
        assert http.get(table, headers=headers).json() == answer.json()
    finally:
        process.terminate()
        process.wait(WAIT)
        http.close()


def test_tables_that_nobody_looks_at_do_not_move_after_a_restart(tmp_path: Path) -> None:
    body = {"game": {"name": "connect_four"}, "seats": [BOT, BOT], "options": {"pace_ms": 5000}}
    with running(tmp_path / "t.db") as server:
        tables = [server.http.post("/api/tables", json=body).json()["table"] for _ in range(2)]
    with running(tmp_path / "t.db") as server:
        eventually(lambda: set(server.hub.lives) == set(tables))
        server.spectator(tables[0]).look()
        looked, other = (server.hub.lives[table].bots for table in tables)
        eventually(lambda: looked.asked > 0)
        assert other.asked < 0
