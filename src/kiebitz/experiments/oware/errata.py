"""What the thesis contradicts itself in, and what we think of it: the end of the reports on learned players."""

from __future__ import annotations

from math import comb

from scipy.optimize import brentq


def positions() -> int:
    """Ways to spread at most 36 seeds over twelve pits.

    >>> positions()
    69668534468
    """
    return sum(comb(seeds + 11, 11) for seeds in range(37))


def branching(actions: int = 6) -> float:
    """The branching factor of alpha-beta on uniform trees (Baudet 1978).

    >>> round(branching(), 2)
    3.51
    """
    root = float(brentq(lambda x: x**actions + x - 1, 0.0, 1.0))
    return root / (1 - root)


def section() -> str:
    """Each contradiction with our opinion, as Markdown."""
    rows = (
        (
            "E-1", "1.93 · 10^11 positions",
            f"Balls and boxes are swapped. There are {positions():,} ways to fill the board, captured seeds and the "
            "mover not counted. What the thesis concludes, that no table can hold them, stands.",
        ),
        (
            "E-2", "the branching factor of alpha-beta is 3.67",
            f"It is {branching():.2f} for six actions; 0.778 / 0.222 is 3.50 as well. A slip in the last step.",
        ),
        (
            "E-3", "two cells of table 5.3 add up to 99 and 98",
            "Lost games, probably draws that were not written down; the win rates are not touched by it.",
        ),
        (
            "E-4", "depth 2 wins 100 of 100, but the interval in table 5.2 belongs to about 91 wins",
            "We believe the interval: thesis mode wins 93 % ([report](../oware-alphabeta-laptop/report.md)).",
        ),
        (
            "E-5", "2c in the text, c in the pseudocode",
            "We take c, as in the pseudocode, which a programme would follow.",
        ),
        (
            "E-6", "mean values in [0, 1], but wins and losses are +1 and -1",
            "Both work with another constant; we use +1, 0, -1 with a change of sign at every ply, as in the code.",
        ),
        (
            "E-7", "the time of a search grows factorially",
            "It grows exponentially: by a constant factor per ply ([report](../oware-depth-laptop/report.md)).",
        ),
        (
            "E-8", "deep Q-learners are bad against alpha-beta, yet one beats depths 4, 6 and 8",
            "All of these are one game each, played by two players that never vary. An alpha-beta that counts its own "
            "seeds plays as one ply less deep at an even depth, and depths often agree on moves, so that one line may "
            "win several cells. The games from random openings say more about strength.",
        ),
        (
            "E-9", "dips of the curve are put down to exploration",
            "The curve is measured without exploring, in the tutorial that the thesis follows and here; it dips all "
            "the same. Each update changes the net everywhere, and against a player that never varies a single other "
            "move turns a whole game from +100 to -100.",
        ),
        (
            "E-10", "a baseline helps if its covariance with the return is low",
            "It must be high: Var(X - Y) = Var X + Var Y - 2 Cov(X, Y).",
        ),
        (
            "E-11", "the baseline is indexed by the inner time step",
            "It belongs to the position in which the action was taken, the outer one; so it is in "
            "[reinforce.py](../../../src/kiebitz/learn/reinforce.py).",
        ),
        (
            "E-12", "slips in captions and names (minimax for alpha-beta, UTC, Hubert)",
            "Nothing follows from them.",
        ),
        (
            "E-13", "softmax is the usual output, but both nets end linearly",
            "Right for values, which are no probabilities; the actor's logits go through a softmax outside of the net. "
            "It is a matter of where one draws the line.",
        ),
        (
            "E-14", "MCTS beats alpha-beta at every depth",
            "True of an alpha-beta that counts its own seeds, not of one that counts the difference "
            "([report](../oware-mcts-laptop/report.md)).",
        ),
    )  # fmt: skip
    lines = [
        "## Contradictions in the thesis, and what we think of them",
        "",
        "| | the thesis | our opinion |",
        "|---|---|---|",
    ]
    return "\n".join([*lines, *(f"| {number} | {says} | {opinion} |" for number, says, opinion in rows)])
