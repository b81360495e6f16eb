"""The index of requirements (README.md) is true: every file named speaks of the requirement, every command exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bench.__main__ import OTHERS
from bench.rows import ROWS

from kiebitz.experiments import list_experiments

FOLDER = Path(__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")
LINES = re.findall(r"^\| ((?:DL|OW|NF|DK|PK2?)-\d+) \|.*\| (.*) \|$", README, re.MULTILINE)

DONE = {
    "DL": {*range(1, 32)},
    "OW": {*range(1, 27), *range(47, 55), 57},
    "NF": {*range(1, 10), 29, 32, 36},
    "DK": {*range(1, 18), *range(20, 24), *range(30, 38), 50, 51, 52, 60, 61, 62, 64, 66, *range(70, 75), 80, 81, 84},
    "PK": {4, 5, *range(26, 32), 37, 39, 42, 43, 44, 51, 52},
    "PK2": {10, *range(13, 17), *range(60, 65)},
}


def requirements_in(text: str) -> set[str]:
    """The requirements a file names: as DL-7, as dl_7, or in a span such as DL-7 to DL-11."""
    found: set[str] = set()
    for kind, first, last in re.findall(r"\b(DL|OW|NF|DK|PK2?)-(\d+)(?: to \1-(\d+))?", text):
        found |= {f"{kind}-{n}" for n in range(int(first), int(last or first) + 1)}
    return found | {f"{kind.upper()}-{n}" for kind, n in re.findall(r"(?<![a-z])(dl|ow|nf|dk|pk2?)_(\d+)(?=_)", text)}


def test_the_index_is_complete() -> None:
    expected = [f"{kind}-{n}" for kind, numbers in DONE.items() for n in sorted(numbers)]
    assert [number for number, _ in LINES] == expected


@pytest.mark.parametrize(("number", "proofs"), LINES, ids=[number for number, _ in LINES])
def test_every_file_speaks_of_its_requirement(number: str, proofs: str) -> None:
    files = re.findall(r"\]\(([^)]+)\)", proofs)
    assert files
    for file in files:
        assert number in requirements_in((FOLDER / file).read_text(encoding="utf-8")), file
    for command in re.findall(r"`python -m bench ([a-z-]+)`", proofs):
        assert command in {*ROWS, *OTHERS}
    for game, name in re.findall(r"`kiebitz experiment ([a-z_]+) ([a-z-]+)`", proofs):
        assert name in {experiment.name for experiment in list_experiments(game)}
