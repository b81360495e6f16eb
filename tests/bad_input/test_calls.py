"""The plain C methods of a state (player, legal, apply) refuse what the bound ones refuse, and never crash."""

import pytest

import kiebitz as kb


def state() -> kb.State:
    return kb.game("tic_tac_toe").new()


def test_apply_refuses_every_number_that_is_not_legal() -> None:
    s = state()
    for action in (-1, 9, 2**31, 2**40, 2**63 - 1, -(2**63)):
        with pytest.raises(kb.IllegalAction):
            s.apply(action)
    assert s.history == []


def test_apply_refuses_what_is_no_number() -> None:
    s = state()
    for argument in ("4", None, 4.5, [4], 2**70):
        with pytest.raises(TypeError):
            s.apply(argument)  # type: ignore[arg-type]
    assert s.history == []


def test_apply_takes_numbers_of_other_types() -> None:
    class Whole(int):
        """A number that is not exactly an int."""

    s = state()
    s.apply(Whole(4))
    s.apply(True)
    assert s.history == [4, 1]


def test_apply_after_the_end_is_refused() -> None:
    s = kb.game("tic_tac_toe").load({"board": "xxxoo...."})
    with pytest.raises(kb.IllegalAction, match="over"):
        s.apply(8)
    assert s.legal() == []


def test_names_of_games_and_presets_must_be_text() -> None:
    for arguments in ((None,), (3,), ("oware", 3)):
        with pytest.raises(kb.UnknownName, match="expected"):
            kb.game(*arguments)


def test_absurd_depths_are_refused_by_name() -> None:
    for depth in (-1, 10**12):
        with pytest.raises(kb.ParameterError, match="depth"):
            kb.search.perft(state(), depth)
        with pytest.raises(kb.ParameterError, match="depth"):
            kb.search.AlphaBeta(state().game, depth=depth)


def test_an_analysis_with_long_names_can_be_printed() -> None:
    for length in (1, 13, 14, 60, 200):
        names = {"\N{BLACK CLUB SUIT}" * length: {"payoffs": [1, -1]}, "x": {"payoffs": [0, 0]}}
        game = kb.game("tree", tree={"players": ["a", "b"], "root": {"player": "a", "actions": names}})
        text = str(kb.search.Uct(game, iterations=10).search(game.root()))
        assert "\N{BLACK CLUB SUIT}" * length in text


def test_an_alphabeta_analysis_shows_bounds_as_bounds() -> None:
    game = kb.game("connect_four")
    text = str(kb.search.AlphaBeta(game, depth=5).search(game.root()))
    assert "<=" in text
    assert "iterations" not in text


@pytest.mark.filterwarnings("ignore")
def test_a_state_that_was_never_made_is_refused() -> None:
    empty = kb.State.__new__(kb.State)
    for call in (lambda: empty.player, empty.legal, lambda: empty.apply(0)):
        with pytest.raises(TypeError):
            call()


def test_errors_of_a_python_game_pass_through() -> None:
    class Broken(kb.PythonState):
        def player(self) -> int:
            raise KeyError("player")

        def legal(self) -> list[int]:
            raise KeyError("legal")

    class BrokenGame(kb.PythonGame):
        name = "broken"
        state = Broken
        actions = 1
        max_length = 1

    s = BrokenGame.make().root()
    for call in (lambda: s.player, s.legal, lambda: s.apply(0)):
        with pytest.raises(KeyError):
            call()


def test_a_long_text_in_a_message_is_not_cut_inside_a_character() -> None:
    for length in range(70, 90):
        with pytest.raises(kb.IllegalAction, match="names no legal action"):
            state().parse("x" * length + "\N{BLACK SPADE SUIT}" * 20)
