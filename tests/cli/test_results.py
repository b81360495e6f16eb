"""kiebitz results: lists, filters, exports that can be read back, deletion after a question."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.store.store_rows import PLAN, some_rows
from typer.testing import CliRunner, Result

import kiebitz as kb
from kiebitz import records
from kiebitz.cli.common import Group
from kiebitz.cli.results import parse_since, results
from kiebitz.errors import ParameterError
from kiebitz.store.rows import Row
from kiebitz.store.store import Store

app = typer.Typer(cls=Group, pretty_exceptions_enable=False)
app.command()(results)
app.callback()(lambda: None)

ROWS = [
    *some_rows(3),
    replace(
        some_rows(1, first=3)[0],
        events=((1, "timeout", 'slow, "very" slow'),),
        metrics={"mean": math.nan, "calls": [1, 0]},
        actions=(1, 300),
    ),
]


@pytest.fixture
def db(tmp_path: Path) -> str:
    path = tmp_path / "results.db"
    with Store.open(path) as store:
        store.begin(PLAN, "1", "match", "kiebitz match nim nim_perfect random")
        store.add(1, ROWS)
        store.finish(1, 1.5)
        plan = {**PLAN, "game": {"name": "oware"}, "agents": ["uct(iterations=5, c=1.0)", "cheat(uct(iterations=5))"]}
        store.begin(plan, "2", "tournament", "kiebitz tournament oware")
    return str(path)


def run(*args: str, input: str | None = None) -> Result:
    return CliRunner().invoke(app, ["results", *args], input=input, env={"COLUMNS": "140", "NO_COLOR": "1"})


def good(*args: str, input: str | None = None) -> str:
    result = run(*args, input=input)
    assert result.exit_code == 0, result.output
    return result.stdout


def bad(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 2, result.output
    return result.stderr


def listed(*args: str) -> list[int]:
    return [info["id"] for info in json.loads(good(*args, "--json"))]


def test_the_list_has_the_newest_first_and_says_how_far_they_came(db: str) -> None:
    header, second, first = good("--db", db).splitlines()
    assert header.split() == ["run", "begun", "kind", "game", "games", "state", "agents"]
    for text in ("tournament", "oware", "uct(iterations=5, c=1.0), cheat(uct(iterations=5))", "0 of 100", "unfinished"):
        assert text in second
    for text in ("match", "nim", "nim_perfect, random", "4 of 100", " finished"):
        assert text in first


def test_filters(db: str) -> None:
    assert listed("--db", db) == [2, 1]
    assert listed("--db", db, "--game", "nim") == [1]
    assert listed("--db", db, "--agent", "uct") == [2]
    assert listed("--db", db, "--kind", "tournament") == [2]
    assert listed("--db", db, "--since", "1h") == [2, 1]
    assert listed("--db", db, "--since", "2999-01-01") == []
    assert listed("--db", db, "--game", "chess") == []
    assert "no runs" in good("--db", db, "--game", "chess")


def test_one_run(db: str) -> None:
    text = good("1", "--db", db)
    for expected in ("run 1: match, nim, 4 of 100 games, finished", "kiebitz match nim nim_perfect random", "1.5 s"):
        assert expected in text
    data = json.loads(good("1", "--db", db, "--json"))
    assert data["plan"] == PLAN
    for agent, result in enumerate(data["results"]["agents"]):
        assert result["agent"] == PLAN["agents"][agent]
        assert result["player_games"] == 4
        assert result["payoff"]["value"] == pytest.approx(sum(row.payoffs[agent] for row in ROWS) / 4)
        assert result["slowest_move"] == max(row.slowest[agent] for row in ROWS)
        assert result["timeouts"] == agent
    assert "0 of 100 games, unfinished" in good("2", "--db", db)
    assert json.loads(good("2", "--db", db, "--json"))["results"] is None


def test_one_run_fits_a_narrow_terminal_and_says_who_was_late(db: str) -> None:
    text = CliRunner().invoke(app, ["results", "1", "--db", db], env={"COLUMNS": "80", "NO_COLOR": "1"}).stdout
    assert "nim_perfect" in text
    assert "random: over its time once" in text


def test_a_run_in_which_no_game_could_be_played_says_why(db: str) -> None:
    with Store.open(db) as store:
        store.add(2, [replace(row, events=((-1, "void", "3 workers died over it"),)) for row in some_rows(2)])
    assert "2 games could not be played and count for nobody: 3 workers died over it" in good("2", "--db", db)


def test_how_many_more_games_an_interval_needs(db: str) -> None:
    with Store.open(db) as store:
        store.add(1, some_rows(30, first=4))
    text = good("1", "--db", db, "--width", "0.1")
    assert "more games for nim_perfect within ± 0.1: about " in text
    assert "more games for the difference within ± 0.1: " in text
    assert "--width: expected a number above 0" in bad("1", "--db", db, "--width", "0")


def test_a_run_that_a_test_decided_shows_the_games_that_count(db: str) -> None:
    with Store.open(db) as store:
        store.finish(1, test={"decision": {"games": 2}, "words": "rather better"})
    text = good("1", "--db", db)
    assert "4 of 100 games, decided" in text
    assert "rather better" in text
    assert json.loads(good("1", "--db", db, "--json"))["results"]["games"] == 2


def test_records_of_a_run_can_be_replayed(tmp_path: Path) -> None:
    db, file = tmp_path / "results.db", tmp_path / "games.jsonl"
    game = kb.game("nim")
    result = kb.arena.match(game, ["random", "random"], games=3, seed=2, store=str(db), record=tmp_path / "now.jsonl")
    assert good("1", "--db", str(db), "--records", str(file)) == ""
    assert file.read_bytes() == (tmp_path / "now.jsonl").read_bytes()
    ends = [records.replay(record).returns() for record in records.load(file)]
    assert [tuple(end) for end in ends] == [row.payoffs for row in result.rows]


def stored(row: Row) -> Row:
    return row if row.number < 3 else replace(row, metrics={"mean": None, "calls": [1, 0]})


def test_json_lines_give_the_run_and_its_rows_back(db: str, tmp_path: Path) -> None:
    lines = good("1", "--db", db, "--jsonl", "-").splitlines()
    assert json.loads(lines[0]) == json.loads(good("--db", db, "--json"))[1]
    assert [Row.from_json(json.loads(line)) for line in lines[1:]] == list(map(stored, ROWS))
    file = tmp_path / "games.jsonl"
    assert good("1", "--db", db, "--jsonl", str(file)) == ""
    assert file.read_text(encoding="utf-8").splitlines() == lines


def test_csv_has_a_line_for_each_game_and_stable_columns(db: str, tmp_path: Path) -> None:
    text = good("1", "--db", db, "--csv", "-")
    assert text.splitlines()[0] == (
        "run,number,deal,plies,choices,agent_0,payoff_0,moves_0,seconds_0,slowest_0,"
        "agent_1,payoff_1,moves_1,seconds_1,slowest_1,events,metrics,actions"
    )
    for row, line in zip(map(stored, ROWS), csv.DictReader(io.StringIO(text)), strict=True):
        assert [line["run"], line["number"], line["deal"]] == ["1", str(row.number), str(row.deal)]
        assert [int(line["plies"]), int(line["choices"])] == [row.plies, row.choices]
        for seat, agent in enumerate(row.seating):
            assert line[f"agent_{seat}"] == PLAN["agents"][agent]
            assert float(line[f"payoff_{seat}"]) == row.payoffs[seat]
            assert int(line[f"moves_{seat}"]) == row.moves[seat]
            assert float(line[f"seconds_{seat}"]) == row.seconds[seat]
            assert float(line[f"slowest_{seat}"]) == row.slowest[seat]
        assert tuple(map(tuple, json.loads(line["events"] or "[]"))) == row.events
        assert json.loads(line["metrics"] or "{}") == row.metrics
        assert tuple(map(int, line["actions"].split())) == row.actions
    file = tmp_path / "games.csv"
    file.write_text("old", encoding="utf-8")
    good("1", "--db", db, "--csv", str(file))
    assert file.read_text(encoding="utf-8") == text
    assert good("2", "--db", db, "--csv", "-") == "run,number,deal,plies,choices,events,metrics,actions\n"


def test_an_export_that_fails_leaves_the_old_file(db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    file = tmp_path / "games.csv"
    file.write_text("old", encoding="utf-8")
    monkeypatch.setattr(sys.modules["kiebitz.cli.results"], "write_csv", broken)
    assert "No space left on device" in bad("1", "--db", db, "--csv", str(file))
    assert file.read_text(encoding="utf-8") == "old"
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv", ".db"]


def test_a_run_is_deleted_only_after_a_yes(db: str) -> None:
    refused = run("--db", db, "--delete", "1", input="n\n")
    assert refused.exit_code == 1
    assert "Delete run 1 (match, nim) and its 4 games?" in refused.output
    assert listed("--db", db) == [2, 1]
    assert "deleted run 1" in good("--db", db, "--delete", "1", input="y\n")
    assert listed("--db", db) == [2]
    assert json.loads(good("--db", db, "--delete", "2", "--yes", "--json")) == {"deleted": 2, "games": 0}
    assert listed("--db", db) == []


def test_without_db_it_is_the_users_own(monkeypatch: pytest.MonkeyPatch, db: str, tmp_path: Path) -> None:
    monkeypatch.setenv("KIEBITZ_DB", db)
    assert listed() == [2, 1]
    monkeypatch.delenv("KIEBITZ_DB")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert good() == "no runs\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["7"], "there is no run 7"),
        (["--delete", "7", "--yes"], "there is no run 7"),
        (["--csv", "-"], "expected the number of a run to export"),
        (["1", "--csv", "-", "--jsonl", "-"], "expected one of --csv, --jsonl and --records"),
        (["1", "--game", "nim"], "expected the number of a run or filters"),
        (["1", "--delete", "2"], "expected only the number"),
        (["--since", "0000-01-01"], "--since: expected a day such as"),
        (["--since", "yesterday"], "--since: expected a day such as"),
        (["--since", "9999999w"], "--since: expected a day such as"),
        (["1", "--csv", "/no/such/folder/games.csv"], "No such file or directory"),
        (["1", "--csv", "."], "expected a file, got a folder"),
    ],
)
def test_mistakes_are_one_message(db: str, args: list[str], message: str) -> None:
    assert message in bad(*args, "--db", db)
    assert listed("--db", db) == [2, 1]


def test_a_mistyped_database_is_not_made(tmp_path: Path) -> None:
    assert "there is no such file" in bad("--db", str(tmp_path / "typo.db"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "3", "d", "-3d", "2026-13-01", "1e9d"])
def test_since_refuses_what_is_no_time(text: str) -> None:
    with pytest.raises(ParameterError, match="expected a day"):
        parse_since(text, datetime(2026, 3, 1))
