"""axe finds nothing serious on any main page, in light and in dark."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from kiebitz.records import save

from .conftest import Visit
from .test_kibitz import to_own_choice
from .test_replay import played, upload
from .visitor import Visitor


def clean(visitor: Visitor) -> None:
    """No serious finding, whatever the theme."""
    for scheme in ("light", "dark"):
        visitor.page.emulate_media(color_scheme=scheme)
        expect(visitor.page.locator("html")).to_have_attribute("data-theme", scheme)
        visitor.settle()
        assert visitor.axe() == [], scheme


def test_lobby(visit: Visit) -> None:
    ada = visit()
    ada.enter()
    expect(ada.button("Play Doppelkopf")).to_be_visible()
    ada.page.get_by_text("Options", exact=True).click()
    ada.button("Settings").click()
    clean(ada)


def test_doppelkopf_with_its_kibitz(visit: Visit) -> None:
    ada = visit()
    page = ada.page
    ada.sit_down("Doppelkopf")
    expect(ada.reservation).to_be_visible()
    clean(ada)
    to_own_choice(ada)
    ada.button("Kibitz").click()
    ada.button("Ask for advice").click()
    page.get_by_text("Who holds what").click()
    expect(page.get_by_role("table").filter(has_text=re.compile("Expected|Winning chance"))).to_be_visible()
    expect(page.locator("[data-cell]").first).to_be_visible()
    clean(ada)
    ada.shot("doppelkopf-kibitz-dark")


def test_oware_with_its_kibitz(visit: Visit) -> None:
    ada = visit()
    ada.sit_down("Oware")
    clean(ada)
    ada.button("Kibitz").click()
    ada.button("Ask for advice").click()
    expect(ada.page.get_by_text("Best line")).to_be_visible()
    clean(ada)


def test_small_games(visit: Visit) -> None:
    ada = visit()
    for game in ("Leduc Poker", "Kuhn Poker", "Liar's Dice", "Connect Four", "Tic-Tac-Toe", "Nim"):
        ada.sit_down(game)
        expect(ada.page.get_by_role("heading", name=game)).to_be_attached()
        clean(ada)


def test_replay_with_its_review(visit: Visit, tmp_path: Path) -> None:
    save(tmp_path / "game.json", [played("oware", ["random", "random"], 8)])
    ada = visit()
    ada.enter()
    upload(ada.page, tmp_path / "game.json")
    ada.button("Review the game").click()
    expect(ada.page.get_by_role("heading", name="Worst mistakes")).to_be_visible(timeout=180_000)
    ada.page.keyboard.press("End")
    expect(ada.page.get_by_text(re.compile(r"Ada|random|[Dd]raw")).first).to_be_visible()
    clean(ada)
    ada.shot("replay-oware-review-dark", whole=True)
