"""Doppelkopf as people play it: from lobby to score sheet, by mouse and by keyboard."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from .conftest import QUICK, Visit, setup
from .visitor import Visitor

pytestmark = pytest.mark.requirement("DK-80")


def points(value: float) -> str:
    return "0" if value == 0 else f"{'+' if value > 0 else '−'}{abs(value):g}"


def test_a_whole_game_by_mouse(visit: Visit) -> None:
    ada = visit({"setups": {"doppelkopf": setup(4, "strong")}, "name": ""}, reduced_motion="no-preference")
    page = ada.page
    ada.enter()
    page.get_by_role("textbox", name="Your name").fill("Ada")
    for seat in (2, 3, 4):
        page.get_by_role("combobox", name=f"Seat {seat}").select_option("bot:casual")
    page.get_by_text("Options", exact=True).click()
    page.get_by_role("combobox", name="Games in the series").select_option("4")
    ada.shot("lobby")
    ada.button("Play Doppelkopf").click()
    ada.at_table()
    expect(page.get_by_text("Game 1 of 4")).to_be_visible()

    expect(ada.reservation).to_be_visible()
    assert ada.reservation.get_by_role("button").count() > 1
    expect(ada.hand).to_have_count(12)
    ada.shot("doppelkopf-reservation")

    ada.play(ada.doppelkopf_step, until=lambda: ada.hand.count() == 8)
    page.wait_for_timeout(300)
    ada.shot("doppelkopf-table")
    ada.button("Last trick").click()
    expect(page.get_by_text(re.compile(r"^\d+ eyes for (Ada|Bot \d)$"))).to_be_visible()
    ada.button("Last trick").click()
    ada.play(ada.doppelkopf_step)
    assert ada.asked, "a person may call before their first card"
    assert re.search(r"Do you want to call (Re|Kontra)\?", ada.asked[0])

    ada.settle()
    ada.shot("doppelkopf-result")
    over = ada.snapshot["over"]
    expect(ada.result.get_by_role("heading")).to_have_text(re.compile(r"^(Re|Kontra) wins|^Nobody wins"))
    assert len(re.findall(r"\d+ eyes, \d+ tricks?", ada.result.inner_text())) == 2
    for item in over["result"]["items_en"]:
        cell = ada.result.get_by_role("cell").filter(has_text=re.compile(f"^{re.escape(item)}$"))
        expect(cell.first).to_be_visible()
    total = page.get_by_role("region", name="Score sheet").get_by_role("row").filter(has_text="Total")
    assert total.get_by_role("cell").all_inner_texts() == [points(value) for value in over["returns"]]

    ada.result.get_by_role("button", name="Next game").click()
    expect(page.get_by_text("Game 2 of 4")).to_be_visible()
    expect(ada.hand).to_have_count(12)


def test_the_first_tricks_by_keyboard_alone(visit: Visit) -> None:
    ada = visit()
    page, press = ada.page, ada.page.keyboard.press
    ada.enter()
    expect(ada.button("Play Doppelkopf")).to_be_visible()
    press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    press("Enter")
    for _ in range(20):
        if page.evaluate("document.activeElement.type === 'submit'"):
            break
        press("Tab")
    expect(ada.button("Play Doppelkopf")).to_be_focused()
    press("Enter")
    ada.at_table()

    # The dialog takes the focus when it appears.
    expect(ada.reservation).to_be_visible()
    expect(ada.reservation.get_by_role("button", name="Healthy")).to_be_focused()
    press("Enter")
    expect(ada.reservation).to_be_hidden()

    # A digit plays the playable card with that number, even during a round of calls; so do arrows and Enter.
    def tab_to(place: Locator) -> None:
        for _ in range(40):
            if place.locator(":focus").count() == 1:
                return
            press("Tab")
        raise AssertionError(f"the Tab key does not reach {place}")

    def my_turn() -> None:
        while ada.playable.count() == 0:
            if ada.calls.is_visible():  # somebody else called
                tab_to(ada.calls)
                while "No call" not in page.evaluate("document.activeElement.textContent"):
                    press("Tab")
                with ada.answering():
                    press("Enter")
            page.wait_for_timeout(30)
        tab_to(hand)

    def until_gone(left: int) -> None:
        """Wait until the chosen card has left the hand; a call in the meantime hands it back, to be chosen again."""
        queued = page.locator(".dk-hand-card.queued")
        while True:
            ada.until(lambda: ada.hand.count() == left or (queued.count() == 0 and ada.playable.count() > 0))
            if ada.hand.count() == left:
                return
            my_turn()
            press("1")

    hand = page.get_by_role("group", name="Your cards")
    my_turn()
    press("1")
    until_gone(11)
    for left in (10, 9):
        my_turn()
        press("Home")
        for _ in range(12):
            if page.evaluate("document.activeElement.ariaDisabled") == "false":
                break
            press("ArrowRight")
        press("Enter")
        until_gone(left)


def test_two_people_are_asked_before_each_own_card_whatever_they_may_call(visit: Visit) -> None:
    """A round lasts until both have answered: asking only those who may call would give them away by its length."""
    seats = [{"kind": kind, "strength": "casual"} for kind in ("me", "open", "bot", "bot")]

    def moment(snapshot: dict[str, Any]) -> tuple[int, int]:
        return sum(snapshot["public"]["sizes"]), len(snapshot["public"]["calls"])

    def owns_next(snapshot: dict[str, Any]) -> bool:
        """Whether the next card is this player's, and was played by the end."""
        public, you = snapshot["public"], snapshot["you"]
        return bool(public["turn"] == you and public["sizes"][you] > 10)

    def snapshots(visitor: Visitor) -> list[dict[str, Any]]:
        return [each for text in visitor.heard if (each := json.loads(text).get("snapshot"))]

    def begin() -> tuple[Visitor, Visitor]:
        """A table at which both have played a card or two."""
        ada = visit({"animate": False, "setups": {**QUICK, "doppelkopf": {**setup(4), "seats": seats}}})
        grace = visit({"animate": False, "name": "Grace"})
        ada.sit_down("Doppelkopf")
        grace.enter(ada.page.url.removeprefix(ada.address))
        grace.button("Sit down at seat 2").click()
        ada.play(
            lambda: ada.doppelkopf_step() | grace.doppelkopf_step(),
            until=lambda: ada.hand.count() < 11 and grace.hand.count() < 11,
        )
        return ada, grace

    both = begin()
    while snapshots(both[0])[-1]["public"]["contract"] == "wedding":  # in which nobody may call at first
        both = begin()
    for visitor in both:
        mine = [s for s in snapshots(visitor) if (s["prompt"] or {}).get("kind") == "call" and owns_next(s)]
        assert mine
        assert {moment(each) for each in mine} <= {moment(each) for each in visitor.asked_in}
