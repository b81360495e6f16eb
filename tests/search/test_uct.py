"""Tree search through Python: one payoff or a vector of them, the same visits. More in tests/core."""

from __future__ import annotations

import pytest

import kiebitz as kb


@pytest.mark.requirement("DL-17")
def test_scalar_and_vector_give_the_same_visits() -> None:
    state = kb.game("connect_four").new()
    scalar, vector = (
        kb.search.Uct(state.game, iterations=2000, seed=1, scalar=scalar).search(state) for scalar in (True, False)
    )
    assert [a.visits for a in scalar.actions] == [a.visits for a in vector.actions]
