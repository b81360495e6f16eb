"""Matches, comparisons and tournaments: seats, shared deals, reproducibility, stores, interruption, mistakes."""

from __future__ import annotations

import json
import multiprocessing
import signal
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz import records
from kiebitz.arena import Openings, Result, Row, Store, compare, entries, match, tournament
from kiebitz.arena.plan import Plan
from kiebitz.arena.run import _undisturbed, run
from kiebitz.arena.seatings import constellations, drawn_tables, two_against_two
from kiebitz.arena.sprt import Sprt, SprtBounds
from kiebitz.arena.workers import ClusterError
from kiebitz.errors import Error, ParameterError, UnsuitableGame
from kiebitz.spec import SpecError
from kiebitz.store.database import StoreError

KUHN = kb.game("kuhn", players=4)
CHEAT = "cheat(uct(iterations=10))"
CHANCE = (f"{__name__}:chance_of",)


def chance_of(state: kb.State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """The cards dealt, who acted, and who got more than nothing."""
    return {
        "cards": str(state.history[:4]),
        "seats": str([seat for seat, _ in moves]),
        "gain": [value > 0 for value in state.returns()],
    }


def broken(state: kb.State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """A metric that fails."""
    return {"share": len(moves) / (len(state.returns()) - 4)}


def timeless(rows: Sequence[Row]) -> list[dict[str, Any]]:
    return [{**row.to_json(), "seconds": None, "slowest": None, "actions": None} for row in rows]


def without_times(result: Result) -> dict[str, Any]:
    data = result.to_dict()
    for name in ("seconds", "games_per_second"):
        del data[name]
    for agent in data["agents"]:
        for name in ("seconds", "seconds_per_move", "iterations_per_second", "slowest_move"):
            agent.pop(name, None)
    return data


# --- Seatings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4, 6, 10])
def test_two_against_two_gives_every_seat_to_both_equally_often(players: int) -> None:
    seatings = two_against_two(players)
    assert len(set(seatings)) == len(seatings)
    for seat in range(players):
        assert 2 * sum(seating[seat] for seating in seatings) == len(seatings)
    assert all(2 * sum(seating) == players for seating in seatings)


@pytest.mark.requirement("DK-70")
@pytest.mark.parametrize("agents", [2, 3, 4, 5, 6])
def test_constellations_treat_all_agents_alike(agents: int) -> None:
    tables = constellations(agents)
    counts = Counter(agent for table in tables for agent in table)
    assert len(counts) == agents
    assert len(set(counts.values())) == 1
    assert all(len(set(table)) >= 2 for table in tables)
    assert len(set(tables)) == len(tables)


@pytest.mark.requirement("DK-70")
def test_deals_take_turns_through_all_constellations() -> None:
    seen = Counter(tuple(sorted(table)) for deal in range(10) for table in drawn_tables(5, 4, 3, deal, 13))
    assert seen == dict.fromkeys(constellations(5), 2)


@pytest.mark.requirement("DK-70")
def test_seats_of_constellations_are_drawn_at_random_and_reproducibly() -> None:
    singles = Counter(drawn_tables(2, 4, 3, deal, None)[0].index(1) for deal in range(400))
    assert drawn_tables(2, 4, 3, 7, None) == drawn_tables(2, 4, 3, 7, None)
    assert sorted(singles) == [0, 1, 2, 3]
    assert min(singles.values()) > 70  # 100 expected, standard deviation 8.7


# --- Games ------------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("OW-53")
@pytest.mark.parametrize("game", ["tic_tac_toe", "oware", "leduc", "liars_dice", "rock_paper_scissors"])
def test_a_match_is_reproducible_from_its_seed(game: str) -> None:
    specs = ["random", "cheat(flat_mc(iterations=20))"]
    first, again, other = (match(kb.game(game), specs, games=12, seed=seed) for seed in (4, 4, 5))
    assert without_times(first) == without_times(again)
    assert timeless(first.rows) == timeless(again.rows)
    assert timeless(first.rows) != timeless(other.rows)


@pytest.mark.requirement("OW-53")
def test_deterministic_pairs_give_identical_games(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    result = match(kb.game("oware"), ["minimax(2)", "alphabeta(depth=3)"], games=12, seed=1, record=path)
    games = [record.actions for record in records.load(path)]
    assert games[::2] == games[:1] * 6
    assert games[1::2] == games[1:2] * 6
    assert result.repeated(0, 1)
    assert result.difference().high is None  # one deal, however often it was played
    assert "the same games over and over: equal" in result.verdict()
    opened = match(kb.game("oware"), ["minimax(2)", "alphabeta(depth=3)"], games=12, openings=Openings(plies=3))
    assert not opened.repeated(0, 1)


def test_a_few_games_that_look_alike_are_not_taken_for_one() -> None:
    rows = [Row(n, n // 2, (n % 2, 1 - n % 2), (1.0, -1.0), 5, 35, (3, 2), (0.0, 0.0), (0.0, 0.0)) for n in range(12)]
    rows = [row if row.number % 2 == 0 else replace(row, payoffs=(-1.0, 1.0)) for row in rows]
    assert kb.arena.Summary(rows, ["a", "b"]).repeated(0, 1)
    few = kb.arena.Summary(rows[:10], ["a", "b"])
    assert not few.repeated(0, 1)
    assert few.verdict().startswith("no difference shown")  # five deals of one mind are not enough


def test_a_pair_that_repeats_itself_proves_nothing_even_beside_others() -> None:
    specs = ["alphabeta(depth=2)", "alphabeta(depth=3)", "random"]
    result = tournament(kb.game("oware"), specs, deals=8, seed=1, workers=1)
    assert result.repeated(0, 1)
    assert not result.repeated(1, 2)
    said = {(a, b): words for a, b, words in result.verdicts()}
    assert "p " not in said[0, 1]
    assert "p " in said[1, 2]
    assert any("try --opening" in words for words in result.remarks())


def test_seats_are_rotated_and_a_deal_is_shared(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    game = kb.game("kuhn", players=3)
    match(game, ["random", "cheat(random)", "cheat(uct(iterations=20))"], games=6, seed=1, record=path)
    played = list(records.load(path))
    assert [record.seats.index("random") for record in played] == [0, 1, 2, 0, 1, 2]
    deals = [record.actions[:3] for record in played]
    assert deals[0] == deals[1] == deals[2]
    assert deals[3] == deals[4] == deals[5]
    assert {record.seed for record in played[:3]} != {record.seed for record in played[3:]}


def test_a_series_deals_anew_each_game_moves_the_seats_on_and_keeps_score(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    game = kb.game("kuhn", players=3)
    specs = ["random", "cheat(random)", "cheat(uct(iterations=20))"]
    result = match(game, specs, games=7, seed=1, format="series", record=path)
    played = list(records.load(path))
    assert [record.seats.index("random") for record in played] == [0, 1, 2, 0, 1, 2, 0]
    assert len({record.seed for record in played}) == result.deals == 7
    running = result.to_dict()["running"]
    for agent, spec in enumerate(specs):
        won = [records.replay(record).returns()[record.seats.index(spec)] for record in played]
        assert running[agent] == pytest.approx([sum(won[: n + 1]) for n in range(7)])


def test_fewer_games_than_planned_do_not_finish_a_run(tmp_path: Path) -> None:
    game, specs = kb.game("nim"), ["nim_perfect", "random"]
    with Store.open(tmp_path / "results.db") as store:

        def stop_after_ten(done: int, _: int) -> None:
            if done >= 10:
                raise KeyboardInterrupt

        first = match(game, specs, games=2000, store=store, progress=stop_after_ten)
        run = first.run.id
        assert run is not None
        info = store.run(run)
        assert first.interrupted
        assert info.finished is None
        assert info.seconds == pytest.approx(first.run.seconds)
        match(game, specs, games=2, store=store)
        info = store.run(run)
        assert (info.planned, info.finished) == (2000, None)
        assert info.seconds > first.run.seconds
        match(game, specs, games=2000, store=store)
        assert store.run(run).finished is not None


@pytest.mark.parametrize("workers", [1, 2])
def test_the_verdict_of_a_sequential_test_is_kept_with_its_games(tmp_path: Path, workers: int) -> None:
    game, specs = kb.game("nim"), ["nim_perfect", "random"]
    with Store.open(tmp_path / "results.db") as store:
        test = Sprt(SprtBounds(0.0, 1.0))
        result = match(game, specs, games=5000, store=store, workers=workers, stopping=test)
        assert result.run.id is not None
        info = store.run(result.run.id)
        assert info.finished is not None
        assert info.counted == result.games == 64
        assert info.test is not None
        assert info.test["words"] == test.words()
        assert len(list(store.rows(info.id, below=info.counted))) == 64
        entry = entries.from_store(store, info.id)
        assert entry.summary.games == 64
        assert entry.test == test.words()
        match(game, specs, games=100, store=store)  # without a test all of them count
        assert store.run(info.id).counted is None


def test_a_refused_match_leaves_no_trace_in_the_store(tmp_path: Path) -> None:
    game, specs = kb.game("nim"), ["nim_perfect", "random"]
    with Store.open(tmp_path / "results.db") as store:
        match(game, specs, games=2, store=store)
        before = store.runs()
        with pytest.raises(ParameterError, match="workers: expected 1 to"):
            match(game, specs, games=3000, store=store, workers=3000)
        with pytest.raises(ClusterError):
            match(game, specs, games=3000, store=store, cluster="127.0.0.1:1")
        assert store.runs() == before


def test_a_cluster_is_left_if_the_run_cannot_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    class Cluster:
        size = 1

        def __init__(self, plan: Plan, address: str) -> None:
            self.address = address

        def close(self) -> None:
            closed.append(self.address)

    def full(*_: Any) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr("kiebitz.arena.workers._RayPool", Cluster)
    monkeypatch.setattr(Store, "begin", full)
    with pytest.raises(StoreError, match="the disk is full"):
        match(kb.game("nim"), ["random", "greedy"], games=4, store=str(tmp_path / "results.db"), cluster="here")
    assert closed == ["here"]


@pytest.mark.requirement("PK-4")
def test_the_same_seed_gives_an_identical_log(tmp_path: Path) -> None:
    """Six thousand hands, the length of the match, are one run; here a tenth of it."""
    texts = []
    for name in ("one", "two"):
        path = tmp_path / name
        result = match(kb.game("leduc"), ["random", "cheat(random)"], games=600, seed=9, record=path)
        texts.append(path.read_bytes())
        bankroll = result.bankroll(0)
        assert bankroll[-1] == pytest.approx(sum(row.payoffs[row.seating.index(0)] for row in result.rows))
        assert result.milli_bets(0) is not None
    assert texts[0] == texts[1]


@pytest.mark.requirement("PK-5")
def test_an_agent_against_its_copy_scores_exactly_0() -> None:
    for spec in ("random", "pimc(uct(iterations=10), worlds=2)"):
        result = match(kb.game("leduc"), [spec, spec], games=40, seed=3)
        assert result.payoff(0).value == 0
        assert result.difference().high == 0
        assert len({row.payoffs for row in result.rows}) > 3


@pytest.mark.requirement("PK-5")
def test_duplicate_deals_have_less_spread_than_plain_play() -> None:
    """The same hands with the same agents: counted by deal, and as if every game were a deal of its own."""
    result = match(kb.game("leduc"), ["cheat(uct(iterations=60))", "random"], games=600, seed=5)
    duplicate = result.difference()
    plain = kb.arena.Summary(
        [Row.from_json({**row.to_json(), "deal": row.number}) for row in result.rows], result.specs
    ).difference()
    assert duplicate.value == pytest.approx(plain.value)
    assert duplicate.high is not None
    assert plain.high is not None
    assert duplicate.high - duplicate.value < plain.high - plain.value


@pytest.mark.requirement("DK-70")
@pytest.mark.parametrize("seatings", ["two_against_two", "constellations"])
def test_points_of_all_agents_weighted_by_seats_add_up_to_0(seatings: str) -> None:
    result = compare(KUHN, ["random", CHEAT], deals=6, seed=2, seatings=seatings, workers=1)
    counts = Counter(agent for row in result.rows for agent in row.seating)
    assert counts[0] == counts[1] == 2 * len(result.rows)
    assert result.payoff(0).value == pytest.approx(-result.payoff(1).value)


@pytest.mark.requirement("DK-70")
def test_all_seatings_of_a_deal_share_its_cards() -> None:
    result = compare(KUHN, ["random", CHEAT], deals=8, seed=2, metrics=CHANCE, workers=1)
    cards = {(row.deal, row.metrics["cards"]) for row in result.rows}
    assert len(cards) == 8
    assert len({text for _, text in cards}) > 1


@pytest.mark.requirement("DK-70")
def test_two_comparisons_with_one_seed_share_their_deals() -> None:
    results = [
        compare(KUHN, [spec, "random"], deals=5, seed=2, metrics=CHANCE, workers=1) for spec in ("random", CHEAT)
    ]
    first, second = ([row.metrics["cards"] for row in result.rows] for result in results)
    assert first == second


def test_forced_moves_are_played_without_asking() -> None:
    row = match(kb.game("nim", heaps=[1, 1]), ["uct(iterations=5)"] * 2, games=1).rows[0]
    assert (row.plies, row.choices, row.moves, row.seconds) == (2, 3, (1, 0), (row.seconds[0], 0.0))


def test_a_tournament_ranks_its_agents() -> None:
    agents = ["random", "uct(iterations=20)", "uct(iterations=200)"]
    result = tournament(kb.game("tic_tac_toe"), agents, deals=20, seed=1, workers=1)
    assert len(result.rows) == 20 * 3 * 2
    by_agent = {rating.agent: rating.value for rating in result.ratings}
    assert by_agent[2] > by_agent[1] > by_agent[0]
    assert result.crosstable[1, 0].games == 40
    gauntlet = tournament(kb.game("tic_tac_toe"), agents, deals=2, seed=1, format="gauntlet", workers=1)
    assert (1, 2) not in {tuple(sorted(set(row.seating))) for row in gauntlet.rows}


def test_cheats_are_marked() -> None:
    result = match(kb.game("kuhn"), ["cheat(uct(iterations=200))", "random"], games=200, seed=1)
    assert result.cheats == (True, False)
    assert [agent["cheats"] for agent in result.to_dict()["agents"]] == [True, False]
    low = result.payoff(0).low
    assert low is not None
    assert low > 0


@pytest.mark.requirement("OW-9")
def test_guarded_games_are_counted() -> None:
    cut_short = match(kb.game("oware", max_plies=5), ["random", "random"], games=10, seed=1)
    assert cut_short.guarded == 10
    assert cut_short.plies()[0].value == 5
    assert match(kb.game("oware"), ["random", "random"], games=10, seed=1).guarded == 0
    assert match(kb.game("nim"), ["random", "random"], games=2).guarded is None


def test_the_result_is_plain_json() -> None:
    result = match(kb.game("oware", preset="abapa"), ["random", "greedy"], games=1)
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert data["game"] == {"name": "oware", "preset": "abapa"}
    assert data["agents"][0]["payoff"]["low"] is None  # one game has no interval


def test_records_of_a_match_replay(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    result = match(kb.game("leduc"), ["random", "cheat(random)"], games=20, seed=3, record=path)
    total = 0.0
    for record in records.load(path):
        total += records.replay(record).returns()[record.seats.index("random")]
    assert total / 20 == pytest.approx(result.payoff(0).value)


# --- Workers, stores, interruption ------------------------------------------------------------------------------------


@pytest.mark.requirement("DK-81")
def test_rows_do_not_depend_on_the_number_of_workers() -> None:
    options: dict[str, Any] = {"deals": 5, "seed": 9, "metrics": CHANCE}
    one, two = (compare(KUHN, ["random", CHEAT], workers=workers, **options) for workers in (1, 2))
    assert timeless(one.rows) == timeless(two.rows)
    assert (one.run.workers, two.run.workers) == (1, 2)
    other = compare(KUHN, ["random", CHEAT], workers=1, **{**options, "seed": 10})
    assert timeless(one.rows) != timeless(other.rows)


def test_a_second_ctrl_c_ends_it_at_once() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    reached = []

    def press() -> None:
        for time in range(3):
            signal.raise_signal(signal.SIGINT)
            reached.append(time)

    try:
        with pytest.raises(KeyboardInterrupt), _undisturbed():
            press()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert reached == [0]


def test_an_interruption_while_games_are_stored_keeps_them_everywhere(tmp_path: Path) -> None:
    """Or a run that goes on later would leave them out."""
    kept: list[int] = []

    def keep(rows: list[Row]) -> None:
        if len(kept) < 20 <= len(kept) + len(rows):
            signal.raise_signal(signal.SIGINT)
        kept.extend(row.number for row in rows)

    plan = Plan(kb.game("nim"), ("random", "greedy"), games=100, seed=1)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background ignore Ctrl-C
    with Store.open(tmp_path / "results.db") as store:
        try:
            part = run(plan, store=store, workers=1, keep=keep)
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        finally:
            signal.signal(signal.SIGINT, before)
        assert part.interrupted
        assert 20 <= len(kept) < 100
        assert part.id is not None
        assert store.numbers(part.id) == set(kept) == {row.number for row in part.rows}
        assert not run(plan, store=store, workers=1, keep=keep).interrupted
    assert sorted(kept) == list(range(100))


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_run_goes_on_from_the_store(tmp_path: Path, workers: int) -> None:
    path = tmp_path / "games.sqlite"
    options: dict[str, Any] = {"seed": 4, "metrics": CHANCE, "store": path}

    def stop(done: int, _: int) -> None:
        if done >= 18:
            raise KeyboardInterrupt

    part = compare(KUHN, ["random", CHEAT], deals=8, workers=workers, progress=stop, **options)
    assert part.interrupted
    assert 18 <= len(part.rows) < 48
    assert not multiprocessing.active_children()
    full = compare(KUHN, ["random", CHEAT], deals=8, workers=1, **options)
    assert (full.run.resumed, full.deals, full.interrupted) == (len(part.rows), 8, False)
    fresh = compare(KUHN, ["random", CHEAT], deals=8, workers=1, seed=4, metrics=CHANCE)
    assert timeless(full.rows) == timeless(fresh.rows)
    again = compare(KUHN, ["random", CHEAT], deals=8, workers=1, **options)
    assert again.run.resumed == 48
    assert again.rows == full.rows
    fewer = compare(KUHN, ["random", CHEAT], deals=2, workers=1, **options)
    assert fewer.deals == 2
    more = compare(KUHN, ["random", CHEAT], deals=9, workers=1, **options)
    assert (more.run.resumed, more.deals) == (48, 9)
    with Store.open(path) as store:
        assert [run.done for run in store.runs()] == [54]


def test_other_seeds_agents_and_rules_are_other_runs(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    for specs, seed in ((["random", CHEAT], 4), (["random", CHEAT], 5), ([CHEAT, "random"], 4)):
        assert compare(KUHN, specs, deals=1, seed=seed, store=path, workers=1).run.resumed == 0
    with Store.open(path) as store:
        assert len(store.runs()) == 3


def test_progress_sees_all_games_and_ctrl_c_returns_what_there_is() -> None:
    seen: list[int] = []

    def interrupt(done: int, planned: int) -> None:
        assert planned == 10_000
        seen.append(done)
        if done >= 3:
            raise KeyboardInterrupt

    result = match(kb.game("nim"), ["random", "greedy"], games=10_000, progress=interrupt)
    assert seen == sorted(seen)
    assert result.interrupted
    assert result.games == seen[-1]
    assert result.to_dict()["interrupted"]


def test_an_error_in_a_worker_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        compare(KUHN, ["random", CHEAT], deals=3, metrics=[f"{__name__}:broken"], workers=2)
    assert not multiprocessing.active_children()


# --- Mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("specs", "options", "error"),
    [
        (["random"], {}, "expected 2 agents, got 1"),
        (["random"] * 2, {"seatings": "self_play"}, "expected 1 agent, got 2"),
        (["random"], {"seatings": "constellations"}, "at least two"),
        (["random"] * 2, {"seatings": "circle"}, "format: expected one of match"),
        (["random"] * 2, {"deals": 0}, "deals: expected a whole number from 1 up"),
        (["random"] * 2, {"deals": True}, "deals: expected a whole number from 1 up"),
        (["random"] * 2, {"workers": 0}, "workers: expected 1 to"),
        (["random"] * 2, {"per_deal": 3}, "only with constellations"),
        (["random", "uct"], {}, "cheat"),
        (["random", "nobody"], {}, "no agent 'nobody'"),
    ],
)
def test_agents_that_cannot_be_compared_are_refused(specs: list[str], options: dict[str, Any], error: str) -> None:
    with pytest.raises(Error, match=error):
        compare(KUHN, specs, **options)


def test_half_of_an_odd_table_is_refused() -> None:
    with pytest.raises(ParameterError, match="even number of players, got 3"):
        compare(kb.game("kuhn", players=3), ["random", "random"])


@pytest.mark.parametrize("games", [0, -1, 10**12, True, 1.5])
def test_absurd_numbers_of_games_are_refused(games: Any) -> None:
    with pytest.raises(ParameterError, match="games: expected 1 to"):
        match(kb.game("nim"), ["random", "random"], games=games)


@pytest.mark.parametrize(
    ("specs", "error", "message"),
    [
        (["random"], ParameterError, "expected 2 agents, one for each of its 2 seats, got 1"),
        (["random"] * 3, ParameterError, "got 3"),
        (["random", "uct"], UnsuitableGame, "cheat(uct(...))"),
        (["random", "uct("], SpecError, "expected a value"),
    ],
)
def test_agents_that_cannot_play_are_refused_before_the_first_game(
    specs: list[str], error: type[Error], message: str
) -> None:
    with pytest.raises(error) as caught:
        match(kb.game("kuhn"), specs, games=2)
    assert message in str(caught.value)
