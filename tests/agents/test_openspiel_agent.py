"""openspiel(...): its bots play legal moves here, see no more than they may, and refuse what they cannot play."""

from __future__ import annotations

import importlib.util
import pickle
from random import Random
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.agents.openspiel import BOTS
from kiebitz.errors import BudgetError, LimitError, ParameterError, UnsuitableGame

GAMES: list[tuple[str, str | None]] = [
    ("tic_tac_toe", None),
    ("connect_four", None),
    ("nim", None),
    ("kuhn", None),
    ("leduc", "standard"),
    ("liars_dice", None),
    ("oware", "abapa"),
]


@pytest.mark.parametrize(("name", "preset"), GAMES)
@pytest.mark.parametrize("bot", BOTS)
def test_whole_games_of_legal_moves(name: str, preset: str | None, bot: str) -> None:
    game = kb.game(name, preset)
    if bot == "ismcts" and name not in ("kuhn", "leduc"):
        with pytest.raises(UnsuitableGame, match="kuhn or leduc"):
            kb.agent("openspiel(ismcts)", game)
        return
    spec = f"openspiel({bot}, simulations=5)"
    for seed in range(3):
        state = game.new(seed=seed)
        agents = [kb.agent(spec, game, seed=s) for s in range(game.info.players)]
        while state.player != kb.TERMINAL:
            view = state.view(state.player)
            agent = agents[state.player]
            action = agent.act(view)
            assert action in state.legal()
            if bot != "ismcts":
                assert agent.act(view) == action
                assert agent.analyse(view).best == action
            if agent.pure:
                assert pickle.loads(pickle.dumps(agent)).act(view) == action
            state.apply(action)


def test_worlds_that_the_player_cannot_tell_apart_give_the_same_move() -> None:
    game = kb.game("leduc")
    agent = kb.agent("openspiel(mcts, simulations=30)", game, seed=3)
    for public in (4, 5):
        moves = set()
        for other in (1, 2, 3):
            state = game.load({"cards": [0, other], "public": public, "betting": "cc/"})
            moves.add(agent.act(state.view(0)))
        assert len(moves) == 1


def test_with_cheat_it_sees_the_true_cards() -> None:
    """Holding the queen against the jack or the king is the same view, but not the same state."""
    game = kb.game("kuhn")
    agent = kb.agent("cheat(openspiel(mcts, simulations=500))", game)
    assert isinstance(agent, kb.agents.cheat.Cheat)
    won, lost = (game.load({"cards": [1, other], "betting": "pb"}) for other in (0, 2))
    assert won.view(0) == lost.view(0)
    assert (won.name(agent.act_state(won)), lost.name(agent.act_state(lost))) == ("bet", "pass")


def test_mcts_of_openspiel_does_not_lose_tic_tac_toe() -> None:
    game = kb.game("tic_tac_toe")
    for number in range(10):
        strong, weak = kb.agent("openspiel(mcts, simulations=500)", game, number), kb.agent("random", game, number)
        agents = [strong, weak] if number % 2 == 0 else [weak, strong]
        state = game.new()
        while state.player != kb.TERMINAL:
            state.apply(agents[state.player].act(state.view(state.player)))
        assert state.returns()[number % 2] >= 0


def test_oware_is_followed_from_its_start_or_from_a_short_opening() -> None:
    game = kb.game("oware", "abapa")
    random = Random(5)
    for _ in range(5):
        state = game.new()
        for _ in range(4):
            state.apply(random.choice(state.legal()))
        agent = kb.agent("openspiel(mcts, simulations=5)", game)
        assert agent.act(state.view(0)) in state.legal()
    far = game.load(
        {**game.new().position(), "pits": [0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1, 2], "captured": [21, 21], "plies": 90}
    )
    with pytest.raises(LimitError, match="must see the game from its start"):
        agent.act(far.view(0))
    assert not agent.pure


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("openspiel", ParameterError, "expected the option 'bot'"),
        ("openspiel(stockfish)", ParameterError, "expected one of uniform_random, mcts, ismcts"),
        ("openspiel(mcts, simulations=0)", BudgetError, "simulations"),
        ("openspiel(mcts, c=-1)", ParameterError, "c: expected"),
        ("openspiel(mcts, rollouts=0)", ParameterError, "rollouts"),
    ],
)
def test_bad_options_are_refused(spec: str, error: type[kb.Error], words: str) -> None:
    with pytest.raises(error, match=words):
        kb.agent(spec, kb.game("kuhn"))


def test_the_spec_is_the_shortest_one() -> None:
    assert kb.agent("openspiel(bot=mcts, simulations=1000, c=1)", kb.game("kuhn")).spec == "openspiel(mcts, c=1.0)"


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec

    def find(name: str, package: str | None = None) -> Any:
        return None if name == "pyspiel" else found(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find)
    with pytest.raises(UnsuitableGame, match=r"pip install 'kiebitz\[openspiel\]'"):
        kb.agent("openspiel(mcts)", kb.game("kuhn"))
    assert "openspiel" not in kb.list_agents(kb.game("kuhn"))
