"""The store on SQLite: what goes in comes out once, in order; whatever goes wrong has a name and loses nothing."""

from __future__ import annotations

import math
import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.store.store_rows import PLAN, row_lists, some_rows

import kiebitz as kb
from kiebitz.store.database import StoreError, default_path
from kiebitz.store.rows import Row
from kiebitz.store.schema import METADATA, VERSION
from kiebitz.store.store import CHUNK, Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as store:
        yield store


def begin(store: Store, identity: str = "a" * 16, **plan: Any) -> int:
    return store.begin({**PLAN, **plan}, identity, "match", "kiebitz match nim").id


# --- Rows -------------------------------------------------------------------------------------------------------------


def test_rows_come_back_equal_once_and_in_order() -> None:
    with Store.open("sqlite://") as store:

        @given(rows=row_lists())
        @settings(max_examples=50)
        def check(rows: list[Row]) -> None:
            run = begin(store)
            store.add(run, rows)
            assert list(store.rows(run)) == sorted(rows, key=lambda row: row.number)
            assert list(store.rows(run, actions=False)) == [replace(row, actions=()) for row in store.rows(run)]
            assert store.numbers(run) == {row.number for row in rows}
            assert store.run(run).done == len(rows)
            store.delete(run)

        check()


def test_any_order_and_any_repetition_gives_the_same_rows() -> None:
    rows = some_rows(30)
    with Store.open("sqlite://") as store:

        @given(pieces=st.lists(st.lists(st.sampled_from(rows), max_size=12), max_size=6))
        @settings(max_examples=30)
        def check(pieces: list[list[Row]]) -> None:
            run = begin(store)
            for piece in [*pieces, rows]:
                store.add(run, piece)
                assert store.run(run).done == len(store.numbers(run))
            assert list(store.rows(run)) == rows
            store.delete(run)

        check()


def test_long_runs_are_read_in_pieces(store: Store) -> None:
    rows = some_rows(2 * CHUNK)
    run = begin(store)
    shuffled = rows[:]
    random.Random(1).shuffle(shuffled)
    store.add(run, shuffled)
    stream = store.rows(run)
    assert next(stream) == rows[0]
    store.add(run, some_rows(1, first=2 * CHUNK))  # reading does not hold up writing
    assert list(stream) == [*rows[1:], *some_rows(1, first=2 * CHUNK)]


def test_runs_do_not_mix(store: Store) -> None:
    one, two = begin(store, "1" * 16), begin(store, "2" * 16)
    store.add(one, some_rows(3))
    store.add(two, some_rows(2, seed=5))
    assert list(store.rows(one)) == some_rows(3)
    assert list(store.rows(two)) == some_rows(2, seed=5)


def test_the_same_game_played_again_may_take_other_times(store: Store) -> None:
    run, rows = begin(store), some_rows(3)
    store.add(run, rows)
    slower = replace(rows[1], seconds=(9.0, 9.0), slowest=(5.0, 5.0), events=((0, "timeout", "late"),))
    store.add(run, [slower])
    assert list(store.rows(run)) == rows


@pytest.mark.parametrize("change", [{"payoffs": (0.0, 0.0)}, {"actions": (1, 2)}, {"deal": 7}, {"seating": (1, 0)}])
def test_another_game_under_the_same_number_is_refused_and_changes_nothing(store: Store, change: Any) -> None:
    run, rows = begin(store), some_rows(3)
    store.add(run, rows)
    for batch in ([*some_rows(2, first=3), replace(rows[1], **change)], [rows[1], replace(rows[1], **change)]):
        with pytest.raises(StoreError, match="game 1 of run 1 is already stored with other moves"):
            store.add(run, batch)
        assert list(store.rows(run)) == rows
        assert store.run(run).done == 3


@pytest.mark.parametrize(
    "change",
    [
        {"number": -1},
        {"number": 2**63},
        {"payoffs": (math.nan, 0.0)},
        {"seconds": (math.inf, 0.0)},
        {"actions": (-1,)},
        {"actions": (2**64,)},
        {"actions": ("a",)},
        {"seating": (0.5, 1)},
        {"metrics": {"x": object()}},
    ],
)
def test_rows_that_cannot_be_stored_are_refused_whole(store: Store, change: dict[str, Any]) -> None:
    run = begin(store)
    with pytest.raises(StoreError):
        store.add(run, [*some_rows(5), replace(some_rows(1, first=9)[0], **change)])
    assert list(store.rows(run)) == []
    assert store.run(run).done == 0


def test_a_metric_without_a_number_is_kept_as_null(store: Store) -> None:
    run = begin(store)
    row = replace(some_rows(1)[0], metrics={"mean": math.nan, "each": [1.0, math.inf]})
    store.add(run, [row])
    store.add(run, [row])
    assert next(store.rows(run)).metrics == {"mean": None, "each": [1.0, None]}


def test_small_actions_take_a_byte_each(store: Store, path: Path) -> None:
    run = begin(store)
    store.add(run, [replace(some_rows(1)[0], actions=tuple(range(100)))])
    with sqlite3.connect(path) as plain:
        assert plain.execute("SELECT length(actions), payoffs FROM games").fetchone()[0] == 101


# --- Runs -------------------------------------------------------------------------------------------------------------


def test_the_same_plan_again_goes_on_with_its_run(store: Store) -> None:
    first = store.begin(PLAN, "a" * 16, "match", "kiebitz match")
    store.add(first.id, some_rows(3))
    store.finish(first.id, 2.5)
    done = store.run(first.id)
    assert (done.seconds, done.done, done.planned, done.agents) == (2.5, 3, 100, ("nim_perfect", "random"))
    assert done.finished is not None
    assert done.created == first.created <= done.finished
    assert done.version == kb.__version__
    assert "Python" in done.hardware

    more = store.begin({**PLAN, "games": 500}, "a" * 16, "match", "kiebitz match --games 500")
    assert (more.id, more.done, more.planned, more.finished) == (first.id, 3, 500, None)
    assert store.begin(PLAN, "a" * 16, "match", "").planned == 500
    store.finish(first.id, 1.0)
    assert store.run(first.id).seconds == 3.5
    assert len(store.runs()) == 1


def test_the_command_that_is_kept_repeats_all_of_the_run(store: Store) -> None:
    def command(games: int, text: str) -> str:
        return store.begin({**PLAN, "games": games}, "a" * 16, "match", text).command

    assert command(100, "kiebitz match -n 100") == "kiebitz match -n 100"
    assert command(10, "kiebitz match -n 10") == "kiebitz match -n 100"
    assert command(100, "") == "kiebitz match -n 100"
    assert command(500, "kiebitz match -n 500") == "kiebitz match -n 500"


def test_a_verdict_counts_until_the_run_goes_on(store: Store) -> None:
    run = begin(store)
    store.finish(run, test={"decision": {"games": 64}})
    assert store.run(run).counted == 64
    assert begin(store) == run
    assert store.run(run).counted is None


def test_seconds_are_kept_with_the_games_they_took(store: Store) -> None:
    run = begin(store)
    store.add(run, some_rows(3), 1.5)
    store.add(run, some_rows(4, first=3), 2.5)
    assert store.run(run).seconds == 4.0


def test_a_run_is_found_by_what_it_is(store: Store) -> None:
    assert store.find("a" * 16) is None
    run = begin(store)
    found = store.find("a" * 16)
    assert found is not None
    assert found.id == run


def test_runs_are_listed_newest_first_and_filtered(store: Store) -> None:
    store.begin(PLAN, "1", "match", "")
    store.begin({**PLAN, "game": {"name": "oware"}, "agents": ["uct(iterations=5)", "random"]}, "2", "tournament", "")
    store.begin({**PLAN, "agents": ["random", "random"]}, "3", "match", "")

    def ids(**filters: Any) -> list[int]:
        return [run.id for run in store.runs(**filters)]

    assert ids() == [3, 2, 1]
    assert ids(game="nim") == [3, 1]
    assert ids(agent="uct") == [2]
    assert ids(agent="perfect", game="nim") == [1]
    assert ids(kind="tournament") == [2]
    now = datetime.now(UTC)
    assert ids(since=now - timedelta(hours=1)) == [3, 2, 1]
    assert ids(since=now + timedelta(hours=1)) == []
    assert ids(since=datetime.now() - timedelta(hours=1)) == [3, 2, 1]  # a local time


def test_delete_removes_the_games_and_never_gives_the_number_again(store: Store, path: Path) -> None:
    run, other = begin(store, "1"), begin(store, "2")
    store.add(run, some_rows(5))
    store.add(other, some_rows(2))
    store.delete(other)
    assert list(store.rows(run)) == some_rows(5)
    with sqlite3.connect(path) as plain:
        assert plain.execute("SELECT count(*) FROM games").fetchone() == (5,)
    assert begin(store, "3") > other


def test_a_run_that_is_not_there_has_a_name(store: Store) -> None:
    for call in (store.run, store.rows, store.finish, store.delete, lambda run: store.add(run, some_rows(1))):
        with pytest.raises(StoreError, match="there is no run 7"):
            call(7)


@pytest.mark.parametrize("plan", [{}, {"game": None}, {"game": {"name": "nim"}, "x": math.nan}])
def test_a_broken_plan_is_refused(store: Store, plan: dict[str, Any]) -> None:
    with pytest.raises(StoreError, match="plan: expected plain values"):
        store.begin(plan, "1", "match", "")
    assert store.runs() == []


def test_a_command_may_hold_bytes_that_are_no_text(store: Store) -> None:
    assert store.begin(PLAN, "1", "match", "a\udcff b\0").command == "a? b"


# --- Opening ----------------------------------------------------------------------------------------------------------


def test_the_default_is_where_the_system_keeps_such_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("KIEBITZ_DB", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert default_path() == tmp_path / "data" / "kiebitz" / "results.db"
    Store.open().close()
    assert default_path().exists()
    monkeypatch.setenv("XDG_DATA_HOME", "relative")  # to be ignored, says the XDG base directory specification
    assert default_path() == tmp_path / ".local" / "share" / "kiebitz" / "results.db"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert default_path() == tmp_path / "Library" / "Application Support" / "kiebitz" / "results.db"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert default_path() == tmp_path / "local" / "kiebitz" / "results.db"
    monkeypatch.setenv("KIEBITZ_DB", f"sqlite:///{tmp_path}/mine.db")
    Store.open().close()
    assert (tmp_path / "mine.db").exists()


def test_a_store_opened_again_has_everything(path: Path) -> None:
    with Store.open(path) as store:
        store.add(begin(store), some_rows(4))
    with Store.open(f"sqlite:///{path}", create=False) as store:
        assert list(store.rows(1)) == some_rows(4)


def test_where_nothing_can_be_written_a_store_can_still_be_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(path) as store:
        store.add(begin(store), some_rows(4))

    def refuse(cursor: Any, wait: float) -> None:
        with closing(sqlite3.connect(path.parent / "missing" / "results.db")):
            pass  # SQLite's own error where it cannot make a log

    monkeypatch.setattr("kiebitz.store.store.write_ahead", refuse)
    with pytest.raises(StoreError, match="cannot be opened"):
        Store.open(path)
    with Store.open(path, reading=True) as store:
        assert list(store.rows(1)) == some_rows(4)
        with pytest.raises(StoreError, match="can be read but not written"):
            store.add(1, some_rows(1, first=4))
        with pytest.raises(StoreError, match="can be read but not written"):
            begin(store, "b" * 16)


def test_sqlite_keeps_a_write_ahead_log(store: Store) -> None:
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 1
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


@pytest.mark.skipif(os.name != "posix", reason="a way to lock files that only these systems have")
def test_where_there_can_be_no_write_ahead_log_it_is_done_without(path: Path) -> None:
    """Such as on some file systems of a network: SQLite says so by changing nothing."""
    with Store.open(f"sqlite:///file:{path}?vfs=unix-dotfile&uri=true") as store:
        store.add(begin(store), some_rows(4))
        assert list(store.rows(1)) == some_rows(4)


def test_the_write_ahead_log_waits_for_another_writer(path: Path) -> None:
    """SQLite refuses this change at once where another holds the lock for writing; two runs may begin together."""
    Store.open(path).close()
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        assert other.execute("PRAGMA journal_mode=DELETE").fetchone() == ("delete",)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program is writing"):
            Store.open(path, wait=0.05)
        done = threading.Timer(0.3, other.execute, ["COMMIT"])
        done.start()
        with Store.open(path) as store, store.engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        done.join()


def test_migrations_give_the_tables_that_the_code_expects(store: Store) -> None:
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == VERSION


def test_many_processes_may_open_and_write_one_new_database(path: Path) -> None:
    code = (
        "import sys; from kiebitz.store.store import Store; from tests.store.store_rows import *\n"
        "with Store.open(sys.argv[1]) as store:\n"
        "    run = store.begin(PLAN, 'a', 'match', '').id\n"
        "    for first in range(0, 40, 4): store.add(run, some_rows(8, first))\n"
    )
    root = Path(__file__).parents[2]
    children = [subprocess.Popen([sys.executable, "-c", code, str(path)], cwd=root) for _ in range(4)]
    assert [child.wait(timeout=120) for child in children] == [0] * 4
    with Store.open(path) as store:
        assert [run.done for run in store.runs()] == [44]
        assert list(store.rows(1)) == some_rows(44)


def test_threads_may_share_a_store(store: Store) -> None:
    run, rows = begin(store), some_rows(200)
    threads = [threading.Thread(target=store.add, args=(run, rows[i * 40 : i * 40 + 80])) for i in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(store.rows(run)) == rows


# --- What can go wrong ------------------------------------------------------------------------------------------------


def test_a_newer_database_is_refused_and_left_as_it_is(path: Path) -> None:
    with Store.open(path) as store:
        store.add(begin(store), some_rows(2))
    with sqlite3.connect(path) as plain:
        plain.execute("UPDATE alembic_version SET version_num = '9999'")
    plain.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"made by a newer version of Kiebitz \(schema 9999"):
        Store.open(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_left_as_it_is(path: Path) -> None:
    path.write_text("Dear diary, " * 500, encoding="utf-8")
    with pytest.raises(StoreError, match="is not a database"):
        Store.open(path)
    assert path.read_text(encoding="utf-8") == "Dear diary, " * 500


def test_the_database_of_another_program_is_left_as_it_is(path: Path) -> None:
    with sqlite3.connect(path) as plain:
        plain.execute("CREATE TABLE bookmarks (url TEXT)")
    plain.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="tables of another program"):
        Store.open(path)
    assert path.read_bytes() == before


def test_a_locked_database_says_so(path: Path) -> None:
    with Store.open(path) as store, Store.open(path, wait=0.05) as hasty:
        run = begin(store)
        blocker = sqlite3.connect(path, isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program is writing"):
            hasty.add(run, some_rows(1))
        assert list(hasty.rows(run)) == []  # readers are not held up
        blocker.execute("ROLLBACK")
        blocker.close()
        hasty.add(run, some_rows(1))
        assert list(store.rows(run)) == some_rows(1)


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no such file"):
        Store.open(tmp_path / "typo.db", create=False)
    with pytest.raises(StoreError, match="cannot be opened"):
        Store.open(tmp_path / "no" / "such" / "folder.db")
    with pytest.raises(StoreError, match="cannot be opened"):
        Store.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "expected a path or a URL, got an empty text"),
        ("://", "expected a path or a URL such as"),
        ("carrier-pigeon://loft/3", "expected a path or a URL such as"),
        ("pigeon://loft/3", "unknown kind of database 'pigeon'"),
        ("postgresql+nodriver://somebody@127.0.0.1/x", "unknown kind of database"),
        ("mysql+mysqldb://somebody@127.0.0.1/x", "needs the Python package MySQLdb"),
        ("postgresql://somebody:secret@127.0.0.1:1/x", "refused"),
    ],
)
def test_wrong_addresses_are_named_and_passwords_are_not(url: str, message: str) -> None:
    with pytest.raises(StoreError, match=message) as caught:
        Store.open(url)
    assert "secret" not in str(caught.value)


def test_a_missing_driver_for_postgresql_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'kiebitz\[postgres\]'"):
        Store.open("postgresql://somebody@127.0.0.1/x")


@contextmanager
def without_privileges() -> Iterator[None]:
    """As a user who may not write everywhere, which root may."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def guarded() -> Iterator[Path]:
    """A folder that others can enter; those of pytest are private."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


def test_a_read_only_file_is_read_and_not_written(guarded: Path) -> None:
    path = guarded / "results.db"
    with Store.open(path) as store:
        store.add(begin(store), some_rows(3))
        os.chmod(path, 0o444)  # with its log beside it, as while somebody else writes
        for beside in guarded.glob("results.db-*"):
            os.chmod(beside, 0o444)
        with without_privileges(), Store.open(path, create=False) as reader:
            assert list(reader.rows(1)) == some_rows(3)
            for write in (lambda: begin(reader, "2"), lambda: reader.add(1, some_rows(5)), lambda: reader.delete(1)):
                with pytest.raises(StoreError, match="can be read but not written"):
                    write()
        assert list(store.rows(1)) == some_rows(3)


def test_a_read_only_folder_is_named(guarded: Path) -> None:
    os.chmod(guarded, 0o555)
    with without_privileges(), pytest.raises(StoreError, match="cannot be opened"):
        Store.open(guarded / "results.db")
    assert list(guarded.iterdir()) == []


def test_a_full_disk_loses_nothing_that_was_stored(path: Path) -> None:
    """No file may grow beyond half a megabyte for a while: the nearest that one gets to a full disk without one."""
    with Store.open(path) as store:
        run, stored = begin(store), 0

        def fill() -> None:
            nonlocal stored
            while True:
                store.add(run, some_rows(100, first=stored))
                stored += 100

        old = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, old[1]))
        try:
            with pytest.raises(StoreError, match="the disk is full"):
                fill()
            assert list(store.rows(run)) == some_rows(stored)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, old)
        store.add(run, some_rows(100, first=stored))
        assert list(store.rows(run)) == some_rows(stored + 100)
        with store.engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    assert stored > 0


def test_a_full_database_loses_nothing_that_was_stored(store: Store) -> None:
    run = begin(store)
    store.add(run, some_rows(100))
    with store.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        assert pages is not None
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 2}")  # of the one connection in the pool
    with pytest.raises(StoreError, match="the disk is full; earlier data is kept"):
        store.add(run, some_rows(1000, first=100))
    assert list(store.rows(run)) == some_rows(100)
