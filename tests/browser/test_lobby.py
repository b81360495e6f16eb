"""House rules from the lobby to the table: changed by mouse and keys, explained, remembered, and in force."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from .conftest import QUICK, Visit, setup
from .test_accessible import clean
from .test_phone import PHONE, fits
from .visitor import Visitor


def house_rules(visitor: Visitor, game: str) -> Locator:
    """The rules of a game, unfolded."""
    visitor.enter()
    visitor.choose(game)
    fold = visitor.page.locator("details").filter(has_text="House rules")
    fold.locator("summary").click()
    return fold


def in_sight(visitor: Visitor, board: str) -> None:
    """The whole board is in the window."""
    parts = visitor.page.get_by_role("region", name=board).locator("> *")
    low = max(part["y"] + part["height"] for part in map(Locator.bounding_box, parts.all()) if part)
    assert low <= visitor.page.evaluate("innerHeight")


def test_doppelkopf_without_nines(visit: Visit) -> None:
    ada = visit()
    rules = house_rules(ada, "Doppelkopf")
    nines = rules.get_by_role("checkbox", name="With nines")
    expect(nines).to_be_checked()
    nines.uncheck()
    expect(rules.get_by_text("Changed from the usual rules")).to_be_visible()
    ada.shot("lobby-rules-doppelkopf")
    ada.button("Play Doppelkopf").click()
    ada.at_table()
    expect(ada.hand).to_have_count(10)
    assert not [card for card in ada.hand.all() if "nine" in (card.get_attribute("aria-label") or "")]
    ada.play(ada.doppelkopf_step, until=lambda: ada.hand.count() == 8)

    # Remembered until they are reset.
    rules = house_rules(ada, "Doppelkopf")
    expect(nines).not_to_be_checked()
    rules.get_by_role("button", name="Back to the usual rules").click()
    expect(nines).to_be_checked()
    ada.page.reload()
    expect(ada.page.get_by_text("1 changed")).to_have_count(0)


def test_rules_that_do_not_go_together_are_refused_beside_the_rules(visit: Visit) -> None:
    ada = visit()
    ada.forgiven.append(re.compile("status of 422"))
    rules = house_rules(ada, "Connect Four")
    rules.get_by_role("spinbutton", name="Rows").fill("12")
    ada.button("Play Connect Four").click()
    alert = ada.page.get_by_role("alert")
    expect(alert).to_have_text(re.compile(r"^These rules cannot be played: rows and columns: expected .* got 91$"))
    rules.get_by_role("spinbutton", name="Columns").fill("4")
    expect(alert).to_have_count(0)
    ada.button("Play Connect Four").click()
    ada.at_table()
    assert ada.snapshot["game"]["params"] == {"rows": 12, "columns": 4, "connect": 4}
    in_sight(ada, "Connect Four board")

    # Spectators read the same rules as players.
    bob = visit()
    bob.page.goto(ada.page.url)
    bob.at_table()
    for page in (ada.page, bob.page):
        told = page.get_by_role("definition")
        expect(told).to_have_text(["12usually 6", "4usually 7", "4"])
        expect(page.get_by_role("term")).to_have_text(["Rows", "Columns", "Discs in a line to win"])
    in_sight(bob, "Connect Four board")


def test_nim_with_other_heaps_by_keys(visit: Visit) -> None:
    ada = visit()
    page = ada.page
    rules = house_rules(ada, "Nim")
    page.keyboard.press("Tab")
    for number in "2468":
        page.keyboard.type(number)
        page.keyboard.press("Tab")
    expect(rules.get_by_role("button", name="Add a heap")).to_be_focused()
    page.keyboard.press("Enter")
    rules.get_by_role("spinbutton", name="Heap 5").fill("99")
    expect(rules.get_by_text("Enter a whole number from 0 to 32.")).to_be_visible()
    ada.button("Play Nim").click()
    expect(rules.get_by_role("spinbutton", name="Heap 5")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    ada.at_table()
    board = page.get_by_role("region", name="Nim heaps")
    for heap, size in enumerate([2, 4, 6, 8, 3], 1):
        expect(board.get_by_role("group", name=f"Heap {heap}: {size} left")).to_be_visible()
    ada.play(ada.first_of("take"))
    expect(ada.result.get_by_role("heading")).to_have_text(re.compile(r"\w"))


def test_more_players_have_seats(visit: Visit) -> None:
    ada = visit()
    rules = house_rules(ada, "Kuhn Poker")
    for _ in range(2):
        rules.get_by_role("button", name="Players: one more").click()
    for seat in (3, 4):
        ada.page.get_by_role("combobox", name=f"Seat {seat}").select_option("bot:beginner")
    ada.button("Play Kuhn Poker").click()
    ada.at_table()
    assert ada.snapshot["game"]["players"] == 4
    ada.play(ada.first_of("Bet", "Call", "Check", "Fold"))


LARGE = {
    "Connect Four": ("Connect Four board", setup(2, "beginner", rules={"rows": 12, "columns": 4})),
    "Nim": ("Nim heaps", setup(2, "beginner", rules={"heaps": [32] * 12})),
    "Kuhn Poker": ("Poker table", setup(6, "beginner", rules={"players": 6})),
}
"""The largest boards that the rules allow."""


WINDOWS: dict[str, dict[str, Any]] = {
    "desktop": {},
    "laptop": {"viewport": {"width": 1280, "height": 720}},
    "phone": PHONE,
}


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("game", LARGE)
def test_large_boards_fit(visit: Visit, game: str, window: str) -> None:
    board, rules = LARGE[game]
    key = game.lower().replace(" ", "_").removesuffix("_poker")
    ada = visit({"setups": {**QUICK, key: rules}}, **WINDOWS[window])
    ada.sit_down(game)
    expect(ada.page.get_by_role("region", name=board)).to_be_visible()
    ada.until(lambda: ada.snapshot.get("turn") == 0)
    if window == "phone":
        fits(ada.page)
        clean(ada)
    else:
        in_sight(ada, board)
    ada.shot(f"{window}-large-{key}", whole=window == "phone")


@pytest.mark.parametrize("game", ["Doppelkopf", "Oware", "Leduc Poker", "Liar's Dice", "Nim"])
def test_on_a_phone_and_for_screen_readers(visit: Visit, game: str) -> None:
    wrong = {"rules": {"seeds": 99, "ranks": None, "players": 6, "dice": 5, "heaps": [99] * 12, "nines": False}}
    ada = visit({"setups": {name: {**usual, **wrong} for name, usual in QUICK.items()}}, **PHONE)
    house_rules(ada, game)
    expect(ada.page.get_by_text("1 changed").or_(ada.page.get_by_text("2 changed"))).to_be_visible()
    fits(ada.page)
    clean(ada)
    ada.shot(f"phone-rules-{re.sub('[^a-z]+', '-', game.lower())}", whole=True)
