"""Languages, light and dark, motion, and a phone's screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import QUICK, Visit, setup
from .serving import ROOT
from .visitor import Visitor

TEXTS = """() => {
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest("script, style, code, [lang], option[value=en], option[value=de]")) continue;
    for (const node of element.childNodes) if (node.nodeType === 3) found.add(node.textContent.trim());
    for (const name of ["aria-label", "title", "placeholder", "aria-valuetext", "alt"]) {
      if (element.hasAttribute(name)) found.add(element.getAttribute(name).trim());
    }
  }
  found.delete("");
  return [...found];
}"""
ENGLISH = re.compile(
    r"\b(the|and|of|your|you|with|to|is|are|has|have|plays|wins|won|lost|takes|took|games?|seats?|table|tricks?|cards?"
    r"|points|next|rules|moves?|eyes|healthy|calls?|settings|language|appearance|back|lobby|score|result|review|record"
    r"|download|connected|nothing|choose|played|best|either|or|from|this|that|queen|jack|king|ace)\b",
    re.IGNORECASE,
)


def words_of_the_page() -> list[re.Pattern[str]]:
    """The English phrases of the page that differ in German, as patterns."""
    entry = re.compile(r'\{\s*en:\s*"((?:[^"\\]|\\.)*)",\s*de:\s*"((?:[^"\\]|\\.)*)",?\s*\}')
    patterns = []
    source = ROOT / "web" / "src"
    for path in sorted([*source.glob("i18n/*.ts"), *source.glob("**/words.ts")]):
        for english, german in entry.findall(path.read_text()):
            if english != german and re.search(r"[A-Za-z]{2}", re.sub(r"\{\w+\}", "", english)):
                patterns.append(re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(english))))
    assert len(patterns) > 300
    return patterns


def english_left(page: Page) -> list[str]:
    """Texts and labels that are still English after German was chosen."""
    german = {"Kiebitz", "Ada", "Re", "Kontra"}
    patterns = words_of_the_page()
    found = []
    for text in page.evaluate(TEXTS):
        known = any(pattern.fullmatch(text) for pattern in patterns)
        if text not in german and (known or ENGLISH.search(text)):
            found.append(text)
    return found


def choose_german(ada: Visitor) -> None:
    ada.button("Settings").click()
    ada.page.get_by_role("combobox", name="Language").select_option("Deutsch")
    expect(ada.button("Einstellungen")).to_be_visible()
    ada.page.keyboard.press("Escape")


def test_german_everywhere(visit: Visit) -> None:
    ada = visit({"ask": "never", "setups": {**QUICK, "doppelkopf": setup(4, games=4)}})
    page = ada.page
    ada.enter()
    choose_german(ada)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(ada.button("Doppelkopf spielen")).to_be_visible()
    page.get_by_text("Optionen", exact=True).click()
    assert english_left(page) == []
    ada.shot("lobby-german", whole=True)

    ada.button("Doppelkopf spielen").click()
    dialog = page.get_by_role("dialog", name="Hast du einen Vorbehalt?")
    expect(dialog).to_be_visible()
    assert english_left(page) == []
    dialog.get_by_role("button", name="Gesund").click()
    hand = page.get_by_role("group", name="Deine Karten")
    playable = hand.get_by_role("button", disabled=False)
    expect(playable.first).to_be_visible()
    assert english_left(page) == []
    playable.last.click(position={"x": 10, "y": 20})
    ada.button("Kiebitz").click()
    ada.until(lambda: ada.snapshot["turn"] == 0 or ada.snapshot["prompt"] is not None)
    page.get_by_text("Wer hält was").click()
    expect(page.locator("[data-cell]").first).to_be_visible()
    assert english_left(page) == []
    ada.shot("doppelkopf-german", whole=True)
    page.reload()
    expect(ada.button("Einstellungen")).to_be_visible()
    ada.enter()
    ada.choose("Oware")
    ada.button("Oware spielen").click()
    expect(page.get_by_role("region", name="Oware-Brett")).to_be_visible()
    assert english_left(page) == []


@pytest.mark.parametrize(
    ("game", "button"),
    [("Leduc-Poker", "Schieben|Mitgehen"), ("Nim", "nehmen"), ("Lügenwürfel", "Lügner|Gebot:")],
)
def test_german_from_the_first_move_to_the_replay(visit: Visit, game: str, button: str) -> None:
    ada = visit(
        {"language": "de", "animate": False, "setups": {name: {**each, "games": 1} for name, each in QUICK.items()}}
    )
    page = ada.page
    ada.enter()
    ada.choose(game)
    ada.button(f"{game} spielen").click()
    expect(page.get_by_role("status").filter(has_text="verbunden")).to_be_visible()
    result = page.get_by_role("region", name="Ergebnis")
    step = ada.first_of(button)
    ada.until(lambda: bool(ada.snapshot))
    step()
    assert english_left(page) == []
    ada.play(step, until=result.is_visible)
    assert english_left(page) == []
    ada.button("Dieses Spiel ansehen").click()
    expect(page.get_by_role("slider", name="Stellung")).to_be_visible()
    page.keyboard.press("End")
    assert english_left(page) == []


def test_rules_are_explained_in_german(visit: Visit) -> None:
    ada = visit({"language": "de"})
    ada.enter()
    ada.choose("Oware")
    ada.page.get_by_text("Optionen", exact=True).click()
    for preset in ("thesis", "abapa"):
        ada.page.get_by_role("combobox", name="Regeln").select_option(preset)
        assert english_left(ada.page) == []


def light(page: Page) -> int:
    """How light the page is, 0 to 765."""
    red, green, blue = re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor"))[:3]
    return int(red) + int(green) + int(blue)


def test_light_and_dark(visit: Visit) -> None:
    ada = visit(color_scheme="light")
    page = ada.page
    ada.enter()
    expect(ada.button("Play Doppelkopf")).to_be_visible()
    ada.until(lambda: light(page) > 600)
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    ada.until(lambda: light(page) < 200)
    ada.shot("lobby-dark", whole=True)
    ada.button("Settings").click()
    page.get_by_role("combobox", name="Appearance").select_option("Light")
    ada.until(lambda: light(page) > 600)
    page.get_by_role("combobox", name="Appearance").select_option("Dark")
    page.emulate_media(color_scheme="light")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    ada.until(lambda: light(page) < 200)
    ada.sit_down("Oware")
    ada.shot("oware-dark")


NOTE_MOTION = """
window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...args) { moved.push(this.className); return animate.apply(this, args); };
const note = (event, name) => event.elapsedTime > 0.02 && moved.push(`${name} of ${event.target.className}`);
document.addEventListener("animationend", event => note(event, event.animationName), true);
const way = event => /transform|translate/.test(event.propertyName) && note(event, "way");
document.addEventListener("transitionend", way, true);
"""


@pytest.mark.parametrize("how", ["on", "settings", "system"])
def test_motion_can_be_turned_off(visit: Visit, how: str) -> None:
    ada = visit(reduced_motion="reduce" if how == "system" else "no-preference")
    page = ada.page
    page.add_init_script(NOTE_MOTION)
    ada.enter()
    if how == "settings":
        ada.button("Settings").click()
        page.get_by_role("checkbox", name="Animate cards and pieces").uncheck()
    page.evaluate("moved = []")
    ada.button("Play Doppelkopf").click()
    ada.at_table()
    ada.play(ada.doppelkopf_step, until=lambda: ada.hand.count() == 11)
    moved = page.evaluate("moved")
    if how == "on":
        assert moved
    else:
        assert moved == []
