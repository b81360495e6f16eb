"""Steering a game: moves are taken back, bots wait or hurry, and two players take turns to begin."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.server import control
from kiebitz.server.catalogue import offered
from kiebitz.server.events import Event, Options, Seat
from kiebitz.server.table import ServerTable
from kiebitz.server.tokens import digest
from tests.server.running import BOT, OPEN, Person, Running, running, usual

RANDOM = {"kind": "bot", "spec": "random"}


def undo(person: Person, version: int | None = None) -> Any:
    return person.post("/undo", {"version": person.look()["version"] if version is None else version})


def refusal(answer: Any) -> str:
    return str(answer.json()["error"]["code"])


# --- Taking back ------------------------------------------------------------------------------------------------------


def told(table: ServerTable) -> dict[str, Any]:
    """All that everybody sees of a table, but not how often it has changed."""
    seen = {seat: table.snapshot(seat) for seat in (None, *range(len(table.seats)))}
    return {str(seat): {key: value for key, value in each.items() if key != "version"} for seat, each in seen.items()}


@pytest.mark.parametrize("name", offered())
def test_a_table_is_as_it_was_before_the_action_that_is_taken_back(name: str) -> None:
    """Whole games with a person at seat 0: each of their actions is taken back and made again."""
    game, random = kb.game(name), Random(3)
    seats = [Seat("person", "Ada", token=digest("x")), *(Seat("bot", f"Bot {i}") for i in range(1, game.info.players))]
    table = ServerTable("t", game, Options(), seats, secret=1)
    table.begin(1, seed=5)
    while not table.over:
        if table.round is not None:
            for seat in table.asked():
                table.apply(table.act(seat, table.round.round.decline, table.version))
            table.apply(table.resolve({}))
            continue
        mover, before = table.state.player, told(table)
        action = random.choice(table.state.legal())
        table.apply(table.bot_act(mover, action))
        if mover == 0 and not table.over:
            table.apply(control.undo(table, 0, table.version))
            assert told(table) == before
            table.apply(table.bot_act(0, action))
    assert not control.may_undo(table, 0)
    assert kb.records.replay(table.record(table.state)).returns() == table.state.returns()


def test_against_bots_a_person_takes_back_alone_and_the_store_has_it(tmp_path: Path) -> None:
    with running(tmp_path / "t.db") as server:
        ada = server.open("connect_four", RANDOM)
        assert refusal(undo(ada)) == "wrong_turn"
        start = ada.look()
        assert not start["control"]["undo"]
        ada.acted("d")
        seen = ada.until(lambda s: s["turn"] == 0)
        assert seen["control"]["undo"]
        assert refusal(undo(ada, start["version"])) == "stale_version"
        back = undo(ada).json()
        assert (back["turn"], back["history"], back["log"]) == (0, [], [])
        assert refusal(undo(server.spectator(ada.table), 1)) == "no_token"
        ada.acted("a")
        seen = ada.until(lambda s: s["turn"] == 0)
    with running(tmp_path / "t.db") as server:
        again = Person(server, ada.table, 0, ada.token)
        assert again.look()["history"] == seen["history"]
        again.play_on()
        assert refusal(undo(again)) == "game_over"
        record = again.get("/games/1/record").json()
        assert kb.records.replay(kb.records.from_json(record)).player < 0


def test_a_bot_does_not_play_what_it_thought_of_before(server: Running) -> None:
    """A move is taken back while a bot still thinks: it answers the new one."""
    ada = server.open("connect_four", RANDOM)
    live = server.hub.lives[ada.table]
    live.table.control.pace_ms = 1000
    ada.acted("d")
    undo(ada)
    live.table.control.pace_ms = 0
    history = ada.acted("a")["history"]
    seen = ada.until(lambda s: s["turn"] == 0)
    assert seen["history"][:1] == history[:1] == ["a"]
    assert len(seen["history"]) == 2


def test_with_other_persons_everybody_has_to_agree(server: Running) -> None:
    ada = server.open("connect_four", OPEN)
    grace = server.sit(ada.table, 1)
    ada.acted("d")
    asked = undo(ada).json()
    assert (asked["control"]["undoing"], asked["history"]) == ([0], ["d"])
    assert grace.look()["control"] == {**asked["control"], "undo": False}
    grace.acted("e")  # plays on: no
    assert ada.look()["control"]["undoing"] == []
    assert undo(ada).json()["control"]["undoing"] == [0]
    version = grace.look()["version"]
    assert grace.delete(f"/undo?version={version}").json()["control"]["undoing"] == []
    undo(ada)
    assert undo(grace).json()["history"] == []


def reached(moves: int, seen: dict[str, Any]) -> bool:
    return len(seen["history"]) >= moves


# --- The kibitz against a friend --------------------------------------------------------------------------------------


def test_against_a_friend_the_kibitz_is_off_unless_both_want_it(server: Running) -> None:
    ada = server.open("connect_four", OPEN, open=True)
    assert ada.post("/analysis", {}).status_code == 200  # alone
    grace = server.sit(ada.table, 1)
    watcher = server.spectator(ada.table)
    for wanted in ([0], [0, 1]):
        for person in (ada, watcher):
            assert refusal(person.post("/analysis", {})) == "fair_table"
            assert refusal(person.get("/beliefs", seat=0)) == "fair_table"
        control = (ada, grace)[len(wanted) - 1].want_kibitz()["control"]
        assert (control["kibitzing"], control["kibitz"]) == (wanted, len(wanted) == 2)
    assert ada.post("/analysis", {}).status_code == 200
    assert grace.post("/kibitz", {"wanted": False}).json()["control"]["kibitz"] is False
    assert refusal(ada.post("/analysis", {})) == "fair_table"
    assert watcher.post("/kibitz", {"wanted": True}).status_code == 401
    assert ada.delete("/seats/0").status_code == 204  # a bot: nobody to be unfair to
    assert grace.look()["control"]["kibitz"]


# --- The pace of bots -------------------------------------------------------------------------------------------------


def test_bots_wait_go_on_by_single_actions_and_play_on(server: Running) -> None:
    owner = server.open("connect_four", RANDOM, RANDOM, me=False, pace_ms=5000)
    seen = owner.post("/pace", {"paused": True, "pace_ms": 0}).json()
    assert (seen["control"]["paused"], seen["control"]["pace_ms"]) == (True, 0)
    for moves in (1, 2, 3):
        assert owner.post("/pace", {"step": True}).status_code == 200
        seen = owner.until(partial(reached, moves))
        assert len(seen["history"]) == moves
    assert len(owner.look()["history"]) == 3
    owner.post("/pace", {"paused": False})
    owner.until(lambda s: s["over"] is not None)


def test_nobody_slows_down_others(server: Running) -> None:
    alone = server.open("connect_four", BOT)
    assert alone.post("/pace", {"pace_ms": 10}).status_code == 200
    assert refusal(server.spectator(alone.table).post("/pace", {"paused": True})) == "no_token"
    shared = server.open("connect_four", OPEN)
    assert refusal(shared.post("/pace", {"paused": True})) == "foreign_token"
    assert refusal(shared.post("/pace", {"step": True})) == "foreign_token"
    assert shared.post("/pace", {"pace_ms": 10**6}).status_code == 422


# --- Who begins -------------------------------------------------------------------------------------------------------


def test_two_players_take_turns_to_begin_and_points_go_with_them(tmp_path: Path) -> None:
    with running(tmp_path / "t.db") as server:
        ada = server.open("nim", OPEN, games=3, alternate=True)
        grace = server.sit(ada.table, 1)
        won = {"Ada": 0.0, "Grace": 0.0}
        for game in (1, 2, 3):
            people = {person.look()["you"]: person for person in (ada, grace)}
            assert people[0] is (ada if game % 2 else grace)
            while (seen := ada.look())["over"] is None:
                mover = people[seen["turn"]]
                mover.acted(mover.look()["views"][str(seen["turn"])]["legal"][0]["action"])
            for seat, value in zip(seen["seats"], seen["over"]["returns"], strict=True):
                won[seat["name"]] += value
            totals = dict(zip([s["name"] for s in seen["seats"]], seen["score"]["totals"], strict=True))
            assert totals == won
            assert [seen["seats"][seat]["name"] for seat in seen["score"]["columns"]] == ["Ada", "Grace"]
            if game < 3:
                assert grace.post("/next").status_code == 200
    with running(tmp_path / "t.db") as server:
        again = Person(server, ada.table, 0, ada.token).look()
        assert again["score"] == seen["score"]


def test_a_series_without_the_option_leaves_everybody_where_they_are(server: Running) -> None:
    ada = server.open("nim", RANDOM, games=2)
    ada.play_on()
    assert ada.post("/next").json()["you"] == 0


# --- Giving up --------------------------------------------------------------------------------------------------------


def resign(person: Person, game: int = 1) -> Any:
    return person.post("/resign", {"game": game})


def test_a_game_that_two_win_or_lose_is_lost_and_its_record_can_be_checked(tmp_path: Path) -> None:
    with running(tmp_path / "t.db") as server:
        ada = server.open("connect_four", OPEN, games=2)
        grace = server.sit(ada.table, 1)
        ada.acted("d")
        assert ada.look()["control"]["resign"] == "loss"
        assert refusal(resign(server.spectator(ada.table))) == "no_token"
        assert refusal(resign(grace, 2)) == "game_over"
        end = resign(grace).json()
        assert (end["over"]["returns"], end["phase"], end["turn"]) == ([1.0, -1.0], "over", None)
        assert end["over"]["words"]["en"] == ["Grace gave up: Ada wins", "Ada +1, Grace −1"]
        assert end["log"][-1]["text"] == {"en": "Grace gives up", "de": "Grace gibt auf"}
        assert not any(view["legal"] for view in end["views"].values())
        assert end["control"]["resign"] is None
        assert refusal(resign(ada)) == refusal(grace.act("e")) == refusal(undo(ada)) == "game_over"
        record = ada.get("/games/1/record").json()
        assert (record["resigned"], record["returns"], record["result"]) == ([[1, 1]], [1.0, -1.0], None)
        kb.records.replay(kb.records.from_json(record))
        shared = ada.post("/games/1/share").json()["record"]
        steps = server.http.get(f"/api/records/{shared}").json()["steps"]
        assert steps[-1]["over"]["words"] == end["over"]["words"]
        before = grace.look()
    with running(tmp_path / "t.db") as server:
        again = Person(server, ada.table, 1, grace.token)
        assert {**again.look(), "seats": None} == {**before, "seats": None}
        assert again.post("/next").json()["score"]["totals"] == [1.0, -1.0]
        assert again.look()["control"]["resigned"] == []


def everybody_gives_up(table: ServerTable, random: Random) -> tuple[list[Event], kb.records.Record | None]:
    """A whole game of persons who give up at any moment, in secret rounds too: its events, and its record."""
    events: list[Event] = []
    record = None
    while not table.over:
        left = [seat for seat in table.persons() if seat not in table.control.resigned]
        if left and random.random() < 0.1:
            event = control.resign(table, random.choice(left), 1, "random")
        elif table.round is None:
            mover = table.state.player
            action = random.choice(table.state.legal())
            event = table.bot_act(mover, action) if table.bot_at(mover) else table.act(mover, action, table.version)
        elif asked := table.asked():
            event = table.act(random.choice(asked), table.round.round.decline, table.version)
        else:
            event = table.resolve({})
        after = table.after(event)
        record = table.finish(event, after)
        table.apply(event, after)
        events.append(event)
    return events, record


@pytest.mark.parametrize("name", offered())
def test_a_game_that_anybody_gave_up_at_any_moment_is_rebuilt_and_its_record_checked(name: str) -> None:
    game = kb.game(name)
    seats = [Seat("person", f"P{i}", token=digest(str(i))) for i in range(game.info.players)]
    for seed in range(6):
        table, again = (ServerTable("t", game, Options(), seats, secret=1) for _ in range(2))
        table.begin(1, seed)
        events, record = everybody_gives_up(table, Random(seed))
        assert record is not None
        kb.records.replay(kb.records.from_json(record.to_json()))
        assert list(record.returns or ()) == table.scores[0] == table.snapshot(0)["over"]["returns"]
        again.begin(1, seed)
        for event in events:
            again.apply(event)
        assert told(again) == told(table)


def test_who_has_given_up_is_not_asked_any_more(server: Running) -> None:
    ada = server.open("leduc", OPEN)
    grace = server.sit(ada.table, 1)
    ada.acted("call")
    assert refusal(ada.post("/analysis", {})) == "fair_table"
    assert undo(ada).json()["control"]["undoing"] == [0]
    seen = resign(grace).json()
    assert (seen["control"]["undoing"], seen["control"]["kibitz"]) == ([], True)
    if ada.until(lambda s: s["turn"] == 0 or s["over"] is not None)["over"] is None:
        assert undo(ada).json()["history"] == []


@pytest.mark.parametrize("name", ["doppelkopf", "leduc"])
def test_where_more_is_at_stake_a_bot_plays_to_the_end(name: str, tmp_path: Path) -> None:
    with running(tmp_path / "t.db") as server:
        ada = server.open(name, *[RANDOM] * (kb.game(name).info.players - 1), games=2)
        seen = ada.until(lambda s: bool(s["views"]["0"]["legal"]))
        ada.acted(usual(ada, seen))
        given = resign(ada).json()
        assert given["seats"][0]["kind"] == "person"
        assert given["prompt"] is None
        if given["over"] is None:
            assert (given["views"]["0"]["legal"], given["control"]["resign"]) == ([], None)
            assert refusal(ada.act(0, given["version"])) in ("wrong_turn", "stale_version")
        end = ada.until(lambda s: s["over"] is not None)
        record = kb.records.from_json(ada.get("/games/1/record").json())
        final = kb.records.replay(record)
        assert final.player < 0
        assert list(final.returns()) == end["over"]["returns"]
        assert record.seats[0] == "Ada"
        ((seat, ply, _),) = record.resigned
        assert seat == 0
        assert 0 < ply < len(record.actions)
        assert ada.post("/next").json()["control"]["resign"] == "bot"


# --- Another series ---------------------------------------------------------------------------------------------------


def rematch(person: Person, wanted: bool = True) -> Any:
    return person.post("/rematch", {"wanted": wanted})


def test_another_series_begins_once_all_persons_want_it(tmp_path: Path) -> None:
    with running(tmp_path / "t.db") as server:
        ada = server.open("connect_four", OPEN, games=1, alternate=True)
        grace = server.sit(ada.table, 1)
        assert refusal(rematch(ada)) == "game_runs"
        resign(ada)
        assert refusal(ada.post("/next")) == "series_over"
        assert rematch(ada).json()["control"]["rematching"] == [0]
        assert rematch(ada, wanted=False).json()["control"]["rematching"] == []
        assert refusal(rematch(server.spectator(ada.table))) == "no_token"
        rematch(ada)
    with running(tmp_path / "t.db") as server:
        grace = Person(server, ada.table, 1, grace.token)
        again = rematch(grace).json()
        assert (again["number"], again["you"], again["over"], again["control"]["rematching"]) == (2, 0, None, [])
        assert (again["score"]["games"], again["score"]["columns"]) == ([[1.0, -1.0]], [1, 0])
        assert resign(grace, 2).json()["score"]["totals"] == [0.0, 0.0]
        assert refusal(grace.post("/next")) == "series_over"


def test_bots_agree_to_another_series_at_once(server: Running) -> None:
    ada = server.open("nim", RANDOM, games=2)
    for number in (2, 3):
        assert ada.play_on()["number"] == number - 1
        answer = ada.post("/next") if number == 2 else rematch(ada)
        assert answer.json()["number"] == number
    owner = server.open("nim", RANDOM, RANDOM, me=False)
    owner.until(lambda s: s["over"] is not None)
    assert rematch(owner).json()["number"] == 2


def test_a_position_can_be_played_on_again(server: Running) -> None:
    ada = server.open("connect_four", RANDOM)
    ada.acted("d")
    resign(ada)
    id = ada.post("/games/1/share").json()["record"]
    seats = [{"kind": "person", "name": "Ada", "me": True}, RANDOM]
    made = server.http.post(f"/api/records/{id}/tables", json={"ply": 1, "seats": seats}).json()
    tried = Person(server, made["table"], 0, made["token"])
    tried.until(lambda s: s["turn"] == 0)
    resign(tried)
    assert rematch(tried).json()["history"][0] == "d"


def test_a_changed_pace_stays_when_the_table_is_loaded_in_its_next_game(tmp_path: Path) -> None:
    with running(tmp_path / "t.db") as server:
        ada = server.open("nim", RANDOM, games=None)
        ada.play_on()
        ada.post("/pace", {"pace_ms": 10, "paused": True})
        seen = ada.post("/next").json()
    with running(tmp_path / "t.db") as server:
        again = Person(server, ada.table, 0, ada.token).look()
        assert (again["control"]["pace_ms"], again["control"]["paused"]) == (10, True)
        assert again["version"] == seen["version"]
