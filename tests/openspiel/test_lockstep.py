"""OpenSpiel (Lanctot et al. 2019) and Kiebitz walk the same random games: same players, actions and payoffs."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pyspiel
import pytest

import kiebitz as kb

GAMES = 2000


@dataclass(frozen=True)
class Pair:
    """One game in both programs."""

    ours: str
    theirs: str
    preset: str | None = None
    params: dict[str, Any] = field(default_factory=dict)


PAIRS = [
    Pair("tic_tac_toe", "tic_tac_toe"),
    Pair("connect_four", "connect_four"),
    Pair("kuhn", "kuhn_poker"),
    Pair("kuhn", "kuhn_poker(players=3)", params={"players": 3}),
    Pair("kuhn", "kuhn_poker(players=5)", params={"players": 5}),
    Pair("leduc", "leduc_poker", preset="standard"),
    Pair("liars_dice", "liars_dice"),
    Pair("liars_dice", "liars_dice(numdice=2)", params={"dice": 2}),
    Pair("liars_dice", "liars_dice(numdice=3,dice_sides=4)", params={"dice": 3, "sides": 4}),
    Pair("oware", "oware", preset="abapa"),
    Pair("oware", "oware(num_seeds_per_house=2)", preset="abapa", params={"seeds": 2}),
    Pair("nim", "nim(pile_sizes=1;3;5;7,is_misere=false)"),
    Pair("nim", "nim(pile_sizes=2;6;4,is_misere=true)", params={"heaps": [2, 6, 4], "misere": True}),
]


def mover(state: Any) -> int:
    """Whose turn it is in OpenSpiel, in our numbers."""
    if state.is_terminal():
        return kb.TERMINAL
    return kb.CHANCE if state.is_chance_node() else int(state.current_player())


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.theirs)
def test_lockstep(pair: Pair) -> None:
    game = kb.game(pair.ours, pair.preset, **pair.params)
    peer = pyspiel.load_game(pair.theirs)
    random = Random(2019)
    assert game.info.players == peer.num_players()
    for _ in range(GAMES):
        ours, theirs = game.root(), peer.new_initial_state()
        while True:
            player = ours.player
            assert player == mover(theirs)
            if player == kb.TERMINAL:
                break
            legal = ours.legal()
            assert legal == theirs.legal_actions()
            if player == kb.CHANCE:
                assert dict(ours.outcomes()) == pytest.approx(dict(theirs.chance_outcomes()))
            action = random.choice(legal)
            ours.apply(action)
            theirs.apply_action(action)
        assert ours.returns() == theirs.returns()
