"""The kibitz panel: options with errors, who holds what, worlds, best line and curve."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from .conftest import QUICK, Visit, setup
from .visitor import Visitor

SAID = re.compile(r"([+−]?[\d.,]+) (?:plus or minus ([\d.,]+)(?: points)?|\(exact\))")


def advice(visitor: Visitor) -> tuple[Any, Locator]:
    """Ask the kibitz; return the server's answer and the table that shows it."""
    with visitor.page.expect_response(re.compile(r"/analysis$")) as answer:
        visitor.button("Ask for advice").click()
    table = visitor.page.get_by_role("table").filter(has_text=visitor.snapshot["game"]["unit"]["title"]["en"])
    expect(table).to_be_visible()
    return answer.value.json(), table


def to_own_choice(ada: Visitor) -> None:
    """Play on until the person has to choose a card, some tricks into the game."""

    def reached() -> bool:
        mine = ada.snapshot.get("phase") == "card" and ada.snapshot["turn"] == 0
        return mine and ada.hand.count() <= 10 and ada.playable.count() > 1

    ada.play(ada.doppelkopf_step, until=reached)


def test_options_and_beliefs_in_doppelkopf(visit: Visit) -> None:
    ada = visit()
    page = ada.page
    ada.sit_down("Doppelkopf")
    to_own_choice(ada)
    ada.button("Kibitz").click()
    kibitz, table = advice(ada)

    legal = {each["name"] for each in ada.snapshot["views"]["0"]["legal"]}
    assert {each["name"] for each in kibitz["actions"]} == legal
    rows = table.get_by_role("row").filter(has=page.get_by_role("rowheader"))
    expect(rows).to_have_count(len(legal))
    expect(table.get_by_text("best", exact=True)).to_have_count(len(kibitz["good"]))
    for each in kibitz["actions"]:
        text = rows.filter(has=page.get_by_role("rowheader", name=re.compile(f"^{each['name']}"))).inner_text()
        said = SAID.search(text)
        assert said, text
        assert float(said[1].replace("−", "-")) == pytest.approx(each["value"], abs=0.0501)  # points have one digit
        if said[2]:
            assert float(said[2]) == pytest.approx(each["error"], abs=0.0501)
        assert "%" not in text, "what only the engine cares about"
    share = page.get_by_text("Share of visits")
    expect(share).to_be_hidden()
    page.get_by_text("How this was found").click()
    expect(share).to_contain_text(re.compile(r"\d %"))

    with page.expect_response(re.compile(r"/beliefs$")) as answer:
        page.get_by_text("Who holds what").click()
    beliefs = answer.value.json()
    assert beliefs["exact"] is True
    expect(page.get_by_text("Exact probability, given everything this seat knows.")).to_be_visible()
    cells = page.locator("[data-cell]")
    expect(cells).to_have_count(3 * len(beliefs["cards"]))
    for code, chances in list(beliefs["cards"].items())[:6]:
        for seat in (1, 2, 3):
            shown = page.locator(f"[data-cell='{code}:{seat}']").inner_text().split("\n")[0]
            assert {"·": 0, "✓": 100}.get(shown, shown) in (0, 100, f"{chances[seat] * 100:.0f}", "0", "100"), shown

    worlds = page.get_by_role("group", name="Possible worlds")
    expect(worlds.get_by_role("button")).to_have_count(len(beliefs["worlds"]))
    worlds.get_by_role("button", name="World 2").click()
    expect(worlds.get_by_role("button", name="World 2", pressed=True)).to_be_visible()
    sizes = ada.snapshot["public"]["sizes"]
    expect(page.locator(".wd-cards").get_by_role("img")).to_have_count(sum(sizes[1:]))
    ada.shot("doppelkopf-kibitz", whole=True)


def test_silence_at_a_fair_table(visit: Visit) -> None:
    ada = visit({"setups": {}})
    page = ada.page
    ada.enter()
    ada.choose("Tic-Tac-Toe")
    page.get_by_role("combobox", name="Seat 2").select_option("bot:beginner")
    page.get_by_text("Options", exact=True).click()
    page.get_by_role("combobox", name="Pace of the bots").select_option("Fast")
    page.get_by_role("checkbox", name="Fair table").check()
    ada.button("Play Tic-Tac-Toe").click()
    ada.at_table()
    ada.button("Kibitz").click()
    expect(page.get_by_text("A fair table: the kibitz keeps quiet while the game runs.")).to_be_visible()
    expect(ada.button("Ask for advice")).to_have_count(0)
    ada.play(ada.first_of("Mark"))
    expect(page.get_by_text("The replay shows what each decision cost.")).to_be_visible()


def test_line_and_curve_in_oware(visit: Visit) -> None:
    ada = visit({"animate": False, "folded": []})
    page = ada.page
    ada.sit_down("Oware")
    expect(page.get_by_text("Each analysis adds a point.")).to_be_visible()
    for number in (1, 2):
        ada.until(lambda: ada.snapshot["turn"] == 0)
        kibitz, table = advice(ada)
        line = page.get_by_text("Best line").locator("..")
        expect(line).to_have_text(re.compile("Best line" + "".join(kibitz["line"][:6])))
        assert kibitz["line"][0] == next(a["name"] for a in kibitz["actions"] if a["action"] == kibitz["best"])
        expect(table.get_by_role("row")).to_have_count(1 + len(kibitz["actions"]))
        curve = page.get_by_role("img", name=re.compile(f"Curve of the expected result; {number} points?, last .* Ada"))
        expect(curve.locator("canvas")).to_be_visible()
        if number == 1:
            page.keyboard.press("6")
            ada.until(lambda: len(ada.snapshot["history"]) == 2)
            expect(page.get_by_text("This was for an earlier position.")).to_be_visible()
    ada.shot("oware-kibitz", whole=True)


def test_watching_bots(visit: Visit) -> None:
    ada = visit()
    page = ada.page
    ada.enter()
    ada.choose("Leduc Poker")
    ada.button("Watch bots play").click()
    expect(page.get_by_text("You are watching and see everything")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("hidden card"))).to_have_count(0)


def test_over_any_shoulder(visit: Visit) -> None:
    """The game waits for somebody to sit down: nobody is in a hurry to ask."""
    seats = [{"kind": "open", "strength": "casual"}, {"kind": "bot", "strength": "casual"}]
    ada = visit({"folded": [], "setups": {**QUICK, "leduc": setup(2, seats=seats, open=True)}})
    page = ada.page
    ada.enter()
    ada.choose("Leduc Poker")
    ada.button("Watch bots play").first.click()  # those of the setup; the other button puts bots at all seats
    expect(page.get_by_text("You are watching and see everything")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("hidden card"))).to_have_count(0)
    shoulder = page.get_by_role("combobox", name="Over whose shoulder")
    shoulder.select_option("the player to decide")
    _, table = advice(ada)
    expect(table.get_by_role("columnheader", name="How often")).to_be_visible()
    page.get_by_text("Who holds what").click()
    expect(page.get_by_text("Exact probability from the deal alone")).to_be_visible()
    with page.expect_response(re.compile(r"/beliefs\?seat=1$")) as answer:
        shoulder.select_option("Bot 2")
    assert answer.value.json()["seat"] == 1
    expect(page.get_by_text("Exact probability from the deal alone")).to_be_visible()
    ada.shot("leduc-watching", whole=True)
