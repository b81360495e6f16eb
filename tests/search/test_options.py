"""Options of searches: described once in the core, read by name, the same for agents, documentation and servers."""

from typing import Any

import pytest

import kiebitz as kb
from kiebitz import _core
from kiebitz.agents import agent_class, agent_options
from kiebitz.search import AlphaBeta, Ismcts, Pimc, Uct

OWN = ("inner", "leak", "prior", "value", "default_policy", "cache_mb")
"""Options that only agents have."""
SEARCHES = ("uct", "pimc", "ismcts", "alphabeta")


@pytest.mark.parametrize("search", SEARCHES)
def test_agents_have_the_options_that_the_core_describes(search: str) -> None:
    described = [each for each in _core.search_options(search) if each.in_specs]
    options = {option.name: option for option in agent_options(search)}
    assert [name for name in options if name not in OWN] == [each.name for each in described]
    for each in described:
        option = options[each.name]
        assert option.help.startswith(each.help.partition(";")[0])
        assert (list(option.choices), option.most) == (each.choices, each.most)
        if each.name != "depth":  # agents must be given one
            assert (option.low, option.high) == (each.low, each.high)


@pytest.mark.parametrize("search", SEARCHES)
def test_bounds_of_servers_lie_in_the_range(search: str) -> None:
    for each in _core.search_options(search):
        if each.most is not None and each.high is not None and each.low is not None:
            assert each.low <= each.most <= each.high
        assert each.help


def test_a_search_that_is_not_there_has_no_options() -> None:
    with pytest.raises(kb.UnknownName, match="expected uct, pimc, ismcts or alphabeta"):
        _core.search_options("luck")


def found(search: Uct | Ismcts | Pimc, game: kb.Game) -> Any:
    state = game.new(seed=3)
    told = search.search(state) if isinstance(search, Uct) else search.search(state.view(state.player))
    return [(a.name, a.visits, a.value) for a in told.actions]


def test_options_of_speed_do_not_change_the_move() -> None:
    faster: dict[str, Any] = {"threads": 3, "scalar": False, "batch": 5}
    for search in SEARCHES:
        assert {each.name for each in _core.search_options(search) if each.effect == "speed"} <= faster.keys()
    board, cards = kb.game("connect_four"), kb.game("leduc")
    plain: dict[str, Any] = {"iterations": 200, "streams": 3, "seed": 5}
    for name, value in faster.items():
        assert found(Uct(board, **plain), board) == found(Uct(board, **plain, **{name: value}), board)
    assert found(Ismcts(cards, **plain), cards) == found(Ismcts(cards, **plain, threads=3), cards)
    tree = Uct(cards, iterations=50)
    assert found(Pimc(tree, worlds=6, seed=5), cards) == found(Pimc(tree, worlds=6, seed=5, threads=3), cards)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"iteration": 5}, "uct has no option 'iteration'; expected iterations, nodes"),
        ({"iterations": 5.5}, "iterations: expected a whole number, got 5.5"),
        ({"iterations": "many"}, "iterations: expected a whole number, got 'many'"),
        ({"iterations": True}, "iterations: expected a whole number, got True"),
        ({"iterations": 10**30}, "iterations: expected 1 to 10000000000"),
        ({"iterations": -(10**30)}, "iterations: expected 1 to 10000000000"),
        ({"streams": 2**40}, "streams: expected 1 to 256, got 1099511627776"),
        ({"streams": None}, "streams: expected a whole number, got None"),
        ({"c": "wide"}, "c: expected a number, got 'wide'"),
        ({"reuse": 1}, "reuse: expected true or false, got 1"),
        ({"scale": 3}, "scale: expected text, got 3"),
        ({"scale": "none"}, "scale: expected one of unit, raw, siblings, got 'none'"),
        ({"seed": -1}, "seed: expected a whole number from 0 up, got -1"),
        ({"seed": 2**64}, "seed: expected a whole number from 0 up"),
    ],
)
def test_what_an_option_cannot_be_is_refused_by_name(options: dict[str, Any], message: str) -> None:
    with pytest.raises(kb.Error, match=message):
        Uct(kb.game("tic_tac_toe"), **{"iterations": 10, **options})


def test_parts_of_an_exact_search_are_checked() -> None:
    game = kb.game("tic_tac_toe")
    with pytest.raises(kb.ParameterError, match="known: expected"):
        AlphaBeta(game, depth=1, known="endings")  # type: ignore[arg-type]
    with pytest.raises(kb.ParameterError, match="evaluation: expected text"):
        AlphaBeta(game, depth=1, evaluation=3)  # type: ignore[arg-type]
    with pytest.raises(
        kb.ParameterError, match="formula: expected one of ucb1, ucb1_sqrt2, ucb1_2sqrt2, got 'ucb1_tuned'"
    ):
        Ismcts(kb.game("leduc"), iterations=5, formula="ucb1_tuned")


def test_numbers_of_numpy_are_numbers() -> None:
    import numpy as np

    game = kb.game("tic_tac_toe")
    options: dict[str, Any] = {"iterations": np.int64(50), "c": np.float32(0.5)}
    one = Uct(game, **options).search(game.new())
    assert [a.visits for a in one.actions] == [
        a.visits for a in Uct(game, iterations=50, c=0.5).search(game.new()).actions
    ]


@pytest.mark.parametrize(
    "spec", ["uct(seconds=0.01)", "uct(reuse=true)", "pimc(uct(seconds=0.01))", "ismcts(seconds=1)"]
)
def test_agents_that_look_at_the_clock_are_not_pure(spec: str) -> None:
    game = kb.game("leduc" if "(uct" in spec or "ismcts" in spec else "nim")
    assert not kb.agent(spec, game).pure
    assert kb.agent(spec.partition("(")[0], game).pure


def test_no_agent_is_offered_unless_its_class_says_so() -> None:
    assert kb.agents.Agent.offered == 0
    assert agent_class("every_move").offered == 0
