"""Games are played today as they were when they were recorded. To record them anew: python -m tests.golden.write"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.cases import CASES, Case
from tests.golden.playthrough import transcript


@pytest.mark.parametrize("case", [case for case in CASES if case.golden], ids=lambda case: case.id)
def test_golden_playthrough(case: Case) -> None:
    path = Path(__file__).parent / f"{case.id}.txt"
    assert path.is_file(), f"{case.id} has no golden playthrough; run: python -m tests.golden.write {case.id}"
    assert transcript(case) == path.read_text(encoding="utf-8")
