"""The same policies have the same NashConv in OpenSpiel, and its CFR and CFR+ take the same way."""

from __future__ import annotations

from typing import Any

import pyspiel
import pytest

import kiebitz as kb
from kiebitz.solve import Policy, nash_conv, solve
from tests.solve.brute_force import random_table

GAMES = [
    ("kuhn", {}, "kuhn_poker"),
    ("kuhn", {"players": 3}, "kuhn_poker(players=3)"),
    ("leduc", {}, "leduc_poker"),
    ("liars_dice", {"sides": 4}, "liars_dice(dice_sides=4)"),
]


def theirs_of(policy: Policy, game: Any) -> Any:
    """The policy by OpenSpiel's names of the information sets: both programs follow the same path there."""
    table: dict[str, list[tuple[int, float]]] = {}
    compiled = policy.compiled
    for player in range(compiled.players):
        for number in range(compiled.sets(player)):
            state = game.new_initial_state()
            for action in compiled.path(player, number):
                state.apply_action(action)
            choices, actions = policy.choices(player, number)
            values = policy.strategies[player][choices].tolist()
            table[state.information_state_string(player)] = list(zip(actions, values, strict=True))
    return pyspiel.TabularPolicy(table)


@pytest.mark.parametrize(("name", "params", "theirs"), GAMES)
def test_the_same_nash_conv(name: str, params: dict[str, Any], theirs: str) -> None:
    ours = kb.game(name, **params)
    game = pyspiel.load_game(theirs)
    policies = [Policy.uniform(ours), *(Policy.from_table(ours, random_table(ours, seed)) for seed in range(3))]
    for policy in policies:
        assert nash_conv(ours, policy) == pytest.approx(pyspiel.nash_conv(game, theirs_of(policy, game)), abs=1e-9)


@pytest.mark.parametrize(("method", "solver"), [("cfr", "CFRSolver"), ("cfr+", "CFRPlusSolver")])
@pytest.mark.parametrize(("name", "theirs"), [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker")])
def test_the_same_curves(method: str, solver: str, name: str, theirs: str) -> None:
    game = pyspiel.load_game(theirs)
    peer = getattr(pyspiel, solver)(game)
    checked = {1, 2, 3, 5, 10, 20, 50, 100}
    run = solve(name, method, iterations=100, check_every=1).run
    assert run is not None
    curve = {point.iterations: point for point in run.curve}
    for iteration in range(1, 101):
        peer.evaluate_and_update_policy()
        if iteration in checked:
            expected = pyspiel.nash_conv(game, peer.average_policy())
            assert curve[iteration].nash_conv == pytest.approx(expected, rel=0.01), iteration
