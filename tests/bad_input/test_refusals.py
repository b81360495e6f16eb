"""Bad input of every kind gives a named error that says what was expected; nothing is changed and nothing crashes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.games import from_json, view_from_json
from kiebitz.spec import SpecError
from tests.contract.cases import COMPILED, Case
from tests.contract.walks import face

HUGE = 2**70


# --- Games and their parameters -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "hint"),
    [("kuhm", "did you mean 'kuhn'"), ("tictactoe", "tic_tac_toe"), ("", "expected one of"), ("xyz", "oware")],
)
def test_unknown_game_suggests_one(name: str, hint: str) -> None:
    with pytest.raises(kb.UnknownName, match=hint):
        kb.game(name)


@pytest.mark.parametrize(("name", "preset"), [("oware", "abapp"), ("kuhn", "standard"), ("leduc", "Thesis")])
def test_unknown_preset(name: str, preset: str) -> None:
    with pytest.raises(kb.UnknownName, match="unknown preset"):
        kb.game(name, preset)


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("kuhn", {"players": 1}),
        ("kuhn", {"players": 11}),
        ("kuhn", {"players": HUGE}),
        ("kuhn", {"players": -HUGE}),
        ("kuhn", {"players": 2.5}),
        ("kuhn", {"players": "2"}),
        ("kuhn", {"players": True}),
        ("kuhn", {"players": None}),
        ("kuhn", {"players": math.nan}),
        ("kuhn", {"players": [2]}),
        ("kuhn", {"players": {}}),
        ("kuhn", {"player": 2}),
        ("leduc", {"ranks": 1}),
        ("leduc", {"ranks": 2, "suits": 1}),
        ("leduc", {"bets": [1.0]}),
        ("leduc", {"bets": [1.0, math.nan]}),
        ("leduc", {"bets": [1.0, math.inf]}),
        ("leduc", {"stakes": [-1.0, 1.0]}),
        ("leduc", {"stakes": "11"}),
        ("leduc", {"raises": 100}),
        ("liars_dice", {"dice": 0}),
        ("liars_dice", {"players": 10, "dice": 32, "sides": 20}),
        ("nim", {"heaps": []}),
        ("nim", {"heaps": [0, 0]}),
        ("nim", {"heaps": [-1, 3]}),
        ("nim", {"heaps": [256]}),
        ("nim", {"heaps": [1] * 17}),
        ("nim", {"heaps": [[1]]}),
        ("nim", {"heaps": [1, "2"]}),
        ("nim", {"heaps": [HUGE]}),
        ("nim", {"heaps": 5}),
        ("nim", {"misere": 1}),
        ("connect_four", {"rows": 12, "columns": 8}),
        ("connect_four", {"rows": 0}),
        ("connect_four", {"connect": 9}),
        ("oware", {"seeds": 11}),
        ("oware", {"grand_slam": "never"}),
        ("oware", {"max_plies": 0}),
        ("rock_paper_scissors", {"rounds": 0}),
        ("rock_paper_scissors", {"rounds": 101}),
        ("tic_tac_toe", {"size": 4}),
        ("tree", {"nodes": 3}),
        ("tree", {"example": "none", "tree": {}}),
    ],
)
def test_parameters_out_of_range_or_of_the_wrong_type(name: str, params: dict[str, Any]) -> None:
    with pytest.raises(kb.ParameterError) as caught:
        kb.game(name, None, **params)
    assert (
        "expected" in str(caught.value) or "unknown parameter" in str(caught.value) or "too large" in str(caught.value)
    )


def nested_list(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


def endless_list() -> list[Any]:
    endless: list[Any] = []
    endless.append(endless)
    return endless


@pytest.mark.parametrize(
    "value", [nested_list(100_000), endless_list(), {"a": {"a": 1}}, b"bytes", object(), 1j, {1, 2}]
)
def test_values_that_are_not_plain(value: object) -> None:
    with pytest.raises(kb.PositionError):
        kb.game("kuhn").load({"cards": value, "betting": ""})
    with pytest.raises(kb.ViewError):
        kb.game("kuhn").load_view({"observer": value})
    with pytest.raises(kb.PositionError):
        kb.game("kuhn").load(value)  # type: ignore[arg-type]
    with pytest.raises(kb.ViewError):
        kb.game("kuhn").load_view(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["\ud800", "a\0b", "\0"])
def test_texts_that_are_not_quite_text(text: str) -> None:
    """Half a surrogate pair has no UTF-8 form; a zero must not end a text early."""
    with pytest.raises(kb.PositionError):
        kb.game("kuhn").load({"cards": [0, 1], "betting": text})
    with pytest.raises(kb.PositionError):
        kb.game("kuhn").load({"cards": [0, 1], "betting": "", f"cards{text}": 1})
    with pytest.raises(kb.Error):
        kb.game("oware", grand_slam=text)
    with pytest.raises(kb.UnknownName):
        kb.game(text)


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        "kuhn",
        {},
        {"schema": 2, "game": {"name": "kuhn"}, "view": {}},
        {"schema": 1, "game": {"name": "kuhn"}},
        {"schema": 1, "game": {"name": "kuhn"}, "view": {}, "more": 1},
        {"schema": 1, "game": "kuhn", "view": {}},
        {"schema": 1, "game": {"name": 3}, "view": {}},
        {"schema": 1, "game": {"name": "kuhn", "params": []}, "view": {}},
        {"schema": 1, "game": {"name": "kuhn", "preset": 3}, "view": {}},
        {"schema": 1, "game": {"name": "kuhn", "params": {"name": "x"}}, "view": {}},
        {"schema": 1, "game": {"name": "kuhn", "params": {"preset": "x"}}, "view": {}},
        {"schema": 1, "game": {"name": "kuhn", "params": {1: 2}}, "view": {}},
        {"schema": 1, "game": {"name": "kuhn", 1: 2, "x": 3}, "view": {}},
        {"schema": 1, "game": {"name": "kuhn"}, "view": None},
        {"schema": 1, "game": {"name": "kuhn"}, "view": {}},
        {"schema": 1, "game": {"name": "tree", "params": {"tree": 3}}, "view": {}},
        {"schema": 1, "game": {"name": "tree", "params": {"example": []}}, "view": {}},
    ],
)
def test_broken_messages(message: Any) -> None:
    with pytest.raises(kb.Error):
        view_from_json(message)


def test_a_message_cannot_make_us_read_files(tmp_path: Path) -> None:
    """A description from the network holds the tree itself, never the name of a file here."""
    path = tmp_path / "tree.json"
    path.write_text('{"players": ["A"], "root": {"payoffs": [1]}}')
    assert kb.game("tree", file=path).to_json()["params"].keys() == {"tree"}
    with pytest.raises(kb.ParameterError, match="file"):
        from_json({"name": "tree", "params": {"file": str(path)}})


# --- Actions and states ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", COMPILED, ids=lambda case: case.id)
@pytest.mark.parametrize("action", [HUGE, -HUGE, 2**31, 2**63, "0", None, 0.5, math.nan, [0], b"0"], ids=repr)
def test_actions_of_the_wrong_kind(case: Case, action: Any) -> None:
    state = case.make().root()
    before = face(state)
    with pytest.raises((kb.IllegalAction, TypeError)):
        state.apply(action)
    with pytest.raises((kb.IllegalAction, TypeError)):
        state.name(action)
    assert face(state) == before


@pytest.mark.parametrize("player", [-1, 2, 1000, HUGE, "0", None, 0.5])
def test_views_of_nobody(player: Any) -> None:
    with pytest.raises((kb.ParameterError, TypeError)):
        kb.game("kuhn").root().view(player)


@pytest.mark.parametrize("seed", [-1, 2**64, HUGE, "7", 0.5])
def test_seeds_out_of_range(seed: Any) -> None:
    with pytest.raises((kb.Error, TypeError)):
        kb.game("kuhn").new(seed=seed)
    with pytest.raises((kb.Error, TypeError)):
        kb.game("kuhn").root().view(0).sample(seed)


@pytest.mark.parametrize(
    ("name", "hands", "start"),
    [
        ("kuhn", ["J"], 0),
        ("kuhn", ["J", "J"], 0),
        ("kuhn", ["J", "X"], 0),
        ("kuhn", ["J", ""], 0),
        ("kuhn", ["J", "Q", "K"], 0),
        ("kuhn", ["J", "Q"], 1),
        ("leduc", ["Ks", "Ks"], 0),
        ("leduc", ["Ks", "9h"], 0),
        ("leduc", [], 0),
        ("liars_dice", ["7", "1"], 0),
        ("liars_dice", ["1 2", "1"], 0),
        ("liars_dice", ["", "1"], 0),
    ],
)
def test_impossible_deals(name: str, hands: list[str], start: int) -> None:
    with pytest.raises(kb.PositionError):
        kb.game(name).deal(hands, start=start)


def test_games_without_cards_cannot_be_dealt() -> None:
    with pytest.raises(kb.UnsuitableGame, match="no cards"):
        kb.game("nim").deal(["K"])


# --- Budgets and options --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [0, -1, -(10**12), 10**12, 2**63 - 1, -(2**63)])
@pytest.mark.parametrize("kind", ["iterations", "nodes"])
def test_absurd_budgets(kind: str, budget: int) -> None:
    game = kb.game("tic_tac_toe")
    with pytest.raises(kb.BudgetError, match=kind):
        kb.search.Uct(game, **{kind: budget})  # type: ignore[arg-type]
    with pytest.raises(kb.BudgetError, match=kind):
        kb.agent(f"uct({kind}={budget})", game)


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan, math.inf, 1e12])
def test_absurd_times(seconds: float) -> None:
    game = kb.game("tic_tac_toe")
    with pytest.raises(kb.BudgetError, match="seconds"):
        kb.search.Uct(game, seconds=seconds)
    with pytest.raises(kb.BudgetError, match="seconds"):
        kb.search.AlphaBeta(game, seconds=seconds, deepen=True)


@pytest.mark.parametrize(
    "spec", ["uct(iterations=1e400)", f"uct(iterations={10**30})", "uct(seconds=0)", "flat_mc(iterations=0)"]
)
def test_absurd_budgets_in_specs(spec: str) -> None:
    with pytest.raises(kb.Error):
        kb.agent(spec, kb.game("tic_tac_toe"))


def test_a_search_needs_a_budget() -> None:
    with pytest.raises(kb.BudgetError, match="expected a budget"):
        kb.search.Uct(kb.game("tic_tac_toe"))


@pytest.mark.parametrize(
    "options",
    [
        {"c": -1.0},
        {"c": math.nan},
        {"c": math.inf},
        {"formula": "ucb2"},
        {"scale": "none"},
        {"expand": "two"},
        {"final": "luck"},
        {"select": "best"},
        {"playout": "clever"},
        {"streams": 0},
        {"streams": -1},
        {"streams": 10**6},
        {"threads": 0},
        {"threads": 10**6},
        {"tree_depth": -1},
        {"memory_mb": 0},
        {"memory_mb": -1},
        {"memory_mb": 2**62},
    ],
)
def test_uct_options_out_of_range(options: dict[str, Any]) -> None:
    with pytest.raises(kb.Error, match=next(iter(options))):
        kb.search.Uct(kb.game("tic_tac_toe"), iterations=10, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"depth": -1},
        {"depth": 10**9},
        {"cut": "some"},
        {"order": "luck"},
        {"terminals": "none"},
        {"evaluation": "no such"},
        {"table_mb": -1},
        {"table_mb": 2**62},
    ],
)
def test_alpha_beta_options_out_of_range(options: dict[str, Any]) -> None:
    with pytest.raises(kb.Error, match=next(iter(options))):
        kb.search.AlphaBeta(kb.game("connect_four"), **{"depth": 3, **options})


@pytest.mark.parametrize("options", [{"grade": "perfect"}, {"memory_mb": 0}, {"memory_mb": -1}])
def test_solve_options_out_of_range(options: dict[str, Any]) -> None:
    with pytest.raises(kb.Error):
        kb.search.solve(kb.game("tic_tac_toe").new(), **options)


@pytest.mark.parametrize("depth", [-1, -(2**31)])
def test_perft_depth_out_of_range(depth: int) -> None:
    with pytest.raises(kb.Error):
        kb.search.perft(kb.game("tic_tac_toe").new(), depth)


@pytest.mark.parametrize(
    "options",
    [
        {"arms": []},
        {"arms": [1.5]},
        {"arms": [math.nan]},
        {"arms": [0.5], "coins": 0},
        {"arms": [0.5], "coins": 10**12},
        {"arms": [0.5], "repetitions": 0},
        {"arms": [0.5], "c": -1.0},
        {"arms": [0.5], "policy": "luck"},
    ],
)
def test_bandit_options_out_of_range(options: dict[str, Any]) -> None:
    with pytest.raises(kb.Error):
        kb.search.bandit(**options)


def test_searching_a_finished_game_or_another_game() -> None:
    game = kb.game("tic_tac_toe")
    over = game.load({"board": "xxxoo...."})
    for search in (kb.search.Uct(game, iterations=10), kb.search.AlphaBeta(game, depth=2)):
        with pytest.raises(kb.Error):
            search.search(over)
        with pytest.raises(kb.UnsuitableGame):
            search.search(kb.game("connect_four").new())
    with pytest.raises(kb.IllegalAction):
        kb.agent("random", game).act(over.view(0))
    with pytest.raises(kb.IllegalAction):
        kb.agent("random", game).act(game.new().view(1))


# --- Agents and their specs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars_dice", "rock_paper_scissors", "pennies"])
@pytest.mark.parametrize("spec", ["uct", "uct(iterations=10)", "alphabeta", "minimax", "flat_mc"])
def test_plain_search_on_a_hidden_game_says_how_to_cheat(name: str, spec: str) -> None:
    with pytest.raises(kb.UnsuitableGame, match=r"cheat\("):
        kb.agent(spec, kb.game(name))


@pytest.mark.parametrize(
    "spec",
    [
        *("", "uct(", "uct)", "uct(iterations=)", "uct(=3)", "uct(iterations=3", "uct(3,,4)", "uct iterations=3"),
        *("1uct", "uct(a b)", "uct('x)", "uct(iterations=1__0)", "uct(iterations=3)(4)"),
        *("(" * 100_000, "a(" * 100_000, "[" * 5000, "uct(" + "[" * 100_000),
    ],
    ids=lambda spec: spec[:24],
)
def test_specs_with_wrong_syntax(spec: str) -> None:
    with pytest.raises(SpecError):
        kb.agent(spec, kb.game("tic_tac_toe"))


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("nobody", kb.UnknownName),
        ("uct(iteratons=3)", kb.ParameterError),
        ("uct(iterations=true)", kb.ParameterError),
        ("uct(iterations='many')", kb.ParameterError),
        ("uct(iterations=1.5)", kb.ParameterError),
        ("random(3)", kb.ParameterError),
        ("alphabeta(depth=0)", kb.Error),
        ("cheat", kb.ParameterError),
        ("cheat(cheat(random))", kb.UnsuitableGame),
        ("nim_perfect", kb.UnsuitableGame),
    ],
)
def test_specs_with_wrong_content(spec: str, error: type[kb.Error]) -> None:
    with pytest.raises(error):
        kb.agent(spec, kb.game("tic_tac_toe"))
