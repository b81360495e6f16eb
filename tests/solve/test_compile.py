"""Compiled games: every game of the registry compiles or is refused with its size; limits, recall and the cache."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz._core import CompiledGame
from kiebitz.errors import LimitError, ParameterError, UnsuitableGame
from kiebitz.games import registry, tree
from kiebitz.solve import Policy, compile_game, compiled, expected_value, measure, solve
from kiebitz.solve.compiled import view_of
from tests.contract.pennies import Pennies, PenniesState
from tests.games.test_tree_files import KUHN_LIKE
from tests.solve import brute_force

LIMIT = 20_000
SMALL: list[tuple[str, dict[str, Any]]] = [
    ("connect_four", {"rows": 2, "columns": 2, "connect": 2}),
    ("nim", {"heaps": [1, 2, 2]}),
    ("rock_paper_scissors", {"rounds": 2}),
    ("kuhn", {"players": 3}),
    ("leduc", {"preset": "thesis"}),
    ("leduc", {"ranks": 2, "suits": 2}),
    ("liars_dice", {"sides": 3}),
    ("liars_dice", {"players": 3, "sides": 2}),
    *(("tree", {"example": name}) for name in tree.list_examples()),
]


def presets() -> list[tuple[str, str | None]]:
    return [(name, preset) for name in kb.list_games() for preset in (None, *(p.name for p in kb.game(name).presets))]


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    compiled._cache.clear()
    yield
    compiled._cache.clear()


@pytest.fixture
def python_games() -> Iterator[None]:
    """Games of the tests and examples are known, and forgotten afterwards."""
    before = dict(registry._python_games)
    registry.register(Pennies)
    path = Path(__file__).parents[2] / "examples" / "hexapawn.py"
    spec = importlib.util.spec_from_file_location("hexapawn", path)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    yield
    registry._python_games.clear()
    registry._python_games.update(before)


def check(found: CompiledGame) -> None:
    """Sizes fit together, and uniform play keeps what every game promises."""
    players = range(found.players)
    assert found.nodes == found.decision + found.chance + found.terminal
    for player in players:
        counts, firsts = np.asarray(found.counts(player)), np.asarray(found.firsts(player))
        assert found.sequences(player) == 1 + counts.sum()
        assert firsts.tolist() == (1 + np.concatenate([[0], np.cumsum(counts)])[:-1]).tolist()
        assert (np.asarray(found.parents(player)) < firsts).all()  # what comes earlier comes first
    measures = measure(Policy.uniform(found.game))
    assert measures.nash_conv >= 0
    info = found.game.info
    if info.utility in ("zero_sum", "constant_sum"):
        assert sum(measures.values) == pytest.approx(info.payoff_sum, abs=1e-9)
    for value in (*measures.values, *measures.best_values):
        assert info.min_payoff - 1e-9 <= value <= info.max_payoff + 1e-9


@pytest.mark.parametrize(("name", "preset"), presets())
def test_every_game_of_the_registry_compiles_or_says_how_large_it_is(name: str, preset: str | None) -> None:
    game = kb.game(name, preset=preset)
    refused = ""
    try:
        check(compile_game(game, nodes=LIMIT))
    except LimitError as error:
        refused = str(error)
    counted = rf"after \d+ nodes and \d+ information sets the limit of nodes={LIMIT} is reached"
    expected = rf"{name}: too large to compile: ({counted}|about 10\^\d+ nodes or more, expected at most {LIMIT})"
    assert refused == "" or re.fullmatch(expected, refused)


@pytest.mark.parametrize(("name", "params"), SMALL)
def test_small_games_compile(name: str, params: dict[str, Any]) -> None:
    check(compile_game(kb.game(name, **params)))


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 4), st.booleans())
def test_random_trees_compile_to_their_own_size(seed: int, players: int, zero_sum: bool) -> None:
    game = brute_force.random_tree(seed, players, zero_sum)
    found = compile_game(game)
    check(found)
    assert found.nodes == len(game.params["movers"])
    views: dict[int, set[str]] = {player: set() for player in range(players)}
    waiting = [game.root()]
    while waiting:
        state = waiting.pop()
        if state.player >= 0:
            views[state.player].add(state.view(state.player).key)
        for action in state.legal():
            below = state.copy()
            below.apply(action)
            waiting.append(below)
    for player, keys in views.items():
        assert {view_of(found, player, number).key for number in range(found.sets(player))} == keys
        assert found.sets(player) == len(keys)


# --- Games in Python and in files -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("python_games")
def test_a_hidden_game_in_python_compiles_and_is_solved() -> None:
    game = kb.game("pennies")
    check(compile_game(game))
    table = brute_force.random_table(game, 1)
    assert expected_value(game, Policy.from_table(game, table)) == pytest.approx(
        brute_force.values(game.root(), table), abs=1e-12
    )
    assert measure(solve(game, "lp")).nash_conv < 1e-9


@pytest.mark.usefixtures("python_games")
def test_an_open_game_in_python_compiles_although_positions_meet_again() -> None:
    """Hexapawn: the second player wins (Gardner 1962). Several ways to one position do not mean imperfect recall."""
    game = kb.game("hexapawn")
    check(compile_game(game))
    policy = solve(game, "backward_induction")
    assert measure(policy).values == [-1.0, 1.0]
    assert measure(policy).nash_conv == 0


def test_a_gambit_file_compiles(tmp_path: Path) -> None:
    file = tmp_path / "cards.efg"
    file.write_text(KUHN_LIKE, encoding="utf-8")
    game = kb.game("tree", file=str(file))
    found = compile_game(game)
    assert (found.nodes, found.sets(0), found.sets(1)) == (11, 2, 1)
    table = brute_force.random_table(game, 3)
    policy = Policy.from_table(game, table)
    assert expected_value(game, policy) == pytest.approx(brute_force.values(game.root(), table), abs=1e-12)


class Forgetful(PenniesState):
    """Player 0 hides the penny, and then guesses it without having looked."""

    def player(self) -> int:
        return min(super().player(), 0) if self.guess == -1 else kb.TERMINAL

    def view(self, player: int) -> dict[str, Any]:
        del player
        return {"coin": -1, "penny": -1, "guess": self.guess, "moves": 1 + (self.penny != -1)}


class Changing(PenniesState):
    """What may be guessed depends on what cannot be seen."""

    def legal(self) -> list[int]:
        return [0] if self.player() == 1 and self.penny == 0 else super().legal()


@pytest.mark.parametrize("name", ["doppelkopf", "oware", "connect_four"])
def test_giants_are_refused_before_they_are_walked(name: str) -> None:
    """By a few random walks: a walk through the tree would fill the memory first."""
    with pytest.raises(
        LimitError, match=rf"{name}: too large to compile: about 10\^\d+ nodes or more, expected at most"
    ):
        compile_game(name)


def test_small_games_are_never_taken_for_giants() -> None:
    """A limit that the game just meets: the walks must not refuse it."""
    for seed in range(100):
        game = brute_force.random_tree(seed, 2)
        compiled = compile_game(game)
        assert compile_game(game, nodes=compiled.nodes).nodes == compiled.nodes


def test_imperfect_recall_is_refused_with_the_set() -> None:
    class Game(Pennies):
        name = "forgetful"
        state = Forgetful

    with pytest.raises(UnsuitableGame, match=r"(?s)forgetful: imperfect recall: player 0 forgets .*moves: 2"):
        compile_game(Game.make())


def test_a_set_with_different_actions_is_refused_with_the_set() -> None:
    class Game(Pennies):
        name = "changing"
        state = Changing

    with pytest.raises(UnsuitableGame, match="changing: an information set of player 1 offers different actions"):
        compile_game(Game.make())


def test_imperfect_recall_in_a_tree_is_refused_with_the_set() -> None:
    again = {"player": 0, "set": "twice", "actions": {"a": {"payoffs": [0]}, "b": {"payoffs": [1]}}}
    root = {"player": 0, "actions": {"a": again, "b": again}}
    with pytest.raises(kb.errors.TreeError, match="twice"):
        kb.game("tree", tree={"players": ["A"], "root": root})


def test_errors_of_a_game_in_python_pass_through() -> None:
    class Broken(PenniesState):
        def returns(self) -> list[float]:
            raise ZeroDivisionError("rules with a mistake")

    class Game(Pennies):
        name = "broken"
        state = Broken

    with pytest.raises(ZeroDivisionError, match="rules with a mistake"):
        compile_game(Game.make())


# --- Limits and what is kept ------------------------------------------------------------------------------------------


def test_a_limit_is_met_exactly() -> None:
    assert compile_game("leduc", nodes=9457).nodes == 9457
    compiled._cache.clear()
    with pytest.raises(LimitError, match="nodes=9456"):
        compile_game("leduc", nodes=9456)


def test_memory_is_limited() -> None:
    game = kb.game("leduc", ranks=13)
    with pytest.raises(LimitError, match=r"leduc: too large to compile: after .* the limit of memory_mb=1 is reached"):
        compile_game(game, memory_mb=1)


def test_a_game_that_is_kept_obeys_limits_all_the_same() -> None:
    kept = compile_game("leduc")
    assert compile_game("leduc") is kept
    assert compile_game(kb.game("leduc", preset="standard")) is kept
    assert compile_game("leduc", nodes=10_000, memory_mb=100) is kept
    with pytest.raises(LimitError, match="nodes=100 is reached"):
        compile_game("leduc", nodes=100)
    assert compile_game("leduc") is kept


def test_a_refused_game_can_be_compiled_with_a_higher_limit() -> None:
    with pytest.raises(LimitError):
        compile_game("kuhn", nodes=10)
    assert compile_game("kuhn").nodes == 58


def test_other_rules_are_another_game() -> None:
    sizes = [compile_game(kb.game("kuhn", players=players)).nodes for players in (2, 3, 2)]
    assert sizes[0] == sizes[2] != sizes[1]


def test_old_games_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_KEPT", 0)
    first = compile_game("kuhn")
    compile_game("leduc")
    assert len(compiled._cache) == 1
    assert compile_game("kuhn") is not first


@pytest.mark.usefixtures("python_games")
def test_a_replaced_python_game_is_compiled_again() -> None:
    class Fair(PenniesState):
        def returns(self) -> list[float]:
            return [-1.0, 1.0] if self.guess == self.penny else [1.0, -1.0]

    class Game(Pennies):
        state = Fair

    game = kb.game("pennies")
    assert compile_game(game) is compile_game(game)
    before = measure(Policy.uniform("pennies")).best_values
    registry.register(Game)
    assert measure(Policy.uniform("pennies")).best_values != before


@pytest.mark.parametrize("limit", [0, -1, 2**70, 1.5, True, "9"])
@pytest.mark.parametrize("name", ["nodes", "memory_mb"])
def test_limits_that_are_none(name: str, limit: Any) -> None:
    compile_game("kuhn")
    with pytest.raises(ParameterError, match=f"{name}: expected"):
        compile_game("kuhn", **{name: limit})


def test_anything_but_a_game_is_refused() -> None:
    with pytest.raises(ParameterError, match="expected a game or the name of one, got int"):
        compile_game(7)  # type: ignore[arg-type]
    with pytest.raises(kb.errors.UnknownName, match="did you mean 'kuhn'"):
        compile_game("kuhm")
