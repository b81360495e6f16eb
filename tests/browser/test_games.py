"""Every other game in the browser: whole games by mouse or keys, with a result in words."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import QUICK, Visit, setup
from .visitor import Visitor


def test_a_whole_game_of_oware(visit: Visit) -> None:
    ada = visit({"animate": False, "setups": {**QUICK, "oware": setup(2, "strong", games=1, preset="abapa")}})
    page = ada.page
    ada.sit_down("Oware")
    board = page.get_by_role("region", name="Oware board")
    expect(board.get_by_role("button", name=re.compile(r"^Play pit"))).to_have_count(6)
    expect(board.get_by_role("button", name="Play pit A, 4 seeds")).to_be_visible()
    ada.shot("oware-start")
    page.keyboard.press("3")
    expect(board.get_by_role("img", name=re.compile(r"Ada has captured 0"))).to_be_visible()
    ada.play(ada.first_of("Play pit"), until=lambda: len(ada.snapshot["history"]) > 12)
    # What is drawn and what is said agree with the table.
    ada.play(lambda: False, until=lambda: ada.snapshot["turn"] == 0 or ada.result.is_visible())
    public = ada.snapshot["public"]
    for pit, seeds in enumerate(public["pits"]):
        name = f"pit {'ABCDEFabcdef'[pit]}, {seeds} seed{'' if seeds == 1 else 's'}"
        expect(
            page.get_by_label(re.compile(rf"{name}$", re.IGNORECASE)).and_(
                page.get_by_label(re.compile(rf"[Pp]it {'ABCDEFabcdef'[pit]},"))
            )
        ).to_have_count(1)
    assert sum(public["pits"]) + sum(public["captured"]) == 48
    ada.shot("oware-table")
    ada.play(ada.first_of("Play pit"))
    over = ada.snapshot["over"]
    expect(ada.result.get_by_role("heading")).to_have_text(re.compile("Ada|Bot 2|[Dd]raw"))
    expect(ada.result).to_contain_text("The series is over.")
    expect(ada.button("Next game")).to_be_hidden()
    ada.shot("oware-result")
    assert over["returns"][0] == -over["returns"][1]


def test_a_match_of_leduc_with_a_running_score(visit: Visit) -> None:
    ada = visit({"setups": {**QUICK, "leduc": setup(2, "beginner", games=4)}})
    page = ada.page
    ada.sit_down("Leduc Poker")
    sums = [0.0, 0.0]
    for number in range(1, 5):
        expect(page.get_by_text(f"Game {number} of 4")).to_be_visible()
        if number == 2:
            ada.shot("leduc-table")
        ada.play(ada.first_of("Check", "Call", "Bet", "Raise", "Fold"))
        over = ada.snapshot["over"]
        assert ada.snapshot["you"] == (number - 1) % 2  # the players take turns to begin
        seats = [0, 1] if number % 2 else [1, 0]  # a column belongs to a player
        sums = [total + over["returns"][seat] for total, seat in zip(sums, seats, strict=True)]
        sheet = page.get_by_role("region", name="Score sheet")
        expect(sheet.get_by_role("rowheader")).to_have_count(number + 1)
        total = sheet.get_by_role("row").filter(has_text="Total").get_by_role("cell")
        assert [float(text.replace("−", "-")) for text in total.all_inner_texts()] == sums
        if number < 4:
            ada.result.get_by_role("button", name="Next game").click()
    expect(ada.result).to_contain_text("The series is over.")
    ada.shot("leduc-result")


Step = Callable[[Visitor], Callable[[], bool]]

SMALL: dict[str, tuple[str, Step]] = {
    "Kuhn Poker": ("Poker table", lambda who: who.first_of("Bet", "Call", "Check", "Fold")),
    "Liar's Dice": ("Dice table", lambda who: who.first_of("[Ll]iar", "Bid: at least")),
    "Connect Four": ("Connect Four board", lambda who: who.first_of("Drop into column")),
    "Tic-Tac-Toe": ("Tic-tac-toe board", lambda who: who.first_of("Mark")),
    "Nim": ("Nim heaps", lambda who: who.first_of("take")),
}


@pytest.mark.parametrize("game", SMALL)
def test_each_small_game(visit: Visit, game: str) -> None:
    ada = visit()
    board, step = SMALL[game]
    ada.sit_down(game)
    expect(ada.page.get_by_role("region", name=board)).to_be_visible()
    ada.play(step(ada))
    expect(ada.result.get_by_role("heading")).to_have_text(re.compile(r"\w"))
    assert sum(ada.snapshot["over"]["returns"]) == 0
    ada.shot(f"{re.sub('[^a-z]+', '-', game.lower())}-result")
    expect(ada.result.get_by_role("button", name="Next game")).to_be_visible()


def test_the_seed_is_shown_in_full_and_only_where_something_was_dealt(visit: Visit) -> None:
    ada = visit()
    ada.sit_down("Kuhn Poker")
    ada.play(ada.first_of("Check", "Call", "Fold"))
    expect(ada.result.get_by_text(f"Seed of the deal: {ada.snapshot['over']['seed']}", exact=True)).to_be_visible()
    ada.sit_down("Nim")
    ada.play(ada.first_of("take"))
    expect(ada.result.get_by_text("Seed of the deal")).to_have_count(0)


@pytest.mark.parametrize(
    ("game", "keys"),
    [("Tic-Tac-Toe", "123456789"), ("Connect Four", "1234567"), ("Kuhn Poker", "bcf"), ("Oware", "123456")],
)
def test_boards_by_keys_alone(visit: Visit, game: str, keys: str) -> None:
    """Each key does something at most once a turn; the game moves on without a mouse."""
    ada = visit({"animate": False})
    ada.sit_down(game)

    def step() -> bool:
        if ada.snapshot["turn"] != 0 or ada.snapshot["over"]:
            return False
        version = ada.snapshot["version"]
        for key in keys:
            ada.page.keyboard.press(key)
            ada.page.wait_for_timeout(60)
            if ada.snapshot["version"] > version:
                return True
        return False

    start = ada.snapshot["version"]
    ada.play(step, until=lambda: ada.snapshot["over"] is not None or ada.snapshot["version"] >= start + 6)
