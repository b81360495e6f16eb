"""Every game: the board of its tensor and its symmetries are what the rules say."""

from __future__ import annotations

from random import Random

import numpy as np

import kiebitz as kb
from kiebitz.games import declaration_of

GAMES = 3


def test_a_board_is_the_whole_tensor(game: kb.Game) -> None:
    planes, rows, columns = declaration_of(game).encoding.board(game)
    assert planes * rows * columns in (0, game.info.tensor_size)


def test_a_game_in_the_mirror_is_the_same_game(game: kb.Game) -> None:
    """Tensors, legal actions and payoffs, all the way through random games."""
    for symmetry in declaration_of(game).encoding.symmetries(game):
        there = np.argsort(symmetry.actions)  # the action there of one here
        for seed in range(GAMES):
            random = Random(seed)
            state, mirrored = game.root(), game.root()
            while state.player != kb.TERMINAL:
                tensors = [each.view(each.player).tensor() for each in (state, mirrored)]
                np.testing.assert_array_equal(tensors[0][symmetry.tensor], tensors[1])
                assert mirrored.player == state.player
                assert mirrored.legal() == sorted(int(there[action]) for action in state.legal())
                action = random.choice(state.legal())
                state.apply(action)
                mirrored.apply(int(there[action]))
            assert mirrored.returns() == state.returns()
