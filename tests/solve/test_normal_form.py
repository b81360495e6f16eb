"""Normal forms, dominance and dynamics: what must hold for every table, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz import _core
from kiebitz.errors import LimitError, ParameterError, UnsuitableGame
from kiebitz.games.matrix import Array, MatrixGame
from kiebitz.solve.compiled import GameLike
from kiebitz.solve.dominance import Removal, eliminate, iterated_dominance
from kiebitz.solve.dynamics import RULES, dynamics, regret_matching
from kiebitz.solve.measures import measure
from kiebitz.solve.normal_form import maximin, normal_form, pure_equilibria
from kiebitz.solve.policy import Policy

RPS = MatrixGame.from_game(kb.game("rock_paper_scissors"))
DILEMMA = MatrixGame([[[3, 0], [5, 1]], [[3, 5], [0, 1]]], [["cooperate", "defect"]] * 2)

SMALL: dict[str, GameLike] = {
    "kuhn": "kuhn",
    "rock_paper_scissors": "rock_paper_scissors",
    "one player": kb.game("tree", example="strategy_fusion"),
    "three players": kb.game("tree", example="three_players"),
    "chance": kb.game("tree", example="raise_or_pass"),
    "general sum": kb.game("tree", example="information_sets"),
}


def of(name: str, **rules: Any) -> kb.Game:
    return kb.game(name, **rules)


@st.composite
def mixed_strategy(draw: st.DrawFn, size: int) -> Array:
    weights = draw(st.lists(st.integers(0, 100), min_size=size, max_size=size).filter(any))
    return np.array(weights) / sum(weights)


@st.composite
def tables(draw: st.DrawFn, most_players: int = 3) -> MatrixGame:
    """Tables with few different payoffs, so that ties and dominance are common."""
    shape = draw(st.lists(st.integers(1, 4), min_size=2, max_size=most_players))
    count = len(shape) * int(np.prod(shape))
    payoffs = draw(st.lists(st.integers(-3, 3), min_size=count, max_size=count))
    return MatrixGame(np.reshape(payoffs, (len(shape), *shape)))


@st.composite
def zero_sum_tables(draw: st.DrawFn) -> MatrixGame:
    game = draw(tables(2))
    return MatrixGame([game.payoffs[0], -game.payoffs[0]])


def random_policy(game: GameLike, seed: int) -> Policy:
    rng = np.random.default_rng(seed)
    compiled = Policy.uniform(game).compiled
    weights = [rng.random(compiled.sequences(player)) for player in range(compiled.players)]
    return Policy(compiled, [compiled.strategy(player, plan) for player, plan in enumerate(weights)])


# --- From a game to its table -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.parametrize("name", SMALL)
def test_mixed_and_behavioural_strategies_pay_the_same(name: str, reduced: bool) -> None:
    """Kuhn's theorem, both ways, for random strategies."""
    form = normal_form(SMALL[name], reduced=reduced)
    for seed in range(5):
        policy = random_policy(SMALL[name], seed)
        assert form.payoff(form.profile(policy)) == pytest.approx(measure(policy).values, abs=1e-12)
        assert form.policy(form.profile(policy)).distance(policy) < 1e-12
        rng = np.random.default_rng(seed)
        profile = [rng.dirichlet(np.ones(size)) for size in form.shape]
        assert measure(form.policy(profile)).values == pytest.approx(form.payoff(profile).tolist(), abs=1e-12)


@pytest.mark.parametrize("name", SMALL)
def test_best_responses_are_worth_the_same_in_both_forms(name: str) -> None:
    form = normal_form(SMALL[name])
    for seed in range(5):
        policy = random_policy(SMALL[name], seed)
        best = [form.best_response(player, form.profile(policy)).value for player in range(form.players)]
        assert best == pytest.approx(measure(policy).best_values, abs=1e-12)


@pytest.mark.parametrize("name", SMALL)
def test_every_cell_is_what_two_plans_pay(name: str) -> None:
    """Each pure strategy is a policy of zeros and ones; a few cells against the exact value of that policy."""
    form = normal_form(SMALL[name])
    rng = np.random.default_rng(1)
    for _ in range(10):
        cell = tuple(int(rng.integers(size)) for size in form.shape)
        pure = [np.eye(size)[choice] for size, choice in zip(form.shape, cell, strict=True)]
        paid = [float(own[cell]) for own in form.payoffs]
        assert paid == pytest.approx(measure(form.policy(pure)).values, abs=1e-12)


def test_one_move_each_gives_the_matrix_of_the_game() -> None:
    form = normal_form("rock_paper_scissors")
    assert form.actions == RPS.actions
    assert np.array_equal(form.payoffs, RPS.payoffs)


def test_names_list_the_actions_in_the_order_of_the_views() -> None:
    form = normal_form(of("tree", example="raise_or_pass"))
    cards = [str(view).splitlines()[0].removeprefix("Player 1 to move in: ") for view in form.views(0)]
    assert cards == ["J", "Q", "K"]
    assert form.actions[0][:3] == ("raise, raise, raise", "raise, raise, pass", "raise, pass, raise")
    assert normal_form("kuhn", reduced=True).actions[0][-1].count("*") == 3  # who bets three times is never asked again


def test_names_that_read_alike_are_numbered() -> None:
    end = {"payoffs": [0]}
    second = {"player": "A", "actions": {"b, c": end, "c": end}}
    tree = {"players": ["A"], "root": {"player": "A", "actions": {"a": second, "a, b": end}}}
    (names,) = normal_form(of("tree", tree=tree)).actions
    assert len(set(names)) == 4
    assert names[0].startswith("a, b, c")


def test_a_player_without_a_choice_has_one_strategy() -> None:
    tree = {"players": ["A", "B"], "root": {"player": "A", "actions": {"x": {"payoffs": [1, 2]}}}}
    form = normal_form(of("tree", tree=tree))
    assert form.actions == (("x",), ("nothing",))
    assert form.payoffs.tolist() == [[[1]], [[2]]]


def test_reduced_forms_have_the_same_value() -> None:
    full, reduced = normal_form("kuhn"), normal_form("kuhn", reduced=True)
    assert maximin(full).value == pytest.approx(maximin(reduced).value, abs=1e-9)


@pytest.mark.parametrize(
    ("game", "limit", "message"),
    [
        ("kuhn", 4095, "kuhn: 64 x 64 pure strategies are too many for a table, expected at most 4095 cells"),
        ("leduc", 1_000_000, r"leduc: about 10\^\d+ x about 10\^\d+ pure strategies"),
    ],
)
def test_large_tables_are_refused_before_they_are_built(game: str, limit: int, message: str) -> None:
    with pytest.raises(LimitError, match=message):
        normal_form(game, limit=limit)


def test_a_policy_of_another_game_is_refused() -> None:
    with pytest.raises(ParameterError, match="expected one for kuhn"):
        normal_form("kuhn").profile(Policy.uniform("rock_paper_scissors"))


# --- Equilibria of tables ---------------------------------------------------------------------------------------------


@given(tables())
def test_pure_equilibria_are_the_cells_of_mutual_best_responses(game: MatrixGame) -> None:
    expected = []
    for cell in np.ndindex(*game.shape):
        pure = [np.eye(size)[choice] for size, choice in zip(game.shape, cell, strict=True)]
        if all(cell[player] in game.best_response(player, pure).actions for player in range(game.players)):
            expected.append(cell)
    assert pure_equilibria(game) == expected


@given(zero_sum_tables())
def test_maximin_is_an_equilibrium_and_both_programmes_agree(game: MatrixGame) -> None:
    value, strategies = maximin(game)
    table = game.payoffs[0]
    assert (strategies[0] @ table).min() == pytest.approx(value, abs=1e-7)
    assert (table @ strategies[1]).max() == pytest.approx(value, abs=1e-7)
    assert game.nash_conv(strategies) == pytest.approx(0, abs=1e-7)
    assert table.min(axis=1).max() - 1e-7 <= value <= table.max(axis=0).min() + 1e-7  # mixing helps both
    mirrored = maximin(MatrixGame([-table.T, table.T]))
    assert mirrored.value == pytest.approx(-value, abs=1e-7)


@given(zero_sum_tables(), st.integers(-1000, 1000), st.integers(1, 1000))
def test_maximin_follows_units_and_offsets(game: MatrixGame, offset: int, scale: int) -> None:
    moved = scale * game.payoffs[0] + offset
    assert maximin(MatrixGame([moved, -moved])).value == pytest.approx(scale * maximin(game).value + offset, rel=1e-7)


def test_maximin_of_a_table_of_zeros() -> None:
    assert maximin(MatrixGame(np.zeros((2, 2, 3)))).value == 0


@pytest.mark.parametrize("game", [DILEMMA, MatrixGame(np.zeros((3, 2, 2, 2)))])
def test_maximin_needs_a_two_player_zero_sum_game(game: MatrixGame) -> None:
    with pytest.raises(UnsuitableGame, match="maximin needs a two-player zero-sum game"):
        maximin(game)


# --- Dominance --------------------------------------------------------------------------------------------------------


def gains(game: MatrixGame, removal: Removal) -> Array:
    """What the dominating mixture gains over the removed action, for everything the others can do."""
    names = game.actions[removal.player]
    table = np.moveaxis(game.payoffs[removal.player], removal.player, 0).reshape(len(names), -1)
    mixture = sum(p * table[names.index(name)] for name, p in removal.by.items())
    return np.asarray(mixture - table[names.index(removal.action)])


@given(tables(), st.booleans(), st.booleans())
def test_exactly_the_dominated_strategies_are_removed(game: MatrixGame, weak: bool, mixed: bool) -> None:
    for player in range(game.players):
        reduced, removed = eliminate(game, player, weak=weak, mixed=mixed)
        left = [name for name in game.actions[player] if name not in {removal.action for removal in removed}]
        assert reduced.actions[player] == tuple(left)
        for removal in removed:
            gain = gains(game, removal)
            assert sum(removal.by.values()) == pytest.approx(1)
            assert mixed or len(removal.by) == 1
            assert gain.min() > -1e-7 if weak else gain.min() > 0
            assert gain.max() > 0
        assert eliminate(reduced, player, weak=weak, mixed=mixed).removed == []


@given(tables())
def test_strict_dominance_keeps_all_pure_equilibria_and_any_order_ends_alike(game: MatrixGame) -> None:
    def named(table: MatrixGame) -> set[tuple[str, ...]]:
        return {tuple(table.actions[p][a] for p, a in enumerate(cell)) for cell in pure_equilibria(table)}

    reduced = iterated_dominance(game).game
    assert named(reduced) == named(game)
    last_first = game
    for _ in range(sum(game.shape)):
        for player in reversed(range(game.players)):
            last_first = eliminate(last_first, player).game
    assert last_first.actions == reduced.actions


@given(zero_sum_tables())
def test_strict_dominance_never_removes_what_an_equilibrium_plays(game: MatrixGame) -> None:
    strategies = maximin(game).strategies
    for removal in iterated_dominance(game).removed:
        probability = strategies[removal.player][game.actions[removal.player].index(removal.action)]
        assert probability < 1e-7


@given(zero_sum_tables(), st.booleans())
def test_dominance_keeps_the_value_of_zero_sum_games(game: MatrixGame, weak: bool) -> None:
    assert maximin(iterated_dominance(game, weak=weak).game).value == pytest.approx(maximin(game).value, abs=1e-7)


@given(tables())
def test_weak_dominance_removes_at_least_what_strict_dominance_does(game: MatrixGame) -> None:
    strict, weak = iterated_dominance(game).game, iterated_dominance(game, weak=True).game
    for player in range(game.players):
        assert set(weak.actions[player]) <= set(strict.actions[player])


def test_equal_actions_do_not_dominate_each_other() -> None:
    game = MatrixGame(np.ones((2, 3, 3)))
    assert iterated_dominance(game, weak=True) == (game, [])


def test_a_mixture_can_dominate_where_no_single_action_does() -> None:
    game = MatrixGame([[[3, 0], [0, 3], [1, 1]], [[0, 0]] * 3], [["a", "b", "c"], ["l", "r"]])
    assert eliminate(game, 0, mixed=False).removed == []
    assert [removal.action for removal in eliminate(game, 0).removed] == ["c"]


def test_rounds_tell_what_had_to_go_first() -> None:
    """b is dominated only after r is gone, and r only after c is."""
    game = MatrixGame(
        [[[1, 1], [0, 2], [-1, -1]], [[1, 0], [1, 0], [0, 9]]],
        [["a", "b", "c"], ["l", "r"]],
    )
    reduced, removed = iterated_dominance(game)
    assert reduced.actions == (("a",), ("l",))
    assert [(removal.round, removal.player, removal.action) for removal in removed] == [
        (1, 0, "c"),
        (1, 1, "r"),
        (2, 0, "b"),
    ]


def test_weak_dominance_of_the_toy_game_leaves_only_the_bluff() -> None:
    """Here player 0 begins: passing with a king goes first, and the other order ends in the same question."""
    toy = normal_form(of("tree", example="raise_or_pass"))
    assert iterated_dominance(toy, mixed=False).removed == []
    assert iterated_dominance(toy).game.shape == (6, 4)  # mixtures find some that no single plan beats
    reduced = iterated_dominance(toy, weak=True).game
    assert reduced.shape == (2, 2)
    assert maximin(reduced).value == pytest.approx(1 / 18, abs=1e-9)


@pytest.mark.parametrize("player", [-1, 2, "0"])
def test_dominance_of_nobody_is_refused(player: Any) -> None:
    with pytest.raises(ParameterError, match="player: expected a number from 0 to 1"):
        eliminate(DILEMMA, player)


# --- Dynamics ---------------------------------------------------------------------------------------------------------


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=6))
def test_regret_matching_is_proportional_to_positive_regrets(regrets: list[float]) -> None:
    strategy = regret_matching(regrets)
    assert strategy.sum() == pytest.approx(1)
    top = max(regrets)
    for regret, probability in zip(regrets, strategy, strict=True):
        if top <= 0:
            assert probability == 1 / len(regrets)
        else:
            assert probability == pytest.approx(max(regret, 0) / top * strategy.max())


@pytest.mark.parametrize("regrets", [[], [[1.0]], [float("nan")], [float("inf")], "abc", None, [1, "a"]])
def test_regret_matching_needs_numbers(regrets: Any) -> None:
    with pytest.raises(ParameterError, match="regrets: expected a row of numbers"):
        regret_matching(regrets)


@pytest.mark.requirement("PK2-60")
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_projection_satisfies_the_conditions_of_the_quadratic_programme(point: list[float]) -> None:
    """Karush, Kuhn and Tucker: what is above 0 was moved by the same amount, what is 0 was not above it."""
    given_point = np.array(point)
    nearest = np.asarray(_core.project_to_simplex(given_point))
    assert nearest.min() >= 0
    assert nearest.sum() == pytest.approx(1, abs=1e-10)
    moved = (given_point - nearest)[nearest > 0]
    slack = 1e-9 * max(1.0, np.abs(given_point).max())
    assert np.ptp(moved) <= slack
    assert (given_point[nearest == 0] <= moved.max() + slack).all()


@given(zero_sum_tables(), st.sampled_from(["regret_matching", "fictitious_play", "replicator", "lagging_anchor"]))
@settings(max_examples=40)
def test_rules_find_the_value_of_zero_sum_games(game: MatrixGame, rule: str) -> None:
    run = dynamics(game, rule, 20_000, alpha=0.01)
    found = run.current if rule == "lagging_anchor" else run.averages
    assert game.payoff(found)[0] == pytest.approx(maximin(game).value, abs=0.15)
    assert game.nash_conv(found) < 0.3  # payoffs up to 3
    for strategies in (run.averages, run.current):
        for strategy in strategies:
            assert strategy.min() >= 0
            assert strategy.sum() == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("rule", RULES)
def test_dynamics_find_dominant_actions(rule: str) -> None:
    run = dynamics(DILEMMA, rule, 2_000)
    assert run.rule == rule
    assert [point.steps for point in run.curve] == [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]
    assert run.curve[-1].current < 1e-6
    assert run.curve[-1].average < run.curve[0].average
    assert (run.anchors is not None) == (rule == "lagging_anchor")


def test_dynamics_begin_where_they_are_told() -> None:
    start = [[0.5, 0.3, 0.2], [0.2, 0.5, 0.3]]
    run = dynamics(RPS, "gradient", 1, alpha=1e-9, start=start)
    for found, begun in zip(run.current, start, strict=True):
        assert found == pytest.approx(begun, abs=1e-8)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rule": "hope"}, "rule: expected one of regret_matching, fictitious_play"),
        ({"rule": "gradient", "steps": 0}, "steps: expected a whole number from 1 up"),
        ({"rule": "gradient", "steps": True}, "steps: expected a whole number from 1 up"),
        ({"rule": "gradient", "alpha": 0.0}, "alpha: expected more than 0"),
        ({"rule": "gradient", "alpha": float("nan")}, "alpha: expected more than 0"),
        ({"rule": "lagging_anchor", "eta": -1.0}, "eta: expected 0 or more"),
        ({"rule": "lagging_anchor", "alpha": 0.5, "eta": 3.0}, "alpha times eta up to 1"),
        ({"rule": "gradient", "start": [[1, 0], [1, 0]]}, "strategy of player 0: expected 3 probabilities"),
        ({"rule": "gradient", "start": [[1, 0, 0.5], [1, 0, 0]]}, "expected probabilities that sum to 1"),
    ],
)
def test_bad_dynamics(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        dynamics(RPS, **{"steps": 10, **arguments})


def test_dynamics_need_two_players() -> None:
    with pytest.raises(UnsuitableGame, match="dynamics need two players, this game has 3"):
        dynamics(MatrixGame(np.zeros((3, 2, 2, 2))), "gradient", 1)


# --- The lagging anchor in extensive form -----------------------------------------------------------------------------


@pytest.mark.parametrize("estimate", ["exact", "canonical", "truncated"])
def test_the_lagging_anchor_solves_kuhn_and_goes_on_from_its_memory(estimate: str) -> None:
    compiled = Policy.uniform("kuhn").compiled
    solver = _core.LaggingAnchor(compiled, estimate, seed=5)
    solver.iterate(2_000)
    again = _core.LaggingAnchor(compiled, estimate, seed=6)
    again.load(*solver.memory())
    for one in (solver, again):
        one.iterate(8_000)
    assert again.iterations == 10_000
    assert (again.games, again.extra_games, again.nodes) == (solver.games, solver.extra_games, solver.nodes)
    for player in range(2):
        assert np.array_equal(solver.average(player), again.average(player))
        assert np.array_equal(solver.current(player), again.current(player))
        assert np.array_equal(solver.anchor(player), again.anchor(player))
    assert (solver.games > 0) == (estimate != "exact")
    assert (solver.extra_games > 0) == (estimate != "exact")
    exploitability = measure(Policy(compiled, [solver.average(0), solver.average(1)])).exploitability
    assert exploitability is not None
    assert exploitability < 0.05


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimate": "guess"}, "estimate: expected one of exact, canonical, truncated"),
        ({"alpha": -1.0}, "alpha: expected more than 0"),
        ({"eta": float("nan")}, "eta: expected 0 or more"),
        ({"games": 0}, "games: expected at least 1"),
        ({"rate": 0.0}, "rate: expected more than 0"),
        ({"trace": 1.5}, "trace: expected 0 to 1"),
        ({"explore": 1.0}, "explore: expected 0 to less than 1"),
    ],
)
def test_bad_options_of_the_lagging_anchor(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        _core.LaggingAnchor(Policy.uniform("kuhn").compiled, **options)


def test_the_lagging_anchor_refuses_memories_of_others() -> None:
    compiled = Policy.uniform("kuhn").compiled
    truncated, exact = (_core.LaggingAnchor(compiled, estimate) for estimate in ("truncated", "exact"))
    with pytest.raises(ParameterError):
        exact.load(*truncated.memory())
    with pytest.raises(ParameterError):
        truncated.load(*exact.memory())
    other = _core.LaggingAnchor(Policy.uniform("rock_paper_scissors").compiled)
    with pytest.raises(ParameterError, match="expected 13 numbers"):
        exact.load(*other.memory())
