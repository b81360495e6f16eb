"""One number for everything the searches do: fixed searches on every game, with their counts hashed.

Node counts of fixed searches are a signature like that of Stockfish's `bench`: a change that is only meant to be faster
must not change it; a change of rules, random numbers, formulas or move order does. `tests/test_signature.py` pins it.
After an intended change, run `python -m bench signature`, check which games moved, and copy the number into the test.

Only whole numbers are hashed (visits, nodes, leaves, depths, moves), and budgets are in iterations, nodes or depth.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass

import kiebitz as kb
from kiebitz.search import AlphaBeta, Search, Uct, bandit, perft, solve

ITERATIONS = 2_000
DEPTH = 6
PERFT_DEPTH = 4
SMALL = ("tic_tac_toe", "nim", "tree backward_induction")

POSITIONS: tuple[tuple[str, kb.Game], ...] = (
    ("tic_tac_toe", kb.game("tic_tac_toe")),
    ("connect_four", kb.game("connect_four")),
    ("nim", kb.game("nim")),
    ("oware thesis", kb.game("oware", preset="thesis")),
    ("oware abapa", kb.game("oware", preset="abapa")),
    ("rock_paper_scissors", kb.game("rock_paper_scissors")),
    ("kuhn, 3 players", kb.game("kuhn", players=3)),
    ("leduc standard", kb.game("leduc", preset="standard")),
    ("leduc thesis", kb.game("leduc", preset="thesis")),
    ("liars_dice", kb.game("liars_dice")),
    ("tree three_players", kb.game("tree", example="three_players")),
    ("tree backward_induction", kb.game("tree", example="backward_induction")),
)


@dataclass(frozen=True)
class Line:
    """What one search counted on one position."""

    game: str
    search: str
    text: str


def lines() -> Iterator[Line]:
    """Every search on every game that suits it: at the start, and some moves later."""
    for title, game in POSITIONS:
        for state in _states(game):
            for name, search in _searches(game):
                found = search.search(state)
                counts = [found.best, found.iterations, found.nodes, found.leaves, found.depth]
                visits = [(action.action, action.visits) for action in found.actions]
                yield Line(title, name, f"{counts} {visits} {list(found.line)}")
            yield Line(title, "perft", str(perft(state, PERFT_DEPTH)))
    for title, game in POSITIONS:
        if title.startswith(SMALL):
            proof = solve(game.new(seed=1))
            yield Line(title, "solve", f"{proof.positions} {proof.outcome} {list(proof.line)}")
    for policy in ("ucb1", "ucb1_tuned", "random"):
        played = bandit([0.3, 0.5, 0.6], coins=500, policy=policy, repetitions=20, seed=1)
        pulls = [round(mean * played.repetitions) for mean in played.pulls]
        yield Line("bandit", policy, f"{pulls} {round(played.total * played.repetitions)}")


def signature() -> int:
    """The number: a hash of all counts.

    >>> from bench.signature import signature
    >>> signature() == signature()
    True
    """
    return hash_of(lines())


def hash_of(found: Iterator[Line] | list[Line]) -> int:
    """The first 48 bits of a hash of the lines: enough that two different changes hardly ever collide."""
    digest = hashlib.sha256()
    for line in found:
        digest.update(f"{line.game}|{line.search}|{line.text}\n".encode())
    return int.from_bytes(digest.digest()[:6], "big")


def _states(game: kb.Game) -> Iterator[kb.State]:
    state = game.new(seed=1)
    yield state
    later = state.copy()
    draw = random.Random(1)
    for _ in range(4):
        if later.player == kb.TERMINAL:
            return
        before = later.copy()
        later.apply(draw.choice(later.legal()))
    yield before if later.player == kb.TERMINAL else later


def _searches(game: kb.Game) -> Iterator[tuple[str, Search]]:
    yield "uct", Uct(game, iterations=ITERATIONS, seed=1)
    yield (
        "uct all siblings value",
        Uct(
            game,
            iterations=ITERATIONS,
            seed=2,
            expand="all",
            scale="siblings",
            final="value",
            formula="ucb1_2sqrt2",
            streams=2,
        ),
    )
    yield "flat", Uct(game, iterations=ITERATIONS, seed=3, tree_depth=1, select="round_robin")
    info = game.info
    if info.players == 2 and info.utility in {"zero_sum", "constant_sum"} and not info.hidden and not info.chance:
        yield "minimax", AlphaBeta(game, depth=DEPTH, cut="none")
        yield "alpha-beta", AlphaBeta(game, depth=DEPTH)
        yield (
            "alpha-beta with everything",
            AlphaBeta(game, depth=DEPTH + 2, deepen=True, narrow=True, order="full", table_mb=1),
        )
