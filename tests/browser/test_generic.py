"""Games that the page has no folder for, one written in Python and one compiled: played at the table, replayed and
reviewed all the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from .conftest import Visit
from .serving import ROOT, Serving
from .test_accessible import clean
from .test_phone import PHONE, fits


@pytest.fixture(scope="module")
def started_with(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    games = [str(ROOT / "examples" / "hexapawn.py"), "rock_paper_scissors"]
    serving = Serving(tmp_path_factory.mktemp("games"), *(part for game in games for part in ("--games", game)))
    yield serving
    serving.stop()


def test_a_whole_game_its_replay_and_its_review(visit: Visit, started_with: Serving) -> None:
    ada = visit({"animate": False, "setups": {}}, at=started_with)
    page = ada.page
    ada.enter()
    ada.choose("Hexapawn")
    page.get_by_text("Options", exact=True).click()
    page.get_by_role("combobox", name="Pace of the bots").select_option("Fast")
    ada.button("Play Hexapawn").click()
    ada.at_table()

    # The view as text, the choices as buttons.
    board = page.get_by_role("region", name="Position")
    expect(board.get_by_role("group", name="Position")).to_have_text("3 b b b\n2 . . .\n1 w w w\n  a b c")
    legal = [each["name"] for each in ada.snapshot["views"]["0"]["legal"]]
    assert legal == ["a1a2", "b1b2", "c1c2"]
    for name in legal:
        expect(board.get_by_role("button", name=name, exact=True)).to_be_visible()
    clean(ada)
    ada.shot("hexapawn-table")

    # By key, then by mouse to the end.
    page.keyboard.press("2")
    ada.until(lambda: len(ada.snapshot["history"]) == 2)
    assert ada.snapshot["history"][0] == "b1b2"
    ada.button("Kibitz").click()
    ada.button("Ask for advice").click()
    expect(page.get_by_role("table").filter(has_text=re.compile("Expected|Winning chance"))).to_be_visible()
    ada.play(ada.first_of(r"^[abc]\d[abc]\d"))
    over = ada.snapshot["over"]
    winner = "Ada" if over["returns"][0] > 0 else "Bot 2"
    expect(ada.result.get_by_role("heading")).to_have_text(re.compile(winner))
    log = page.get_by_role("list", name="What happened").get_by_role("listitem")
    assert log.count() >= len(ada.snapshot["history"])
    ada.shot("hexapawn-result")
    moves = len(ada.snapshot["history"])

    ada.button("Review this game").click()
    slider = page.get_by_role("slider", name="Position")
    expect(slider).to_have_attribute("aria-valuetext", f"Position 1 of {moves + 1}")
    expect(board.get_by_role("group", name="Position")).to_have_text("3 b b b\n2 . . .\n1 w w w\n  a b c")
    page.keyboard.press("ArrowRight")
    expect(board.get_by_role("group", name="Position")).to_have_text("3 b b b\n2 . w .\n1 w . w\n  a b c")
    expect(page.get_by_text("Ada: b1b2").first).to_be_visible()
    ada.button("Review the game").click()
    expect(page.get_by_role("heading", name="Worst mistakes")).to_be_visible(timeout=180_000)
    page.keyboard.press("End")
    expect(page.locator(".rp-over")).to_contain_text(winner)
    clean(ada)
    ada.shot("hexapawn-replay", whole=True)


def test_on_a_phone_and_in_german(visit: Visit, started_with: Serving) -> None:
    ada = visit({"language": "de", "setups": {}}, at=started_with, color_scheme="dark", **PHONE)
    ada.enter()
    ada.choose("Hexapawn")
    fits(ada.page)
    ada.button("Hexapawn spielen").click()
    expect(ada.page.get_by_role("button", name="a1a2", exact=True)).to_be_visible()
    fits(ada.page)
    ada.shot("hexapawn-phone")
    ada.button("a1a2").click()
    ada.until(lambda: len(ada.snapshot["history"]) >= 1)


def test_a_hidden_game_without_a_declaration(visit: Visit, started_with: Serving) -> None:
    """Three rounds of a game that says nothing but its rules: nobody sees a choice before the round is over."""
    ada = visit({"animate": False, "setups": {}}, at=started_with)
    page = ada.page
    ada.enter()
    ada.choose("Rock-paper-scissors")
    page.get_by_text("House rules", exact=True).click()
    page.get_by_role("spinbutton", name="rounds").fill("3")
    ada.button("Play Rock-paper-scissors").click()
    ada.at_table()
    board = page.get_by_role("region", name="Position")
    expect(board.get_by_role("group", name="Position")).to_contain_text("round 1 of 3: ? - ?")
    for name in ("rock", "paper", "scissors"):
        expect(board.get_by_role("button", name=name, exact=True)).to_be_visible()
    clean(ada)
    ada.play(ada.first_of("^paper"))
    rounds = ada.snapshot["public"]["rounds"]
    assert [first for first, _ in rounds] == ["paper"] * 3
    returns = ada.snapshot["over"]["returns"]
    expect(ada.result.get_by_role("heading")).to_have_text(
        re.compile("Ada" if returns[0] > 0 else "Bot 2" if returns[0] < 0 else "draw")
    )
    ada.button("Review this game").click()
    expect(page.get_by_role("slider", name="Position")).to_have_attribute("aria-valuetext", "Position 1 of 7")
    clean(ada)
