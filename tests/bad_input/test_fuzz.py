"""Positions and views from files and from the network: whatever they hold, only a kiebitz.Error comes out.

A saved position or view of every compiled game is damaged in all sorts of ways. Either it is refused, or it is a
possible position: then it can be printed, viewed, sampled and played to its end. Anything else, a crash above all, is a
bug.
"""

from __future__ import annotations

import copy
import json
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.games import view_from_json
from tests.contract.cases import COMPILED, Case, by_id
from tests.contract.walks import face, random_action, some_states, view_face

EXAMPLES = 60
FEW_TREES = {"tree", "tree-strategy_fusion", "tree-three_players"}
FUZZED = [case for case in COMPILED if case.game != "tree" or case.id in FEW_TREES]
LONGEST = 400

whole_numbers = st.one_of(
    st.integers(-3, 20),
    st.sampled_from([0, -1, 127, 128, 255, 256, 2**15, 2**31, -(2**31), 2**32, 2**63 - 1, -(2**63), 2**63, 2**70]),
    st.integers(),
)
texts = st.one_of(
    st.sampled_from(["", ".", "x", "o", "r", "/", "pb", "crrc/", "?", "\0", "\ud800", "ä", "." * 9, "rps" * 1000]),
    st.text(max_size=12),
)
plain = st.one_of(st.none(), st.booleans(), whole_numbers, st.floats(), texts)
values = st.recursive(
    plain,
    lambda inner: st.one_of(st.lists(inner, max_size=6), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=8,
)


@st.composite
def damages(draw: st.DrawFn) -> list[tuple[str, int, Any]]:
    """One to three ways to spoil a mapping: what to do, where (a number to be taken modulo), and with what."""
    kinds = ["replace", "remove", "add", "element", "shorten", "lengthen", "letter", "nudge"]
    return [
        (draw(st.sampled_from(kinds)), draw(st.integers(0, 10_000)), draw(values))
        for _ in range(draw(st.integers(1, 3)))
    ]


def spoil(fields: dict[str, Any], todo: list[tuple[str, int, Any]]) -> dict[str, Any]:
    """A damaged copy."""
    out = copy.deepcopy(fields)
    for kind, where, value in todo:
        if not out or kind == "add":
            out[value if isinstance(value, str) else "extra"] = value
            continue
        name = sorted(out)[where % len(out)]
        old = out[name]
        if kind == "remove":
            del out[name]
        elif kind == "element" and isinstance(old, list) and old:
            old[where % len(old)] = value
        elif kind == "shorten" and isinstance(old, list | str):
            out[name] = old[: where % (len(old) + 1)]
        elif kind == "lengthen" and isinstance(old, list):
            out[name] = old + [value] * (where % 4 + 1)
        elif kind == "lengthen" and isinstance(old, str):
            out[name] = old + (value if isinstance(value, str) else old[-1:] * (where % 4 + 1))
        elif kind == "letter" and isinstance(old, str) and old:
            place = where % len(old)
            out[name] = old[:place] + (value[:1] if isinstance(value, str) else old[0]) + old[place + 1 :]
        elif kind == "nudge" and isinstance(old, int) and not isinstance(old, bool):
            out[name] = old + where % 5 - 2
        elif kind == "nudge" and isinstance(old, list) and old and isinstance(old[where % len(old)], int):
            old[where % len(old)] += where % 5 - 2
        else:
            out[name] = value
    return out


@cache
def samples(name: str) -> list[kb.State]:
    return some_states(by_id(name).make(), 24)


def exercise(state: kb.State) -> None:
    """Uses a state in every way; errors of any kind are failures here."""
    info = state.game.info
    random = Random(0)
    face(state)
    for player in range(info.players):
        view = state.view(player)
        assert view.sample(1).view(player) == view
        assert view_from_json(view.to_json()) == view
    assert state.game.load(state.position(), state.seen()).key == state.key
    steps = 0
    while state.player != kb.TERMINAL and steps < LONGEST:
        assert 0 < len(state.legal()) <= info.max_legal
        state.apply(random_action(state, random))
        steps += 1
    face(state)
    if state.player == kb.TERMINAL:
        assert all(info.min_payoff <= payoff <= info.max_payoff for payoff in state.returns())


@pytest.mark.parametrize("case", FUZZED, ids=lambda case: case.id)
def test_damaged_positions(case: Case) -> None:
    game = case.make()
    states = samples(case.id)

    @settings(max_examples=EXAMPLES)
    @given(number=st.integers(0, len(states) - 1), todo=damages())
    @example(number=0, todo=[("remove", 0, None)])
    def check(number: int, todo: list[tuple[str, int, Any]]) -> None:
        damaged = spoil(states[number].position(), todo)
        try:
            state = game.load(damaged)
        except kb.Error:
            return
        exercise(state)

    check()


@pytest.mark.parametrize("case", FUZZED, ids=lambda case: case.id)
def test_damaged_views(case: Case) -> None:
    game = case.make()
    states = samples(case.id)

    @settings(max_examples=EXAMPLES)
    @given(number=st.integers(0, len(states) - 1), player=st.integers(0, game.info.players - 1), todo=damages())
    @example(number=0, player=0, todo=[("remove", 0, None)])
    def check(number: int, player: int, todo: list[tuple[str, int, Any]]) -> None:
        damaged = spoil(states[number].view(player).fields(), todo)
        try:
            view = game.load_view(damaged)
        except kb.Error:
            return
        view_face(view)
        assert game.load_view(json.loads(json.dumps(view.fields()))) == view
        for seed in range(3):
            world = view.sample(seed)
            assert world.view(view.observer) == view
        exercise(view.sample(3))

    check()


@settings(max_examples=300)
@given(data=values, todo=damages(), name=st.sampled_from([case.id for case in FUZZED]))
def test_damaged_messages(data: Any, todo: list[tuple[str, int, Any]], name: str) -> None:
    """Whole messages as they come from the network: schema, game, view."""
    message = samples(name)[5].view(0).to_json()
    for damaged in (
        data,
        spoil(message, todo),
        {**message, "game": data},
        {**message, "game": spoil(message["game"], todo)},
    ):
        try:
            view = view_from_json(damaged)
        except kb.Error:
            continue
        view_face(view)


@pytest.mark.parametrize("case", FUZZED, ids=lambda case: case.id)
def test_any_text_may_be_parsed(case: Case) -> None:
    states = samples(case.id)

    @settings(max_examples=60)
    @given(number=st.integers(0, len(states) - 1), text=st.text(max_size=20))
    def check(number: int, text: str) -> None:
        state = states[number]
        try:
            action = state.parse(text)
        except kb.IllegalAction:
            return
        assert action in state.legal()

    check()
