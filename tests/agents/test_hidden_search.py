"""The agents pimc and ismcts, and the beliefs behind them: what they promise in every hidden game."""

from __future__ import annotations

import json
import math
import pickle
import threading
from collections.abc import Iterator

import pytest

import kiebitz as kb
from kiebitz import beliefs
from kiebitz._core import Ismcts, Pimc
from kiebitz.agents.advice import study
from kiebitz.agents.pimc import PimcAgent
from kiebitz.search import StopToken, Uct

HIDDEN = ["kuhn", "leduc", "liars_dice", "rock_paper_scissors"]
SPECS = [
    "pimc(uct(iterations=40), worlds=5)",
    "pimc(uct(iterations=20), worlds=6, fusion=rank)",
    "ismcts(iterations=200)",
]


def games(names: list[str]) -> list[kb.Game]:
    return [kb.game(name) for name in names if name in kb.list_games()]


def decisions(game: kb.Game, count: int = 6) -> list[kb.State]:
    """States with somebody to move, from random games."""
    found: list[kb.State] = []
    for seed in range(100):
        state = game.new(seed=seed)
        mover = kb.agent("random", game, seed=seed)
        while state.player >= 0 and len(found) < count:
            found.append(state.copy())
            state.apply(mover.act(state.view(state.player)))
    return found[:count]


@pytest.mark.parametrize("spec", SPECS)
def test_they_play_every_hidden_game_from_the_view_alone(spec: str) -> None:
    for game in games(HIDDEN):
        agent = kb.agent(spec, game, seed=3)
        assert agent.pure
        assert pickle.loads(pickle.dumps(agent)) == agent
        for state in decisions(game):
            view = state.view(state.player)
            action = agent.act(view)
            assert action in state.legal()
            analysis = agent.analyse(view)
            assert [entry.action for entry in analysis.actions] == state.legal()
            for other in view.worlds(3, seed=9):
                same = other.view(state.player)
                assert agent.act(same) == action
                assert agent.analyse(same).to_dict()["actions"] == analysis.to_dict()["actions"]


@pytest.mark.parametrize(
    "spec", ["pimc(uct(iterations=60), worlds=9, threads={})", "ismcts(iterations=600, streams=4, threads={})"]
)
def test_threads_do_not_change_the_move_or_the_numbers(spec: str) -> None:
    for game in games(HIDDEN):
        for state in decisions(game, 3):
            view = state.view(state.player)
            found = [kb.agent(spec.format(n), game, seed=2).analyse(view).to_dict() for n in (1, 2, 8)]
            for fields in found:
                del fields["seconds"]
            assert found[0] == found[1] == found[2]


def test_in_open_games_they_are_tree_searches() -> None:
    game = kb.game("tic_tac_toe")
    view = game.load({"board": "xx.oo...."}).view(0)
    for spec in ("pimc(uct(iterations=200), worlds=10)", "ismcts(iterations=2000)"):
        agent = kb.agent(spec, game, seed=1)
        analysis = agent.analyse(view)
        assert analysis.iterations == 2000
        assert analysis.best_name == "c1"
        assert agent.act(view) == analysis.best


def test_specs_round_trip_and_read_as_people_write_them() -> None:
    game = kb.game("leduc")
    for spec in (
        "pimc",
        "pimc(uct(iterations=10_000, c=2.5), worlds=10)",
        "pimc(worlds=10, fusion=rank, care=1.5)",
        "ismcts(iterations=500, availability=false)",
        "cheat(pimc(uct(iterations=100)))",
    ):
        assert kb.agent(spec, game).spec == spec
    assert kb.agent("pimc(inner=uct( iterations = 50 ))", game).spec == "pimc(uct(iterations=50))"


def test_an_analysis_compares_actions_on_the_same_worlds() -> None:
    game = kb.game("leduc")
    state = decisions(game, 1)[0]
    agent = kb.agent("pimc(uct(iterations=100), worlds=12)", game, seed=1)
    assert isinstance(agent, PimcAgent)
    view = state.view(state.player)
    analysis = agent.analyse(view)
    assert isinstance(analysis, kb.Analysis)
    assert analysis.worlds == len(analysis.world_values) == 12
    assert "12 sampled worlds" in str(analysis)
    for column, entry in enumerate(analysis.actions):
        values = [row[column] for row in analysis.world_values]
        mean = math.fsum(values) / 12
        error = math.sqrt(math.fsum((x - mean) ** 2 for x in values) / 11 / 12)
        assert entry.value == pytest.approx(mean)
        assert entry.error == pytest.approx(error)
    again = kb.Analysis.from_dict(json.loads(json.dumps(analysis.to_dict())))
    assert again.to_dict() == analysis.to_dict()
    # The worlds can be had again: each row is the search of one of them.
    worlds = agent.worlds(view).worlds
    assert len(worlds) == 12
    assert all(world.view(view.observer) == view for world in worlds)
    batch = Pimc(Uct(game, iterations=100), worlds=12, seed=agent.seed_for(view)).search_worlds(view, worlds)
    assert batch.world_values == analysis.world_values


def test_actions_never_tried_have_no_value_in_json() -> None:
    game = kb.game("liars_dice")
    view = game.new(seed=1).view(0)
    analysis = Pimc(Uct(game, iterations=2), worlds=3).search(view)
    assert any(math.isnan(x) for row in analysis.world_values for x in row)
    text = json.dumps(analysis.to_dict(), allow_nan=False)
    assert kb.Analysis.from_dict(json.loads(text)).to_dict() == analysis.to_dict()


def test_advice_in_a_large_hidden_game_comes_from_sampled_worlds() -> None:
    analysis = study(kb.game("doppelkopf").new(seed=1).view(1), "glance").analysis
    assert isinstance(analysis, kb.Analysis)
    assert analysis.worlds > 1


# --- Beliefs ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def lopsided() -> Iterator[str]:
    """A belief made in Python: one world drawn twice, and one that does not count."""

    @beliefs.register("lopsided")
    class Lopsided:
        def worlds(self, view: kb.View, count: int, seed: int) -> beliefs.WeightedWorlds:
            first, second = view.worlds(2, seed)
            return beliefs.WeightedWorlds([first, first, second], [1.0, 0.5, 0.0])

    yield "lopsided"
    del beliefs._registry["lopsided"]


def test_a_belief_written_in_python_hands_over_worlds(lopsided: str) -> None:
    game = kb.game("leduc")
    view = decisions(game, 1)[0].view(0)
    agent = kb.agent(f"pimc(uct(iterations=50), worlds=3, belief={lopsided})", game, seed=1)
    analysis = agent.analyse(view)
    assert isinstance(analysis, kb.Analysis)
    assert analysis.worlds == 2
    assert agent.act(view) == analysis.best
    assert lopsided in beliefs.list_beliefs(game)
    with pytest.raises(kb.UnknownName, match="expected one of exact"):
        kb.agent(f"ismcts(belief={lopsided})", game)


def test_unknown_beliefs_are_named() -> None:
    game = kb.game("leduc")
    for spec in ("pimc(belief=guess)", "ismcts(belief=guess)"):
        with pytest.raises(kb.UnknownName, match="expected one of exact"):
            kb.agent(spec, game)
    with pytest.raises(kb.UnknownName):
        game.new(seed=1).view(0).worlds(3, belief="guess")
    with pytest.raises(kb.ParameterError):
        beliefs.register("exact")


def test_worlds_of_a_view_repeat_themselves_and_begin_alike() -> None:
    for game in games([*HIDDEN, "tic_tac_toe"]):
        view = game.new(seed=2).view(0)
        few, many = view.worlds(3, seed=4), view.worlds(8, seed=4)
        assert [w.key for w in few] == [w.key for w in many[:3]]
        assert beliefs.draw(view, 0).worlds == []
    with pytest.raises(kb.ParameterError):
        view.worlds(-1)


# --- Limits and refusals ----------------------------------------------------------------------------------------------


def test_time_budgets_and_stop_tokens_end_a_search() -> None:
    game = kb.game("liars_dice", dice=3)
    view = game.new(seed=1).view(0)
    for spec in ("pimc(uct(seconds=0.05), worlds=8)", "ismcts(seconds=0.05)"):
        agent = kb.agent(spec, game)
        assert not agent.pure
        analysis = agent.analyse(view)
        assert analysis.best in view.legal()
        assert analysis.iterations > 0
        assert not analysis.stopped
    for search in (
        Pimc(Uct(game, iterations=10**9, memory_mb=8), worlds=4, threads=2),
        Ismcts(game, iterations=10**9, memory_mb=8),
    ):
        token = StopToken()
        timer = threading.Timer(0.1, token.request)
        timer.start()
        analysis = search.search(view, stop=token)
        timer.join()
        assert analysis.stopped
        assert analysis.best in view.legal()


def test_leaks_are_only_for_cheats() -> None:
    game = kb.game("leduc")
    with pytest.raises(kb.UnsuitableGame, match=r"cheat\(pimc"):
        kb.agent("pimc(leak=true)", game)
    agent = kb.agent("cheat(pimc(leak=true))", game)
    state = decisions(game, 1)[0]
    with pytest.raises(kb.UnsuitableGame, match="no hidden sides"):
        agent.analyse_state(state)
    fair = kb.agent("cheat(pimc(uct(iterations=30)))", game, seed=1)
    assert fair.analyse_state(state).best in state.legal()


@pytest.mark.parametrize(
    "spec",
    [
        "pimc(worlds=0)",
        "pimc(threads=0)",
        "pimc(care=-1)",
        "pimc(margin=-1)",
        "pimc(fusion=vote)",
        "pimc(calls=some)",
        "pimc(exact_last=33)",
        "pimc(minimax)",
        "pimc(uct(streams=2))",
        "pimc(uct(threads=2))",
        "pimc(uct(reuse=true))",
        "pimc(uct(final=value))",
        "pimc(uct(iterations=0))",
        "pimc(uct(tree_calls=some))",
        "pimc(uct(class_share=0.6))",
        "pimc(uct(margin=1))",
        "pimc(uct(solve_last=99))",
        "ismcts(iterations=0)",
        "ismcts(formula=ucb1_tuned)",
        "ismcts(streams=0)",
        "ismcts(c=-1)",
    ],
)
def test_options_that_cannot_be_meant_are_refused(spec: str) -> None:
    with pytest.raises(kb.Error):
        kb.agent(spec, kb.game("leduc"))


def test_searches_refuse_what_is_not_theirs() -> None:
    leduc, kuhn, board = kb.game("leduc"), kb.game("kuhn"), kb.game("tic_tac_toe")
    state = decisions(leduc, 1)[0]
    view = state.view(state.player)
    other = 1 - state.player
    for search in (Pimc(Uct(leduc, iterations=20), worlds=2), Ismcts(leduc, iterations=20)):
        with pytest.raises(kb.UnsuitableGame):
            search.search(kuhn.new(seed=1).view(0))
        with pytest.raises(kb.UnsuitableGame):
            search.search(board.new().view(0))
        with pytest.raises(kb.IllegalAction):
            search.search(state.view(other))
    pimc = Pimc(Uct(leduc, iterations=20), worlds=2)
    with pytest.raises(kb.ParameterError):
        pimc.search_worlds(view, [])
    with pytest.raises(kb.ParameterError):
        pimc.search_worlds(view, view.worlds(2), [1.0])
    with pytest.raises(kb.UnsuitableGame):
        pimc.search_worlds(view, [kuhn.new(seed=1)])
    with pytest.raises(kb.ParameterError):
        pimc.search_worlds(view, [leduc.root()])
    with pytest.raises(kb.ParameterError):
        pimc.search_worlds(view, [None])  # type: ignore[list-item]
    strangers = [other for other in decisions(leduc, 40) if other.player == state.player and other.view(0) != view]
    with pytest.raises(kb.ParameterError, match="that the view allows"):
        pimc.search_worlds(view, strangers[:1])
    with pytest.raises(kb.UnsuitableGame):
        Pimc(Uct(board, iterations=5))
    with pytest.raises(kb.UnsuitableGame):
        Ismcts(board, iterations=5)
