"""Files of trained nets: what is written is what plays, and what does not fit is refused by name."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kiebitz as kb
from kiebitz.nets import Card, NetFile, encoding_of
from kiebitz.solve.archive import write_archive


def made(name: str = "leduc", seed: int = 1, **card: Any) -> NetFile:
    """A net with random weights."""
    game, rng = kb.game(name), np.random.default_rng(seed)

    def dense(inputs: int, outputs: int, relu: bool = False) -> dict[str, Any]:
        weights, bias = rng.normal(size=(outputs, inputs)).astype(np.float32), rng.normal(size=outputs)
        return {"kind": "dense", "weights": weights, "bias": bias.astype(np.float32), "relu": relu}

    info = game.info
    layers = {
        "trunk": [dense(info.tensor_size, 8, relu=True)],
        "policy": [dense(8, info.actions)],
        "value": [dense(8, info.players)],
    }
    return NetFile(game, Card(game.to_json(), encoding_of(game), **card), [layers])


def test_a_net_is_the_same_after_it_was_saved(tmp_path: Path) -> None:
    net = made(method="by hand", config={"rate": 0.1}, results={"loss": 0.5}, steps=7)
    net.save(tmp_path / "net.npz")
    again = NetFile.load(tmp_path / "net.npz", net.game)
    assert again.card == net.card
    assert repr(again) == repr(net) == "NetFile(leduc, 320 weights, by hand)"
    view = net.game.new(seed=1).view(0)
    assert again.probabilities(view) == net.probabilities(view)
    assert again.values(view) == net.values(view)
    assert sum(net.probabilities(view).values()) == pytest.approx(1)


def test_a_net_plays_as_its_card_says(tmp_path: Path) -> None:
    for chooses in ("draw", "best"):
        net = made(chooses=chooses)
        net.save(tmp_path / f"{chooses}.npz")
    game = kb.game("leduc")
    views = [game.new(seed=seed).view(0) for seed in range(60)]
    best = kb.agent(f'net(file="{tmp_path}/best.npz")', game)
    for view in views:
        chances = net.probabilities(view)
        assert best.act(view) == max(chances, key=lambda action: chances[action])
    draws = [kb.agent(f'net(file="{tmp_path}/draw.npz")', game, seed=seed) for seed in range(400)]
    view = views[0]
    for action, p in net.probabilities(view).items():
        share = np.mean([agent.act(view) == action for agent in draws])
        assert abs(share - p) < 4 * np.sqrt(p * (1 - p) / len(draws)) + 1e-9


def test_the_policy_of_a_net_can_be_measured_exactly(tmp_path: Path) -> None:
    made().save(tmp_path / "net.npz")
    game = kb.game("leduc")
    policy = kb.solve.Policy.from_agent(game, kb.agent(f'net(file="{tmp_path}/net.npz")', game))
    assert 0 < kb.solve.exploitability(game, policy) < 13


def test_nets_of_other_games_and_encodings_are_refused_by_name(tmp_path: Path) -> None:
    net, path = made(), tmp_path / "net.npz"
    net.save(path)
    with pytest.raises(kb.UnsuitableGame, match=r"made for leduc, not for kuhn"):
        NetFile.load(path, kb.game("kuhn"))
    with pytest.raises(kb.UnsuitableGame, match=r"not for leduc\(raises=3\)"):
        NetFile.load(path, kb.game("leduc", raises=3))
    net.card = dataclasses.replace(net.card, encoding="0123", version="0.0.9")
    net.save(path)
    with pytest.raises(kb.UnsuitableGame, match=r"made by Kiebitz 0.0.9, which wrote leduc down in another way"):
        NetFile.load(path)


def test_each_seat_can_have_a_net_of_its_own(tmp_path: Path) -> None:
    first, second = made(seed=1), made(seed=2)
    both = NetFile(first.game, first.card, [*first.seats, *second.seats])
    both.save(tmp_path / "net.npz")
    both = NetFile.load(tmp_path / "net.npz")
    state = first.game.new(seed=1)
    for net in (first, second):
        view = state.view(state.player)
        assert both.probabilities(view) == net.probabilities(view)
        assert both.values(view) == net.values(view)
        state.apply(state.parse("bet") if "bet" in map(state.name, state.legal()) else state.legal()[0])


def damaged(path: Path) -> list[bytes]:
    whole = path.read_bytes()
    cut = [whole[:n] for n in (0, 10, len(whole) // 2, len(whole) - 30)]
    middle = len(whole) // 2
    return [*cut, whole[:middle] + b"xxxxxxxx" + whole[middle + 8 :], b"not a net at all"]


def test_damaged_files_are_refused_with_one_message(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    made().save(path)
    for number, data in enumerate(damaged(path)):
        broken = tmp_path / f"{number}.npz"
        broken.write_bytes(data)
        with pytest.raises(kb.Error, match=str(broken)):
            NetFile.load(broken)
    with pytest.raises(kb.Error, match="there is no such file"):
        NetFile.load(tmp_path / "nowhere.npz")


EMPTY: dict[str, list[Any]] = {"trunk": [], "policy": [], "value": []}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"card": "[]"}, "expected a net"),
        ({"card": "{}"}, "expected a net"),
        ({"card": "{"}, "expected a net"),
        ({"layers": json.dumps({"board": [0, 0, 0], "seats": [{"trunk": [], "policy": []}]})}, "expected a net"),
        ({"layers": json.dumps({"board": [1, 6, 7], "seats": [EMPTY]})}, "planes x rows"),
        ({"layers": json.dumps({"board": [10**12, 1, 1], "seats": [EMPTY]})}, "planes, rows and columns"),
        ({"layers": json.dumps({"board": [1e400, 1, 1], "seats": [EMPTY]})}, "expected a net"),
        ({"layers": json.dumps({"board": [0, 0, 0], "seats": [EMPTY] * 3})}, "one for each of 2 seats"),
        ({"0.policy.0.weights": np.zeros(5, np.float32)}, "layer 0 of the policy"),
        ({"0.policy.0.weights": np.full((6, 8), np.nan, np.float32)}, "finite"),
        ({"0.policy.0.weights": np.array("text")}, "expected 32-bit numbers"),
        ({"format": "kiebitz policy 1"}, "expected the format 'kiebitz net 1'"),
    ],
)
def test_files_that_make_no_sense_are_refused(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    path = tmp_path / "net.npz"
    made().save(path)
    with np.load(path) as archive:
        arrays = dict(archive) | {name: np.asarray(value) for name, value in changes.items()}
    write_archive(path, arrays)
    with pytest.raises(kb.Error) as caught:
        NetFile.load(path)
    assert words in str(caught.value)


def test_cards_that_say_nothing_known_are_refused() -> None:
    for card in ({"chooses": "sometimes"}, {"version": 5}, {"instead": "x"}, {"instead": -1}):
        with pytest.raises(kb.Error, match="card: expected"):
            made(**card)


def test_equal_rules_asked_for_in_other_words_are_the_same_game(tmp_path: Path) -> None:
    made().save(tmp_path / "net.npz")
    assert NetFile.load(tmp_path / "net.npz", kb.game("leduc", preset="standard")).parameters == 320


def counted(scale: Any = 12, seed: int = 2) -> NetFile:
    """A net with a weight for each of 0 to 4 seeds in a pit, not more."""
    net = made("oware")
    rng, size = np.random.default_rng(seed), net.game.info.tensor_size
    counts = {"kind": "counts", "weights": rng.normal(size=(8, 5 * size)), "bias": np.zeros(8), "scale": scale}
    return NetFile(net.game, net.card, [{**net.seats[0], "trunk": [counts]}])


def test_layers_of_counts_are_the_same_after_they_were_saved(tmp_path: Path) -> None:
    net = counted(48)
    net.save(tmp_path / "net.npz")
    again = NetFile.load(tmp_path / "net.npz")
    assert again.seats[0]["trunk"][0]["scale"] == 48
    assert again.parameters == net.parameters
    state = net.game.new(seed=1)
    views = [state.view(0)]
    for _ in range(6):
        state.apply(state.legal()[0])
        views.append(state.view(state.player))
    for one, other in zip(net.judge(views), again.judge(views), strict=True):
        np.testing.assert_array_equal(one, other)


def test_layers_without_a_scale_have_the_scale_one(tmp_path: Path) -> None:
    """Files that were written before layers of counts existed have none anywhere."""
    path = tmp_path / "net.npz"
    made("oware").save(path)
    with np.load(path) as archive:
        assert "scale" not in str(archive["layers"])
    counted(1.0).save(path)
    with np.load(path) as archive:
        arrays = dict(archive)
    write_archive(path, arrays | {"layers": np.array(str(arrays["layers"]).replace(', "scale": 1.0', ""))})
    view = kb.game("oware").new(seed=1).view(0)
    without = NetFile.load(path)
    assert "scale" not in without.seats[0]["trunk"][0]
    assert without.probabilities(view) == counted(1.0).probabilities(view) != counted().probabilities(view)


@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf"), "much", None])
def test_scales_that_make_no_counts_are_refused(scale: Any) -> None:
    with pytest.raises(kb.Error, match=r"expected a (scale above 0|number as scale)"):
        counted(scale)


@pytest.mark.parametrize("scale", ["0", "NaN", "-1e400", '"much"', "null", "[1]"])
def test_files_with_such_scales_are_refused(tmp_path: Path, scale: str) -> None:
    path = tmp_path / "net.npz"
    counted(1.0).save(path)
    with np.load(path) as archive:
        arrays = dict(archive)
    write_archive(
        path, arrays | {"layers": np.array(str(arrays["layers"]).replace('"scale": 1.0', f'"scale": {scale}'))}
    )
    with pytest.raises(kb.Error, match=str(path)):
        NetFile.load(path)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"card": "[" * 100_000}, "expected a net"),
        ({"layers": "[" * 100_000}, "expected a net"),
        ({"layers": json.dumps({"board": [0.5, 2, 3], "seats": [EMPTY]})}, "expected a net"),
        ({"0.policy.0.weights": np.zeros((8, 6), np.float32)}, "expected weights and bias of one layer"),
        ({"0.policy.0.weights": np.zeros((6, 4, 2), np.float32)}, "expected weights and bias of one layer"),
    ],
)
def test_more_files_that_make_no_sense_are_refused(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    test_files_that_make_no_sense_are_refused(tmp_path, changes, words)


@pytest.mark.parametrize("field", ["steps", "seed", "hours", "config", "results", "data", "instead"])
def test_cards_of_other_types_are_refused(field: str) -> None:
    wrong: dict[str, Any] = {field: ["x"]}
    with pytest.raises(kb.Error, match=f"card: expected .*{field}"):
        Card({"name": "kuhn"}, "0", **wrong)


def test_an_action_that_the_game_has_not_is_no_instead() -> None:
    card = Card({"name": "kuhn"}, "0", instead=99)
    with pytest.raises(kb.Error, match="card: expected an action of kuhn as instead, got 99"):
        NetFile(kb.game("kuhn"), card, made("kuhn").seats)
