"""SoloEnv: one learner, the others folded in; every reward is what the rules and the settings say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import kiebitz as kb
from kiebitz.env import Rewards, SoloEnv
from kiebitz.errors import IllegalAction, ParameterError, UnknownName

STUDY = Rewards(payoff=100.0, gains="difference_no_award", gain=36.0, illegal=-100.0)
"""A win is 100, a seed is 1, an illegal action ends the game with -100."""


def first(observation: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    chosen: NDArray[np.int64] = mask.argmax(axis=1)
    return chosen


def last(observation: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    chosen: NDArray[np.int64] = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    return chosen


def study() -> kb.Game:
    return kb.game("oware", preset="thesis")


@pytest.mark.requirement("OW-28")
@pytest.mark.parametrize("opponent", ["alphabeta(depth=1, table_mb=0)", "first"])
def test_every_reward_is_that_of_the_same_game_state_by_state(opponent: str) -> None:
    """Wins, draws, losses, illegal actions, captures of both sides, endings by either side: all of them occur."""
    game = study()
    env = SoloEnv(game, first if opponent == "first" else opponent, games=8, seed=3, rewards=STUDY)
    agent = None if opponent == "first" else kb.agent(opponent, game)
    assert env.observation.shape == (8, 14)
    rng = np.random.default_rng(1)
    states = [game.new() for _ in range(8)]
    seen: set[str] = set()
    for _ in range(3000):
        for row, state in enumerate(states):
            position = state.position()
            numbers = [*position["pits"], *position["captured"]]
            np.testing.assert_allclose(env.observation[row], np.array(numbers) / 36, atol=1e-6)
        actions = (rng.random((8, 6)) * (env.mask + 0.002)).argmax(axis=1)
        env.step(actions)
        for row, state in enumerate(states):
            action = int(actions[row])
            if action not in state.legal():
                assert (env.reward[row], env.done[row], env.illegal[row]) == (-100, True, True)
                seen.add("illegal")
                states[row] = game.new()
                continue
            before = state.position()["captured"]
            state.apply(action)
            seen.add("own capture" if state.position()["captured"][0] > before[0] else "")
            if state.player != kb.TERMINAL:
                reply = state.legal()[0] if agent is None else agent.act(state.view(1))
                state.apply(reply)
                ended = "by the other"
            else:
                ended = "by the learner"
            after = state.position()["captured"]
            gained, lost = after[0] - before[0], after[1] - before[1]
            assert not env.illegal[row]
            if state.player == kb.TERMINAL:
                payoff = state.returns()[0]
                assert (env.reward[row], env.done[row], env.payoff[row]) == (100 * payoff, True, payoff)
                seen |= {f"payoff {payoff:.0f}", ended}
                states[row] = game.new()
            else:
                assert not env.done[row]
                assert env.reward[row] == pytest.approx(gained - lost, abs=1e-4)
                seen.add("lost seeds" if lost else "")
    wanted = {"illegal", "own capture", "lost seeds", "payoff 1", "payoff -1", "by the other", "by the learner"}
    assert seen >= wanted | ({"payoff 0"} if agent is None else set())


@pytest.mark.requirement("OW-28")
def test_nobody_is_asked_after_the_end() -> None:
    """As often as the learner moves without ending the game, the other is asked."""
    asked = 0

    def counted(observation: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        nonlocal asked
        assert mask.any(axis=1).all()
        asked += len(mask)
        return first(observation, mask)

    game = kb.game("tic_tac_toe")
    env = SoloEnv(game, counted, games=1)
    moves = 0
    state = game.new()
    for _ in range(200):
        action = int(env.mask[0].argmax())
        state.apply(action)
        env.step(np.array([action]))
        if state.player == kb.TERMINAL:
            assert env.done[0]
            state = game.new()
            continue
        moves += 1
        state.apply(state.legal()[0])
        state = game.new() if state.player == kb.TERMINAL else state
    assert asked == moves


@pytest.mark.requirement("OW-29")
def test_the_captures_of_the_others_can_be_left_out() -> None:
    """The same games: the reward of the variant is what was captured alone, never negative on the way."""
    envs = [
        SoloEnv(study(), last, games=4, rewards=Rewards(100.0, gains, 36.0, illegal=-100.0))
        for gains in ("difference_no_award", "own_no_award")
    ]
    taken = 0.0
    for _ in range(300):
        actions = envs[0].mask.argmax(axis=1)
        for env in envs:
            env.step(actions)
        both, own = envs
        assert np.array_equal(both.done, own.done)
        assert np.array_equal(both.reward[both.done], own.reward[own.done])
        assert (own.reward[~own.done] >= both.reward[~own.done] - 1e-4).all()
        assert (own.reward[~own.done] >= 0).all()
        taken += float(own.reward[~own.done].sum() - both.reward[~own.done].sum())
    assert taken > 0


def test_the_gain_of_the_last_step_is_paid_if_wanted() -> None:
    envs = [
        SoloEnv(study(), last, games=4, rewards=Rewards(100.0, "difference_no_award", 36.0, last_gain=more))
        for more in (False, True)
    ]
    differences = set()
    rng = np.random.default_rng(1)
    for _ in range(300):
        actions = (rng.random((4, 6)) * envs[0].mask).argmax(axis=1)
        for env in envs:
            env.step(actions)
        differences |= set((envs[1].reward - envs[0].reward)[envs[0].done].round().tolist())
        assert np.array_equal(envs[0].reward[~envs[0].done], envs[1].reward[~envs[0].done])
    assert len(differences) > 1


@pytest.mark.parametrize("name", ["kuhn", "leduc", "tic_tac_toe", "liars_dice", "doppelkopf"])
def test_in_every_seat_the_learner_decides_and_is_paid(name: str) -> None:
    """Payoffs of random play in all seats: each learner's mean is its own, and together they are those of the game."""
    game = kb.game(name)
    rng = np.random.default_rng(2)
    for seat in (None, *range(game.info.players)):
        env = SoloEnv(game, "random", games=32, seed=1, seat=seat)
        ended = 0
        for _ in range(60):
            assert (env.env.player == env.seat).all()
            assert env.mask.any(axis=1).all()
            env.step((rng.random(env.mask.shape) * env.mask).argmax(axis=1))
            ended += int(env.done.sum())
            assert not env.payoff[~env.done].any()
            low, high = game.info.min_payoff, game.info.max_payoff
            assert ((env.payoff >= low) & (env.payoff <= high)).all()
        assert ended > 0


def test_seats_alternate() -> None:
    env = SoloEnv("tic_tac_toe", games=3, seat=None)
    assert env.seat.tolist() == [0, 1, 0]
    before = env.env.episode.copy()
    while (env.env.episode == before).any():
        env.step(env.mask.argmax(axis=1))
    changed = env.env.episode == before + 3
    assert np.array_equal(env.seat[changed], 1 - np.array([0, 1, 0])[changed])


@pytest.mark.parametrize("opponent", ["random", "alphabeta(depth=2, table_mb=0)", "uct(iterations=20)"])
def test_games_go_on_where_others_were(opponent: str) -> None:
    game = study()
    make: dict[str, Any] = {"games": 5, "rewards": STUDY, "seat": None}
    one, other = SoloEnv(game, opponent, seed=4, **make), SoloEnv(game, opponent, **make)
    rng = np.random.default_rng(1)

    def act(env: SoloEnv) -> NDArray[np.int64]:
        chosen: NDArray[np.int64] = (rng.random(env.mask.shape) * (env.mask + 0.01)).argmax(axis=1)
        return chosen

    for _ in range(40):
        one.step(act(one))
    other.load(one.memory())
    for _ in range(60):
        for name in ("observation", "mask", "seat"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        action = act(one)
        one.step(action)
        other.step(action)
        for name in ("reward", "done", "illegal", "payoff"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_an_agent_that_searches_at_random_does_not_repeat_itself() -> None:
    """The same opening, another game: other random numbers."""
    env = SoloEnv(study(), "uct(iterations=5)", games=64, seed=1)
    for _ in range(2):
        env.step(env.mask.argmax(axis=1))
    assert len({row.tobytes() for row in env.observation}) > 1


def test_some_games_can_wait() -> None:
    env = SoloEnv("tic_tac_toe", first, games=3)
    env.step(np.array([4, 4, 4]), rows=np.array([True, False, True]))
    assert env.mask.sum(axis=1).tolist() == [7, 9, 7]


def test_a_refused_step_changes_nothing() -> None:
    env = SoloEnv(study(), first, games=3, rewards=Rewards())
    env.step(np.array([0, 1, 2]))
    before = {name: np.array(value) for name, value in env.memory().items()}
    empty = int((env.mask[0] == 0).argmax())
    for wrong in ([empty, 1, 2], [9, 1, 2], [-1, 1, 2]):
        with pytest.raises(IllegalAction, match="row 0: action"):
            env.step(np.array(wrong))
    with pytest.raises(ParameterError, match="expected 3 whole numbers"):
        env.step(np.array([1, 1]))
    after = env.memory()
    assert all(np.array_equal(before[name], after[name]) for name in before)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"seat": 2}, "seat: expected a number from 0 to 1"),
        ({"opponent": "nobody"}, "there is no agent 'nobody'"),
        ({"opponent": "uct(seconds=1.0)"}, "moves depend on seed and position alone"),
        ({"rewards": Rewards(gains="luck")}, "gains: expected an evaluation of oware"),
    ],
)
def test_settings_that_cannot_be_are_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises((ParameterError, UnknownName)) as caught:
        SoloEnv(study(), **given)
    assert words in str(caught.value)
