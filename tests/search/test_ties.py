"""The rule of ties in docs/search.md: of equal actions the lowest is played."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.analysis import AnalysisLike
from kiebitz.search import AlphaBeta, Ismcts, Pimc, Uct

OPEN = ["tic_tac_toe", "connect_four", "nim"]
HIDDEN = ["kuhn", "leduc", "liars_dice"]


def somewhere(name: str, seed: int) -> kb.State:
    """A position of a random game with somebody to move; few plies in, so that many actions are equal."""
    dice = random.Random(seed)
    state = kb.game(name).new(seed=seed)
    for _ in range(dice.randrange(4)):
        after = state.copy()
        after.apply(dice.choice(after.legal()))
        if after.player < 0:
            break
        state = after
    return state


def lowest(found: AnalysisLike, score: Callable[[Any], Any]) -> int:
    tried = [entry for entry in found.actions if entry.visits] or list(found.actions)
    most = max(map(score, tried))
    return min(entry.action for entry in tried if score(entry) == most)


@settings(max_examples=60)
@given(st.sampled_from(OPEN), st.integers(0, 10**6), st.integers(1, 40), st.sampled_from(["visits", "value"]))
def test_tree_search(name: str, seed: int, iterations: int, final: str) -> None:
    state = somewhere(name, seed)
    found = Uct(state.game, iterations=iterations, final=final, seed=seed).search(state)
    assert found.best == lowest(found, lambda entry: getattr(entry, final))


@settings(max_examples=60)
@given(st.sampled_from(HIDDEN), st.integers(0, 10**6), st.integers(1, 40), st.sampled_from(["visits", "value"]))
def test_tree_search_of_a_view(name: str, seed: int, iterations: int, final: str) -> None:
    state = somewhere(name, seed)
    found = Ismcts(state.game, iterations=iterations, final=final, seed=seed).search(state.view(state.player))
    assert found.best == lowest(found, lambda entry: getattr(entry, final))


@settings(max_examples=60)
@given(
    st.sampled_from(HIDDEN), st.integers(0, 10**6), st.integers(1, 6), st.sampled_from(["visits", "average", "value"])
)
def test_fused_worlds(name: str, seed: int, iterations: int, fusion: str) -> None:
    state = somewhere(name, seed)
    uct = Uct(state.game, iterations=iterations)
    found = Pimc(uct, worlds=1, fusion=fusion, seed=seed).search(state.view(state.player))
    by_value = fusion == "value"
    assert found.best == lowest(found, lambda entry: (entry.value if by_value else 0, entry.visits))


@settings(max_examples=40)
@given(st.sampled_from(OPEN), st.integers(0, 10**6), st.sampled_from(["none", "strict", "equal"]))
def test_alpha_beta_by_index(name: str, seed: int, cut: str) -> None:
    state = somewhere(name, seed)
    minimax = AlphaBeta(state.game, depth=3, cut="none").search(state)
    assert AlphaBeta(state.game, depth=3, cut=cut).search(state).best == lowest(minimax, lambda entry: entry.value)


@pytest.mark.parametrize("spec", ["greedy", "minimax(depth=2)", "every_move(nodes=2000)"])
@pytest.mark.parametrize("name", OPEN)
def test_agents_that_compare_values(name: str, spec: str) -> None:
    for seed in range(10):
        state = somewhere(name, seed)
        found = kb.agent(spec, state.game).analyse(state.view(state.player))
        if any(entry.value > state.game.info.min_payoff for entry in found.actions):
            assert found.best == lowest(found, lambda entry: entry.value)
