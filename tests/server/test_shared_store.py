"""Two servers on one store: the first to write wins, and the other takes up the table as the store has it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine

import kiebitz as kb
from kiebitz.agents.random import RandomAgent
from kiebitz.server.bots import Bots, Threads
from kiebitz.server.storage import TableStore
from kiebitz.store.database import StoreError, locate
from tests.server.running import OPEN, QUICK, WAIT, Person, Running, eventually, running
from tests.store.test_store_postgres import Server, server, url  # noqa: F401 (fixtures)
from tests.store.test_store_postgres import pytestmark as needs_postgres

BOT = {"kind": "bot", "spec": "random"}


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=needs_postgres)])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Running, Running]]:
    """Two servers with the same store."""
    db = tmp_path / "t.db" if request.param == "sqlite" else request.getfixturevalue("url")
    patient = replace(QUICK, late_seconds=2 * WAIT)
    with running(db, patient) as one, running(db, patient) as other:
        yield one, other


def at(other: Running, person: Person) -> Person:
    """The same person at the other server."""
    return Person(other, person.table, person.seat, person.token)


def test_a_person_is_told_that_the_table_has_changed_and_goes_on(pair: tuple[Running, Running]) -> None:
    one, other = pair
    here = one.open("nim", BOT)
    there = at(other, here)
    with there.socket() as socket:
        old = socket.receive()["snapshot"]
        here.acted(0)
        new = here.until(lambda seen: seen["turn"] == 0)
        refused = there.act(0, old["version"])
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "stale_version")
        assert socket.until(new["version"])["history"] == new["history"]
    action = new["views"]["0"]["legal"][0]["action"]
    there.acted(action, new["version"])
    last = there.until(lambda seen: seen["turn"] == 0)
    assert here.act(action, new["version"]).status_code == 409
    assert here.look()["history"] == last["history"]


def test_a_new_connection_sees_what_happened_at_the_other_server(pair: tuple[Running, Running]) -> None:
    """Two persons at two servers: a fresh connection is enough to go on."""
    one, other = pair
    ada = one.open("connect_four", OPEN)
    grace = other.sit(ada.table, 1)
    with ada.socket() as socket:
        assert socket.receive()["snapshot"]["seats"][1]["name"] == "Grace"
    ada.acted("d")
    with grace.socket() as socket:
        assert socket.receive()["snapshot"]["turn"] == 1
    grace.acted("d")


def test_plain_requests_are_up_to_date_as_well(pair: tuple[Running, Running]) -> None:
    """Without a socket: a stale copy of the table is not a reason to refuse, and a token is valid everywhere."""
    one, other = pair
    ada = one.open("connect_four", OPEN)
    spectator = other.spectator(ada.table)
    assert spectator.look()["seats"][1]["name"] == ""
    grace = at(other, one.sit(ada.table, 1))
    version = ada.acted("d")["version"]
    assert grace.act("d", version).status_code == 200
    assert ada.look()["turn"] == 0
    wrong = ada.act("d", version)
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (409, "stale_version")


THINKER = {"kind": "bot", "spec": "uct(iterations=10)"}
"""A bot that thinks in a thread: one that does not search answers at once."""


class Gates:
    """Lets the bots of a server make one move for each release, and counts what they were asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._servers: dict[int, tuple[list[int], threading.Semaphore]] = {}
        gates = self

        def agent(self: Bots, seat: int, spec: str, seed: int) -> kb.Agent:
            asked, gate = gates._of(self.threads)

            class Gated(RandomAgent):
                def move(self, view: kb.View) -> int:
                    asked.append(seat)
                    assert gate.acquire(timeout=WAIT)
                    return super().move(view)

            return Gated(self.game, Gated.Options(), seed)

        monkeypatch.setattr(Bots, "_agent", agent)

    def _of(self, threads: Threads) -> tuple[list[int], threading.Semaphore]:
        return self._servers.setdefault(id(threads), ([], threading.Semaphore(0)))

    def asked(self, at: Running) -> int:
        return len(self._of(at.hub.bots)[0])

    def release(self, at: Running, moves: int) -> None:
        self._of(at.hub.bots)[1].release(moves)


@pytest.fixture
def gates(monkeypatch: pytest.MonkeyPatch) -> Gates:
    return Gates(monkeypatch)


def test_bots_of_both_servers_play_the_same_game(pair: tuple[Running, Running], gates: Gates) -> None:
    """Both think about the same move: it is made once, and both go on to the end of the game."""
    one, other = pair
    owner = one.open("nim", THINKER, THINKER, me=False)
    spectator = other.spectator(owner.table)
    spectator.look()
    eventually(lambda: gates.asked(one) == gates.asked(other) == 1)
    gates.release(one, 100)
    gates.release(other, 100)
    here, there = (person.until(lambda seen: seen["over"] is not None) for person in (owner, spectator))
    assert here["history"] == there["history"]
    assert here["version"] == there["version"] == len(here["history"]) + 1
    assert owner.get("/games/1/record").status_code == 200


def test_a_bot_thinks_again_where_the_table_is_further(pair: tuple[Running, Running], gates: Gates) -> None:
    """It is its turn there as well, but not in the position that it has thought about."""
    one, other = pair
    ada = one.open("connect_four", THINKER)
    ada.acted("d")
    other.spectator(ada.table).look()
    eventually(lambda: gates.asked(other) == 1)
    gates.release(one, 1)
    ada.until(lambda seen: seen["turn"] == 0)
    ada.acted("d")
    gates.release(other, 2)
    other.spectator(ada.table).until(lambda seen: len(seen["history"]) == 4)
    assert gates.asked(other) == 2
    gates.release(one, 100)


def after_a_game(where: Running) -> tuple[Person, Person]:
    """Two persons whose first game of Kuhn poker is over."""
    ada = where.open("kuhn", OPEN, games=None)
    grace = where.sit(ada.table, 1)
    while ada.look()["over"] is None:
        for person in (ada, grace):
            person.act("bet")
    return ada, grace


def test_seats_that_changed_at_the_other_server_stay_changed(pair: tuple[Running, Running]) -> None:
    """Somebody gets up after the game; who begins the next one elsewhere does not bring the seat back."""
    one, other = pair
    ada, grace = after_a_game(one)
    there = at(other, grace)
    assert there.look()["over"] is not None
    assert ada.delete("/seats/0").status_code == 204
    assert there.post("/next").status_code == 200
    assert there.look()["seats"][0]["kind"] == "bot"
    assert at(other, ada).get().status_code == 403
    assert there.look()["number"] == 2


def test_getting_up_counts_in_the_game_that_runs(pair: tuple[Running, Running]) -> None:
    """Somebody gets up at one server when the next game has begun at the other: it counts in that game."""
    one, other = pair
    ada, grace = after_a_game(one)
    there = at(other, grace)
    assert there.look()["number"] == 1
    assert ada.post("/next").status_code == 200
    assert there.delete("/seats/1").status_code == 204
    assert there.get().status_code == 403
    assert other.spectator(ada.table).look()["number"] == 2
    ada.act(0, ada.look()["version"])
    assert at(one, grace).get().status_code == 403


def test_a_call_round_that_was_over_elsewhere_holds_up_nobody(pair: tuple[Running, Running]) -> None:
    one, other = pair
    people = [one.open("doppelkopf", OPEN, OPEN, OPEN)]
    people += [one.sit(people[0].table, seat) for seat in (1, 2, 3)]
    for _ in range(4):
        people[people[0].look()["turn"]].acted("healthy")
    there = [at(other, person) for person in people]
    call = there[0].look()
    assert call["phase"] == "call"
    people[0].acted("pass", call["version"])
    there[1].acted("pass", call["version"])  # the version is the same: answers are hidden
    for seat in (2, 3):
        there[seat].acted("pass", call["version"])
    card = there[0].until(lambda seen: seen["phase"] == "card")
    assert people[1].act("pass", call["version"]).json()["error"]["code"] == "stale_version"
    assert people[0].look()["version"] == card["version"]
    mover = people[card["turn"]]
    mover.acted(mover.look()["views"][str(mover.seat)]["legal"][0]["action"])
    for person in people:
        person.acted("pass")
    people[0].until(lambda seen: seen["phase"] == "card")


def test_a_change_whose_answer_was_lost_is_found_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store has kept it but could not say so."""
    usual = TableStore.together
    lost = iter([True])

    def together(self: TableStore, works: Sequence[Callable[[TableStore], None]]) -> list[Exception | None]:
        done = usual(self, works)
        return [StoreError("the connection is gone")] * len(works) if next(lost, False) else done

    with running(tmp_path / "t.db") as one:
        ada = one.open("nim", OPEN)
        monkeypatch.setattr(TableStore, "together", together)
        before = ada.look()
        assert ada.act(0, before["version"]).json()["error"]["code"] == "store"
        assert ada.act(0, before["version"]).json()["error"]["code"] == "stale_version"
        assert len(ada.look()["history"]) == 1


@needs_postgres
def test_a_database_that_was_started_anew_is_written_to_as_before(url: str) -> None:  # noqa: F811 (a fixture)
    with running(url) as one:
        ada = one.open("nim", OPEN)
        ada.acted(0)
        with create_engine(locate(url)[0]).connect() as connection:
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid != pg_backend_pid()"
            assert connection.exec_driver_sql(f"{others} AND datname = current_database()").all()
        assert len(one.sit(ada.table, 1).acted(1)["history"]) == 2
