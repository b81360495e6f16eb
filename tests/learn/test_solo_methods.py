"""Learners that sit in one seat: Q-learning, DQN, REINFORCE, actor and critic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kiebitz as kb
from kiebitz import learn
from kiebitz.arena import match
from kiebitz.env import SoloEnv
from kiebitz.learn import actor_critic, dqn, q_learning, reinforce
from kiebitz.learn.memories import Batch
from kiebitz.learn.seats import Seats
from kiebitz.learn.solo import SoloOptions, Tally, whole_games
from kiebitz.nets import Card, NetFile
from kiebitz.stats import Estimate, wilson
from tests.learn.test_alphazero import bytes_of
from tests.learn.test_nfsp import killed_after, without_time

METHODS = ("q_learning", "dqn", "reinforce", "actor_critic")
SMALL: dict[str, dict[str, Any]] = {
    "q_learning": {"steps": 60},
    "dqn": {"steps": 60, "hidden": "16", "memory": 500, "warm_up": 64, "batch": 16, "target_every": 7},
    "reinforce": {"steps": 12, "hidden": "16"},
    "actor_critic": {"steps": 12, "hidden": "16"},
}
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("q_learning", {}),
    ("q_learning", {"sarsa": True, "fading": 0.5, "opponent": "alphabeta(depth=1, table_mb=0)"}),
    ("dqn", {}),
    ("dqn", {"double": True, "prioritised": True, "loss": "huber", "opponent": "uct(iterations=5)"}),
    ("dqn", {"optimizer": "sgd", "illegal": "punished"}),
    ("reinforce", {}),
    ("reinforce", {"baseline": False, "entropy": 0.01, "opponent": "random", "seat": 0}),
    ("actor_critic", {}),
    ("actor_critic", {"learn": "one_step", "steps": 60, "entropy": 0.01}),
    ("actor_critic", {"sums": True, "standardised": True, "flows": True, "games": 1, "illegal": "punished"}),
]
NAMES = [f"{method}-{number}" for number, (method, _) in enumerate(VARIANTS)]


def small(folder: Path, method: str, game: kb.Game | None = None, **more: Any) -> NetFile:
    given = {"games": 8, "measure_every": 4, "measured_games": 6, **SMALL[method], **more}
    return learn.train(game or kb.game("tic_tac_toe"), method, folder, **given)


def weights_of(net: NetFile) -> list[bytes]:
    return bytes_of(net)


# --- Every method -----------------------------------------------------------------------------------------------------


def won(net: NetFile, games: int = 1000) -> Estimate:
    """The share of games that a net wins against random play, in each seat in turn."""
    env = SoloEnv(net.game, "random", games, seed=7, seat=None)

    def best(view: Any, legal: Any) -> Any:
        movers = env.seat.astype(np.int32)[-len(view) :]
        logits, _ = net.net.judge(net.game, view, np.ones(legal.shape, np.uint8), movers)
        return np.where(legal, logits, -np.inf).argmax(axis=1)

    tally = Tally(env)
    whole_games(env, best, tally)
    return wilson(round(tally.taken()["won"] * games), games)


@pytest.mark.parametrize(
    ("name", "method"), [*(("tic_tac_toe", method) for method in METHODS), ("oware", "dqn"), ("oware", "actor_critic")]
)
def test_the_toy_learns(name: str, method: str, tmp_path: Path) -> None:
    """Without any search the trained net wins more often than the untrained one, with an interval."""
    game = kb.game(name)
    net = learn.train(game, method, tmp_path / "run", "toy")
    trained, untrained = won(net), won(small(tmp_path / "start", method, game, steps=1))
    assert trained.low is not None
    assert untrained.high is not None
    assert trained.low > untrained.high
    assert trained.value > 0.8
    assert abs(net.card.results["won"] - trained.value) < 0.1


@pytest.mark.parametrize(("method", "more"), VARIANTS, ids=NAMES)
def test_a_run_that_was_killed_ends_like_one_that_was_not(method: str, more: dict[str, Any], tmp_path: Path) -> None:
    last = {**SMALL[method], **more}["steps"]
    whole = small(tmp_path / "whole", method, **more)
    parts = tmp_path / "parts"
    with pytest.raises(KeyboardInterrupt):
        small(parts, method, report=killed_after(last - 3, parts), **more)
    net = small(parts, method, **more)
    assert net.card.steps == last
    assert weights_of(net) == weights_of(whole) == weights_of(NetFile.load(parts / "net.npz"))
    assert net.card.results == whole.card.results
    logs = [without_time((folder / "log.jsonl").read_text()) for folder in (tmp_path / "whole", parts)]
    assert logs[0] == logs[1]
    assert weights_of(small(tmp_path / "other", method, **{**more, "seed": 2})) != weights_of(whole)


@pytest.mark.parametrize("method", METHODS)
def test_a_net_plays_a_match(method: str, tmp_path: Path) -> None:
    """Those that play for several seats, and games with hidden cards, as well."""
    for name in ("tic_tac_toe", "kuhn", "leduc"):
        game = kb.game(name)
        small(tmp_path / name, method, game)
        result = match(game, [f'net(file="{tmp_path / name / "net.npz"}")', "random"], games=4)
        assert result.games == 4


class RaceState(kb.PythonState):
    """Two in turn take one or two steps; who gets to five first wins, and each step is worth something."""

    def __init__(self) -> None:
        self.steps = [0, 0]
        self.mover = 0

    def player(self) -> int:
        return kb.TERMINAL if max(self.steps) >= 5 else self.mover

    def legal(self) -> list[int]:
        return [0, 1] if max(self.steps) < 5 else []

    def apply(self, action: int) -> None:
        self.steps[self.mover] += action + 1
        self.mover = 1 - self.mover

    def returns(self) -> list[float]:
        return [1.0, -1.0] if self.steps[0] >= 5 else [-1.0, 1.0]

    def evaluate(self, evaluation: str, player: int) -> float:
        return self.steps[player] / 10


class Race(kb.PythonGame):
    """Taking two steps is always better."""

    name = "race_to_five"
    state = RaceState
    players = 2
    actions = 2
    max_legal = 2
    max_length = 10
    min_payoff = -1
    max_payoff = 1
    utility = "zero_sum"
    tensor_size = 12
    evaluations = ("steps",)

    def tensor(self, view: dict[str, Any], observer: int) -> list[float]:
        own, other = view["steps"][observer], view["steps"][1 - observer]
        return [float(own == n) for n in range(6)] + [float(other == n) for n in range(6)]


kb.register(Race)


@pytest.mark.parametrize("method", METHODS)
def test_a_game_in_python_is_learned(method: str, tmp_path: Path) -> None:
    more: dict[str, dict[str, Any]] = {
        "q_learning": {"steps": 600, "rate": 0.3},
        "dqn": {"steps": 300},
        "reinforce": {"steps": 60},
        "actor_critic": {"steps": 60},
    }
    rate = {} if method == "q_learning" else {"rate": 0.02}
    game = kb.game("race_to_five")
    net = small(
        tmp_path / "run", method, game, gains="steps", opponent="random", measure_every=100, **rate, **more[method]
    )
    chances = net.probabilities(game.new().view(0))
    assert chances[1] > chances[0]


@pytest.mark.parametrize("method", METHODS)
def test_training_goes_on_from_a_net(method: str, tmp_path: Path) -> None:
    """With no learning at all the weights are those it began with; the critic is among them."""
    first = small(tmp_path / "first", method, payoff=10.0)
    still: dict[str, dict[str, Any]] = {
        "q_learning": {"rate": 0.0},
        "dqn": {"updates": 0},
        "reinforce": {"rate": 0.0, "baseline_rate": 0.0},
        "actor_critic": {"rate": 0.0},
    }
    start = str(tmp_path / "first" / "net.npz")
    again = small(tmp_path / "again", method, payoff=10.0, start_from=start, **still[method])
    view = kb.game("tic_tac_toe").new().view(0)
    if method == "q_learning":
        assert again.judge([view])[0].tolist() == first.judge([view])[0].tolist()
    else:
        for one, other in zip(weights_of(first), weights_of(again), strict=True):
            np.testing.assert_allclose(np.frombuffer(one, np.float32), np.frombuffer(other, np.float32), rtol=1e-5)


def test_a_net_of_another_shape_or_game_is_no_start(tmp_path: Path) -> None:
    small(tmp_path / "one", "dqn")
    start = str(tmp_path / "one" / "net.npz")
    with pytest.raises(kb.Error, match="expected a net with layers of"):
        small(tmp_path / "dqn", "dqn", start_from=start, hidden="9")
    for method in ("q_learning", "reinforce", "actor_critic"):
        with pytest.raises(kb.Error, match=f"start_from: expected a net of {method}, got one of dqn"):
            small(tmp_path / method, method, start_from=start)
    with pytest.raises(kb.Error, match="this net was made for tic_tac_toe"):
        small(tmp_path / "kuhn", "dqn", kb.game("kuhn"), start_from=start)


def test_nets_of_earlier_steps_are_kept_if_wanted(tmp_path: Path) -> None:
    small(tmp_path / "run", "dqn", keep_every=25)
    assert sorted(path.name for path in (tmp_path / "run").glob("net-*.npz")) == ["net-25.npz", "net-50.npz"]
    assert NetFile.load(tmp_path / "run" / "net-25.npz").card.steps == 25


@pytest.mark.parametrize(
    ("method", "options", "words"),
    [
        ("dqn", {"opponent": "nobody"}, "there is no agent 'nobody'"),
        ("dqn", {"opponent": "uct(seconds=1.0)"}, "moves depend on seed and position alone"),
        ("dqn", {"seat": 2}, "seat: expected a number from 0 to 1, or -1, got 2"),
        ("dqn", {"gains": "luck"}, "gains: expected an evaluation of tic_tac_toe"),
        ("dqn", {"hidden": "many"}, "hidden: expected numbers of neurons"),
        ("dqn", {"memory": 20}, "memory: expected at least warm_up and batch (64), got 20"),
        ("dqn", {"illegal": "ignored"}, "illegal: expected one of masked, punished"),
        ("reinforce", {"gamma": 1.5}, "gamma: expected"),
        ("actor_critic", {"learn": "two_step"}, "learn: expected one of monte_carlo, one_step"),
    ],
)
def test_options_that_cannot_work_are_refused_and_leave_nothing(
    tmp_path: Path, method: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(kb.Error) as caught:
        small(tmp_path / "run", method, **options)
    assert words in str(caught.value)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("method", ["dqn", "reinforce", "actor_critic"])
def test_a_net_that_diverges_is_stopped(method: str, tmp_path: Path) -> None:
    more: dict[str, Any] = {"steps": 400} if method == "dqn" else {}
    with pytest.raises(kb.Error, match=r"not finite any more in step .* try a smaller learning rate"):
        small(tmp_path / "run", method, rate=1e30, optimizer="sgd", payoff=1e9, measure_every=1, **more)


# --- Whole games ------------------------------------------------------------------------------------------------------


def test_whole_games_hold_what_happened() -> None:
    """Rewards of each game add up to its payoff, and nothing is there after its end."""
    env = SoloEnv("tic_tac_toe", games=40, seed=1)
    tally = Tally(env)
    played = whole_games(env, lambda view, legal: legal.argmax(axis=1), tally)
    ended = tally.taken()
    assert ended["reward"] == pytest.approx(played.reward.sum() / 40)
    assert ended["won"] - ended["lost"] == pytest.approx(ended["reward"])
    lengths = played.there.sum(axis=0)
    for game in range(40):
        assert played.there[: lengths[game], game].all()
        assert not played.reward[: lengths[game] - 1, game].any()
        assert not played.reward[lengths[game] :, game].any()
    np.testing.assert_allclose(played.returns(1.0)[0], played.reward.sum(axis=0))
    assert tally.taken() == {}


def test_a_measurement_is_a_function_of_seed_and_step() -> None:
    options = SoloOptions(measured_games=20)
    game = kb.game("tic_tac_toe")

    def choose(view: Any, legal: Any) -> Any:
        return legal.argmax(axis=1)

    one, other = (options.yardstick(game, choose, seed) for seed in (1, 1))
    one(3)
    assert one(5) == other(5) != other(6)


# --- Q-learning -------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("OW-27")
@pytest.mark.parametrize("gamma", [0.9, 0.5])
def test_the_worked_example(gamma: float) -> None:
    """Four episodes in five positions, rate 1: 3, 8, 8 gamma, 3 + 8 gamma^2."""
    values = np.zeros((6, 7))  # by position and action; the last position is the end
    end = 5
    episodes = [
        [(0, 4, 3, 1), (1, 5, 0, 2), (2, 6, 0, end)],
        [(0, 4, 3, 1), (1, 6, 0, 3), (3, 5, 8, end)],
        [(0, 4, 3, 1), (1, 6, 0, 3), (3, 5, 8, end)],
        [(0, 4, 3, 1), (1, 6, 0, 3), (3, 5, 8, end)],
    ]
    expected: list[dict[tuple[int, int], float]] = [
        {(0, 4): 3},
        {(0, 4): 3, (3, 5): 8},
        {(0, 4): 3, (3, 5): 8, (1, 6): 8 * gamma},
        {(0, 4): 3 + 8 * gamma**2, (3, 5): 8, (1, 6): 8 * gamma},
    ]
    for episode, known in zip(episodes, expected, strict=True):
        for place, action, reward, after in episode:
            q_learning.learn(values, place, action, reward, values[after].max(), 1.0, gamma)
        wanted = np.zeros_like(values)
        for at, value in known.items():
            wanted[at] = value
        np.testing.assert_array_equal(values, wanted)


def test_a_table_finds_the_best_answers(tmp_path: Path) -> None:
    """Against an opponent that never varies the best line is found, and no better one exists."""
    game = kb.game("tic_tac_toe")
    net = small(tmp_path / "run", "q_learning", opponent="alphabeta(depth=2, table_mb=0)", steps=600, seat=0)
    assert net.card.results["won"] == 1.0
    assert net.probabilities(game.new().view(0))


def test_a_table_is_a_net_that_says_the_same(tmp_path: Path) -> None:
    game = kb.game("tic_tac_toe")
    table = q_learning.Table(game, 1000)
    rng = np.random.default_rng(1)
    env = SoloEnv(game, games=30)
    for _ in range(6):
        places = table.places(env.observation)
        env.step(env.mask.argmax(axis=1))
    table.values[1 : len(table) + 1] = rng.normal(size=(len(table), 9))
    views = table.views[1 : len(table) + 1]
    net = NetFile(game, Card(game.to_json(), kb.nets.encoding_of(game), "best"), [{"policy": table.layers()}])
    logits, _ = net.net.judge(game, views, np.ones((len(views), 9), np.uint8), np.zeros(len(views), np.int32))
    np.testing.assert_allclose(logits, table.values[1 : len(table) + 1], atol=1e-6)
    unseen = np.roll(views, 1, axis=1)
    assert table.places(unseen, add=False).max() == 0
    assert len(places) == 30


def test_sarsa_learns_what_is_played_and_q_learning_what_is_best(tmp_path: Path) -> None:
    """A cliff: one action in two ends badly right beside the best one, and a third of the moves are random."""

    class CliffState(kb.PythonState):
        """Walk along three cells; a slip costs everything, staying out of it takes longer."""

        def __init__(self) -> None:
            self.at = 0
            self.fallen = False
            self.safe = False

        def player(self) -> int:
            return kb.TERMINAL if self.fallen or self.at == 4 else 0

        def legal(self) -> list[int]:
            return [] if self.player() == kb.TERMINAL else [0, 1]

        def apply(self, action: int) -> None:
            if self.at == 0:
                self.safe, self.at = action == 1, 1
            elif not self.safe and action == 1:
                self.fallen = True
            else:
                self.at += 1

        def returns(self) -> list[float]:
            return [-1.0 if self.fallen else 0.6 if self.safe else 1.0]

    class Cliff(kb.PythonGame):
        """One player."""

        name = "cliff_for_tests"
        state = CliffState
        players = 1
        actions = 2
        max_legal = 2
        max_length = 5
        min_payoff = -1
        max_payoff = 1
        tensor_size = 10

        def tensor(self, view: dict[str, Any], observer: int) -> list[float]:
            return [float(view["at"] == n and view["safe"] == safe) for n in range(5) for safe in (False, True)]

    kb.register(Cliff)
    game = kb.game("cliff_for_tests")
    chosen = {}
    for sarsa in (False, True):
        net = small(
            tmp_path / str(sarsa), "q_learning", game, sarsa=sarsa, steps=3000, epsilon=0.4, gamma=1.0, rate=0.02,
            measure_every=1000,
        )  # fmt: skip
        logits = net.judge([game.new().view(0)])[0][0]
        chosen[sarsa] = int(logits.argmax())
    assert chosen == {False: 0, True: 1}


def test_games_that_a_table_cannot_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(kb.Error, match="q_learning needs a game whose tensor is zeros and ones, which oware is not"):
        small(tmp_path / "oware", "q_learning", kb.game("oware"))
    with pytest.raises(kb.Error, match="tic_tac_toe has more than 20"):
        small(tmp_path / "run", "q_learning", positions=20)


# --- DQN --------------------------------------------------------------------------------------------------------------


def deep_batch() -> Batch:
    rng = np.random.default_rng(1)
    return {
        "view": rng.random((6, 5), np.float32), "next": rng.random((6, 5), np.float32),
        "action": rng.integers(0, 3, 6), "reward": rng.normal(size=6).astype(np.float32),
        "allowed": np.array([[1, 1, 0]] * 6, bool), "over": np.array([0, 0, 1, 0, 0, 1], bool),
        "probability": np.array([0.1, 0.2, 0.3, 0.1, 0.2, 0.1]),
    }  # fmt: skip


@pytest.mark.requirement("OW-30")
@pytest.mark.requirement("DL-34")
@pytest.mark.parametrize("more", [{}, {"loss": "huber"}, {"double": True}, {"prioritised": True}], ids=str)
def test_slopes_are_those_of_the_loss(more: dict[str, Any]) -> None:
    """By each output, against finite differences of a loss that is written down another way."""
    options = dqn.DqnOptions(gamma=0.9, **more)
    net, target = (Seats([5, 8, 3], 1, np.random.default_rng(seed)) for seed in (1, 2))
    batch = deep_batch()
    slopes, errors = dqn.slopes_and_errors(net, target, batch, options, 0.5)
    after, own = target.outputs(batch["next"][None])[0], net.outputs(batch["next"][None])[0]
    values = net.outputs(batch["view"][None])[0].astype(float)
    goals = []
    for row in range(6):
        allowed = [a for a in range(3) if batch["allowed"][row, a]]
        best = max(allowed, key=lambda a: own[row, a] if options.double else after[row, a])
        goals.append(batch["reward"][row] + (0 if batch["over"][row] else 0.9 * after[row, best]))
    beta = 0.4 + 0.6 * 0.5
    rare = batch["probability"] ** -beta if options.prioritised else np.ones(6)
    weights = rare / rare.max()

    def loss(outputs: Any) -> float:
        out = 0.0
        for row in range(6):
            error = outputs[row, batch["action"][row]] - goals[row]
            huber = 0.5 * error**2 if abs(error) <= 1 else abs(error) - 0.5
            out += weights[row] * (huber if options.loss == "huber" else error**2) / 6
        return out

    for row, column in np.ndindex(6, 3):
        step = np.zeros((6, 3))
        step[row, column] = 1e-5
        numeric = (loss(values + step) - loss(values - step)) / 2e-5
        assert slopes[0, row, column] == pytest.approx(numeric, abs=1e-4)
    np.testing.assert_allclose(errors, [values[r, batch["action"][r]] - goals[r] for r in range(6)], atol=1e-5)


@pytest.mark.requirement("OW-30")
def test_the_deep_learner_of_the_study() -> None:
    """16,956 weights; every value that the thesis or its tutorial gives."""
    game = kb.game("oware", preset="thesis")
    _, options = learn.find("dqn", game, "thesis")
    sizes = [game.info.tensor_size, *[int(n) for n in options.hidden.split(",")], game.info.actions]
    assert sizes == [14, 100, 100, 50, 6]
    assert sum(np.size(each) for each in Seats(sizes, 1, np.random.default_rng(1)).parameters()) == 16_956
    wanted = {
        "optimizer": "sgd", "rate": 5e-4, "loss": "square", "gamma": 0.9, "epsilon": 0.1, "last_epsilon": 0.1,
        "batch": 64, "memory": 100_000, "warm_up": 100, "games": 1, "updates": 1, "target_every": 200, "double": False,
        "prioritised": False, "payoff": 100.0, "gain": 36.0, "gains": "difference_no_award", "last_gain": False,
        "illegal": "punished", "illegal_reward": -100.0, "seat": 0, "opponent": "random", "steps": 150_000,
        "measure_every": 100, "measured_games": 10,
    }  # fmt: skip
    assert {name: getattr(options, name) for name in wanted} == wanted


def test_the_target_net_follows_after_so_many_updates(tmp_path: Path) -> None:
    for steps in (33, 35, 36, 43):
        small(tmp_path / str(steps), "dqn", steps=steps, target_every=5, warm_up=8, opponent="random")
        with np.load(tmp_path / str(steps) / "checkpoint.npz") as kept:
            same = all(np.array_equal(kept[f"net/{n}"], kept[f"target/{n}"]) for n in range(4))
            assert same == (int(kept["updates/array"]) % 5 == 0)


# --- Policies ---------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("DL-34")
@pytest.mark.parametrize("entropy", [0.0, 0.3])
def test_slopes_of_a_policy_are_those_of_its_loss(entropy: float) -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(size=(4, 5))
    logits[:, 3] = -np.inf
    action, advantage = np.array([0, 1, 2, 4]), rng.normal(size=4)
    slopes = reinforce.policy_slopes(logits.astype(np.float32), action, advantage.astype(np.float32), entropy)

    def loss(numbers: Any) -> float:
        chances = np.exp(numbers) / np.exp(numbers).sum(axis=1, keepdims=True)
        logs = np.where(chances > 0, np.log(np.maximum(chances, 1e-300)), 0)
        return float(-(advantage * logs[np.arange(4), action]).sum() + entropy * (chances * logs).sum())

    for row, column in np.ndindex(4, 5):
        if column == 3:
            assert slopes[row, column] == 0
            continue
        step = np.zeros((4, 5))
        step[row, column] = 1e-5
        assert slopes[row, column] == pytest.approx((loss(logits + step) - loss(logits - step)) / 2e-5, abs=1e-4)


def test_a_baseline_changes_no_step_on_average_but_its_noise() -> None:
    """Covariance of what is subtracted with the returns makes steps less noisy; the mean stays."""
    rng = np.random.default_rng(1)
    logits = np.tile(np.array([[0.3, -0.2, 0.1]], np.float32), (200_000, 1))
    chances = np.exp(logits[0]) / np.exp(logits[0]).sum()
    action = rng.choice(3, 200_000, p=chances / chances.sum())
    returns = (5 + action + rng.normal(size=200_000)).astype(np.float32)
    plain = reinforce.policy_slopes(logits, action, returns, 0.0)
    better = reinforce.policy_slopes(logits, action, returns - returns.mean(), 0.0)
    np.testing.assert_allclose(plain.mean(axis=0), better.mean(axis=0), atol=0.02)
    assert (better.var(axis=0) < 0.25 * plain.var(axis=0)).all()


@pytest.mark.requirement("OW-39")
@pytest.mark.requirement("DL-34")
@pytest.mark.parametrize("flows", [False, True])
def test_slopes_of_actor_and_critic_reach_every_weight(flows: bool) -> None:
    """The whole gradient, from the loss of a game down to each weight, against finite differences."""
    options = actor_critic.ActorCriticOptions(flows=flows, delta=1.0, entropy=0.1)
    net = Seats([5, 8, 4], 1, np.random.default_rng(3))
    rng = np.random.default_rng(4)
    view, action = rng.random((6, 5), np.float32), rng.integers(0, 3, 6)
    goal = (3 * rng.normal(size=6)).astype(np.float32)
    legal = np.ones((6, 3), bool)
    legal[np.arange(6), (action + 1) % 3] = False
    weight = np.ones(6, np.float32)
    fixed = net.outputs(view[None])[0, :, -1].astype(float)

    def loss() -> float:
        outputs = net.outputs(view[None])[0].astype(float)
        logits = np.where(legal, outputs[:, :3], -np.inf)
        chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        logs = np.where(legal, np.log(np.maximum(chances, 1e-300)), 0)
        values = outputs[:, 3]
        error = np.abs(goal - values)
        huber = np.where(error <= 1, 0.5 * error**2, error - 0.5)
        expected = values if flows else fixed
        taken = logs[np.arange(6), action]
        return float((-(goal - expected) * taken + huber).sum() + 0.1 * (chances * logs).sum())

    numeric = []
    for array in net.parameters():
        slope = np.zeros(array.shape)
        for at in np.ndindex(array.shape):
            before = array[at]
            array[at] = before + 1e-2
            above = loss()
            array[at] = before - 1e-2
            slope[at] = (above - loss()) / 2e-2
            array[at] = before
        numeric.append(slope)
    before_it = [array.copy() for array in net.parameters()]
    outputs = net.outputs(view[None])[0]
    net.descend(actor_critic.slopes_of(outputs, legal, action, goal, weight, weight, options)[None], 1.0)
    for old, new, slope in zip(before_it, net.parameters(), numeric, strict=True):
        np.testing.assert_allclose(old - new, slope, atol=2e-2, rtol=2e-2)


@pytest.mark.requirement("OW-39")
def test_the_actor_and_critic_of_the_study() -> None:
    game = kb.game("oware", preset="thesis")
    _, options = learn.find("actor_critic", game, "thesis")
    nets = Seats([14, int(options.hidden), 7], 1, np.random.default_rng(1))
    assert sum(np.size(each) for each in nets.parameters()) == 5507
    wanted = {
        "hidden": "250", "optimizer": "adam", "rate": 0.01, "gamma": 0.99, "learn": "monte_carlo", "games": 1,
        "delta": 1.0, "sums": True, "standardised": True, "flows": True, "entropy": 0.0, "illegal": "punished",
        "illegal_reward": -100.0, "payoff": 100.0, "gain": 36.0, "steps": 200_000, "best": True,
    }  # fmt: skip
    assert {name: getattr(options, name) for name in wanted} == wanted


def test_adam_takes_the_steps_of_the_paper() -> None:
    """A net of one weight and its bias beside Kingma and Ba's algorithm 1."""
    net = Seats([1, 1], 1, np.random.default_rng(1), adam=True)
    weights = np.array([float(each.reshape(-1)[0]) for each in net.parameters()])
    mean, square = np.zeros(2), np.zeros(2)
    rng = np.random.default_rng(2)
    for step in range(1, 30):
        x, slope = (float(np.float32(rng.normal())) for _ in range(2))
        net.outputs(np.array([[[x]]], np.float32))
        net.descend(np.array([[[slope]]], np.float32), 0.01)
        gradient = np.array([slope * x, slope])
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        weights -= 0.01 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-7)
        np.testing.assert_allclose([float(each.reshape(-1)[0]) for each in net.parameters()], weights, atol=1e-5)


def test_the_critic_of_a_file_speaks_in_payoffs(tmp_path: Path) -> None:
    """What the net expects of the usual start, from its own outputs, within the tanh of files."""
    net = small(tmp_path / "run", "actor_critic", payoff=100.0)
    game = kb.game("tic_tac_toe")
    with np.load(tmp_path / "run" / "checkpoint.npz") as kept:
        seats = Seats([27, 16, 10], 1, np.random.default_rng(1))
        seats.load({key.partition("/")[2]: kept[key] for key in kept if key.startswith("net/") and "av" not in key})
    view = game.new().view(0)
    raw = seats.outputs(np.asarray(view.tensor(), np.float32)[None, None])[0, 0, -1]
    assert net.values(view)[0] == pytest.approx(np.tanh(raw / 100), abs=1e-5)


# --- At play ----------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("OW-45")
def test_empty_pits_are_left_out_and_counted(tmp_path: Path) -> None:
    """A net that always prefers the first pit, then the second, ...: masked it plays the first that is not empty."""
    game = kb.game("oware", preset="thesis")
    bias = np.array([6.0, 5, 4, 3, 2, 1])
    layer = {"kind": "dense", "weights": np.zeros((6, 14)), "bias": bias}
    net = NetFile(game, Card(game.to_json(), kb.nets.encoding_of(game), "best"), [{"policy": [layer]}])
    net.save(tmp_path / "net.npz")
    full = game.new().view(0)
    empty = game.load({"pits": [0, 0, 3, 3, 3, 3] + [3] * 6, "captured": [6, 0], "player": 0}).view(0)
    masked = kb.agent(f'net(file="{tmp_path / "net.npz"}")', game)
    assert [masked.act(full), masked.act(empty)] == [0, 2]
    assert (masked.asked, masked.overruled) == (2, 1)  # type: ignore[attr-defined]
    played = set()
    for seed in range(40):
        free = kb.agent(f'net(file="{tmp_path / "net.npz"}", masked=false)', game, seed=seed)
        assert free.act(full) == 0
        played.add(free.act(empty))
        assert (free.asked, free.overruled) == (2, 1)  # type: ignore[attr-defined]
    assert played == {2, 3, 4, 5}
