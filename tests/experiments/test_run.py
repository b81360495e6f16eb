"""Running experiments: files, resumption, cost; with a small game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.arena.effort import iterations_of
from kiebitz.errors import Error
from kiebitz.experiments import Comparison, Experiment, Report, ReportTable, run
from kiebitz.experiments.cost import seat_seconds
from kiebitz.experiments.report import Column, ReportLine
from kiebitz.experiments.run import Conclusion, Evidence

POINTS = Column("points", "points", "points")
SPECS = ("cheat(uct(iterations=20))", "random")


def gains(state: kb.State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    return {"gain": [value > 0 for value in state.returns()], "opening": str(moves[0][1])}


def comparisons(preset: str) -> list[Comparison]:
    deals = {"quick": 4, "laptop": 40, "thesis": 400}[preset]
    return [Comparison("direct", SPECS, deals), Comparison("tables", SPECS, deals, "constellations")]


def conclude(evidence: Evidence) -> Conclusion:
    lines = [ReportLine(key, {"points": c.payoff(0)}, games=len(c.rows)) for key, c in evidence.results.items()]
    return Conclusion([ReportTable("Points", "run", (POINTS,), lines, "points")])


def game() -> kb.Game:
    return kb.game("kuhn", players=4)


SMALL = Experiment("small", "A small one", "Nothing much.", game, comparisons, conclude, (f"{__name__}:gains",))


def figures(report: Report) -> Any:
    """What must not depend on time, workers and interruptions."""
    data = json.loads(json.dumps(report.to_dict()["tables"]))
    played = {key: (value["deals"], value["games"]) for key, value in report.comparisons.items()}
    return data, played


@pytest.mark.requirement("DK-71", "DK-73")
def test_files_hold_everything(tmp_path: Path) -> None:
    report = run(SMALL, "quick", 7, tmp_path, workers=1)
    folder = tmp_path / "kuhn-small-quick"
    assert sorted(file.name for file in folder.iterdir()) == ["plot.svg", "report.md", "results.json"]
    data = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert data["command"] == "kiebitz experiment kuhn small --preset quick --seed 7"
    assert sorted(data["hardware"]) == ["cores", "cpu", "kiebitz", "python", "system"]
    assert data["wall_clock_seconds"] > 0
    direct = data["comparisons"]["direct"]
    assert (direct["deals"], direct["games"], sum(direct["histograms"]["opening"].values())) == (4, 24, 24)
    searcher, guesser = direct["agents"]
    assert searcher["iterations_per_second"] == pytest.approx(20 / searcher["seconds_per_move"])
    assert guesser["iterations_per_second"] is None
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert text == report.markdown()
    assert "`cheat(uct(iterations=20))` (cheats)" in text


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_experiment_goes_on(tmp_path: Path, workers: int) -> None:
    def stop(name: str, done: int, total: int) -> None:
        assert total == 8
        if name == "tables" and done >= 5:
            raise KeyboardInterrupt

    part = run(SMALL, "quick", 3, tmp_path, workers=workers, progress=stop)
    folder = tmp_path / "kuhn-small-quick"
    assert part.interrupted
    assert [value["games"] for value in part.comparisons.values()] == [24, part.comparisons["tables"]["games"]]
    assert 3 <= part.comparisons["tables"]["games"] < 12
    assert len(list(folder.glob("games-*.sqlite"))) == 2
    full = run(SMALL, "quick", 3, tmp_path, workers=1)
    assert not full.interrupted
    assert [value["resumed"] for value in full.comparisons.values()] == [24, part.comparisons["tables"]["games"]]
    assert not list(folder.glob("games-*.sqlite"))
    assert figures(full) == figures(run(SMALL, "quick", 3, workers=1))
    assert figures(full) != figures(run(SMALL, "quick", 4, workers=1))


def test_impossible_runs_are_refused_before_the_first_game(tmp_path: Path) -> None:
    with pytest.raises(Error, match="expected quick, laptop, thesis, got 'huge'"):
        run(SMALL, "huge")
    played: list[int] = []
    broken = Experiment(
        "b", "b", "b", game, lambda preset: [*comparisons(preset), Comparison("x", ("nobody",), 1)], conclude
    )
    with pytest.raises(Error, match="no agent 'nobody'"):
        run(broken, "quick", out=tmp_path, progress=lambda name, done, total: played.append(done))
    assert not played


def test_cost_grows_with_deals_seats_and_iterations() -> None:
    rules = game()
    small, large = (Comparison("a", SPECS, deals).seconds(rules) for deals in (10, 20))
    assert large == pytest.approx(2 * small)
    assert Comparison("a", SPECS, 10, "constellations").seconds(rules) == pytest.approx(small / 2)
    assert seat_seconds("cheat(uct(iterations=2000))") == 2 * seat_seconds("cheat(uct(iterations=1000))")
    assert seat_seconds("pimc(uct(iterations=100), worlds=10)") == seat_seconds("cheat(uct(iterations=1000))")
    assert seat_seconds("random") == 0
    assert iterations_of("cheat(pimc(uct(iterations=30, c=2.5), worlds=4, leak=true))") == 120


def test_shrinking_leaves_small_things_alone() -> None:
    run = Comparison("a", ("pimc(uct(iterations=5, c=2.5), worlds=25, care=1.0)", "random(calls=false)"), 2, per_deal=9)
    small = run.shrunk(3, 10)
    assert small.specs == ("pimc(uct(iterations=5, c=2.5), worlds=2, care=1.0)", "random(calls=false)")
    assert (small.deals, small.per_deal, small.key) == (2, 2, "a")
