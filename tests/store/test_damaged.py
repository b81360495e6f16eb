"""Databases that something damaged: refused in one line that names the file, never a traceback."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.store.store_rows import PLAN, some_rows

import kiebitz as kb
from kiebitz.store.database import StoreError
from kiebitz.store.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database in one file, with a run of 30 games."""
    path = tmp_path / "results.db"
    with Store.open(path) as store:
        store.add(store.begin(PLAN, "a" * 16, "match", "").id, some_rows(30))
    with closing(sqlite3.connect(path)) as plain:
        plain.execute("PRAGMA journal_mode=DELETE")
    return path


def read(path: Path) -> int:
    """Reads all that there is, and goes on with the run; the number of games."""
    with Store.open(path, wait=0.1) as store:
        runs = store.runs()
        games = [row for run in runs for row in store.rows(run.id)]
        assert all(run.to_dict() for run in runs)
        store.begin(PLAN, "a" * 16, "match", "")
        return len(games)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE runs SET plan = '{'",
        "UPDATE runs SET plan = '[1, 2]'",
        "UPDATE runs SET test = '7'",
        "UPDATE runs SET created = 'yesterday'",
        "UPDATE games SET payoffs = '[1.0,'",
        "UPDATE games SET seating = 'x'",
        "UPDATE games SET events = '[[1]]'",
        "UPDATE games SET actions = x'5a'",
        "UPDATE games SET actions = 'text'",
        "UPDATE games SET metrics = CAST(x'ff' AS TEXT)",
        "UPDATE alembic_version SET version_num = '00x3'",
        "UPDATE alembic_version SET version_num = x'07'",
        "DROP TABLE games",
    ],
)
def test_values_that_nobody_wrote_are_named(change: str, path: Path) -> None:
    assert read(path) == 30
    with closing(sqlite3.connect(path)) as plain:
        plain.execute(change)
        plain.commit()
    with pytest.raises(StoreError, match=r"results\.db: ") as refused:
        read(path)
    assert "\n" not in str(refused.value)


def test_changed_bytes_are_read_or_refused_in_words(path: Path) -> None:
    rng, good = random.Random(1), path.read_bytes()
    refused = 0
    for number in range(60):
        content = bytearray(good)
        for _ in range(rng.choice([1, 10, 50])):
            content[rng.randrange(len(content))] = rng.randrange(256)
        file = path.with_name(f"{number}.db")
        file.write_bytes(content[: rng.choice([len(content), len(content), rng.randrange(len(content))])])
        try:
            read(file)
        except kb.Error as error:
            refused += 1
            words = str(error)
            if file.name not in words or "\n" in words:
                raise
    assert refused
