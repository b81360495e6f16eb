"""Lost connections and restarts: a browser that comes back is in step again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from .conftest import QUICK, Visit, setup
from .serving import Serving
from .visitor import OFFLINE, Visitor


def public(visitor: Visitor) -> dict[str, Any]:
    """What everybody may know, as this browser heard it last."""
    seen = visitor.snapshot
    return {
        key: seen[key] for key in ("version", "number", "turn", "phase", "public", "history", "log", "score", "over")
    }


def pits(visitor: Visitor) -> list[str]:
    """The board as it is drawn, by pits."""
    labels: list[str] = (
        visitor.page.get_by_role("region", name="Oware board")
        .locator("[aria-label*='it ']")
        .evaluate_all("all => all.map(each => each.ariaLabel.replace(/^Play pit/, 'Pit'))")
    )
    return sorted(labels)


def in_step(*visitors: Visitor) -> None:
    """All see the same table, on the wire and on the board."""
    first = visitors[0]
    for visitor in visitors:
        visitor.until(lambda visitor=visitor: visitor.snapshot.get("version") == first.snapshot["version"])  # type: ignore[misc]
        assert public(visitor) == public(first)
        visitor.until(lambda visitor=visitor: pits(visitor) == pits(first))  # type: ignore[misc]


def move(visitor: Visitor, key: str) -> None:
    """Play the pit of a key, or the first that may be played."""
    version, you = visitor.snapshot["version"], visitor.snapshot["you"]
    keys = [str(1 + each["action"] % 6) for each in visitor.snapshot["views"][str(you)]["legal"]]
    expect(visitor.page.get_by_role("button", name=re.compile("^Play pit"))).to_have_count(len(keys))  # it is drawn
    visitor.page.keyboard.press(key if key in keys else keys[0])
    visitor.until(lambda: visitor.snapshot["version"] > version)


def test_two_browsers_at_one_table_stay_in_step(visit: Visit) -> None:
    """A friend sits down at the open seat, loses the connection for ten seconds while Ada moves, and comes back."""
    seats = [{"kind": "me", "strength": "casual"}, {"kind": "open", "strength": "casual"}]
    ada = visit({"animate": False, "setups": {**QUICK, "oware": {**setup(2), "seats": seats}}})
    ada.sit_down("Oware")
    expect(ada.page.get_by_text("Waiting for somebody to sit down")).to_be_visible()
    grace = visit({"animate": False, "name": "Grace"})
    grace.enter()
    grace.page.get_by_role("link", name=re.compile("^Sit down: Oware, Ada")).click()
    grace.button("Sit down at seat 2").click()
    expect(ada.page.get_by_text("Waiting for somebody to sit down")).to_be_hidden()
    expect(ada.page.get_by_role("img", name="Grace has captured 0")).to_be_visible()
    move(ada, "3")
    in_step(ada, grace)
    move(grace, "2")
    in_step(ada, grace)

    grace.forgiven.append(OFFLINE)
    grace.context.set_offline(True)
    expect(grace.page.get_by_role("status").filter(has_text="connection lost")).to_be_visible()
    before = grace.snapshot["version"]
    move(ada, "1")
    grace.page.wait_for_timeout(10_000)
    assert grace.snapshot["version"] == before, "nothing comes over a cut connection"
    grace.context.set_offline(False)
    grace.at_table()
    in_step(ada, grace)
    move(grace, "1")
    in_step(ada, grace)


def test_leaving_in_one_window_makes_a_spectator_of_the_other(visit: Visit) -> None:
    ada = visit({"animate": False})
    ada.sit_down("Leduc Poker")
    other = ada.context.new_page()
    other.goto(ada.page.url)
    other.get_by_role("button", name="Get up").click()
    other.get_by_role("alertdialog").get_by_role("button", name="Get up").click()
    expect(ada.page.get_by_text("You are watching")).to_be_visible()
    ada.until(lambda: ada.snapshot["role"] == "public")
    assert ada.snapshot["views"] == {}
    assert not ada.page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('kiebitz.table.'))")
    ada.forgiven.append(OFFLINE)
    ada.context.set_offline(True)
    cut = re.compile("connection lost|connecting")  # the latter if the cut comes while it connects as a spectator
    expect(ada.page.get_by_role("status").filter(has_text=cut)).to_be_visible()
    ada.context.set_offline(False)
    ada.at_table()  # an invalid token would keep the browser out


def test_a_move_of_a_bot_is_not_missed_while_offline(visit: Visit) -> None:
    """Ada's own move comes from elsewhere, with her token: so the bot cannot answer before the connection is cut."""
    ada = visit({"animate": False})
    ada.forgiven.append(OFFLINE)
    ada.sit_down("Oware")
    move(ada, "4")
    ada.until(lambda: len(ada.snapshot["history"]) == 2)
    ada.context.set_offline(True)
    expect(ada.page.get_by_role("status").filter(has_text="connection lost")).to_be_visible()
    ada.page.keyboard.press("1")  # nothing is played without a connection
    name, version = ada.snapshot["table"], ada.snapshot["version"]
    table = f"{ada.address}api/tables/{name}"
    mine = json.loads(ada.page.evaluate("table => localStorage.getItem(`kiebitz.table.${table}`)", name))
    body = {"version": version, "action": ada.snapshot["views"]["0"]["legal"][-1]["action"]}
    with httpx.Client(trust_env=False, timeout=60) as elsewhere:
        answer = elsewhere.post(f"{table}/actions", json=body, headers={"Authorization": f"Bearer {mine['token']}"})
        assert answer.status_code == 200, answer.text
        ada.until(lambda: len(elsewhere.get(table).json()["history"]) == 4)
        history = elsewhere.get(table).json()["history"]
    assert len(ada.snapshot["history"]) == 2, "nothing comes over a cut connection"
    ada.context.set_offline(False)
    ada.at_table()
    ada.until(lambda: len(ada.snapshot["history"]) == 4)
    assert ada.snapshot["history"] == history
    assert ada.snapshot["turn"] == 0
    move(ada, "1")


@pytest.fixture
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that may be stopped without harm to the other tests."""
    serving = Serving(tmp_path_factory.mktemp("other"))
    yield serving
    serving.stop()


def test_a_restart_in_the_middle_of_a_game_loses_nothing(visit: Visit, other: Serving) -> None:
    ada = visit(at=other)
    ada.forgiven.append(OFFLINE)
    ada.sit_down("Doppelkopf")
    ada.play(ada.doppelkopf_step, until=lambda: ada.hand.count() == 11)
    ada.until(lambda: ada.snapshot["turn"] == 0 or ada.snapshot["prompt"] is not None)
    hand = ada.snapshot["views"]["0"]["fields"]["hand"]
    before, log = ada.snapshot["version"], ada.snapshot["log"]
    other.stop()
    expect(ada.page.get_by_role("status").filter(has_text="connection lost")).to_be_visible()
    other.start()
    ada.at_table()
    ada.until(lambda: ada.snapshot["version"] >= before)
    assert ada.snapshot["views"]["0"]["fields"]["hand"] == hand
    assert ada.snapshot["log"][: len(log)] == log
    ada.play(ada.doppelkopf_step, until=lambda: ada.hand.count() == 9)


def test_a_table_that_does_not_exist_is_said_so(visit: Visit) -> None:
    ada = visit()
    ada.forgiven.append(re.compile("status of 404"))
    ada.enter("#/table/nowhere-at-all")
    expect(ada.page.get_by_role("alert")).to_contain_text("There is no such table")
    ada.page.get_by_role("link", name="Back to the lobby").click()
    expect(ada.button("Play Doppelkopf")).to_be_visible()


def test_getting_up_hands_the_seat_to_a_bot(visit: Visit) -> None:
    ada = visit()
    ada.sit_down("Nim")
    ada.button("Get up").click()
    ada.page.keyboard.press("Escape")
    expect(ada.button("Get up")).to_be_focused()
    ada.page.keyboard.press("Enter")
    ada.page.get_by_role("alertdialog", name="Get up").get_by_role("button", name="Get up").click()
    expect(ada.button("Play Nim")).to_be_visible()
