"""Sweeps over options: every combination, on the same deals, against one opponent."""

from __future__ import annotations

from typing import Any

import pytest

import kiebitz as kb
from kiebitz.errors import Error, ParameterError

NIM = kb.game("nim")


def test_every_combination_meets_the_opponent_on_the_same_deals() -> None:
    options: dict[str, list[Any]] = {"iterations": [1, 200], "final": ["visits", "value"]}
    found = kb.arena.sweep(kb.game("tic_tac_toe"), "uct", options, "random", deals=8, seed=2, workers=1)
    assert [setting.options for setting in found.settings] == [
        {"iterations": n, "final": final} for n in (1, 200) for final in ("visits", "value")
    ]
    assert found.result.games == 4 * 8 * 2
    for setting in found.settings:
        alone = kb.arena.compare(
            kb.game("tic_tac_toe"), ["random", setting.spec], deals=8, seed=2, workers=1, seatings="gauntlet"
        )
        assert alone.against(1, 0).difference == setting.difference
    assert found.best.options["iterations"] == 200
    assert [row["value"] for row in found.rows()] == [setting.difference.value for setting in found.settings]
    lines = str(found).splitlines()
    assert lines[0] == "tic_tac_toe: payoff a game above random, 64 games"
    assert [line.split("  ")[1].strip() for line in lines[1:]] == [
        f"iterations={n}; final={final}" for n in (1, 200) for final in ("visits", "value")
    ]
    assert sum(line.endswith(" *") for line in lines) == 1


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("uct", {}, "options: expected the values to try"),
        ("uct", {"c": []}, "options: expected the values to try"),
        ("uct", {"c": 1.0}, "options: expected the values to try"),
        ("uct", {"c": list(range(1001))}, "at most 1000 combinations, got 1001"),
        ("uct", {"nothing": [1]}, "nothing"),
        ("uct(", {"c": [1.0]}, "expected"),
    ],
)
def test_sweeps_that_make_no_sense(spec: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(Error, match=message):
        kb.arena.sweep(NIM, spec, options, "random", deals=1, workers=1)


def test_a_sweep_needs_deals() -> None:
    with pytest.raises(ParameterError, match="deals"):
        kb.arena.sweep(NIM, "uct", {"iterations": [1]}, "random", deals=0)
