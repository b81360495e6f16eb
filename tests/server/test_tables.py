"""The table itself, without a server: whole games, versions, roles, and building it again from its events."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command

import kiebitz as kb
from kiebitz import records
from kiebitz.arena.migrations import configuration
from kiebitz.arena.store import Store
from kiebitz.arena.store_schema import VERSION
from kiebitz.server.live import finish_of
from kiebitz.server.public import playable_games
from kiebitz.server.storage import TableStore
from kiebitz.server.table import Event, Options, Seat, Table, digest
from tests.arena.test_store_postgres import Server, server, url  # noqa: F401 (fixtures)
from tests.arena.test_store_postgres import pytestmark as needs_postgres

PUBLIC: dict[str, set[str]] = {
    "doppelkopf": {
        "start", "contract", "declarer", "partner", "alone", "piglets", "trumps", "turn", "led", "trick", "leader",
        "last", "tricks_taken", "eyes", "calls", "reservations", "sizes", "parties",
    },
    "oware": {"pits", "captured", "turn", "ended"},
    "leduc": {"public", "betting", "pot", "shown"},
    "kuhn": {"betting", "pot", "shown"},
    "liars_dice": {"bids", "called", "counts", "shown"},
    "connect_four": {"board"},
    "tic_tac_toe": {"board"},
    "nim": {"heaps"},
}  # fmt: skip


def table_of(game: str, kinds: str = "", **options: Any) -> Table:
    rules = kb.game(game)
    kinds = kinds or "p" * rules.info.players
    seats = [
        Seat("person", f"P{i}", token=digest(str(i))) if kind == "p" else Seat("bot", f"B{i}", spec="random")
        for i, kind in enumerate(kinds)
    ]
    return Table("t", rules, Options(**options), seats, secret=5)


def step(table: Table, random: Random) -> Event:
    """Some change that is possible now."""
    if table.calls is None:
        seat = table.turn
        assert seat is not None
        return table.act(seat, random.choice(table.state.view(seat).legal()), table.version)
    asked = table.asked()
    if not asked:
        bots = dict.fromkeys(table.calling_bots(), 38)
        return table.resolve(bots)
    seat = random.choice(asked)
    view = table.decision_view(seat)
    return table.act(seat, "pass" if view is None else random.choice(view.legal()), table.version)


@pytest.mark.parametrize("game", playable_games())
def test_whole_games_show_what_is_listed_and_nothing_else(game: str) -> None:
    random = Random(1)
    for number in range(6):
        table = table_of(game)
        table.begin(1, number)
        while not table.over:
            spectator = table.snapshot(None)
            assert spectator["public"].keys() == PUBLIC[game]
            assert (spectator["views"], spectator["prompt"], spectator["over"]) == ({}, None, None)
            for seat in range(len(table.seats)):
                mine = table.snapshot(seat)
                assert list(mine["views"]) == [str(seat)]
                assert mine["public"] == spectator["public"]
                assert mine["views"][str(seat)].keys() == {"fields", "outline", "legal"}
                legal = [each["action"] for each in mine["views"][str(seat)]["legal"]]
                if table.turn == seat:
                    assert legal == table.state.legal()
                json.dumps(mine, allow_nan=False)
            hidden = table.game.info.hidden
            assert (spectator["history"] == []) if hidden else (len(table.history) == len(table.state.history))
            table.apply(step(table, random))
        end = table.snapshot(0)
        assert end["phase"] == "over"
        assert end["over"]["seed"] == number
        assert len(end["views"]) == len(table.seats)
        assert end["over"]["returns"] == end["score"]["totals"]
        assert end["log"][-1]["kind"] == "result"
        record = table.record(table.state)
        assert records.replay(record).returns() == end["over"]["returns"]


def test_the_version_counts_public_changes_only() -> None:
    """Reservations, cards, calls and the ends of rounds count; answers do not, whoever gives them."""
    random = Random(2)
    table = table_of("doppelkopf")
    table.begin(1, 3)
    while not table.over:
        before = table.version, table.snapshot(None)
        event = step(table, random)
        table.apply(event)
        changed = table.version - before[0]
        assert changed == (0 if event.kind == "answer" else 1)
        if not changed:
            assert table.snapshot(None) == before[1]


@pytest.mark.parametrize("game", ["doppelkopf", "leduc", "oware"])
def test_a_table_is_built_again_from_its_store_after_every_event(game: str) -> None:
    random = Random(4)
    with Store.open("sqlite://") as store:
        keeper = TableStore(store)
        table = table_of(game, games=2)
        keeper.create(table, 11)
        table.begin(1, 11)
        for number in (1, 2):
            events = 0
            while not table.over:
                event = step(table, random)
                keeper.add("t", number, events, event, finish_of(table, event))
                table.apply(event)
                events += 1
                if events % 5 == 0 or table.over:
                    found = keeper.load("t")
                    assert found is not None
                    again, count = found
                    assert count == events
                    for seat in (None, *range(len(table.seats))):
                        assert again.snapshot(seat) == table.snapshot(seat)
            if number == 1:
                keeper.begin(table, 2, 12)
                table.begin(2, 12)
        assert len(table.scores) == 2
        assert keeper.record("t", 2) is not None


def test_a_series_of_doppelkopf_lets_the_start_go_round() -> None:
    table = table_of("doppelkopf", games=4)
    starts = []
    for number in range(1, 5):
        table.begin(number, number)
        starts.append(table.snapshot(None)["public"]["start"])
    assert starts == [0, 1, 2, 3]


def test_seeds_of_bots_tell_nothing_of_the_deal() -> None:
    one, other = table_of("doppelkopf"), table_of("doppelkopf")
    one.begin(1, 1)
    other.begin(1, 2)
    assert [one.bot_seed(seat) for seat in range(4)] == [other.bot_seed(seat) for seat in range(4)]


# --- The store --------------------------------------------------------------------------------------------------------


def test_a_store_of_the_version_before_is_migrated(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config = configuration()
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
    with Store.open(path) as store:
        assert TableStore(store).recent(5) == []
        names = sa.inspect(store.engine).get_table_names()
        assert {"tables", "table_games", "table_events", "shared_records", "runs", "games"} <= set(names)
    assert VERSION == "0002"


@needs_postgres
def test_tables_live_in_postgresql_as_well(url: str) -> None:  # noqa: F811
    from tests.server.running import OPEN, Person, running

    with running(url) as first:
        ada = first.open("doppelkopf", OPEN, OPEN, OPEN)
        people = [ada, *(first.sit(ada.table, seat) for seat in (1, 2, 3))]
        for _ in range(4):
            people[ada.look()["turn"]].acted("healthy")
        people[2].acted("pass")
        before = [person.look() for person in people]
        shared = first.http.post("/api/records", json={"schema": 1, "game": {"name": "nim"}, "actions": []}).json()
    with running(url) as second:
        people = [Person(second, person.table, person.seat, person.token) for person in people]
        assert [person.look() for person in people] == before
        assert second.http.get(f"/api/records/{shared['record']}").status_code == 200
