"""Minimax and alpha-beta through Python: values, node counts, and games that they are not made for."""

from __future__ import annotations

import pytest

import kiebitz as kb


@pytest.mark.requirement("DL-2")
def test_minimax_refuses_three_players() -> None:
    game = kb.game("tree", example="three_players")
    with pytest.raises(kb.UnsuitableGame):
        kb.search.AlphaBeta(game, depth=3)
    with pytest.raises(kb.UnsuitableGame):
        kb.agent("minimax(depth=3)", game)


@pytest.mark.requirement("DL-2")
def test_minimax_refuses_general_sum() -> None:
    with pytest.raises(kb.UnsuitableGame):
        kb.search.AlphaBeta(kb.game("tree", example="backward_induction"), depth=3)


@pytest.mark.requirement("DL-7")
def test_tic_tac_toe_minimax() -> None:
    state = kb.game("tic_tac_toe").new()
    analysis = kb.search.AlphaBeta(state.game, depth=9, cut="none").search(state)
    assert (analysis.value, analysis.nodes) == (0.0, 549_946)


@pytest.mark.requirement("DL-7")
def test_heuristic_is_called_only_at_the_depth_limit() -> None:
    state = kb.game("tic_tac_toe").new()
    called: list[int] = []

    def heuristic(position: kb.State, player: int) -> float:
        del player
        called.append(9 - position.position()["board"].count("."))
        return 0.5

    kb.search.AlphaBeta(state.game, depth=3, cut="none", evaluation=heuristic).search(state)
    assert called == [3] * 504


@pytest.mark.requirement("DL-8")
@pytest.mark.parametrize(
    ("example", "value", "leaves"),
    [("alphabeta_max", 3.0, 3), ("alphabeta_min", -5.0, 3), ("alphabeta_three_plies", 10.0, 5)],
)
def test_fixtures(example: str, value: float, leaves: int) -> None:
    """Value for the player who begins, and the number of leaves visited."""
    state = kb.game("tree", example=example).new()
    for cut in ("strict", "equal"):
        analysis = kb.search.AlphaBeta(state.game, depth=9, cut=cut).search(state)
        assert (analysis.value, analysis.leaves) == (value, leaves)
    assert kb.search.AlphaBeta(state.game, depth=9, cut="none").search(state).value == value


@pytest.mark.requirement("DL-9")
@pytest.mark.parametrize(("cut", "nodes"), [("equal", 18_297), ("strict", 146_120)])
def test_tic_tac_toe_node_counts(cut: str, nodes: int) -> None:
    state = kb.game("tic_tac_toe").new()
    analysis = kb.search.AlphaBeta(state.game, depth=9, cut=cut).search(state)
    assert (analysis.value, analysis.nodes) == (0.0, nodes)
