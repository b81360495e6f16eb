"""Two people at one table: a clock, a chat, giving up after a question, and a rematch in which the other begins."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import QUICK, Visit
from .test_accessible import clean
from .test_phone import PHONE, fits


def test_an_evening_of_two_friends(visit: Visit) -> None:
    seats = [{"kind": "me", "strength": "beginner"}, {"kind": "open", "strength": "beginner"}]
    table = {**QUICK["connect_four"], "seats": seats, "games": 1, "clock": "5+3"}
    ada = visit({"setups": {"connect_four": table}}, viewport={"width": 1280, "height": 800})
    grace = visit({"name": "Grace", "language": "de"}, **PHONE)
    ada.sit_down("Connect Four")
    grace.page.goto(ada.page.url)
    grace.button("Auf Platz 2 setzen").click()
    clocks = ada.page.get_by_role("timer")
    expect(clocks).to_have_count(2)

    ada.page.get_by_role("textbox", name="Write to the others").fill("<b>good luck</b>")
    ada.page.keyboard.press("Enter")
    expect(grace.page.get_by_role("log")).to_have_text("Ada <b>good luck</b>")
    grace.page.get_by_role("textbox", name="Den anderen schreiben").fill("dir auch")
    grace.button("Senden").click()
    expect(ada.page.get_by_role("log").get_by_role("listitem")).to_have_text(["Ada <b>good luck</b>", "Grace dir auch"])
    ada.page.keyboard.press("Escape")
    ada.shot("control-table")
    clean(ada)
    fits(grace.page)
    grace.shot("control-phone")

    grace.button("Aufgeben").click()
    expect(grace.page.get_by_role("alertdialog")).to_contain_text("Du verlierst dieses Spiel")
    clean(grace)
    grace.shot("control-phone-give-up")
    grace.page.get_by_role("alertdialog").get_by_role("button", name="Aufgeben").click()
    expect(ada.result.get_by_role("heading")).to_have_text("Grace gave up: Ada wins")
    ada.button("Rematch").click()
    expect(ada.result.get_by_role("status")).to_have_text("You want a rematch; waiting for the others.")
    ada.shot("control-rematch")
    expect(grace.page.get_by_text("Ada: Revanche?")).to_be_visible()
    grace.shot("control-phone-rematch")
    grace.button("Revanche").click()
    expect(ada.page.get_by_text("Game 2 of 2")).to_be_visible()
    assert (ada.snapshot["you"], ada.snapshot["score"]["totals"]) == (1, [-1.0, 1.0])
    sheet = ada.page.get_by_role("region", name="Score sheet")
    expect(sheet.get_by_role("columnheader")).to_have_text(["Game", "Ada", "Grace"])
