"""Rock-paper-scissors as a table and as a tree; Leduc hold'em: sizes, payoffs, raises, encoding."""

from __future__ import annotations

from itertools import product

import pytest

import kiebitz as kb
from kiebitz.games.matrix import MatrixGame
from tests.games.enumeration import decisions, everything

FOLD, CALL, RAISE = 0, 1, 2


def play(game: kb.Game, hands: list[str], line: str, public: str = "") -> kb.State:
    """A hand played out: c, r and f for calls, raises and folds, / for the public card."""
    state = game.deal(hands)
    for letter in line:
        state.apply(state.parse(public) if letter == "/" else "fcr".index(letter))
    return state


ZERO_SUM = [("rock_paper_scissors", {}), ("tree", {"example": "rps_hidden"})]
PRINTED = [("rock_paper_scissors", {"payoff": "thesis"}), ("tree", {"example": "rps_general_sum"})]


@pytest.mark.requirement("NF-1")
@pytest.mark.parametrize(("name", "params"), ZERO_SUM)
def test_zero_sum_rock_paper_scissors(name: str, params: dict[str, str]) -> None:
    """The uniform profile has NashConv 0, any other strategy loses to a best response."""
    rps = MatrixGame.from_game(kb.game(name, **params))
    assert rps.is_zero_sum
    assert rps.payoffs[0].tolist() == [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    assert rps.nash_conv(rps.uniform()) == pytest.approx(0, abs=1e-12)
    assert rps.exploitability(rps.uniform()) == pytest.approx(0, abs=1e-12)
    rock_heavy = [[0.5, 0.25, 0.25], [1 / 3, 1 / 3, 1 / 3]]
    assert rps.best_response(1, rock_heavy) == ((1,), 0.25)
    assert rps.exploitability(rock_heavy) == pytest.approx(0.125)


@pytest.mark.requirement("NF-1")
@pytest.mark.parametrize(("name", "params"), PRINTED)
def test_printed_general_sum_table(name: str, params: dict[str, str]) -> None:
    """Uniform play is worth 1/3 to both and no deviation gains."""
    rps = MatrixGame.from_game(kb.game(name, **params))
    assert not rps.is_zero_sum
    rock, paper, scissors = range(3)
    printed = {  # Anna / Otto
        (scissors, scissors): (0, 0), (scissors, rock): (0, 1), (scissors, paper): (1, 0),
        (rock, scissors): (1, 0), (rock, rock): (0, 0), (rock, paper): (0, 1),
        (paper, scissors): (0, 1), (paper, rock): (1, 0), (paper, paper): (0, 0),
    }  # fmt: skip
    assert {cell: tuple(rps.payoffs[:, cell[0], cell[1]]) for cell in product(range(3), repeat=2)} == printed
    assert rps.payoff(rps.uniform()) == pytest.approx([1 / 3, 1 / 3], abs=1e-12)
    for player in (0, 1):
        assert rps.action_values(player, rps.uniform()) == pytest.approx([1 / 3] * 3, abs=1e-12)
        best = rps.best_response(player, rps.uniform())
        assert best.actions == (0, 1, 2)
        assert best.value == pytest.approx(1 / 3, abs=1e-12)
    assert rps.nash_conv(rps.uniform()) == pytest.approx(0, abs=1e-12)
    with pytest.raises(kb.UnsuitableGame):
        rps.exploitability(rps.uniform())


@pytest.mark.requirement("NF-2")
def test_visible_choice_lets_the_second_mover_win() -> None:
    visible = kb.game("tree", example="rps_visible")
    assert not visible.info.hidden
    assert kb.search.solve(visible.new()).value == [-1.0, 1.0]


@pytest.mark.requirement("NF-2")
def test_hidden_choice_is_one_information_set() -> None:
    hidden = kb.game("tree", example="rps_hidden")
    assert hidden.info.hidden
    views = set()
    for action in hidden.root().legal():
        state = hidden.root()
        state.apply(action)
        views.add(state.view(1))
    assert len(views) == 1
    with pytest.raises(kb.UnsuitableGame):
        kb.search.solve(hidden.new())


@pytest.mark.requirement("NF-2")
def test_hidden_choice_has_value_0() -> None:
    """The uniform profile is an equilibrium and pays 0; all equilibria of a two-player zero-sum game pay the same."""
    rps = MatrixGame.from_game(kb.game("tree", example="rps_hidden"))
    assert rps.players == 2
    assert rps.is_zero_sum
    assert rps.nash_conv(rps.uniform()) == pytest.approx(0, abs=1e-12)
    assert rps.payoff(rps.uniform()) == pytest.approx([0, 0], abs=1e-12)


@pytest.mark.requirement("NF-4")
@pytest.mark.parametrize(("preset", "terminals"), [("standard", 5520), ("thesis", 5550)])
def test_sizes(preset: str, terminals: int) -> None:
    """3780 decision nodes, 157 chance nodes, 936 information sets with suits, 288 by rank, 36 public betting points."""
    states = everything(kb.game("leduc", preset))
    choices = [state for state in states if state.player >= 0]
    assert len(choices) == 3780
    assert sum(state.player == kb.TERMINAL for state in states) == terminals
    assert sum(state.player == kb.CHANCE for state in states) == 157
    views = [state.view(state.player) for state in choices]
    assert len({view.key for view in views}) == 936
    assert len({view.tensor().tobytes() for view in views}) == 288
    for seat in (0, 1):
        own = [view for view in views if view.observer == seat]
        assert len({view.key for view in own}) == 468
        assert len({view.tensor().tobytes() for view in own}) == 144
    assert len({state.position()["betting"] for state in choices}) == 36


@pytest.mark.requirement("NF-4")
def test_counting_tool_agrees() -> None:
    """The core's counter finds the same nodes."""
    count = kb.search.count(kb.game("leduc", "standard").root())
    assert (count.nodes, count.decision, count.chance, count.terminal) == (9457, 3780, 157, 5520)


def test_kuhn_has_12_information_sets() -> None:
    views = {state.view(state.player).key for state in decisions(kb.game("kuhn"))}
    assert len(views) == 12


@pytest.mark.requirement("NF-5")
@pytest.mark.parametrize(
    ("preset", "hands", "line", "public", "payoff"),
    [
        ("standard", ["K", "J"], "rf", "", 1.0),
        ("standard", ["K", "J"], "crf", "", -1.0),
        ("standard", ["J", "K"], "rrf", "", -3.0),
        ("standard", ["K", "J"], "rrc/rrc", "Q", 13.0),
        ("standard", ["K", "J"], "rrc/rrc", "J", -13.0),
        ("standard", ["K", "J"], "cc/rc", "Q", 5.0),
        ("standard", ["Ks", "Kh"], "rrc/rrc", "Q", 0.0),
        ("thesis", ["K", "J"], "f", "", -0.5),
        ("thesis", ["J", "K"], "rf", "", 1.0),
        ("thesis", ["K", "J"], "rrc/rrc", "Q", 5.0),
        ("thesis", ["J", "K"], "rrc/rrc", "Q", -5.0),
    ],
)
def test_payoff_examples(preset: str, hands: list[str], line: str, public: str, payoff: float) -> None:
    state = play(kb.game("leduc", preset), hands, line, public)
    assert state.player == kb.TERMINAL
    assert state.returns() == [payoff, -payoff]


@pytest.mark.requirement("NF-5")
@pytest.mark.parametrize(("preset", "stake"), [("standard", 13.0), ("thesis", 5.0)])
def test_largest_stake_and_zero_sum_everywhere(preset: str, stake: float) -> None:
    game = kb.game("leduc", preset)
    payoffs = [state.returns() for state in everything(game) if state.player == kb.TERMINAL]
    assert all(sum(pair) == 0 for pair in payoffs)
    assert max(abs(pair[0]) for pair in payoffs) == stake == game.info.max_payoff


@pytest.mark.requirement("NF-6")
@pytest.mark.parametrize("preset", ["standard", "thesis"])
def test_crrc_is_playable_in_both_rounds(preset: str) -> None:
    state = play(kb.game("leduc", preset), ["K", "J"], "crrc/crrc", "Q")
    assert state.player == kb.TERMINAL


@pytest.mark.requirement("NF-6")
@pytest.mark.parametrize("line", ["rr", "crr", "cc/rr", "cc/crr"])
def test_third_raise_is_refused(line: str) -> None:
    state = play(kb.game("leduc"), ["K", "J"], line, "Q")
    assert state.legal() == [FOLD, CALL]
    before = state.position()
    with pytest.raises(kb.IllegalAction, match="action 2 is not legal here"):
        state.apply(RAISE)
    assert state.position() == before


@pytest.mark.requirement("NF-6")
def test_fold_is_refused_when_nothing_is_owed() -> None:
    state = play(kb.game("leduc"), ["K", "J"], "c")
    assert state.legal() == [CALL, RAISE]
    with pytest.raises(kb.IllegalAction):
        state.apply(FOLD)
    blinds = play(kb.game("leduc", "thesis"), ["K", "J"], "")
    assert blinds.legal() == [FOLD, CALL, RAISE]  # half a chip is owed


@pytest.mark.requirement("NF-9")
@pytest.mark.parametrize(
    ("line", "ones"), [("", {2}), ("cr", {2, 6, 19}), ("crc/", {2, 3, 6, 8, 19})], ids=["root", "check-raise", "public"]
)
def test_test_vectors(line: str, ones: set[int]) -> None:
    """Seat 0 holds rank 2, the public card has rank 0: the indices that are 1, all others 0."""
    tensor = play(kb.game("leduc"), ["K", "Q"], line, "J").view(0).tensor()
    assert len(tensor) == 30
    assert {index for index, value in enumerate(tensor) if value == 1} == ones
    assert all(value in (0, 1) for value in tensor)


@pytest.mark.requirement("NF-9")
def test_history_bits() -> None:
    """36 different history vectors with at most 7 bits."""
    vectors = {state.view(state.player).tensor()[6:].tobytes() for state in decisions(kb.game("leduc"))}
    assert len(vectors) == 36
    assert max(state.view(state.player).tensor()[6:].sum() for state in decisions(kb.game("leduc"))) == 7


@pytest.mark.requirement("NF-9")
def test_hidden_card_does_not_show() -> None:
    game = kb.game("leduc")
    for line, public in (("", ""), ("cr", ""), ("crc/r", "Qh")):
        faces = [play(game, [card, "Ks"], line, public).view(1) for card in ("Js", "Jh", "Qs", "Kh")]
        assert all(view == faces[0] for view in faces)
        assert all(view.tensor().tobytes() == faces[0].tensor().tobytes() for view in faces)


@pytest.mark.parametrize("raises", [0, 1, 2, 6])
@pytest.mark.parametrize("bets", [[2.0, 4.0], [1.501, 0.501], [0.1, 0.7], [0.001, 1000.0]])
@pytest.mark.parametrize("stakes", [[1.0, 1.0], [0.5, 2.0], [0.3, 0.1]])
def test_the_most_that_can_be_lost_is_the_end_of_the_range(stakes: list[float], bets: list[float], raises: int) -> None:
    """To the last bit: searches refuse payoffs outside the range."""
    game = kb.game("leduc", stakes=stakes, bets=bets, raises=raises)
    checks = "" if raises else "c"
    end = play(game, ["Ks", "Js"], f"{checks}{'r' * raises}c/{checks}{'r' * raises}c", public="Qs")
    assert end.returns() == [game.info.max_payoff, game.info.min_payoff]
