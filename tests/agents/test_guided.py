"""Nets inside searches: what each option means, what is written back, and what is refused by name."""

from __future__ import annotations

import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import kiebitz as kb
from kiebitz.agents import strengths
from kiebitz.agents.base import files_of
from kiebitz.agents.opinion import opinion_of
from kiebitz.games import registry
from kiebitz.nets import Card, NetFile, encoding_of, shipped
from kiebitz.options import describe
from kiebitz.search import Parts, Uct
from kiebitz.server.errors import TableError
from kiebitz.server.safety import levels, listed_agents, safe_spec


def made(game: kb.Game, seed: int = 1, parts: tuple[str, ...] = ("policy", "value")) -> NetFile:
    """A net with random weights."""
    rng, info = np.random.default_rng(seed), game.info

    def dense(inputs: int, outputs: int, relu: bool = False) -> dict[str, Any]:
        weights, bias = rng.normal(size=(outputs, inputs)).astype(np.float32), rng.normal(size=outputs)
        return {"kind": "dense", "weights": weights, "bias": bias.astype(np.float32), "relu": relu}

    sizes = {"policy": info.actions, "value": info.players}
    layers = {"trunk": [dense(info.tensor_size, 8, relu=True)], **{part: [dense(8, sizes[part])] for part in parts}}
    return NetFile(game, Card(game.to_json(), encoding_of(game)), [layers])


def saved(folder: Path, name: str, seed: int = 1, parts: tuple[str, ...] = ("policy", "value")) -> str:
    path = folder / f"{name}{seed}{''.join(parts)}.npz"
    made(kb.game(name), seed, parts).save(path)
    return str(path)


def ship(folder: Path, monkeypatch: pytest.MonkeyPatch, game: kb.Game) -> Path:
    """Lets Kiebitz come with a net for a game."""
    path = folder / "shipped-one.npz"
    made(game).save(path)
    monkeypatch.setattr(registry, "shipped_nets", lambda name: [path] if name == game.name else [])
    monkeypatch.setattr("kiebitz.nets.shipped_nets", registry.shipped_nets)
    return path


# --- What options mean ------------------------------------------------------------------------------------------------


def test_a_net_guides_the_tree_as_its_evaluator_does(tmp_path: Path) -> None:
    file = saved(tmp_path, "connect_four")
    game = kb.game("connect_four")
    net = NetFile.load(file, game)
    view = game.new().view(0)
    for spec, given in (
        (f'uct(iterations=200, prior="{file}")', {"evaluator": net.net}),
        (f'uct(iterations=200, value="{file}")', {"evaluator": Parts(None, net.net)}),
        (f'uct(iterations=200, prior="{file}", value=playout)', {"evaluator": net.net, "values": "playout"}),
        (f'uct(iterations=200, default_policy="{file}")', {"default_policy": net.net, "values": "playout"}),
        (
            f'uct(iterations=200, prior="{file}", default_policy="{file}", cache_mb=0)',
            {"evaluator": net.net, "default_policy": net.net, "values": "playout"},
        ),
    ):
        agent = kb.agent(spec, game, seed=3)
        found = agent.analyse(view)
        same = Uct(game, iterations=200, seed=agent.seed_for(view), **given).search(view.sample(0))
        assert [a.visits for a in found.actions] == [a.visits for a in same.actions], spec
        assert agent.pure


def test_priors_and_values_can_come_from_two_nets(tmp_path: Path) -> None:
    one, other = saved(tmp_path, "connect_four", 1), saved(tmp_path, "connect_four", 2)
    game = kb.game("connect_four")
    view = game.new().view(0)
    found = kb.agent(f'uct(iterations=50, prior="{one}", value="{other}")', game).analyse(view)
    assert found.prior_value == pytest.approx(NetFile.load(other).values(view)[0], abs=1e-6)
    chances = NetFile.load(one).probabilities(view)
    assert {a.action: a.prior for a in found.actions} == pytest.approx(chances, abs=1e-6)


@pytest.mark.parametrize("spec", ["ismcts(iterations=100, {})", "pimc(uct(iterations=50, {}), worlds=5)"])
def test_nets_guide_searches_of_hidden_games(tmp_path: Path, spec: str) -> None:
    file = saved(tmp_path, "leduc")
    game = kb.game("leduc")
    view = game.new(seed=3).view(0)
    net = NetFile.load(file)
    for options in (
        f'prior="{file}"', f'value="{file}"', f'prior="{file}", value=playout', f'default_policy="{file}"',
    ):  # fmt: skip
        agent = kb.agent(spec.format(options), game, seed=1)
        found = agent.analyse(view)
        assert [a.visits for a in found.actions] == [a.visits for a in agent.analyse(view).actions]
        assert kb.agent(agent.spec, game, seed=1) == agent
        if "prior" in options:
            assert {a.action: a.prior for a in found.actions} == pytest.approx(net.probabilities(view), abs=1e-6)
        if options.startswith("value"):
            assert all(a.prior is None for a in found.actions)
            assert found.prior_value == pytest.approx(net.values(view)[0], abs=1e-5)


def test_alpha_beta_takes_the_value_of_a_net(tmp_path: Path) -> None:
    file = saved(tmp_path, "oware")
    game = kb.game("oware")
    net = NetFile.load(file, game)
    state = game.new()
    agent = kb.agent(f'alphabeta(depth=3, value="{file}")', game)
    by_net = agent.analyse(state.view(0))

    def judged(at: kb.State, player: int) -> float:
        return net.values(at.view(at.player))[player]

    plain = kb.search.AlphaBeta(game, depth=3, evaluation=judged).search(state)
    assert by_net.value == pytest.approx(plain.value, abs=1e-6)
    assert by_net.prior_value == pytest.approx(net.values(state.view(0))[0], abs=1e-6)
    assert by_net.status == "estimated"
    assert kb.agent(f'alphabeta(value="{file}")', game).analyse(state.view(0)).nodes <= 50_000


def test_a_net_alone_says_its_policy_and_value(tmp_path: Path) -> None:
    file = saved(tmp_path, "leduc")
    game = kb.game("leduc")
    view = game.new(seed=1).view(0)
    found = kb.agent(f'net(file="{file}")', game).analyse(view)
    net = NetFile.load(file)
    assert {a.action: a.prior for a in found.actions} == net.probabilities(view)
    assert found.prior_value == net.values(view)[0]
    assert found.to_dict()["actions"][0]["prior"] == found.actions[0].prior


def test_specs_are_written_back_and_files_are_listed_for_other_processes(tmp_path: Path) -> None:
    file = saved(tmp_path, "leduc")
    game = kb.game("leduc")
    spec = f'pimc(uct(iterations=20, prior="{file}", value=playout), worlds=3)'
    agent = kb.agent(spec, game)
    assert agent.spec == spec
    assert [str(path) for path in files_of(spec)] == [file]
    assert files_of(f'alphabeta(value="{file}")') == [Path(file)]
    assert files_of("uct(prior=shipped, value=playout)") == []
    assert pickle.loads(pickle.dumps(agent)) == agent
    named = {info.name: info for info in describe(type(kb.agent("uct", kb.game("nim")).options))}
    assert named["value"].file == ("shipped", "playout")


# --- What is refused --------------------------------------------------------------------------------------------------


def test_nets_that_do_not_fit_are_refused_by_name(tmp_path: Path) -> None:
    leduc, value = saved(tmp_path, "leduc"), saved(tmp_path, "connect_four", parts=("value",))
    policy = saved(tmp_path, "connect_four", parts=("policy",))
    game = kb.game("connect_four")
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"nothing")
    for spec, words in (
        (f'uct(prior="{leduc}")', "this net was made for leduc, not for connect_four"),
        (f'alphabeta(value="{leduc}")', "this net was made for leduc, not for connect_four"),
        (f'uct(prior="{broken}")', "broken.npz"),
        ('uct(value="nowhere.npz")', "nowhere.npz: there is no such file"),
        (f'uct(prior="{value}")', "this net has no policy"),
        (f'uct(value="{policy}")', "this net has no value"),
        (f'alphabeta(value="{policy}")', "this net has no value"),
        (f'net(file="{value}")', "this net has no policy"),
        (f'uct(default_policy="{policy}", value="{value}")', "default_policy: expected value=playout"),
        (f'uct(prior="{policy}", value=playout, expand=all)', "expand: has no meaning"),
        (f'uct(prior="{policy}", value=playout, leaves=0)', "leaves: expected 1 to 1,024"),
        (f'alphabeta(value="{value}", evaluation=zero)', "evaluation: has no meaning"),
    ):
        with pytest.raises(kb.Error, match=r".*") as caught:
            kb.agent(spec, game)
        assert words in str(caught.value), spec
    with pytest.raises(kb.Error, match="Kiebitz comes with no net for tic_tac_toe"):
        kb.agent("uct(prior=shipped)", kb.game("tic_tac_toe"))
    assert kb.agent(f'uct(prior="{policy}", value=playout, iterations=20)', game).act(game.new().view(0)) < 7
    assert kb.agent(f'uct(value="{value}", iterations=20)', game).act(game.new().view(0)) < 7


@pytest.mark.parametrize(
    "spec",
    [
        'uct(prior="{}")', 'uct(value="{}")', 'uct(default_policy="{}")', 'alphabeta(value="{}")', 'net(file="{}")',
        'net("{}")', 'policy(file="{}")', 'pimc(uct(prior="{}"))', 'ismcts(prior="{}")',
    ],
)  # fmt: skip
def test_strangers_cannot_name_files(tmp_path: Path, spec: str) -> None:
    file = saved(tmp_path, "connect_four")
    with pytest.raises(TableError) as caught:
        safe_spec(spec.format(file), kb.game("connect_four"))
    assert caught.value.code == "bad_agent"
    assert "no such file" not in str(caught.value)


# --- Nets that come with Kiebitz --------------------------------------------------------------------------------------


def test_what_comes_with_kiebitz_can_be_named_by_everybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = kb.game("connect_four")
    path = ship(tmp_path, monkeypatch, game)
    assert shipped(game) == path
    assert shipped(kb.game("connect_four", columns=6)) is None
    assert kb.agent("net(shipped)", game).spec == "net(shipped)"
    assert safe_spec("net(shipped)", game) == "net(shipped)"
    bounded = "uct(memory_mb=256, prior=shipped, value=playout)"
    assert safe_spec("uct(prior=shipped, value=playout)", game) == bounded
    offered = {agent["name"]: agent for agent in listed_agents(game)}
    assert {o["name"]: o["choices"] for o in offered["net"]["options"]}["file"] == ["shipped"]
    elsewhere = {agent["name"]: agent for agent in listed_agents(kb.game("nim"))}
    assert "net" not in elsewhere
    assert not {"prior", "value"} & {option["name"] for option in elsewhere["uct"]["options"]}
    with pytest.raises(TableError, match="comes with no net"):
        safe_spec("net(shipped)", kb.game("nim"))


def test_a_declared_strength_with_a_net_is_there_for_its_rules_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = kb.game("connect_four")
    ship(tmp_path, monkeypatch, kb.game("nim"))  # and none for this game
    declared = {**kb.games.declaration_of(game).players.levels, "learned": "uct(prior=shipped, iterations=50)"}
    players = SimpleNamespace(players=SimpleNamespace(levels=declared))
    monkeypatch.setattr("kiebitz.agents.strengths.declaration_of", lambda _: players)
    assert "learned" not in [level.key for level in levels(game)]
    ship(tmp_path, monkeypatch, game)
    level = next(level for level in levels(game) if level.key == "learned")
    assert level.words() == "a net that taught itself"
    assert safe_spec(level.spec, game) == "uct(iterations=50, memory_mb=256, prior=shipped)"
    assert "learned" not in [level.key for level in strengths.strengths(kb.game("connect_four", columns=6))]


@pytest.mark.parametrize("name", kb.list_games())
def test_nets_that_come_with_kiebitz_are_small_and_fit(name: str) -> None:
    for path in registry.shipped_nets(name):
        assert path.stat().st_size <= 2 * 2**20
        assert NetFile.load(path).game.name == name


def test_the_opinion_of_a_net_stands_beside_every_analysis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = kb.game("connect_four")
    ship(tmp_path, monkeypatch, kb.game("nim"))  # and none for this game
    view = game.new().view(0)
    searched = kb.agent("uct(iterations=50)", game).analyse(view)
    assert opinion_of(view, searched) is None
    net = NetFile.load(ship(tmp_path, monkeypatch, game))
    opinion = opinion_of(view, searched)
    assert opinion is not None
    assert opinion.value == net.values(view)[0]
    assert opinion.policy == net.probabilities(view)
    own = saved(tmp_path, "connect_four", 2)
    guided = opinion_of(view, kb.agent(f'uct(iterations=50, prior="{own}")', game).analyse(view))
    assert guided is not None
    assert guided.value == pytest.approx(NetFile.load(own).values(view)[0], abs=1e-6)
