"""``make check`` finds the tests of what changed."""

from __future__ import annotations

import pytest

from tests.check import ALWAYS, CORE_TESTS, commands, proofs_of
from tests.layers import ROOT


@pytest.mark.parametrize(
    ("path", "tests"),
    [
        ("src/kiebitz/stats.py", {"src/kiebitz/stats.py", "tests/test_stats.py", "tests/arena/test_summary.py"}),
        ("src/kiebitz/arena/plan.py", {"src/kiebitz/arena/plan.py", "tests/arena", "tests/arena/test_play.py"}),
        ("src/kiebitz/server/deleted.py", {"tests/server"}),
        ("core/search/uct.hpp", {"tests/contract", "tests/search"}),
        ("tests/test_stats.py", {"tests/test_stats.py"}),
        ("tests/deleted/test_deleted.py", set()),
        ("tests/contract/cases.py", {"tests/contract/test_rules.py", "tests/golden/test_golden.py"}),
        ("tests/contract/walks.py", {"tests/contract/test_rules.py", "tests/bad_input/test_fuzz.py"}),
        ("tests/browser/conftest.py", {"tests/browser"}),
        ("tests/golden/nim.txt", {"tests/golden"}),
        ("tests/data/doppelkopf-games.jsonl.gz", {"tests/games/doppelkopf/test_recorded_games.py"}),
        ("bench/rows.py", {"tests/test_requirements.py"}),
        ("examples/hexapawn.py", {"tests/solve/test_compile.py"}),
        ("docs/design.md", {"tests/test_docs.py"}),
    ],
)
def test_a_file_is_tested_by_these(path: str, tests: set[str]) -> None:
    found = proofs_of(path)
    assert tests <= found
    assert all((ROOT / test).exists() for test in found)
    assert "tests" not in found


def test_each_language_has_its_command() -> None:
    python, page_types, page_tests, core = commands(["web/src/main.tsx", "core/base/rng.hpp", "src/kiebitz/stats.py"])
    assert {*ALWAYS, "src/kiebitz/stats.py", "tests/test_stats.py", "tests/contract"} <= set(python)
    assert page_types[-1] == "check"
    assert page_tests[-1].endswith("web/src/main.tsx")
    assert core == CORE_TESTS
    assert [command[2] for command in commands(["Makefile"])] == ["pytest"]
