"""A long attack on the whole program: threads, leaks, faulty games, damaged files, silent readers, kills, a full disk.

    python -m tests.soak.attack --seconds 200 --seed 1

Each kind of attack runs in a process of its own for its share of the time, over the loopback interface alone. It ends
with a line that says what was tried and what held. An attack that does not end well, crashes or hangs is a finding: its
output and its seed are printed, and the program fails.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from tests.soak import inside, outside

ATTACKS = {
    "threads": inside.threads,
    "leaks": inside.leaks,
    "faulty games": inside.faulty_games,
    "damaged files": inside.damaged_files,
    "silent readers": outside.silent_readers,
    "idle connections": outside.idle_connections,
    "killed server": outside.killed_server,
    "killed tournament": outside.killed_tournament,
    "full disk": outside.full_disk,
}
"""Each takes its seconds and random numbers, counts what it tries, and raises if something does not hold."""

SLACK = 300
"""Seconds beyond its share after which an attack counts as hanging."""


def attack(name: str, seconds: float, seed: int) -> bool:
    """Runs one attack in another process; whether everything held."""
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.soak.attack", "--only", name]
    begun = time.monotonic()
    try:
        done = subprocess.run(
            [*command, "--seconds", str(seconds), "--seed", str(seed)],
            check=False,
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            timeout=seconds + SLACK,
        )
    except subprocess.TimeoutExpired:
        print(f"FINDING  {name}: hangs; seed {seed}", flush=True)
        return False
    if done.returncode:
        print(f"{done.stdout[-4000:]}{done.stderr[-4000:]}FINDING  {name}: exit code {done.returncode}; seed {seed}")
        return False
    print(f"  {name:<18}{time.monotonic() - begun:5.0f} s  {done.stdout.strip().splitlines()[-1]}", flush=True)
    return True


def main() -> int:
    """All attacks, or one of them in this process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=ATTACKS)
    options = parser.parse_args()
    if options.only is not None:
        tried: Counter[str] = Counter()
        ATTACKS[options.only](options.seconds, random.Random(options.seed), tried)
        print(", ".join(f"{count:,} {what}" for what, count in tried.items()))
        return 0
    held = [attack(name, options.seconds / len(ATTACKS), options.seed) for name in ATTACKS]
    print(f"{sum(held)} of {len(held)} kinds of attack held, seed {options.seed}")
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
