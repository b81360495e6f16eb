"""A game written in Python is learned from its file alone, by any method, and the nets play better than random."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import kiebitz as kb
from kiebitz import arena
from kiebitz.cli import app

HEXAPAWN = str(Path(__file__).parents[2] / "examples" / "hexapawn.py")
ALPHAZERO = (
    "alphazero(steps=10, games=60, simulations=16, hidden=32, blocks=1, batch=64, opponent=random, opening_plies=1, "
    "measured_games=20, measure_every=10)"
)


@pytest.mark.parametrize("method", ["dqn(steps=2000, measured_games=20)", ALPHAZERO], ids=["dqn", "alphazero"])
def test_a_game_is_learned_from_its_file(method: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = CliRunner().invoke(app, ["train", HEXAPAWN, method, "--folder", str(folder), "--db", "none"])
    assert done.exit_code == 0, done.output
    net = f"net(file={str(folder / 'net.npz')!r})".replace("'", '"')
    played = arena.match(kb.game("hexapawn"), [net, "random"], games=200, seed=1)
    low = played.difference().low
    assert low is not None
    assert low > 0.5


def test_the_tensor_is_written_for_the_player_to_move() -> None:
    """White's pawns first, and after a move black's."""
    state = kb.game(kb.games.load_file(HEXAPAWN)).new()
    state.apply(state.parse("a1a2"))
    first, last = [1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 1, 1]
    np.testing.assert_array_equal(state.view(1).tensor(), [*first, *last, 1])
    state = kb.game("hexapawn").new()
    np.testing.assert_array_equal(state.view(0).tensor(), [*first[::-1], *first, 0])


def test_positions_with_other_moves_have_other_tensors() -> None:
    found: dict[bytes, list[int]] = {}
    waiting = [kb.game(kb.games.load_file(HEXAPAWN)).root()]
    while waiting:
        state = waiting.pop()
        if state.player == kb.TERMINAL:
            continue
        assert found.setdefault(state.view(state.player).tensor().tobytes(), state.legal()) == state.legal()
        for action in state.legal():
            below = state.copy()
            below.apply(action)
            waiting.append(below)
    assert len(found) == 70


def test_a_game_without_a_tensor_is_told_how_to_get_one() -> None:
    little_poker = str(Path(__file__).parents[2] / "examples" / "little_poker.py")
    for method in ([], ["dqn"]):
        done = CliRunner().invoke(app, ["train", little_poker, *method])
        assert done.exit_code == 2
        assert "little_poker has no tensor to learn from: give it tensor_size and tensor()" in done.stderr
