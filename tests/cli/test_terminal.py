"""The command line in a real terminal: a whole played game, questions, and Ctrl-C in every long command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect
import pytest

from kiebitz import records
from kiebitz.solve import Policy

COMMAND = [sys.executable, "-c", "from kiebitz.cli import main; main()"]
WAIT = 120
"""Seconds after which something that should have happened long ago counts as missing."""


@contextmanager
def terminal(*args: str) -> Iterator[Any]:
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "100", "PYTHONUNBUFFERED": "1"}
    child = pexpect.spawn(
        COMMAND[0],
        [*COMMAND[1:], *args],
        encoding="utf-8",
        timeout=WAIT,
        dimensions=(50, 100),
        env=environment,
        # Tests that a shell started in the background ignore Ctrl-C, and so would what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        yield child
    finally:
        child.close(force=True)


def finish(child: Any) -> tuple[str, int]:
    """Waits for the end; the rest of the output and the exit code."""
    child.expect(pexpect.EOF)
    text: str = child.before
    child.close()
    assert child.signalstatus is None
    return text, child.exitstatus


def test_a_whole_game_against_an_agent(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    args = ("-p", "heaps=[1,2]", "--seat", "1", "-a", "nim_perfect", "--seed", "1", "--record", str(path))
    with terminal("play", "nim", *args) as child:
        child.expect("your move: ")
        child.sendline("hint")
        child.expect("2:1")
        child.expect("won")
        child.expect("your move: ")
        child.sendline("2:1")  # leaves 1 and 1: won
        child.expect("player 2 takes 1 from heap")
        child.expect("your move: ")
        child.sendline("1")
        text, code = finish(child)
    assert "You win." in text
    assert code == 0
    (record,) = records.load(path)
    assert record.returns == (1, -1)
    assert records.replay(record).history == [action for action, _ in record.actions]


def test_everything_is_asked_for_that_was_not_given() -> None:
    with terminal("play") as child:
        child.expect("which game")
        child.sendline("chess")
        child.expect("unknown game")
        child.expect("which game")
        child.sendline("oware")
        child.expect("which rules")
        child.sendline("2")
        child.expect("your seat")
        child.sendline("7")
        child.expect("expected 1 to 2")
        child.sendline("")
        child.expect("against whom")
        child.sendline("nobody")
        child.expect("there is no agent")
        child.sendline("random")
        child.expect("your move: ")
        child.sendline("quit")
        text, code = finish(child)
    assert "good-bye" in text
    assert code == 0


def test_end_of_input_is_a_good_bye() -> None:
    with terminal("play", "tic_tac_toe", "--seat", "1", "-a", "random") as child:
        child.expect("your move: ")
        child.sendeof()
        text, code = finish(child)
    assert "good-bye" in text
    assert code == 0


@pytest.mark.parametrize(
    ("args", "sign"),
    [
        (("play", "tic_tac_toe", "--seat", "1", "-a", "random"), "your move: "),
        (("play", "connect_four", "--seat", "2", "-a", "uct(seconds=10_000)"), "is thinking"),
        (("analyse", "connect_four", "-a", "uct(seconds=10_000)"), "thinking"),
        (("analyse", "connect_four", "-a", "minimax(depth=30)"), "thinking"),
        (("bench", "--seconds", "60"), "measuring"),
        (("solve", "leduc", "-p", "ranks=13", "-p", "suits=4"), "compiling"),
    ],
)
def test_ctrl_c_ends_a_command_cleanly(args: tuple[str, ...], sign: str) -> None:
    """Left alone, each of them would run for minutes or longer."""
    with terminal(*args) as child:
        child.expect(sign)  # long work shows a progress bar
        child.sendintr()
        text, code = finish(child)
    assert "interrupted" in text
    assert "Traceback" not in text
    assert code == 130


def test_ctrl_c_in_a_solver_keeps_the_average_so_far(tmp_path: Path) -> None:
    file = tmp_path / "leduc.npz"
    with terminal("solve", "leduc", "--iterations", "1000000000", "--save", str(file)) as child:
        child.expect(r"dcfr: [\d,]+ iterations, exploitability")
        child.sendintr()
        text, code = finish(child)
    assert "NashConv" in text
    assert "interrupted: this is the average so far" in text
    assert "Traceback" not in text
    assert code == 130
    assert Policy.load(file).game.name == "leduc"


def test_ctrl_c_in_a_match_prints_the_games_so_far() -> None:
    with terminal("match", "tic_tac_toe", "uct(seconds=0.01)", "random", "-n", "100000") as child:
        child.expect(r"[1-9]\d*/100000")
        child.sendintr()
        text, code = finish(child)
    assert "won/drawn/lost" in text
    assert "interrupted after" in text
    assert "Traceback" not in text
    assert code == 130


def test_a_reader_that_leaves_is_no_error() -> None:
    with subprocess.Popen([*COMMAND, "games", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
