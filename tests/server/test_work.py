"""How much work one human card is: no more than it has to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
import kiebitz.server.limits
import kiebitz.server.live
import kiebitz.server.table
from kiebitz.games.dealing import deal
from kiebitz.server.table import ServerTable
from tests.server.running import BOT, OPEN, Person, running, usual


class CountedView:
    """A view that says how often it was asked for its outline."""

    def __init__(self, view: kb.View, seat: int, counts: Counter[str]) -> None:
        self._view, self._seat, self._counts = view, seat, counts

    def outline(self, *, public: bool = True) -> dict[str, Any]:
        self._counts[f"outline of seat {self._seat}"] += 1
        return self._view.outline(public=public)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._view, name)


class CountedState:
    """A state that says how often it was asked for something, and whose copies do, too."""

    def __init__(self, state: kb.State, counts: Counter[str]) -> None:
        self._state, self._counts = state, counts

    def apply(self, action: int) -> None:
        self._counts["apply"] += 1
        self._state.apply(action)

    def view(self, seat: int) -> Any:
        self._counts[f"view of seat {seat}"] += 1
        return CountedView(self._state.view(seat), seat, self._counts)

    def copy(self) -> CountedState:
        return CountedState(self._state.copy(), self._counts)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)


def counting(monkeypatch: pytest.MonkeyPatch, counts: Counter[str], where: Any, name: str, called: str) -> None:
    """Counts the calls of a function."""
    function: Callable[..., Any] = getattr(where, name)

    def counted(*given: Any, **named: Any) -> Any:
        counts[called] += 1
        return function(*given, **named)

    monkeypatch.setattr(where, name, counted)


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What was done at tables, as they are from now on."""
    found: Counter[str] = Counter()
    monkeypatch.setattr("kiebitz.server.table.deal", lambda *given: CountedState(deal(*given), found))
    counting(monkeypatch, found, kiebitz.server.limits, "digest", "hash")
    counting(monkeypatch, found, kiebitz.server.table, "digest", "hash")
    counting(monkeypatch, found, ServerTable, "snapshot", "snapshot")
    counting(monkeypatch, found, kiebitz.server.live, "to_json", "text")
    return found


def test_one_human_card(tmp_path: Path, counts: Counter[str]) -> None:
    """One apply, one view a seat, one outline a view, one hash, one snapshot for HTTP and socket together."""
    with running(tmp_path / "tables.db", seed=4) as server:
        ada = server.open("doppelkopf", BOT, BOT, BOT)
        with ada.socket() as socket:
            card = _before_a_card(ada)
            socket.until(card["version"])
            ada.stop_bots()
            counts.clear()
            answer = ada.act(usual(ada, card), card["version"])
            pushed = socket.receive()
            done = Counter(counts)
        assert answer.json() == pushed["snapshot"]
    assert done["apply"] == 1
    assert done["hash"] == 1
    assert done["snapshot"] == 1
    assert done["text"] == 2  # the log, and all else
    views = {name: count for name, count in done.items() if name.startswith("view")}
    assert views.pop("view of seat 0") == 1
    assert set(views.values()) <= {1}, views
    assert {name: count for name, count in done.items() if name.startswith("outline")} == {"outline of seat 0": 1}


def test_a_snapshot_that_the_socket_brings_is_not_the_answer_too(tmp_path: Path) -> None:
    with running(tmp_path / "tables.db", seed=4) as server:
        ada = server.open("doppelkopf", BOT, BOT, BOT)
        ada.headers["Prefer"] = "Return=Minimal, wait=5"
        with ada.socket() as socket:
            card = _before_a_card(ada)  # answers in call rounds are secret: their snapshots come as answers only
            socket.until(card["version"])
            answer = ada.act(usual(ada, card), card["version"])
            assert (answer.status_code, answer.content) == (204, b"")
            assert socket.receive()["snapshot"]["version"] == card["version"] + 1


def test_secret_answers_are_answered_with_a_snapshot(tmp_path: Path) -> None:
    with running(tmp_path / "tables.db", seed=4) as server:
        ada = server.open("doppelkopf", BOT, BOT, BOT)
        ada.headers["Prefer"] = "return=minimal"
        while True:
            seen = ada.until(lambda s: bool(s["views"]["0"]["legal"]))
            answer = ada.act(usual(ada, seen), seen["version"])
            if seen["phase"] == "call":
                break
    assert (answer.status_code, answer.json()["version"], answer.json()["prompt"]) == (200, seen["version"], None)


def test_the_log_over_the_socket_is_that_of_the_table(tmp_path: Path) -> None:
    """However it is put together: with more lines, the same, those of a new game, and other names."""
    with running(tmp_path / "tables.db", seed=4) as server:
        ada = server.open("connect_four", OPEN, games=None)
        spectator, bob = server.spectator(ada.table), server.sit(ada.table, 1)
        for _ in range(2):
            while (seen := spectator.look())["over"] is None:
                person = (ada, bob)[seen["turn"]]
                person.acted(person.look()["views"][str(person.seat)]["legal"][0]["action"])
                assert spectator.look()["log"] == server.hub.lives[ada.table].table.log
            assert ada.post("/next").status_code == 200
            assert spectator.look()["log"] == []
        ada.acted(0)
        ada.stop_bots()
        assert bob.delete("/seats/1").status_code == 204
        assert spectator.look()["log"] == server.hub.lives[ada.table].table.log


def test_looking_again_costs_nothing(tmp_path: Path, counts: Counter[str]) -> None:
    """Spectators of the same table share one snapshot."""
    with running(tmp_path / "tables.db") as server:
        ada = server.open("doppelkopf", BOT, BOT, BOT)
        _before_a_card(ada)
        counts.clear()
        for _ in range(5):
            server.spectator(ada.table).look()
    assert (counts["snapshot"], counts["text"], counts["apply"]) == (1, 1, 0)  # the log is the same


def _before_a_card(ada: Person) -> dict[str, Any]:
    """Plays until it is Ada's turn to lead or follow."""
    while True:
        seen = ada.until(lambda s: bool(s["views"]["0"]["legal"]))
        if seen["phase"] == "card":
            return seen
        ada.act(usual(ada, seen), seen["version"])
