"""The states that OpenSpiel's bots get: the same games from there on, and no more than the player knows."""

from __future__ import annotations

from random import Random
from typing import Any

import pyspiel
import pytest

import kiebitz as kb
from kiebitz.agents.openspiel import peer_name, peer_state
from tests.openspiel.test_lockstep import PAIRS, Pair, mover

SHAPES = [
    Pair("connect_four", "connect_four(rows=4,columns=5,x_in_row=3)", params={"rows": 4, "columns": 5, "connect": 3}),
    Pair("nim", "nim(pile_sizes=0;3;1,is_misere=false)", params={"heaps": [0, 3, 1]}),
]


def position_of(state: kb.State) -> dict[str, Any]:
    position = state.position()
    if state.game.name == "oware":
        position["line"] = state.history
    return position


@pytest.mark.parametrize("pair", [*PAIRS, *SHAPES], ids=lambda pair: pair.theirs)
def test_from_every_position_both_programs_play_the_same_game(pair: Pair) -> None:
    game = kb.game(pair.ours, pair.preset, **pair.params)
    random = Random(1)
    for seed in range(40):
        state = game.new(seed=seed)
        states = []
        while state.player != kb.TERMINAL:
            states.append(state.copy())
            state.apply(random.choice(state.legal()))
        ours = random.choice(states)
        theirs = peer_state(game, position_of(ours))
        # Nim goes on as a game of its own, in which the player to move is the first.
        turn = ours.player if game.name == "nim" else 0
        while ours.player != kb.TERMINAL:
            if ours.player >= 0:
                assert mover(theirs) == (ours.player - turn) % game.info.players
            assert theirs.legal_actions() == ours.legal()
            before = len(ours.history)
            ours.apply(random.choice(ours.legal()))
            for action in ours.history[before:]:  # the cards that followed, too
                theirs.apply_action(action)
        returns = list(ours.returns())
        assert theirs.returns() == returns[turn:] + returns[:turn]


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.ours in ("kuhn", "leduc", "liars_dice")], ids=str)
def test_a_bot_gets_a_world_with_what_its_player_knows(pair: Pair) -> None:
    game = kb.game(pair.ours, pair.preset, **pair.params)
    random = Random(2)
    differed = 0
    for seed in range(60):
        state = game.new(seed=seed)
        while state.player != kb.TERMINAL:
            player = state.player
            world = state.view(player).sample(random.randrange(2**31))
            theirs, truth = peer_state(game, world.position()), peer_state(game, state.position())
            assert theirs.information_state_string(player) == truth.information_state_string(player)
            differed += str(theirs) != str(truth)
            state.apply(random.choice(state.legal()))
    assert differed > 0, "the world is not simply the truth"


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.theirs)
def test_the_names_of_the_same_games(pair: Pair) -> None:
    name = peer_name(kb.game(pair.ours, pair.preset, **pair.params))
    assert name is not None
    ours, theirs = pyspiel.load_game(name), pyspiel.load_game(pair.theirs)
    assert ours.get_type().short_name == theirs.get_type().short_name
    assert ours.get_parameters() == theirs.get_parameters()


@pytest.mark.parametrize(
    ("name", "preset", "params"),
    [
        ("oware", "thesis", {}),
        ("oware", "abapa", {"max_plies": 100}),
        ("oware", "abapa", {"payoff": "seeds"}),
        ("leduc", "thesis", {}),
        ("leduc", None, {"ranks": 4}),
        ("liars_dice", None, {"players": 3}),
        ("rock_paper_scissors", None, {}),
        ("doppelkopf", None, {}),
        ("tree", None, {}),
    ],
)
def test_other_rules_are_refused_in_words(name: str, preset: str | None, params: dict[str, Any]) -> None:
    game = kb.game(name, preset, **params)
    assert peer_name(game) is None
    assert "openspiel" not in kb.list_agents(game)
    with pytest.raises(kb.UnsuitableGame, match="with these rules is not one of them"):
        kb.agent("openspiel(mcts)", game)
