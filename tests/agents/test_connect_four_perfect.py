"""connect_four_perfect keeps what a position is worth, wins as soon as it can, and says what is proven."""

from __future__ import annotations

import random
from typing import Any

import pytest

import kiebitz as kb
from kiebitz._core import StopToken

USUAL = kb.game("connect_four")
SMALL = kb.game("connect_four", rows=4, columns=5)


def after(moves: str, game: kb.Game = USUAL) -> kb.State:
    state = game.root()
    for move in moves:
        state.apply(state.parse(move))
    return state


def test_it_keeps_the_value_of_a_small_board_against_every_reply() -> None:
    bot = kb.agent("connect_four_perfect(table_mb=4)", SMALL)
    solution = kb.search.solve(SMALL.root())
    seen: set[int] = set()

    def walk(state: kb.State, hero: int) -> None:
        if state.player < 0 or state.key in seen:
            return
        seen.add(state.key)
        replies = [bot.act(state.view(hero))] if state.player == hero else state.legal()[:2]
        for action in replies:
            child = state.copy()
            child.apply(action)
            if state.player == hero:
                old, new = solution.value_of(state), solution.value_of(child)
                assert old is not None
                assert (child.returns() if child.player < 0 else new or [])[hero] == old[hero]
            walk(child, hero)

    walk(SMALL.root(), 0)
    walk(SMALL.root(), 1)
    assert len(seen) > 200


def test_it_wins_in_as_many_plies_as_it_says_whatever_the_other_does() -> None:
    bot, rng = kb.agent("connect_four_perfect(table_mb=16)", USUAL), random.Random(5)
    won = 0
    while won < 10:
        state = USUAL.root()
        for _ in range(22):
            if state.player >= 0:
                state.apply(rng.choice(state.legal()))
        if state.player < 0:
            continue
        analysis = bot.analyse(state.view(state.player))
        assert analysis.exact
        assert all(action.exact for action in analysis.actions)
        assert max(action.value for action in analysis.actions) == analysis.value
        if analysis.value != 1:
            continue
        won += 1
        hero, plies = state.player, 0
        while state.player >= 0:
            state.apply(bot.act(state.view(hero)) if state.player == hero else rng.choice(state.legal()))
            plies += 1
        assert state.returns()[hero] == 1
        assert plies <= analysis.depth


def test_where_the_time_is_too_short_alphabeta_decides() -> None:
    bot = kb.agent("connect_four_perfect(seconds=0.01, table_mb=4, book=false)", USUAL)
    analysis = bot.analyse(USUAL.root().view(0))
    assert (analysis.method, analysis.status) == ("alphabeta", "estimated")
    assert analysis.nodes > 0
    assert not bot.pure
    assert kb.agent("connect_four_perfect", USUAL).pure


def test_a_short_time_suffices_late_in_the_game() -> None:
    state = after("ddddddccccccbbbb")
    limited = kb.agent("connect_four_perfect(seconds=5, table_mb=16)", USUAL).analyse(state.view(0))
    free = kb.agent("connect_four_perfect(table_mb=16)", USUAL).analyse(state.view(0))
    assert limited.exact
    assert (limited.best, limited.value, limited.depth) == (free.best, free.value, free.depth)


def test_a_stopped_proof_still_names_a_legal_move() -> None:
    bot = kb.agent("connect_four_perfect(table_mb=4, book=false)", USUAL)
    bot.stop = StopToken()
    bot.stop.request()
    state = USUAL.root()
    analysis = bot.analyse(state.view(0))
    assert analysis.best in state.legal()
    assert not analysis.exact


def test_a_proven_loss_gives_way_to_a_move_that_is_not_proven() -> None:
    """With one way to lose at once proven, another move is played."""
    state = after("aabbc")  # o has to close d
    bot = kb.agent("connect_four_perfect(seconds=0.001, table_mb=4, book=false)", USUAL)
    assert state.name(bot.act(state.view(1))) == "d"


@pytest.mark.parametrize(
    ("game", "params", "message"),
    [("nim", {}, "plays only connect_four, not nim"), ("connect_four", {"connect": 5}, "plays with connect=4, not")],
)
def test_other_games_and_lines_are_refused(game: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(kb.UnsuitableGame, match=message):
        kb.agent("connect_four_perfect", kb.game(game, **params))


def test_a_win_in_one_is_taken_however_short_the_time_is() -> None:
    """Also where the time suffices to prove a slower win in the centre, but not how slow it is."""
    rng, found = random.Random(3), 0
    for seconds in (0.02, 0.2):
        bot = kb.agent(f"connect_four_perfect(seconds={seconds}, table_mb=4, book=false)", USUAL)
        while found < 10 * (1 + (seconds > 0.1)):
            state = USUAL.root()
            for _ in range(rng.randint(7, 12)):
                if state.player >= 0:
                    state.apply(rng.choice(state.legal()))
            wins = [action for action in state.legal() if state.player >= 0 and wins_with(state, action)]
            if not wins:
                continue
            found += 1
            analysis = bot.analyse(state.view(state.player))
            assert analysis.best in wins
            assert (analysis.depth, analysis.exact) == (1, True)


def wins_with(state: kb.State, action: int) -> bool:
    after_it = state.copy()
    after_it.apply(action)
    return after_it.player < 0 and after_it.returns()[state.player] == 1
