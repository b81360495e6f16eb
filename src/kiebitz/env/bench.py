"""How fast `VectorEnv` is: decisions a second of one core, with random actions chosen by NumPy and without.

In processor time, so that other work on the machine counts as little as possible:

python -m kiebitz.env.bench leduc --games 1024 --seconds 2
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from kiebitz.env.vector import VectorEnv


def decisions_per_second(game: str, games: int = 1024, seconds: float = 2.0) -> tuple[float, float]:
    """Decisions a second of everything, and of the steps alone.

    >>> whole, steps = decisions_per_second("leduc", games=64, seconds=0.01)
    >>> 0 < whole < steps
    True
    """
    env = VectorEnv(game, games, seed=1)
    random = np.random.default_rng(1)
    begun = time.process_time()
    stepping, steps = 0.0, 0
    while (elapsed := time.process_time() - begun) < seconds:
        actions = np.where(env.mask, random.random(env.mask.shape), -1.0).argmax(axis=1)
        before = time.process_time()
        env.step(actions)
        stepping += time.process_time() - before
        steps += 1
    return steps * games / elapsed, steps * games / stepping


def main() -> None:
    """Prints both figures."""
    parser = argparse.ArgumentParser(description="Decisions a second of VectorEnv on one core.")
    parser.add_argument("game", nargs="?", default="leduc")
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    whole, steps = decisions_per_second(options.game, options.games, options.seconds)
    print(f"{options.game}: {whole:,.0f} decisions a second, {steps:,.0f} in steps alone")


if __name__ == "__main__":
    main()
