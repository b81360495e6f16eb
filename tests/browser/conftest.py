"""One server and one browser for all tests in this folder; a visitor whose browser complains fails the test."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from .serving import Serving
from .visitor import Visitor

Visit = Callable[..., Visitor]

expect.set_options(timeout=30_000)


# Not for the whole session: while Playwright runs, no other test could start an event loop of its own.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found is not None, "the tests in a browser need Chromium: `make chromium` installs it"
    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=sandbox, timeout=120_000)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    serving = Serving(tmp_path_factory.mktemp("table"))
    yield serving
    serving.stop()


@pytest.fixture
def visit(browser: Browser, serving: Serving) -> Iterator[Visit]:
    """Make visitors. ``remembers`` is what their browser knows from earlier visits, ``at`` another server."""
    visitors: list[Visitor] = []

    def visit(remembers: dict[str, Any] | None = None, at: Serving | None = None, **options: Any) -> Visitor:
        usual = {"locale": "en-GB", "viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
        context = browser.new_context(**{**usual, **options})
        context.set_default_timeout(30_000)
        known = json.dumps(json.dumps({"name": "Ada", "setups": QUICK, **(remembers or {})}))
        context.add_init_script(
            f"if (!localStorage.getItem('kiebitz.prefs')) localStorage.setItem('kiebitz.prefs', {known})"
        )
        visitor = Visitor(context, (at or serving).address)
        visitors.append(visitor)
        return visitor

    yield visit
    for visitor in visitors:
        visitor.close()
    assert [visitor.complaints() for visitor in visitors] == [[]] * len(visitors)


def setup(players: int, strength: str = "casual", **options: Any) -> dict[str, Any]:
    """A table as the lobby remembers it: the person first, bots that do not wait at the other seats."""
    seats = [{"kind": "bot" if seat else "me", "strength": strength} for seat in range(players)]
    return {"preset": None, "seats": seats, "fair": False, "open": False, "games": None, "pace": 0, **options}


QUICK = {
    "doppelkopf": setup(4),
    "oware": setup(2, "beginner"),
    "leduc": setup(2, "beginner"),
    "kuhn": setup(2, "beginner"),
    "liars_dice": setup(2, "beginner"),
    "connect_four": setup(2, "beginner"),
    "tic_tac_toe": setup(2, "beginner"),
    "nim": setup(2, "beginner"),
}
