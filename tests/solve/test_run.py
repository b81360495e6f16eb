"""Running solvers by name: where they end, curves, files to go on from, Ctrl-C, and every mistake by name."""

import math
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest

import kiebitz as kb
from kiebitz._core import CompiledGame
from kiebitz.errors import Error, ParameterError, UnknownName, UnsuitableGame
from kiebitz.solve import METHODS, Method, Point, Policy, SolverRun, measure, register_method, solve
from kiebitz.solve import run as run_module
from kiebitz.solve.method import ZERO_SUM_FOR_TWO
from kiebitz.solve.plot import plot_curves
from kiebitz.spec import SpecError

ITERATIVE = [name for name, method in METHODS.items() if not method.at_once and name != "rnr"]
SAMPLED = ("mccfr(sampling=chance, seed=3)", "mccfr(sampling=outcome, seed=3)")
ANCHORS = ("lagging_anchor(estimate=canonical, seed=1)", "lagging_anchor(estimate=truncated, seed=1)")


def run_of(policy: Policy) -> SolverRun:
    assert policy.run is not None
    return policy.run


# --- Results ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [name for name in METHODS if name not in ("rnr", "backward_induction")])
def test_every_method_comes_to_the_value_of_kuhn(method: str) -> None:
    last = run_of(solve("kuhn", method, iterations=None if METHODS[method].at_once else 20_000)).last
    assert last.exploitability is not None
    assert last.exploitability < (0.1 if method == "replicator" else 0.02)
    assert last.values[0] == pytest.approx(-1 / 18, abs=0.02)


@pytest.mark.parametrize("method", SAMPLED + ANCHORS)
def test_the_variants_come_close_as_well(method: str) -> None:
    assert run_of(solve("kuhn", method, iterations=20_000)).last.nash_conv < 0.1


@pytest.mark.parametrize("method", [name for name in ITERATIVE if name not in ("regret_matching", "fictitious_play")])
def test_three_players_with_a_word_of_caution(method: str) -> None:
    game = kb.game("tree", example="three_players")
    if method == "replicator":
        with pytest.raises(UnsuitableGame, match="replicator needs two players; tree has 3 players"):
            solve(game, method)
        return
    run = run_of(solve(game, method, iterations=50))
    assert run.warning is not None
    assert run.last.exploitability is None
    assert run.last.nash_conv >= 0


def test_two_player_zero_sum_games_need_no_caution() -> None:
    assert run_of(solve("kuhn", "cfr", iterations=5)).warning is None


@pytest.mark.parametrize("method", ["lp", "maximin"])
def test_exact_methods_refuse_what_they_cannot_solve(method: str) -> None:
    with pytest.raises(UnsuitableGame, match=f"{method} needs a two-player zero-sum game; tree has 3 players"):
        solve(kb.game("tree", example="three_players"), method)


def test_backward_induction_is_perfect_in_every_subgame() -> None:
    game = kb.game("tree", example="backward_induction")
    policy = solve(game, "backward_induction")
    assert measure(policy).nash_conv == 0
    assert measure(policy).values == pytest.approx(kb.search.solve(game.root()).value)
    with pytest.raises(UnsuitableGame, match="backward_induction needs perfect information"):
        solve("kuhn", "backward_induction")


# --- Where runs end ---------------------------------------------------------------------------------------------------


def test_iterations_end_a_run_and_the_curve_ends_with_it() -> None:
    seen: list[Point] = []
    run = run_of(solve("kuhn", "cfr", iterations=137, progress=seen.append))
    assert run.iterations == run.last.iterations == 137
    assert run.curve == seen
    steps = [point.iterations for point in run.curve]
    assert steps == sorted(set(steps))
    assert [point.seconds for point in run.curve] == sorted(point.seconds for point in run.curve)


def test_a_thousand_iterations_unless_said_otherwise() -> None:
    assert run_of(solve("kuhn")).iterations == 1000


def test_check_every_sets_the_points() -> None:
    run = run_of(solve("kuhn", "cfr", iterations=100, check_every=40))
    assert [point.iterations for point in run.curve] == [40, 80, 100]


def test_a_target_ends_a_run_at_the_first_check_below_it() -> None:
    run = run_of(solve("leduc", "dcfr", target=0.01, check_every=10))
    assert run.last.exploitability is not None
    assert run.last.exploitability <= 0.01
    assert all((point.exploitability or 0) > 0.01 for point in run.curve[:-1])


def test_the_target_is_nash_conv_where_there_is_no_exploitability() -> None:
    run = run_of(solve(kb.game("tree", example="three_players"), "cfr", target=0.01, iterations=100_000))
    assert run.last.nash_conv <= 0.01
    assert run.iterations < 100_000


def test_seconds_end_a_run() -> None:
    run = run_of(solve("leduc", "cfr", seconds=0.05))
    assert run.seconds >= 0.05
    assert run.iterations > 0


def test_ctrl_c_keeps_the_average_so_far() -> None:
    def enough(point: Point) -> None:
        if point.iterations >= 50:
            raise KeyboardInterrupt

    policy = solve("leduc", "dcfr", iterations=10**9, check_every=50, progress=enough)
    run = run_of(policy)
    assert run.stopped
    assert run.iterations == run.last.iterations == 50
    assert measure(policy).nash_conv == pytest.approx(run.last.nash_conv)
    assert policy.distance(solve("leduc", "dcfr", iterations=50)) == 0


# --- Files to go on from ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [*ITERATIVE, *SAMPLED, *ANCHORS, "cfr(simultaneous=true)"])
def test_a_resumed_run_is_the_same_run(method: str, tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    solve("kuhn", method, iterations=30, checkpoint=file)
    resumed = solve("kuhn", method, iterations=70, resume=file)
    at_once = solve("kuhn", method, iterations=70)
    assert run_of(resumed).iterations == 70
    assert [p.iterations for p in run_of(resumed).curve][-1] == 70
    for mine, other in zip(resumed.strategies, at_once.strategies, strict=True):
        assert np.array_equal(mine, other)


def test_restricted_nash_responses_resume_as_well(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    options: dict[str, Any] = {"opponent": Policy.uniform("kuhn"), "p": 0.5}
    solve("kuhn", "rnr", iterations=30, checkpoint=file, **options)
    resumed = solve("kuhn", "rnr", iterations=70, resume=file, **options)
    assert resumed.distance(solve("kuhn", "rnr", iterations=70, **options)) == 0


def test_checkpoints_are_written_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that dies keeps what the last one holds."""
    monkeypatch.setattr(run_module, "_KEEP", 0.0)
    file = tmp_path / "run.npz"
    sizes: list[int] = []

    def look(point: Point) -> None:
        half = solve("kuhn", "cfr", iterations=max(1, point.iterations), resume=file)
        sizes.append(run_of(half).iterations)

    solve("kuhn", "cfr", iterations=40, check_every=20, checkpoint=file, progress=look)
    assert sizes == [20, 40]


def test_nothing_more_to_do(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    first = solve("kuhn", "cfr", iterations=30, checkpoint=file)
    again = solve("kuhn", "cfr", iterations=30, resume=file)
    assert again.distance(first) == 0
    assert [p.iterations for p in run_of(again).curve] == [p.iterations for p in run_of(first).curve]


@pytest.mark.parametrize(
    ("game", "method", "message"),
    [
        ("leduc", "cfr", "this run solves"),
        ("kuhn", "dcfr", "this run uses cfr, expected dcfr"),
        ("kuhn", "cfr(simultaneous=true)", "this run uses cfr, expected cfr.simultaneous=True."),
    ],
)
def test_a_file_of_another_run_is_refused(game: str, method: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    solve("kuhn", "cfr", iterations=30, checkpoint=file)
    with pytest.raises(ParameterError, match=message):
        solve(game, method, iterations=50, resume=file)


def test_broken_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    solve("kuhn", "cfr", iterations=30, checkpoint=file)
    with np.load(file) as archive:
        good = dict(archive)
    policy = tmp_path / "policy.npz"
    Policy.uniform("kuhn").save(policy)
    for name in good:
        for broken in (
            {key: value for key, value in good.items() if key != name},
            {**good, name: np.array("x")},
            {**good, name: np.array([math.nan] * 3)},
        ):
            np.savez(file, **broken)
            with pytest.raises(ParameterError):
                solve("kuhn", "cfr", iterations=50, resume=file)
    with pytest.raises(ParameterError, match="expected the format 'kiebitz solver 1', got 'kiebitz policy 1'"):
        solve("kuhn", "cfr", iterations=50, resume=policy)
    with pytest.raises(ParameterError, match="there is no such file"):
        solve("kuhn", "cfr", iterations=50, resume=tmp_path / "none.npz")


def test_a_checkpoint_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    seen: list[Point] = []
    with pytest.raises(ParameterError):
        solve("kuhn", "cfr", iterations=50, checkpoint=tmp_path / "no" / "run.npz", progress=seen.append)
    assert seen == []


# --- Mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("cfr", {"iterations": 0}, "iterations: expected a whole number from 1 up"),
        ("cfr", {"iterations": 1.5}, "iterations: expected a whole number from 1 up"),
        ("cfr", {"check_every": -1}, "check_every: expected a whole number from 1 up"),
        ("cfr", {"seconds": 0}, "seconds: expected a number above 0"),
        ("cfr", {"seconds": math.nan}, "seconds: expected a number above 0"),
        ("cfr", {"target": math.inf}, "target: expected a number above 0"),
        ("cfr", {"target": "low"}, "target: expected a number above 0"),
        ("cfr", {"alpha": 1.0}, "cfr has no option 'alpha'; expected simultaneous"),
        ("cfr", {"simultaneous": 1}, "cfr: simultaneous: expected true or false"),
        ("dcfr", {"alpha": "x"}, "dcfr: alpha: expected a number"),
        ("dcfr", {"alpha": math.nan}, "dcfr: alpha: expected a number"),
        ("dcfr", {"gamma": -1.0}, "gamma: expected"),
        ("dcfr(2)", {}, "dcfr: expected options by name"),
        ("mccfr", {"sampling": "none"}, "sampling: expected one of"),
        ("mccfr", {"sampling": 3}, "mccfr: sampling: expected text"),
        ("mccfr", {"seed": -1}, "mccfr: seed: expected 0 to"),
        ("mccfr", {"exploration": 2.0}, "exploration: expected"),
        ("rnr", {"p": 0.5}, "rnr: expected the option 'opponent'"),
        ("rnr", {"p": 0.5, "opponent": "uniform"}, "opponent: expected a policy"),
        ("rnr", {"p": 2.0, "opponent": Policy.uniform("kuhn")}, "p: expected 0 to 1"),
        ("rnr", {"p": 0.5, "opponent": Policy.uniform("leduc")}, "opponent: expected a policy for"),
        ("rnr", {"p": 0.5, "opponent": Policy.uniform("kuhn"), "player": 2}, "player: expected 0 to 1"),
        ("lp", {"iterations": 5}, "lp solves at once"),
        ("replicator", {"alpha": 0.0}, "alpha: expected more than 0"),
        ("lagging_anchor", {"eta": -1.0}, "eta: expected 0 or more"),
    ],
)
def test_bad_options(method: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        solve("kuhn", method, **options)


@pytest.mark.parametrize("method", ["", "nash", "cfr-", 3, None])
def test_unknown_methods(method: Any) -> None:
    with pytest.raises(Error):
        solve("kuhn", method)


@pytest.mark.parametrize("game", [None, 3, "no_game"])
def test_unknown_games(game: Any) -> None:
    with pytest.raises((UnknownName, ParameterError)):
        solve(game, "cfr")


def test_pictures_of_an_unknown_kind_are_refused(tmp_path: Path) -> None:
    curves = {"cfr": run_of(solve("kuhn", "cfr", iterations=10)).curve}
    with pytest.raises(ParameterError, match=r"expected a picture that ends in \.png, \.svg, \.pdf"):
        plot_curves(curves, tmp_path / "curve.txt", "Kuhn")
    with pytest.raises(ParameterError, match="over: expected iterations or seconds"):
        plot_curves(curves, tmp_path / "curve.png", "Kuhn", over="hours")


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_pictures(ending: str, start: bytes, tmp_path: Path) -> None:
    curves = {name: run_of(solve("kuhn", name, iterations=30)).curve for name in ("cfr", "dcfr")}
    path = tmp_path / f"curve.{ending}"
    plot_curves(curves, path, "Kuhn", over="seconds")
    assert path.read_bytes().startswith(start)


# --- The registry -----------------------------------------------------------------------------------------------------


def test_every_method_says_what_it_is() -> None:
    for name, method in METHODS.items():
        assert isinstance(method, Method)
        assert method.name == name
        assert method.title
        assert method.promise
        assert all(option.help for option in method.options)
        assert method.title in str(method)


def test_a_plug_in_adds_a_method() -> None:
    """One decorated function: it can be asked for by name, with its options, and is refused where it does not fit."""

    @register_method("first_action", promise="nothing", needs=(ZERO_SUM_FOR_TWO,))
    def first_action(
        compiled: CompiledGame, *, share: Annotated[float, "how often it is taken", {"low": 0, "high": 1}] = 1.0
    ) -> Policy:
        """Mostly the first action."""
        uniform = Policy.uniform(compiled.game)
        first = {choice.view.key: {min(choice.probabilities): 1.0} for choice in uniform}
        return Policy.mix([(share, Policy.from_table(compiled.game, first)), (1 - share, uniform)])

    try:
        policy = solve("kuhn", "first_action(share=0.5)")
        assert run_of(policy).method == "first_action(share=0.5)"
        assert policy.probabilities(kb.game("kuhn").deal(["K", "Q"]).view(0)) == {0: 0.75, 1: 0.25}
        with pytest.raises(ParameterError, match="first_action: share: expected 0 to 1"):
            solve("kuhn", "first_action", share=2.0)
        with pytest.raises(UnsuitableGame, match="first_action needs a two-player zero-sum game"):
            solve(kb.game("kuhn", players=3), "first_action")
        with pytest.raises(UnknownName, match="first_action"):
            solve("kuhn", "second_action")
        with pytest.raises(SpecError, match="already a method named 'cfr'"):
            register_method("cfr", promise="nothing")(lambda compiled: compiled)
        with pytest.raises(SpecError, match="expected a name"):
            register_method("two words", promise="nothing")
    finally:
        del METHODS["first_action"]
