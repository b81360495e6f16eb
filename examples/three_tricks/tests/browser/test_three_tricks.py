"""Three Tricks at the table in the browser: a whole game, then its replay."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.conftest import Visit, setup


def test_a_game_of_three_tricks(visit: Visit) -> None:
    ada = visit({"setups": {"three_tricks": setup(3)}})
    ada.sit_down("Three Tricks")
    expect(ada.page.get_by_role("group", name="Your hand").get_by_role("button")).to_have_count(3)
    ada.shot("three_tricks")
    ada.play(ada.first_of("^Play "))
    expect(ada.result).to_contain_text("trick")
    assert sum(ada.snapshot["over"]["result"]["tricks"]) == 3
    assert not ada.axe()
