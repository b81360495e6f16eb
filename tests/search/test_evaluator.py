"""Evaluators: functions of arrays and nets of the core in every tree search, what they are asked, and bad ones."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import kiebitz as kb
from kiebitz.search import Cache, Ismcts, Net, Pimc, Seated, Uct

Floats = NDArray[np.float32]


def nothing(tensors: Floats, legal: NDArray[np.uint8], movers: NDArray[np.int32]) -> tuple[Floats, Floats]:
    """Knows nothing: all actions alike, all values 0."""
    return np.zeros(legal.shape, np.float32), np.zeros((len(tensors), 2), np.float32)


def dense(rng: np.random.Generator, inputs: int, outputs: int, relu: bool = False) -> dict[str, Any]:
    return {
        "kind": "dense",
        "weights": rng.normal(size=(outputs, inputs)).astype(np.float32) / np.sqrt(inputs),
        "bias": rng.normal(size=outputs).astype(np.float32),
        "relu": relu,
    }


def conv(rng: np.random.Generator, inputs: int, outputs: int) -> dict[str, Any]:
    return {
        "kind": "conv",
        "weights": rng.normal(size=(outputs, inputs, 3, 3)).astype(np.float32) / np.sqrt(9 * inputs),
        "bias": rng.normal(size=outputs).astype(np.float32),
        "relu": True,
    }


def residual(rng: np.random.Generator, channels: int, inside: int) -> dict[str, Any]:
    one, two = conv(rng, channels, inside), conv(rng, inside, channels)
    return {**one, "kind": "residual", "weights2": two["weights"], "bias2": two["bias"]}


def small_net(name: str = "leduc", seed: int = 1) -> Net:
    game, rng = kb.game(name), np.random.default_rng(seed)
    size, actions, players = game.info.tensor_size, game.info.actions, game.info.players
    trunk = [dense(rng, size, 24, relu=True)]
    return Net(game, trunk, [dense(rng, 24, actions)], [dense(rng, 24, players)])


# --- What a search asks -----------------------------------------------------------------------------------------------


def test_a_function_is_asked_in_batches_of_positions_and_the_answer_counts() -> None:
    game = kb.game("connect_four")
    asked: list[int] = []

    def likes_d(tensors: Floats, legal: NDArray[np.uint8], movers: NDArray[np.int32]) -> tuple[Floats, Floats]:
        assert tensors.shape == (len(movers), game.info.tensor_size)
        assert legal.shape == (len(movers), game.info.actions)
        assert set(movers) <= {0, 1}
        asked.append(len(movers))
        logits = np.zeros(legal.shape, np.float32)
        logits[:, 3] = 2
        return logits, np.zeros((len(movers), 2), np.float32)

    found = Uct(game, iterations=300, evaluator=likes_d, leaves=8, batch=8).search(game.new())
    assert found.best_name == "d"
    assert found.iterations == 300
    assert max(asked) == 8
    assert sum(asked) == found.leaves


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "oware", "nim"])
def test_the_arrays_are_what_the_player_to_move_knows(name: str) -> None:
    game = kb.game(name)
    state = game.new(seed=1)
    asked: list[tuple[Floats, list[int]]] = []

    def look(tensors: Floats, legal: NDArray[np.uint8], movers: NDArray[np.int32]) -> tuple[Floats, Floats]:
        asked.append((tensors[0], np.flatnonzero(legal[0]).tolist()))
        return nothing(tensors, legal, movers)

    Uct(game, iterations=1, evaluator=look, leaves=1).search(state)
    np.testing.assert_array_equal(asked[0][0], np.asarray(state.view(state.player).tensor(), np.float32))
    assert asked[0][1] == state.legal()


def test_in_hidden_games_it_is_never_more_than_a_view() -> None:
    game = kb.game("leduc")
    state = game.new(seed=3)
    view = state.view(state.player)
    first: list[Floats] = []

    def look(tensors: Floats, legal: NDArray[np.uint8], movers: NDArray[np.int32]) -> tuple[Floats, Floats]:
        first.append(tensors[0].copy())
        return nothing(tensors, legal, movers)

    for search in (
        Pimc(Uct(game, iterations=5, evaluator=look), worlds=20),
        Ismcts(game, iterations=5, evaluator=look),
    ):
        first.clear()
        search.search(view)
        np.testing.assert_array_equal(first[0], np.asarray(view.tensor(), np.float32))


@pytest.mark.parametrize("leaves", [1, 4])
def test_batches_change_nothing(leaves: int) -> None:
    game = kb.game("leduc")
    state = game.new(seed=2)
    view, net = state.view(state.player), small_net()
    several: dict[str, Any] = {"iterations": 60, "evaluator": net, "leaves": leaves}
    pairs = [
        [Pimc(Uct(game, batch=batch, **several), worlds=30, seed=4).search(view) for batch in (leaves, 64)],
        [Ismcts(game, streams=9, batch=batch, **several).search(view) for batch in (leaves, 64)],
    ]
    for one, other in pairs:
        assert _plain(one) == _plain(other)


def test_a_game_written_in_python_takes_an_evaluator_too() -> None:
    import examples.hexapawn  # noqa: F401 (registers the game)

    game = kb.game("hexapawn")
    found = Uct(game, iterations=200, evaluator=nothing).search(game.new())
    assert (found.status, found.value) == ("proven", -1)  # whoever begins loses


def test_a_cache_answers_again_and_changes_nothing() -> None:
    game = kb.game("connect_four")
    net = small_net("connect_four")
    cache = Cache(net, megabytes=8)
    plain = Uct(game, iterations=500, evaluator=net).search(game.new())
    assert _plain(Uct(game, iterations=500, evaluator=cache).search(game.new())) == _plain(plain)
    asked = cache.misses
    assert asked <= plain.leaves
    assert _plain(Uct(game, iterations=500, evaluator=cache).search(game.new())) == _plain(plain)
    assert cache.misses < asked * 1.05  # a place is taken by another position now and then
    assert cache.hits >= 0.95 * plain.leaves


def test_a_cache_can_be_looked_at_while_it_is_asked() -> None:
    """By the evaluator inside, and from another thread."""
    game = kb.game("connect_four")
    seen: list[int] = []

    def looks(*arrays: Any) -> tuple[Floats, Floats]:
        seen.append(cache.hits + cache.misses)
        return nothing(*arrays)

    cache = Cache(looks)
    threads = [
        threading.Thread(target=Uct(game, iterations=2000, evaluator=cache, seed=seed).search, args=(game.new(),))
        for seed in range(3)
    ]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        seen.append(cache.misses)
    assert len(seen) > 100
    assert cache.misses > 0


def test_evaluators_of_seats_can_be_nested() -> None:
    game = kb.game("leduc")
    one, two = small_net(seed=1), small_net(seed=2)
    inner = Seated([one, two])
    rng = np.random.default_rng(1)
    tensors = rng.normal(size=(8, game.info.tensor_size)).astype(np.float32)
    legal = np.ones((8, game.info.actions), np.uint8)
    movers = np.array([0, 1] * 4, np.int32)
    expected = [net.judge(game, tensors, legal, movers)[0] for net in (one, two)]
    found = Seated([inner, inner]).judge(game, tensors, legal, movers)[0]
    np.testing.assert_array_equal(found, np.where(movers[:, None] == 0, expected[0], expected[1]))
    with pytest.raises(kb.Error, match="expected movers from 0 to 1, got 9"):
        inner.judge(game, tensors, legal, np.full(8, 9, np.int32))
    with pytest.raises(kb.UnsuitableGame, match="expected an evaluator for each of the 2 players"):
        Uct(kb.game("connect_four"), iterations=10, evaluator=Seated([small_net("connect_four")]))


def test_there_is_a_simulation_in_the_smallest_budget() -> None:
    board, cards = kb.game("connect_four"), kb.game("leduc")
    view = cards.new(seed=1).view(0)
    assert Uct(board, nodes=5, evaluator=nothing).search(board.new()).iterations >= 1
    assert Ismcts(cards, nodes=2, evaluator=nothing).search(view).iterations >= 1
    assert Pimc(Uct(cards, nodes=2, evaluator=nothing), worlds=3).search(view).worlds == 3


def test_worlds_count_against_the_time() -> None:
    game = kb.game("doppelkopf")
    state = game.new(seed=1)
    while len(state.legal()) < 2 or state.phase != "card":
        decline = game.info.decline
        state.apply(decline if state.phase == "call" and decline is not None else state.legal()[0])
    stop = kb.search.StopToken()
    stop.request()
    asked: list[int] = []

    def counts(tensors: Floats, legal: NDArray[np.uint8], movers: NDArray[np.int32]) -> tuple[Floats, Floats]:
        asked.append(len(movers))
        return np.zeros(legal.shape, np.float32), np.zeros((len(movers), 4), np.float32)

    tree = Uct(game, iterations=1000, evaluator=counts, leaves=1)
    found = Pimc(tree, worlds=2000).search(state.view(state.player), stop=stop)
    assert found.iterations >= 1
    assert sum(asked) < 200
    # One tree for worlds in which other actions are open.
    told = Ismcts(game, iterations=400, evaluator=counts).search(state.view(state.player))
    assert sum(action.visits for action in told.actions) == told.iterations == 400


# --- Nets of the core -------------------------------------------------------------------------------------------------


def by_hand(layers: list[dict[str, Any]], x: Any) -> Any:
    """A row through layers, as frameworks compute them."""

    def convolve(weights: Any, bias: Any, planes: Any) -> Any:
        around = np.pad(planes, ((0, 0), (1, 1), (1, 1)))
        rows, columns = planes.shape[1:]
        taps = np.stack([around[:, y : y + rows, x : x + columns] for y in range(3) for x in range(3)], axis=1)
        return np.einsum("oit,ityx->oyx", weights.reshape(*weights.shape[:2], 9), taps) + bias[:, None, None]

    for layer in layers:
        if layer["kind"] == "dense":
            out = layer["weights"] @ x.ravel() + layer["bias"]
        else:
            out = convolve(layer["weights"], layer["bias"], x)
            if layer["kind"] == "residual":
                out = convolve(layer["weights2"], layer["bias2"], np.maximum(out, 0)) + x
        x = np.maximum(out, 0) if layer.get("relu") else out
    return x


def test_a_net_computes_what_its_layers_say() -> None:
    """Widths that fill no vector and more rows than fit into one tile included."""
    game, rng = kb.game("connect_four"), np.random.default_rng(5)
    size = game.info.tensor_size
    planes = size // 42
    trunk = [conv(rng, planes, 19), residual(rng, 19, 7), residual(rng, 19, 33)]
    policy = [conv(rng, 19, 3), dense(rng, 3 * 42, 7)]
    value = [dense(rng, 19 * 42, 11, relu=True), dense(rng, 11, 1)]
    net = Net(game, trunk, policy, value, board=(planes, 6, 7))
    n = 29
    tensors = rng.normal(size=(n, size)).astype(np.float32)
    movers = rng.integers(0, 2, n).astype(np.int32)
    logits, values = net.judge(game, tensors, np.ones((n, 7), np.uint8), movers)
    for row in range(n):
        common = by_hand(trunk, tensors[row].astype(float).reshape(planes, 6, 7))
        np.testing.assert_allclose(logits[row], by_hand(policy, common), atol=1e-4)
        expected = np.tanh(by_hand(value, common)[0])
        np.testing.assert_allclose(values[row, movers[row]], expected, atol=1e-4)
        np.testing.assert_allclose(values[row].sum(), 0, atol=1e-6)
    for row in (0, 13, 28):  # to the last bit, whatever is judged beside it
        alone = net.judge(game, tensors[row : row + 1], np.ones((1, 7), np.uint8), movers[row : row + 1])
        np.testing.assert_array_equal(alone[0][0], logits[row])
        np.testing.assert_array_equal(alone[1][0], values[row])


def test_values_of_a_net_begin_with_the_player_to_move_and_have_the_range_of_the_payoffs() -> None:
    game, rng = kb.game("leduc"), np.random.default_rng(1)
    head = dense(rng, 4, 2)
    head["weights"][:], head["bias"][:] = 0, (0.5, -2)
    net = Net(game, [dense(rng, game.info.tensor_size, 4)], [], [head])
    tensors = np.zeros((2, game.info.tensor_size), np.float32)
    _, values = net.judge(game, tensors, np.ones((2, game.info.actions), np.uint8), np.array([0, 1], np.int32))
    most = game.info.max_payoff
    np.testing.assert_allclose(values, most * np.tanh([[0.5, -2], [-2, 0.5]]), rtol=1e-6)


# --- Bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (3, "expected a pair"),
        ((np.zeros((1, 3)), np.zeros((1, 2))), "expected logits as an array of 1 x 7 numbers, got (1, 3)"),
        ((np.zeros((1, 7)), np.zeros(1)), "expected values as an array of 1 x 2 numbers, got (1,)"),
        ((np.full((1, 7), np.nan), np.zeros((1, 2))), "expected finite logits"),
        ((np.zeros((1, 7)), np.full((1, 2), np.inf)), "expected finite values"),
    ],
)
def test_answers_that_no_search_can_use_are_refused(answer: Any, words: str) -> None:
    game = kb.game("connect_four")
    search = Uct(game, iterations=10, evaluator=lambda *_: answer)
    for _ in range(2):
        with pytest.raises(kb.Error) as caught:
            search.search(game.new())
        assert words in str(caught.value)


def test_what_an_evaluator_raises_passes_through() -> None:
    game = kb.game("connect_four")

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("as written")

    with pytest.raises(ZeroDivisionError, match="as written"):
        Uct(game, iterations=10, evaluator=broken).search(game.new())


def test_what_is_no_evaluator_and_a_net_of_another_game_are_refused() -> None:
    game = kb.game("connect_four")
    with pytest.raises(kb.Error, match="expected an Evaluator or a function, got 7"):
        Uct(game, iterations=10, evaluator=7)  # type: ignore[arg-type]
    with pytest.raises(kb.UnsuitableGame, match="made for leduc"):
        Uct(game, iterations=10, evaluator=small_net("leduc"))
    with pytest.raises(kb.UnsuitableGame, match="made for leduc"):
        Uct(game, iterations=10, evaluator=Cache(small_net("leduc")))


def test_layers_that_do_not_fit_are_refused_by_number() -> None:
    game, rng = kb.game("connect_four"), np.random.default_rng(1)
    size = game.info.tensor_size
    cases: list[tuple[list[dict[str, Any]], str]] = [
        ([dense(rng, size, 5), dense(rng, 6, 5)], "layer 1 of the trunk"),
        ([conv(rng, 3, 5)], "expected a board in front of a convolution"),
        ([{**dense(rng, size, 5), "kind": "magic"}], "expected dense, conv, residual or counts, got 'magic'"),
        ([{"kind": "dense"}], "expected 'weights'"),
        ([{**dense(rng, size, 5), "bias": np.full(5, np.nan)}], "expected finite numbers"),
    ]
    for trunk, words in cases:
        with pytest.raises(kb.Error) as caught:
            Net(game, trunk, [dense(rng, 5, 7)], [])
        assert words in str(caught.value)
    with pytest.raises(kb.Error, match="expected the policy to end with 7 numbers"):
        Net(game, [dense(rng, size, 5)], [dense(rng, 5, 6)], [])
    with pytest.raises(kb.Error, match="planes x rows x columns"):
        Net(game, [conv(rng, 3, 5)], [], [], board=(1, 6, 7))


def test_options_of_playouts_are_refused_beside_an_evaluator() -> None:
    game = kb.game("connect_four")
    for option in (
        {"playout": "evaluation"},
        {"expand": "all"},
        {"reuse": True},
        {"leaves": 0},
        {"leaves": 9, "batch": 8},
    ):
        with pytest.raises(kb.Error):
            Uct(game, iterations=10, evaluator=nothing, **option)


def test_two_searches_that_share_an_evaluator_do_not_lose_it() -> None:
    class Evaluating:
        def __call__(self, *arrays: Any) -> tuple[Floats, Floats]:
            return nothing(*arrays)

    game, evaluator = kb.game("leduc"), Evaluating()
    evaluator.tree = Uct(game, iterations=10, evaluator=evaluator)  # type: ignore[attr-defined]
    evaluator.worlds = [Pimc(evaluator.tree, worlds=2)]  # type: ignore[attr-defined]
    gc.collect()
    assert set(vars(evaluator)) == {"tree", "worlds"}
    view = game.new(seed=1).view(0)
    assert evaluator.worlds[0].search(view).best in view.legal()  # type: ignore[attr-defined]


def test_an_evaluator_that_knows_its_search_is_collected() -> None:
    class Evaluating:
        search: Any = None

        def __call__(self, *arrays: Any) -> tuple[Floats, Floats]:
            return nothing(*arrays)

    game = kb.game("tic_tac_toe")
    evaluator = Evaluating()
    evaluator.search = Uct(game, iterations=10, evaluator=evaluator)
    gone = weakref.ref(evaluator)
    del evaluator
    gc.collect()
    assert gone() is None


def _plain(analysis: kb.search.Analysis) -> dict[str, Any]:
    return {name: value for name, value in analysis.to_dict().items() if name != "seconds"}


# --- What is proven ---------------------------------------------------------------------------------------------------


def tree(*payoffs: float | list[float]) -> kb.Game:
    """The first player chooses an end, or a position (a list of ends) in which the second one chooses."""

    def node(value: float | list[float]) -> dict[str, Any]:
        if isinstance(value, list):
            return {"player": "B", "actions": {f"r{n}": node(each) for n, each in enumerate(value)}}
        return {"payoffs": [value, -value]}

    actions = {f"m{n}": node(value) for n, value in enumerate(payoffs)}
    return kb.game("tree", tree={"title": "t", "players": ["A", "B"], "root": {"player": "A", "actions": actions}})


def fond_of(action: int) -> Any:
    """Likes one action, and knows nothing else."""

    def judge(tensors: Floats, legal: NDArray[np.uint8], movers: NDArray[np.int32]) -> tuple[Floats, Floats]:
        logits = np.zeros(legal.shape, np.float32)
        logits[:, action] = 6
        return logits, np.zeros((len(tensors), 2), np.float32)

    return judge


@pytest.mark.parametrize("high", [0.1, 0.7, 1.0, 1e18])
def test_a_proven_win_is_played_whatever_the_payoffs(high: float) -> None:
    game = tree(high, [-high, 0.0], 0.0)
    found = Uct(game, iterations=2000, evaluator=fond_of(1)).search(game.new())
    assert (found.best_name, found.value, found.status) == ("m0", high, "proven")


def test_payoffs_that_single_precision_cannot_tell_apart_are_told_apart() -> None:
    most = float(2**24 + 1)
    game = tree(most - 1, most, 0.0)
    found = Uct(game, iterations=50, evaluator=fond_of(0), leaves=1).search(game.new())
    assert (found.best_name, found.value, found.status) == ("m1", most, "proven")


@pytest.mark.parametrize("payoff", [0.0, float(2**24)])
def test_a_search_ends_where_all_payoffs_are_alike(payoff: float) -> None:
    game = tree(payoff, [payoff, payoff + (payoff > 0)], payoff)
    assert Uct(game, iterations=20, evaluator=nothing).search(game.new()).iterations <= 20


def test_a_certain_draw_hides_no_win() -> None:
    """Nothing can be learned where everything is known, so the simulations go elsewhere."""
    game = tree(0.0, [-1.0, 1.0], [1.0, 1.0])
    found = Uct(game, iterations=100, evaluator=fond_of(0), leaves=1).search(game.new())
    assert (found.best_name, found.status) == ("m2", "proven")
    # And a draw that is certain is taken before what looks worse.
    game = tree(0.0, [-1.0, 1.0], [-1.0, 0.5])
    found = Uct(game, iterations=100, evaluator=fond_of(1), leaves=1).search(game.new())
    assert (found.best_name, found.value, found.status) == ("m0", 0.0, "proven")
