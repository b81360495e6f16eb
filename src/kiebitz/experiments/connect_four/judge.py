"""How often a player of Connect Four errs, on positions whose moves are all proven.

A move is wrong if it gives away the outcome: a win for a draw or a loss, or a draw for a loss. The kinds of positions
are those of Pons' benchmark of solvers (Solving Connect Four, part 2), by stones on the board and by plies that best
play still takes. The positions are our own, from random play, and are shipped with the outcome of every move:

    python -m kiebitz.experiments.connect_four "uct(iterations=1000)"      # judges a player
    python -m kiebitz.experiments.connect_four --make 200                  # samples and proves the positions anew
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import kiebitz as kb
from kiebitz.agents import Agent, agent
from kiebitz.errors import ParameterError
from kiebitz.games.connect_four.solver import PositionSolver
from kiebitz.stats import Estimate, wilson

FILE = Path(__file__).with_name("positions.json")
OUTCOMES = {1: "w", 0: "d", -1: "l"}


@dataclass(frozen=True)
class Kind:
    """A kind of position: stones on the board, and plies to the end with best play; both ends included."""

    stones: tuple[int, int]
    plies: tuple[int, int]


KINDS = {
    "begin_easy": Kind((8, 13), (1, 13)),
    "begin_medium": Kind((8, 13), (14, 28)),
    "begin_hard": Kind((8, 13), (29, 42)),
    "middle_easy": Kind((14, 28), (1, 13)),
    "middle_medium": Kind((14, 28), (14, 28)),
    "end_easy": Kind((29, 41), (1, 13)),
}
"""Openings begin with eight stones here, so that the sample can be made in minutes."""


@dataclass(frozen=True)
class Position:
    """A proven position: moves that lead to it, and the outcome of each column (w, d, l, or - for a full one)."""

    moves: str
    outcomes: str

    def is_wrong(self, action: int) -> bool:
        """Whether an action gives the outcome away.

        >>> [Position("ab", "dl-wdl-").is_wrong(action) for action in (0, 3)]
        [True, False]
        """
        order = "ldw"
        return order.index(self.outcomes[action]) < max(order.find(outcome) for outcome in self.outcomes)


@dataclass(frozen=True)
class Judged:
    """What came of one kind of positions."""

    kind: str
    positions: int
    wrong: int

    @property
    def share(self) -> Estimate:
        """The share of wrong moves with its interval (Wilson)."""
        return wilson(self.wrong, self.positions)


@cache
def positions() -> Mapping[str, Sequence[Position]]:
    """The positions that are shipped, by kind."""
    kinds = json.loads(FILE.read_text(encoding="utf-8"))["kinds"]
    return {kind: [Position(moves, outcomes) for moves, outcomes in rows] for kind, rows in kinds.items()}


def judge(
    player: str | Agent,
    *,
    kinds: Sequence[str] = tuple(KINDS),
    most: int | None = None,
    seed: int = 0,
    progress: Callable[[str, int], None] | None = None,
) -> list[Judged]:
    """The wrong moves of a player by kind, on the first `most` positions of each; `progress` is told kind and position.

    >>> [(row.kind, row.positions, row.wrong) for row in judge("connect_four_perfect", kinds=["end_easy"], most=20)]
    [('end_easy', 20, 0)]
    """
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise ParameterError(f"kinds: expected some of {', '.join(KINDS)}, got {unknown[0]!r:.60}")
    if most is not None and most < 1:
        raise ParameterError(f"most: expected at least 1, got {most}")
    game = kb.game("connect_four")
    judged = agent(player, game, seed)
    rows = []
    for kind in kinds:
        chosen = positions()[kind][:most]
        wrong = 0
        for i, position in enumerate(chosen):
            state = replayed(game, position.moves)
            wrong += position.is_wrong(judged.act(state.view(state.player)))
            if progress is not None:
                progress(kind, i)
        rows.append(Judged(kind, len(chosen), wrong))
    return rows


def replayed(game: kb.Game, moves: str) -> kb.State:
    """The position after moves from the start.

    >>> replayed(kb.game("connect_four"), "ddc").history
    [3, 3, 2]
    """
    state = game.root()
    for move in moves:
        state.apply(state.parse(move))
    return state


def sample(kind: str, count: int, seed: int, solver: PositionSolver) -> Iterator[Position]:
    """Different positions of a kind from random play, proven."""
    game, asked = solver.game, KINDS[kind]
    rng = random.Random(f"{kind} {seed}")
    seen: set[str] = set()
    while len(seen) < count:
        state = game.root()
        for _ in range(rng.randint(*asked.stones)):
            if state.player >= 0:
                state.apply(rng.choice(state.legal()))
        board = "" if state.player < 0 else state.position()["board"]
        if not board or board in seen:
            continue
        worth = solver.worth(state)
        if worth is None or worth[1] is None or not asked.plies[0] <= worth[1] <= asked.plies[1]:
            continue
        seen.add(board)
        outcomes = ["-"] * game.info.actions
        for proven in solver.prove(state, weak=True):
            outcomes[proven.action] = OUTCOMES[int(proven.value)]
        yield Position("".join(game.root().name(action) for action in state.history), "".join(outcomes))
