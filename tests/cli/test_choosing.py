"""Choosing at the terminal: amounts are typed, long runs take one line, announcements are answered with yes or no."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.cli.test_cli import good

import kiebitz as kb
from kiebitz.cli.choosing import LONG_RUN, declining, lines_of, listed, read
from kiebitz.games import registry


class AuctionState(kb.PythonState):
    """Two players raise a stake of 2; folding loses it, calling ends the auction."""

    def __init__(self) -> None:
        self.stake = 2
        self.turn = 0
        self.ended = ""

    def player(self) -> int:
        return kb.TERMINAL if self.ended else self.turn

    def legal(self) -> list[int]:
        return [] if self.ended else [0, 1, *range(2 + self.stake // 2, 102)]

    def apply(self, action: int) -> None:
        if action < 2:
            self.ended = ("fold", "call")[action]
        else:
            self.stake, self.turn = 2 * (action - 1), 1 - self.turn

    def returns(self) -> list[float]:
        won = float(self.stake) if self.ended == "call" else -float(self.stake)
        return [won, -won] if self.turn == 0 else [-won, won]

    def name(self, action: int) -> str:
        return ("fold", "call")[action] if action < 2 else f"raise to {2 * (action - 1)}"

    def kind(self, action: int) -> str:
        return ("fold", "call", "raise")[min(action, 2)]

    def amount(self, action: int) -> float:
        return 2.0 * (action - 1)


class Auction(kb.PythonGame):
    name = "auction"
    state = AuctionState
    actions = 102
    max_length = 102
    min_payoff, max_payoff = -200.0, 200.0
    kinds = (kb.ActionKind("fold", "move"), kb.ActionKind("call", "move"), kb.ActionKind("raise", "move", "chips"))


@pytest.fixture
def auction() -> Iterator[kb.Game]:
    kb.register(Auction)
    yield kb.game("auction")
    del registry._python_games["auction"]


def test_a_long_run_of_amounts_is_one_line(auction: kb.Game) -> None:
    view = auction.new().view(0)
    assert listed(view, 80) == "1 fold   2 call   3 raise to 4 to raise to 200"
    assert len(view.legal()) > LONG_RUN


@pytest.mark.parametrize(
    ("text", "name"),
    [("raise 40", "raise to 40"), ("RAISE 4", "raise to 4"), ("3 200", "raise to 200"), ("raise to 6", "raise to 6")],
)
def test_amounts_are_typed_after_the_kind_or_the_number(auction: kb.Game, text: str, name: str) -> None:
    view = auction.new().view(0)
    assert view.name(read(view, text)) == name


@pytest.mark.parametrize("text", ["raise", "raise 41", "raise 400", "raise much", "3", "3 2", "1 40", "4 40", "3 nan"])
def test_amounts_off_the_range_are_refused_with_the_range(auction: kb.Game, text: str) -> None:
    with pytest.raises(kb.IllegalAction, match="is not possible here; expected fold, call, raise to 4 to raise to 200"):
        read(auction.new().view(0), text)


def test_a_kind_that_several_runs_share_needs_a_name_or_a_number() -> None:
    view = kb.game("nim", heaps=[20, 30]).new().view(0)
    assert [line.text for line in lines_of(view)] == ["1:1 to 1:20", "2:1 to 2:30"]
    with pytest.raises(kb.IllegalAction):
        read(view, "take 5")
    assert view.name(read(view, "2 25")) == "2:25"


def test_a_game_in_python_is_played_by_amounts(auction: kb.Game) -> None:
    del auction
    text = good("play", "auction", "--seat", "1", "-a", "person", input="raise 40\nraise 40\nraise 100\ncall\n")
    assert "3 raise to 4 to raise to 200" in text
    assert "3 raise to 42 to raise to 200" in text
    assert "'raise 40' is not possible here" in text
    assert "Player 1 wins. Payoffs: player 1 +100, player 2 −100" in text


def test_only_announcements_can_be_declined() -> None:
    state = kb.game("doppelkopf").new(seed=7)
    assert declining(state.view(state.player)) is None
    for _ in range(4):
        state.apply(state.parse("healthy"))
    view = state.view(state.player)
    assert view.phase == "call"
    assert view.name(read(view, "no")) == view.name(read(view, "")) == "pass"
    assert view.kind(read(view, "ja")) == "announcement"
