"""Drawings for people, compared with what a person would draw; of hidden games, no more than the view says."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import kiebitz as kb
from kiebitz.games import declaration_of
from kiebitz.games.declaration import LANGUAGES, Language


def drawn(position: kb.State | kb.View, viewer: int | None = None, language: Language = "en") -> str:
    console = Console(file=io.StringIO(), width=80, color_system=None)
    console.print(declaration_of(position.game).terminal.draw(position, viewer, language))
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.rstrip("\n").split("\n"))


def test_tic_tac_toe() -> None:
    state = kb.game("tic_tac_toe").load({"board": "xo..x...."})
    expected = """\
    a   b   c
1   X │ O │ ·
   ───┼───┼───
2   · │ X │ ·
   ───┼───┼───
3   · │ · │ ·"""
    assert drawn(state) == drawn(state.view(1)) == expected


def test_connect_four() -> None:
    state = kb.game("connect_four", rows=3, columns=4, connect=3).new()
    for move in "bbc":
        state.apply(state.parse(move))
    assert (
        drawn(state)
        == """\
│ · · · · │
│ · ○ · · │
│ · ● ● · │
└─────────┘
  a b c d"""
    )


def test_oware_is_turned_towards_the_viewer() -> None:
    state = kb.game("oware").new()
    state.apply(state.parse("A"))
    assert (
        drawn(state, 0)
        == """\
     f    e    d    c    b    a
  ┌────┬────┬────┬────┬────┬────┐
  │  3 │  3 │  3 │  3 │  3 │  3 │   player 2: 0 captured
  ├────┼────┼────┼────┼────┼────┤
  │  0 │  4 │  4 │  4 │  3 │  3 │   player 1: 0 captured
  └────┴────┴────┴────┴────┴────┘
     A    B    C    D    E    F"""
    )
    assert drawn(state, 1).split("\n")[2] == "  │  3 │  3 │  4 │  4 │  4 │  0 │   player 1: 0 captured"
    assert drawn(state, 1).split("\n")[-1] == "     a    b    c    d    e    f"


def test_nim() -> None:
    assert drawn(kb.game("nim", heaps=[0, 2, 40]).new()).split("\n") == [
        "heap  1    0",
        "heap  2    2  ● ●",
        "heap  3   40  " + "● " * 30 + "…",
    ]


def test_a_game_without_a_drawing_shows_what_the_view_says() -> None:
    view = kb.game("tree", example="strategy_fusion").new(seed=1).view(0)
    assert drawn(view).split("\n") == [line.rstrip() for line in str(view).rstrip("\n").split("\n")]


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars_dice", "rock_paper_scissors"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_drawings_of_hidden_games_show_no_more_than_the_view(name: str, language: Language) -> None:
    """Two states that a player cannot tell apart look the same, and what differs for another player is drawn there."""
    game = kb.game(name)
    for seed in range(8):
        state = game.new(seed=seed)
        view = state.view(0)
        for world in view.worlds(4, seed):
            assert drawn(world.view(0), None, language) == drawn(view, None, language)


@pytest.mark.parametrize("name", kb.list_games())
def test_every_game_can_be_drawn_to_its_end(name: str) -> None:
    state = kb.game(name).new(seed=1)
    while state.player != kb.TERMINAL:
        assert drawn(state, state.player)
        state.apply(state.legal()[0])
    assert drawn(state)
