"""Node counts of every perfect-information game: known figures, or those of an independent count in plain Python."""

from __future__ import annotations

import pytest

import kiebitz as kb
from tests.contract.cases import OPEN, Case, by_id
from tests.games.enumeration import everything

KNOWN = {
    "tic_tac_toe": [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872, 0],
    "connect_four": [7, 49, 343, 2_401, 16_807, 117_649, 823_536],
    "oware-thesis": [6, 36, 186, 971, 4_756, 23_555, 112_420],
    "oware-abapa": [6, 36, 190, 1_014, 5_219],
    "nim": [16, 206, 2_116, 17_338, 113_912],
    "hexapawn": [3, 10, 28, 56, 70, 64, 20, 0],
    "any_bet": [13, 24, 0],
    "tree-backward_induction": [2, 4, 2, 0],
    "tree-minimax_nine_leaves": [3, 9, 0],
    "tree-alphabeta_max": [2, 4, 0],
    "tree-alphabeta_min": [2, 4, 0],
    "tree-alphabeta_three_plies": [2, 4, 8, 0],
    "tree-rps_visible": [3, 9, 0],
    "tree-three_players": [2, 4, 8, 0],
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_leaf_counts(name: str) -> None:
    state = next(case for case in OPEN if case.id == name).make().new()
    assert [kb.search.perft(state, depth) for depth in range(1, len(KNOWN[name]) + 1)] == KNOWN[name]


def test_every_perfect_information_game_is_pinned() -> None:
    assert {case.game for case in OPEN} == {by_id(name).game for name in KNOWN}


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case.id)
def test_leaf_counts_agree_with_walking(case: Case) -> None:
    """Three plies, move by move through the shell that people use."""
    level = [case.make().root()]
    for depth in range(1, 4):
        if len(level) * case.make().info.max_legal > 30_000:
            break
        below = []
        for state in level:
            for action in state.legal():
                child = state.copy()
                child.apply(action)
                below.append(child)
        level = below
        assert kb.search.perft(case.make().root(), depth) == len(level)


def nim_leaves(heaps: tuple[int, ...], depth: int) -> int:
    """Paths of that many moves in Nim."""
    if depth == 0:
        return 1
    return sum(
        nim_leaves((*heaps[:i], left, *heaps[i + 1 :]), depth - 1)
        for i, heap in enumerate(heaps)
        for left in range(heap)
    )


@pytest.mark.parametrize("heaps", [(1, 3, 5, 7), (5,), (2, 3), (1, 0, 2, 3, 1)])
def test_nim_leaf_counts(heaps: tuple[int, ...]) -> None:
    state = kb.game("nim", heaps=list(heaps)).new()
    assert [kb.search.perft(state, depth) for depth in range(1, 5)] == [nim_leaves(heaps, d) for d in range(1, 5)]


@pytest.mark.parametrize("name", ["nim-misere", "nim-one_heap", "hexapawn", "tree-three_players", "tree-rps_visible"])
def test_whole_trees(name: str) -> None:
    game = next(case for case in OPEN if case.id == name).make()
    nodes = everything(game)
    count = kb.search.count(game.root())
    assert count.nodes == len(nodes)
    assert count.terminal == sum(state.player == kb.TERMINAL for state in nodes)
    assert count.positions == len({state.key for state in nodes})


def test_hexapawn_is_won_by_the_second_player() -> None:
    assert kb.search.solve(kb.game("hexapawn").new()).value == [-1.0, 1.0]
