"""All bots share one budget of memory: idle ones make room, and where there is none the others wait."""

from __future__ import annotations

import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import kiebitz as kb
from kiebitz.nets import shipped
from kiebitz.server import bots
from kiebitz.server.memory import Memory
from kiebitz.server.safety import offered_agents, safe_spec
from tests.server.running import QUICK, WAIT, Running, eventually, running

HOARDER = {"kind": "bot", "spec": "alphabeta(nodes=100, table_mb=16)"}


def held(server: Running) -> float:
    """Megabytes of the agents that tables hold."""
    lives = list(server.hub.lives.values())
    return sum(bot.megabytes for live in lives for _, _, bot in list(live.bots._agents.values()))


def test_many_tables_with_large_bots_stay_within_the_budget(tmp_path: Path) -> None:
    """Every bot answers, and plays on with the same strength after it was dropped."""
    with running(tmp_path / "t.db", replace(QUICK, bot_mb=64)) as server:
        people = [server.open("connect_four", HOARDER) for _ in range(10)]
        for moves in (2, 4):
            for person in people:
                person.acted("d")
            for person in people:
                assert len(person.until(lambda seen: seen["turn"] == 0)["history"]) == moves
        assert held(server) <= 64
        assert server.hub.bots.memory.used <= 64
        assert len({tuple(person.look()["history"]) for person in people}) == 1


def test_a_bot_waits_for_room_before_it_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: weakref.WeakSet[kb.Agent] = weakref.WeakSet()
    most = []

    def build(spec: str, game: kb.Game, seed: int = 0) -> kb.Agent:
        made = kb.agent(spec, game, seed)
        built.add(made)
        most.append(len(built))
        return made

    monkeypatch.setattr(bots, "agent", build)
    with running(tmp_path / "t.db", replace(QUICK, bot_mb=16)) as server:
        people = [server.open("connect_four", HOARDER) for _ in range(8)]
        for person in people:
            person.acted("d")
        for person in people:
            person.until(lambda seen: seen["turn"] == 0)
    assert max(most) == 1


def test_bots_that_rest_leave_their_room_to_others(tmp_path: Path) -> None:
    with running(tmp_path / "t.db", replace(QUICK, rest_seconds=0.0, sweep_seconds=0.01)) as server:
        person = server.open("connect_four", HOARDER)
        person.acted("d")
        person.until(lambda seen: seen["turn"] == 0)
        eventually(lambda: server.hub.bots.memory.used == 0)


def test_who_finds_no_room_waits_until_there_is_some() -> None:
    memory, free = Memory(100), threading.Event()

    def hold(name: str) -> None:
        with memory.room(name, 60, lambda: None):
            assert memory.used <= 100
            free.wait(WAIT)

    def nobody_waits() -> bool:
        return True

    with ThreadPoolExecutor(3) as threads:
        holding = [threads.submit(hold, name) for name in "abc"]
        eventually(lambda: memory.used == 60)
        with pytest.raises(TimeoutError), memory.room("d", 60, lambda: None, nobody_waits):
            pass
        free.set()
        for each in holding:
            each.result(WAIT)
    with memory.room("large", 1000, lambda: None):  # alone
        assert memory.used == 1000


@pytest.mark.parametrize("name", ["connect_four", "oware", "nim", "kuhn", "doppelkopf"])
def test_every_agent_that_strangers_may_seat_says_what_it_takes(name: str) -> None:
    """So that several of them fit, whatever their options are."""
    game = kb.game(name)
    for each in offered_agents(game):
        agent = "net(shipped)" if each == "net" else each
        if each in kb.list_agents(game) and (each != "net" or shipped(game) is not None):
            assert 0 <= kb.agent(safe_spec(agent, game), game).megabytes <= QUICK.bot_mb / 4, agent


MEASURE = """
import sys
from concurrent.futures import ThreadPoolExecutor
import kiebitz as kb
from kiebitz.server.workers import give_back_large_blocks

def taken():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmRSS")) // 1024

give_back_large_blocks()
game = kb.game("connect_four")
before = taken()
with ThreadPoolExecutor(8) as threads:
    for _ in range(3):
        bots = list(threads.map(lambda _: kb.agent("alphabeta(nodes=10, table_mb=16)", game), range(16)))
        for bot in bots:
            bot.act(game.new().view(0))
        del bots, bot
    print(taken() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it is the allocator of Linux that keeps what is freed")
def test_tables_that_are_dropped_go_back_to_the_system() -> None:
    done = subprocess.run([sys.executable, "-c", MEASURE], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 32, "megabytes of 256 that were freed"
