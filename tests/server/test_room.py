"""What a server keeps in memory: agents while they are asked, tables while somebody comes by, some for an address."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.server import live as live_module
from kiebitz.server.errors import TableError
from kiebitz.server.events import Options, Seat
from kiebitz.server.hub import Hub
from kiebitz.server.live import Live
from kiebitz.server.settings import Settings
from tests.server.running import BOT, OPEN, QUICK, WAIT, Person, Running, eventually, running

BOTS = [Seat("bot", "A", spec="alphabeta(depth=2)"), Seat("bot", "B", spec="uct(iterations=30)")]
PERSONS = [Seat("open", ""), Seat("open", "")]
NOW = Options(pace_ms=0)


def with_hub(settings: Settings, do: Callable[[Hub], Awaitable[None]]) -> None:
    """Runs something with a hub that deals the same cards every time."""

    async def whole() -> None:
        hub = Hub(settings, Random(1).getrandbits)
        async with asyncio.timeout(WAIT):
            await do(hub)
        await hub.close()

    asyncio.run(whole())


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return replace(QUICK, db=tmp_path / "t.db")


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.005)


# --- Agents -----------------------------------------------------------------------------------------------------------


def test_agents_leave_the_memory_when_a_game_ends(settings: Settings) -> None:
    async def play(hub: Hub) -> None:
        live = await hub.create(kb.game("tic_tac_toe"), NOW, BOTS, None)
        await until(lambda: bool(live.bots._agents))
        await until(lambda: live.table.over)
        await until(lambda: not live.bots._agents)

    with_hub(settings, play)


def test_agents_that_nobody_asked_for_a_while_leave_the_memory(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what they had goes back to the system."""
    given: list[bool] = []
    monkeypatch.setattr("kiebitz.server.hub.give_back", lambda: given.append(True))

    async def play(hub: Hub) -> None:
        live = await hub.create(kb.game("nim"), NOW, [PERSONS[0], BOTS[1]], None)
        await live.change(lambda table: table.sit(0, "Ada", "secret"))
        await live.change(lambda table: table.act(0, 0, table.version))
        await until(lambda: live.table.turn == 0)
        await hub.sweep()
        assert live.bots._agents
        assert not given
        live.bots.asked = -math.inf
        await hub.sweep()
        await hub.sweep()
        assert not live.bots._agents
        assert given == [True]
        await live.change(lambda table: table.act(0, table.state.legal()[0], table.version))
        await until(lambda: live.table.turn == 0)

    with_hub(settings, play)


# --- Tables that were left --------------------------------------------------------------------------------------------


async def further(live: Live) -> None:
    """Waits for another action; bots may have played the game to its end in the meantime."""
    before = len(live.table.history)
    await until(lambda: len(live.table.history) > before or live.table.over)


def history(settings: Settings, leaves: int) -> list[str]:
    """A game of two bots; ``times`` times everybody leaves, and the table is taken up again from the store."""
    found: list[str] = []

    async def play(hub: Hub) -> None:
        live = await hub.create(kb.game("connect_four"), NOW, BOTS, None)
        for _ in range(leaves):
            await further(live)
            live.used = -math.inf
            await hub.sweep()
            assert not hub.lives
            live = await hub.live(live.table.id)
        await until(lambda: live.table.over)
        found.extend(live.table.history)

    with_hub(settings, play)
    return found


def test_a_game_goes_on_the_same_after_everybody_was_away(tmp_path: Path) -> None:
    """Agents and tables are built again from the store, with the same specs and seeds."""
    whole = history(replace(QUICK, db=tmp_path / "one.db"), 0)
    assert whole == history(replace(QUICK, db=tmp_path / "two.db"), 3)
    assert len(whole) > 7


def test_bots_wait_when_nobody_looks_and_go_on_when_somebody_does(settings: Settings) -> None:
    async def play(hub: Hub) -> None:
        live = await hub.create(kb.game("nim"), NOW, BOTS, None)
        live.used = -math.inf
        asked = live.bots.asked
        for _ in range(20):
            await hub.read(lambda _: None)
        assert live.bots.asked == asked
        assert not live.table.history
        live.text(None)
        await until(lambda: live.table.over)

    with_hub(settings, play)


def test_tables_that_nobody_ever_looked_at_leave_early_and_others_in_time(settings: Settings) -> None:
    async def leave(hub: Hub) -> None:
        fresh, looked, watched = [await hub.create(kb.game("nim"), NOW, PERSONS, None) for _ in range(3)]
        for live in (looked, watched):
            live.text(None)

        class Watcher:
            seat: int | None = None
            proof: str | None = None

            def show(self, text: str) -> None:
                del text

        watched.join(Watcher())
        now = asyncio.get_running_loop().time()
        for live, left in ((fresh, {looked, watched}), (looked, {watched}), (watched, {watched})):
            await hub.sweep()
            assert live in hub.lives.values()
            live.used = now - (settings.idle_seconds if live is looked else settings.rest_seconds) - 1
            await hub.sweep()
            assert set(hub.lives.values()) == left

    with_hub(settings, leave)


# --- Room -------------------------------------------------------------------------------------------------------------


def opened_by(hub: Hub, address: str) -> list[str]:
    return [id for id, live in hub.lives.items() if live.opener == address]


def test_tables_of_one_address_push_out_each_other_and_nobody_else(settings: Settings) -> None:
    async def fill(hub: Hub) -> None:
        others = [await hub.create(kb.game("nim"), NOW, PERSONS, None, "other") for _ in range(2)]
        mine = [await hub.create(kb.game("nim"), NOW, PERSONS, None, "mine") for _ in range(3)]
        mine[0].text(None)
        more = await hub.create(kb.game("nim"), NOW, PERSONS, None, "mine")
        assert set(opened_by(hub, "mine")) == {mine[0].table.id, mine[2].table.id, more.table.id}
        assert opened_by(hub, "other") == [live.table.id for live in others]
        assert (await hub.live(mine[1].table.id)).table.version == 1  # the store has it

    with_hub(replace(settings, tables=6, tables_per_address=3), fill)


def test_new_tables_are_refused_where_somebody_looks_at_all(tmp_path: Path) -> None:
    with running(tmp_path / "t.db", replace(QUICK, tables_per_address=2)) as server:
        people = [server.open("nim", OPEN) for _ in range(2)]
        with people[0].socket() as one, people[1].socket() as two:
            one.receive()
            two.receive()
            body = {"game": {"name": "nim"}, "seats": [BOT, BOT]}
            refused = server.http.post("/api/tables", json=body)
            assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_many_tables")
        eventually(lambda: not any(live.watchers for live in server.hub.lives.values()))
        assert server.http.post("/api/tables", json=body).status_code == 201


def test_a_table_that_somebody_just_looked_at_makes_no_room(settings: Settings) -> None:
    """He may be about to act there, or to open a socket."""

    async def play(hub: Hub) -> None:
        looked = await hub.create(kb.game("nim"), NOW, PERSONS, None)
        other = await hub.create(kb.game("nim"), NOW, PERSONS, None)
        del hub.lives[looked.table.id]
        await looked.close()
        looked = await hub.live(looked.table.id)  # which is older in memory than nobody's table, but was looked at
        await hub.create(kb.game("nim"), NOW, PERSONS, None)
        assert looked.table.id in hub.lives
        assert other.table.id not in hub.lives
        for live in hub.lives.values():
            live.touch()
        with pytest.raises(TableError, match="too many tables"):
            await hub.create(kb.game("nim"), NOW, PERSONS, None)
        assert looked.table.id in hub.lives

    with_hub(replace(settings, tables=2, hold_seconds=1000.0), play)


def test_a_running_game_is_found_however_full_the_server_is(tmp_path: Path) -> None:
    """Somebody else's tables fill the memory, watched or not: a player who comes back with a token plays on."""
    with running(tmp_path / "t.db") as server:
        ada = server.open("nim", OPEN)
    with running(tmp_path / "t.db", replace(QUICK, tables=2)) as server:
        ada = Person(server, ada.table, ada.seat, ada.token)
        for _ in range(4):
            server.open("nim", OPEN)
        ada.acted(0)
        others = [server.open("nim", OPEN) for _ in range(2)]
        with others[0].socket() as one, others[1].socket() as two:
            one.receive()
            two.receive()
            assert len(ada.look()["history"]) == 1


# --- Texts ------------------------------------------------------------------------------------------------------------


def test_a_secret_answer_costs_nobody_else_a_new_text(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that asks again and again cannot tell from the time it takes that somebody has answered."""
    people = [server.open("doppelkopf", OPEN, OPEN, OPEN)]
    people += [server.sit(people[0].table, seat) for seat in (1, 2, 3)]
    for _ in range(4):
        people[people[0].look()["turn"]].acted("healthy")
    everybody = [*people, server.spectator(people[0].table)]
    before = [person.look() for person in everybody]
    written: list[Any] = []
    usual = live_module.to_json

    def to_json(data: dict[str, Any]) -> str:
        written.append(data["you"])
        return usual(data)

    monkeypatch.setattr(live_module, "to_json", to_json)
    assert people[2].acted("pass", before[0]["version"])["prompt"] is None
    after = [person.look() for person in everybody]
    assert written == [2]
    assert [seen for i, seen in enumerate(after) if i != 2] == [seen for i, seen in enumerate(before) if i != 2]
    assert after[2]["prompt"] is None
