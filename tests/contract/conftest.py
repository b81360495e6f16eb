"""The fixtures of the contract tests: each test runs once per case."""

from __future__ import annotations

import pytest

import kiebitz as kb
from tests.contract.cases import CASES, HIDDEN, OPEN, Case


@pytest.fixture(params=CASES, ids=lambda case: case.id)
def case(request: pytest.FixtureRequest) -> Case:
    """Each case in turn."""
    found = request.param
    assert isinstance(found, Case)
    return found


@pytest.fixture
def game(case: Case) -> kb.Game:
    """The game of each case."""
    return case.make()


@pytest.fixture(params=HIDDEN, ids=lambda case: case.id)
def hidden_game(request: pytest.FixtureRequest) -> kb.Game:
    """Each game with hidden information."""
    return _made(request)


@pytest.fixture(params=OPEN, ids=lambda case: case.id)
def open_game(request: pytest.FixtureRequest) -> kb.Game:
    """Each game in which everybody sees everything."""
    return _made(request)


def _made(request: pytest.FixtureRequest) -> kb.Game:
    found = request.param
    assert isinstance(found, Case)
    return found.make()
