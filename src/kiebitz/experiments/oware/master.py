"""Beyond the thesis: our best player against strong alpha-beta to depth 8, random openings, seats alternating."""

from __future__ import annotations

import os

import kiebitz as kb
from kiebitz.arena import Openings, match
from kiebitz.experiments.oware.agents import master
from kiebitz.experiments.oware.figures import DRAWN, LOST, MOVES, WON, WON_FIRST, WON_SECOND, figures
from kiebitz.experiments.report import Bar, Finding, Line, Table
from kiebitz.experiments.run import Conclusion, Outcome

SIZES = {"quick": (10, 0.02), "laptop": (100, 1.0), "thesis": (400, 1.0)}
"""Games for each rule set, and seconds a move."""
OPENING = 6
"""Random plies."""
GOAL = 0.9
OPPONENT = "alphabeta(depth=8)"
"""Strong mode with all that makes it quick; unlike the study's it knows that a won game is won."""
MOVES_A_GAME = {"thesis": 17, "abapa": 28}


def seconds(preset: str) -> float:
    """What it costs in seconds of one core.

    >>> round(seconds("laptop"))
    4500
    """
    games, each = SIZES[preset]
    return sum(MOVES_A_GAME.values()) * games * each


def workers() -> int:
    """Processes that share the games: one for each core."""
    return os.cpu_count() or 1


def conclude(outcome: Outcome) -> Conclusion:
    """A draw is not a win: the share of games won counts."""
    games, each = SIZES[outcome.preset]
    lines, findings = [], []
    for number, preset in enumerate(MOVES_A_GAME):
        outcome.tick(f"rules of {preset}", number, len(MOVES_A_GAME))
        game = kb.game("oware", preset=preset)
        result = match(
            game,
            [master(each), OPPONENT],
            games,
            outcome.seed,
            openings=Openings(plies=OPENING),
            workers=workers(),
        )
        ours = figures(result)
        lines.append(Line(preset, ours, bars=[Bar("won", "least", GOAL)], games=len(result.rows)))
        claim = f"{master(each)} wins at least {WON.show(GOAL)} against {OPPONENT}, rules of {preset}"
        findings.append(Finding.of(claim, WON, "least", GOAL, ours["won"]))
    columns = (WON, LOST, DRAWN, MOVES, WON_FIRST, WON_SECOND)
    table = Table("Our best player against alpha-beta(8), strong mode", "rules", columns, lines, "won")
    note = f"Every opening has {OPENING} random plies and is played twice, seats changed. A draw is not a win."
    return Conclusion([table], findings, [note])
