"""Comparisons on shared deals: seatings, duplicate deals, the same rows for any number of workers, checkpoints."""

from __future__ import annotations

import json
import multiprocessing
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.arena.compare import Comparison, Plan, Row, compare, constellations, play, two_against_two
from kiebitz.errors import Error, ParameterError, UnsuitableGame
from kiebitz.stats import mean_interval, wilson

KUHN = kb.game("kuhn", players=4)
CHEAT = "cheat(uct(iterations=10))"


def chance_of(state: kb.State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """The cards dealt, who acted, and who got more than nothing."""
    return {
        "cards": str(state.history[:4]),
        "seats": [seat for seat, _ in moves],
        "gain": [value > 0 for value in state.returns()],
    }


def timeless(rows: Sequence[Row]) -> list[Row]:
    return [replace(row, seconds=()) for row in rows]


# --- Seatings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4, 6, 10])
def test_two_against_two_gives_every_seat_to_both_equally_often(players: int) -> None:
    seatings = two_against_two(players)
    assert len(set(seatings)) == len(seatings)
    for seat in range(players):
        assert 2 * sum(seating[seat] for seating in seatings) == len(seatings)
    assert all(2 * sum(seating) == players for seating in seatings)


@pytest.mark.parametrize("agents", [2, 3, 4, 5, 6])
def test_dk_70_constellations_treat_all_agents_alike(agents: int) -> None:
    tables = constellations(agents)
    counts = Counter(agent for table in tables for agent in table)
    assert len(counts) == agents
    assert len(set(counts.values())) == 1
    assert all(len(set(table)) >= 2 for table in tables)
    assert len(set(tables)) == len(tables)


def test_dk_70_deals_take_turns_through_all_constellations() -> None:
    plan = Plan(KUHN, ("random",) * 5, "constellations", 3, per_deal=13)
    seen = Counter(tuple(sorted(table)) for deal in range(10) for table in plan.tables(deal))
    assert seen == dict.fromkeys(constellations(5), 2)


def test_dk_70_seats_of_constellations_are_drawn_at_random_and_reproducibly() -> None:
    plan = Plan(KUHN, ("random", CHEAT), "constellations", 3)
    singles = Counter(plan.tables(deal)[0].index(1) for deal in range(400))
    assert plan.tables(7) == replace(plan).tables(7)
    assert sorted(singles) == [0, 1, 2, 3]
    assert min(singles.values()) > 70  # 100 expected, standard deviation 8.7


# --- Games ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seatings", ["two_against_two", "constellations"])
def test_dk_70_points_of_all_agents_weighted_by_seats_add_up_to_0(seatings: str) -> None:
    result = compare(KUHN, ["random", CHEAT], deals=6, seed=2, seatings=seatings, workers=1)
    blocks = [result.blocks(agent) for agent in (0, 1)]
    assert sum(map(len, blocks[0])) == sum(map(len, blocks[1])) == 2 * len(result.rows)
    assert sum(value for agent in blocks for block in agent for value in block) == pytest.approx(0)
    assert result.payoff(0).value == pytest.approx(-result.payoff(1).value)


def test_dk_70_all_seatings_of_a_deal_share_its_cards() -> None:
    result = compare(KUHN, ["random", CHEAT], deals=8, seed=2, metrics=chance_of, workers=1)
    cards = {(row.deal, row.metrics["cards"]) for row in result.rows}
    assert len(cards) == 8
    assert len({text for _, text in cards}) > 1


def test_dk_70_two_comparisons_with_one_seed_share_their_deals() -> None:
    results = [
        compare(KUHN, [spec, "random"], deals=5, seed=2, metrics=chance_of, workers=1) for spec in ("random", CHEAT)
    ]
    first, second = ([row.metrics["cards"] for row in result.rows] for result in results)
    assert first == second


def test_forced_moves_are_played_without_asking() -> None:
    forced = kb.game("nim", heaps=[1, 1])
    row = play(Plan(forced, ("uct(iterations=5)",) * 2, "two_against_two", 1), 0, (0, 1))
    assert (row.plies, row.choices, row.moves, row.seconds) == (2, 3, (1, 0), (row.seconds[0], 0.0))


def test_seeds_belong_to_deal_and_seat_so_that_equal_agents_play_equal_games() -> None:
    """What two agents have in common cancels: with the same agent twice nothing is left."""
    result = compare(KUHN, ["random", "random"], deals=40, seed=5, metrics=chance_of, workers=1)
    assert len(Counter((row.deal, row.payoffs) for row in result.rows)) == 40
    assert len({row.payoffs for row in result.rows}) > 10
    difference = result.difference()
    assert (difference.value, difference.low, difference.high) == (0.0, 0.0, 0.0)


# --- Workers, checkpoints, interruption -------------------------------------------------------------------------------


def test_dk_81_rows_do_not_depend_on_the_number_of_workers() -> None:
    options: dict[str, Any] = {"deals": 5, "seed": 9, "metrics": chance_of}
    one, two = (compare(KUHN, ["random", CHEAT], workers=workers, **options) for workers in (1, 2))
    assert timeless(one.rows) == timeless(two.rows)
    assert (one.workers, two.workers) == (1, 2)
    other = compare(KUHN, ["random", CHEAT], workers=1, **{**options, "seed": 10})
    assert timeless(one.rows) != timeless(other.rows)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_comparison_goes_on_from_its_checkpoint(tmp_path: Path, workers: int) -> None:
    path = tmp_path / "folder" / "checkpoint.jsonl"
    options: dict[str, Any] = {"seed": 4, "metrics": chance_of, "checkpoint": path}

    def stop(done: int) -> None:
        if done >= 3:
            raise KeyboardInterrupt

    part = compare(KUHN, ["random", CHEAT], deals=8, workers=workers, progress=stop, **options)
    assert part.interrupted
    assert part.deals == 3
    assert len(part.rows) == 18
    assert not multiprocessing.active_children()
    with path.open("a", encoding="utf-8") as file:
        file.write('[{"deal": 7, "seat')  # a crash in the middle of a line
    full = compare(KUHN, ["random", CHEAT], deals=8, workers=1, **options)
    assert (full.resumed, full.deals, full.interrupted) == (3, 8, False)
    fresh = compare(KUHN, ["random", CHEAT], deals=8, workers=1, seed=4, metrics=chance_of)
    assert timeless(full.rows) == timeless(fresh.rows)
    again = compare(KUHN, ["random", CHEAT], deals=8, workers=1, **options)
    assert again.resumed == 8
    assert again.rows == full.rows
    fewer = compare(KUHN, ["random", CHEAT], deals=2, workers=1, **options)
    assert fewer.deals == 2


def test_a_checkpoint_of_another_comparison_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.jsonl"
    compare(KUHN, ["random", CHEAT], deals=1, seed=4, checkpoint=path, workers=1)
    before = path.read_text(encoding="utf-8")
    for specs, seed in ((["random", CHEAT], 5), ([CHEAT, "random"], 4)):
        with pytest.raises(ParameterError, match="expected the checkpoint of this comparison"):
            compare(KUHN, specs, deals=1, seed=seed, checkpoint=path, workers=1)
    assert path.read_text(encoding="utf-8") == before
    path.write_text(before + "[]\n", encoding="utf-8")
    with pytest.raises(ParameterError, match="line 3: expected the games of a deal"):
        compare(KUHN, ["random", CHEAT], deals=1, seed=4, checkpoint=path, workers=1)


def test_an_error_in_a_worker_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        compare(KUHN, ["random", "random"], deals=3, metrics=broken, workers=2)
    assert not multiprocessing.active_children()


def broken(state: kb.State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    return {"share": len(moves) / (len(state.returns()) - 4)}


@pytest.mark.parametrize(
    ("specs", "options", "error"),
    [
        (["random"], {}, "expected 2 agents, got 1"),
        (["random"] * 2, {"seatings": "self_play"}, "expected 1 agent, got 2"),
        (["random"], {"seatings": "constellations"}, "at least two"),
        (["random"] * 2, {"seatings": "circle"}, "expected two_against_two, constellations or self_play"),
        (["random"] * 2, {"deals": 0}, "deals: expected 1 to"),
        (["random"] * 2, {"deals": True}, "deals: expected 1 to"),
        (["random"] * 2, {"workers": 0}, "workers: expected 1 to"),
        (["random"] * 2, {"per_deal": 3}, "only with constellations"),
        (["random", "uct"], {}, "cheat"),
        (["random", "nobody"], {}, "no agent 'nobody'"),
    ],
)
def test_what_cannot_be_compared_is_refused(specs: list[str], options: dict[str, Any], error: str) -> None:
    with pytest.raises(Error, match=error):
        compare(KUHN, specs, **options)


def test_half_of_an_odd_table_is_refused() -> None:
    with pytest.raises(ParameterError, match="even number of players, got 3"):
        compare(kb.game("kuhn", players=3), ["random", "random"])
    with pytest.raises(UnsuitableGame):
        compare(kb.game("kuhn", players=2), ["random", "uct"])


# --- Statistics -------------------------------------------------------------------------------------------------------


def made_up(payoffs: Sequence[Sequence[float]], metrics: Sequence[dict[str, Any]] | None = None) -> Comparison:
    """One game a deal, agents 0 0 1 1."""
    rows = [
        Row(
            deal, (0, 0, 1, 1), tuple(values), 10, 25, (2, 2, 1, 1), (0.5, 0.5, 0.25, 0.0), (metrics or [{}] * 99)[deal]
        )
        for deal, values in enumerate(payoffs)
    ]
    return Comparison({}, ("a", "b"), (False, True), "two_against_two", 1, len(rows), rows)


def test_the_difference_is_paired_by_deal() -> None:
    """Deals that are good for one pair of seats cancel out: the same gain of 2 in every deal has no spread."""
    result = made_up([[1, 1, -1, -1], [11, 11, 9, 9], [-7, -7, -9, -9]])
    difference = result.difference()
    assert (difference.value, difference.low, difference.high) == (2, 2, 2)
    assert result.difference(1, 0).value == -2
    uneven = made_up([[1, 3, -1, -3], [5, 5, -5, -5], [0, 0, 0, 0]])
    assert uneven.difference() == mean_interval([[4.0], [10.0], [0.0]])
    assert uneven.payoff(0) == mean_interval([[1.0, 3.0], [5.0, 5.0], [0.0, 0.0]])


def test_dk_71_shares_are_counted_per_seat_and_condition() -> None:
    metrics: list[dict[str, Any]] = [
        {"called": [True, False, True, False], "won": [True, True, False, False], "both": False, "contract": "normal"},
        {"called": [True, True, False, False], "won": [False, False, True, True], "both": True, "contract": "normal"},
        {"called": [False] * 4, "won": [True, True, False, False], "both": False, "contract": "wedding"},
    ]
    result = made_up([[0.0] * 4] * 3, metrics)
    assert result.share("called", 0) == wilson(3, 6)
    assert result.share("won", 0, given="called") == wilson(1, 3)
    assert result.share("called") == wilson(4, 12)
    assert result.share("both") == wilson(1, 3)
    assert result.histogram("contract") == {"normal": 2, "wedding": 1}


def test_dk_73_results_hold_times_and_counts_as_json() -> None:
    data = json.loads(json.dumps(made_up([[1, 1, -1, -1], [0, 0, 0, 0]]).to_dict()))
    assert data["plies"]["value"] == 10
    assert data["branching"]["value"] == 2.5
    assert (data["games"], data["deals"], data["planned_deals"]) == (2, 2, 2)
    first, second = data["agents"]
    assert (first["moves"], first["seconds"], first["seconds_per_move"]) == (8, 2.0, 0.25)
    assert (first["player_games"], first["cheats"], second["cheats"]) == (4, False, True)
    assert first["deviation"] == pytest.approx((4 * 0.25 / 3) ** 0.5)
    json.dumps(compare(KUHN, ["random", CHEAT], deals=2, workers=1).to_dict(), allow_nan=False)
