"""The jam/fold endgame: bounds that hold at every stack, tournaments played out card by card, refusals.

The published figures are in test_jamfold_figures.py.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from rich.console import Console
from scipy.optimize import linprog

import kiebitz as kb
from kiebitz import _core
from kiebitz.solve.jamfold import SEATS, JamFold, Rules, solve_jamfold
from kiebitz.solve.jamfold_stages import Opponent, Own, Stages, equilibrium, guess, odds
from kiebitz.solve.preflop import HANDS, hand_index

SETTINGS = [
    Rules(8000, 300, 600, 100),
    Rules(3000, 100, 200, 100),
    Rules(2100, 300, 300, 300),  # equal blinds, an odd number of steps
    Rules(600, 300, 600, 300),  # all-in by the blinds alone
    Rules(900, 100, 5000, 100),  # a big blind nobody can pay
]


def solved(setting: int = 0, restricted: bool = False) -> JamFold:
    return solved_once(replace(SETTINGS[setting], restricted_opponent=restricted))


solved_once = cache(solve_jamfold)


def everything(result: JamFold) -> list[int]:
    return [int(stack) for stack in result.rules.stacks[1:-1]]


# --- What must hold for all rules -------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_values_are_proved_and_in_order(setting: int) -> None:
    result = solved(setting)
    assert result.error <= 1e-8
    for values in (result.sb_value, result.bb_value):
        assert values[0] == 0
        assert values[-1] == 1
        assert np.all(np.diff(values) > 0)  # more chips are worth more
    for stack in everything(result):
        for seat in ("sb", "bb"):
            assert result.gap(stack, seat) >= -result.error
    for table in (result.sb_jam, result.bb_jam, result.opponent_call, result.opponent_play):
        assert np.all((table >= 0) & (table <= 1))
    assert result.opponent_play[1:-1].sum(axis=2) == pytest.approx(1)


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_two_restricted_players_share_one_value_between_the_bounds(setting: int) -> None:
    result, both = solved(setting), solved(setting, restricted=True)
    assert np.allclose(both.sb_value + both.bb_value[::-1], 1, atol=2e-8)
    for stack in everything(result):
        for seat in ("sb", "bb"):
            assert result.lower(stack, seat) - 2e-8 <= both.lower(stack, seat) <= result.upper(stack, seat) + 2e-8
    assert not both.opponent_play[1:-1, :, 1].any()  # limping to fold is not for them


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_no_table_guarantees_more(setting: int) -> None:
    """What a solved table guarantees is its value; other tables, random ones and always all-in, guarantee less."""
    result = solved(setting)
    rng = np.random.default_rng(1)
    again = result.guarantee(result.sb_jam, result.bb_jam)
    assert np.allclose(again, [result.sb_value, result.bb_value], atol=1e-12)
    others: list[Any] = [(1, 1), (rng.random(HANDS), rng.random(HANDS)), (result.sb_jam, 1), (0.5, result.bb_jam)]
    for sb_jam, bb_jam in others:
        values = result.guarantee(sb_jam, bb_jam)
        assert np.all(values[0] <= result.sb_value + result.error)
        assert np.all(values[1] <= result.bb_value + result.error)


def test_a_player_who_never_jams_wins_nothing() -> None:
    """Such a player can be robbed of blind after blind, or kept in a match without end, which counts as lost."""
    values, _ = solved(1).guarantee(0, 0)
    assert values[solved(1).rules.row(1500)] < 1e-9


def test_a_match_without_end_counts_as_lost() -> None:
    """A player who jams only below half of the chips can be kept at half of them for ever: fold, be folded to, fold."""
    rules = solved().rules
    jam = np.where(rules.stacks[:, None] < 4000, 1, 0)
    _, bb_value = solved().guarantee(jam, jam)
    assert bb_value[rules.row(4000)] == 0
    stages = Stages(10, 1, 2, restricted=False)
    folds = stages.own_from(0, 0)
    gives_up = Opponent(np.tile([0.0, 1.0], (9, HANDS, 1)), np.tile([1.0, 0.0, 0.0], (9, HANDS, 1)))
    assert stages.evaluate(folds, gives_up)[0, 5] == 0
    assert stages.evaluate(folds, gives_up, endless_wins=True)[0, 5] == 1


def test_a_finer_step_changes_nothing_at_common_stacks() -> None:
    coarse = solve_jamfold(Rules(3000, 200, 400, 100))
    fine = solve_jamfold(Rules(3000, 200, 400, 50))
    assert np.allclose(fine.sb_value[::2], coarse.sb_value, atol=2e-8)
    assert np.allclose(fine.bb_value[::2], coarse.bb_value, atol=2e-8)


def test_chips_scale() -> None:
    small = solve_jamfold(Rules(30, 1, 2, 1))
    assert np.allclose(small.sb_value, solved(1).sb_value, atol=2e-8)


def test_progress_is_told() -> None:
    told: list[tuple[int, float]] = []
    result = solve_jamfold(SETTINGS[1], progress=lambda rounds, error: told.append((rounds, error)))
    assert told[-1] == (result.rounds, result.error)
    assert [rounds for rounds, _ in told] == list(range(1, result.rounds + 1))


# --- By other ways ----------------------------------------------------------------------------------------------------


def test_one_hand_equals_the_whole_linear_programme() -> None:
    """The programmes with few hands find the value of the programme with all 169, seat by seat."""
    stages = Stages(80, 3, 6, restricted=False)
    own, opponent, values = guess(stages, 10)
    exact, _ = equilibrium(stages, own, opponent, values)
    reached = stages.opponent_gains(exact, values)
    prior, pairs, wins, ties, _, _ = odds()
    for stack in (14, 36, 40):
        row, later = stack - 1, values[1]
        win, tie, lose = later[stages.win[row]], later[stages.tie[row]], later[stages.lose[row]]
        steal, fold = later[stages.their_big[row]], later[stages.our_small[row]]
        call = wins * (win - lose) + ties * (tie - lose) + pairs * (lose - steal)
        # Variables: how often to jam, and what the opponent takes away with each hand by calling.
        whole = linprog(
            -np.concatenate([prior * (steal - fold), np.ones(HANDS)]) * 1e3,
            A_ub=np.hstack([-call.T, np.eye(HANDS)]) * 1e3,
            b_ub=np.zeros(HANDS),
            bounds=[(0, 1)] * HANDS + [(None, 0)] * HANDS,
        )
        assert whole.fun is not None
        folded = float(prior @ exact.sb[row, :, 0]) * fold
        ours = folded - float(reached.call[row].max(axis=1).sum())
        assert ours == pytest.approx(fold - whole.fun / 1e3, abs=1e-8)


def test_tournaments_played_out_card_by_card() -> None:
    """Our tables against the opponent's with real deals: as many wins as the value says, up to four standard errors."""
    result = solved()
    rng = np.random.default_rng(4)
    n = 20_000
    stack = np.full(n, 4000)
    small_blind = np.ones(n, dtype=bool)
    alive = np.arange(n)
    while len(alive):
        stack[alive] = play_hand(result, stack[alive], small_blind[alive], rng)
        small_blind[alive] ^= True
        alive = alive[(stack[alive] > 0) & (stack[alive] < result.rules.total)]
    won = float(np.mean(stack == result.rules.total))
    assert won == pytest.approx(result.lower(4000), abs=4 * 0.5 / n**0.5)


def play_hand(
    result: JamFold, stack: npt.NDArray[np.int64], as_sb: npt.NDArray[np.bool_], rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """The rules once more, in plain words: our chips after one hand."""
    n, rules = len(stack), result.rules
    total, small, big = rules.total, rules.small_blind, rules.big_blind
    cards = rng.random((n, 52)).argpartition(9, axis=1)[:, :9].astype(np.uint8)
    ours = _core.evaluate_hands(np.ascontiguousarray(cards[:, :7])).astype(int)
    theirs = _core.evaluate_hands(np.ascontiguousarray(cards[:, 2:])).astype(int)
    our_hand, their_hand = kinds(cards[:, 0], cards[:, 1]), kinds(cards[:, 7], cards[:, 8])
    row, stake = stack // rules.step, np.minimum(stack, total - stack)
    showdown = stack + stake * np.sign(ours - theirs)

    def happens(chance: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        return rng.random(n) < chance

    # In the small blind.
    jam = happens(result.sb_jam[row, our_hand]) | (stake <= small)
    call = happens(result.opponent_call[row, their_hand]) | (stake <= big)
    after_sb = np.where(jam, np.where(call, showdown, stack + big), stack - small)
    # In the big blind.
    fold, limp_fold, _ = (result.opponent_play[row, their_hand, action] for action in range(3))
    draw = rng.random(n)
    folds = (draw < fold) & (stake > small)
    gives_up = ~folds & (draw < fold + limp_fold) & (stake > big)
    jam = happens(result.bb_jam[row, our_hand]) | (stake <= big)
    after_bb = np.where(folds, stack + small, np.where(jam, np.where(gives_up, stack + big, showdown), stack - big))
    return np.where(as_sb, after_sb, after_bb)


def kinds(a: npt.NDArray[np.uint8], b: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The starting hand of two cards."""
    ranks = 12 - np.stack([a, b]).astype(int) // 4
    high, low = ranks.min(axis=0), ranks.max(axis=0)
    kind: npt.NDArray[np.int64] = np.where(a % 4 == b % 4, high * 13 + low, low * 13 + high)
    return kind


# --- For people -------------------------------------------------------------------------------------------------------


def test_chart_and_what_is_said_about_it(tmp_path: Path) -> None:
    result = solved()
    chart = result.chart(4000, "sb")
    assert chart.shape == (13, 13)
    assert chart[0, 0] == chart[0, 12] == chart[12, 0] == 1  # AA, A2s, A2o
    assert chart[11, 12] == result.sb_jam[result.rules.row(4000), hand_index("32s")]
    chart[:] = 0
    assert result.chart(4000, "sb")[0, 0] == 1  # a copy
    console = Console(width=90, no_color=True)
    with console.capture() as shown:
        console.print(result.chart_table(4000, "sb"))
    assert "Small blind: jams with 71.5 % of hands" in shown.get()
    assert "52s 46" in shown.get()
    assert result.caption(4000, "bb") == "Big blind: calls a jam with 73.0 % of hands"
    result.draw(4000, tmp_path / "chart.svg")
    picture = (tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert "Jam or fold with 4,000 of 8,000 chips, blinds 300/600" in picture


@pytest.mark.parametrize("stack", [300, 400, 600, 700, 7300, 7400, 7700])
def test_blinds_that_leave_no_choice(stack: int) -> None:
    """A stack that a blind takes, ours or theirs, is all-in without a choice."""
    at_stake = min(stack, 8000 - stack)
    for seat, blind in zip(SEATS, (300, 600), strict=True):
        forced = at_stake <= blind
        assert solved().is_forced(stack, seat) == forced
        assert ("no choice" in solved().caption(stack, seat)) == forced
        assert solved().jam_frequency(stack, seat) == 1 or not forced


def test_report_is_json() -> None:
    report = json.loads(json.dumps(solved().report(4000)))
    assert report["seats"]["sb"]["lower"] == solved().lower(4000)
    assert list(report["seats"]["sb"]["mixed"]) == ["52s"]
    assert len(report["seats"]["bb"]["jam"]) == HANDS


# --- Bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"total": 8010}, "total: expected a multiple of the step of 50 chips, got 8010"),
        ({"small_blind": 0}, "small_blind: expected a positive number of chips, got 0"),
        ({"small_blind": 700}, "small_blind: expected at most the big blind of 600"),
        ({"big_blind": 600.0}, "big_blind: expected a positive number of chips, got 600.0"),
        ({"step": 0}, "step: expected a positive number of chips"),
        ({"step": True}, "step: expected a positive number of chips"),
        ({"total": 50, "step": 50}, "total: expected at least two steps"),
        ({"restricted_opponent": 1}, "restricted_opponent: expected true or false, got 1"),
    ],
)
def test_rules_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(kb.ParameterError, match=message):
        solve_jamfold(Rules(**options))


@pytest.mark.parametrize("tolerance", [0, 1, -1e-5, float("nan"), "small", True, None])
def test_tolerances_that_make_no_sense(tolerance: Any) -> None:
    with pytest.raises(kb.ParameterError, match="tolerance: expected 1e-11 to 1, got"):
        solve_jamfold(tolerance=tolerance)


def test_too_many_stacks() -> None:
    with pytest.raises(kb.LimitError, match="8000 chips in steps of 1 are 8000 stacks; the limit is 2000"):
        Rules(step=1)


@pytest.mark.parametrize("stack", [0, 8000, -100, 4050, 4000.0, "4000", True, None])
def test_stacks_that_do_not_exist(stack: Any) -> None:
    with pytest.raises(kb.ParameterError, match="stack: expected"):
        solved().chart(stack)


def test_seats_that_do_not_exist() -> None:
    with pytest.raises(kb.ParameterError, match="seat: expected sb or bb, got 'button'"):
        solved().lower(4000, "button")  # type: ignore[arg-type]


@pytest.mark.parametrize("table", [2, -0.1, float("nan"), [0.5, 0.5], "always", np.ones((3, 3, HANDS))])
def test_tables_that_are_none(table: Any) -> None:
    with pytest.raises(kb.ParameterError, match="jam"):
        solved().guarantee(table, 1)


def test_pictures_of_an_unknown_kind(tmp_path: Path) -> None:
    with pytest.raises(kb.ParameterError, match=r"expected a picture that ends in \.png, \.svg, \.pdf"):
        solved().draw(4000, tmp_path / "chart.bmp")


def test_own_tables_are_forced_where_there_is_no_choice() -> None:
    own = Stages(10, 1, 2, restricted=False).own_from(0, 0)
    assert isinstance(own, Own)
    assert own.sb[:, 0, 1].tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 1]
    assert own.bb[:, 0, 1].tolist() == [1, 1, 0, 0, 0, 0, 0, 1, 1]
