"""Nothing in the registry escapes the contract tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import kiebitz as kb
from kiebitz import _core
from tests.contract.cases import BY_HAND, CASES, ROOT, Case, from_registry

GOLDEN = ROOT / "tests" / "golden"


def fresh_registry() -> list[str]:
    """The games of a process in which nobody registered any of their own."""
    command = [sys.executable, "-c", "import kiebitz; print(*kiebitz.list_games())"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def test_every_game_has_a_case_and_a_golden_playthrough() -> None:
    games = fresh_registry()
    assert games
    for name in games:
        cases = [case for case in CASES if case.game == name]
        assert cases, f"{name} has no case in tests/contract/cases.py"
        assert any(case.golden for case in cases), f"{name} has no case with a golden playthrough"


def test_every_preset_has_a_case() -> None:
    covered = {(case.game, case.preset) for case in CASES}
    for name in _core.game_names():
        for preset in kb.game(name).presets:
            assert (name, preset.name) in covered, f"preset {preset.name} of {name} has no case"


def test_games_and_presets_not_listed_by_hand_are_added() -> None:
    assert from_registry(_core.game_names(), BY_HAND) == CASES[len(BY_HAND) :]
    few = [case for case in BY_HAND if case.game not in ("kuhn", "leduc") and case.preset != "abapa"]
    added = {case.id: case for case in from_registry(["oware", "kuhn", "leduc"], few)}
    assert list(added) == ["kuhn", "leduc", "oware-abapa", "leduc-standard", "leduc-thesis"]
    assert added["kuhn"].make().to_json() == kb.game("kuhn").to_json()
    assert added["leduc-thesis"].make().preset == "thesis"
    assert all(case.golden for case in added.values())


def test_every_example_game_has_a_case() -> None:
    paths = (ROOT / "examples").glob("*.py")
    games = {path.stem for path in paths if "@kb.register" in path.read_text(encoding="utf-8")}
    assert "hexapawn" in games
    assert games <= {case.game for case in CASES}


@pytest.mark.parametrize("case", [case for case in CASES if case.golden], ids=lambda case: case.id)
def test_golden_playthrough_exists(case: Case) -> None:
    assert (GOLDEN / f"{case.id}.txt").is_file(), "run: python -m tests.golden.write"


def test_no_golden_playthrough_without_a_case() -> None:
    names = {case.id for case in CASES if case.golden}
    assert {path.stem for path in Path(GOLDEN).glob("*.txt")} == names


def test_case_names_differ() -> None:
    assert len({case.id for case in CASES}) == len(CASES)


def test_list_games_and_register() -> None:
    assert "pennies" in kb.list_games()
    assert kb.list_games()[: len(_core.game_names())] == _core.game_names()

    class Impostor(kb.PythonGame):
        name = "kuhn"
        actions = 1
        max_length = 1

    with pytest.raises(kb.ParameterError, match="belongs to a compiled game"):
        kb.register(Impostor)
