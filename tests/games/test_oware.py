"""The figures of the Oware thesis through Python, and what is reproducible. The rules are tested in tests/core."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from scipy.stats import chisquare

import kiebitz as kb
from tests.contract.walks import walk

LEAVES = [6, 36, 186, 971, 4_756, 23_555, 112_420, 543_753]


@pytest.mark.requirement("OW-10")
def test_leaf_counts() -> None:
    state = kb.game("oware", "thesis").new()
    assert [kb.search.perft(state, depth) for depth in range(1, 9)] == LEAVES


@pytest.mark.parametrize("preset", ["thesis", "abapa"])
def test_the_way_of_the_seeds_is_a_public_fact(preset: str) -> None:
    """Seeds fall where ``sowing`` says; only captures and the end of the game take some of them away."""
    laps = captures = 0
    for seed in range(30):
        for before, after in itertools.pairwise(walk(kb.game("oware", preset), seed)):
            facts, pit = before.view(0).public(), 6 * before.player + after.history[-1]
            may = [6 * before.player + action for action in before.legal()]
            assert [len(path) for path in facts["sowing"]] == [facts["pits"][i] if i in may else 0 for i in range(12)]
            pits, path = list(facts["pits"]), facts["sowing"][pit]
            pits[pit] = 0
            for place in path:
                pits[place] += 1
            assert pits[pit] == 0  # the pit that is sown receives nothing
            laps += len(path) > 11
            left = after.view(0).public()["pits"]
            if after.player != kb.TERMINAL:
                taken = sum(after.position()["captured"]) - sum(facts["captured"])
                captures += taken > 0
                assert all(now in (0, sown) for now, sown in zip(left, pits, strict=True))
                assert sum(pits) - sum(left) == taken
    assert laps
    assert captures
    assert after.view(0).public()["sowing"] == [[]] * 12  # over


@pytest.mark.requirement("OW-13")
def test_minimax_example_gives_7() -> None:
    state = kb.game("tree", example="minimax_nine_leaves").new()
    assert kb.search.AlphaBeta(state.game, depth=2, cut="none").search(state).value == 7.0


@pytest.mark.requirement("OW-13")
@pytest.mark.parametrize(
    ("cut", "nodes"),
    [
        ("none", [7, 43, 229, 1_200, 5_956, 29_511, 141_931]),
        ("equal", [7, 18, 53, 112, 275, 771, 1_928]),
    ],
)
def test_node_counts(cut: str, nodes: list[int]) -> None:
    state = kb.game("oware", "thesis").new()
    for depth, expected in enumerate(nodes, 1):
        analysis = kb.search.AlphaBeta(state.game, depth=depth, cut=cut, evaluation="difference").search(state)
        assert (analysis.nodes, analysis.value, analysis.best) == (expected, 0.0, 0)


@pytest.mark.requirement("OW-12")
def test_random_agent_is_uniform() -> None:
    """60,000 draws over the non-empty pits of one position."""
    game = kb.game("oware", "thesis")
    state = game.new()
    for action in (2, 4, 5):
        state.apply(action)
    view = state.view(1)
    counts = Counter(kb.agent("random", game, seed=seed).act(view) for seed in range(60_000))
    assert sorted(counts) == state.legal() == [0, 1, 2, 3, 5]
    assert chisquare([counts[action] for action in state.legal()]).pvalue > 0.001


def play(game: kb.Game, specs: list[str], seed: int) -> list[int]:
    agents = [kb.agent(spec, game, seed=seed + seat) for seat, spec in enumerate(specs)]
    state = game.new(seed=seed)
    while state.player != kb.TERMINAL:
        state.apply(agents[state.player].act(state.view(state.player)))
    return list(state.history)


@pytest.mark.requirement("OW-53")
def test_deterministic_pairs_play_identical_games() -> None:
    game = kb.game("oware", "thesis")
    games = [play(game, ["alphabeta(depth=3)", "minimax(depth=2)"], seed) for seed in (0, 1, 99)]
    assert games[0] == games[1] == games[2]


@pytest.mark.requirement("OW-53")
@pytest.mark.parametrize("spec", ["random", "uct(iterations=30)", "flat_mc(iterations=30)"])
def test_stochastic_runs_are_reproducible_from_their_seed(spec: str) -> None:
    game = kb.game("oware", "abapa")
    assert play(game, [spec, "random"], 5) == play(game, [spec, "random"], 5)
    assert play(game, [spec, "random"], 5) != play(game, [spec, "random"], 6)


@pytest.mark.requirement("OW-53")
def test_matches_are_reproducible_from_their_seed() -> None:
    game = kb.game("oware", "thesis")
    one, other = (kb.arena.match(game, ["random", "greedy"], games=6, seed=3) for _ in range(2))
    assert [row.actions for row in one.rows] == [row.actions for row in other.rows]
