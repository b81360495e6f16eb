"""No message depends on cards that its reader must not see.

Whole games of Doppelkopf are played by four persons over WebSocket and HTTP, twice: with one deal and with another that
an observer cannot tell from it. Everything that came to the observer and to a spectator, bytes, number and order, must
be the same, although other seats are asked for calls, pass and belong to other parties.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kiebitz as kb
from tests.games.doppelkopf.playing import game_of, hand_texts, random_table
from tests.games.doppelkopf.referee import NUMBER
from tests.games.doppelkopf.test_views import public_moments, spoken_game, twin_hands
from tests.server.running import OPEN, Person, Running, Socket, running, usual, whose

pytestmark = pytest.mark.requirement("DK-80")

Moment = tuple[str, int, int]


class Evening:
    """Four persons and a spectator who play a public game with given cards; keeps what came to two of them."""

    def __init__(self, server: Running, observer: int) -> None:
        people = [server.open("doppelkopf", OPEN, OPEN, OPEN)]
        people += [server.sit(people[0].table, seat, f"P{seat}") for seat in (1, 2, 3)]
        self.people = people
        self.observer = observer
        self.replies: list[str] = []
        self.version = people[0].look()["version"]
        # Tokens differ from evening to evening and go one way only; everything else is compared byte by byte.
        self.sockets = {"observer": people[observer].socket(), "spectator": server.spectator(people[0].table).socket()}
        for socket in self.sockets.values():
            socket.until(self.version)

    def act(self, seat: int, action: int) -> dict[str, Any]:
        answer = self.people[seat].act(action, self.version)
        assert answer.status_code == 200, answer.text
        if seat == self.observer:
            self.replies.append(answer.text)
        found: dict[str, Any] = answer.json()
        return found

    def changed(self) -> None:
        """Waits for the next public change."""
        self.version += 1
        for socket in self.sockets.values():
            socket.until(self.version)

    def view(self, seat: int) -> dict[str, Any]:
        return self.people[seat].look()

    def call_round(self, calls: dict[int, int]) -> None:
        """All seats that are asked answer in order; answers of others would not be noticed."""
        asked = [seat for seat in range(4) if self.view(seat)["prompt"] is not None]
        for seat in asked:
            self.act(seat, calls.get(seat, NUMBER["pass"]))
        self.changed()

    def play(self, moments: list[Moment], names: list[str]) -> None:
        for kind, seat, action in moments:
            if kind == "R":
                self.act(seat, NUMBER[names[seat]])
                self.changed()
                continue
            if kind == "A":
                self.call_round({seat: action})
                continue
            while self.view(seat)["phase"] == "call":
                self.call_round({})
            self.act(seat, action)
            self.changed()

    def traffic(self) -> dict[str, list[str]]:
        return {who: socket.came for who, socket in self.sockets.items()} | {"replies": self.replies}

    def close(self) -> None:
        for socket in self.sockets.values():
            socket.close()


def evening(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    cards: list[list[str]],
    names: list[str],
    state: kb.State,
    *,
    observer: int,
) -> dict[str, list[str]]:
    """What came to the observer and to a spectator in an evening with these cards."""
    deal, start = hand_texts(cards), state.view(0).fields()["start"]
    monkeypatch.setattr("kiebitz.server.hub.new_id", lambda: "table")
    monkeypatch.setattr("kiebitz.server.table.deal", lambda game, seed, first: game.deal(deal, start=start))
    folder.mkdir()
    with running(folder / "t.db") as server:
        people = Evening(server, observer)
        people.play(public_moments(state), names)
        came = people.traffic()
        people.close()
    return came


@pytest.mark.parametrize("seed", range(6))
def test_everything_that_comes_to_a_seat_is_the_same_for_deals_it_cannot_tell_apart(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, stop = Random(seed), (12, 20, 32, 40, 44, 16)[seed]
    while True:
        state, table = spoken_game(game_of(), random, stop)
        dealt = table.dealt
        observer = random.randrange(4)
        hands, names = twin_hands(state, state.view(observer).sample(random.randrange(2**32)))
        if [sorted(hand) for hand in hands] != [sorted(hand) for hand in dealt]:
            break
    one = evening(tmp_path / "one", monkeypatch, dealt, twin_hands(state, state)[1], state, observer=observer)
    other = evening(tmp_path / "other", monkeypatch, hands, names, state, observer=observer)
    assert one == other
    assert len(one["observer"]) > stop


def test_a_whole_game_tells_nothing_of_a_reservation_that_was_never_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All 48 cards: two evenings that differ only in a hidden solo look the same to the other seats until the end."""
    random = Random(3)
    dealt = random_table(random, None, queens=0.0).dealt
    state = game_of().deal(hand_texts(dealt), start=0)
    for name in ("solo-hearts", "healthy", "solo-jacks", "healthy"):
        state.apply(NUMBER[name])
    while state.player != kb.TERMINAL:
        legal = state.legal()
        state.apply(legal[-1] if legal[0] >= 33 else random.choice(legal))
    said = ["solo-hearts", "healthy", "solo-jacks", "healthy"]
    one = evening(tmp_path / "one", monkeypatch, dealt, said, state, observer=1)
    other = evening(tmp_path / "other", monkeypatch, dealt, [*said[:2], "solo-clubs", said[3]], state, observer=1)
    ends = [each["observer"].pop() for each in (one, other)], [each["spectator"].pop() for each in (one, other)]
    last = [each["replies"].pop() if json.loads(each["replies"][-1])["over"] else None for each in (one, other)]
    assert one == other
    assert all(pair[0] != pair[1] for pair in ends)  # once the game is over, everything is shown
    assert (last[0] is None) == (last[1] is None)
    assert len(one["observer"]) > 52


def test_a_whole_game_shows_a_seat_its_own_view_and_nothing_else(server: Running) -> None:
    """All traffic of a full game, up to its end: the views of others, and the seed, are in no message."""
    people = [server.open("doppelkopf", OPEN, OPEN, OPEN)]
    people += [server.sit(people[0].table, seat) for seat in (1, 2, 3)]
    sockets: list[Socket] = [person.socket() for person in people]
    live = server.hub.lives[people[0].table]
    seed = live.table.seed
    while (found := whose(people)) is not None:
        person, seen = found
        person.acted(usual(person, seen), seen["version"])
    last = people[0].look()["version"]
    for seat, socket in enumerate(sockets):
        socket.until(last)
        versions = [json.loads(text)["snapshot"]["version"] for text in socket.came]
        assert versions == sorted(versions)
        for text in socket.came[:-1]:
            snapshot = json.loads(text)["snapshot"]
            assert list(snapshot["views"]) == [str(seat)]
            assert snapshot["over"] is None
            assert str(seed) not in text
        end = json.loads(socket.came[-1])["snapshot"]
        assert end["over"]["seed"] == seed
        assert sorted(end["views"]) == ["0", "1", "2", "3"]
        socket.close()


def test_nobody_notices_an_answer_in_a_call_round(server: Running) -> None:
    """An answer reaches nobody: the version stays, no message comes, and the others' snapshots are unchanged."""
    people = [server.open("doppelkopf", OPEN, OPEN, OPEN)]
    people += [server.sit(people[0].table, seat) for seat in (1, 2, 3)]
    for _ in range(4):
        turn = people[0].look()["turn"]
        people[turn].acted("healthy")
    before = [person.look() for person in people]
    assert {seen["phase"] for seen in before} == {"call"}
    assert all(seen["prompt"] == {"kind": "call", "until": None} and seen["turn"] is None for seen in before)
    assert all(seen["views"][str(i)]["legal"][-1]["name"] == "pass" for i, seen in enumerate(before))
    with people[1].socket() as socket:
        joined = before[0]["version"]
        socket.until(joined)
        own = people[0].acted("pass")
        assert own["version"] == joined
        assert own["prompt"] is None
        assert own["views"]["0"]["legal"] == []
        for i in (1, 2, 3):
            after = people[i].look()
            for seat in after["seats"]:
                seat["connected"] = False
            assert after == before[i]
        for person in people[1:]:
            person.acted("pass", joined)
        assert socket.receive()["snapshot"]["version"] == joined + 1  # the next message is the end of the round


def test_a_person_with_nothing_to_say_is_asked_as_well_and_can_pass(tmp_path: Path) -> None:
    """In this game seats are asked that have only pass, or whom the core asks nothing at all."""
    with running(tmp_path / "t.db", seed=2) as server:
        people = [server.open("doppelkopf", OPEN, OPEN, OPEN)]
        people += [server.sit(people[0].table, seat) for seat in (1, 2, 3)]
        assert _only_passes(people) > 0


def _only_passes(people: list[Person]) -> int:
    found = 0
    while (turn := whose(people)) is not None:
        person, seen = turn
        if max(seen["public"]["sizes"]) < 8:
            break
        legal = seen["views"][str(person.seat)]["legal"]
        speaks = seen["phase"] == "call" and len(legal) == 2 and len(seen["public"]["calls"]) < 3
        found += seen["phase"] == "call" and len(legal) == 1
        person.acted(legal[0]["action"] if speaks else usual(person, seen), seen["version"])
    return found
