"""Bots and analyses run beside the tables: bounded, cancelled, paced, and nobody waits for a slow one."""

from __future__ import annotations

import asyncio
import socket
import threading
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

import kiebitz as kb
from kiebitz import StopToken
from kiebitz.agents.random import RandomAgent
from kiebitz.server.bots import Bots, Threads
from kiebitz.server.kibitz import kibitz
from kiebitz.server.live import Live
from tests.server.running import BOT, OPEN, QUICK, WAIT, Person, Running, eventually, running, usual, whose


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
    """`Agent.stop` cuts a search short, and it still answers with a legal action."""
    rules = kb.game(game)
    state = rules.new(seed=1)
    for _ in range(4 if game == "doppelkopf" else 0):
        state.apply(state.parse("healthy"))
    while state.legal()[0] >= 33:
        state.apply(38)
    agent = kb.agent(spec, rules)
    agent.stop = StopToken()
    threading.Timer(0.2, agent.stop.request).start()
    assert agent.act(state.view(state.player)) in state.legal()  # otherwise minutes pass, or hours
    assert agent == kb.agent(spec, rules)  # the stop token is not part of its identity


class Slow(RandomAgent):
    """Thinks until it is told to stop."""

    def move(self, view: kb.View) -> int:
        stop = self.stop
        assert stop is not None
        eventually(lambda: stop.requested)
        return super().move(view)


class Failing(RandomAgent):
    def move(self, view: kb.View) -> int:
        raise ZeroDivisionError("inside")


class Illegal(RandomAgent):
    def move(self, view: kb.View) -> int:
        return 999_999


@pytest.fixture
def seated(monkeypatch: pytest.MonkeyPatch) -> dict[int, type[RandomAgent]]:
    """Lets the agents of these seats be of another kind; seats whose spec is that of `SPECIAL` only."""
    kinds: dict[int, type[RandomAgent]] = {}
    usual = Bots._agent

    def agent(self: Bots, view: kb.View, spec: str, seed: int) -> kb.Agent:
        if view.observer in kinds and spec == SPECIAL["spec"]:
            kind = kinds[view.observer]
            return kind(view.game, kind.Options(), seed)
        return usual(self, view, spec, seed)

    monkeypatch.setattr(Bots, "_agent", agent)
    return kinds


SPECIAL = bot("ismcts(iterations=7, memory_mb=1)")


@pytest.mark.parametrize("kind", [Failing, Illegal])
def test_a_bot_that_fails_costs_nobody_the_game(
    kind: type[RandomAgent], seated: dict[int, type[RandomAgent]], server: Running
) -> None:
    seated[1] = kind
    person = server.open("leduc", SPECIAL)
    seen = person.acted("bet")
    seen = person.until(lambda seen: seen["turn"] == 0 or seen["over"] is not None)
    assert {"seat": 1, "kind": "move", "text": {"en": "Bot 2 calls", "de": "Bot 2 geht mit"}} in seen["log"]
    notes = [entry for entry in seen["log"] if entry["kind"] == "note"]
    assert "the table moved" in notes[0]["text"]["en"]
    assert "inside" not in str(seen)


def test_a_late_bot_gets_the_default_action(seated: dict[int, type[RandomAgent]], tmp_path: Path) -> None:
    """The table moves for a bot that goes on thinking, while it does."""
    free = threading.Event()

    class Late(RandomAgent):
        def move(self, view: kb.View) -> int:
            assert free.wait(WAIT)
            return super().move(view)

    seated[1] = Late
    with running(tmp_path / "t.db", replace(QUICK, late_seconds=0.6)) as server:
        person = server.open("nim", SPECIAL)
        person.acted(0)
        seen = person.until(lambda seen: seen["turn"] == 0)
        free.set()
        assert [entry["kind"] for entry in seen["log"]] == ["move", "move", "note"]
        assert "slow" in seen["log"][-1]["text"]["en"]


def test_a_slow_bot_blocks_nobody_else(seated: dict[int, type[RandomAgent]], tmp_path: Path) -> None:
    """Tables whose bots think on and on, and a whole game beside them."""
    seated[0] = Slow
    patient = replace(QUICK, search_seconds=WAIT, late_seconds=2 * WAIT, threads=6)
    with running(tmp_path / "t.db", patient) as server:
        slow = [server.open("nim", SPECIAL, OPEN, me=False) for _ in range(6)]  # each has a thread, and none is left
        eventually(lambda: server.hub.bots.moves.waiting == 6)
        server.open("nim", BOT).play_on()
        assert all(table.look()["history"] == [] for table in slow)


def test_searches_end_sooner_while_others_wait(seated: dict[int, type[RandomAgent]], tmp_path: Path) -> None:
    """Bots that would search for ever, and more of them than threads: everybody has a turn."""
    seated[0] = Slow
    patient = replace(QUICK, search_seconds=WAIT, late_seconds=2 * WAIT, threads=2)
    with running(tmp_path / "t.db", patient) as server:
        tables = [server.open("nim", SPECIAL, OPEN, me=False) for _ in range(8)]
        eventually(lambda: sum(len(table.look()["history"]) for table in tables) >= 6)  # for two others nobody waits
        assert server.hub.bots.moves.waiting == 2


@pytest.mark.parametrize("kind", [RandomAgent, Slow])
def test_when_a_move_is_due_does_not_depend_on_how_long_it_took(
    kind: type[RandomAgent], seated: dict[int, type[RandomAgent]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a hidden game: an answer at once and one at the last moment may be shown at the same time."""
    monkeypatch.setattr("kiebitz.server.bots.MARGIN", 0.999)
    settings = replace(QUICK, db=tmp_path / "t.db", think_seconds=2 * WAIT, late_seconds=2 * WAIT)
    state = kb.game("kuhn").new(seed=1)
    view = state.view(state.player)
    seated[state.player] = kind

    async def ask() -> None:
        bots = Bots(state.game, Threads(settings), settings)
        thought = await bots.move(view, SPECIAL["spec"], 1)
        bots.threads.close()
        assert thought.action in view.legal()
        assert round(thought.due - bots.asked) == 2 * WAIT

    asyncio.run(ask())


Shown = list[tuple[float, dict[str, Any]]]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """When tables showed something, by the server's own clock, and what spectators saw then."""
    times: Shown = []
    usual = Live.show

    def show(self: Live) -> None:
        times.append((asyncio.get_running_loop().time(), self.table.snapshot(None, [])))
        usual(self)

    monkeypatch.setattr(Live, "show", show)
    return times


def watched(server: Running, game: dict[str, Any], seats: list[dict[str, Any]], pace_ms: int) -> None:
    """Lets bots play a whole game."""
    body = {"game": game, "seats": seats, "options": {"pace_ms": pace_ms}}
    table = server.http.post("/api/tables", json=body).json()["table"]
    server.spectator(table).until(lambda seen: seen["over"] is not None)


CLOCK = 0.001
"""What clocks may differ by."""


def test_bots_keep_the_pace_and_forced_moves_too(shown: Shown, tmp_path: Path) -> None:
    """Two bots play Nim with heaps of one: every move is forced, and each is shown 80 ms after the one before."""
    with running(tmp_path / "t.db") as server:
        heaps = {"name": "nim", "params": {"heaps": [1, 1, 1, 1]}}
        watched(server, heaps, [bot("random"), bot("nim_perfect")], pace_ms=80)
    assert len(shown) == 4
    assert all(after - before >= 0.08 - CLOCK for (before, _), (after, _) in pairwise(shown))


def test_a_hidden_game_takes_the_same_time_for_a_forced_card(shown: Shown, tmp_path: Path) -> None:
    """The last cards of Doppelkopf are forced: a searching bot still takes its fixed time for each."""
    with running(tmp_path / "t.db", replace(QUICK, think_seconds=0.12)) as server:
        watched(server, {"name": "doppelkopf"}, [bot("best(iterations=5, worlds=2)"), *[BOT] * 3], pace_ms=0)
    times = []
    for (before, old), (after, new) in pairwise(shown):
        cards = [entry["seat"] for entry in new["log"][len(old["log"]) :] if entry["kind"] == "card"]
        times += [after - before] * (cards == [0])
    assert len(times) == 12
    assert min(times) >= 0.12 - CLOCK


def test_a_call_round_lasts_its_time_whatever_the_bots_say(shown: Shown, tmp_path: Path) -> None:
    seats = [bot("best(iterations=50, worlds=5)"), BOT, bot("rule_of_thumb"), bot("random")]
    with running(tmp_path / "t.db", replace(QUICK, call_seconds=0.15)) as server:
        watched(server, {"name": "doppelkopf"}, seats, pace_ms=0)
    rounds = [after - before for (before, seen), (after, _) in pairwise(shown) if seen["phase"] == "call"]
    assert len(rounds) >= 8
    assert min(rounds) >= 0.15 - CLOCK


def test_a_call_round_does_not_wait_for_a_bot_that_goes_on_thinking(
    seated: dict[int, type[RandomAgent]], tmp_path: Path
) -> None:
    """Nobody learns from a long round that a bot had something to think about: it ends while the bot still thinks."""
    thinks, free = threading.Event(), threading.Event()

    class Hesitant(RandomAgent):
        def move(self, view: kb.View) -> int:
            if view.fields()["phase"] == "call":
                thinks.set()
                assert free.wait(WAIT)
            return super().move(view)

    seated[1] = Hesitant
    with running(tmp_path / "t.db", replace(QUICK, call_seconds=2.0)) as server:
        person = server.open("doppelkopf", SPECIAL, BOT, BOT)
        person.until(lambda seen: seen["turn"] == 0)
        person.acted("healthy")
        seen = person.until(lambda seen: seen["phase"] == "call")
        assert thinks.wait(WAIT)
        person.acted("pass", seen["version"])
        person.until(lambda now: now["version"] > seen["version"])
        free.set()


def test_the_bots_of_a_call_round_are_asked_at_the_same_time(
    seated: dict[int, type[RandomAgent]], tmp_path: Path
) -> None:
    """Each of them thinks on until the other has begun, too: nobody's answer waits for that of another."""
    both, met = threading.Barrier(2), threading.Event()

    class Together(RandomAgent):
        def move(self, view: kb.View) -> int:
            if view.fields()["phase"] == "call" and not met.is_set():
                both.wait(WAIT)
                met.set()
            return super().move(view)

    seated[1] = seated[2] = Together
    with running(tmp_path / "t.db", replace(QUICK, call_seconds=WAIT / 2)) as server:
        person = server.open("doppelkopf", SPECIAL, SPECIAL, BOT)
        person.until(lambda seen: seen["turn"] == 0)
        person.acted("healthy")
        person.until(lambda seen: seen["phase"] == "call")
        assert met.wait(WAIT)


# --- Analyses ---------------------------------------------------------------------------------------------------------


def ask(person: Person, **body: Any) -> Any:
    return person.post("/analysis", body)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets deep analyses go on until they are stopped."""

    def analyse(view: kb.View, effort: str, stop: StopToken) -> dict[str, Any]:
        if effort == "deep":
            eventually(lambda: stop.requested)
        return kibitz(view, "quick", stop)

    monkeypatch.setattr("kiebitz.server.analysis_routes.kibitz", analyse)


def test_analysis_sees_the_view_of_its_seat_alone(server: Running) -> None:
    ada = server.open("leduc", OPEN)
    grace = server.sit(ada.table, 1)
    ada.want_kibitz()
    grace.want_kibitz()
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


def test_the_curve_counts_public_changes_of_the_game_and_so_does_the_answer(server: Running) -> None:
    ada = server.open("kuhn", OPEN, games=2)
    grace = server.sit(ada.table, 1)
    for game in (1, 2):
        people, plies = [ada, grace], []
        for person in people:
            person.want_kibitz()
        while (found := whose(people)) is not None:
            person, seen = found
            plies.append(ask(person).json()["ply"])
            person.acted(usual(person, seen), seen["version"])
        assert plies[0] == (3 if game == 1 else 2)  # both wanted to know, and grace sat down in the first
        assert plies == list(range(plies[0], plies[0] + len(plies)))
        assert sorted(point["ply"] for point in ada.get(f"/games/{game}/curve").json()) == plies
        if game == 1:
            assert ada.post("/next").status_code == 200


def test_at_a_fair_table_players_ask_nobody_until_the_game_is_over(server: Running) -> None:
    person = server.open("kuhn", BOT, fair=True)
    assert ask(person).json()["error"]["code"] == "fair_table"
    assert person.get("/beliefs").json()["error"]["code"] == "fair_table"
    person.play_on()
    assert person.get("/beliefs", seat=1).status_code == 200
    assert ask(person, seat=0).json()["error"]["code"] == "wrong_turn"


def test_a_spectator_who_sees_everything_may_ask_for_any_seat_and_see_the_curve(server: Running) -> None:
    person = server.open("kuhn", BOT, open=True)
    watcher = server.spectator(person.table)
    assert ask(watcher).json()["seat"] == 0
    assert ask(watcher, seat=1).json()["error"]["code"] == "wrong_turn"
    curve = watcher.get("/games/1/curve").json()
    assert [point["seat"] for point in curve] == [0]
    assert watcher.get("/games/2/curve").status_code == 404


@pytest.mark.usefixtures("endless")
def test_a_new_analysis_of_the_same_caller_ends_the_old_one(server: Running) -> None:
    person = server.open("oware", OPEN)
    answers: list[Any] = []
    first = threading.Thread(target=lambda: answers.append(ask(person, effort="deep")))
    first.start()
    eventually(lambda: server.hub.analyses.waiting > 0)
    quick = ask(person, effort="quick")
    first.join(WAIT)
    assert quick.status_code == 200
    assert answers[0].json()["error"]["code"] == "cancelled"


@pytest.mark.usefixtures("endless")
def test_an_analysis_ends_when_its_caller_goes(server: Running) -> None:
    person = server.open("oware", OPEN)
    address = f"http://{server.netloc}/api/tables/{person.table}/analysis"
    request = httpx.Request("POST", address, json={"effort": "deep"}, headers=person.headers)
    head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
    host, port = server.netloc.split(":")
    with socket.create_connection((host, int(port))) as caller:
        caller.sendall(f"POST {request.url.path} HTTP/1.1\r\n{head}\r\n".encode() + request.content)
        eventually(lambda: server.hub.analyses.waiting > 0)
    eventually(lambda: server.hub.analyses.waiting == 0)
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
    assert shown["seats"][0]["name"] == "Ada"
    assert len(shown["steps"]) == len(record["actions"]) + 1
    job = server.http.post(f"/api/records/{id}/review", json={"effort": "quick"}).json()["job"]
    eventually(lambda: server.http.get(f"/api/jobs/{job}").json()["state"] not in ("waiting", "running"))
    found = server.http.get(f"/api/jobs/{job}").json()
    assert (found["state"], found["progress"]) == ("done", 1.0)
    assert found["result"]["decisions"]
    stopped = server.http.post(f"/api/records/{id}/review", json={"effort": "deep"}).json()["job"]
    assert server.http.delete(f"/api/jobs/{stopped}").status_code == 204
    assert server.http.get(f"/api/jobs/{stopped}").json()["state"] in ("cancelled", "done")
