"""The signature: fixed searches on every game count what they counted before.

A change that is only meant to be faster must not change the number. After an intended change of rules, random numbers,
formulas or move order run `python -m bench signature`, look at which games moved, and write the new number here.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

SIGNATURE = 223795997724747

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.skipif(
    platform.machine() not in {"x86_64", "AMD64"} or sys.platform != "linux",
    reason="other compilers may fuse floating-point operations, which moves ties of the tree search",
)
def test_signature_of_all_searches_is_as_recorded() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "signature"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"signature {SIGNATURE}", done.stdout
