"""kiebitz solve jamfold: charts, values and pictures of the endgame, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.cli.jamfold import in_words, jamfold
from kiebitz.solve.jamfold import SEATS, Rules, solve_jamfold

SMALL = ["total=2400", "step=300"]
"""So few stacks that they are solved in a moment."""


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")


def run_json(capsys: pytest.CaptureFixture[str], stack: int | None, plot: Path | None = None) -> Any:
    jamfold(stack, plot, True, SMALL)
    return json.loads(capsys.readouterr().out)


def test_charts_values_and_a_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    jamfold(3000, None, False, ["step=100"])
    printed = capsys.readouterr().out
    assert "Jam or fold with 3,000 of 8,000 chips, blinds 300/600" in printed
    assert "Small blind: jams with 73.8 % of hands" in printed
    assert "Big blind: calls a jam with 74.2 % of hands" in printed
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    assert "AA AKs AQs AJs ATs A9s A8s A7s A6s A5s A4s A3s A2s" in lines
    assert "small blind 37.37 % 38.12 % 0.74 points about 3 hands in 4" in lines
    assert "written to jamfold-3000.png" in printed
    assert (tmp_path / "jamfold-3000.png").read_bytes().startswith(b"\x89PNG")


def test_overview_of_all_stacks(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    jamfold(None, None, False, SMALL)
    printed = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    result = solve_jamfold(Rules(total=2400, step=300))
    for stack in range(300, 2400, 300):
        cells = [f"{stack:,}"]
        for seat in SEATS:
            cells += [f"{100 * share(stack, seat):.2f} %" for share in (result.lower, result.upper)]
            cells += [f"{100 * result.gap(stack, seat):.2f}", f"{100 * result.jam_frequency(stack, seat):.1f} %"]
        assert " ".join(cells) in lines
    assert "300 to 2100 in steps of 300" in printed
    assert not list(tmp_path.iterdir())


def test_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one = run_json(capsys, 900)
    assert one["rules"] == {
        "total": 2400,
        "small_blind": 300,
        "big_blind": 600,
        "step": 300,
        "restricted_opponent": False,
    }
    assert one["picture"] is None
    assert not list(tmp_path.iterdir())
    rows = run_json(capsys, None)["stacks"]
    assert [row["stack"] for row in rows] == list(range(300, 2400, 300))
    row = rows[2]
    assert row["stack"] == 900
    assert all(row[seat][key] == one["seats"][seat][key] for seat in ("sb", "bb") for key in row[seat])


def test_json_with_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    picture = Path("other.svg")
    assert run_json(capsys, 900, picture)["picture"] == "other.svg"
    assert "Jam or fold with 900 of 2,400 chips" in picture.read_text(encoding="utf-8")


def test_two_restricted_players(capsys: pytest.CaptureFixture[str]) -> None:
    jamfold(None, None, False, [*SMALL, "restricted_opponent=true"])
    printed = capsys.readouterr().out
    assert "only jams or folds, too" in printed.replace("\n", " ")
    assert "against anybody" not in printed


def test_a_foreign_file_is_not_overwritten_but_an_own_one_is(capsys: pytest.CaptureFixture[str]) -> None:
    picture = Path("jamfold-300.png")
    picture.write_text("my notes")
    with pytest.raises(kb.ParameterError, match=r"jamfold-300\.png: exists and is not a chart of ours"):
        jamfold(300, None, False, SMALL)
    assert picture.read_text() == "my notes"
    jamfold(300, picture, False, SMALL)  # asked for by name
    first = picture.stat().st_size
    assert first > 1000
    picture.write_bytes(picture.read_bytes() + b"more")
    jamfold(300, None, False, SMALL)
    assert picture.stat().st_size == first
    assert "no choice" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("stack", "plot", "param", "message"),
    [
        (3010, None, None, "stack: expected 50 to 7950 in steps of 50, got 3010"),
        (8000, None, None, "stack: expected 50 to 7950 in steps of 50, got 8000"),
        (300, None, ["total=300", "step=300"], "total: expected at least two steps"),
        (None, Path("chart.png"), None, "--plot: expected a --stack as well"),
        (3000, Path("chart.bmp"), None, "expected a picture that ends in"),
        (3000, None, ["ante=50"], "jamfold has no parameter 'ante'; expected one of total, small_blind"),
        (3000, None, ["total=many"], "total: expected a positive number of chips, got 'many'"),
        (3000, None, ["total"], "expected KEY=VALUE"),
    ],
)
def test_refused_before_anything_is_solved(
    stack: int | None, plot: Path | None, param: list[str] | None, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kiebitz.cli.jamfold.solve_jamfold", None)
    with pytest.raises(kb.Error, match=message):
        jamfold(stack, plot, False, param)


@pytest.mark.parametrize("share", [i / 97 for i in range(98)])
def test_shares_in_words_are_near(share: float) -> None:
    words = in_words(share)
    digits = [int(word) for word in words.split() if word.isdigit()]
    said = digits[0] / digits[1] if digits else float("every" in words)
    assert said == pytest.approx(share, abs=0.051)
