"""Every command of docs/learning.md runs as it stands, one after the other."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kiebitz.cli import app

PAGE = Path(__file__).parents[2] / "docs" / "learning.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMANDS = [
    shlex.split(line, comments=True) for block in BLOCK.findall(PAGE.read_text()) for line in block.splitlines() if line
]


def test_all_commands_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(COMMANDS) > 12
    for program, *arguments in COMMANDS:
        assert program == "kiebitz"
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, (arguments, result.output)
