"""Summaries: against plain sums over the rows, and against the tables of the specifications."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations
from statistics import mean, pstdev, stdev
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.arena.summary import Summary
from kiebitz.errors import ParameterError, UnknownName
from kiebitz.stats import mean_interval, thesis_interval, wilson
from kiebitz.store.rows import Row

SPECS = ("a", "b", "c")


@st.composite
def runs(draw: Any, players: int = 2) -> list[Row]:
    """Games of one to three a deal between three agents, with metrics and events, in any order."""
    rows: list[Row] = []
    for deal in range(draw(st.integers(1, 8))):
        for _ in range(draw(st.integers(1, 3))):
            seating = tuple(draw(st.lists(st.integers(0, 2), min_size=players, max_size=players)))
            payoffs = tuple(float(draw(st.integers(-3, 3))) for _ in seating)
            moves = tuple(draw(st.integers(0, 9)) for _ in seating)
            seconds = tuple(move / 8 for move in moves)
            metrics = {
                "called": [draw(st.booleans()) for _ in seating],
                "won": [draw(st.booleans()) for _ in seating],
                "own_moves": list(moves),
                "contract": draw(st.sampled_from(["normal", "solo", "wedding"])),
                "guarded": draw(st.booleans()),
            }
            event = (draw(st.integers(0, players - 1)), draw(st.sampled_from(["timeout", "forfeit"])), "late")
            rows.append(
                Row(
                    len(rows),
                    deal,
                    seating,
                    payoffs,
                    sum(moves) + 1,
                    3 * sum(moves) + 2,
                    moves,
                    seconds,
                    seconds,
                    (event,) if draw(st.booleans()) else (),
                    metrics if draw(st.integers(0, 4)) else {},
                )
            )
    return list(draw(st.permutations(rows)))


def blocks(rows: list[Row], agent: int) -> list[list[float]]:
    found: dict[int, list[float]] = {}
    for row in rows:
        found.setdefault(row.deal, []).extend(
            v for v, who in zip(row.payoffs, row.seating, strict=True) if who == agent
        )
    return list(found.values())


def close(one: Any, other: Any) -> bool:
    return bool(one.to_dict() == pytest.approx(other.to_dict(), abs=1e-9, nan_ok=True))


@pytest.mark.parametrize("players", [2, 4])
@settings(max_examples=40)
@given(data=st.data())
def test_payoffs_are_those_of_the_rows(players: int, data: Any) -> None:
    rows = data.draw(runs(players))
    summary = Summary(rows, SPECS)
    assert summary.games == len(rows)
    assert summary.deals == len({row.deal for row in rows})
    for agent in range(3):
        own = blocks(rows, agent)
        assert close(summary.payoff(agent), mean_interval(own))
        values = [value for block in own for value in block]
        assert summary.deviation(agent) == pytest.approx(stdev(values) if len(values) > 1 else math.nan, nan_ok=True)
        outcomes = summary.outcomes(agent)
        assert outcomes.games == len(values)
    for a, b in combinations(range(3), 2):
        pairs = zip(blocks(rows, a), blocks(rows, b), strict=True)
        expected = mean_interval([[mean(x) - mean(y)] for x, y in pairs if x and y])
        assert close(summary.difference(a, b), expected)
        there = [row for row in rows if {a, b} <= set(row.seating)]
        pairs = zip(blocks(there, a), blocks(there, b), strict=True)
        cell = summary.against(a, b)
        assert cell.games == len(there)
        assert close(cell.difference, mean_interval([[mean(x) - mean(y)] for x, y in pairs]))
        assert ((a, b) in summary.crosstable) == bool(there)


@settings(max_examples=40)
@given(runs())
def test_the_order_of_rows_does_not_matter(rows: list[Row]) -> None:
    ordered = sorted(rows, key=lambda row: row.number)
    straight, other = Summary(ordered, SPECS), Summary(iter(rows), SPECS)
    assert straight.to_dict() == other.to_dict()
    if "contract" in other.columns:
        assert list(straight.histogram("contract")) == list(other.histogram("contract"))
    assert list(other.each_game()) == [(row.seating, list(row.payoffs)) for row in ordered]
    assert straight.bankroll(1).tolist() == other.bankroll(1).tolist()


@settings(max_examples=40)
@given(runs())
def test_outcomes_effort_and_events_are_those_of_the_rows(rows: list[Row]) -> None:
    summary = Summary(rows, SPECS)
    for agent in range(3):
        seats = [(row, seat) for row in rows for seat, who in enumerate(row.seating) if who == agent]
        results = [
            (row.payoffs[seat] > row.payoffs[1 - seat]) - (row.payoffs[seat] < row.payoffs[1 - seat])
            for row, seat in seats
        ]
        outcomes = summary.outcomes(agent)
        assert (outcomes.wins, outcomes.draws, outcomes.losses) == tuple(results.count(value) for value in (1, 0, -1))
        assert outcomes.win_rate == wilson(results.count(1), len(results)) or not seats
        moves = sum(row.moves[seat] for row, seat in seats)
        assert summary.effort(agent) == (moves, moves / 8)
        assert summary.slowest(agent) == max((row.slowest[seat] for row, seat in seats), default=0.0)
        events = [kind for row in rows for seat, kind, _ in row.events if row.seating[seat] == agent]
        assert (summary.timeouts(agent), summary.forfeits(agent)) == (events.count("timeout"), events.count("forfeit"))
    assert summary.plies()[0].value == pytest.approx(mean(row.plies for row in rows))
    assert summary.branching()[0].value == pytest.approx(mean(row.choices / row.plies for row in rows))


@pytest.mark.requirement("DK-71")
@settings(max_examples=40)
@given(runs())
def test_metrics_are_those_of_the_rows(rows: list[Row]) -> None:
    summary = Summary(rows, SPECS)
    measured = [row for row in rows if row.metrics]
    if not measured:
        assert summary.guarded is None
        return
    assert summary.guarded == sum(row.metrics["guarded"] for row in measured)
    contracts = [row.metrics["contract"] for row in measured]
    assert summary.histogram("contract") == {name: contracts.count(name) for name in set(contracts)}
    assert [summary.kind(name) for name in ("called", "own_moves", "contract")] == ["share", "number", "text"]
    assert close(summary.share("guarded"), wilson(summary.guarded or 0, len(measured)))
    for agent in (None, 0, 1, 2):
        seats = [(row, s) for row in measured for s, who in enumerate(row.seating) if agent in (None, who)]
        called = [row.metrics["called"][s] for row, s in seats]
        assert close(summary.share("called", agent), wilson(sum(called), len(called)))
        won = [row.metrics["won"][s] for row, s in seats if row.metrics["called"][s]]
        assert close(summary.share("won", agent, given="called"), wilson(sum(won), len(won)))
        by_deal: dict[int, list[float]] = {}
        for row, s in seats:
            by_deal.setdefault(row.deal, []).append(row.metrics["own_moves"][s])
        assert close(summary.metric_mean("own_moves", agent), mean_interval(list(by_deal.values())))


@pytest.mark.requirement("OW-52")
@settings(max_examples=40)
@given(runs())
def test_moves_in_wins(rows: list[Row]) -> None:
    summary = Summary(rows, SPECS)
    if "own_moves" not in summary.columns:
        return
    for agent in range(3):
        own = [
            row.metrics["own_moves"][seat]
            for row in rows
            for seat, who in enumerate(row.seating)
            if row.metrics and who == agent and row.payoffs[seat] > row.payoffs[1 - seat]
        ]
        found = summary.moves_in_wins(agent)
        assert found.wins == len(own)
        if own:
            assert (found.mean, found.deviation) == pytest.approx((mean(own), pstdev(own)))
            assert found.estimate == thesis_interval(found.mean, found.deviation, len(own))


def duel(values: list[float], specs: tuple[str, str] = ("a", "b"), **options: Any) -> Summary:
    """Two games a deal, seats swapped; the values are what the first agent got."""
    rows = [
        Row(
            n,
            n // 2,
            (0, 1) if n % 2 == 0 else (1, 0),
            (v, -v) if n % 2 == 0 else (-v, v),
            2,
            4,
            (1, 1),
            (0.0,) * 2,
            (0.0,) * 2,
        )
        for n, v in enumerate(values)
    ]
    return Summary(rows, specs, **options)


def test_partners_win_together() -> None:
    row = Row(0, 0, (0, 1, 0, 1), (3.0, -3.0, 3.0, -3.0), 1, 1, (0,) * 4, (0.0,) * 4, (0.0,) * 4)
    summary = Summary([row], ["a", "b"])
    assert vars(summary.outcomes(0)) == {"wins": 2, "draws": 0, "losses": 0}
    assert vars(summary.outcomes(1)) == {"wins": 0, "draws": 0, "losses": 2}


@pytest.mark.requirement("PK-5")
def test_a_deterministic_agent_against_its_copy_scores_exactly_0() -> None:
    summary = duel([2.0, -2.0, 0.5, -0.5, -7.0, 7.0])
    difference = summary.difference()
    assert (difference.value, difference.low, difference.high) == (0.0, 0.0, 0.0)
    assert summary.verdict() == "a and b are equal in each of 3 deals"


@pytest.mark.requirement("PK-5")
def test_swapped_seats_have_a_smaller_error_than_plain_play() -> None:
    draw = np.random.default_rng(3)
    luck = draw.normal(0, 6, 500)
    values = [float(x) for pair in zip(luck + 0.1, -luck + 0.1, strict=True) for x in pair]
    paired = duel(values)
    plain = Summary(
        [Row(n, n, (0, 1), (v, -v), 2, 4, (1, 1), (0.0,) * 2, (0.0,) * 2) for n, v in enumerate(values)], ["a", "b"]
    )
    assert paired.difference().value == pytest.approx(plain.difference().value)
    assert paired.difference_mean().error == pytest.approx(0.0, abs=1e-9)
    assert (plain.difference_mean().error or 0) > 0.2


@pytest.mark.requirement("PK-4")
def test_milli_bets_bankroll_and_matches() -> None:
    summary = duel([4.0, -2.0, 6.0, 0.0, -2.0, -2.0], game=kb.game("leduc"))
    milli_bets = summary.milli_bets(0)
    assert milli_bets is not None
    assert milli_bets.value == pytest.approx(1000 * (4 / 6) / 2)
    assert summary.bankroll(0).tolist() == [4, 2, 8, 8, 6, 4]
    assert summary.bankroll(1)[-1] == -4
    assert vars(summary.matches(2)[0]) == {"wins": 2, "draws": 0, "losses": 1}
    assert vars(summary.matches(4)[0]) == {"wins": 1, "draws": 0, "losses": 0}  # the rest is not a whole match
    assert vars(summary.matches()[1]) == {"wins": 0, "draws": 0, "losses": 1}
    assert duel([1.0]).milli_bets(0) is None


def test_a_clear_difference_is_said_in_words() -> None:
    draw = np.random.default_rng(1)
    summary = duel([float(x) for x in draw.normal(0.5, 1, 400)], ("uct(iterations=500)", "random"))
    assert summary.verdict().startswith("uct(iterations=500) is better than random by ")
    assert summary.verdict().endswith("a game (p < 0.001)")
    assert summary.verdict(1, 0) == summary.verdict(0, 1)


def test_no_difference_comes_with_the_games_that_would_show_one() -> None:
    draw = np.random.default_rng(2)
    summary = duel([float(x) for x in draw.normal(0.0, 1, 400)])
    words = summary.verdict(margin=0.1)
    assert words.startswith("no difference shown between a and b (p = 0.")
    assert "more games would show one of 0.1" in words
    assert summary.verdict(margin=5.0).endswith("these games would have shown one of 5")
    assert "more games would show one of" in summary.verdict()
    assert duel([1.0]).verdict() == "too few deals to compare a with b"


def test_games_needed_shrink_the_interval_to_the_width() -> None:
    draw = np.random.default_rng(4)
    summary = duel([float(x) for x in draw.normal(0.0, 1, 400)])
    now = summary.difference()
    assert now.high is not None
    half = now.high - now.value
    assert summary.games_needed(half * 1.001, 0, 1) == 0
    needed = summary.games_needed(half / 2, 0, 1)
    assert needed is not None
    assert 3 * 400 * 0.97 < needed < 3 * 400 * 1.03  # half the width needs four times the games
    assert duel([1.0]).games_needed(0.1) is None


def test_p_values_of_many_pairs_are_corrected() -> None:
    """Among agents that are all equal, hardly ever is any pair said to differ."""
    draw = np.random.default_rng(6)
    claims = 0
    for _ in range(60):
        rows: list[Row] = []
        for a, b in combinations(range(5), 2):
            for value in draw.normal(0, 1, 20):
                n = len(rows)
                rows.append(Row(n, n, (a, b), (value, -value), 1, 1, (1, 1), (0.0,) * 2, (0.0,) * 2))
        claims += any("is better" in words for _, _, words in Summary(rows, list("abcde")).verdicts())
    assert claims <= 9  # the 99.9 % quantile of 60 at 5 %; uncorrected it would be 20


def test_games_that_could_not_be_played_count_for_nobody() -> None:
    zeros = (0.0, 0.0)
    rows = [Row(n, n, (0, 1), (1.0, -1.0), 5, 20, (3, 2), zeros, zeros) for n in range(4)]
    void = [replace(row, number=row.number + 4, payoffs=zeros, events=((-1, "void", "no worker"),)) for row in rows]
    summary = Summary([*rows, *void], ["a", "b"])
    assert (summary.games, summary.outcomes(0).wins, summary.outcomes(0).draws) == (4, 4, 0)
    assert summary.void.total() == summary.to_dict()["void"] == 4
    assert not summary.events
    assert summary.remarks()[0] == "4 games could not be played and count for nobody: no worker"


def test_a_run_without_games_says_so() -> None:
    summary = Summary([], SPECS, kb.game("nim"))
    assert (summary.games, summary.deals, summary.crosstable) == (0, 0, {})
    assert math.isnan(summary.payoff(0).value)
    assert summary.verdicts() == []
    json.dumps(summary.to_dict(), allow_nan=False)


@settings(max_examples=20)
@given(runs())
def test_all_of_it_is_json(rows: list[Row]) -> None:
    data = Summary(rows, SPECS).to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data


ROW = Row(0, 0, (0, 1), (1.0, -1.0), 2, 4, (1, 1), (0.0, 0.0), (0.0, 0.0))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([ROW, ROW], "game 0: expected each game once"),
        ([ROW, Row(1, 1, (0, 1, 2), (0.0,) * 3, 1, 1, (0,) * 3, (0.0,) * 3, (0.0,) * 3)], "expected 2 seats"),
        ([Row(0, 0, (0, 3), (0.0,) * 2, 1, 1, (0,) * 2, (0.0,) * 2, (0.0,) * 2)], "expected agents 0 to 2"),
        ([Row(0, 0, (0, 1), (0.0,) * 3, 1, 1, (0,) * 2, (0.0,) * 2, (0.0,) * 2)], "one payoff, count and time"),
        ([replace(ROW, metrics={"x": [1, 2, 3]})], "x: expected one value a game in all, or one a seat"),
    ],
)
def test_rows_that_do_not_fit_are_refused(rows: list[Row], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        Summary(rows, SPECS)


def test_unknown_questions_are_refused() -> None:
    summary = Summary([ROW], SPECS)
    with pytest.raises(UnknownName, match="no game has any"):
        summary.share("called")
    with pytest.raises(ParameterError, match="agent: expected 0 to 2, got 3"):
        summary.payoff(3)
    with pytest.raises(ParameterError, match="hands: expected at least 1"):
        summary.matches(0)
