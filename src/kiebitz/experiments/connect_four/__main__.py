"""python -m kiebitz.experiments.connect_four: judges a player, or makes the positions on which players are judged."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import kiebitz as kb
from kiebitz.experiments.connect_four.judge import FILE, KINDS, judge, sample
from kiebitz.files import replacing
from kiebitz.games.connect_four.solver import PositionSolver


def main(arguments: list[str] | None = None) -> int:
    """The command: judges a player, or makes the positions."""
    import argparse

    from rich.progress import track

    parser = argparse.ArgumentParser(prog="python -m kiebitz.experiments.connect_four", description=main.__doc__)
    parser.add_argument("player", nargs="?", help="the spec of an agent")
    parser.add_argument("--most", type=int, help="positions of each kind; all if not given")
    parser.add_argument("--make", type=int, metavar="COUNT", help="make the file of positions: so many of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--file", type=Path, default=FILE, help="the file that --make writes")
    options = parser.parse_args(arguments)
    if (options.player is None) == (options.make is None):
        parser.error("expected a player or --make COUNT")
    if options.make is not None:
        solver = PositionSolver(kb.game("connect_four"), table_mb=256, book=False)
        command = f"python -m kiebitz.experiments.connect_four --make {options.make} --seed {options.seed}"
        made: dict[str, list[str]] = {}
        for kind in KINDS:
            rows = track(sample(kind, options.make, options.seed, solver), kind, options.make)
            made[kind] = [json.dumps([position.moves, position.outcomes]) for position in rows]
        text = ",\n".join(f'"{kind}": [\n' + ",\n".join(rows) + "\n]" for kind, rows in made.items())
        with replacing(options.file) as file:
            file.write(f'{{"command": {json.dumps(command)}, "kinds": {{\n{text}\n}}}}\n'.encode())
        return 0
    try:
        for row in judge(options.player, most=options.most, seed=options.seed):
            share = row.share
            interval = f"{share.low:.1%} to {share.high:.1%}"
            print(f"{row.kind:14} {row.wrong:4} of {row.positions:4} wrong: {share.value:.1%} ({interval})")
    except kb.Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
