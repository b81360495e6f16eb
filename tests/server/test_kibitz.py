"""The kibitz panel and beliefs: the numbers of the analysis, from a view alone, exact where they say so."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.errors import Error, IllegalAction, ParameterError, UnsuitableGame
from kiebitz.games.scene import Scene
from kiebitz.nets import Card, NetFile, encoding_of
from kiebitz.server.beliefs import beliefs
from kiebitz.server.catalogue import offered
from kiebitz.server.kibitz import EFFORTS, kibitz
from kiebitz.server.views import snapshot_parts

HIDDEN = ["doppelkopf", "leduc", "kuhn", "liars_dice"]


def walk(name: str, seed: int, plies: int, **rules: Any) -> kb.State:
    """A position of a random game with somebody to move."""
    game = kb.game(name, **rules)
    state = game.new(seed=seed)
    agent = kb.agent("random", game, seed)
    for _ in range(plies):
        copy = state.copy()
        copy.apply(agent.act(copy.view(copy.player)))
        if copy.player < 0:
            break
        state = copy
    return state


# --- The panel --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", offered())
def test_the_panel_says_what_the_agent_that_it_names_says(name: str) -> None:
    state = walk(name, 5, 6)
    view = state.view(state.player)
    found = kibitz(view)
    analysis = kb.agent(found["spec"], state.game).analyse(view)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["seat"] == state.player
    assert found["best"] == analysis.best in state.legal()
    assert found["method"] == analysis.method
    assert found["line"] == list(analysis.line_names)
    assert [a["action"] for a in found["actions"]] == state.legal()
    assert [(a["name"], a["visits"], a["value"], a["error"], a["exact"]) for a in found["actions"]] == [
        (a.name, a.visits, a.value, a.error, a.exact) for a in analysis.actions
    ]
    assert math.fsum(a["share"] for a in found["actions"]) == pytest.approx(1.0)


def test_what_the_net_of_a_game_thinks_stands_beside_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = kb.game("tic_tac_toe")
    view = game.new().view(0)
    without = kibitz(view)
    assert without["prior_value"] is None
    assert {a["prior"] for a in without["actions"]} == {None}
    rows = {part: np.eye(size, game.info.tensor_size) for part, size in (("policy", game.info.actions), ("value", 1))}
    layers = {part: [{"kind": "dense", "weights": w, "bias": np.arange(len(w)) / 4}] for part, w in rows.items()}
    net = NetFile(game, Card(game.to_json(), encoding_of(game)), [layers])
    net.save(tmp_path / "net.npz")
    monkeypatch.setattr("kiebitz.nets.shipped_nets", lambda name: [tmp_path / "net.npz"])
    found = kibitz(view)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["prior_value"] == net.values(view)[0]
    assert {a["action"]: a["prior"] for a in found["actions"]} == net.probabilities(view)
    assert found["actions"][0]["value"] == without["actions"][0]["value"]


@pytest.mark.parametrize("name", HIDDEN)
def test_two_states_that_a_player_cannot_tell_apart_give_the_same_panel(name: str) -> None:
    state = walk(name, 8, 5)
    view = state.view(state.player)
    other = next(world for world in view.worlds(50, 1) if world.position() != state.position())
    assert other.view(other.player) == view
    one, two = kibitz(view), kibitz(other.view(other.player))
    assert {**one, "seconds": 0} == {**two, "seconds": 0}
    assert beliefs(view, 3) == beliefs(other.view(other.player), 3)


def test_open_games_have_a_principal_line_that_can_be_played() -> None:
    for name in ("oware", "connect_four", "tic_tac_toe", "nim"):
        state = walk(name, 2, 3)
        found = kibitz(state.view(state.player))
        assert found["line"]
        for text in found["line"]:
            state.apply(state.parse(text))


def test_small_hidden_games_are_solved_and_doppelkopf_is_sampled() -> None:
    assert kibitz(kb.game("leduc").new(seed=1).view(0))["method"].startswith("equilibrium")
    assert kibitz(walk("doppelkopf", 1, 4).view(walk("doppelkopf", 1, 4).player))["worlds"] == 60
    large = kb.game("liars_dice", dice=3)
    assert kibitz(large.new(seed=1).view(0))["method"].startswith("pimc")


@pytest.mark.parametrize("name", offered())
def test_a_stopped_panel_says_what_it_has(name: str) -> None:
    stop = kb.StopToken()
    stop.request()
    state = walk(name, 5, 2)
    found = kibitz(state.view(state.player), "deep", stop)
    assert found["best"] in state.legal()
    json.dumps(found, allow_nan=False)


def test_seats_not_to_move_and_unknown_efforts_are_refused() -> None:
    state = kb.game("kuhn").new(seed=1)
    with pytest.raises(IllegalAction):
        kibitz(state.view(1))
    for effort in ("utmost", "glance", ""):
        with pytest.raises(ParameterError, match="quick, normal, deep"):
            kibitz(state.view(0), effort)
    assert EFFORTS == ("quick", "normal", "deep")


def test_a_game_that_is_over_is_refused() -> None:
    state = kb.game("nim", heaps=[1]).new()
    state.apply(state.legal()[0])
    with pytest.raises(Error):
        kibitz(state.view(0))


# --- Beliefs ----------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.sampled_from(HIDDEN), st.integers(0, 10_000), st.integers(0, 30), st.integers(0, 3))
def test_beliefs_are_probabilities_that_fit_what_the_seat_sees(name: str, seed: int, plies: int, seat: int) -> None:
    state = walk(name, seed, plies)
    seat %= state.game.info.players
    view = state.view(seat)
    found = beliefs(view, seed)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["exact"] is True
    for card, chances in found["cards"].items():
        assert len(chances) == state.game.info.players
        assert all(0.0 <= chance <= 1.0 for chance in chances), card
        assert chances[seat] in (0.0, 1.0)
    assert 1 <= len(found["worlds"]) <= 5
    own = true_hands(state)[seat]
    for world in found["worlds"]:
        assert sorted(world["hands"][seat]) == sorted(own)
        assert [len(hand) for hand in world["hands"]] == [len(hand) for hand in true_hands(state)]
        for place, hand in enumerate(world["hands"]):
            assert all(found["cards"][card][place] > 0 for card in hand)
    for place, hand in enumerate(true_hands(state)):
        assert all(found["cards"][card][place] > 0 for card in hand)


def true_hands(state: kb.State) -> list[list[str]]:
    """From what each seat sees itself."""
    names = [state.game.root().name(card) for card in state.game.root().legal()]
    hands = []
    for seat in range(state.game.info.players):
        fields = state.view(seat).fields()
        if state.game.name == "doppelkopf":
            hands.append(fields["hand"].split())
        elif state.game.name == "liars_dice":
            hands.append([str(face + 1) for face in state.position()["dice"][seat : seat + 1]])
        else:
            hands.append([names[state.position()["cards"][seat]]])
    return hands


@pytest.mark.parametrize(
    ("name", "rules"), [("kuhn", {}), ("kuhn", {"players": 3}), ("leduc", {}), ("liars_dice", {"dice": 2})]
)
def test_exact_beliefs_are_what_many_worlds_come_to(name: str, rules: dict[str, Any]) -> None:
    state = walk(name, 11, 2, **rules)
    view = state.view(state.player)
    found = beliefs(view)
    count = 4000
    seen: Counter[tuple[str, int]] = Counter()
    for world in view.worlds(count, 5):
        hands = world.position().get("cards")
        for seat in range(state.game.info.players):
            held = hands_of(world, seat) if hands is None else {card_names(state)[hands[seat]]}
            seen.update((card, seat) for card in held)
    for card, chances in found["cards"].items():
        for seat, chance in enumerate(chances):
            assert seen[card, seat] / count == pytest.approx(chance, abs=0.04)


def hands_of(world: kb.State, seat: int) -> set[str]:
    each = world.game.params["dice"]
    return {str(face + 1) for face in world.position()["dice"][each * seat : each * (seat + 1)]}


def card_names(state: kb.State) -> list[str]:
    root = state.game.root()
    return [root.name(card) for card in root.legal()]


def test_doppelkopf_uses_the_codes_of_the_cards_and_the_exact_numbers_of_the_core() -> None:
    state = walk("doppelkopf", 4, 20)
    view = state.view(2)
    found = beliefs(view)
    assert list(found["cards"].values()) == list(view.beliefs()["cards"].values())
    assert {"D9", "HT", "CQ"} <= set(found["cards"])
    assert found["given"] == "rules"
    sizes = snapshot_parts(Scene(state), "public")["public"]["sizes"]
    assert [len(hand) for hand in found["worlds"][0]["hands"]] == sizes


def test_beliefs_are_exact_however_many_deals_there_are() -> None:
    found = beliefs(kb.game("liars_dice", players=4, dice=5).new(seed=1).view(0))
    assert (found["exact"], found["given"]) == (True, "deal")
    chance = 1 - (5 / 6) ** 5
    assert all(chances[1:] == pytest.approx([chance] * 3) for chances in found["cards"].values())


def test_open_games_have_no_beliefs() -> None:
    with pytest.raises(UnsuitableGame):
        beliefs(kb.game("nim").new().view(0))
