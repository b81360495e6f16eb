"""Writes the golden playthroughs anew: all of them, or those of the cases named.

    python -m tests.golden.write [case ...]

Look at the diff before you keep it: every line that differs is a change of rules, notation or views.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.contract.cases import CASES
from tests.golden.playthrough import transcript

FOLDER = Path(__file__).parent


def main(names: list[str]) -> None:
    """Writes the files and removes those without a case."""
    cases = [case for case in CASES if case.golden]
    unknown = set(names) - {case.id for case in cases}
    if unknown:
        sys.exit(f"no such case: {', '.join(sorted(unknown))}")
    for case in cases:
        if not names or case.id in names:
            (FOLDER / f"{case.id}.txt").write_text(transcript(case), encoding="utf-8")
    for path in FOLDER.glob("*.txt"):
        if path.stem not in {case.id for case in cases}:
            path.unlink()
    print(f"{len(list(FOLDER.glob('*.txt')))} playthroughs in {FOLDER}")


if __name__ == "__main__":
    main(sys.argv[1:])
