"""Agents: specs, purity, what they may see, and what the simple ones play."""

from __future__ import annotations

import pickle
import random
from collections import Counter

import pytest

import kiebitz as kb
from kiebitz.agents import Agent, PlainAnalysis, agent_options, create, register
from kiebitz.agents.nim.perfect import is_lost
from kiebitz.errors import BudgetError, Error, IllegalAction, ParameterError, UnknownName, UnsuitableGame
from kiebitz.spec import SpecError, parse

QUICK = {
    "best": "best(iterations=20, worlds=3)",
    "alphabeta": "alphabeta(depth=3)",
    "cheat": "cheat(uct(iterations=50))",
    "equilibrium": "equilibrium(iterations=20)",
    "every_move": "every_move(nodes=500)",
    "flat_mc": "flat_mc(iterations=60)",
    "greedy": "greedy",
    "ismcts": "ismcts(iterations=60)",
    "minimax": "minimax(depth=2)",
    "nim_perfect": "nim_perfect",
    "oware_master": "oware_master(nodes=2000, seeds=4)",
    "pimc": "pimc(uct(iterations=20), worlds=3)",
    "random": "random",
    "rule_of_thumb": "rule_of_thumb",
    "uct": "uct(iterations=60)",
}
"""A small version of every agent; a new agent needs a line here."""
NEED_MORE = ["connect_four_perfect", "net", "openspiel", "policy", "process"]
"""Agents that must be told what to play with, or that take their time early in a game; each has tests of its own."""


def some_positions(game: kb.Game, seed: int, count: int = 12) -> list[kb.State]:
    """States with somebody to move, from random games."""
    draw = random.Random(seed)
    states: list[kb.State] = []
    while len(states) < count:
        state = game.new(seed=draw.randrange(2**31))
        while state.player != kb.TERMINAL:
            if draw.random() < 0.3:
                states.append(state.copy())
            state.apply(draw.choice(state.legal()))
    return states[:count]


def ask(agent: Agent, state: kb.State) -> int:
    return agent.act_state(state) if isinstance(agent, kb.agents.cheat.Cheat) else agent.act(state.view(state.player))


def playable() -> list[tuple[str, str]]:
    return [(game, agent) for game in kb.list_games() for agent in kb.list_agents(kb.game(game)) if agent in QUICK]


def test_every_agent_has_a_quick_version_in_these_tests() -> None:
    assert sorted([*QUICK, *NEED_MORE]) == kb.list_agents()


@pytest.mark.parametrize(("game_name", "agent_name"), playable())
def test_act_is_legal_and_a_pure_function_of_spec_seed_and_view(game_name: str, agent_name: str) -> None:
    game = kb.game(game_name)
    agent = kb.agent(QUICK[agent_name], game, seed=5)
    assert agent.pure
    for state in some_positions(game, seed=1):
        before = str(state), list(state.history)
        action = ask(agent, state)
        assert action in state.legal()
        assert ask(agent, state) == action
        assert ask(kb.agent(QUICK[agent_name], game, seed=5), state) == action
        assert ask(pickle.loads(pickle.dumps(agent)), pickle.loads(pickle.dumps(state))) == action
        assert (str(state), list(state.history)) == before


@pytest.mark.parametrize(("game_name", "agent_name"), playable())
def test_analysis_names_a_legal_best_action(game_name: str, agent_name: str) -> None:
    game = kb.game(game_name)
    agent = kb.agent(QUICK[agent_name], game, seed=5)
    for state in some_positions(game, seed=2, count=3):
        view = state.view(state.player)
        analysis = agent.analyse_state(state) if agent.sees_state else agent.analyse(view)
        assert analysis.best == ask(agent, state)
        assert analysis.best_name == state.name(analysis.best)
        assert [entry.action for entry in analysis.actions] == state.legal()
        assert analysis.player == state.player
        assert analysis.to_dict()["best"] == analysis.best


@pytest.mark.parametrize("name", sorted(QUICK))
def test_specs_round_trip(name: str) -> None:
    games = {"rule_of_thumb": "doppelkopf", "oware_master": "oware", "equilibrium": "kuhn"}
    game = kb.game(games.get(name, "nim"))
    agent = kb.agent(QUICK[name], game)
    assert agent.spec == QUICK[name]
    again = kb.agent(agent.spec, game)
    assert again == agent
    assert again.spec == agent.spec
    assert hash(again) == hash(agent)
    assert kb.agent(parse(agent.spec), game) == agent


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("uct()", "uct"),
        ("uct(1000)", "uct(iterations=1000)"),
        ("uct(c=1)", "uct(c=1.0)"),
        ("uct(formula='ucb1_sqrt2', final=visits)", "uct(formula=ucb1_sqrt2)"),
        ("minimax(4)", "minimax"),
        ("cheat(inner=uct(1000, threads=1))", "cheat(uct(iterations=1000))"),
        ("alphabeta(seconds=1)", "alphabeta(seconds=1.0)"),
    ],
)
def test_the_spec_of_an_agent_is_the_shortest_one(text: str, shortest: str) -> None:
    assert kb.agent(text, kb.game("tic_tac_toe")).spec == shortest


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("nobody", UnknownName, "expected one of alphabeta, best, cheat"),
        ("uct(iteration=5)", ParameterError, "no option 'iteration'; expected iterations"),
        ("uct(iterations='many')", ParameterError, 'iterations: expected a whole number, got "many"'),
        ("uct(iterations=1.5)", ParameterError, "expected a whole number, got 1.5"),
        ("uct(iterations=true)", ParameterError, "expected a whole number, got true"),
        ("uct(iterations=[1])", ParameterError, "expected a whole number"),
        ("uct(iterations=0)", BudgetError, "expected 1 to 10,000,000,000, got 0"),
        ("uct(iterations=-5)", BudgetError, "got -5"),
        ("uct(iterations=1_000_000_000_000)", BudgetError, "got 1_000_000_000_000"),
        ("uct(seconds=0)", BudgetError, "seconds: expected"),
        ("uct(seconds=-1.0)", BudgetError, "seconds: expected"),
        ("uct(nodes=0)", BudgetError, "nodes: expected"),
        ("alphabeta(depth=0)", BudgetError, "depth: expected 1 to"),
        ("alphabeta(nodes=-1)", BudgetError, "nodes: expected"),
        ("flat_mc(iterations=0)", BudgetError, "iterations: expected"),
        ("minimax(depth=0)", ParameterError, "depth: expected 1 to"),
        ("uct(c=-1)", ParameterError, "c: expected 0 to"),
        ("uct(formula=ucb2)", ParameterError, "expected one of ucb1, ucb1_sqrt2, ucb1_2sqrt2, ucb1_tuned, got 'ucb2'"),
        ("uct(reuse=1)", ParameterError, "expected true or false, got 1"),
        ("uct(1, iterations=2)", SpecError, "given twice"),
        ("rule_of_thumb(1)", ParameterError, "expected at most 0 values"),
        ("cheat", ParameterError, "expected the option 'inner'"),
        ("cheat(5)", ParameterError, "inner: expected a spec"),
        ("cheat(cheat(random))", UnsuitableGame, "does not cheat already"),
        ("cheat(process(cat))", UnsuitableGame, "process gets views only, so it cannot look at the full state"),
        ("greedy(evaluation=beauty)", UnknownName, "evaluation: tic_tac_toe has none called 'beauty'"),
        ("minimax(evaluation=beauty)", UnknownName, "evaluation: tic_tac_toe has none called 'beauty'"),
        ("alphabeta(evaluation=beauty)", UnknownName, "evaluation: tic_tac_toe has none called 'beauty'"),
        ("uct(", SpecError, "expected a value"),
    ],
)
def test_bad_specs_are_refused(spec: str, error: type[Error], message: str) -> None:
    with pytest.raises(error) as caught:
        kb.agent(spec, kb.game("tic_tac_toe"))
    assert message in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("name", ["uct", "flat_mc", "minimax", "alphabeta", "greedy"])
@pytest.mark.parametrize("game", ["kuhn", "leduc", "liars_dice", "rock_paper_scissors"])
def test_plain_search_on_a_hidden_game_says_to_write_cheat(name: str, game: str) -> None:
    with pytest.raises(UnsuitableGame) as caught:
        kb.agent(name, kb.game(game))
    assert f"write cheat({name}(...))" in str(caught.value)


def test_agents_for_a_hidden_game() -> None:
    assert kb.list_agents(kb.game("leduc")) == [
        "best",
        "cheat",
        "equilibrium",
        "ismcts",
        "net",
        "openspiel",
        "pimc",
        "policy",
        "process",
        "random",
    ]
    assert "nim_perfect" in kb.list_agents(kb.game("nim"))
    assert "nim_perfect" not in kb.list_agents(kb.game("oware"))


def test_only_cheats_see_the_state() -> None:
    game = kb.game("kuhn")
    assert [name for name in kb.list_agents() if kb.agents.agent_class(name).sees_state] == ["cheat"]
    cheat = create("cheat(uct(iterations=100))", game)
    state = game.new(seed=1)
    with pytest.raises(UnsuitableGame, match="act_state"):
        cheat.act(state.view(state.player))


def test_a_cheat_uses_what_it_sees() -> None:
    game = kb.game("kuhn")
    cheat = create("cheat(uct(iterations=2000))", game, seed=1)
    answers = {}
    for other in ("J", "K"):
        state = game.deal(["Q", other], start=0)
        state.apply(state.parse("pass"))
        state.apply(state.parse("bet"))
        answers[other] = state.name(ask(cheat, state))
    assert answers == {"J": "bet", "K": "pass"}


@pytest.mark.requirement("DL-31")
def test_agents_do_not_see_hidden_cards() -> None:
    """Exchanging the hidden cards leaves the view, and with it every decision under the same seed, as it was."""
    game = kb.game("kuhn")
    agent = kb.agent("random", game, seed=3)
    for own, first, second in (("J", "Q", "K"), ("Q", "J", "K"), ("K", "J", "Q")):
        views = [game.deal([own, other], start=0).view(0) for other in (first, second)]
        assert views[0] == views[1]
        assert agent.act(views[0]) == agent.act(views[1])


def test_a_view_of_somebody_else_is_refused() -> None:
    game = kb.game("tic_tac_toe")
    agent = kb.agent("uct(iterations=10)", game)
    with pytest.raises(IllegalAction, match="expected a view of the player to move"):
        agent.act(game.new().view(1))
    over = game.load({"board": "xxxoo...."})
    with pytest.raises(IllegalAction, match="nobody"):
        agent.act(over.view(0))


@pytest.mark.requirement("OW-12")
def test_random_is_uniform() -> None:
    game = kb.game("oware")
    view = game.new().view(0)
    draws = Counter(kb.agent("random", game, seed=seed).act(view) for seed in range(6000))
    chi_square = sum((draws[action] - 1000) ** 2 / 1000 for action in range(6))
    assert sorted(draws) == list(range(6))
    assert chi_square < 20.5  # 5 degrees of freedom, p = 0.001


def test_greedy_takes_the_win_and_the_lowest_of_equals() -> None:
    game = kb.game("tic_tac_toe")
    greedy = kb.agent("greedy", game)
    assert greedy.act(game.load({"board": "xx.oo...."}).view(0)) == 2
    assert greedy.act(game.new().view(0)) == 0


def test_greedy_takes_most_seeds() -> None:
    game = kb.game("oware")
    greedy = kb.agent("greedy(evaluation=difference)", game)
    compared = 0
    for state in some_positions(game, seed=4, count=20):
        player = state.player
        values = {}
        for action in state.legal():
            after = state.copy()
            after.apply(action)
            captured = after.position()["captured"]
            values[action] = captured[player] - captured[1 - player]
        best = max(values.values())
        chosen = greedy.act(state.view(player))
        if all(not _over(state, action) for action in state.legal()):
            assert chosen == min(action for action, value in values.items() if value == best)
            compared += 1
    assert compared > 10


def _over(state: kb.State, action: int) -> bool:
    after = state.copy()
    after.apply(action)
    return after.player == kb.TERMINAL


def test_greedy_refuses_games_for_more_than_two() -> None:
    with pytest.raises(UnsuitableGame, match="zero-sum games for two"):
        create("greedy", kb.game("kuhn", players=3), cheating=True)


@pytest.mark.parametrize("misere", [False, True])
def test_bouton_agrees_with_exhaustive_search(misere: bool) -> None:
    for heaps in [[a, b, c] for a in range(3) for b in range(4) for c in range(5) if a + b + c > 0]:
        game = kb.game("nim", heaps=heaps, misere=misere)
        value = kb.search.AlphaBeta(game, depth=sum(heaps), table_mb=1).search(game.root()).value
        assert is_lost(heaps, misere) == (value < 0), heaps


@pytest.mark.parametrize("misere", [False, True])
def test_nim_perfect_wins_every_won_position(misere: bool) -> None:
    game = kb.game("nim", heaps=[1, 3, 5, 6], misere=misere)
    perfect = kb.agent("nim_perfect", game)
    for seed in range(30):
        state = game.new()
        assert not is_lost([1, 3, 5, 6], misere)
        draw = random.Random(seed)
        while state.player != kb.TERMINAL:
            view = state.view(state.player)
            state.apply(perfect.act(view) if state.player == 0 else draw.choice(view.legal()))
        assert state.returns() == [1, -1]


def test_alphabeta_and_minimax_never_lose_tic_tac_toe() -> None:
    game = kb.game("tic_tac_toe")
    perfect = kb.agent("alphabeta(depth=9)", game)
    for seed in range(20):
        for seat in (0, 1):
            state, other = game.new(), kb.agent("random", game, seed=seed)
            while state.player != kb.TERMINAL:
                who = perfect if state.player == seat else other
                state.apply(who.act(state.view(state.player)))
            assert state.returns()[seat] >= 0


def test_minimax_and_alphabeta_find_the_same_value() -> None:
    game = kb.game("oware")
    for state in some_positions(game, seed=6, count=10):
        view = state.view(state.player)
        values = {kb.agent(spec, game).analyse(view).value for spec in ("minimax(3)", "alphabeta(depth=3)")}
        assert len(values) == 1


def test_the_same_move_with_one_and_two_threads() -> None:
    game = kb.game("connect_four")
    for state in some_positions(game, seed=7, count=5):
        view = state.view(state.player)
        moves = {
            kb.agent(f"uct(iterations=400, streams=4, threads={threads})", game, seed=2).act(view) for threads in (1, 2)
        }
        assert len(moves) == 1


def test_time_budgets_and_reuse_say_that_they_are_not_pure() -> None:
    game = kb.game("tic_tac_toe")
    for spec in (
        "uct(seconds=0.01)",
        "uct(iterations=100, reuse=true)",
        "alphabeta(seconds=0.01)",
        "minimax(seconds=1)",
    ):
        agent = kb.agent(spec, game)
        assert not agent.pure, spec
        assert agent.act(game.new().view(0)) in range(9)
    assert not kb.agent("cheat(flat_mc(seconds=0.01))", game).pure


def test_uct_keeps_its_tree_when_asked() -> None:
    game = kb.game("connect_four")
    agent = kb.agent("uct(iterations=500, reuse=true)", game, seed=1)
    state = game.new()
    while state.player != kb.TERMINAL:
        state.apply(agent.act(state.view(state.player)))
    assert len(state.history) >= 7


@pytest.mark.requirement("OW-47")
def test_an_agent_is_one_class_with_one_hook() -> None:

    @register("last_for_tests")
    class Last(Agent):
        """Always the last legal action."""

        def move(self, view: kb.View) -> int:
            return view.legal()[-1]

    try:
        game = kb.game("tic_tac_toe")
        assert "last_for_tests" in kb.list_agents()
        agent = kb.agent("last_for_tests", game)
        assert isinstance(agent, Last)
        assert agent.act(game.new().view(0)) == 8
        analysis = agent.analyse(game.new().view(0))
        assert isinstance(analysis, PlainAnalysis)
        assert str(analysis) == "last_for_tests: c3"
        with pytest.raises(SpecError, match="already an agent"):
            register("last_for_tests")(type("Other", (Agent,), {}))
    finally:
        del kb.agents.base._registry["last_for_tests"]


def test_an_agent_without_the_hook_says_so() -> None:
    class Empty(Agent):
        name = "empty"

    game = kb.game("tic_tac_toe")
    with pytest.raises(TypeError, match="move"):
        Empty(game, None)  # type: ignore[abstract]


def test_options_are_documented() -> None:
    for name in kb.list_agents():
        for option in agent_options(name):
            assert option.help, f"{name}.{option.name}"
            assert option.to_dict()["name"] == option.name
        assert kb.agents.agent_class(name).__doc__
