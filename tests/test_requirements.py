"""docs/requirements.md is complete and true: every number cited is listed, every test listed has the marker."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from bench.__main__ import OTHERS
from bench.rows import ROWS

from kiebitz.experiments import list_experiments

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "requirements.md"
SEARCHED = ["README.md", "CHANGELOG.md", "core", "src/kiebitz", "tests", "bench", "docs", "examples", "web/src"]
SUFFIXES = {".md", ".py", ".cpp", ".hpp", ".ts", ".tsx", ".css", ".json"}
NUMBER = r"(?:DK|OW|NF|DL|PK2?|JS)-\d+"
LISTED = {row[0]: row[1] for row in re.findall(rf"^\| ({NUMBER}) \|[^|]+\| (.+) \|$", PAGE.read_text(), re.MULTILINE)}


def cited_in(text: str) -> set[str]:
    """The requirements that a text names, one by one or as a span: DL-7, DL-7 to DL-11."""
    found: set[str] = set()
    for kind, first, last in re.findall(r"\b(DK|OW|NF|DL|PK2?|JS)-(\d+)(?: to \1-(\d+))?", text):
        found |= {f"{kind}-{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def marked_in(path: Path) -> set[str]:
    """The requirements in the markers of a Python file."""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    marks = [call for call in calls if ast.unparse(call.func) == "pytest.mark.requirement"]
    return {ast.literal_eval(argument) for mark in marks for argument in mark.args}


def searched() -> list[Path]:
    paths = [path for name in SEARCHED for path in [ROOT / name, *sorted((ROOT / name).rglob("*"))]]
    built = ROOT / "src" / "kiebitz" / "server" / "page"
    return [path for path in paths if path.suffix in SUFFIXES and path != PAGE and built not in path.parents]


def test_every_requirement_that_is_cited_is_listed() -> None:
    cited = {number: path for path in searched() for number in cited_in(path.read_text(encoding="utf-8"))}
    assert {number: path for number, path in cited.items() if number not in LISTED} == {}


def test_every_requirement_that_is_listed_is_cited() -> None:
    assert set(LISTED) <= {number for path in searched() for number in cited_in(path.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("number", LISTED)
def test_every_test_that_is_listed_has_the_marker(number: str) -> None:
    """A test in C++ has no markers: it names the requirement instead."""
    files = [PAGE.parent / link for link in re.findall(r"\]\(([^)]+)\)", LISTED[number])]
    commands = re.findall(r"`([^`]+)`", LISTED[number])
    assert files or commands
    for file in files:
        assert number in (marked_in(file) if file.suffix == ".py" else cited_in(file.read_text(encoding="utf-8"))), file
    for command in commands:
        if command.startswith("python -m bench "):
            assert command.split()[3] in {*ROWS, *OTHERS}
        else:
            kiebitz, experiment, game, name = command.split()
            assert (kiebitz, experiment) == ("kiebitz", "experiment")
            assert name in {listed.name for listed in list_experiments(game)}


def test_every_marked_test_is_listed() -> None:
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for number in marked_in(path):
            assert f"(../{path.relative_to(ROOT).as_posix()})" in LISTED[number], number
