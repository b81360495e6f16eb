"""process(...): the conversation, every way in which a program can fail, and that none outlives its use."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz import _core
from kiebitz.agents import process
from kiebitz.agents.process import (
    Process,
    ProgramActionError,
    ProgramAnswerError,
    ProgramDiedError,
    ProgramError,
    ProgramStartError,
    ProgramTimeoutError,
)
from kiebitz.errors import BudgetError, IllegalAction, ParameterError
from kiebitz.spec import Spec, SpecError

ROOT = Path(__file__).parents[2]
GAME = kb.game("tic_tac_toe")
START = GAME.new().view(0)

HEAD = """
import json, os, sys, time
def read(): return json.loads(sys.stdin.readline() or "null")
def say(answer): print(json.dumps(answer), flush=True)
"""
READY = HEAD + 'read(); say({"protocol": 1})\n'
FIRST = (
    READY
    + """
while (message := read()) and message["type"] != "quit":
    if message["type"] == "move": say({"action": message["legal"][0]["action"]})
"""
)


@pytest.fixture(autouse=True)
def _nothing_waits() -> Iterator[None]:
    yield
    process.end_idle()


def program(text: str, game: kb.Game = GAME, seed: int = 0, *arguments: str, **options: Any) -> Process:
    """An agent that runs a program in Python; on a busy machine that takes its time."""
    options = {"seconds": 60, "start_seconds": 60, **options}
    command = (sys.executable, "-I", "-S", "-c", text, *arguments)
    agent = kb.agent(Spec.of("process", command, **options), game, seed)
    assert isinstance(agent, Process)
    return agent


def play(game: kb.Game, agents: list[kb.Agent]) -> list[float]:
    """A game of agents by seat."""
    state = game.new(seed=1)
    while state.player != kb.TERMINAL:
        state.apply(agents[state.player].act(state.view(state.player)))
    return list(state.returns())


def pid(agent: Process) -> int:
    """The process behind an agent that has moved."""
    assert agent._seat.program is not None
    return agent._seat.program._process.pid


def is_gone(number: int) -> bool:
    """Whether a process has ended and was reaped; one that is just being ended gets a moment."""
    for _ in range(6000):
        try:
            os.kill(number, 0)
            if Path("/proc/self/stat").exists():
                state, parent = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[:2]
                if state == "Z" and parent != str(os.getpid()):  # not ours: its new parent reaps it
                    return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


# --- The conversation -------------------------------------------------------------------------------------------------


def test_the_conversation_of_the_protocol(tmp_path: Path) -> None:
    log = tmp_path / "log"
    text = (
        HEAD
        + """
with open(sys.argv[1], "w") as log:
    for line in sys.stdin:
        log.write(line)
        message = json.loads(line)
        if message["type"] == "hello": say({"protocol": 1})
        if message["type"] == "move": say({"action": message["legal"][-1]["action"], "comment": "more is ignored"})
"""
    )
    game = kb.game("kuhn", players=3)
    agent = program(text, game, 5, str(log), seconds=7)
    view = game.new(seed=1).view(0)
    assert agent.act(view) == view.legal()[-1]
    assert agent.act(view) == view.legal()[-1]
    agent.close()
    process.end_idle()
    messages = [json.loads(line) for line in log.read_text().splitlines()]
    assert [message["type"] for message in messages] == ["hello", "game", "move", "move", "quit"]
    hello, new, move = messages[:3]
    assert (hello["protocol"], hello["game"], hello["params"]) == (1, game.to_json(), game.params)
    assert (hello["info"]["players"], hello["info"]["actions"]) == (3, game.info.actions)
    assert new == {"type": "game", "seed": 5}
    assert kb.games.view_from_json(move["view"]) == view
    assert move["legal"] == [
        {"action": 0, "name": "pass", "kind": "check", "amount": None},
        {"action": 1, "name": "bet", "kind": "bet", "amount": 1.0},
    ]
    assert move["outline"] == view.outline()
    assert move["seconds"] == 7


@pytest.mark.parametrize("name", _core.game_names())
def test_a_program_that_reads_the_view_plays_what_an_agent_here_plays(name: str) -> None:
    text = """
import json, sys
import kiebitz as kb
seed = None
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"protocol": 1}), flush=True)
    elif message["type"] == "game":
        seed = message["seed"]
    elif message["type"] == "move":
        view = kb.games.view_from_json(message["view"])
        print(json.dumps({"action": kb.agent("random", view.game, seed).act(view)}), flush=True)
"""
    game = kb.game(name)
    source = str(Path(kb.__file__).parents[1])
    command = (sys.executable, "-c", f"import sys; sys.path.insert(0, {source!r}){text}")
    there = kb.agent(Spec.of("process", command, seconds=60, start_seconds=60), game, 9)
    here = kb.agent("random", game, 9)
    for seed in range(3):
        state = game.new(seed=seed)
        while state.player != kb.TERMINAL:
            view = state.view(state.player)
            action = there.act(view)
            assert action == here.act(view)
            state.apply(action)


def test_the_example_in_javascript_wins_at_nim_and_plays_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    spec = 'process("node examples/process_agent.mjs", seconds=60, start_seconds=60)'
    for game in (kb.game("nim", heaps=[1, 2, 4]), kb.game("nim", heaps=[2, 5, 4], misere=True)):
        for seat in (0, 1):
            agents = [kb.agent(spec, game), kb.agent("nim_perfect", game)]
            returns = play(game, [agents[seat], agents[1 - seat]])
            assert returns[0] == 1, "the first to move wins"
    for name in kb.list_games():
        game = kb.game(name)
        play(game, [kb.agent(spec, game, seed=2)] * game.info.players)


def test_a_large_view_gets_through() -> None:
    """Larger than a pipe holds, to a program that takes its time to read."""
    wide = {"player": 0, "actions": {f"action number {n} with a long name": {"payoffs": [n]} for n in range(5000)}}
    game = kb.game("tree", tree={"players": ["Anna"], "root": wide})
    agent = program(READY + 'time.sleep(0.2); read(); m = read(); say({"action": len(m["legal"]) - 1})', game)
    assert agent.act(game.new().view(0)) == 4999


def test_noise_on_stderr_does_no_harm() -> None:
    noise = FIRST.replace("while (", 'sys.stderr.write("x" * 1_000_000)\nwhile (')
    assert program(noise).act(START) == 0


# --- What a program must not do ---------------------------------------------------------------------------------------

BEFORE_THE_GAME = [
    ("sys.exit('no licence')", "exit code 1\nits last words on stderr:\nno licence"),
    ("time.sleep(1000)", "no answer within 0.5 s"),
    ("print('hello!', flush=True)", "expected a JSON object, got 'hello!'"),
    ("say({'protocol': 2})", 'expected an answer to hello with "protocol": 1'),
    ("say([])", "expected a JSON object"),
    ("os.close(1); os.close(0); time.sleep(1000)", "it closed its output"),
]

IN_THE_GAME: list[tuple[str, type[ProgramError], str]] = [
    ("sys.exit(3)", ProgramDiedError, "it ended with exit code 3"),
    ("os.kill(os.getpid(), 9)", ProgramDiedError, "it was ended by signal 9"),
    ("1 / 0", ProgramDiedError, "ZeroDivisionError"),
    ("os.close(1); time.sleep(1000)", ProgramDiedError, "it closed its output"),
    ("time.sleep(1000)", ProgramTimeoutError, "no answer within 3 s"),
    ("sys.stderr.write('thinking\\n'); time.sleep(1000)", ProgramTimeoutError, "last words on stderr:\nthinking"),
    ("while True: sys.stderr.write('x' * 1000)", ProgramTimeoutError, "xxx"),
    ("print('e2e4', flush=True)", ProgramAnswerError, "expected a JSON object, got 'e2e4'"),
    ("print(flush=True)", ProgramAnswerError, "expected a JSON object, got ''"),
    ("sys.stdout.buffer.write(b'\\xff\\x00\\n'); sys.stdout.flush()", ProgramAnswerError, "expected a JSON object"),
    ("print('[' * 60_000, flush=True)", ProgramAnswerError, "expected a JSON object"),
    ("print('1' * 60_000, flush=True)", ProgramAnswerError, "expected a JSON object"),
    ("while True: sys.stdout.write('x' * 1000)", ProgramAnswerError, "at most 65536 bytes"),
    ("while True: print('x', flush=True)", ProgramAnswerError, "expected a JSON object"),
    ("say({})", ProgramAnswerError, "a whole number as its action"),
    ("say({'action': True})", ProgramAnswerError, "a whole number as its action"),
    ("say({'action': 1.0})", ProgramAnswerError, "a whole number as its action"),
    ("say({'action': '1'})", ProgramAnswerError, "a whole number as its action"),
    ("say({'action': 9})", ProgramActionError, "action 9 is not legal here; expected one of 0, 1, 2"),
    ("say({'action': -1})", ProgramActionError, "action -1 is not legal here"),
    ("say({'action': 10 ** 100})", ProgramActionError, "is not legal here"),
]


@pytest.mark.parametrize(("text", "words"), BEFORE_THE_GAME)
def test_a_program_that_does_not_get_ready_is_refused(text: str, words: str) -> None:
    agent = program(HEAD + "read()\n" + text, start_seconds=0.5 if "within" in words else 60)
    with pytest.raises(ProgramStartError) as caught:
        agent.act(START)
    assert words in str(caught.value)
    assert agent._seat.program is None


@pytest.mark.parametrize(("text", "error", "words"), IN_THE_GAME)
def test_a_program_that_fails_is_a_named_error_and_is_ended(
    text: str, error: type[ProgramError], words: str, tmp_path: Path
) -> None:
    note = tmp_path / "pid"
    head = READY.replace("read(); say", "open(sys.argv[1], 'w').write(str(os.getpid())); read(); say", 1)
    head += "read(); read()\n"
    agent = program(head + text, GAME, 0, str(note), seconds=3 if error is ProgramTimeoutError else 60)
    for _ in range(2):  # the second time it is started anew
        with pytest.raises(error) as caught:
            agent.act(START)
        assert words in str(caught.value)
        assert isinstance(caught.value, kb.Error)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
        assert is_gone(int(note.read_text()))


def test_an_illegal_answer_is_an_illegal_action_too() -> None:
    assert issubclass(ProgramActionError, IllegalAction)


def test_a_program_that_speaks_without_being_asked_is_refused() -> None:
    agent = program(FIRST.replace('say({"action', 'say({"action": 4}); say({"action'))
    assert agent.act(START) == 4  # both lines answer the same question
    there = agent._seat.program
    assert there is not None
    assert there._output or select.select([there._pipes()[1]], [], [], 60)[0]  # the second one has come too
    with pytest.raises(ProgramAnswerError, match="without being asked"):
        agent.act(START)


def test_children_of_a_program_are_ended_with_it(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    text = "import subprocess\n" + READY + "child = subprocess.Popen(['sleep', '1000'])\n"
    text += "open(sys.argv[1], 'w').write(str(child.pid)); read(); read(); sys.exit(1)"
    with pytest.raises(ProgramDiedError, match="exit code 1"):
        program(text, GAME, 0, str(note)).act(START)
    assert is_gone(int(note.read_text()))


def test_no_shell_is_involved(tmp_path: Path) -> None:
    agent = kb.agent(Spec.of("process", f"echo hello; touch {tmp_path}/made $(id)"), GAME)
    with pytest.raises(ProgramStartError, match="'hello; touch "):
        agent.act(START)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("process", ParameterError, "expected the option 'command'"),
        ('process("")', ParameterError, "expected a program"),
        ("process([])", ParameterError, "expected a program"),
        ('process("\'")', ParameterError, "no closing quotation"),
        ("process([1, 2])", ParameterError, "expected text or a list of texts"),
        ('process(["cat", ["nested"]])', ParameterError, "expected text or a list of texts"),
        ('process("ca\\u0000t")', ParameterError, "expected a program"),
        ('process("/no/such/program")', ProgramStartError, "there is no program '/no/such/program'"),
        ('process("/etc/passwd")', ProgramStartError, "there is no program '/etc/passwd'"),
        ('process("cat", seconds=0)', BudgetError, "seconds: expected 0.001 to"),
        ('process("cat", seconds=1e300)', BudgetError, "seconds: expected 0.001 to"),
        ('process("cat", start_seconds=-1)', BudgetError, "start_seconds"),
        ('process("cat", shell=true)', ParameterError, "has no option 'shell'"),
        ('process("cat', SpecError, "expected"),
    ],
)
def test_bad_options_are_refused_before_the_first_game(spec: str, error: type[kb.Error], words: str) -> None:
    with pytest.raises(error, match=words.replace("(", r"\(")):
        kb.agent(spec, GAME)


def test_a_program_without_an_interpreter_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    with pytest.raises(ProgramStartError, match="No such file"):
        kb.agent(Spec.of("process", str(broken)), GAME).act(START)


# --- How long it lives ------------------------------------------------------------------------------------------------


def test_a_program_serves_one_agent_at_a_time_and_is_kept_between_games() -> None:
    one, other = program(FIRST), program(FIRST)
    one.act(START)
    other.act(START)
    first, second = pid(one), pid(other)
    assert first != second
    del one
    third = program(FIRST)
    third.act(START)
    assert pid(third) == first
    third.close()
    del other
    process.end_idle()
    assert is_gone(first)
    assert is_gone(second)


def test_a_program_that_died_between_games_is_started_anew() -> None:
    agent = program(FIRST)
    agent.act(START)
    first = pid(agent)
    agent.close()
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    again = program(FIRST)
    assert again.act(START) == 0
    assert pid(again) != first
    assert is_gone(first)


def test_the_number_of_idle_programs_is_limited() -> None:
    agents = [program(FIRST) for _ in range(process.IDLE + 2)]
    for agent in agents:
        agent.act(START)
    numbers = [pid(agent) for agent in agents]
    for agent in agents:
        agent.close()
    assert sum(map(len, process._pool.idle.values())) == process.IDLE
    assert sum(is_gone(number) for number in numbers[-2:]) == 2


def test_a_program_that_does_not_quit_is_ended() -> None:
    agent = program(FIRST.replace('"quit"', '"never"') + "\nwhile True: time.sleep(1)")
    agent.act(START)
    number = pid(agent)
    agent.close()
    process.end_idle()
    assert is_gone(number)


def test_ctrl_c_ends_the_program_that_was_asked(tmp_path: Path) -> None:
    """It is the program that presses it, when it has been asked for a move; tests in the background ignore SIGINT."""
    note = tmp_path / "pid"
    asked = "open(sys.argv[1], 'w').write(str(os.getpid())); os.kill(os.getppid(), 14); time.sleep(1000)"
    agent = program(f"{READY}read(); read(); {asked}", GAME, 0, str(note))

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            agent.act(START)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert is_gone(int(note.read_text()))


def test_pickling_leaves_the_program_behind() -> None:
    agent = program(FIRST)
    agent.act(START)
    twin = pickle.loads(pickle.dumps(agent))
    assert twin == agent
    assert isinstance(twin, Process)
    assert twin._seat.program is None
    assert twin.act(START) == 0
    assert pid(twin) != pid(agent)


def _play_in_worker(agent: Process, answers: Any) -> None:
    answers.put((agent.act(START), pid(agent)))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_have_programs_of_their_own(method: str) -> None:
    # It would never end by itself: the worker must end it.
    agent = program(FIRST + "\nwhile True: time.sleep(1)")
    agent.act(START)
    context: Any = multiprocessing.get_context(method)
    answers = context.SimpleQueue()
    worker = context.Process(target=_play_in_worker, args=(agent, answers))
    worker.start()
    action, theirs = answers.get()
    worker.join()
    assert (action, worker.exitcode) == (0, 0)
    assert theirs != pid(agent)
    assert is_gone(theirs)
    assert agent.act(START) == 0, "ours is still there"


def test_a_process_that_ends_leaves_no_program_behind(tmp_path: Path) -> None:
    """Neither those that wait for another game nor those of agents that are still there."""
    note = tmp_path / "pids"
    text = FIRST.replace("while (", "open(sys.argv[1], 'a').write(f'{os.getpid()}\\n')\nwhile (")
    spec = str(Spec.of("process", (sys.executable, "-I", "-S", "-c", text + "\nwhile True: time.sleep(1)", str(note))))
    source = f"""
import kiebitz as kb
game = kb.game("nim")
for number in range(6):
    agents = [kb.agent({spec!r}, game, seed=number) for seat in range(2)]
    for agent in agents:
        agent.act(game.new().view(0))
    if number < 5:
        del agent, agents
"""
    environment = {**os.environ, "PYTHONPATH": str(Path(kb.__file__).parents[1])}
    subprocess.run([sys.executable, "-c", source], check=True, env=environment, cwd=ROOT)
    numbers = [int(line) for line in note.read_text().split()]
    assert len(numbers) == 2, "two seats, six games, two programs"
    assert all(is_gone(number) for number in numbers)


def test_the_agent_says_that_it_runs_code_and_is_not_pure() -> None:
    assert Process.runs_code
    assert not program(FIRST).pure
