"""A list of Doppelkopf: the start moves on, compulsory solos are played, Bock deals count twice."""

from __future__ import annotations

from collections import Counter

import kiebitz as kb
from kiebitz.games import declaration_of
from kiebitz.games.dealing import deal
from kiebitz.games.declaration import Deal
from kiebitz.games.doppelkopf.series import asks_for_bock, soloist


def play_list(game: kb.Game, length: int, seed: int) -> tuple[list[Deal], list[kb.State]]:
    """A whole list by rules of thumb: the deals that counted with their rules, and how they ended."""
    series = declaration_of(game).series
    deals: list[Deal] = []
    played: list[kb.State] = []
    while len(played) < length:
        seed += 1
        following = series.next(game, [each.result() for each in played], length)
        state = deal(following.game, seed, following.start)
        while state.player != kb.TERMINAL:
            state.apply(state.view(state.player).rule_of_thumb())
        if series.counts(state.result()):
            deals.append(following)
            played.append(state)
        else:
            assert state.returns() == [0, 0, 0, 0]
    return deals, played


def test_a_list_of_the_tournament_has_a_compulsory_solo_of_everybody() -> None:
    game = kb.game("doppelkopf", preset="tournament")
    for seed in (0, 1000, 2000):
        deals, played = play_list(game, 24, seed)
        compulsory = Counter[int | None]()
        start = 0
        for following, state in zip(deals, played, strict=True):
            owed = following.game.params["owed"]
            assert following.start == start
            assert sorted(set(range(4)) - set(owed)) == sorted(seat for seat in compulsory if seat is not None)
            seat = soloist(state.result())
            if seat in owed:
                compulsory[seat] += 1
                first_card = next(i for i, a in enumerate(state.history[49:], 49) if a < 24)
                assert play_until(state, first_card).player == seat  # who leads
            if seat not in owed or following.game.params["forced"] >= 0:
                start = (start + 1) % 4
        assert compulsory == {0: 1, 1: 1, 2: 1, 3: 1}


def play_until(state: kb.State, ply: int) -> kb.State:
    """The position before that action."""
    again = state.game.root()
    for action in state.history[:ply]:
        again.apply(action)
    return again


def test_solos_that_are_owed_at_the_end_of_a_list_are_forced() -> None:
    game = kb.game("doppelkopf", preset="tournament")
    deals, played = play_list(game, 4, 7)
    assert all(following.game.params["forced"] >= 0 for following in deals)
    assert sorted(seat for state in played if (seat := soloist(state.result())) is not None) == [0, 1, 2, 3]


def test_the_deal_moves_on_after_a_forced_solo_but_not_after_another_compulsory_one() -> None:
    """The next to be forced is the one after the dealer who still owes a solo."""
    game = kb.game("doppelkopf", preset="tournament")
    series = declaration_of(game).series
    played = {"eyes_re": 130, "winner": "re"}
    results = [{"type": "solo-jacks", "re": [2], **played}, {"type": "normal", "re": [0, 1], **played}]
    for start, seat in ((1, 1), (2, 3), (3, 0)):
        following = series.next(game, results, 5)
        assert (following.start, following.game.params["forced"]) == (start, seat)
        results.append({"type": "solo-queens", "re": [seat], **played})
    again = series.next(game, results, 5)
    assert (again.start, again.game.params["owed"], again.game.params["forced"]) == (0, [0, 1, 2, 3], -1)


def test_bock_deals_follow_a_lost_solo_and_an_even_game() -> None:
    game = kb.game("doppelkopf", preset="tournament", bock=True, bock_solo=True, bock_hearts=True, throw_in=True)
    doubled = 0
    for seed in range(0, 3000, 1000):
        deals, played = play_list(game, 8, seed)
        left = 0
        for following, state in zip(deals, played, strict=True):
            assert following.game.params["worth"] == (2 if left else 1)
            assert state.result().get("worth", 1) == following.game.params["worth"]
            doubled += left > 0
            left = max(left - 1, 0) + (4 if asks_for_bock(state.result(), game.params) else 0)
    assert doubled > 0


def test_a_single_deal_is_no_list() -> None:
    game = kb.game("doppelkopf", preset="tournament")
    assert declaration_of(game).series.next(game, [], 1) == Deal(game, None)
