"""The rows of the exact solver of Connect Four: random positions beside an independent solver, and the slowest ones."""

from __future__ import annotations

import importlib.util
import random
import time

import kiebitz as kb
from bench.measure import Row, Settings, Spread, Work, alternate, versus
from kiebitz.games.connect_four.solver import PositionSolver

STONES = 12
PEER = "bitbully"


def solver(settings: Settings) -> list[Row]:
    """The rate, and that from twelve stones on no position takes a second of one core."""
    return [_rate(settings), *(_slowest(settings, stones) for stones in (12, 13, 14))]


def _slowest(settings: Settings, stones: int) -> Row:
    own = PositionSolver(kb.game("connect_four"), table_mb=64, book=False)
    took = []
    for state in _positions(20 if settings.quick else 500, stones):
        start = time.process_time()
        own.worth(state)
        took.append(time.process_time() - start)
    work = f"exact scores of {len(took)} random positions with {stones} stones, the slowest beside a second"
    slowest = Spread(100 * max(took), 100 * min(took), 100 * max(took), len(took))
    name, second = f"connect-four-slowest-{stones}", Spread(1, 1, 1, 1)
    return Row(name, work, "one second", "s", Spread.of(took), second, slowest, "%", 100, at_most=True)


def _rate(settings: Settings) -> Row:
    """Positions per second: the exact score of each, each time with a table that knows nothing yet."""
    states = _positions(10 if settings.quick else 50)
    work = f"exact scores of random positions, connect four, {STONES} stones"

    def ours() -> float:
        own = PositionSolver(kb.game("connect_four"), table_mb=64, book=False)
        for state in states:
            own.worth(state)
        return len(states)

    if importlib.util.find_spec(PEER) is None:
        rates = Spread.of(alternate(settings, ours)[0])
        return Row("connect-four-solver", work, "", "positions/s", rates, None, rates, "")
    return versus(
        settings,
        ours,
        _peer(states),
        name="connect-four-solver",
        work=work,
        peer=f"{PEER} (C++)",
        unit="positions/s",
    )


def _positions(count: int, stones: int = STONES) -> list[kb.State]:
    rng, game = random.Random(stones), kb.game("connect_four")
    states: list[kb.State] = []
    while len(states) < count:
        state = game.root()
        for _ in range(stones):
            if state.player >= 0:
                state.apply(rng.choice(state.legal()))
        if state.player >= 0:
            states.append(state)
    return states


def _peer(states: list[kb.State]) -> Work:
    from bitbully import bitbully_core

    core, boards = bitbully_core.BitBullyCore(), []
    for state in states:
        board = bitbully_core.BoardCore()
        for column in state.history:
            board.play(column)
        boards.append(board)

    def theirs() -> float:
        core.resetTranspositionTable()
        for board in boards:
            core.mtdf(board, 0)
        return len(boards)

    return theirs
