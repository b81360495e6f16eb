"""Nothing hidden reaches the browser: every frame, answer and screen of a game is checked."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import QUICK, Visit, setup

pytestmark = pytest.mark.requirement("DK-80")

CARD = re.compile(r"(?<![A-Za-z0-9])([CSHD][9TJQKA])(?![A-Za-z0-9])|([♣♠♥♦])(10|[9JQKA])")
APART = ("trumps", "table", "token", "owner")
SUITS = dict(zip("♣♠♥♦", "CSHD", strict=True))
DRAWN = "[...document.images].map(image => image.src.match(/([CSHD][9TJQKA])[^/]*\\.svg/)?.[1]).filter(Boolean)"


def cards_in(value: Any) -> set[str]:
    """All cards that a message names, but for the order of trumps, which lists every trump there is, and for random
    names of tables, which may end in the code of a card."""
    if isinstance(value, dict):
        return {card for key, each in value.items() if key not in APART for card in cards_in(each)}
    if isinstance(value, list):
        return {card for each in value for card in cards_in(each)}
    if isinstance(value, str):
        return {code or SUITS[suit] + ("T" if rank == "10" else rank) for code, suit, rank in CARD.findall(value)}
    return set()


def snapshots_of(value: Any) -> list[dict[str, Any]]:
    """The snapshot that a message holds, if any."""
    if isinstance(value, dict) and value.get("type") == "snapshot":
        value = value["snapshot"]
    return [value] if isinstance(value, dict) and "views" in value else []


def test_no_card_of_another_hand_is_seen_before_it_is_played(visit: Visit) -> None:
    ada = visit({"setups": {**QUICK, "doppelkopf": setup(4, games=1)}})
    drawn: list[tuple[int, set[str]]] = []

    def step() -> bool:
        before = played(ada.snapshot)
        seen = set(ada.page.evaluate(DRAWN))
        if played(ada.snapshot) == before:
            drawn.append((before, seen))
        return ada.doppelkopf_step()

    ada.sit_down("Doppelkopf")
    ada.play(step)
    over = ada.snapshot["over"]
    messages = [json.loads(text) for text in ada.heard] + [json.loads(text) for _, text in ada.answers() if text]
    running = [each for message in messages for each in snapshots_of(message) if each["over"] is None]
    others = [message for message in messages if not snapshots_of(message)]
    assert len(running) > 50

    with ada.page.expect_download() as download:
        ada.button("Download the record").click()
    record = json.loads(download.value.path().read_text())
    names = [name for _, name in record["actions"]]
    order = [card for name in names if (card := cards_in(name)) and name[0] in SUITS]
    assert len(order) >= 48
    own = cards_in(max((each["views"]["0"]["outline"]["hand"] for each in running), key=lambda hand: len(str(hand))))
    assert len(own) >= 6
    public: list[set[str]] = [set()]
    for card in order[-48:]:
        public.append(public[-1] | card)

    for each in running:
        assert list(each["views"]) == ["0"]
        assert each["role"] == "seat"
        assert cards_in(each) <= own | public[played(each)], each
    for message in others:
        assert cards_in(message) == set()
    assert any(len(seen) > 6 for _, seen in drawn)
    for count, seen in drawn:
        assert seen <= own | public[count]

    # The seed and the token appear nowhere before their time and never in an address.
    seed = str(over["seed"])
    assert not any(seed in json.dumps(each) for each in running)
    token = ada.page.evaluate(
        "JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith('kiebitz.table.'))[1]).token"
    )
    assert not any(token in address or seed in address for address, _ in ada.answers())
    assert token not in ada.page.url


def played(snapshot: dict[str, Any]) -> int:
    return 48 - int(sum(snapshot["public"]["sizes"]))


def test_a_spectator_sees_no_hand_until_the_end(visit: Visit) -> None:
    ada = visit()
    ada.sit_down("Doppelkopf")
    guest = visit({"name": "Guest"})
    guest.enter(ada.page.url.removeprefix(ada.address))
    expect(guest.page.get_by_text("You are watching", exact=True)).to_be_visible()
    ada.play(ada.doppelkopf_step, until=lambda: ada.hand.count() == 11)
    guest.until(lambda: guest.snapshot["version"] == ada.snapshot["version"])
    drawn = set(guest.page.evaluate(DRAWN))
    seen = [each for text in guest.heard for each in snapshots_of(json.loads(text))]
    assert all(each["views"] == {} and each["role"] == "public" for each in seen)
    expect(guest.page.get_by_role("group", name="Your cards")).to_have_count(0)
    table = {card for each in seen for card in cards_in(each["public"])}
    assert drawn <= table
