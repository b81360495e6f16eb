"""Reports: one page that needs nothing from outside, foreign text escaped, the numbers of the summary in it."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import kiebitz as kb
from kiebitz.arena.entries import Entry, from_file, from_result, from_store
from kiebitz.arena.figures import INK, curves
from kiebitz.arena.matches import Result
from kiebitz.arena.report import write_report
from kiebitz.arena.summary import Summary
from kiebitz.cli.common import Group
from kiebitz.cli.report import report as report_command
from kiebitz.errors import ParameterError
from kiebitz.store.rows import Row
from kiebitz.store.store import Store

PNG = b"\x89PNG\r\n\x1a\n"


class Page(HTMLParser):
    """What a browser would find: open tags that are closed, addresses, ids, text."""

    VOID = ("meta", "br", "link", "img")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href", "srcset", "data", "action"):
                self.addresses.append(value or "")
            if name == "id":
                self.ids.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text += data


@pytest.fixture(scope="module")
def leduc() -> Result:
    specs = ["random", "cheat(uct(iterations=5))", "cheat(uct(iterations=40))"]
    return kb.arena.tournament(kb.game("leduc"), specs, 20, seed=1, workers=1)


@pytest.fixture(scope="module")
def oware() -> Result:
    return kb.arena.match(kb.game("oware"), ["uct(iterations=5)", "random"], 12, seed=1)


def test_the_page_is_whole_and_needs_nothing_from_outside(tmp_path: Path, leduc: Result, oware: Result) -> None:
    entries = [
        from_result(leduc, "run 1", "kiebitz tournament leduc"),
        from_result(oware, "run 2", "kiebitz match oware"),
    ]
    path = write_report(entries, tmp_path / "new" / "folder")
    page = Page(path.read_text(encoding="utf-8"))
    assert page.open == []
    assert all(address.startswith("#") for address in page.addresses)
    assert len(set(page.ids)) == len(page.ids)
    assert {address[1:] for address in page.addresses} <= set(page.ids)
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    for words in (
        "kiebitz tournament leduc",
        "kiebitz match oware",
        "Milli-bets per hand",
        "Own moves in wins",
        "run 2",
    ):
        assert words in page.text
    assert "url(http" not in path.read_text(encoding="utf-8")


def test_figures_are_beside_the_page(tmp_path: Path, leduc: Result, oware: Result) -> None:
    path = write_report([from_result(leduc), from_result(oware)], tmp_path / "all.html")
    names = {file.name for file in tmp_path.glob("*.png")}
    assert {
        "crosstable-1.png",
        "ratings-1.png",
        "metrics-1.png",
        "score-1.png",
        "ended-2.png",
        "curve-1.png",
    } <= names
    assert all(file.read_bytes().startswith(PNG) for file in tmp_path.glob("*.png"))
    text = path.read_text(encoding="utf-8")
    assert text.count("<svg") == text.count("<figure") == len(names)
    assert INK not in text


def test_the_numbers_are_those_of_the_summary(tmp_path: Path, leduc: Result) -> None:
    path = write_report([from_result(leduc)], tmp_path)
    page = Page(path.read_text(encoding="utf-8"))
    for agent in range(3):
        estimate = leduc.payoff(agent)
        assert f"{estimate.value:+.2f} ({estimate.low:+.2f} to {estimate.high:+.2f})" in page.text
        assert f"{leduc.bankroll(agent)[-1]:+,.1f}" in page.text
        outcomes = leduc.outcomes(agent)
        assert f"{outcomes.wins:,} / {outcomes.draws:,} / {outcomes.losses:,}" in page.text
    for _, _, words in leduc.verdicts():
        assert words in page.text
    (data,) = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert data["games"] == leduc.games
    assert data["agents"][1]["payoff"] == leduc.to_dict()["agents"][1]["payoff"]
    assert data["machine"]
    assert data["games_per_second"] > 0


def entry(specs: list[str], payoffs: list[tuple[float, float]], name: str = "run") -> Entry:
    rows = [
        Row(n, n, (0, 1), pair, 2, 4, (1, 1), (0.1, 0.1), (0.1, 0.1), ((1, "timeout", "late"),), {"note": "<b>$x$</b>"})
        for n, pair in enumerate(payoffs)
    ]
    game = kb.game("nim")
    return Entry(Summary(rows, specs, game), name, game, "match", 1, "kiebitz match <nim>", "a machine", "", 1.0)


def test_foreign_text_is_escaped_everywhere(tmp_path: Path) -> None:
    spec = 'process(command="<script>alert(1)</script> $\\\\frac{1}{2}$ & \\"x\\"")'
    path = write_report(
        [entry([spec, "</style><b>&amp;"], [(1.0, -1.0), (0.0, 0.0)], "<i>run</i>")], tmp_path, "<u>title</u>"
    )
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    assert not {"script", "b", "i", "u"} & set(page.tags)
    assert "<script>alert(1)</script>" in page.text
    assert "kiebitz match <nim>" in page.text
    assert "over its time 2 times" in page.text


def test_the_same_runs_give_the_same_page(tmp_path: Path, oware: Result) -> None:
    pages = [write_report([from_result(oware)], tmp_path / name).read_text(encoding="utf-8") for name in ("a", "b")]
    assert pages[0] == pages[1]


def test_a_run_without_games_has_a_page(tmp_path: Path) -> None:
    path = write_report([entry(["random", "random"], [])], tmp_path)
    assert "No game is finished yet." in path.read_text(encoding="utf-8")
    assert not list(tmp_path.glob("*.png"))


def test_a_report_needs_a_run(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="at least one run"):
        write_report([], tmp_path / "folder")
    assert not (tmp_path / "folder").exists()


# --- Curves -----------------------------------------------------------------------------------------------------------


def test_runs_that_differ_in_one_number_make_a_curve() -> None:
    entries = [entry([f"uct(iterations={n}, c=1.5)", "random"], [(n / 100, 0.0), (n / 50, 0.0)]) for n in (50, 10, 20)]
    (curve,) = curves(entries)
    assert curve.option == "iterations"
    assert curve.label.startswith("uct(iterations=·, c=1.5) against random")
    assert [x for x, _ in curve.points] == [10, 20, 50]
    assert [estimate.value for _, estimate in curve.points] == pytest.approx([0.15, 0.3, 0.75])


def test_two_runs_at_one_place_of_a_curve_are_both_shown() -> None:
    runs = [(10, 1.0), (10, 3.0), (20, 5.0)]
    (curve,) = curves([entry([f"uct(iterations={n})", "random"], [(paid, 0.0)]) for n, paid in runs])
    assert [(x, estimate.value) for x, estimate in curve.points] == runs
    assert curves([entry(["uct(iterations=10)", "random"], [(paid, 0.0)]) for paid in (1.0, 3.0)]) == []


def test_agents_of_one_run_make_a_curve_also_inside_other_specs() -> None:
    (curve,) = curves([entry(["cheat(uct(iterations=10))", "cheat(uct(iterations=1000))"], [(1.0, -1.0)], "run 7")])
    assert curve.label.startswith("cheat(uct(iterations=·)) in run 7")
    assert [x for x, _ in curve.points] == [10, 1000]


def test_runs_that_differ_in_more_than_a_number_make_none() -> None:
    assert (
        curves([entry(["uct(iterations=10)", "random"], [(1, 0)]), entry(["uct(iterations=20)", "greedy"], [(1, 0)])])
        == []
    )
    assert curves([entry(["uct(iterations=10, c=1)", "uct(iterations=20, c=2)"], [(1, 0)])]) == []
    assert curves([entry(["no ( spec", "also not )"], [(1, 0)])]) == []


# --- Where runs come from ---------------------------------------------------------------------------------------------


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    with Store.open(path) as store:
        for iterations in (5, 50):
            specs = [f"cheat(uct(iterations={iterations}))", "random"]
            kb.arena.match(kb.game("kuhn"), specs, 8, seed=3, store=store, command=f"kiebitz match kuhn {iterations}")
    return path


def test_a_report_on_stored_runs(database: Path) -> None:
    with Store.open(database) as store:
        entries = [from_store(store, run.id) for run in reversed(store.runs())]
    assert [entry.summary.games for entry in entries] == [8, 8]
    assert entries[0].command == "kiebitz match kuhn 5"
    assert entries[0].summary.cheats == (True, False)
    assert entries[0].machine
    assert entries[0].version.startswith("Kiebitz ")
    assert len(curves(entries)) == 1


def test_a_report_on_exported_games_is_that_on_the_store(database: Path, tmp_path: Path) -> None:
    with Store.open(database) as store:
        stored = from_store(store, 1)
        lines = [store.run(1).to_dict(), *(row.to_json() for row in store.rows(1))]
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    from_lines = from_file(path)
    assert from_lines.summary.to_dict() == stored.summary.to_dict()
    assert (from_lines.command, from_lines.seed, from_lines.date) == (stored.command, stored.seed, stored.date)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: expected a JSON object"),
        ("{", "line 1: expected a JSON object"),
        ("{}\n", "line 1: expected a run with its plan"),
        ('{"plan": {"agents": ["random"]}}\n', "expected a plan with its game and agents"),
        ('{"plan": {"game": {"name": "nim"}, "agents": ["random"]}}\nnothing\n', "line 2: expected a JSON object"),
        ('{"plan": {"game": {"name": "nim"}, "agents": ["random"]}}\n{"number": 1}\n', "row: expected"),
        ('{"plan": {"game": {"name": "nim"}, "agents": []}, "created": "soon"}\n', "line 1: expected a date"),
    ],
)
def test_files_that_are_no_run_are_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ParameterError, match=words):
        from_file(path)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.bin"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ParameterError, match="line 1: expected a JSON object"):
        from_file(path)


# --- The command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def app() -> typer.Typer:
    found = typer.Typer(cls=Group)
    found.command()(report_command)
    found.callback()(lambda: None)
    return found


def test_the_command_writes_a_page(database: Path, tmp_path: Path, app: typer.Typer) -> None:
    out = tmp_path / "out"
    result = CliRunner().invoke(app, ["report", "1", "2", "--db", str(database), "--out", str(out), "--json"])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["page"] == str(out / "report.html")
    assert [run["games"] for run in data["runs"]] == [8, 8]
    assert (out / "report.html").exists()


@pytest.mark.parametrize(
    ("run", "words"), [("7", "there is no run 7"), ("nothing.jsonl", "expected the number of a run or a file")]
)
def test_the_command_refuses_runs_that_are_not_there(
    database: Path, tmp_path: Path, app: typer.Typer, run: str, words: str
) -> None:
    out = tmp_path / "out"
    result = CliRunner().invoke(app, ["report", run, "--db", str(database), "--out", str(out)])
    assert result.exit_code == 2
    assert words in result.stderr
    assert not out.exists()


def test_the_command_does_not_make_a_database(tmp_path: Path, app: typer.Typer) -> None:
    result = CliRunner().invoke(app, ["report", "1", "--db", str(tmp_path / "none.db"), "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert not (tmp_path / "none.db").exists()
