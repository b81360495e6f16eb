"""The store on PostgreSQL, a real one: a server of its own in a temporary folder, for the time of these tests.

Without PostgreSQL's programs these tests fail. KIEBITZ_NO_POSTGRES=1 leaves them out.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import given, settings
from tests.store.store_rows import PLAN, row_lists, some_rows

from kiebitz.store.database import StoreError
from kiebitz.store.rows import Row
from kiebitz.store.schema import METADATA
from kiebitz.store.store import Store

pytestmark = pytest.mark.skipif(os.environ.get("KIEBITZ_NO_POSTGRES") == "1", reason="KIEBITZ_NO_POSTGRES is set")


class Server:
    """A PostgreSQL server that listens on a socket in its own folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name  # it refuses to run as root
        if os.geteuid() == 0:
            shutil.chown(folder, self.user)
        # Independent of the user's locale.
        encoding = ("-E", "UTF8", "--no-locale")
        self.call("initdb", "-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "--no-sync", *encoding)

    def call(self, program: str, *args: str) -> None:
        found = [*Path("/usr/lib/postgresql").glob(f"*/bin/{program}"), *filter(None, [shutil.which(program)])]
        assert found, f"expected PostgreSQL's {program}; on Debian: apt-get install postgresql"
        newest = max(found, key=lambda file: int((re.findall(r"\d+", str(file)) or ["0"])[0]))
        user = self.user if os.geteuid() == 0 else None
        log = self.folder / "calls.log"
        with open(log, "a", encoding="utf-8") as out:
            done = subprocess.run(
                [str(newest), *args], user=user, cwd=self.folder, stdout=out, stderr=out, check=False, timeout=120
            )
        assert done.returncode == 0, log.read_text(encoding="utf-8")

    def start(self) -> None:
        options = (
            f"-F -k {self.folder} -c listen_addresses=''"  # -F: the machine will not crash, so no waiting for disks
        )
        log = str(self.folder / "server.log")
        self.call("pg_ctl", "-D", str(self.folder / "data"), "-o", options, "-l", log, "-w", "start")

    def stop(self, mode: str) -> None:
        self.call("pg_ctl", "-D", str(self.folder / "data"), "-m", mode, "-w", "stop")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as name:
        server = Server(Path(name))
        server.start()
        yield server
        server.stop("immediate")


@pytest.fixture
def url(server: Server, request: pytest.FixtureRequest) -> str:
    """An empty database for each test."""
    name = "t" + re.sub(r"\W", "_", request.node.name)[-50:]
    import psycopg
    from psycopg import sql

    with psycopg.connect(server.url(), autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return server.url(name)


def begin(store: Store, identity: str = "a" * 16) -> int:
    return store.begin(PLAN, identity, "match", "kiebitz match nim").id


def test_rows_come_back_equal_once_and_in_order(url: str) -> None:
    with Store.open(url) as store:

        @given(rows=row_lists())
        @settings(max_examples=30)
        def check(rows: list[Row]) -> None:
            run = begin(store)
            store.add(run, rows)
            store.add(run, rows)
            assert list(store.rows(run)) == sorted(rows, key=lambda row: row.number)
            assert list(store.rows(run, actions=False)) == [replace(row, actions=()) for row in store.rows(run)]
            assert store.numbers(run) == {row.number for row in rows}
            assert store.run(run).done == len(rows)
            store.delete(run)

        check()


def test_migrations_give_the_tables_that_the_code_expects(url: str) -> None:
    with Store.open(url) as store, store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


def test_a_database_without_an_encoding_keeps_text_as_it_is(server: Server) -> None:
    """What a server in the locale C makes."""
    import psycopg

    with psycopg.connect(server.url(), autocommit=True) as admin:
        admin.execute("CREATE DATABASE bare TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'")
    with Store.open(server.url("bare")) as store:
        store.begin(PLAN, "a", "match", "kiebitz ♥ Größe")
        assert [run.command for run in store.runs()] == ["kiebitz ♥ Größe"]


def test_the_same_plan_again_goes_on_with_its_run(url: str) -> None:
    with Store.open(url) as store:
        run = begin(store)
        store.add(run, some_rows(3))
        store.finish(run, 2.5)
        store.finish(begin(store), 1.0)
        (info,) = store.runs(game="nim", agent="perfect", kind="match")
        assert (info.seconds, info.done, info.planned) == (3.5, 3, 100)


def test_another_game_under_the_same_number_is_refused_and_changes_nothing(url: str) -> None:
    with Store.open(url) as store:
        run, rows = begin(store), some_rows(3)
        store.add(run, rows)
        with pytest.raises(StoreError, match="game 1 of run 1 is already stored with other moves"):
            store.add(run, [*some_rows(2, first=3), replace(rows[1], actions=(1, 2))])
        with pytest.raises(StoreError, match="out of range"):
            store.add(run, [*some_rows(2, first=3), replace(rows[1], number=2**63)])
        assert list(store.rows(run)) == rows
        assert store.run(run).done == 3


def test_many_may_open_a_new_database_and_write_the_same_run(url: str) -> None:
    rows = some_rows(200)
    failed: list[BaseException] = []

    def write(i: int) -> None:
        try:
            with Store.open(url) as store:
                store.add(begin(store), rows[i * 40 : i * 40 + 80])
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(i,)) for i in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    with Store.open(url) as store:
        assert [run.done for run in store.runs()] == [200]
        assert list(store.rows(1)) == rows


def test_a_newer_database_is_refused_and_one_of_another_program_too(url: str) -> None:
    with Store.open(url) as store, store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match=r"made by a newer version of Kiebitz \(schema 9999"):
        Store.open(url)
    with store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE alembic_version")
    with pytest.raises(StoreError, match="tables of another program"):
        Store.open(url)


def test_a_database_that_is_not_there_is_named(server: Server) -> None:
    with pytest.raises(StoreError, match='database "nowhere" does not exist'):
        Store.open(server.url("nowhere"))


def test_a_server_that_dies_loses_nothing_and_the_store_goes_on_when_it_is_back(server: Server, url: str) -> None:
    with Store.open(url) as store:
        run = begin(store)
        store.add(run, some_rows(50))
        server.stop("immediate")  # as kill -9: it has to recover from its log
        with pytest.raises(StoreError, match="connection"):
            store.add(run, some_rows(50, first=50))
        server.start()
        store.add(run, some_rows(100))
        assert list(store.rows(run)) == some_rows(100)
