"""Search with hidden information: sampled worlds, determinization, strategy fusion, information-set MCTS."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest
from scipy.stats import chisquare

import kiebitz as kb
from kiebitz._core import Ismcts, Pimc
from kiebitz.search import Uct

# --- Worlds ----------------------------------------------------------------------------------------------------------


def shown(game: kb.Game, seed: int, moves: int) -> kb.State:
    """A state with somebody to move, some random moves into a game."""
    agent = kb.agent("random", game, seed=seed)
    for attempt in range(100):
        state = game.new(seed=seed + attempt)
        for _ in range(moves):
            if state.player < 0:
                break
            state.apply(agent.act(state.view(state.player)))
        if state.player >= 0:
            return state
    raise AssertionError("no such state")


@pytest.mark.requirement("DL-25")
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("leduc", {}),
        ("liars_dice", {"players": 3, "dice": 2}),
        ("kuhn", {"players": 4}),
        ("rock_paper_scissors", {"rounds": 3}),
    ],
)
def test_worlds_agree_with_everything_observed(name: str, parameters: dict[str, Any]) -> None:
    """100,000 worlds over all games: each gives the observer the view that it was drawn from."""
    game = kb.game(name, **parameters)
    for seed in range(10):
        state = shown(game, seed, moves=seed % 3)
        for player in range(game.info.players):
            view = state.view(player)
            worlds = view.worlds(25_000 // (10 * game.info.players), seed)
            assert all(world.view(player) == view for world in worlds)


@pytest.mark.requirement("DL-25")
def test_worlds_are_uniform_over_physical_deals() -> None:
    """Leduc: each of the five cards that one does not hold is with the other player equally often."""
    view = kb.game("leduc").new(seed=3).view(0)
    seen = Counter(str(world.view(1)) for world in view.worlds(5000, seed=3))
    assert len(seen) == 5
    assert chisquare(list(seen.values())).pvalue > 0.01


@pytest.mark.requirement("DL-25")
def test_worlds_do_not_depend_on_the_hidden_truth() -> None:
    for name in ("leduc", "liars_dice"):
        game = kb.game(name)
        state = shown(game, 5, moves=1)
        view = state.view(state.player)
        for other in view.worlds(20, seed=1):
            again = other.view(state.player)
            assert [w.key for w in again.worlds(30, seed=7)] == [w.key for w in view.worlds(30, seed=7)]


# --- Determinization -------------------------------------------------------------------------------------------------


@pytest.mark.requirement("DL-26")
def test_equals_tree_search_where_nothing_is_hidden() -> None:
    """All worlds are the position itself: as many independent trees of it, and up to randomness one large tree."""
    game = kb.game("tic_tac_toe")
    for board in ("xx.oo....", "x...o....", "xo..x...."):
        state = game.load({"board": board})
        view = state.view(state.player)
        many = kb.agent("pimc(uct(iterations=200), worlds=20)", game, seed=2).analyse(view)
        trees = kb.agent("uct(iterations=4000, streams=20)", game, seed=2).analyse(view)
        assert [e.visits for e in many.actions] == [e.visits for e in trees.actions]
        one = kb.agent("uct(iterations=4000)", game, seed=3).analyse(view)
        assert many.iterations == one.iterations == 4000
        best = next(e for e in one.actions if e.action == many.best)
        assert one.value - best.value < 4 * (best.error + 0.01)


@pytest.mark.requirement("DL-26")
def test_visits_are_summed_over_the_trees() -> None:
    game = kb.game("leduc")
    state = game.new(seed=4)
    view = state.view(state.player)
    for worlds, iterations in ((1, 50), (7, 30), (20, 100)):
        analysis = Pimc(Uct(game, iterations=iterations), worlds=worlds, fusion="visits", seed=1).search(view)
        assert analysis.worlds == worlds
        assert analysis.iterations == worlds * iterations
        assert sum(entry.visits for entry in analysis.actions) == worlds * iterations
        assert max(analysis.actions, key=lambda entry: entry.visits).action == analysis.best


# --- Strategy fusion -------------------------------------------------------------------------------------------------


@pytest.mark.requirement("DL-27")
@pytest.mark.parametrize("c", [0.7, math.sqrt(2)])
def test_determinization_fuses_strategies_and_information_sets_do_not(c: float) -> None:
    game = kb.game("tree", example="strategy_fusion")
    view = game.new(seed=1).view(0)
    names = {view.name(action): action for action in view.legal()}
    fused = honest = 0
    values: list[tuple[float, float]] = []
    for seed in range(200):
        pimc = Pimc(Uct(game, iterations=100, c=c), worlds=20, seed=seed).search(view)
        ismcts = Ismcts(game, iterations=2000, c=c, seed=seed).search(view)
        fused += pimc.best == names["a1"]
        honest += ismcts.best == names["a2"]
        values.append((pimc.actions[0].value, ismcts.actions[0].value))
        assert [entry.name for entry in pimc.actions] == ["a1", "a2"]
    assert fused >= 198
    assert honest >= 198
    determinized, informed = (math.fsum(column) / 200 for column in zip(*values, strict=True))
    assert determinized > 0.8  # it believes that it will know what to do; the truth is 0
    assert -0.2 < informed < 0.05


# --- Information-set search -----------------------------------------------------------------------------------------


@pytest.mark.requirement("DL-28")
def test_node_count_is_bounded_by_the_information_sets() -> None:
    """Kuhn poker from its first move: eight sequences of bets follow, no matter who holds what."""
    game = kb.game("kuhn")
    for seed in range(5):
        view = game.new(seed=seed).view(0)
        assert Ismcts(game, iterations=5000, seed=seed).search(view).nodes == 8


@pytest.mark.requirement("DL-29")
def test_plain_parent_counts_can_be_had_for_comparison() -> None:
    game = kb.game("liars_dice", dice=2)
    state = game.new(seed=3)
    view = state.view(state.player)
    corrected = Ismcts(game, iterations=3000, seed=1).search(view)
    plain = Ismcts(game, iterations=3000, seed=1, availability=False).search(view)
    assert corrected.iterations == plain.iterations == 3000
    assert [e.visits for e in corrected.actions] != [e.visits for e in plain.actions]
