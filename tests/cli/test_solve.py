"""kiebitz solve: what people read, what programs read, files, and one plain message for every mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from kiebitz.cli import app
from kiebitz.solve import Policy, exploitability, solve


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["solve", *args], env={"COLUMNS": "120", "NO_COLOR": "1"})


def good(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.output
    return result.stdout


def good_json(*args: str) -> Any:
    return json.loads(good(*args, "--json"))


def refused(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return result.stderr


def test_both_names_of_the_distance_and_the_value_are_printed() -> None:
    text = good("kuhn", "-m", "lp")
    assert "Kuhn poker: 58 nodes, 12 information sets" in text
    assert "lp: solved at once, exploitability" in text
    assert "NashConv" in text
    assert "value: player 0 -0.055556, player 1 +0.055556" in text
    assert "player 0 holds Q" in text  # small enough for the whole policy


def test_large_policies_are_printed_on_demand() -> None:
    assert "sees" not in good("leduc", "--iterations", "5")
    assert "sees" in good("leduc", "--iterations", "5", "--table")


def test_several_methods_in_one_picture(tmp_path: Path) -> None:
    picture = tmp_path / "curves.png"
    text = good("leduc", "-m", "cfr", "-m", "cfr+", "-m", "dcfr(alpha=2)", "--iterations", "50", "--plot", str(picture))
    for name in ("cfr: 50 iterations", "cfr_plus: 50 iterations", "dcfr(alpha=2.0): 50 iterations"):
        assert name in text
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_json_has_the_curve() -> None:
    data = good_json("kuhn", "-m", "dcfr", "--iterations", "20", "--check-every", "10")
    (only,) = data["runs"]
    assert [point["iterations"] for point in only["curve"]] == [10, 20]
    assert only["exploitability"] == pytest.approx(only["nash_conv"] / 2)


def test_a_saved_policy_can_be_measured_and_played(tmp_path: Path) -> None:
    file = tmp_path / "leduc.npz"
    good("leduc", "--target", "0.05", "--save", str(file))
    assert exploitability("leduc", Policy.load(file)) <= 0.05
    match = CliRunner().invoke(app, ["match", "leduc", f'policy(file="{file}")', "random", "--games", "10", "--json"])
    assert match.exit_code == 0, match.output


def test_stop_and_go_on(tmp_path: Path) -> None:
    memory, file = tmp_path / "memory.npz", tmp_path / "kuhn.npz"
    good("kuhn", "-m", "cfr", "--iterations", "20", "--checkpoint", str(memory))
    good("kuhn", "-m", "cfr", "--iterations", "50", "--resume", str(memory), "--save", str(file))
    assert Policy.load(file).distance(solve("kuhn", "cfr", iterations=50)) == 0


def test_restricted_nash_response_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "uniform.npz"
    Policy.uniform("kuhn").save(file)
    data = good_json("kuhn", "-m", "rnr(p=1, player=0)", "--opponent", str(file), "--iterations", "200")
    assert data["runs"][0]["method"] == "rnr(p=1)"


def test_games_without_a_promise_say_so() -> None:
    result = run("tree", "-p", "example=three_players", "-m", "cfr")
    assert result.exit_code == 0
    assert "two-player zero-sum games only" in " ".join(result.stderr.split())


def test_the_table_of_pure_strategies() -> None:
    text = good("tree", "-p", "example=pure_equilibria", "--normal-form")
    assert "2 x 4 pure strategies" in text
    assert "X | w, y" in text
    data = good_json("tree", "-p", "example=raise_or_pass", "--normal-form")
    assert data["maximin"]["value"] == pytest.approx(1 / 18)
    assert data["pure_equilibria"] == []


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["no_game"], "no_game"),
        (["kuhn", "-m", "nash"], "there is no method 'nash'; expected one of cfr, "),
        (["kuhn", "-m", "dcfr(alpha=nan)"], "dcfr: alpha: expected a number"),
        (["kuhn", "--time", "-1"], "seconds: expected a number above 0"),
        (["kuhn", "--target", "0"], "target: expected a number above 0"),
        (["kuhn", "--stack", "3000"], "--stack: only 'kiebitz solve jamfold' has stacks"),
        (["kuhn", "--plot", "curve.txt"], "expected a picture that ends in"),
        (["kuhn", "--plot", "no/folder/curve.png"], "there is no folder no/folder"),
        (["kuhn", "--save", "no/folder/kuhn.npz"], "there is no folder no/folder"),
        (["kuhn", "--resume", "none.npz"], "none.npz: there is no such file"),
        (["kuhn", "-m", "rnr(p=0.5)"], "rnr: expected the option 'opponent'"),
        (["kuhn", "-m", "rnr(p=0.5)", "--opponent", "none.npz"], "none.npz: there is no such file"),
        (["kuhn", "-m", "cfr", "-m", "dcfr", "--save", "x.npz"], "expected one method"),
        (["tree", "-p", "example=three_players", "-m", "lp"], "lp needs a two-player zero-sum game"),
        (["jamfold", "--stack", "3000", "-m", "cfr"], "jamfold: expected only --stack, --plot, --json and -p"),
        (["leduc", "--normal-form"], "pure strategies are too many for a table"),
        (["connect_four", "-p", "rows=4", "-p", "columns=7", "-m", "dcfr"], "too large to compile"),
        (["kuhn", "--moves", "K"], "kuhn has no solver of its own for these rules"),
        (["connect_four", "-p", "connect=3", "--weak"], "connect_four has no solver of its own for these rules"),
        (["connect_four", "--weak", "-m", "dcfr"], "expected no method beside them"),
        (["connect_four", "--moves", "d h"], "--moves: move 2"),
        (["connect_four", "--moves", "a b a b a b a"], "the game is over: nothing to solve"),
        (["connect_four", "--position", "[]"], "expected a JSON object"),
        (["connect_four", "--table-mb", "1"], "table_mb: expected 4 to"),
        (["jamfold", "--stack", "3000", "--weak"], "jamfold: expected only --stack, --plot, --json and -p"),
    ],
)
def test_mistakes_get_one_plain_message(args: list[str], message: str) -> None:
    assert message in refused(*args)


# --- Proofs -----------------------------------------------------------------------------------------------------------

BOARD = ["connect_four", "-p", "rows=4", "-p", "columns=5"]


def test_a_game_with_a_solver_of_its_own_is_proven_move_by_move() -> None:
    text = good(*BOARD)
    rows = [line.split() for line in text.splitlines() if "loses in 20 plies" in line or " draws" in line][:5]
    assert [row[:2] for row in rows] == [["b", "0"], ["c", "0"], ["d", "0"], ["a", "-1"], ["e", "-1"]]
    assert "proven: player 1, to move, draws" in text


def test_positions_are_proven_from_moves_and_from_json() -> None:
    found = good_json(*BOARD, "--moves", "a b a c a")
    again = good_json(*BOARD, "--position", json.dumps(found["position"]))
    assert found["player"] == 1
    assert found["actions"] == again["actions"]
    assert [action["name"] for action in found["actions"] if action["value"] == found["value"]] == ["a"]
    lost = {action["plies"] for action in found["actions"] if action["value"] < 0}
    assert min(lost) == 2  # x completes column a
    weak = good_json(*BOARD, "--moves", "a b a c a", "--weak")
    assert [action["value"] for action in weak["actions"]] == [action["value"] for action in found["actions"]]
    assert {action["plies"] for action in weak["actions"]} == {None}


def test_the_time_of_a_proof_can_be_limited() -> None:
    whole = good_json(*BOARD, "--time", "60")
    assert whole["whole"] is True
    text = good("connect_four", "--moves", "d d d d d c c", "--time", "0.3", "--table-mb", "64")
    assert "at least" in text or "proven: player 2, to move" in text
    message = refused("connect_four", "--iterations", "3")
    assert "connect_four is proven by a solver of its own: expected a method (-m)" in message


def test_a_method_still_finds_the_equilibrium_of_a_small_board() -> None:
    assert "exploitability" in good("connect_four", "-p", "rows=2", "-p", "columns=4", "-m", "cfr", "--iterations", "3")
