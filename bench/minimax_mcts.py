"""Minimax against MCTS at equal time (DL-21): alpha-beta with all its features against UCT, connect four."""

from __future__ import annotations

from dataclasses import dataclass

import kiebitz as kb

GAMES = 200
LIMITS = (0.005, 0.02)


@dataclass(frozen=True)
class Line:
    """One pairing at one time limit, seen from alpha-beta."""

    seconds: float
    games: int
    wins: int
    draws: int
    losses: int
    low: float | None
    high: float | None
    mean: float
    alphabeta_ms: float
    uct_ms: float


def measure(games: int = GAMES, limits: tuple[float, ...] = LIMITS) -> list[Line]:
    """Plays the matches."""
    found = []
    for limit in limits:
        result = kb.arena.match(
            kb.game("connect_four"), [f"alphabeta(seconds={limit:g})", f"uct(seconds={limit:g})"], games=games, seed=1
        )
        outcomes, payoff = result.outcomes(0), result.payoff(0)
        (moves, spent), (other_moves, other_spent) = result.effort(0), result.effort(1)
        found.append(
            Line(
                limit,
                result.games,
                outcomes.wins,
                outcomes.draws,
                outcomes.losses,
                payoff.low,
                payoff.high,
                payoff.value,
                1000 * spent / moves,
                1000 * other_spent / other_moves,
            )
        )
    return found


def table(lines: list[Line]) -> str:
    """The lines as a Markdown table."""
    out = [
        "| time a move | games | alpha-beta won, drawn, lost | mean payoff, 95 % interval | used, alpha-beta / UCT |",
        "|---|---|---|---|---|",
    ]
    out += [
        f"| {1000 * line.seconds:g} ms | {line.games} | {line.wins} / {line.draws} / {line.losses} "
        f"| {line.mean:+.2f} [{line.low or 0:+.2f}, {line.high or 0:+.2f}] "
        f"| {line.alphabeta_ms:.1f} / {line.uct_ms:.1f} ms |"
        for line in lines
    ]
    return "\n".join(out)
