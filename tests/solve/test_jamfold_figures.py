"""The published figures of the jam/fold endgame with 8,000 chips and blinds of 300 and 600."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from kiebitz.solve.jamfold import JamFold, Rules, solve_jamfold
from kiebitz.solve.preflop import hand_index


@cache
def solved() -> JamFold:
    return solve_jamfold(tolerance=1e-5)


def jams(stack: int, hand: str) -> float:
    return float(solved().sb_jam[solved().rules.row(stack), hand_index(hand)])


@pytest.mark.requirement("PK-42")
def test_values_at_4000_and_how_well_they_are_known() -> None:
    assert solved().error <= 1e-5
    assert solved().lower(4000) == pytest.approx(0.4960, abs=0.0005)
    assert solved().upper(4000) == pytest.approx(0.5098, abs=0.0005)


@pytest.mark.requirement("PK-42")
def test_the_gap_is_at_most_1_4_points_at_every_stack() -> None:
    stacks = [int(stack) for stack in solved().rules.stacks[1:-1]]
    gaps = np.array([[solved().gap(stack, "sb"), solved().gap(stack, "bb")] for stack in stacks])
    assert gaps.max() <= 0.014
    assert gaps.min() >= -solved().error
    assert solved().gap(4000) == pytest.approx(0.0138, abs=0.0002)


@pytest.mark.requirement("PK-43")
def test_tables_at_1800_and_3600() -> None:
    assert jams(1800, "43s") == pytest.approx(0, abs=1e-3)
    assert jams(1800, "J2o") == pytest.approx(1, abs=1e-3)
    assert jams(3600, "43s") == pytest.approx(1, abs=1e-3)
    assert jams(3600, "J2o") == pytest.approx(0, abs=1e-3)
    assert jams(1800, "J2s") == jams(3600, "J2s") == pytest.approx(1, abs=1e-3)


@pytest.mark.requirement("PK-43")
def test_mixed_hands_are_reported_and_86o_is_none() -> None:
    assert "52s" in solved().mixed(4000, "sb")
    assert {"J4o", "96o"} & set(solved().mixed(4000, "bb"))
    assert jams(4000, "86o") == pytest.approx(1, abs=1e-3)
    assert solved().jam_frequency(4000, "sb") == pytest.approx(0.715, abs=0.005)
    assert solved().jam_frequency(4000, "bb") == pytest.approx(0.730, abs=0.005)


@pytest.mark.requirement("PK-44")
def test_always_all_in_loses_at_least_2_5_points() -> None:
    sb_value, bb_value = solved().guarantee(1, 1)
    row = solved().rules.row(4000)
    assert solved().upper(4000, "sb") - sb_value[row] >= 0.025
    assert solved().upper(4000, "bb") - bb_value[row] >= 0.025


@pytest.mark.requirement("PK-44")
def test_both_players_restricted() -> None:
    both = solve_jamfold(Rules(restricted_opponent=True), tolerance=1e-5)
    assert both.lower(4000) == pytest.approx(0.5003, abs=0.0005)
    assert both.gap(4000) == pytest.approx(0, abs=1e-5)
