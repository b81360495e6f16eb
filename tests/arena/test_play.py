"""One game of a plan: seeds, openings, limits, and agents that fail, cheat or are late."""

from __future__ import annotations

import json
import pickle
import random
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.no_limit import NoLimit

import kiebitz as kb
from kiebitz.agents import base
from kiebitz.agents.base import Agent
from kiebitz.arena.batch import can_batch, play_batch
from kiebitz.arena.plan import Limits, Openings, Plan
from kiebitz.arena.play import Overtime, alarm, default_action, forfeit_payoffs, play
from kiebitz.arena.seatings import FORMATS, fixed_tables
from kiebitz.errors import Error, ParameterError
from kiebitz.games import registry
from kiebitz.games.registry import load_file
from kiebitz.store.rows import Row

NIM = kb.game("nim")
LEDUC = kb.game("leduc")
OWARE = kb.game("oware")
MINUTES = 600
"""Seconds that nobody waits for."""
answered: list[str] = []
"""Late agents that were waited for until they had a move."""


@pytest.fixture(autouse=True)
def agents_of_this_file() -> Iterator[None]:
    """Agents that misbehave, known here only."""
    kb.list_agents()  # loads them all
    before = dict(base._registry)

    @base.register("crashes")
    class Crashes(Agent):
        def move(self, view: kb.View) -> int:
            raise RuntimeError("out of order")

    @base.register("leaves")
    class Leaves(Agent):
        def move(self, view: kb.View) -> int:
            raise SystemExit(3)

    @base.register("illegal")
    class Illegal(Agent):
        def move(self, view: kb.View) -> int:
            return 10**6

    @base.register("silent")
    class Silent(Agent):
        def move(self, view: kb.View) -> int:
            return None  # type: ignore[return-value]

    @base.register("sleeps")
    class Sleeps(Agent):
        def move(self, view: kb.View) -> int:
            try:
                time.sleep(MINUTES)
            except Exception:  # agents that catch everything are stopped all the same
                time.sleep(MINUTES)
            answered.append(self.name)
            return view.legal()[0]

    @base.register("spins")
    class Spins(Agent):
        def move(self, view: kb.View) -> int:
            kb.agent(f"uct(seconds={MINUTES})", self.game).act(view)
            answered.append(self.name)
            return view.legal()[0]

    answered.clear()
    yield
    base._registry.clear()
    base._registry.update(before)


def timeless(row: Row) -> dict[str, Any]:
    return {**row.to_json(), "seconds": None, "slowest": None}


# --- Plans ------------------------------------------------------------------------------------------------------------


@given(players=st.integers(2, 4), agents=st.integers(2, 4), name=st.sampled_from(["round_robin", "gauntlet", "match"]))
def test_every_agent_sits_equally_often_at_every_seat(players: int, agents: int, name: str) -> None:
    agents = players if name == "match" else agents
    tables = fixed_tables(name, agents, players)
    for seat in range(players):
        counts = [sum(table[seat] == agent for table in tables) for agent in range(agents)]
        assert len(set(counts if name != "gauntlet" else counts[1:])) == 1


@pytest.mark.parametrize("name", FORMATS)
def test_numbers_name_games_and_games_of_a_deal_share_its_chance(name: str) -> None:
    agents = {"self_play": ("random",)}.get(
        name, ("random", "greedy")[:2] if name != "permutations" else ("random",) * 2
    )
    game = kb.game("kuhn") if name != "match" else LEDUC
    plan = Plan(game, tuple("random" for _ in agents), games=12, format=name, seed=3)
    plan.check()
    rows = [play(plan, number) for number in range(12)]
    for row in rows:
        assert row.seating == plan.tables(row.deal)[row.number % plan.tables_per_deal]
        assert row.deal == row.number // plan.tables_per_deal
    by_deal: dict[int, set[tuple[int, ...]]] = {}
    for row in rows:
        by_deal.setdefault(row.deal, set()).add(row.actions[:2])  # the private cards
    assert all(len(cards) == 1 for cards in by_deal.values())


def test_plans_are_plain_values_and_travel() -> None:
    plan = Plan(
        kb.game("oware", preset="abapa"),
        ("random", "uct(iterations=10)"),
        games=7,
        seed=5,
        openings=Openings(plies=4),
        limits=Limits(move_seconds=1.0),
        metrics=("oware",),
    )
    assert Plan.from_json(plan.to_json()) == plan
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert plan.with_games(9).identity == plan.identity  # more games continue the same run
    for other in (
        Plan(OWARE, plan.agents, 7, seed=5, openings=plan.openings, limits=plan.limits, metrics=plan.metrics),
        Plan(plan.game, plan.agents, 7, seed=6, openings=plan.openings, limits=plan.limits, metrics=plan.metrics),
        Plan(plan.game, plan.agents, 7, seed=5, limits=plan.limits, metrics=plan.metrics),
        Plan(plan.game, plan.agents, 7, seed=5, openings=plan.openings, metrics=plan.metrics),
    ):
        assert other.identity != plan.identity


def test_files_that_decide_what_is_played_make_another_run(tmp_path: Path) -> None:
    bot, policy, rules = tmp_path / "bot.py", tmp_path / "kuhn.npz", tmp_path / "pennies.py"
    bot.write_text("pass")
    game = kb.game("kuhn")
    kb.solve.solve(game, "cfr", iterations=2).save(policy)
    rules.write_text(Path("examples/hexapawn.py").read_text().replace('"hexapawn"', '"files_pawn"'))
    own = kb.game(load_file(rules))
    plans = [
        (Plan(game, (f'process("{sys.executable} {bot}")', "random"), 2), bot, b"pass  # better"),
        (Plan(game, (f'cheat(policy(file="{policy}"))', "random"), 2), policy, b"other"),
        (Plan(own, ("random", "random"), 2), rules, b"# other rules"),
    ]
    for plan, file, other in plans:
        before = plan.identity
        assert plan.identity == before
        file.write_bytes(other)
        assert plan.identity != before
        file.unlink()
        assert plan.identity != before


@pytest.mark.requirement("PK-51")
def test_a_file_with_a_plan_gives_the_same_games(tmp_path: Path) -> None:
    plan = Plan(LEDUC, ("pimc(uct(iterations=10), worlds=2)", "random"), games=6, seed=11)
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(plan.to_json()), encoding="utf-8")
    again = Plan.from_json(json.loads(file.read_text(encoding="utf-8")))
    assert [timeless(play(again, number)) for number in range(6)] == [timeless(play(plan, n)) for n in range(6)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"games": 0}, "games: expected 1 to"),
        ({"games": True}, "games: expected 1 to"),
        ({"agents": ("random",)}, "match: expected 2 agents, one for each of its 2 seats, got 1"),
        ({"agents": ("random",) * 3}, "match: expected 2 agents"),
        ({"format": "knockout"}, "format: expected one of match"),
        ({"format": "self_play"}, "self_play: expected 1 agent, got 2"),
        ({"format": "round_robin", "agents": ("random",)}, "round_robin: expected at least two agents"),
        ({"per_deal": 3}, "per_deal: expected a positive number, and only with constellations"),
        ({"limits": Limits(move_seconds=0.0)}, "move_seconds: expected seconds above 0"),
        ({"limits": Limits(game_seconds=float("nan"))}, "game_seconds: expected seconds above 0"),
        ({"openings": Openings(plies=-1)}, "opening: expected 0 to 1000 random plies"),
        ({"openings": Openings(plies=1, lines=(("a",),))}, "opening: expected random plies or given lines"),
        ({"openings": Openings(lines=(("x9",),))}, "opening 1 .x9.: 'x9' names no legal action"),
        ({"metrics": ("fun",)}, "metric: expected"),
        ({"agents": ("random", "nobody")}, "there is no agent 'nobody'"),
        ({"agents": ("random", "uct(iterations=-1)")}, "iterations"),
    ],
)
def test_plans_that_cannot_be_played_are_refused_before_the_first_game(change: dict[str, Any], message: str) -> None:
    values: dict[str, Any] = {"agents": ("random", "random"), "games": 4, **change}
    with pytest.raises(Error, match=message):
        Plan(OWARE, **values).check()


# --- Openings ---------------------------------------------------------------------------------------------------------


def test_openings_vary_games_of_agents_that_leave_nothing_to_chance() -> None:
    agents = ("alphabeta(depth=1)", "alphabeta(depth=2)")
    plain = Plan(OWARE, agents, games=8)
    assert len({play(plain, number).actions for number in range(8)}) == 2  # one for each order of seats
    opened = Plan(OWARE, agents, games=8, openings=Openings(plies=4))
    rows = [play(opened, number) for number in range(8)]
    starts = {row.deal: set() for row in rows}  # type: dict[int, set[tuple[int, ...]]]
    for row in rows:
        starts[row.deal].add(row.actions[:4])
    assert all(len(lines) == 1 for lines in starts.values())  # both orders of seats get the same opening
    assert len({line for lines in starts.values() for line in lines}) == 4
    assert all(row.plies == len(row.actions) - 4 for row in rows)


def test_given_openings_take_turns() -> None:
    plan = Plan(OWARE, ("random", "random"), games=6, openings=Openings(lines=(("A",), ("B",))))
    assert [play(plan, number).actions[0] for number in range(6)] == [0, 0, 1, 1, 0, 0]


def test_an_opening_that_ends_the_game_is_refused() -> None:
    with pytest.raises(ParameterError, match="random plies end the game"):
        play(Plan(kb.game("nim", heaps=[1]), ("random", "random"), games=1, openings=Openings(plies=1)), 0)


# --- Agents that fail -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("crashes", "RuntimeError: out of order"),
        ("leaves", "SystemExit: 3"),
        ("silent", "played None, which is not legal"),
        ("illegal", "played 1000000, which is not legal"),
    ],
)
def test_a_failure_is_a_forfeit(agent: str, words: str) -> None:
    plan = Plan(LEDUC, (agent, "random"), games=2)
    row = play(plan, 0)
    ((seat, kind, reason),) = row.events
    assert (seat, kind) == (0, "forfeit")
    assert reason.endswith(words)
    assert row.payoffs == (-13.0, 13.0)
    assert play(plan, 1).payoffs == (13.0, -13.0)


def test_forfeits_keep_sums() -> None:
    for name in ("leduc", "doppelkopf", "oware", "kuhn"):
        info = kb.game(name).info
        for seat in range(info.players):
            payoffs = forfeit_payoffs(info, seat)
            assert payoffs[seat] == info.min_payoff == min(payoffs)
            if info.utility in ("zero_sum", "constant_sum"):
                assert sum(payoffs) == pytest.approx(info.payoff_sum)


@pytest.mark.parametrize("agent", ["sleeps", "spins"])
def test_a_late_agent_gets_a_legal_default_and_the_event_is_counted(agent: str) -> None:
    game = NIM if agent == "spins" else LEDUC
    plan = Plan(game, (agent, "random"), games=2, limits=Limits(move_seconds=0.5))
    row = play(plan, 0)
    kinds = {kind for _, kind, _ in row.events}
    assert kinds == {"timeout"}
    assert len(row.events) == row.moves[0]
    assert all(seat == 0 for seat, _, _ in row.events)
    assert answered == []


def test_starting_up_is_not_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[float | None] = []
    clock = [0.0]
    monkeypatch.setattr("kiebitz.arena.play.time", SimpleNamespace(perf_counter=lambda: clock[0]))

    @base.register("starts_slowly")
    class StartsSlowly(Agent):
        def prepare(self, seconds: float | None = None) -> None:
            clock[0] += 2 * MINUTES
            prepared.append(seconds)

        def move(self, view: kb.View) -> int:
            return view.legal()[0]

    row = play(Plan(NIM, ("starts_slowly", "random"), games=2, limits=Limits(move_seconds=MINUTES)), 0)
    assert row.events == ()
    assert row.seconds[0] == 0.0
    assert prepared == [MINUTES] * row.moves[0]


def test_the_time_of_a_game_runs_out() -> None:
    plan = Plan(kb.game("oware"), ("uct(seconds=1)", "random"), games=2, limits=Limits(game_seconds=1.5))
    row = play(plan, 0)
    late = [seat for seat, kind, _ in row.events if kind == "timeout"]
    assert set(late) == {0}
    assert len(late) > row.moves[0] // 2  # an agent without time left is not asked again


@pytest.mark.requirement("PK-52")
def test_the_default_is_to_check_or_call() -> None:
    state = LEDUC.new(seed=1)
    state.apply(state.parse("raise"))
    assert state.name(default_action(state)) == "call"


def test_a_late_agent_does_not_call_any_bet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._python_games, "any_bet", NoLimit)
    state = kb.game("any_bet", stack=100).new()
    assert state.kind(default_action(state)) == "fold"
    state.apply(state.legal()[-1])
    assert [state.kind(action) for action in state.legal()] == ["fold", "call"]
    assert state.kind(default_action(state)) == "fold"


@pytest.mark.parametrize("name", kb._core.game_names())
def test_the_defaults_of_the_games_that_ship(name: str) -> None:
    """A check, call or pass where there is one, else the first action."""
    game, rng = kb.game(name), random.Random(1)
    compared = 0
    for seed in range(20):
        state = game.new(seed=seed)
        while state.player >= 0:
            legal = state.legal()
            passive = [action for action in legal if state.kind(action) in ("check", "call", "pass")]
            assert default_action(state) == (passive or legal)[0]
            compared += 1
            state.apply(rng.choice(legal))
    assert compared >= 20


def test_an_alarm_that_a_finalizer_swallowed_rings_again(monkeypatch: pytest.MonkeyPatch) -> None:
    swallowed: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", lambda error: swallowed.append(error.exc_type))
    monkeypatch.setattr("kiebitz.arena.play.RING_AGAIN", 0.05)

    class Late:
        def __del__(self) -> None:
            while True:
                pass

    def wait() -> None:
        Late()
        assert swallowed == [Overtime]
        end = time.monotonic() + 60
        while time.monotonic() < end:
            pass

    with pytest.raises(Overtime), alarm(0.05):
        wait()


def test_the_alarm_is_quiet_after_its_time() -> None:
    with pytest.raises(Overtime), alarm(0.01):
        time.sleep(MINUTES)
    with alarm(MINUTES):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0  # nothing will ring


# --- Batches ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in kb.list_games() if name != "tree"])
@settings(max_examples=3)
@given(seed=st.integers(0, 2**40))
def test_batches_are_the_same_games(name: str, seed: int) -> None:
    game = kb.game(name)
    metrics = ("oware", "moves") if name == "oware" else ("moves",)
    plan = Plan(game, ("random",) * game.info.players, games=5, seed=seed, metrics=metrics)
    assert can_batch(plan)
    batch = [timeless(row) for row in play_batch(plan, range(5))]
    assert batch == [timeless(play(plan, number)) for number in range(5)]


def test_plans_that_cannot_be_batched_are_not() -> None:
    for plan in (
        Plan(OWARE, ("random", "greedy"), games=1),
        Plan(OWARE, ("random", "random"), games=1, openings=Openings(plies=2)),
        Plan(OWARE, ("random", "random"), games=1, limits=Limits(move_seconds=1)),
        Plan(kb.game("doppelkopf"), ("random(calls=false)",) * 4, games=1),
        Plan(LEDUC, ("random", "random"), games=1, metrics=("leduc",)),
    ):
        assert not can_batch(plan)


def test_a_batch_wants_a_seed_for_every_seat() -> None:
    with pytest.raises(ParameterError, match="seeds: expected 4, one for each seat of each game, got 3"):
        OWARE.random_games([1, 2], [1, 2, 3])
