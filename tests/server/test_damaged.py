"""A damaged database is refused with one plain message, or what can still be read of it is served."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import kiebitz as kb
from kiebitz.cli import app
from kiebitz.server import create_app
from kiebitz.server.hub import Hub
from kiebitz.store.database import StoreError
from kiebitz.store.store import Store
from tests.server.running import BOT, QUICK, Running, running

PAGE = 4096


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database with tables, shared records and a run."""
    path = tmp_path_factory.mktemp("whole") / "t.db"
    CliRunner().invoke(app, ["match", "nim", "random", "random", "--games", "50", "--db", str(path)])
    with running(path) as server:
        for _ in range(4):
            person = server.open("nim", BOT)
            person.play_on()
            assert person.post("/games/1/share").status_code == 201
    return path.read_bytes()


def damaged(whole: bytes, seed: int) -> bytes:
    """The same file cut short, with a page of zeros, with noise in one place, or with wrong bytes everywhere."""
    random, data = Random(seed), bytearray(whole)
    start = random.randrange(100, len(data))
    if seed % 4 == 0:
        return bytes(data[:start])
    places = list(range(start, min(len(data), start + (PAGE if seed % 4 == 1 else 200))))
    if seed % 4 == 3:
        places = [random.randrange(100, len(data)) for _ in range(300)]
    for place in places:
        data[place] = 0 if seed % 4 == 1 else random.randrange(256)
    return bytes(data)


async def serve(path: Path) -> None:
    hub = Hub(replace(QUICK, db=path))
    served = create_app(hub.settings, hub)
    async with served.router.lifespan_context(served):
        pass


def test_any_damage_is_either_a_plain_error_or_none(whole: bytes, tmp_path: Path) -> None:
    messages = []
    for seed in range(40):
        path = tmp_path / "t.db"
        path.write_bytes(damaged(whole, seed))
        try:
            asyncio.run(serve(path))
            with Store.open(path) as store:
                for run in store.runs():
                    list(store.rows(run.id))
        except StoreError as error:
            messages.append(str(error))
        for left in tmp_path.iterdir():
            left.unlink()
    assert 10 < len(messages) < 40
    assert all(message.startswith(f"{path}: ") for message in messages)


def test_serving_a_damaged_file_says_so_in_one_line(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    path.write_bytes(whole[:PAGE] + bytes(255 for _ in whole[PAGE:]))
    result = CliRunner().invoke(app, ["serve", "--no-open", "--port", "0", "--db", str(path)])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert "damaged" in result.output.replace("\n", " ")


# --- What is kept for everybody ---------------------------------------------------------------------------------------


def upload(server: Running, heaps: int) -> str:
    record = kb.records.record_of(kb.game("nim", heaps=[heaps]).new()).to_json()
    answer = server.http.post("/api/records", json=record)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["record"])


def test_shared_records_do_not_grow_without_end(tmp_path: Path) -> None:
    """The oldest are deleted, by either server, and after a restart."""
    settings = replace(QUICK, records_bytes=3000)
    with running(tmp_path / "t.db", settings) as server, running(tmp_path / "t.db", settings) as other:
        ids = [upload((server, other)[number % 2], 1 + number % 9) for number in range(60)]
    with running(tmp_path / "t.db", settings) as server:
        ids.append(upload(server, 3))
        there = [server.http.get(f"/api/records/{id}").status_code == 200 for id in ids]
    assert there == sorted(there)  # the newest are there
    assert there[-1]
    size = len(str(kb.records.record_of(kb.game("nim", heaps=[1]).new()).to_json()))
    assert 3 < sum(there) <= 2 * 3000 / size


def test_tables_do_not_grow_without_end(tmp_path: Path) -> None:
    """Those unused for longest are deleted, by either server; what was shared stays."""
    path, settings = tmp_path / "t.db", replace(QUICK, kept_tables=20)
    with running(path, settings) as server, running(path, settings) as other:
        first = server.open("nim", BOT)
        first.play_on()
        shared = first.post("/games/1/share").json()["record"]
        ids = [(server, other)[number % 2].open("nim", BOT).table for number in range(60)]
    with running(path, settings) as server:
        there = [server.http.get(f"/api/tables/{id}").status_code == 200 for id in (first.table, *ids)]
        assert server.http.get(f"/api/records/{shared}").status_code == 200
    assert there == sorted(there)  # the newest are there
    assert 18 <= sum(there) <= 2 * 20
    with closing(sqlite3.connect(path)) as plain:
        assert plain.execute("SELECT count(DISTINCT table_id) FROM table_games").fetchone() == (sum(there),)


def test_a_large_upload_costs_as_much_as_many_tables(tmp_path: Path) -> None:
    settings = replace(QUICK, table_rate=1e-9, table_burst=10, upload_bytes=100)
    record = kb.records.record_of(kb.game("nim").new(), ["a" * 300, "b" * 300]).to_json()
    with running(tmp_path / "t.db", settings) as server:
        statuses = [server.http.post("/api/records", json=record).status_code for _ in range(3)]
    assert statuses == [201, 429, 429]
