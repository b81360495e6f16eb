"""oware_master: perfect where the table is exact, at least as good as plain alpha-beta elsewhere, and well-behaved."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz._core import OwareProver
from kiebitz.errors import UnsuitableGame
from kiebitz.games.oware import endgame as oware_table
from kiebitz.games.oware.endgame import endgame


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of these tests stay out of the user's folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def ending(game: kb.Game, rng: random.Random, seeds: int, early: bool = False) -> kb.State | None:
    """A random position with ``seeds`` seeds in play, the rest shared about equally; None if it is over.

    Early: as if few seeds had been in the game, so that no majority is near.
    """
    pits = [0] * 12
    for _ in range(seeds):
        pits[rng.randrange(12)] += 1
    total = 12 * game.params["seeds"]
    first = (total - seeds) // 2 + rng.randint(-2, 2)
    captured = [rng.randint(0, 3), rng.randint(0, 3)] if early else [first, total - seeds - first]
    try:
        return game.load({"pits": pits, "captured": captured, "player": rng.randrange(2)})
    except kb.PositionError:
        return None


def play(state: kb.State, agents: list[kb.Agent]) -> list[float]:
    while state.player != kb.TERMINAL:
        state.apply(agents[state.player].act(state.view(state.player)))
    return list(state.returns())


@pytest.mark.parametrize("preset", ["thesis", "abapa"])
@pytest.mark.parametrize("other", ["random", "alphabeta(depth=6)"])
def test_it_never_gives_away_what_the_table_promises(preset: str, other: str) -> None:
    game = kb.game("oware", preset=preset)
    table = oware_table.endgame(game, 6)
    rng = random.Random(3)
    checked = 0
    for number in range(60):
        state = ending(game, rng, 6)
        if state is None:
            continue
        captured = state.position()["captured"]
        low, high, _ = table.find(state) or (0, 0, 0)
        lead = captured[0] - captured[1]
        # For player 0, no matter who is to move: what the table guarantees.
        least = lead + (low if state.player == 0 else -high)
        agents = [kb.agent("oware_master(nodes=2000, seeds=6)", game, number), kb.agent(other, game, number)]
        payoff = play(state, agents)[0]
        if low == high or least > 0:
            assert payoff >= (least > 0) - (least < 0)
            checked += 1
    assert checked > 20


SPOILT = [
    ([4, 5, 5, 0, 2], (-3, -3), 1.0),
    ([4, 5, 5, 0, 2, 1], (3, 3), -1.0),
]


@pytest.mark.parametrize(("moves", "bounds", "value"), SPOILT)
def test_a_past_can_spoil_what_the_table_says(moves: list[int], bounds: tuple[int, int], value: float) -> None:
    """By the table alone both are draws: the lead and the seeds to gain make zero. A repetition decides otherwise."""
    game = kb.game("oware", preset="abapa")
    state = game.load({"pits": [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1], "captured": [21, 24], "player": 0})
    for move in moves:
        state.apply(move)
    assert (oware_table.endgame(game, 3).find(state) or ())[:2] == bounds
    assert exhaustive(state) == value
    found = kb.agent("oware_master(nodes=20_000, seeds=3)", game).analyse(state.view(state.player))
    assert (found.method, found.value) == ("endgame proof", value)
    assert [action.exact for action in found.actions if action.action == found.best] == [True]


def exhaustive(state: kb.State, nodes: int = 5000) -> float | None:
    """What a position is worth by search to the first repetition, without any table; None if that takes too long."""
    found = kb.search.AlphaBeta(state.game, nodes=nodes, depth=500, order="game").search(state)
    return found.value if found.nodes < nodes else None


@pytest.mark.parametrize(
    "rules",
    [
        {"preset": "abapa"},
        {"preset": "abapa", "grand_slam": "allowed"},
        {"preset": "thesis", "repetition": True},
        {"preset": "thesis", "repetition": True, "starvation": "either"},
        {"preset": "abapa", "payoff": "seeds"},
    ],
)
def test_its_claims_agree_with_exhaustive_search(rules: dict[str, Any]) -> None:
    """Positions with few seeds, reached by random play, so that there is a past; and the move keeps the value."""
    game = kb.game("oware", **rules)
    agent = kb.agent("oware_master(nodes=100_000, seeds=4)", game)
    by_seeds = game.params["payoff"] == "seeds"
    rng = random.Random(7)
    claimed = with_past = 0
    for number in range(60):
        state = ending(game, rng, 2 + number % 3, early=by_seeds)
        since = 0
        while state is not None and state.player != kb.TERMINAL:
            value = exhaustive(state)
            if value is not None:
                found = agent.analyse(state.view(state.player))
                assert found.method == "endgame proof"
                assert found.value == value
                after = state.copy()
                after.apply(found.best)
                rest = after.returns()[state.player] if after.player == kb.TERMINAL else exhaustive(after)
                if rest is not None:
                    assert value == (rest if after.player == kb.TERMINAL else -rest)
                claimed += 1
                with_past += since > 0
            seeds = sum(state.position()["pits"])
            state.apply(rng.choice(state.legal()))
            since = since + 1 if sum(state.position()["pits"]) == seeds else 0
    assert claimed > 100
    assert with_past > 50


def test_with_too_little_for_a_proof_it_follows_the_table_or_searches_and_says_so() -> None:
    game = kb.game("oware", preset="abapa")
    agent = kb.agent("oware_master(nodes=2, seeds=6)", game)
    methods = set()
    rng = random.Random(1)
    for _ in range(60):
        state = ending(game, rng, 6)
        if state is not None:
            found = agent.analyse(state.view(state.player))
            methods.add(found.method)
            exact = any(action.exact for action in found.actions)
            assert found.method == "alphabeta" or exact == (found.method == "endgame proof")
    assert methods >= {"endgame table", "alphabeta"}


def test_a_proof_keeps_to_its_time() -> None:
    """One that has too little looks at less and claims less; one that would take hours ends."""
    game = kb.game("oware", preset="abapa")
    easy, hard = (ending(game, random.Random(seed), 8) for seed in (5, 3))
    assert easy is not None
    assert hard is not None
    proven = kb.agent("oware_master(nodes=100_000, seeds=8)", game).analyse(easy.view(easy.player))
    hurried = kb.agent("oware_master(seconds=1e-6, seeds=8)", game).analyse(easy.view(easy.player))
    assert (proven.method, hurried.method) == ("endgame proof", "endgame table")
    assert hurried.nodes < proven.nodes
    assert not any(action.exact for action in hurried.actions)
    given_up = kb.agent("oware_master(seconds=0.05, seeds=8)", game).analyse(hard.view(hard.player))
    assert given_up.method == "alphabeta"


def test_it_says_where_its_move_comes_from() -> None:
    game = kb.game("oware")
    agent = kb.agent("oware_master(nodes=1000, seeds=5)", game)
    assert agent.analyse(game.new().view(0)).method == "alphabeta"
    state = game.load({"pits": [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 2], "captured": [16, 16], "player": 0})
    found = agent.analyse(state.view(0))
    assert (found.method, found.value) == ("endgame table", 1.0)
    assert found.best in state.legal()


def test_near_the_guard_and_with_seeds_as_payoffs_it_searches_where_the_table_is_not_exact() -> None:
    position = {"pits": [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 2], "captured": [16, 16], "player": 0}
    guarded = kb.game("oware", max_plies=50)
    by_seeds = kb.game("oware", payoff="seeds")
    for game in (guarded, by_seeds):
        agent = kb.agent("oware_master(nodes=1000, seeds=5)", game)
        assert agent.analyse(game.load(position).view(0)).method == "alphabeta"
    early = {**position, "captured": [3, 1]}
    found = kb.agent("oware_master(nodes=1000, seeds=5)", by_seeds).analyse(by_seeds.load(early).view(0))
    assert found.method == "endgame table"


def test_it_beats_alpha_beta_with_as_few_nodes_and_is_reproducible() -> None:
    """A small sample at toy budgets; the real figures are in docs/oware-study.md."""
    game = kb.game("oware")
    won, histories = 0, []
    for number in range(6):
        rng = random.Random(number // 2)
        state = game.new()
        for _ in range(4):
            state.apply(rng.choice(state.legal()))
        agents = [kb.agent("oware_master(nodes=100_000, seeds=6)", game), kb.agent("alphabeta(depth=3)", game)]
        seat = number % 2
        payoff = play(state, agents if seat == 0 else agents[::-1])[seat]
        won += payoff > 0
        histories.append(tuple(state.history))
    assert won >= 5
    agent = kb.agent("oware_master(nodes=3000, seeds=4)", game)
    view = game.new().view(0)
    assert agent.act(view) == agent.act(view) == kb.agent(agent.spec, game).act(view)


@pytest.mark.parametrize("preset", ["thesis", "abapa"])
def test_it_plays_whole_games_by_all_rules(preset: str) -> None:
    game = kb.game("oware", preset=preset)
    agents = [kb.agent("oware_master(nodes=500, seeds=5)", game), kb.agent("random", game, 4)]
    assert play(game.new(), agents)[0] == 1.0


def test_without_a_table_it_is_alpha_beta() -> None:
    game = kb.game("oware")
    view = game.new().view(0)
    plain = kb.agent("alphabeta(nodes=20_000, table_mb=64)", game).analyse(view)
    same = kb.agent("oware_master(nodes=20_000, seeds=0)", game).analyse(view)
    assert (plain.best, plain.value, plain.depth) == (same.best, same.value, same.depth)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("oware_master(seconds=0)", "seconds: expected"),
        ("oware_master(nodes=0)", "nodes: expected"),
        ("oware_master(seeds=13)", "seeds: expected 0 to 12"),
    ],
)
def test_bad_options_are_refused(spec: str, message: str) -> None:
    with pytest.raises(kb.Error, match=message):
        kb.agent(spec, kb.game("oware"))


def test_it_plays_only_oware() -> None:
    with pytest.raises(kb.UnsuitableGame, match="plays only oware, not nim"):
        kb.agent("oware_master", kb.game("nim"))
    assert "oware_master" in kb.list_agents(kb.game("oware"))
    assert "oware_master" not in kb.list_agents(kb.game("nim"))


# --- Proofs that end too early ----------------------------------------------------------------------------------------

ENDING = {"pits": [0, 1, 0, 1, 0, 2, 0, 0, 0, 1, 0, 0], "captured": [21, 22], "player": 1}


class Told:
    """A prover that says what it is told, by the seeds that are asked for."""

    def __init__(self, answers: dict[int, tuple[int, int]]) -> None:
        self.answers = answers

    def at_least(self, state: kb.State, goal: int, *_: object) -> tuple[int, int, int]:
        answer, move = self.answers.get(goal, (0, -1))
        return answer, move, 1


def told(answers: dict[int, tuple[int, int]], **rules: Any) -> tuple[kb.Agent, kb.State]:
    game = kb.game("oware", preset="abapa", **rules)
    agent = kb.agent("oware_master", game)
    agent._prover = Told(answers)  # type: ignore[attr-defined]
    return agent, game.load(ENDING if not rules else {**ENDING, "captured": [2, 3]})  # else a majority may cut it short


def test_a_win_that_is_refuted_is_not_claimed() -> None:
    """Player 1 leads by one: one goal is a draw (-1), one a win (0)."""
    agent, state = told({})
    assert agent.table.find(state)[0] >= 0  # type: ignore[attr-defined]  # without a past he would win
    assert agent.analyse(state.view(1)).method == "endgame table"
    agent, state = told({0: (-1, -1)})
    found = agent.analyse(state.view(1))
    assert (found.method, found.value) != ("endgame table", 1.0)


def test_a_move_that_is_sure_of_something_is_not_thrown_away() -> None:
    agent, state = told({}, payoff="seeds")
    for move in state.legal():
        agent, state = told({1: (1, move), 5: (-1, -1)}, payoff="seeds")
        found = agent.analyse(state.view(1))
        assert (found.method, found.best, found.value) == ("endgame proof", move, 2.0)
        assert not any(each.exact for each in found.actions)


@pytest.mark.parametrize("pits", [[0, 2, 1, 0, 1, 0, 1, 3, 0, 1, 1, 0], [1, 0, 1, 1, 0, 0, 2, 0, 3, 0, 0, 2]])
def test_stopped_in_a_proof_it_follows_the_table(pits: list[int]) -> None:
    """No time is left for a search; the table says less than who wins."""
    game = kb.game("oware", preset="abapa")
    state = game.load({"pits": pits, "captured": [19, 19], "player": 1})
    agent = kb.agent("oware_master", game)
    agent.stop = kb.StopToken()
    agent.stop.request()
    assert agent.analyse(state.view(1)).method == "endgame table"


def test_a_prover_wants_the_rule_of_repetition_and_a_position_that_goes_on() -> None:
    game = kb.game("oware", preset="abapa")
    prover = OwareProver(endgame(game, 5))
    with pytest.raises(UnsuitableGame, match="repetition"):
        prover.at_least(kb.game("oware", preset="abapa", repetition=False).load(ENDING), 0)
    state = game.load(ENDING)
    answer, move, _ = prover.at_least(game.load(ENDING, [state.key]), -5)  # a past that has the position itself
    assert answer == 1
    assert move in state.legal()
