"""Somebody in front of a browser: what they do in the lobby and at a table, and everything that came over the wire."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Response, WebSocket, expect

from .serving import ROOT

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
SCREENSHOTS = Path(os.environ.get("KIEBITZ_SCREENSHOTS") or ROOT / "build" / "screenshots")
OFFLINE = re.compile(r"net::ERR_|WebSocket connection to .* failed")
"""What a browser itself logs while it is offline."""
SETTLED = """document.getAnimations().every(
  each => each.playState !== "running" || each.effect?.getComputedTiming().iterations === Infinity)"""
GAME = 120.0
"""Seconds that a whole game may take."""


class Visitor:
    """A browser context of its own with one page; nothing is shared with other visitors but the server."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.address = address
        self.page: Page = context.new_page()
        self.problems: list[str] = []
        """What the browser complained about."""
        self.forgiven: list[re.Pattern[str]] = []
        self.heard: list[str] = []
        """Everything the server sent over sockets, and in answers to requests of the interface."""
        self.snapshot: dict[str, Any] = {}
        """The newest one that came over a socket."""
        self.asked: list[str] = []
        """The questions for calls that this person saw."""
        self.asked_in: list[dict[str, Any]] = []
        """The snapshots in which these questions were answered."""
        self._came: list[Response] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("websocket", self._socket)
        self.page.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._frame)

    def _frame(self, frame: str | bytes) -> None:
        text = frame if isinstance(frame, str) else frame.decode()
        self.heard.append(text)
        message = json.loads(text)
        if message["type"] == "snapshot":
            self.snapshot = message["snapshot"]

    def _response(self, response: Response) -> None:
        if "/api/" in response.url and response.request.resource_type == "fetch":
            self._came.append(response)

    def answers(self) -> list[tuple[str, str]]:
        """The addresses and texts of all answers of the interface so far."""
        return [(each.url, each.text()) for each in self._came]

    def complaints(self) -> list[str]:
        """Problems that the test did not expect."""
        return [text for text in self.problems if not any(pattern.search(text) for pattern in self.forgiven)]

    def close(self) -> None:
        self.context.close()

    # --- The lobby ----------------------------------------------------------------------------------------------------

    def enter(self, where: str = "") -> None:
        """Open the lobby, or another place of the page."""
        self.page.goto(self.address + where)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name)

    def choose(self, game: str) -> None:
        """Pick a game as a person does: by its picture."""
        self.page.get_by_role("radio", name=game).check(force=True)

    def sit_down(self, game: str) -> None:
        """Go from the lobby to a table as it is set up."""
        self.enter()
        self.choose(game)
        self.button(f"Play {game}").click()
        self.at_table()

    def at_table(self) -> None:
        expect(self.page.get_by_role("status").filter(has_text="connected")).to_be_visible()

    # --- Any game -----------------------------------------------------------------------------------------------------

    @property
    def result(self) -> Locator:
        return self.page.get_by_role("region", name="Result")

    def play(self, step: Callable[[], bool], until: Callable[[], bool] | None = None) -> None:
        """Take steps until the result is shown."""
        end = time.monotonic() + GAME
        done = until or self.result.is_visible
        while not done():
            assert time.monotonic() < end, f"nothing more happens:\n{self.page.locator('main').aria_snapshot()}"
            if not step():
                self.page.wait_for_timeout(30)

    def first_of(self, *names: str) -> Callable[[], bool]:
        """A step that presses the first enabled button, in the order of these names."""
        places = [self.page.get_by_role("button", name=re.compile(name), disabled=False) for name in names]
        main = self.page.locator(".board-area")

        def step() -> bool:
            if self.snapshot.get("turn") != self.snapshot.get("you"):
                return False
            before = self.snapshot["version"]
            for place in places:
                found = main.locator(place).first
                if found.is_visible():
                    found.click()
                    self.until(lambda: self.snapshot["version"] > before)
                    return True
            return False

        return step

    def until(self, condition: Callable[[], bool], seconds: float = 30.0) -> None:
        """Wait for something that the page does not show."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, self.page.locator("main").aria_snapshot()
            self.page.wait_for_timeout(20)

    # --- Doppelkopf ---------------------------------------------------------------------------------------------------

    @property
    def hand(self) -> Locator:
        return self.page.get_by_role("group", name="Your cards").get_by_role("button")

    @property
    def playable(self) -> Locator:
        return self.page.get_by_role("group", name="Your cards").get_by_role("button", disabled=False)

    @property
    def reservation(self) -> Locator:
        return self.page.get_by_role("dialog", name="Do you have a reservation?")

    @property
    def calls(self) -> Locator:
        return self.page.get_by_role("group", name="Call", exact=True)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Answer the question for calls: it disappears, or the next round has begun and it is asked again."""
        before = self.snapshot["version"]
        yield
        self.until(lambda: self.snapshot["version"] > before or not self.calls.is_visible())

    def doppelkopf_step(self) -> bool:
        """Healthy, no calls, and the first card that may be played."""
        if self.reservation.is_visible():
            self.reservation.get_by_role("button", name="Healthy").click()
            expect(self.reservation).to_be_hidden()
        elif self.calls.is_visible():
            self.asked.append(self.calls.inner_text())
            self.asked_in.append(self.snapshot)
            with self.answering():
                self.calls.get_by_role("button", name="No call").click()
        elif (cards := self.playable.count()) and self.snapshot["phase"] == "card":
            held = self.hand.count()
            self.playable.nth(cards - 1).click(position={"x": 12, "y": 20})
            expect(self.hand).to_have_count(held - 1)
        else:
            return False
        return True

    # --- Looking ------------------------------------------------------------------------------------------------------

    def shot(self, name: str, whole: bool = False) -> None:
        """Save a screenshot for people to look at."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        if whole:
            self.page.evaluate("scrollTo(0, 0)")
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=whole)

    def axe(self) -> list[str]:
        """Serious findings of the accessibility check, each with the places it is about."""
        assert AXE.is_file(), "axe-core is not installed: `make test-page` installs it"
        self.page.evaluate(AXE.read_text())
        found = self.page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
        return [
            f"{each['id']} ({each['impact']}): {each['help']}: "
            + "; ".join(f"{node['target']} {node.get('failureSummary', '')}" for node in each["nodes"])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]

    def settle(self) -> None:
        """Wait until all animations that run once are over."""
        self.until(lambda: bool(self.page.evaluate(SETTLED)))
