"""python -m bench.profile NAME: where a row of the table spends its time, according to Linux perf.

Searches run without Python (searches.cpp), built with the shipped flags and debug information, and are broken down by
function. Games driven from Python are broken down by library: the interpreter, the extension. Without perf (Debian:
linux-perf), only the rate is printed.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys

from bench.native import ROOT, build

SEARCHES = ("uct-connect-four", "uct-oware", "alphabeta-nodes", "alphabeta-depth")
DRIVEN = {"games-oware": ("oware", "abapa"), "games-leduc": ("leduc", "standard")}


def main() -> int:
    """Builds, runs and reports."""
    parser = argparse.ArgumentParser(prog="python -m bench.profile", description=__doc__)
    parser.add_argument("name", choices=[*SEARCHES, *DRIVEN])
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU time of the run (2)")
    options = parser.parse_args()
    if options.name in DRIVEN:
        game, preset = DRIVEN[options.name]
        program = (
            "import kiebitz as kb; from bench.drivers import dealt; from bench.measure import rate; "
            f"print(round(rate(dealt(kb.game({game!r}, {preset!r}), 50), {options.seconds})), 'games/s')"
        )
        return _profile([sys.executable, "-c", program], "dso")
    built = build("searches", "-g", "-Wno-restrict")
    if built is None:
        print("expected a C++ compiler: c++, or its name in CXX", file=sys.stderr)
        return 1
    return _profile([str(built), options.name, str(options.seconds)], "symbol")


def _profile(command: list[str], by: str) -> int:
    if shutil.which("perf") is None:
        print("perf is not installed: printing the rate only", file=sys.stderr)
        return subprocess.run(command, check=False, cwd=ROOT).returncode
    (ROOT / "build" / "bench").mkdir(parents=True, exist_ok=True)
    data = str(ROOT / "build" / "bench" / "perf.data")
    # cpu-clock also works in virtual machines without hardware counters.
    record = ["perf", "record", "--quiet", "-e", "cpu-clock", "-o", data, *command]
    done = subprocess.run(record, check=False, cwd=ROOT)
    if done.returncode != 0:
        return done.returncode
    report = ["perf", "report", "--stdio", "--percent-limit", "1", "--sort", by, "-i", data]
    found = subprocess.run(report, check=True, capture_output=True, text=True).stdout
    print("\n".join(line for line in found.splitlines() if line and not line.startswith("#")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
