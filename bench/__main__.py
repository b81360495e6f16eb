"""python -m bench: the table of speeds, the signature, the depth table for oware. See docs/performance.md."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path
from typing import Any

from bench import minimax_mcts, oware_depth, peers, report, signature
from bench.measure import Row, Settings, machine
from bench.rows import NEEDS_PEER, ROWS

DEPTHS = "oware-depth"
SIGNATURE = "signature"
MATCH = "minimax-mcts"
OTHERS = (DEPTHS, SIGNATURE, MATCH)


def main(arguments: list[str] | None = None) -> int:
    """Runs the named measurements; returns 1 if a target was missed."""
    parser = _parser()
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in {*ROWS, *OTHERS}]
    if unknown:
        parser.error(f"unknown name '{unknown[0]}'; expected some of: {', '.join([*ROWS, *OTHERS])}")
    if options.repetitions is not None and options.repetitions < 1:
        parser.error(f"--repetitions: expected at least 1, got {options.repetitions}")
    names: list[str] = options.names or [*ROWS, DEPTHS]
    settings = Settings(repetitions=3, seconds=0.05, quick=True) if options.quick else Settings()
    if options.repetitions:
        settings = dataclasses.replace(settings, repetitions=options.repetitions)
    command = " ".join(["python -m bench", *(["--quick"] if options.quick else []), *options.names])
    about = machine()
    print(about)

    rows = _rows([name for name in names if name in ROWS], settings)
    extra: dict[str, Any] = {}
    missed = [row.name for row in rows if row.passed is False]
    if DEPTHS in names:
        print(f"\n{DEPTHS}: minimax and alpha-beta, one game per depth", flush=True)
        depths = oware_depth.measure(6 if options.quick else oware_depth.DEEPEST)
        print(oware_depth.table(depths))
        wrong = oware_depth.check(depths)
        missed += [f"{DEPTHS}: {problem}" for problem in wrong]
        extra[DEPTHS] = [dataclasses.asdict(row) for row in depths]
        if options.write:
            oware_depth.plot(depths, options.write.parent / "img" / "oware-depth.svg")
            found = oware_depth.table(depths)
            report.replace_block(options.write, DEPTHS, f"`{command}` on {about}.\n\n{found}")
    if MATCH in names:
        games = minimax_mcts.measure(20) if options.quick else minimax_mcts.measure()
        print(minimax_mcts.table(games))
        extra[MATCH] = [dataclasses.asdict(line) for line in games]
        if options.write:
            report.replace_block(options.write, MATCH, f"`{command}` on {about}.\n\n{minimax_mcts.table(games)}")
    if SIGNATURE in names:
        extra[SIGNATURE] = _signature()
    if options.json:
        options.json.write_text(report.as_json(rows, about, extra), "utf-8")
    if options.write and rows:
        report.replace_block(options.write, "table", report.markdown(rows, about, command))
    for name in missed:
        print(f"missed: {name}")
    return 1 if missed else 0


def _rows(names: list[str], settings: Settings) -> list[Row]:
    found: list[Row] = []
    for name in names:
        if name in NEEDS_PEER and not peers.AVAILABLE:
            print(f"\n{name}: skipped, OpenSpiel is not installed (pip install open_spiel)")
            continue
        rows = ROWS[name](settings)
        print(f"\n{report.text(rows)}", flush=True)
        found += rows
    return found


def _signature() -> int:
    lines = list(signature.lines())
    for title in dict.fromkeys(line.game for line in lines):
        print(f"{signature.hash_of([line for line in lines if line.game == title]):>16}  {title}")
    total = signature.hash_of(lines)
    print(f"signature {total}")
    return total


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"what to run: {', '.join([*ROWS, *OTHERS])}")
    parser.add_argument("--quick", action="store_true", help="three short repetitions, to check that everything works")
    parser.add_argument("--repetitions", type=int, metavar="N", help="repetitions of each measurement (5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to a file")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables into docs/performance.md")
    return parser


if __name__ == "__main__":
    sys.exit(main())
