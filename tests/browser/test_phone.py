"""The page on a phone: nothing runs off the screen and everything can be tapped."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from kiebitz.records import save

from .conftest import Visit
from .test_replay import played, upload

PHONE = {"viewport": {"width": 375, "height": 740}, "is_mobile": True, "has_touch": True}

HIDDEN = """() => {
  const controls = "a[href], button, input, select, summary, [role=button], [tabindex='0']";
  const lost = [];
  for (const element of document.querySelectorAll(controls)) {
    if (!element.checkVisibility({visibilityProperty: true}) || element.closest(".visually-hidden, .skip")) continue;
    const own = element.matches(".visually-hidden, .skip, [aria-disabled=true]") || element.disabled;
    if (own) continue;
    element.scrollIntoView({block: "center", inline: "nearest"});
    const box = element.getBoundingClientRect();
    let hit = false;
    for (let i = 1; i < 12 && !hit; i += 1) for (let j = 1; j < 12 && !hit; j += 1) {
      const x = box.left + box.width * i / 12, y = box.top + box.height * j / 12;
      if (x < 0 || x > innerWidth || y < 0 || y > innerHeight) continue;
      const there = document.elementFromPoint(x, y);
      hit = there !== null && (element.contains(there) || there.closest("label")?.contains(element) === true);
    }
    const name = element.getAttribute("aria-label") || element.textContent.trim().slice(0, 40) || element.className;
    if (!hit || box.left < -1 || box.right > innerWidth + 1) lost.push(`${name}: ${JSON.stringify(box)}`);
  }
  scrollTo(0, 0);
  return lost;
}"""


COVERED = """cards => cards.filter(card => {
  const box = card.getBoundingClientRect();
  for (let i = 1; i < 12; i += 1) for (let j = 1; j < 12; j += 1) {
    const there = document.elementFromPoint(box.left + box.width * i / 12, box.top + box.height * j / 12);
    if (there !== null && card.contains(there)) return false;
  }
  return true;
}).map(card => card.ariaLabel)"""


def fits(page: Page) -> None:
    """Nothing is wider than the screen, and every control can be reached and hit."""
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert page.evaluate("visualViewport.scale") == 1
    assert page.evaluate(HIDDEN) == []


def test_lobby(visit: Visit) -> None:
    ada = visit(**PHONE)
    ada.enter()
    expect(ada.button("Play Doppelkopf")).to_be_visible()
    fits(ada.page)
    ada.page.get_by_text("Options", exact=True).tap()
    ada.button("Settings").tap()
    fits(ada.page)
    ada.page.keyboard.press("Escape")
    ada.shot("phone-lobby")


def test_the_hand_stays_in_sight_while_a_reservation_is_asked_for(visit: Visit) -> None:
    ada = visit(**PHONE)
    ada.sit_down("Doppelkopf")
    expect(ada.reservation).to_be_visible()
    ada.page.evaluate("scrollTo(0, 0)")
    ada.shot("phone-doppelkopf-reservation")
    expect(ada.hand).to_have_count(12)
    ada.hand.last.scroll_into_view_if_needed()
    assert ada.hand.evaluate_all(COVERED) == []
    fits(ada.page)


def test_doppelkopf(visit: Visit) -> None:
    ada = visit(**PHONE)
    page = ada.page
    ada.sit_down("Doppelkopf")
    expect(ada.reservation).to_be_visible()
    ada.reservation.get_by_role("button", name="Healthy").tap()
    ada.until(lambda: ada.calls.is_visible() or ada.playable.count() > 0)
    if ada.calls.is_visible():
        fits(page)
        ada.shot("phone-doppelkopf-call")
    ada.play(ada.doppelkopf_step, until=lambda: ada.hand.count() <= 10 and ada.playable.count() > 0)
    fits(page)
    ada.shot("phone-doppelkopf")
    ada.button("Kibitz").tap()
    page.get_by_text("Who holds what").tap()
    expect(page.locator("[data-cell]").first).to_be_visible()
    fits(page)
    ada.shot("phone-doppelkopf-kibitz", whole=True)


def test_oware(visit: Visit) -> None:
    ada = visit(**PHONE)
    page = ada.page
    ada.sit_down("Oware")
    pits = page.get_by_role("button", name=re.compile("^Play pit"))
    expect(pits).to_have_count(6)
    fits(page)
    pits.nth(2).tap()
    ada.until(lambda: len(ada.snapshot["history"]) >= 2)
    ada.settle()
    ada.shot("phone-oware")
    fits(page)


def test_replay(visit: Visit, tmp_path: Path) -> None:
    save(tmp_path / "game.json", [played("doppelkopf", ["rule_of_thumb"] * 4, 4)])
    ada = visit(**PHONE)
    ada.enter()
    upload(ada.page, tmp_path / "game.json")
    expect(ada.page.get_by_role("slider", name="Position")).to_be_visible()
    for key in ("Home", "End"):
        ada.page.keyboard.press(key)
        fits(ada.page)
    ada.page.get_by_role("slider", name="Position").fill("20")
    felt = ada.page.get_by_role("region", name="Doppelkopf table").bounding_box()
    assert felt
    for card in ada.page.locator("[data-card]").all():
        box = card.bounding_box()
        assert box
        assert felt["x"] <= box["x"]
        assert box["x"] + box["width"] <= felt["x"] + felt["width"]
    ada.shot("phone-replay", whole=True)
