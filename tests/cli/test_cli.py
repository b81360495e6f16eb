"""The command line: every command, its JSON, and one plain message for every mistake."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import kiebitz as kb
from kiebitz import records
from kiebitz.arena import Store
from kiebitz.cli import app
from kiebitz.cli.common import clean, make_game, number, parse_param, seconds
from kiebitz.games.tree import list_examples, load_example


def run(*args: str, input: str | None = None) -> Result:
    return CliRunner().invoke(app, list(args), input=input, env={"COLUMNS": "100", "NO_COLOR": "1"})


def good(*args: str, input: str | None = None) -> str:
    result = run(*args, input=input)
    assert result.exit_code == 0, result.output
    return result.stdout


def good_json(*args: str, input: str | None = None) -> Any:
    return json.loads(good(*args, "--json", input=input))


# --- games and agents -------------------------------------------------------------------------------------------------


def test_version() -> None:
    assert good("--version") == f"kiebitz {kb.__version__}\n"


def test_help_names_every_command() -> None:
    text = good("--help")
    for command in ("play", "match", "analyse", "games", "agents", "bench"):
        assert command in text


def test_games_lists_all() -> None:
    text = good("games")
    for name in kb.list_games():
        assert name in text
    assert [game["name"] for game in good_json("games")] == kb.list_games()


def test_games_describes_one() -> None:
    text = good("games", "oware", "--preset", "abapa", "-p", "seeds=5")
    for expected in ("Oware", "must_feed", "abapa", "thesis", "alphabeta", "perfect information"):
        assert expected in text
    data = good_json("games", "oware", "--preset", "abapa", "-p", "seeds=5")
    assert data["preset"] == "abapa"
    assert data["params"]["seeds"] == 5
    assert {parameter["name"] for parameter in data["parameters"]} == set(data["params"])
    assert "random" in data["agents"]


@pytest.mark.parametrize("name", ["connect_four", "Connect Four", "connect-four"])
def test_games_are_found_however_they_are_written(name: str) -> None:
    assert make_game(name).name == "connect_four"


def test_agents_lists_all() -> None:
    text = good("agents")
    for name in kb.list_agents():
        assert name in text
    assert [agent["name"] for agent in good_json("agents")] == kb.list_agents()


def test_agents_describes_one() -> None:
    text = good("agents", "uct")
    for expected in ("iterations", "ucb1 | ucb1_sqrt2 | ucb1_2sqrt2", "memory_mb"):
        assert expected in text
    data = good_json("agents", "cheat")
    assert data["sees_state"] is True
    assert data["options"][0]["required"] is True
    assert "no options" in good("agents", "rule_of_thumb")


def test_agents_of_a_game() -> None:
    names = [agent["name"] for agent in good_json("agents", "--game", "kuhn")]
    assert names == kb.list_agents(kb.game("kuhn"))
    assert "random" in names
    assert "uct" not in names


def test_agents_of_a_game_end_with_a_spec_that_it_takes() -> None:
    for game in ("kuhn", "nim"):
        spec = good("agents", "--game", game).split("such as '")[1].split("'")[0]
        assert kb.agent(spec, kb.game(game)).spec == spec


def test_the_tree_shows_what_people_give_it() -> None:
    (line,) = [line for line in good("games").splitlines() if line.startswith("tree ")]
    assert "Explicit tree" in line
    text = " ".join(good("games", "tree").split())
    for expected in ("file a JSON", "tree the same", "example a tree", "general-sum", *list_examples()):
        assert expected in text
    assert "movers" not in text
    data = good_json("games", "tree", "-p", "example=strategy_fusion")
    assert [parameter["name"] for parameter in data["parameters"]] == ["file", "tree", "example"]
    assert data["examples"] == list_examples()
    assert data["params"]["tree"]["players"] == ["Player"]
    assert "1 player, " in good("games", "tree", "-p", "example=strategy_fusion")


# --- games from files -------------------------------------------------------------------------------------------------

HEXAPAWN = str(Path(__file__).parents[2] / "examples" / "hexapawn.py")


def tree_file(folder: Path, example: str = "backward_induction") -> str:
    path = folder / f"{example}.json"
    path.write_text(json.dumps(load_example(example)), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("command", ["play", "match", "analyse", "games", "bench"])
def test_help_says_that_files_are_games(command: str) -> None:
    text = " ".join(good(command, "--help").replace("│", " ").split())
    assert ".py file (a game written in Python)" in text
    assert ".json, .efg or .nfg file (a tree)" in text


def test_a_game_written_in_python_from_its_file(tmp_path: Path) -> None:
    assert "Hexapawn" in good("games", HEXAPAWN)
    assert "best b3a2" in good("analyse", HEXAPAWN, "--moves", "a1a2", "-a", "alphabeta(depth=9)")
    path = tmp_path / "games.jsonl"
    text = good("play", HEXAPAWN, "-a", "random", "--seed", "1", "--record", str(path), input="1\n" * 9)
    assert "3 b b b" in text
    assert "wins" in text or "You win" in text or "You lose" in text
    (record,) = records.load(path)
    assert record.game == {"name": "hexapawn"}


def test_a_recorded_game_written_in_python_is_analysed_in_a_new_process(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    good("match", HEXAPAWN, "random", "random", "-n", "1", "--record", str(path))

    def analyse(*args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "kiebitz", "analyse", *args, "--record", str(path), "--json"]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    found = analyse(HEXAPAWN, "-a", "alphabeta(depth=9)")
    assert found.returncode == 0, found.stderr
    data = json.loads(found.stdout)
    assert len(data["moves"]) == len(data["record"]["actions"]) > 0
    without = analyse()
    assert without.returncode == 2
    assert "unknown game 'hexapawn'; if it was written in Python, give its .py file" in without.stderr


def test_parameters_reach_a_game_written_in_python(tmp_path: Path) -> None:
    path = tmp_path / "countdown.py"
    path.write_text(
        """
import kiebitz as kb

class State(kb.PythonState):
    def __init__(self, left):
        self.left = left

    def player(self):
        return 0 if self.left else kb.TERMINAL

    def legal(self):
        return [1] if self.left else []

    def apply(self, action):
        self.left -= 1

    def returns(self):
        return [0.0, 0.0]

@kb.register
class Countdown(kb.PythonGame):
    name = "countdown_of_a_file"
    actions = 2

    def __init__(self, heap=3):
        self.heap = heap
        self.max_length = heap

    def root(self):
        return State(self.heap)
""",
        encoding="utf-8",
    )
    assert good_json("games", str(path), "-p", "heap=7")["max_length"] == 7
    assert good_json("analyse", str(path), "-p", "heap=7", "-a", "random")["position"] == {"left": 7}
    result = run("games", str(path), "-p", "stones=7")
    assert result.exit_code == 2
    assert "stones" in result.stderr
    assert "has no presets" in run("games", str(path), "--preset", "x").stderr


def test_an_explicit_tree_from_its_file(tmp_path: Path) -> None:
    path = tree_file(tmp_path)
    assert "Explicit tree: Backward induction" in good("games", path)
    assert good_json("analyse", path, "-a", "uct(iterations=500)")["analysis"]["best_name"] == "U"
    text = good("play", path, "-a", "random", "--seed", "1", input="U\n1\n")
    assert "Payoffs" in text
    result = good_json("match", path, "uct(iterations=100)", "random", "-n", "2", "--record", str(tmp_path / "r.jsonl"))
    assert result["games"] == 2
    assert good_json("analyse", "--record", str(tmp_path / "r.jsonl"))["moves"][0]["best"] == "U"


@pytest.mark.parametrize("option", [("--preset", "x"), ("-p", "seeds=4")])
def test_a_tree_file_has_no_other_rules(tmp_path: Path, option: tuple[str, str]) -> None:
    result = run("games", tree_file(tmp_path), *option)
    assert result.exit_code == 2
    assert "expected no --preset and no -p" in result.stderr


# --- match ------------------------------------------------------------------------------------------------------------


def test_match_prints_means_with_intervals() -> None:
    text = good("match", "tic_tac_toe", "uct(iterations=5)", "random", "--games", "20", "--seed", "3")
    assert "uct(iterations=5)" in text
    assert "95 % intervals" in text
    assert "±" in text
    assert "moves a game" in text


def test_match_json_is_reproducible() -> None:
    args = ("match", "leduc", "cheat(uct(iterations=20))", "random", "-n", "10", "--seed", "3")
    first, again = good_json(*args), good_json(*args)
    assert first["games"] == 10
    assert first["agents"][0]["cheats"] is True
    assert first["agents"][0]["payoff"] == again["agents"][0]["payoff"]


def test_match_marks_cheats_and_counts_guards() -> None:
    assert "* cheats" in good("match", "kuhn", "cheat(uct(iterations=10))", "random", "-n", "4")
    assert "4 games ended by the guard" in good("match", "oware", "random", "random", "-n", "4", "-p", "max_plies=3")


def test_match_gives_no_interval_where_every_deal_paid_the_same() -> None:
    text = good("match", "nim", "nim_perfect", "random", "-n", "4")
    assert "±" not in text
    assert "no interval where all rounds paid the same" in " ".join(text.split())
    text = good("match", "tic_tac_toe", "random", "uct(iterations=5)", "-n", "20")
    assert "±" in text
    assert "no interval" not in " ".join(text.split())


def test_match_records_games(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    good("match", "nim", "random", "nim_perfect", "-n", "3", "--record", str(path))
    assert [records.replay(record).player for record in records.load(path)] == [kb.TERMINAL] * 3


def test_match_says_which_games_are_not_in_the_file_of_records(tmp_path: Path) -> None:
    args = ("match", "nim", "random", "nim_perfect", "-n", "3", "--db", str(tmp_path / "results.db"))
    good(*args)
    result = run(*args, "--record", str(tmp_path / "games.jsonl"))
    assert "3 of these games were in the store already (run 1)" in result.stderr
    assert "kiebitz results 1 --records FILE" in result.stderr


def test_match_says_how_many_games_an_interval_needs() -> None:
    text = good("match", "kuhn", "random", "equilibrium", "-n", "40", "--width", "0.01")
    assert "more games for the difference within ± 0.01: about " in text


def test_an_opening_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "lines.bin"
    file.write_bytes(b"\xff\xfe\x00")
    result = run("match", "nim", "random", "random", "-n", "2", "--opening", str(file))
    assert result.exit_code == 2
    assert "expected an opening a line, as text" in result.stderr


def test_passwords_are_not_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    db = str(tmp_path / "results.db")
    monkeypatch.setattr("sys.argv", ["kiebitz", "match", "--db", "postgresql://ada:s3cret@host/games"])
    good("match", "nim", "random", "random", "-n", "2", "--db", db)
    with Store.open(db) as store:
        assert store.run(1).command == "kiebitz match --db 'postgresql://ada:***@host/games'"


# --- analyse ----------------------------------------------------------------------------------------------------------


def test_analyse_a_position_finds_the_win() -> None:
    position = '{"board": "xx.oo...."}'
    assert "best c1" in good("analyse", "tic_tac_toe", "--position", position)
    data = good_json("analyse", "tic_tac_toe", "--position", position, "--agent", "minimax(2)")
    assert data["analysis"]["best_name"] == "c1"
    assert data["position"]["board"] == "xx.oo...."


def test_analyse_moves_from_the_start() -> None:
    text = good("analyse", "connect_four", "--moves", "d d, e", "-a", "uct(iterations=200)")
    assert "player 2 to move" in text
    assert "visits" in text
    assert "line: " in text


def test_analyse_a_position_from_file_and_stdin(tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text('{"board": "xx.oo...."}')
    assert "best c1" in good("analyse", "tic_tac_toe", "--position", f"@{path}")
    assert "best c1" in good("analyse", "tic_tac_toe", "--position", "-", input='{"board": "xx.oo...."}')


def test_analyse_a_hidden_game_shows_only_the_view() -> None:
    text = good("analyse", "kuhn", "--seed", "1")
    assert "you: jack" in text
    assert "player 2: ?" in text
    assert "you are player 1, to move" in text
    assert "equilibrium" in text
    assert "played" in text


def test_analyse_names_its_agent_and_marks_cheats(tmp_path: Path) -> None:
    text = good("analyse", "kuhn", "-a", "cheat( uct( iterations = 50 ) )")
    assert "agent: cheat(uct(iterations=50)) *" in text
    assert "* cheats" in text
    text = good("analyse", "nim", "-a", "nim_perfect")
    assert "agent: nim_perfect\n" in text
    assert "cheats" not in text
    path = tmp_path / "games.jsonl"
    good("match", "kuhn", "random", "random", "-n", "1", "--record", str(path))
    assert "* cheats" in good("analyse", "--record", str(path), "-a", "cheat(uct(iterations=50))")
    for args in (("kuhn",), ("--record", str(path))):
        data = good_json("analyse", *args, "-a", "cheat(uct(iterations=50))")
        assert (data["agent"], data["cheats"]) == ("cheat(uct(iterations=50))", True)
        data = good_json("analyse", *args)
        assert (data["agent"], data["cheats"]) == (None, False)


def test_analyse_a_record(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    good("match", "tic_tac_toe", "random", "uct(iterations=200)", "-n", "2", "--record", str(path))
    text = good("analyse", "--record", str(path), "--number", "2")
    assert "uct(iterations=200)" in text
    assert "lost" in text
    data = good_json("analyse", "--record", str(path), "-a", "alphabeta(depth=9)")
    assert len(data["moves"]) == len(data["record"]["actions"])
    one = good_json("analyse", "--record", str(path), "--ply", "2")
    assert one["position"]["board"].count(".") == 7
    piped = good_json("analyse", "--record", "-", "--ply", "2", input=path.read_text())
    assert piped == {**one, "analysis": {**piped["analysis"]}}


def test_analyse_a_record_of_a_hidden_game(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    good("match", "leduc", "random", "random", "-n", "1", "--record", str(path))
    data = good_json("analyse", "--record", str(path))
    record = next(records.load(path))
    assert 0 < len(data["moves"]) < len(record.actions)  # chance moves are not decisions
    cheating = good_json("analyse", "--record", str(path), "-a", "cheat(uct(iterations=50))")
    assert len(cheating["moves"]) == len(data["moves"])


# --- bench ------------------------------------------------------------------------------------------------------------


def test_bench_measures_and_signs() -> None:
    args = ("bench", "tic_tac_toe", "kuhn", "--seconds", "0.02")
    first, again = good_json(*args), good_json(*args)
    assert [row["game"] for row in first["games"]] == ["tic_tac_toe", "kuhn"]
    assert all(row["simulations"] > 0 and row["playouts"] > 0 and row["python_games"] > 0 for row in first["games"])
    assert first["signature"] == again["signature"] > 0
    assert "simulations/s" in good(*args)


# --- play -------------------------------------------------------------------------------------------------------------


def test_play_a_whole_game_from_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    moves = "help\nmoves\nhint\nboard\nb2\n" + "\n".join(f"{n}" for n in (1, 1, 1, 1, 1))
    text = good("play", "tic_tac_toe", "-a", "alphabeta(depth=9)", "--seed", "1", "--record", str(path), input=moves)
    assert "Type a move by its name" in text
    assert "1 a1   2 b1" in text
    assert "Winning chance" in text
    assert "player 2 plays" in text
    assert "You lose" in text or "A draw" in text
    (record,) = records.load(path)
    assert record.seats == ("person", "alphabeta(depth=9)")
    assert records.replay(record).player == kb.TERMINAL


def test_play_refuses_bad_moves_and_takes_moves_back() -> None:
    text = good("play", "tic_tac_toe", "-a", "random", "--seed", "1", input="z9\nundo\nb2\nundo\na1\nquit\n")
    assert "'z9' is not possible here; expected a1, b1" in text
    assert "nothing to take back" in text
    assert text.count("player 2 plays") == 2
    assert "good-bye" in text


def test_play_json_prints_the_record_alone() -> None:
    result = run("play", "nim", "--seat", "2", "-a", "nim_perfect", "--json", "--seed", "3", input="1\nquit\n")
    assert result.exit_code == 0
    record = records.from_json(json.loads(result.stdout))
    assert record.seats == ("nim_perfect", "person")
    assert len(record.actions) == 3
    assert "your move" in result.stderr


def test_play_shows_no_hidden_cards() -> None:
    text = good("play", "kuhn", "-a", "cheat(uct(iterations=50))", "--seed", "5", input="undo\npass\npass\n")
    assert "you: jack" in text
    assert "player 2: ?" in text
    assert not re.search(r"player 2: (jack|queen|king)", text)
    assert "cannot be taken back where something is hidden" in text
    assert "You " in text


def test_play_does_not_tell_secret_choices() -> None:
    text = good("play", "rock_paper_scissors", "--seat", "2", "-a", "random", "--seed", "3", input="paper\n")
    before, own_choices = text.split("your move")[0].split("\n1 ")
    assert "player 1 has moved" in before
    assert own_choices.strip() == "rock   2 paper   3 scissors"
    assert not any(word in before.lower().split() for word in ("rock", "paper", "scissors"))


def test_play_two_people_at_one_terminal() -> None:
    text = good("play", "tic_tac_toe", "-a", "person", input="a1\nb1\na2\nb2\na3\n")
    assert "player 2: " in text
    assert "Player 1 wins." in text


def test_two_people_do_not_see_each_others_cards() -> None:
    text = good("play", "kuhn", "-a", "person", "--seed", "1", input="\npass\n\npass\n")
    first, rest = text.split("player 2, press Enter when nobody else looks")
    rest = rest.split("2 bet")[0]  # at the end both are shown
    assert "player 2: ?" in first
    assert "player 1: jack" in first
    assert "player 1: ?" in rest
    assert "player 2: king" in rest


def test_watch_agents_play() -> None:
    text = good("play", "oware", "--watch", "-a", "uct(iterations=20)", "-a", "random", "--seed", "1")
    assert "player 1: uct(iterations=20)" in text
    assert "captured" in text
    assert "wins" in text or "draw" in text


def test_play_with_more_than_two() -> None:
    text = good("play", "kuhn", "-p", "players=3", "--seat", "3", "-a", "random", "--seed", "1", input="pass\npass\n")
    assert "player 3: you" in text


@pytest.mark.parametrize("game", ["connect_four", "kuhn", "leduc", "liars_dice", "nim", "oware", "rock_paper_scissors"])
def test_a_german_table_speaks_german(game: str) -> None:
    """What somebody who plays in German reads, from the greeting to the good-bye, has no English in it."""
    moves = "help\nundo\nscore\nboard\nz9\nhint\n" + "1\n" * 40 + "quit\n"
    text = good("play", game, "-a", "random", "--language", "de", "--seed", "3", input=moves)
    commands = {"help", "moves", "hint", "quiet", "undo", "board", "score", "quit", "random"}
    words = set(re.findall(r"[a-z]+", text.lower())) - commands
    english = {"you", "your", "player", "the", "and", "wins", "lose", "draw", "captured", "played", "value", "worlds"}
    assert words & (english | {"expected", "payoffs", "game", "or", "with", "good", "bye", "thinking", "pass"}) == set()


def test_tables_of_agents_fit_into_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long specs are listed once, whole, and called by number where figures need the room."""
    monkeypatch.setattr("kiebitz.cli.common.out._width", 80)
    specs = ["random", "uct(iterations=20, c=1.4, expand=all)", "flat_mc(iterations=20)"]
    text = good("tournament", "connect_four", *specs, "--deals", "3", "--db", "none")
    assert "18 games in 3 rounds" in text
    assert "deal" not in text
    table = text.split("row against column")[0]
    assert max(map(len, table.splitlines())) <= 80
    for place, spec in enumerate(specs, 1):
        assert f"{place}  {spec}\n" in table


# --- Mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("games", "chess960"), "unknown game 'chess960'"),
        (("games", "oware", "--preset", "x"), "preset"),
        (("games", "nim", "--preset", "x"), "--preset: nim has no presets"),
        (("games", "oware", "-p", "seeds=99"), "seeds"),
        (("games", "oware", "-p", "seeds"), "expected KEY=VALUE"),
        (("games", "oware", "-p", "seeds=many"), "seeds"),
        (("games", "oware", "-p", "stones=4"), "stones"),
        (("agents", "nobody"), "there is no agent 'nobody'"),
        (("agents", "--game", "nogame"), "unknown game"),
        (("match", "nim", "random"), "match: expected 2 agents, one for each of its 2 seats, got 1"),
        (("match", "nim", "random", "random", "--series", "--permutations"), "--series and --permutations cannot be"),
        (("match", "nim", "random", "uct("), "expected a value, got the end"),
        (("match", "nim", "random", "random", "-n", "0"), "games: expected 1 to"),
        (("match", "kuhn", "random", "uct"), "write cheat(uct(...))"),
        (("match", "nim", "random", "uct(iterations=0)"), "iterations: expected 1 to"),
        (("match", "nim", "random", "random", "-n", "1", "--record", "/no/such/folder/x"), "No such file or directory"),
        (("analyse",), "expected a game, or --record FILE"),
        (("analyse", "nim", "--ply", "3"), "--ply: expected only together with --record"),
        (("analyse", "nim", "--record", "x"), "expected no game"),
        (("analyse", "--record", "/dev/null"), "expected a file with at least 1 game\n"),
        (("analyse", "--record", "/dev/null", "--number", "2"), "expected a file with at least 2 games\n"),
        (("analyse", "--record", "/no/such/file"), "/no/such/file: No such file or directory"),
        (("analyse", "tic_tac_toe", "--position", "{"), "expected a complete JSON object"),
        (("analyse", "tic_tac_toe", "--position", "7"), "expected a JSON object"),
        (("analyse", "tic_tac_toe", "--position", '{"board": "xxxxxxxxx"}'), "board"),
        (("analyse", "tic_tac_toe", "--position", '{"board": "xxxoo...."}'), "the game is over"),
        (("analyse", "tic_tac_toe", "--moves", "b2 b2"), "--moves: move 2: 'b2' names no legal action"),
        (("analyse", "tic_tac_toe", "--moves", "a1 b1 a2 b2 a3 b3"), "the game is over before move 6"),
        (("analyse", "leduc", "-a", "uct"), "write cheat(uct(...))"),
        (("play",), "expected the name of a game"),
        (("play", "nim", "--seat", "3"), "--seat: expected 1 to 2, got 3"),
        (("play", "nim", "-a", "random", "-a", "random"), "--against: expected 1 or 1 opponents, got 2"),
        (("play", "nim", "-a", "nobody"), "there is no agent 'nobody'"),
        (("play", "nim", "--seat", "0"), "--seat: expected 1 to 2, got 0"),
        (("play", "nim", "--language", "fr"), "--language: expected en or de, got 'fr'"),
        (("play", "nim", "--watch", "--seat", "1"), "--watch: expected no --seat"),
        (("bench", "nogame"), "unknown game"),
    ],
)
def test_mistakes_end_with_one_message_and_code_2(args: tuple[str, ...], message: str) -> None:
    result = run(*args, input="")
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.output
    assert result.stdout == ""


@pytest.mark.parametrize("args", [("nonsense",), ("match",), ("bench", "--seconds", "x"), ("games", "--wat")])
def test_wrong_usage_ends_with_code_2(args: tuple[str, ...]) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_broken_records_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    good("match", "nim", "random", "random", "-n", "1", "--record", str(path))
    with path.open("a") as stream:
        stream.write('{"schema": 1, "game"')
    result = run("analyse", "--record", str(path), "--number", "2")
    assert result.exit_code == 2
    assert "line 2: expected a complete JSON object" in result.stderr
    result = run("analyse", "--record", str(path), "--number", "1", "--ply", "99")
    assert "ply: expected 0 to" in result.stderr


# --- Small parts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "value"),
    [
        ("seeds=4", 4),
        ("x=0.5", 0.5),
        ("x=true", True),
        ("x=allowed", "allowed"),
        ("x='a b'", "a b"),
        ("x=[1, 2]", [1, 2]),
        ("x=a/b.efg", "a/b.efg"),
        ("x=a=b", "a=b"),
        ("x=", ""),
        ("x=1,2", "1,2"),
        ("x=f(1)", "f(1)"),
    ],
)
def test_rule_parameters_on_the_command_line(item: str, value: Any) -> None:
    assert parse_param(item)[1] == value


def test_numbers_for_people() -> None:
    assert [number(x) for x in (1, -1, 0, 0.25, -0.0001, 12.3456)] == ["+1", "-1", "0", "+0.25", "0", "+12.346"]
    assert [seconds(x) for x in (1e-5, 0.0123, 2.0)] == ["10 µs", "12.3 ms", "2.0 s"]
    assert clean({"a": float("nan"), "b": [1.0, float("inf")]}) == {"a": None, "b": [1.0, None]}
