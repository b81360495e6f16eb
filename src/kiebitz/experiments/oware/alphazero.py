"""Beyond the thesis: the net that comes with Kiebitz, which learned from nothing but games against itself, alone and
inside a tree search, from random openings (OW-46)."""

from __future__ import annotations

from kiebitz.experiments.oware.agents import RANDOM, alphabeta, master, mcts
from kiebitz.experiments.oware.figures import DRAWN, LOST, MOVES, WON, WON_FIRST, WON_SECOND, figures
from kiebitz.experiments.report import Bar, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Conclusion, Evidence

OPENING = 6
"""Random plies at the start of a game; each opening is played twice, seats swapped."""
NET = "net(file=shipped)"
ITERATIONS = 10_000
"""Of the tree search against players that need far less than a second: some hundredths of a second a move."""
SEARCH = f"uct(prior=shipped, iterations={ITERATIONS})"
GAMES = {
    NET: {"quick": 10, "laptop": 1000, "thesis": 1000},
    SEARCH: {"quick": 10, "laptop": 100, "thesis": 400},
}
"""Games against each opponent that needs no clock."""
TIMED = {"quick": (4, 0.02), "laptop": (20, 0.25), "thesis": (100, 1.0)}
"""Games against our best untrained player, and seconds a move for both."""
MOVES_A_GAME = 30
SECONDS_A_MOVE = {NET: 0.0, SEARCH: 0.03}

OPPONENTS = {
    "net alone against random": (NET, RANDOM, 0.97),
    "net alone against alpha-beta(2)": (NET, alphabeta(2, "strong"), 0.5),
    "net alone against alpha-beta(4)": (NET, alphabeta(4, "strong"), 0.5),
    "net with search against alpha-beta(8)": (SEARCH, alphabeta(8, "strong"), 0.9),
    "net with search against MCTS(1400)": (SEARCH, mcts(1400), 0.9),
}
"""Who plays whom, and the share of games to be won; alpha-beta in strong mode."""
EQUAL = "net with search against oware_master, equal time"


def seconds(preset: str) -> float:
    """Estimated cost in seconds of one core.

    >>> round(seconds("laptop"))
    480
    """
    games, thinking = TIMED[preset]
    return (
        sum(GAMES[own][preset] * MOVES_A_GAME * SECONDS_A_MOVE[own] for own, _, _ in OPPONENTS.values())
        + 2 * games * MOVES_A_GAME * thinking
    )


def timed(preset: str) -> tuple[str, str]:
    """The search and our best untrained player, with the same time."""
    thinking = TIMED[preset][1]
    return f"uct(prior=shipped, seconds={thinking})", master(thinking)


def comparisons(preset: str) -> list[Comparison]:
    """A match for each pair."""
    pairs = [(key, (own, other), GAMES[own][preset]) for key, (own, other, _) in OPPONENTS.items()]
    pairs.append((EQUAL, timed(preset), TIMED[preset][0]))
    return [Comparison(key, specs, games // 2, "match", opening=OPENING) for key, specs, games in pairs]


def conclude(evidence: Evidence) -> Conclusion:
    """The share of games won; a draw is not a win."""
    lines, findings = [], []
    for key, result in evidence.results.items():
        ours = figures(result)
        bars = [Bar("won", "least", OPPONENTS[key][2])] if key in OPPONENTS else []
        lines.append(ReportLine(key, ours, bars=bars, games=len(result.rows)))
        for bar in bars:
            claim = f"{key}: at least {WON.show(bar.value)} won"
            findings.append(Finding.of(claim, WON, "least", bar.value, ours["won"]))
    columns = (WON, LOST, DRAWN, MOVES, WON_FIRST, WON_SECOND)
    thinking = TIMED[evidence.preset][1]
    notes = [
        f"Every opening has {OPENING} random plies and is played twice, seats swapped. A draw is not a win.",
        f"Alone: {NET}. With search: {SEARCH}; against oware_master both have {thinking} seconds a move.",
    ]
    table = ReportTable("The shipped net, alone and with a search", "players", columns, lines, "won")
    return Conclusion([table], findings, notes)
