"""Bots and analyses run beside the tables: bounded, cancelled, paced, and nobody waits for a slow one."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

import kiebitz as kb
from kiebitz import StopToken
from kiebitz.agents.random import RandomAgent
from kiebitz.server.bots import Bots
from tests.server.running import BOT, OPEN, QUICK, Person, Running, running


def bot(spec: str) -> dict[str, Any]:
    return {"kind": "bot", "spec": spec}


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        ("connect_four", "uct(iterations=100_000_000)"),
        ("connect_four", "alphabeta(nodes=1_000_000_000)"),
        ("connect_four", "minimax(depth=20)"),
        ("connect_four", "flat_mc(iterations=100_000_000)"),
        ("oware", "oware_master(nodes=1_000_000_000)"),
        ("doppelkopf", "pimc(uct(iterations=10_000_000), worlds=25)"),
        ("doppelkopf", "ismcts(iterations=100_000_000)"),
        ("doppelkopf", "best(iterations=1_000_000, worlds=40)"),
    ],
)
def test_every_searching_agent_can_be_stopped(game: str, spec: str) -> None:
    """`Agent.stop` cuts a search short: it answers with a legal action within a second or so."""
    rules = kb.game(game)
    state = rules.new(seed=1)
    for _ in range(4 if game == "doppelkopf" else 0):
        state.apply(state.parse("healthy"))
    while state.legal()[0] >= 33:
        state.apply(38)
    agent = kb.agent(spec, rules)
    agent.stop = StopToken()
    threading.Timer(0.2, agent.stop.request).start()
    begun = time.monotonic()
    assert agent.act(state.view(state.player)) in state.legal()
    assert time.monotonic() - begun < 5
    assert agent == kb.agent(spec, rules)  # stopping is no part of what an agent is


class Slow(RandomAgent):
    """Thinks until it is told to stop, and then for a while."""

    after = 0.0

    def move(self, view: kb.View) -> int:
        end = time.monotonic() + 30
        while not (self.stop and self.stop.requested) and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(self.after)
        return super().move(view)


class Failing(RandomAgent):
    def move(self, view: kb.View) -> int:
        raise ZeroDivisionError("inside")


class Illegal(RandomAgent):
    def move(self, view: kb.View) -> int:
        return 999_999


@pytest.fixture
def seated(monkeypatch: pytest.MonkeyPatch) -> dict[int, type[RandomAgent]]:
    """Lets the agents of these seats be of another kind; seats whose spec is random(calls=false) only."""
    kinds: dict[int, type[RandomAgent]] = {}
    usual = Bots._agent

    def agent(self: Bots, seat: int, spec: str, seed: int) -> kb.Agent:
        if seat in kinds and spec == "random(calls=false)":
            kind = kinds[seat]
            return kind(self.game, kind.Options(), seed)
        return usual(self, seat, spec, seed)

    monkeypatch.setattr(Bots, "_agent", agent)
    return kinds


SPECIAL = bot("random(calls=false)")


@pytest.mark.parametrize("kind", [Failing, Illegal])
def test_a_bot_that_fails_costs_nobody_the_game(
    kind: type[RandomAgent], seated: dict[int, type[RandomAgent]], server: Running
) -> None:
    seated[1] = kind
    person = server.open("leduc", SPECIAL)
    seen = person.acted("bet")
    seen = person.until(lambda seen: seen["turn"] == 0 or seen["over"] is not None)
    assert {"seat": 1, "kind": "move", "text": {"en": "call", "de": "geht mit"}} in seen["log"]
    notes = [entry for entry in seen["log"] if entry["kind"] == "note"]
    assert "the table moved" in notes[0]["text"]["en"]
    assert "inside" not in str(seen)


def test_a_late_bot_gets_the_default_action(seated: dict[int, type[RandomAgent]], tmp_path: Path) -> None:
    seated[1] = type("Late", (Slow,), {"after": 3.0})
    with running(tmp_path / "t.db", replace(QUICK, late_seconds=0.6)) as server:
        person = server.open("nim", SPECIAL)
        person.acted(0)
        begun = time.monotonic()
        seen = person.until(lambda seen: seen["turn"] == 0)
        assert time.monotonic() - begun < 2.5
        assert [entry["kind"] for entry in seen["log"]] == ["move", "move", "note"]
        assert "slow" in seen["log"][-1]["text"]["en"]


def test_a_slow_bot_is_stopped_and_blocks_nobody_else(seated: dict[int, type[RandomAgent]], tmp_path: Path) -> None:
    """Tables whose bots think for seconds, and a quick one beside them."""
    seated[0] = Slow
    with running(tmp_path / "t.db", replace(QUICK, late_seconds=8.0)) as server:
        slow = [server.open("nim", SPECIAL, OPEN, me=False) for _ in range(6)]
        person = server.open("nim", BOT)
        begun = time.monotonic()
        person.play_on()
        assert time.monotonic() - begun < 3
        assert all(table.look()["history"] == [] for table in slow)
        slow[0].until(lambda seen: len(seen["history"]) == 1)  # stopped after half of its time, and heard


def test_bots_keep_the_pace_and_forced_moves_too(tmp_path: Path) -> None:
    """Two bots play Nim with one heap of ones: every move is forced, and each is shown 80 ms after the one before."""
    with running(tmp_path / "t.db") as server:
        body = {
            "game": {"name": "nim", "params": {"heaps": [1, 1, 1, 1]}},
            "seats": [bot("random"), bot("nim_perfect")],
            "options": {"pace_ms": 80, "open": True},
        }
        table = server.http.post("/api/tables", json=body).json()["table"]
        with server.spectator(table).socket() as socket:
            times = []
            while True:
                snapshot = socket.receive()["snapshot"]
                times.append(time.monotonic())
                if snapshot["over"]:
                    break
        steps = [after - before for before, after in pairwise(times[1:])]
        assert steps
        assert all(step > 0.07 for step in steps)


def test_a_hidden_game_takes_the_same_time_for_a_forced_card(tmp_path: Path) -> None:
    """The last cards of Doppelkopf are forced: a searching bot still takes its fixed time for each."""
    settings = replace(QUICK, think_seconds=0.12)
    with running(tmp_path / "t.db", settings) as server:
        seats = [bot("best(iterations=5, worlds=2)"), *[BOT] * 3]
        body = {"game": {"name": "doppelkopf"}, "seats": seats, "options": {"pace_ms": 0}}
        table = server.http.post("/api/tables", json=body).json()["table"]
        with server.spectator(table).socket() as socket:
            last, played, times = 0.0, 0, []
            while True:
                snapshot = socket.receive()["snapshot"]
                now = time.monotonic()
                if snapshot["over"]:
                    break
                cards = [entry["seat"] for entry in snapshot["log"] if entry["kind"] == "card"]
                if len(cards) > played and cards[-1] == 0:
                    times.append(now - last)
                last, played = now, len(cards)
        assert len(times) >= 8
        assert min(times) > 0.1


def test_a_call_round_lasts_its_time_whatever_the_bots_say(tmp_path: Path) -> None:
    with running(tmp_path / "t.db", replace(QUICK, call_seconds=0.15)) as server:
        seats = [bot("best(iterations=50, worlds=5)"), BOT, bot("rule_of_thumb"), bot("random")]
        body = {"game": {"name": "doppelkopf"}, "seats": seats, "options": {"pace_ms": 0}}
        table = server.http.post("/api/tables", json=body).json()["table"]
        with server.spectator(table).socket() as socket:
            begun, times = 0.0, []
            for _ in range(24):
                snapshot = socket.receive()["snapshot"]
                if begun:
                    times.append(time.monotonic() - begun)
                begun = time.monotonic() if snapshot["phase"] == "call" else 0.0
        assert len(times) >= 5
        assert all(0.13 < seconds < 0.6 for seconds in times), times


# --- Analyses ---------------------------------------------------------------------------------------------------------


def ask(person: Person, **body: Any) -> Any:
    return person.post("/analysis", body)


def test_analysis_of_the_own_view_alone(server: Running) -> None:
    ada = server.open("leduc", OPEN)
    grace = server.sit(ada.table, 1)
    found = ask(ada).json()
    assert (found["seat"], found["version"]) == (0, ada.look()["version"])
    assert {each["name"] for each in found["actions"]} == {"check", "bet"}
    assert ask(ada, seat=1).json()["error"]["code"] == "not_shown"
    assert ask(grace).json()["error"]["code"] == "wrong_turn"
    assert ask(server.spectator(ada.table)).json()["error"]["code"] == "not_shown"
    assert ask(ada, version=10**6).json()["error"]["code"] == "stale_version"
    assert ask(ada, effort="endless").status_code == 422
    assert ada.get("/beliefs").json()["seat"] == 0
    assert ada.get("/beliefs", seat=1).status_code == 403
    assert server.spectator(ada.table).get("/beliefs", seat=0).status_code == 403
    assert ada.get("/games/1/curve").status_code == 403


def test_at_a_fair_table_players_ask_nobody_until_the_game_is_over(server: Running) -> None:
    person = server.open("kuhn", BOT, fair=True)
    assert ask(person).json()["error"]["code"] == "fair_table"
    assert person.get("/beliefs").json()["error"]["code"] == "fair_table"
    person.play_on()
    assert person.get("/beliefs", seat=1).status_code == 200
    assert ask(person, seat=0).json()["error"]["code"] == "wrong_turn"


def test_whoever_sees_all_may_ask_for_any_seat_and_see_the_curve(server: Running) -> None:
    person = server.open("kuhn", OPEN, open=True)
    watcher = server.spectator(person.table)
    assert ask(watcher).json()["seat"] == 0
    assert ask(watcher, seat=1).json()["error"]["code"] == "wrong_turn"
    curve = watcher.get("/games/1/curve").json()
    assert [point["seat"] for point in curve] == [0]
    assert watcher.get("/games/2/curve").status_code == 404


def test_a_new_analysis_of_the_same_caller_ends_the_old_one(server: Running) -> None:
    person = server.open("oware", OPEN)
    answers: list[Any] = []
    first = threading.Thread(target=lambda: answers.append(ask(person, effort="deep")))
    first.start()
    time.sleep(0.3)
    quick = ask(person, effort="quick")
    first.join(20)
    assert quick.status_code == 200
    assert answers[0].json()["error"]["code"] == "cancelled"


def test_an_analysis_ends_when_its_caller_goes(server: Running) -> None:
    person = server.open("oware", OPEN)
    with pytest.raises(httpx.ReadTimeout):
        server.http.post(
            f"/api/tables/{person.table}/analysis", json={"effort": "deep"}, headers=person.headers, timeout=0.3
        )
    end = time.monotonic() + 3
    while server.hub.analyses.waiting and time.monotonic() < end:
        time.sleep(0.05)
    assert server.hub.analyses.waiting == 0
    assert server.hub.lives[person.table].waiting == 0
    assert ask(person).status_code == 200


def test_a_game_is_shared_looked_at_and_reviewed(server: Running) -> None:
    """From the end of a game to its mistakes: record, link, steps, a review with progress, and one that is stopped."""
    person = server.open("tic_tac_toe", BOT)
    assert person.get("/games/1/record").status_code == 404
    end = person.play_on()
    record = person.get("/games/1/record").json()
    assert record["seed"] == end["over"]["seed"]
    id = person.post("/games/1/share").json()["record"]
    assert server.http.post("/api/records", json=record).status_code == 201
    shown = server.http.get(f"/api/records/{id}").json()
    assert shown["seats"][0] == "Ada"
    assert len(shown["steps"]) == len(record["actions"]) + 1
    job = server.http.post(f"/api/records/{id}/review", json={"effort": "quick"}).json()["job"]
    until = time.monotonic() + 20
    while (found := server.http.get(f"/api/jobs/{job}").json())["state"] in ("waiting", "running"):
        assert time.monotonic() < until
        time.sleep(0.05)
    assert (found["state"], found["progress"]) == ("done", 1.0)
    assert found["result"]["decisions"]
    stopped = server.http.post(f"/api/records/{id}/review", json={"effort": "deep"}).json()["job"]
    assert server.http.delete(f"/api/jobs/{stopped}").status_code == 204
    assert server.http.get(f"/api/jobs/{stopped}").json()["state"] in ("cancelled", "done")
