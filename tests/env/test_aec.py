"""kb.env(...): PettingZoo's own tests for every game, the same games as played state by state, and bad input."""

from __future__ import annotations

import copy
import pickle
import sys
import warnings
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

import kiebitz as kb
from kiebitz.env import aec
from kiebitz.env import env as make_env
from kiebitz.env.aec import GameEnv
from kiebitz.errors import IllegalAction, LimitError, ParameterError
from tests.contract.cases import CASES, QUICK, Case

EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


@EVERY_CASE
def test_pettingzoo_api(case: Case) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has opinions on bounds and shapes, and says so in warnings
        api_test(GameEnv(case.make()), num_cycles=60)


@EVERY_CASE
def test_pettingzoo_seeds(case: Case) -> None:
    game = case.make()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: GameEnv(game), num_cycles=30)


@EVERY_CASE
def test_the_same_game_as_state_by_state(case: Case) -> None:
    game = case.make()
    random = Random(1)
    env = GameEnv(game)
    env.reset(seed=11)
    state = game.new(seed=int(np.random.default_rng(11).integers(2**63)))
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        assert not truncated
        if terminated:
            assert state.player == kb.TERMINAL
            env.step(None)
            continue
        assert agent == f"player_{state.player}"
        assert np.flatnonzero(observation["action_mask"]).tolist() == state.legal()
        view = state.view(state.player)
        assert env.view(agent) == view
        if game.info.tensor_size:
            assert np.array_equal(observation["observation"], view.tensor())
        for other in set(env.agents) - {agent}:
            assert not env.observe(other)["action_mask"].any()
        action = random.choice(state.legal())
        env.step(action)
        state.apply(action)
        assert reward == 0
    assert list(paid.values()) == pytest.approx(list(state.returns()))
    assert env.agents == []


@pytest.mark.parametrize("name", kb.list_games())
def test_agents_of_kiebitz_play_in_it(name: str) -> None:
    game = kb.game(name)
    for spec in sorted(set(kb.list_agents(game)) & {"random", "uct", "ismcts", "pimc", "alphabeta", "rule_of_thumb"}):
        env = make_env(game)
        env.reset(seed=3)
        players = {agent: kb.agent(QUICK.get(spec, spec), game, seed=1) for agent in env.agents}
        paid = []
        for agent in env.agent_iter():
            _, reward, terminated, _, _ = env.last()
            env.step(None if terminated else players[agent].act(env.view(agent)))
            if terminated:
                paid.append(reward)
        assert paid == env.result()["returns"]


def test_games_after_a_seed_go_on_and_differ() -> None:
    env = make_env("leduc")

    def deals(seed: int) -> list[str]:
        env.reset(seed=seed)
        texts = [env.view("player_0").key + env.view("player_1").key]
        for _ in range(20):
            env.reset()
            texts.append(env.view("player_0").key + env.view("player_1").key)
        return texts

    assert deals(5) == deals(5)
    assert len(set(deals(5))) > 5
    assert deals(5) != deals(6)


def test_nobody_sees_hidden_cards() -> None:
    """Deals that differ in the other's card only: the same observation."""
    env = make_env("kuhn")
    seen: dict[int, set[bytes]] = {}
    for seed in range(60):
        env.reset(seed=seed)
        card = env.view("player_0").fields()["card"]
        seen.setdefault(card, set()).add(env.observe("player_0")["observation"].tobytes())
    assert sorted(len(values) for values in seen.values()) == [1, 1, 1]


@pytest.mark.parametrize("action", [1, -1, 99, 2**70, None, "0", 0.0, [0]])
def test_an_illegal_action_is_refused_and_changes_nothing(action: Any) -> None:
    env = make_env("tic_tac_toe")
    env.reset()
    env.step(1)
    before = env.render(), env.agent_selection, dict(env.rewards)
    with pytest.raises(IllegalAction):
        env.step(action)
    assert (env.render(), env.agent_selection, dict(env.rewards)) == before
    env.step(0)


def test_after_the_end_only_none_is_taken() -> None:
    env = make_env("kuhn")
    env.reset(seed=1)
    env.step(0)
    env.step(0)
    with pytest.raises(IllegalAction, match="the game is over for player_0"):
        env.step(0)
    env.step(None)
    env.step(None)
    with pytest.raises(IllegalAction, match="reset the environment"):
        env.step(None)


def test_pettingzoos_wrappers_fit_around_it() -> None:
    env = OrderEnforcingWrapper(TerminateIllegalWrapper(make_env("tic_tac_toe"), illegal_reward=-1))
    env.reset(seed=1)
    env.step(4)
    env.last()
    env.step(4)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 0, "player_1": -1}


def test_numpy_numbers_are_actions() -> None:
    env = make_env("tic_tac_toe")
    env.reset()
    env.step(np.int64(4))
    assert env.view("player_1").fields()["board"] == "....x...."


def test_before_the_first_reset_it_says_so() -> None:
    env = make_env("nim")
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.render, env.result):
        with pytest.raises(kb.Error, match="reset the environment first"):
            call()


def test_text_is_returned_or_printed(capsys: pytest.CaptureFixture[str]) -> None:
    env = make_env("tic_tac_toe", render_mode="ansi")
    env.reset()
    text = env.render()
    assert text == str(kb.game("tic_tac_toe").new())
    env = make_env("tic_tac_toe", render_mode="human")
    env.reset()
    env.step(0)
    assert "x" in capsys.readouterr().out


def test_bad_names_are_refused() -> None:
    with pytest.raises(kb.UnknownName):
        make_env("tic_tac_to")
    with pytest.raises(ParameterError, match="ansi, human"):
        make_env("nim", render_mode="rgb_array")
    env = make_env("nim")
    env.reset()
    with pytest.raises(ParameterError, match="player_0, player_1"):
        env.observe("player_2")


def test_a_game_without_a_tensor_shows_its_view_in_bytes() -> None:
    env = make_env("little_poker")
    env.reset()
    observation = env.observe("player_0")["observation"]
    assert bytes(observation).rstrip(b"\0").decode() == env.view("player_0").key


def test_a_view_too_long_for_bytes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aec, "TEXT_BYTES", 8)
    env = make_env("little_poker")
    env.reset()
    with pytest.raises(LimitError, match="give it tensor_size"):
        env.observe("player_0")


def test_a_game_that_ends_before_anybody_moves_pays_out() -> None:
    env = make_env(kb.game("tree", tree={"players": ["Anna", "Otto"], "root": {"payoffs": [2, 3]}}))
    env.reset()
    assert env.terminations == {"player_0": True, "player_1": True}
    assert [env.last()[1], env.agent_selection] == [2.0, "player_0"]
    env.step(None)
    assert [env.last()[1], env.agent_selection] == [3.0, "player_1"]


def test_copies_go_their_own_way() -> None:
    env = make_env("leduc")
    env.reset(seed=4)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.step(1)
        assert twin.agent_selection == "player_1"
    assert env.agent_selection == "player_0"


def test_without_pettingzoo_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "kiebitz.env.aec")
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(kb.Error, match=r"pip install 'kiebitz\[env\]'"):
        make_env("nim")
