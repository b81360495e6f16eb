"""Hands as arrays: those of worlds build the same worlds again, and hands that a view does not allow are refused."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2_contingency

import kiebitz as kb
from kiebitz import beliefs
from kiebitz.search import Pimc, Uct

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("leduc", {}),
    ("leduc", {"ranks": 5, "suits": 3}),
    ("doppelkopf", {}),
    ("doppelkopf", {"poverty": True, "throw_in": True, "piglets": True, "superpiglets": True}),
    ("doppelkopf", {"nines": False, "piglets": True}),
]
with_hands = pytest.mark.parametrize(("name", "rules"), GAMES, ids=str)


def positions(game: kb.Game, games: int = 4) -> Iterator[kb.State]:
    """Random games from the first card dealt to the end, every position."""
    for seed in range(games):
        rng, state = random.Random(seed), game.root()
        while state.player != kb.TERMINAL:
            yield state
            state.apply(rng.choice(state.legal()))
        yield state


def view_at_first_card() -> kb.View:
    """Of seat 0, which is about to play the first card of Doppelkopf; nothing but hands is hidden."""
    game = kb.game("doppelkopf", preset="thesis")
    for seed in range(100):
        state = game.new(seed=seed)
        while state.phase != "card":
            decline = game.info.decline
            state.apply(decline if decline in state.legal() else state.legal()[0])
        if state.player == 0:
            return state.view(0)
    raise AssertionError("seat 0 never leads")


@pytest.mark.requirement("DL-25")
@with_hands
def test_the_hands_of_a_world_build_a_world_that_the_view_allows(name: str, rules: dict[str, Any]) -> None:
    game = kb.game(name, **rules)
    for state in positions(game):
        for player in range(game.info.players):
            view = state.view(player)
            for hands in (state.hands()[None, :], view.hands(2, seed=5)):
                for row, world in zip(hands, view.worlds_of(hands, seed=7), strict=True):
                    assert world.view(player) == view
                    np.testing.assert_array_equal(world.hands(), row)


@pytest.mark.requirement("DL-25")
@with_hands
def test_hands_are_those_of_the_worlds_that_the_same_seed_draws(name: str, rules: dict[str, Any]) -> None:
    game = kb.game(name, **rules)
    for state in positions(game, 1):
        view = state.view(0)
        for belief in game.info.beliefs or ("",):
            worlds = view.worlds(3, 4, belief)
            np.testing.assert_array_equal(view.hands(3, 4, belief), [world.hands() for world in worlds])
    assert view.hands(0).shape == (0, len(game.pack))
    assert view.worlds_of(view.hands(0)) == []


@with_hands
def test_owners_say_who_holds_what(name: str, rules: dict[str, Any]) -> None:
    """Every card that is in somebody's hand, and no other."""
    game = kb.game(name, **rules)
    for state in positions(game, 1):
        owners, position = state.hands(), state.position()
        assert owners.dtype == np.int8
        if name == "leduc":
            expected = {card: seat for seat, card in enumerate(position["cards"])}
            assert {card: owner for card, owner in enumerate(owners.tolist()) if owner >= 0} == expected
        else:
            held: Counter[tuple[int, str]] = Counter()
            for seat, hand in enumerate(position["hands"]):
                held.update((seat, card) for card in hand.split())
            if not position.get("cards") and not position.get("down") and "dealt" not in position:
                seen = Counter(
                    (owner, card) for owner, card in zip(owners.tolist(), game.pack, strict=True) if owner >= 0
                )
                assert seen == held


def test_worlds_of_the_sampler_s_hands_are_the_sampler_s_worlds() -> None:
    """Where nothing but hands is hidden, one by one."""
    view = view_at_first_card()
    worlds = view.worlds(300, seed=2)
    again = view.worlds_of(view.hands(300, seed=2), seed=99)
    assert [world.key for world in again] == [world.key for world in worlds]


def test_what_else_is_hidden_is_drawn_as_the_sampler_draws_it() -> None:
    """Names of reservations that only their seat knows: as often as in worlds of the sampler."""
    game = kb.game("doppelkopf", preset="thesis")
    for seed in range(200):
        state, rng = game.new(seed=seed), random.Random(seed)
        while state.phase != "card" and state.player != kb.TERMINAL:
            view = state.view(state.player)
            if "something" in str(view.to_json()):
                break
            state.apply(rng.choice(state.legal()))
        else:
            continue
        break
    count = 3000
    drawn = Counter(str(world.position()["reservations"]) for world in view.worlds(count, seed=1))
    built = Counter(
        str(world.position()["reservations"]) for world in view.worlds_of(view.hands(count, seed=2), seed=3)
    )
    names = sorted(drawn | built)
    common = [name for name in names if drawn[name] + built[name] >= 10]
    assert len(common) > 2
    assert chi2_contingency([[drawn[name] for name in common], [built[name] for name in common]]).pvalue > 1e-3


@pytest.mark.requirement("DL-31")
@with_hands
def test_worlds_depend_on_the_view_and_the_hands_alone(name: str, rules: dict[str, Any]) -> None:
    """Two states behind one view make the same worlds of the same hands."""
    game = kb.game(name, **rules)
    for state in positions(game, 1):
        view = state.view(0)
        other = view.sample(seed=3).view(0)
        hands = view.hands(3, seed=1)
        assert [w.key for w in view.worlds_of(hands, 2)] == [w.key for w in other.worlds_of(hands, 2)]


# --- Refusals ---------------------------------------------------------------------------------------------------------


def allowed(view: kb.View, row: Any) -> bool:
    """Whether these hands make a world; it is one that the view allows."""
    try:
        world = view.worlds_of(row[None, :], seed=1)[0]
    except kb.ParameterError as error:
        return not str(error).startswith("hands: row 0: ") and pytest.fail(str(error))
    return world.view(view.observer) == view or pytest.fail("a world that the view does not allow")


@with_hands
def test_hands_that_went_wrong_are_refused_or_allowed_by_the_view(name: str, rules: dict[str, Any]) -> None:
    """A card changes its owner, or two change places; now and then that makes no difference to the view."""
    game, rng, refused = kb.game(name, **rules), random.Random(1), 0
    for state in positions(game, 2):
        view = state.view(0)
        for _ in range(4):
            row = view.hands(1, seed=rng.randrange(1000))[0]
            one, two = rng.sample(range(len(row)), 2)
            if rng.random() < 0.5:
                row[one], row[two] = row[two], row[one]
            else:
                row[one] = rng.randrange(-1, game.info.players)
            refused += not allowed(view, row)
    assert refused > 10


def test_any_owners_at_all_are_refused_without_harm() -> None:
    for name, rules in GAMES:
        game, rng = kb.game(name, **rules), np.random.default_rng(1)
        for state in positions(game, 1):
            view = state.view(0)
            rows = rng.integers(-1, game.info.players, (3, len(game.pack)))
            for row in [*rows, np.full(len(game.pack), -1), np.zeros(len(game.pack), int)]:
                allowed(view, row)


def swapped(hands: NDArray[np.int8], row: int) -> NDArray[np.int8]:
    """A card of the observer for one of somebody else."""
    out = hands.copy()
    own, other = np.flatnonzero(out[row] == 0)[0], np.flatnonzero(out[row] > 0)[0]
    out[row, own], out[row, other] = out[row, other], out[row, own]
    return out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda hands: swapped(hands, 2), "hands: row 2: the observer's own hand is another one"),
        (lambda hands: np.where(hands == 1, 2, hands), "hands: row 0: a hand has the wrong size"),
        (lambda hands: np.where(hands == 3, 4, hands), "hands: row 0: expected owners from -1 (nobody) to 3, got 4"),
        (lambda hands: np.where(hands == 3, 300, hands.astype(int)), "expected owners from -1 (nobody) to 3"),
        (lambda hands: np.where(hands == 3, -2, hands), "expected owners from -1 (nobody) to 3, got -2"),
        (
            lambda hands: hands[:, :47],
            "hands: expected rows of 48 owners, whole numbers, got an array of shape (5, 47)",
        ),
        (lambda hands: hands[0], "hands: expected rows of 48 owners"),
        (lambda hands: hands.astype(float), "type float64"),
        (lambda hands: "hands", "hands: expected rows of 48 owners"),
        (lambda hands: [[1], [1, 2]], "hands: expected rows of 48 owners"),
    ],
)
def test_hands_that_cannot_be_used_are_refused_by_name_and_change_nothing(change: Any, words: str) -> None:
    view = view_at_first_card()
    good = view.hands(5)
    bad = change(good)
    pimc = Pimc(Uct(view.game, iterations=20), worlds=5, seed=1)
    before = pimc.search_hands(view, good).to_dict()
    for asked in (view.worlds_of, lambda rows: pimc.search_hands(view, rows)):
        with pytest.raises(kb.ParameterError) as caught:
            asked(bad)
        assert words in str(caught.value)
    assert pimc.search_hands(view, good).to_dict()["actions"] == before["actions"]


def test_games_without_a_pack_say_so() -> None:
    for name in ("liars_dice", "tic_tac_toe"):
        game = kb.game(name)
        assert game.pack == []
        state = game.new(seed=1)
        for asked in (
            state.hands,
            lambda state=state: state.view(0).hands(1),
            lambda state=state: state.view(0).worlds_of([[0]]),
        ):
            with pytest.raises(kb.UnsuitableGame, match=f"{name} has no hands that a belief could hand over"):
                asked()


# --- PIMC -------------------------------------------------------------------------------------------------------------


def test_a_search_of_hands_is_the_search_of_their_worlds() -> None:
    view = view_at_first_card()
    hands, weights = view.hands(8, seed=3), [0.5, 0, 1, 1, 2, 1, 1, 1]
    pimc = Pimc(Uct(view.game, iterations=60), worlds=8, seed=4)
    one = pimc.search_hands(view, hands, weights).to_dict()
    other = pimc.search_worlds(view, view.worlds_of(hands, seed=4), weights).to_dict()
    assert {**one, "seconds": 0} == {**other, "seconds": 0}
    for bad, words in (([1.0], "expected one for each of the 8"), ([0.0] * 8, "more than 0")):
        with pytest.raises(kb.ParameterError, match=words):
            pimc.search_hands(view, hands, bad)
    with pytest.raises(kb.ParameterError, match="expected at least one"):
        pimc.search_hands(view, hands[:0])
    with pytest.raises(kb.UnsuitableGame):
        Pimc(Uct(kb.game("leduc"), iterations=5)).search_hands(view, hands)


@pytest.fixture
def exact_again() -> Iterator[str]:
    """A belief in Python that hands over the hands of the core."""

    @beliefs.register("exact_again")
    class ExactAgain:
        def hands(self, view: kb.View, count: int, seed: int) -> beliefs.WeightedHands:
            return beliefs.WeightedHands(view.hands(count, seed))

    yield "exact_again"
    del beliefs._registry["exact_again"]


def test_a_belief_that_hands_over_the_exact_hands_plays_like_the_exact_one(exact_again: str) -> None:
    view = view_at_first_card()
    agents = [
        kb.agent(f"pimc(uct(iterations=80), worlds=6, belief={belief})", view.game, seed=2)
        for belief in ("exact", exact_again)
    ]
    found = [agent.analyse(view).to_dict() for agent in agents]
    assert found[0]["actions"] == found[1]["actions"]
    assert agents[0].act(view) == agents[1].act(view)
    drawn = beliefs.draw(view, 4, 7, exact_again)
    assert [world.key for world in drawn.worlds] == [world.key for world in view.worlds(4, 7)]
