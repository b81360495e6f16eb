"""Matches: rotation of seats, reproducibility, counting, records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz import records
from kiebitz.arena.match import Result, seat_of
from kiebitz.errors import Error, ParameterError, UnsuitableGame
from kiebitz.spec import SpecError


def without_times(result: Result) -> dict[str, Any]:
    data = result.to_dict()
    del data["seconds"]
    for agent in data["agents"]:
        del agent["seconds_per_move"], agent["slowest_move"]
    return data


@pytest.mark.parametrize("game", ["tic_tac_toe", "oware", "leduc", "liars_dice", "rock_paper_scissors"])
def test_ow_53_a_match_is_reproducible_from_its_seed(game: str) -> None:
    specs = ["random", "cheat(flat_mc(iterations=20))"]
    first, again, other = (kb.arena.match(kb.game(game), specs, games=12, seed=seed) for seed in (4, 4, 5))
    assert without_times(first) == without_times(again)
    assert without_times(first) != without_times(other)


def test_ow_53_deterministic_pairs_give_identical_games(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    kb.arena.match(kb.game("oware"), ["minimax(2)", "alphabeta(depth=3)"], games=6, seed=1, record=path)
    games = [record.actions for record in records.load(path)]
    assert games[0] == games[2] == games[4]
    assert games[1] == games[3] == games[5]


def test_seats_are_rotated_and_a_block_shares_its_deal(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    game = kb.game("kuhn", players=3)
    kb.arena.match(game, ["random", "cheat(random)", "cheat(uct(iterations=20))"], games=6, seed=1, record=path)
    played = list(records.load(path))
    first_seats = [record.seats.index("random") for record in played]
    assert first_seats == [0, 1, 2, 0, 1, 2] == [seat_of(0, number, 3) for number in range(6)]
    deals = [record.actions[:3] for record in played]
    assert deals[0] == deals[1] == deals[2]
    assert deals[3] == deals[4] == deals[5]
    assert {record.seed for record in played[:3]} != {record.seed for record in played[3:]}


def test_new_games_are_new() -> None:
    """Agents are pure functions of seed and view, so every game needs its own seeds."""
    result = kb.arena.match(kb.game("tic_tac_toe"), ["random", "random"], games=40, seed=1)
    score = result.scores[0]
    assert min(score.wins, score.losses, score.draws) > 0


def test_counts_and_payoffs_add_up() -> None:
    result = kb.arena.match(kb.game("tic_tac_toe"), ["uct(iterations=50)", "random"], games=31, seed=2)
    one, two = result.scores
    assert result.games == one.games == two.games == 31
    assert (one.wins, one.draws, one.losses) == (two.losses, two.draws, two.wins)
    assert one.payoff.value == pytest.approx(-two.payoff.value)
    assert one.payoff.value == pytest.approx((one.wins - one.losses) / 31)
    assert one.moves + two.moves == result.plies
    assert result.mean_plies == result.plies / 31
    assert one.payoff.low is not None
    assert one.payoff.low < one.payoff.value < (one.payoff.high or 0)
    assert one.slowest >= one.seconds / one.moves > 0


def test_nim_perfect_wins_from_both_seats() -> None:
    game = kb.game("nim", heaps=[3, 5, 8])
    result = kb.arena.match(game, ["nim_perfect", "uct(iterations=20)"], games=40, seed=1)
    assert result.scores[0].win_rate.value > 0.8


def test_cheats_are_marked() -> None:
    result = kb.arena.match(kb.game("kuhn"), ["cheat(uct(iterations=200))", "random"], games=200, seed=1)
    assert [score.cheats for score in result.scores] == [True, False]
    assert [agent["cheats"] for agent in result.to_dict()["agents"]] == [True, False]
    low = result.scores[0].payoff.low
    assert low is not None
    assert low > 0


def test_ow_9_guarded_games_are_counted() -> None:
    cut_short = kb.arena.match(kb.game("oware", max_plies=5), ["random", "random"], games=10, seed=1)
    assert cut_short.guarded == 10
    assert cut_short.mean_plies == 5
    assert kb.arena.match(kb.game("oware"), ["random", "random"], games=10, seed=1).guarded == 0
    assert kb.arena.match(kb.game("nim"), ["random", "random"], games=2).guarded is None


def test_the_result_is_plain_json() -> None:
    result = kb.arena.match(kb.game("oware", preset="abapa"), ["random", "greedy"], games=1)
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert data["game"] == {"name": "oware", "preset": "abapa"}
    assert data["agents"][0]["payoff"]["low"] is None  # one game has no interval


def test_progress_sees_every_game_and_ctrl_c_returns_what_there_is() -> None:
    seen: list[int] = []

    def interrupt(result: Result) -> None:
        seen.append(result.games)
        if result.games == 3:
            raise KeyboardInterrupt

    result = kb.arena.match(kb.game("nim"), ["random", "random"], games=10, progress=interrupt)
    assert seen == [1, 2, 3]
    assert result.interrupted
    assert result.games == result.scores[0].games == 3
    assert result.to_dict()["interrupted"]


def test_records_of_a_match_replay(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    result = kb.arena.match(kb.game("leduc"), ["random", "random"], games=20, seed=3, record=path)
    total = 0.0
    for number, record in enumerate(records.load(path)):
        total += records.replay(record).returns()[seat_of(0, number, 2)]
    assert total / 20 == pytest.approx(result.scores[0].payoff.value)


@pytest.mark.parametrize("games", [0, -1, 10**12, True, 1.5])
def test_absurd_numbers_of_games_are_refused(games: int) -> None:
    with pytest.raises(ParameterError, match="games: expected 1 to"):
        kb.arena.match(kb.game("nim"), ["random", "random"], games=games)


@pytest.mark.parametrize(
    ("specs", "error", "message"),
    [
        (["random"], ParameterError, "expected 2 agents for kuhn, got 1"),
        (["random"] * 3, ParameterError, "got 3"),
        (["random", "uct"], UnsuitableGame, "cheat(uct(...))"),
        (["random", "uct("], SpecError, "expected a value"),
    ],
)
def test_what_cannot_play_is_refused_before_the_first_game(specs: list[str], error: type[Error], message: str) -> None:
    with pytest.raises(error) as caught:
        kb.arena.match(kb.game("kuhn"), specs, games=2)
    assert message in str(caught.value)
