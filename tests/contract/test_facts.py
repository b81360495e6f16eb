"""Every game: what everybody knows, what a view adds by the rules, and what to expect of hidden cards."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

import kiebitz as kb
from tests.contract.walks import answered, some_states, walk

DEALS = {"kuhn": "cards", "leduc": "cards", "liars_dice": "dice"}


def test_everybody_knows_the_same(game: kb.Game) -> None:
    """All but trees, which give names to nodes and do not say who learns what."""
    for state in some_states(game, 30):
        views = [state.view(player) for player in range(game.info.players)]
        facts = [answered(view.public) for view in views]
        assert all(each == facts[0] for each in facts)
        assert (facts[0] is None) == (game.name == "tree")
        assert json.loads(json.dumps(facts[0])) == facts[0]


def test_outlines_hold_what_everybody_knows(hidden_game: kb.Game) -> None:
    for state in some_states(hidden_game, 12):
        for player in range(hidden_game.info.players):
            view = state.view(player)
            outline = answered(view.outline)
            assert (outline is None) == (hidden_game.name == "tree")
            if outline is None:
                continue
            assert outline["public"] == view.public()
            assert outline == view.outline()
            assert json.loads(json.dumps(outline)) == outline
            outline["public"].clear()
            assert view.outline()["public"] == view.public()


def test_outlines_depend_on_the_view_alone(hidden_game: kb.Game) -> None:
    for state in some_states(hidden_game, 12):
        for player in range(hidden_game.info.players):
            view = state.view(player)
            twins = [hidden_game.load_view(view.fields()), *(view.sample(seed).view(player) for seed in range(3))]
            for twin in twins:
                assert answered(twin.outline) == answered(view.outline)


def test_what_everybody_knows_hides_what_one_player_alone_knows(hidden_game: kb.Game) -> None:
    """The same in all worlds of a view: hands that the observer cannot see do not leak."""
    for state in some_states(hidden_game, 16):
        facts = answered(state.view(0).public)
        for player in range(hidden_game.info.players):
            for seed in range(3):
                assert answered(state.view(player).sample(seed).view(player).public) == facts


def test_open_games_have_no_outline(open_game: kb.Game) -> None:
    with pytest.raises(kb.UnsuitableGame):
        open_game.root().view(0).outline()


# --- Betting ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [kb.game("kuhn"), kb.game("kuhn", players=4), kb.game("leduc"), kb.game("leduc", preset="thesis")]
)
def test_betting_is_told_as_it_was_done(game: kb.Game) -> None:
    """Step by step: kinds and amounts of the actions, the pot, what is owed, and that payoffs come from the pot."""
    for seed in range(60):
        rounds: list[list[dict[str, Any]]] = [[]]
        states = list(walk(game, seed))
        for before, state in itertools.pairwise(states):
            action = state.history[-1]
            if before.player >= 0:
                kind, amount = before.kind(action), before.amount(action) or 0.0
                rounds[-1].append({"seat": before.player, "kind": kind, "amount": amount})
            elif before.position().get("betting"):
                rounds.append([])
            facts = state.view(0).public()
            assert facts["rounds"] == rounds
            for choice in state.choices():
                if choice.kind in ("check", "call"):
                    assert facts["owed"] == (choice.low or 0.0)
                if choice.kind in ("bet", "raise"):
                    assert facts["step"] == choice.low
        pot, folded = facts["pot"], facts["folded"]
        assert facts["total"] == sum(pot)
        assert folded == [
            any(m["seat"] == s and m["kind"] == "fold" for m in itertools.chain(*rounds)) for s in range(len(pot))
        ]
        for payoff, paid in zip(states[-1].returns(), pot, strict=True):
            assert payoff in (-paid, sum(pot) - paid, 0.0)


# --- Beliefs by the deal ----------------------------------------------------------------------------------------------


def worlds_of(view: kb.View) -> Iterator[kb.State]:
    """Every deal that the view allows, one by one; dice that the observer sees only in one order."""
    game, position = view.game, view.sample(0).position()
    field = DEALS[game.name]
    dealt = len(position[field])
    if game.name == "liars_dice":
        deals: Iterable[tuple[int, ...]] = itertools.product(range(game.params["sides"]), repeat=dealt)
    else:
        deals = itertools.permutations(range(len(game.root().legal())), dealt)
    each = game.params.get("dice", 1)
    seen = range(game.info.players) if position.get("called") else [view.observer]
    for deal in deals:
        hands = [deal[each * seat : each * (seat + 1)] for seat in seen]
        if position.get("public", -1) not in deal and all(list(hand) == sorted(hand) for hand in hands):
            state = game.load({**position, field: list(deal)})
            if state.view(view.observer) == view:
                yield state


@pytest.mark.parametrize(
    "game",
    [
        kb.game("kuhn"),
        kb.game("kuhn", players=4),
        kb.game("leduc"),
        kb.game("leduc", ranks=4, suits=3),
        kb.game("liars_dice"),
        kb.game("liars_dice", players=3, sides=3),
        kb.game("liars_dice", dice=2, sides=4),
    ],
)
def test_beliefs_by_the_deal_are_shares_of_all_deals(game: kb.Game) -> None:
    for state in some_states(game, 40):
        for player in range(game.info.players):
            view = state.view(player)
            found = view.beliefs()
            hands = [
                [world.view(seat).outline()["hand"] for seat in range(game.info.players)] for world in worlds_of(view)
            ]
            assert found["deals"] == len(hands)
            for card, chances in found["cards"].items():
                for seat, chance in enumerate(chances):
                    assert chance == pytest.approx(sum(card in each[seat] for each in hands) / len(hands))
                    copies = sum(each[seat].count(card) for each in hands) / len(hands)
                    assert found["copies"][card][seat] == pytest.approx(copies)


def test_the_number_of_rolls_can_be_larger_than_a_word() -> None:
    view = kb.game("liars_dice", players=2, dice=32, sides=2).new(seed=1).view(0)
    assert view.beliefs()["deals"] == 2**32
    view = kb.game("liars_dice", players=4, dice=8, sides=4).new(seed=1).view(0)
    assert view.beliefs()["deals"] == 4**24
    view = kb.game("liars_dice", players=10, dice=1, sides=12).new(seed=1).view(0)
    assert view.beliefs()["deals"] == 12**9


# --- Nested values ----------------------------------------------------------------------------------------------------


def test_positions_and_views_may_nest() -> None:
    game = kb.game("any_bet", stack=12)
    state = game.root()
    state.apply(5)
    assert state.position()["pots"] == [{"chips": 7.0, "seats": [0, 1]}]
    assert state.position()["streets"] == [[["raise", 5]], ["blinds", 1, None]]
    twin = game.load(json.loads(json.dumps(state.position())))
    twin.apply(0)
    assert state.position()["pots"][0]["seats"] == [0, 1]
    assert twin.position()["pots"][0]["seats"] == [0]
    view = state.view(1)
    assert game.load_view(view.fields()) == view
    assert view.key == game.load_view(view.fields()).key
    assert 'pots=[{chips=7 seats=[0,1]}] streets=[[["raise",5]],["blinds",1,null]]' in view.key
    assert view != twin.view(1)


def nested(depth: int) -> Any:
    inner: Any = 1
    for level in range(depth):
        inner = {"deeper": inner} if level % 2 else [inner]
    return inner


def test_nesting_has_limits() -> None:
    game = kb.game("any_bet", stack=12)
    position = game.root().position()
    game.load({**position, "streets": [nested(31)]})
    for value in ([nested(32)], [nested(100_000)]):
        with pytest.raises(kb.PositionError, match="nested deeper than 32 levels"):
            game.load({**position, "streets": value})
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(kb.PositionError, match="streets: nested deeper"):
        game.load({**position, "streets": endless})


def test_a_small_object_that_unfolds_into_a_large_one_is_refused() -> None:
    game = kb.game("any_bet", stack=12)
    bomb: Any = [1]
    for _ in range(20):
        bomb = [bomb] * 10
    for value in (bomb, [[1] * 1000] * 2000, {"a": [{"b": 1}] * 2_000_000}):
        with pytest.raises(kb.PositionError, match="more than 1000000 values in nested lists and mappings"):
            game.load({**game.root().position(), "streets": value})
    assert kb.game("nim").params["heaps"] == [1, 3, 5, 7]
