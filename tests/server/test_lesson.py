"""Guided first games: a prepared deal for one person against bots, and only there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kiebitz.games import declaration_of, game
from kiebitz.games.dealing import deal
from kiebitz.server.catalogue import offered
from tests.server.running import BOT, OPEN, running

ME = {"kind": "person", "name": "Ada", "me": True}
CASUAL = {"kind": "bot", "strength": "casual"}


def test_the_first_deal_is_the_prepared_one_and_the_second_is_not(tmp_path: Path) -> None:
    with running(tmp_path / "tables.db") as server:
        listed = {each["name"]: each for each in server.http.get("/api/games").json()}
        taught = [name for name, each in listed.items() if each["lesson"]]
        assert taught == [name for name in offered() if declaration_of(name).players.lesson is not None]
        for name in taught:
            body: dict[str, Any] = {"game": {"name": name}, "seats": [ME] + [CASUAL] * (listed[name]["players"] - 1)}
            hands = []
            for lesson in (True, True, False):
                opened = server.http.post("/api/tables", json={**body, "lesson": lesson}).json()
                token = {"Authorization": f"Bearer {opened['token']}"}
                seen = server.http.get(f"/api/tables/{opened['table']}", headers=token).json()
                hands.append((seen["public"], seen["views"]["0"]["outline"]))
            assert hands[0] == hands[1] != hands[2]


@pytest.mark.parametrize(
    ("name", "seats", "words"),
    [
        ("nim", [ME, BOT], "has no guided first game"),
        ("oware", [BOT, BOT], "yourself at the first seat"),
        ("oware", [ME, OPEN], "bots at all others"),
        ("oware", [BOT, ME], "yourself at the first seat"),
    ],
)
def test_others_are_refused(name: str, seats: list[Any], words: str, tmp_path: Path) -> None:
    with running(tmp_path / "tables.db") as server:
        answer = server.http.post("/api/tables", json={"game": {"name": name}, "seats": seats, "lesson": True})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")
    assert words in answer.json()["error"]["message"]


def test_the_prepared_deal_of_doppelkopf_is_as_its_notes_say() -> None:
    rules = game("doppelkopf")
    lesson = declaration_of(rules).players.lesson
    assert lesson is not None
    hands = [" ".join(deal(rules, lesson.seed, 0).view(seat).outline()["hand"]).split() for seat in range(4)]
    assert [hand.count("CQ") for hand in hands].count(1) == 2
    assert [hands[0].count(card) for card in ("CQ", "DA", "CJ", "HT", "CA", "SA")] == [1] * 6
