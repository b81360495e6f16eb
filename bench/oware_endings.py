"""How many endings of real Oware games are settled: python -m bench.oware_endings

Plays games from random openings under `abapa` rules, where a repeated position ends the game. It asks three questions
about each position with few seeds in play: Are both bounds of the table the same win, draw or loss? Does `oware_master`
prove the value of the position from its history? And does that value lie outside the bounds, which ignore the history?
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

import kiebitz as kb
from kiebitz.games.oware.endgame import SEEDS, endgame
from kiebitz.stats import wilson

PLAYERS = ("oware_master(nodes=100_000)", "alphabeta(depth=6)")
JUDGE = "oware_master"
OPENING = 8
"""Random plies at the start."""


def count(games: int, players: tuple[str, ...] = PLAYERS, judge: str = JUDGE) -> Counter[str]:
    """Counts positions in endings and how many are settled: all of them, and the first of each game."""
    game = kb.game("oware", preset="abapa")
    table, agents, master = endgame(game), [kb.agent(spec, game) for spec in players], kb.agent(judge, game)
    counts: Counter[str] = Counter()
    for number in range(games):
        rng, state, first = random.Random(number), game.new(), True
        for ply in range(OPENING + game.info.max_length):
            if state.player < 0:
                break
            if ply < OPENING:
                state.apply(rng.choice(state.legal()))
                continue
            bounds = table.find(state)
            if bounds is not None:
                captured = state.position()["captured"]
                lead = captured[state.player] - captured[1 - state.player]
                low, high = ((lead + bound > 0) - (lead + bound < 0) for bound in bounds[:2])
                found = master.analyse(state.view(state.player))
                proven = found.method == "endgame proof"
                for what in ("positions", "endings")[: 1 + first]:
                    counts[what] += 1
                    counts[f"{what} settled"] += low == high
                    counts[f"{what} proven"] += proven
                    counts[f"{what} spoilt"] += proven and not low <= found.value <= high
                first = False
            state.apply(agents[(state.player + number) % 2].act(state.view(state.player)))
    return counts


def main() -> None:
    """Prints the shares with their 95 % intervals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", nargs=2, default=PLAYERS)
    parser.add_argument("--judge", default=JUDGE, help="the agent that proves")
    options = parser.parse_args()
    counts = count(options.games, tuple(options.players), options.judge)
    for what in ("endings", "positions"):
        print(f"{counts[what]} {what} with at most {SEEDS} seeds")
        for key, text in (
            ("settled", "bounds of the table agree"),
            ("proven", "proven with their history"),
            ("spoilt", "value outside the bounds"),
        ):
            number, share = counts[f"{what} {key}"], wilson(counts[f"{what} {key}"], counts[what])
            print(f"  {text}: {number} ({share.low or 0.0:.1%} to {share.high or 0.0:.1%})")


if __name__ == "__main__":
    main()
