"""The commands of docs/equilibria.md print what stands below them: words exactly, numbers nearly, times not at all.

The Python blocks run in test_docs.py."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kiebitz.cli import app

PAGE = Path(__file__).parents[1] / "docs" / "equilibria.md"
SHOWN = re.compile(r"^```sh\n(kiebitz [^\n]*)\n```\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
TIME = re.compile(r"\b[\d.]+ (?:µs|ms|s|min)\b")
NUMBER = re.compile(r"[-+]?\b\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")
EXAMPLES: list[tuple[str, str]] = SHOWN.findall(PAGE.read_text(encoding="utf-8"))


def words_and_numbers(text: str) -> tuple[list[str], list[float]]:
    text = TIME.sub("TIME", text)
    numbers = [float(found.replace(",", "")) for found in NUMBER.findall(text)]
    return NUMBER.sub("NUMBER", text).split(), numbers


def test_the_page_shows_commands() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_commands_print_what_the_page_shows(
    command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, shlex.split(command)[1:], env={"COLUMNS": "120", "NO_COLOR": "1"})
    assert result.exit_code == 0, result.output
    words, numbers = words_and_numbers(result.stdout)
    expected_words, expected_numbers = words_and_numbers(shown)
    assert words == expected_words
    # Rounding moves the late figures of some methods by a few percent, and what is 0 may be 1e-17.
    assert numbers == pytest.approx(expected_numbers, rel=0.1, abs=1e-9)
