"""Settings for all tests: property tests are repeatable and have no time limit per example; nothing is written into the
user's store or cache.
"""

from __future__ import annotations

import importlib
import os
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "kiebitz", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("kiebitz")
# Consoles keep a COLUMNS that is set when they are made, and processes that share the tests have one: without it, each
# test says how wide its console is.
os.environ.pop("COLUMNS", None)
importlib.import_module("kiebitz.cli.common")
_numbers = count()


def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The temporary folder of the whole run, also where several processes share the tests."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of its own for each test, at a path that nothing is at yet."""
    path = tmp_path_factory.getbasetemp() / "stores" / f"{next(_numbers)}.sqlite"
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    monkeypatch.setenv("KIEBITZ_DB", str(path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(shared_folder(tmp_path_factory) / "cache"))  # all tests share one
    return path
