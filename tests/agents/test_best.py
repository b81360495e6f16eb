"""best: its budget in seconds, for every kind of search behind it."""

from __future__ import annotations

import pytest

import kiebitz as kb
from kiebitz.agents.best import BestAgent


@pytest.mark.parametrize(
    ("game", "spec", "inner"),
    [
        ("nim", "best(seconds=2)", "uct(seconds=2.0)"),
        ("nim", "best(iterations=5, worlds=2, seconds=2)", "uct(iterations=10, seconds=2.0)"),
        ("kuhn", "best(seconds=0.5)", "pimc(uct(seconds=0.5), fusion=value, worlds=40)"),
        ("oware", "best(seconds=2)", "oware_master(seconds=2.0)"),
    ],
)
def test_best_takes_seconds(game: str, spec: str, inner: str) -> None:
    agent = kb.agent(spec, kb.game(game))
    assert isinstance(agent, BestAgent)
    assert kb.agent(inner, kb.game(game)).spec == agent.inner.spec
    assert not agent.pure
