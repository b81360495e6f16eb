"""Strengths in words: there for every game, legal, quick, and in the right order."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.agents import equilibrium
from kiebitz.agents.strengths import LEVELS, spec_of, strengths
from kiebitz.cli.play import suggestions
from kiebitz.errors import UnknownName
from kiebitz.games import ratings_of
from kiebitz.solve.measures import exploitability
from kiebitz.solve.policy import Policy

GAMES = ["doppelkopf", "oware", "leduc", "kuhn", "liars_dice", "connect_four", "tic_tac_toe", "nim"]
VARIANTS = [
    ("oware", {"preset": "abapa"}),
    ("leduc", {"preset": "thesis"}),
    ("leduc", {"ranks": 13, "suits": 4}),
    ("kuhn", {"players": 4}),
    ("liars_dice", {"players": 3, "dice": 2}),
    ("nim", {"misere": True}),
    ("connect_four", {"rows": 5, "columns": 5}),
    ("doppelkopf", {"nines": False}),
    ("rock_paper_scissors", {}),
]


@pytest.mark.parametrize(("name", "rules"), [*((name, {}) for name in GAMES), *VARIANTS])
def test_every_level_of_every_game_sits_down_and_plays(name: str, rules: dict[str, Any]) -> None:
    game = kb.game(name, **rules)
    levels = strengths(game)
    assert 3 <= len(levels) <= 5
    assert [level.key for level in levels] == [key for key in LEVELS if key in {level.key for level in levels}]
    assert {"beginner", "casual", "best"} <= {level.key for level in levels}
    state = game.new(seed=1)
    for level in levels:
        agent = kb.agent(level.spec, game)
        assert agent.spec == level.spec
        assert agent.pure
        assert not agent.sees_state
        assert agent.act(state.view(state.player)) in state.legal()
        assert level.words() != level.words(german=True)
    assert len({level.spec for level in levels}) == len(levels)


@pytest.mark.parametrize("name", GAMES)
def test_the_best_level_moves_while_people_wait(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what it counts, whatever the machine: about a third of a second on an idle one. Games are solved once."""
    game = kb.game(name)
    agent = kb.agent(spec_of(game, "best"), game)
    state = game.new(seed=1)
    agent.act(state.view(state.player))
    monkeypatch.delattr(equilibrium, "_solve")
    for _ in range(3):
        found = agent.analyse(state.view(state.player))
        assert found.nodes <= 5_000_000
        assert found.iterations <= 200_000
        state.apply(found.best)
        if state.player < 0:
            break


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars_dice"])
def test_a_stronger_level_of_a_solved_game_can_be_exploited_less(name: str) -> None:
    game = kb.game(name)
    found = [exploitability(game, Policy.from_agent(game, kb.agent(level.spec, game))) for level in strengths(game)]
    assert found == sorted(found, reverse=True)
    assert found[-1] < 0.01


@pytest.mark.parametrize("name", ["oware", "connect_four", "tic_tac_toe", "nim"])
def test_a_stronger_level_beats_the_one_below(name: str) -> None:
    game = kb.game(name)
    levels = [level.spec for level in strengths(game)][:3]
    for weaker, stronger in pairwise(levels):
        result = kb.arena.match(game, [stronger, weaker], games=20, seed=1)
        assert result.difference().value > 0.2


def test_the_command_line_offers_the_same_levels_the_usual_one_first() -> None:
    for name in GAMES:
        game = kb.game(name)
        offers = dict(suggestions(game))
        assert next(iter(offers)) == spec_of(game, "strong")
        assert {level.spec for level in strengths(game)} <= set(offers)
        for spec in offers:
            kb.agent(spec, game)


@pytest.mark.parametrize("name", GAMES)
def test_every_level_is_rated_with_the_usual_rules_only(name: str) -> None:
    """Whoever changes a level measures it again: ``kiebitz tournament GAME --json``, beside the declaration."""
    rated = ratings_of(name)
    assert rated is not None
    levels = strengths(kb.game(**rated["game"]))
    ratings = [level.rating for level in levels if level.key != "learned" or level.rating is not None]
    values = [rating.value for rating in ratings if rating is not None and rating.low <= rating.value <= rating.high]
    assert len(values) == len(ratings)
    assert min(values) == values[0]
    assert sum(values) == pytest.approx(0.0, abs=1e-9)
    assert all(rating.games >= 100 for rating in ratings if rating is not None)


UNRATED = [variant for variant in VARIANTS if variant[0] in GAMES and variant != ("oware", {"preset": "abapa"})]


@pytest.mark.parametrize(("name", "rules"), UNRATED)
def test_no_level_is_rated_with_other_rules(name: str, rules: dict[str, Any]) -> None:
    assert not any(level.rating for level in strengths(kb.game(name, **rules)))


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(UnknownName, match="beginner, casual"):
        spec_of(kb.game("nim"), "godlike")
