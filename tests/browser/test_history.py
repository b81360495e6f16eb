"""A person's own games: what they finish appears there, with their mistakes."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .conftest import Visit


def test_finished_games_appear_with_their_mistakes(visit: Visit) -> None:
    ada = visit(viewport={"width": 390, "height": 844})
    ada.enter("#/history")
    expect(ada.page.get_by_text("No games yet")).to_be_visible()
    ada.enter()
    ada.sit_down("Tic-Tac-Toe")
    ada.play(ada.first_of("Mark"))
    expect(ada.result).to_be_visible()

    ada.enter("#/history")
    game = ada.page.get_by_role("region", name="Tic-Tac-Toe")
    expect(game.get_by_role("row")).to_have_count(2)
    game.get_by_role("button", name="Find my mistakes in 1 game").click()
    expect(game.get_by_role("heading", name="Your mistakes")).to_be_visible()
    expect(game.get_by_text(re.compile(r"Mistakes per game: \d+ \(\d+ % of \d+ decisions\)"))).to_be_visible()
    ada.shot("history-phone", whole=True)
    assert ada.axe() == []

    game.get_by_role("link", name="Look at the game").click()
    expect(ada.page.get_by_role("heading", name="Worst mistakes")).to_be_visible()
