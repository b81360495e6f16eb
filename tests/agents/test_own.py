"""Agents and games of other people: from files, from installed packages, and as objects where specs are expected."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import kiebitz as kb
from kiebitz import plugins
from kiebitz.agents import Agent, base
from kiebitz.arena.matches import make_plan
from kiebitz.arena.workers import rows_of
from kiebitz.cli import app
from kiebitz.games import registry

ROOT = Path(__file__).parents[2]
WATCHFUL = ROOT / "examples" / "my_agent.py"
NIM = kb.game("nim", heaps=[1, 2])

LAST = """
import kiebitz as kb
from kiebitz.agents import Agent, register

@register("NAME")
class Last(Agent):
    '''The last legal action.'''

    def move(self, view):
        return view.legal()[-1]
"""
COIN = """
import kiebitz as kb

class CoinState(kb.PythonState):
    def __init__(self):
        self.bet = -1

    def player(self):
        return 0 if self.bet < 0 else kb.TERMINAL

    def legal(self):
        return [0, 1]

    def apply(self, action):
        self.bet = action

    def returns(self):
        return [1.0] if self.bet else [-1.0]

@kb.register
class Coin(kb.PythonGame):
    name = "own_coin"
    title = "Coin"
    players = 1
    utility = "general"
    state = CoinState
    actions = 2
    max_legal = 2
    max_length = 1
"""


@pytest.fixture(autouse=True)
def _registries_stay(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    kb.list_agents()
    monkeypatch.setattr(base, "_registry", dict(base._registry))
    monkeypatch.setattr(registry, "_python_games", dict(registry._python_games))
    yield
    plugins.load_installed.cache_clear()


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


class First(Agent):
    """The first legal action; no spec names it."""

    def move(self, view: kb.View) -> int:
        """Plays it."""
        return view.legal()[0]


class Counting(First):
    """Keeps what no spec could say."""

    def __init__(self, game: kb.Game, keeps: Any) -> None:
        super().__init__(game)
        self.keeps = keeps


def test_the_guide_has_a_hidden_game_in_full() -> None:
    """Its code is that of the example, which runs through all tests of the contract."""
    guide = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```py\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    assert (ROOT / "examples" / "little_poker.py").read_text(encoding="utf-8").endswith(code)


# --- Files ------------------------------------------------------------------------------------------------------------


def test_a_file_brings_an_agent(tmp_path: Path) -> None:
    name = kb.agents.load(written(tmp_path / "bot.py", LAST.replace("NAME", "own_last")))
    assert name == "own_last"
    assert kb.agent(name, NIM).act(NIM.new().view(0)) == NIM.new().legal()[-1]
    assert name in kb.list_agents()


def test_a_file_can_be_loaded_again_after_a_change(tmp_path: Path) -> None:
    file = written(tmp_path / "bot.py", LAST.replace("NAME", "own_last"))
    kb.agents.load(file)
    file.write_text(LAST.replace("NAME", "own_last").replace("[-1]", "[0]"))
    assert kb.agent(kb.agents.load(file), NIM).act(NIM.new().view(0)) == NIM.new().legal()[0]


@pytest.mark.parametrize("name", ["own_last", "random"])
def test_two_agents_of_one_name_are_refused(name: str, tmp_path: Path) -> None:
    """Otherwise a match of two versions would be one version against itself."""
    if name != "random":
        kb.agents.load(written(tmp_path / "one" / "bot.py", LAST.replace("NAME", name)))
    other = written(tmp_path / "two" / "bot.py", LAST.replace("NAME", name).replace("Last", "Random"))
    with pytest.raises(kb.UnknownName, match=f"there is already an agent named '{name}'"):
        kb.agents.load(other)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "registers no agent; expected a class with @kiebitz.agents.register"),
        ("x = 1\nboom()", r"bot\.py, line 2: NameError: name 'boom' is not defined"),
        ("def f(:", "SyntaxError"),
        ("raise SystemExit(3)", "SystemExit: 3"),
    ],
)
def test_a_file_without_an_agent_is_refused(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(kb.UnknownName, match=words):
        kb.agents.load(written(tmp_path / "bot.py", text))


def test_the_command_line_takes_files(tmp_path: Path) -> None:
    bot = written(tmp_path / "bot.py", LAST.replace("NAME", "own_last"))
    specs = [str(WATCHFUL), f"{WATCHFUL}(blocks=false)", str(bot)]
    done = CliRunner().invoke(app, ["tournament", "tic_tac_toe", *specs, "-n", "2", "--db", "none", "--json"])
    assert done.exit_code == 0, done.output
    assert [agent["agent"] for agent in json.loads(done.stdout)["agents"]] == [
        "watchful",
        "watchful(blocks=false)",
        "own_last",
    ]
    described = CliRunner().invoke(app, ["agents", str(WATCHFUL), "--json"])
    assert [option["name"] for option in json.loads(described.stdout)["options"]] == ["blocks"]
    missing = CliRunner().invoke(app, ["match", "nim", "./nowhere.py", "random"])
    assert (missing.exit_code, missing.stderr) == (2, "error: nowhere.py: No such file or directory\n")


# --- Installed packages -----------------------------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with a game and an agent, and one whose import fails."""
    written(tmp_path / "own_bots" / "__init__.py", LAST.replace("NAME", "own_last"))
    written(tmp_path / "own_games.py", COIN)
    written(tmp_path / "own_broken.py", "import no_such_module")
    written(tmp_path / "own-1.0.dist-info" / "METADATA", "Metadata-Version: 2.1\nName: own\nVersion: 1.0\n")
    points = "[kiebitz.agents]\nlast = own_bots\nbroken = own_broken\n[kiebitz.games]\ncoin = own_games:Coin\n"
    written(tmp_path / "own-1.0.dist-info" / "entry_points.txt", points)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    plugins.load_installed.cache_clear()


@pytest.mark.usefixtures("installed")
def test_installed_packages_announce_games_and_agents() -> None:
    assert "own_coin" in kb.list_games()
    with pytest.warns(UserWarning, match=r"own_broken \(kiebitz.agents\) cannot be loaded.*no_such_module"):
        agent = kb.agent("own_last", kb.game("own_coin"))
    assert agent.act(kb.game("own_coin").new().view(0)) == 1


# --- Objects ----------------------------------------------------------------------------------------------------------


def test_an_object_of_a_registered_class_stands_for_its_spec() -> None:
    agent = kb.agent("uct(iterations=10)", NIM, seed=7)
    plan = make_plan(NIM, [agent, "random"], 4)
    assert (plan.agents, plan.given) == (("uct(iterations=10)", "random"), ())


@pytest.mark.parametrize("workers", [1, 2])
def test_any_other_object_plays_itself(workers: int) -> None:
    plan = make_plan(NIM, [Counting(NIM, {"a": 1}), "random"], 6)
    rows = [row for some in rows_of(plan, range(6), workers=workers) for row in some]
    assert [row.events for row in rows] == [()] * 6
    assert all(row.actions[0] == NIM.new().legal()[0] for row in rows if row.seating[0] == 0)
    assert plan.identity != plan.identity  # its moves may change at any time: never resumed
    assert kb.arena.match(NIM, [First(NIM), "random"], games=4).specs == ("First", "random")


def test_an_object_that_cannot_be_sent_needs_one_worker() -> None:
    own = Counting(NIM, lambda: None)
    assert kb.arena.match(NIM, [own, "random"], games=2, workers=1).games == 2
    with pytest.raises(kb.ParameterError, match="cannot be sent to other processes: say workers=1"):
        kb.arena.match(NIM, [own, "random"], games=2, workers=2)


def test_an_object_for_another_game_is_refused() -> None:
    with pytest.raises(kb.UnsuitableGame, match="expected an agent for"):
        kb.arena.match(kb.game("nim"), [First(NIM), "random"], games=2)


def test_agents_from_files_reach_the_workers() -> None:
    name = kb.agents.load(WATCHFUL)
    plan = make_plan(kb.game("tic_tac_toe"), [f"{name}(blocks=false)", "random"], 6)
    rows = [row for some in rows_of(plan, range(6), workers=2) for row in some]
    assert [row.events for row in rows] == [()] * 6


def test_the_file_of_an_agent_is_part_of_what_identifies_a_run(tmp_path: Path) -> None:
    file = written(tmp_path / "bot.py", LAST.replace("NAME", "own_last"))
    plan = make_plan(NIM, [kb.agents.load(file), "random"], 2)
    before = plan.identity
    assert plan.identity == before
    file.write_text(file.read_text() + "# changed\n")
    assert plan.identity != before


# --- Why an agent failed ----------------------------------------------------------------------------------------------


def test_the_reason_of_a_failure_is_shown(tmp_path: Path) -> None:
    """With the last words of a program, however much it said before."""
    noise = "import sys; sys.stderr.write('noise ' * 500 + '\\nthe last words\\n'); sys.exit(4)"
    bot = written(tmp_path / "bot.py", noise)
    spec = f'process(["{sys.executable}", "{bot}"])'
    done = CliRunner().invoke(app, ["match", "nim", spec, "random", "-n", "2", "--db", "none"], env={"COLUMNS": "500"})
    assert "failed 2 times: " in done.stdout
    assert "it ended with exit code 4" in done.stdout
    assert "the last words" in done.stdout
    result = kb.arena.compare(NIM, [spec, "random"], deals=2, workers=1)
    (failure,) = result.to_dict()["agents"][0]["failures"]
    assert failure["games"] == 4
    assert failure["reason"].endswith("the last words")
