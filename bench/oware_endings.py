"""How much of real endings the table of Oware settles: python -m bench.oware_endings

Games between `oware_master` and alpha-beta from random openings, by the rules of `abapa`, where the rule of repetition
leaves some entries as bounds. An ending is settled when both bounds are the same win, draw or loss.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

import kiebitz as kb
from kiebitz.games.oware_table import SEEDS, endgame
from kiebitz.stats import wilson

PLAYERS = ("oware_master(nodes=100_000)", "alphabeta(depth=6)")
OPENING = 8
"""Random plies."""


def count(games: int) -> Counter[str]:
    """Positions of endings, and those that are settled: all of them, and the first of each game."""
    game = kb.game("oware", preset="abapa")
    table, agents = endgame(game), [kb.agent(spec, game) for spec in PLAYERS]
    counts: Counter[str] = Counter()
    for number in range(games):
        rng, state, first = random.Random(number), game.new(), True
        for ply in range(OPENING + game.info.max_length):
            if state.player < 0:
                break
            if ply < OPENING:
                state.apply(rng.choice(state.legal()))
                continue
            found = table.find(state)
            if found is not None:
                captured = state.position()["captured"]
                lead = captured[state.player] - captured[1 - state.player]
                low, high = ((lead + bound > 0) - (lead + bound < 0) for bound in found[:2])
                counts["positions"] += 1
                counts["positions settled"] += low == high
                counts["endings"] += first
                counts["endings settled"] += first and low == high
                first = False
            state.apply(agents[(state.player + number) % 2].act(state.view(state.player)))
    return counts


def main() -> None:
    """Prints both shares with their 95 % intervals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    counts = count(parser.parse_args().games)
    for what in ("endings", "positions"):
        settled, share = counts[f"{what} settled"], wilson(counts[f"{what} settled"], counts[what])
        low, high = share.low or 0.0, share.high or 0.0
        print(f"{settled} of {counts[what]} {what} with at most {SEEDS} seeds settled: {low:.1%} to {high:.1%}")


if __name__ == "__main__":
    main()
