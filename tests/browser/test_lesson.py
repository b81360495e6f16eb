"""Guided first games, played as a beginner does: read each note, say that it is understood, do what it says."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .conftest import Visit
from .visitor import Visitor


class Beginner:
    """Somebody who opens the guided first game of a game and reads every note that comes up."""

    def __init__(self, visitor: Visitor, game: str) -> None:
        self.visitor = visitor
        self.read: list[str] = []
        visitor.enter()
        visitor.choose(game)
        visitor.button("Guided first game").click()
        visitor.at_table()
        self.note = visitor.page.get_by_role("region", name="For your first game")

    def understand(self) -> bool:
        """Read the note that is shown, if there is one, and close it."""
        if not self.note.is_visible():
            return False
        title = self.note.get_by_role("heading").inner_text()
        self.read.append(title)
        self.note.get_by_role("button", name="Got it").click()
        expect(self.note.get_by_role("heading", name=title, exact=True)).to_be_hidden()
        return True

    def read_all(self) -> None:
        while self.understand():
            pass


def test_oware_is_taught_from_a_prepared_position(visit: Visit) -> None:
    ada = visit()
    beginner = Beginner(ada, "Oware")
    expect(beginner.note).to_contain_text("Pit F has one seed")
    before = ada.snapshot["public"]["captured"]
    beginner.read_all()
    assert beginner.read == ["The game is almost over", "Too much of a good thing"]
    ada.button(re.compile("^Play pit F")).click()
    ada.until(lambda: ada.snapshot["public"]["captured"][0] > before[0])
    expect(beginner.note).to_contain_text("Your last seed made 2 or 3")
    step = ada.first_of("^Play pit")
    ada.play(lambda: beginner.understand() or step())
    beginner.read_all()
    assert {"You have captured", "2 and 3 are in danger", "Feeding"} <= set(beginner.read)
    assert beginner.read[-1] == "The end"
    assert len(set(beginner.read)) == len(beginner.read)


def test_doppelkopf_is_taught_to_the_score(visit: Visit) -> None:
    ada = visit({"pace": 0})
    beginner = Beginner(ada, "Doppelkopf")
    expect(beginner.note).to_contain_text("you are Re")
    beginner.understand()
    ada.page.get_by_role("combobox", name="Bots").first.select_option(index=0)
    ada.play(lambda: beginner.understand() or ada.doppelkopf_step())
    beginner.read_all()
    for title in (
        "Your hand",
        "Calls",
        "Follow suit",
        "A trick is over",
        "Now you know your partner",
        "The last tricks",
    ):
        assert title in beginner.read
    assert beginner.read[-1] == "The score"
    assert len(set(beginner.read)) == len(beginner.read)
