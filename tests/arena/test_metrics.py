"""Metrics: the registry, and what the metrics of this package say about random games."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.arena import metrics
from kiebitz.arena.metrics import default_metrics, find_metric, metrics_for, register_metric
from kiebitz.errors import Error, ParameterError, UnknownName


def played(game: kb.Game, seed: int) -> tuple[kb.State, list[tuple[int, int]]]:
    state, draw, moves = game.new(seed=seed), random.Random(seed), []
    while (seat := state.player) != kb.TERMINAL:
        action = draw.choice(state.legal())
        moves.append((seat, action))
        state.apply(action)
    return state, moves


GAMES = [kb.game(name) for name in kb.list_games() if name != "tree"] + [kb.game("kuhn", players=4)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}-{game.info.players}")
@given(seed=st.integers(0, 2**32))
def test_every_metric_of_a_game_has_plain_values_or_one_a_seat(game: kb.Game, seed: int) -> None:
    state, moves = played(game, seed)
    for function in metrics_for(game).values():
        found = function(state, moves)
        assert found
        for value in found.values():
            assert isinstance(value, bool | int | float | str | list)
            assert not isinstance(value, list) or len(value) == game.info.players


@given(seed=st.integers(0, 2**32))
def test_own_moves_add_up_to_the_plies(seed: int) -> None:
    state, moves = played(kb.game("oware"), seed)
    assert sum(find_metric("moves")(state, moves)["own_moves"]) == len(moves)


@pytest.mark.requirement("OW-51")
@given(seed=st.integers(0, 2**32))
def test_oware_says_how_a_game_ended(seed: int) -> None:
    state, moves = played(kb.game("oware"), seed)
    found = find_metric("oware")(state, moves)
    assert found["guarded"] == (found["ended"] == "guard")
    assert found["own_moves"] == find_metric("moves")(state, moves)["own_moves"]
    assert sum(found["captured"]) <= 48


@pytest.mark.parametrize("game", [kb.game("leduc"), kb.game("kuhn"), kb.game("kuhn", players=4)])
@given(seed=st.integers(0, 2**32))
def test_in_poker_cards_are_shown_unless_all_but_one_folded(game: kb.Game, seed: int) -> None:
    state, moves = played(game, seed)
    (name,) = default_metrics(game)
    found = find_metric(name)(state, moves)
    assert found["showdown"] == (sum(found["folded"]) < game.info.players - 1)
    for seat, folded in enumerate(found["folded"]):
        assert not folded or state.returns()[seat] < 0


def test_doppelkopf_has_calls_solos_and_contracts() -> None:
    state, moves = played(kb.game("doppelkopf"), 3)
    assert {"called", "solo", "contract", "gained"} <= set(find_metric("doppelkopf")(state, moves))


def _bet(game: kb.Game) -> float | None:
    return kb.games.declaration_of(game).metrics.bet(game)


@pytest.mark.requirement("PK-4")
def test_the_unit_is_the_bet_of_the_rules() -> None:
    assert _bet(kb.game("leduc", preset="thesis")) == 1.0
    assert _bet(kb.game("leduc", bets=[3, 5])) == 3.0
    assert _bet(kb.game("doppelkopf")) is None


def longest(state: kb.State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    return {"history": len(state.history), "moves": len(moves)}


def test_own_metrics_can_be_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "_registry", dict(metrics._registry))
    register_metric("longest", longest, ["nim", "oware"])
    assert metrics_for(kb.game("nim"))["longest"] is longest
    assert "longest" not in metrics_for(kb.game("kuhn"))
    assert find_metric("longest") is longest
    with pytest.raises(ParameterError, match="already one named 'longest'"):
        register_metric("longest", longest)
    with pytest.raises(ParameterError, match="expected a name"):
        register_metric("two words", longest)


@pytest.mark.parametrize("name", ["", "none", "no.such.module:f", "math:pi", "math:", ":f", "..:f", "kiebitz:nothing"])
def test_unknown_metrics_are_refused(name: str) -> None:
    with pytest.raises(UnknownName, match="metric: expected"):
        find_metric(name)


def test_a_metric_needs_a_name() -> None:
    with pytest.raises(Error, match="expected a name"):
        find_metric(3)  # type: ignore[arg-type]
