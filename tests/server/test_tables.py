"""The table itself, without a server: whole games, versions, roles, and building it again from its events."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz import records
from kiebitz.games import declaration_of
from kiebitz.games.declaration import LANGUAGES, Language
from kiebitz.games.declaration.words import did
from kiebitz.games.liars_dice import bid_text
from kiebitz.server.catalogue import offered
from kiebitz.server.events import Event, Options, Seat
from kiebitz.server.live import finish_of
from kiebitz.server.storage import TableStore
from kiebitz.server.table import MOST_LOGGED, ServerTable
from kiebitz.server.tokens import digest
from kiebitz.store.migrations import configuration
from kiebitz.store.schema import VERSION
from kiebitz.store.store import Store
from tests.store.test_store_postgres import Server, server, url  # noqa: F401 (fixtures)
from tests.store.test_store_postgres import pytestmark as needs_postgres

PUBLIC: dict[str, set[str]] = {
    "doppelkopf": {
        "start", "contract", "declarer", "partner", "alone", "piglets", "trumps", "turn", "led", "trick", "leader",
        "last", "tricks_taken", "eyes", "calls", "reservations", "sizes", "parties", "asked",
    },
    "oware": {"pits", "captured", "sowing", "turn", "ended"},
    "leduc": {"public", "betting", "pot", "total", "shown", "folded", "rounds", "owed", "step"},
    "kuhn": {"betting", "pot", "total", "shown", "folded", "rounds", "owed", "step"},
    "liars_dice": {"bids", "called", "counts", "shown"},
    "connect_four": {"board", "line"},
    "tic_tac_toe": {"board", "line"},
    "nim": {"heaps"},
}  # fmt: skip
"""What everybody is told of these games; of any other, the public facts of its rules."""


def told(table: ServerTable) -> tuple[set[str], set[str]]:
    """The public facts and the parts of a view that a table may show."""
    parts = {"fields", "outline", "legal", "choices"}
    if table.game.name in PUBLIC:
        return PUBLIC[table.game.name], parts
    facts = set(table.state.view(0).public())
    if declaration_of(table.game).facts.drawn:
        return facts, parts
    return facts | ({"turn"} if table.game.info.hidden else {"turn", "text"}), parts | {"text"}


def table_of(game: str, kinds: str = "", **options: Any) -> ServerTable:
    rules = kb.game(game)
    kinds = kinds or "p" * rules.info.players
    seats = [
        Seat("person", f"P{i}", token=digest(str(i))) if kind == "p" else Seat("bot", f"B{i}", spec="random")
        for i, kind in enumerate(kinds)
    ]
    return ServerTable("t", rules, Options(**options), seats, secret=5)


def step(table: ServerTable, random: Random) -> Event:
    """Some change that is possible now."""
    if table.round is None:
        seat = table.turn
        assert seat is not None
        return table.act(seat, random.choice(table.state.view(seat).legal()), table.version)
    asked = table.asked()
    if not asked:
        bots = dict.fromkeys(table.asked_bots(), 38)
        return table.resolve(bots)
    seat = random.choice(asked)
    view = table.decision_view(seat)
    return table.act(seat, "pass" if view is None else random.choice(view.legal()), table.version)


@pytest.mark.parametrize("game", offered())
def test_whole_games_show_what_is_listed_and_nothing_else(game: str) -> None:
    random = Random(1)
    for number in range(6):
        table = table_of(game)
        table.begin(1, number)
        while not table.over:
            spectator = table.snapshot(None)
            facts, parts = told(table)
            assert spectator["public"].keys() == facts
            assert (spectator["views"], spectator["prompt"], spectator["over"]) == ({}, None, None)
            for seat in range(len(table.seats)):
                mine = table.snapshot(seat)
                assert list(mine["views"]) == [str(seat)]
                assert mine["public"] == spectator["public"]
                assert mine["views"][str(seat)].keys() == parts
                legal = [each["action"] for each in mine["views"][str(seat)]["legal"]]
                if table.turn == seat:
                    assert legal == table.state.legal()
                json.dumps(mine, allow_nan=False)
            hidden = table.game.info.hidden
            assert (spectator["history"] == []) if hidden else (len(table.history) == len(table.state.history))
            table.apply(step(table, random))
        end = table.snapshot(0)
        assert end["phase"] == "over"
        assert end["over"]["seed"] == number
        assert len(end["views"]) == len(table.seats)
        assert end["over"]["returns"] == end["score"]["totals"]
        assert end["log"][-1]["kind"] == "result"
        record = table.record(table.state)
        assert records.replay(record).returns() == end["over"]["returns"]


def test_the_version_counts_public_changes_only() -> None:
    """Reservations, cards, calls and the ends of rounds count; answers do not, no matter whose."""
    random = Random(2)
    table = table_of("doppelkopf")
    table.begin(1, 3)
    while not table.over:
        before = table.version, table.snapshot(None)
        event = step(table, random)
        table.apply(event)
        changed = table.version - before[0]
        assert changed == (0 if event.kind == "answer" else 1)
        if not changed:
            assert table.snapshot(None) == before[1]


@pytest.mark.parametrize("game", ["doppelkopf", "leduc", "oware"])
def test_a_table_is_built_again_from_its_store_after_every_event(game: str) -> None:
    random = Random(4)
    with Store.open("sqlite://") as store:
        keeper = TableStore(store)
        table = table_of(game, games=2)
        keeper.create(table, 11)
        table.begin(1, 11)
        for number in (1, 2):
            events = 0
            while not table.over:
                event = step(table, random)
                after = table.after(event)
                keeper.add("t", number, events, event, finish_of(table, event, after))
                table.apply(event, after)
                events += 1
                if events % 5 == 0 or table.over:
                    found = keeper.load("t")
                    assert found is not None
                    again, count = found
                    assert count == events
                    for seat in (None, *range(len(table.seats))):
                        assert again.snapshot(seat) == table.snapshot(seat)
            if number == 1:
                keeper.begin(table, events, 2, 12)
                table.begin(2, 12)
        assert len(table.scores) == 2
        assert keeper.record("t", 2) is not None


# --- Open tables ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", offered())
@pytest.mark.parametrize("fair", [False, True])
@pytest.mark.parametrize("people", [0, 1, 2])
def test_an_open_table_shows_no_hand_to_somebody_it_is_hidden_from(game: str, fair: bool, people: int) -> None:
    """Everybody can look without a token, also at tables that were opened before this was refused."""
    players = kb.game(game).info.players
    table = table_of(game, "p" * people + "b" * (players - people), open=True, fair=fair)
    table.begin(1, 1)
    shown = not table.game.info.hidden or (people < 2 and not fair)
    assert table.role(None) == ("all" if shown else "public")
    assert len(table.snapshot(None)["views"]) == (players if shown else 0)
    random = Random(1)
    while not table.over:
        table.apply(step(table, random))
    assert table.role(None) == "all"


def test_a_seat_that_waits_for_somebody_counts_as_a_persons() -> None:
    table = table_of("kuhn", "pb", open=True)
    table.begin(1, 1)
    table.seats[1] = Seat("open", "")
    assert table.role(None) == "public"
    table.apply(table.sit(1, "Grace", "token"))
    assert table.snapshot(None)["views"] == {}
    table.apply(table.stand(1, "casual", "random"))
    assert len(table.snapshot(None)["views"]) == 2


# --- What is said -----------------------------------------------------------------------------------------------------

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12) | st.sampled_from(
    ["{0}", "{seat}", "%s", "$&", r"\1", "<b>", "Platz 1", "seat 0", "-1", " (", "contract:"]
)
MOST = max(kb.game(name).info.players for name in offered())


@settings(max_examples=40)
@given(st.sampled_from(offered()), st.lists(NAMES, min_size=MOST, max_size=MOST), st.integers(0, 2**32))
def test_names_are_text_in_whatever_is_said(game: str, names: list[str], seed: int) -> None:
    """The same game with other names says the same with these names in their places, and nothing else changes."""
    plain, named = table_of(game), table_of(game)
    marks = [f"\ue000{seat}\ue001" for seat in range(MOST)]
    for table, called in ((plain, marks), (named, names)):
        table.seats = [replace(seat, name=called[i]) for i, seat in enumerate(table.seats)]
        random = Random(seed)
        table.begin(1, seed)
        while not table.over:
            table.apply(step(table, random))

    def filled(text: str) -> str:
        return re.sub("\ue000(\\d)\ue001", lambda found: names[int(found[1])], text)

    mine, theirs = plain.snapshot(0), named.snapshot(0)
    for language in ("en", "de"):
        said = [filled(entry["text"][language]) for entry in mine["log"]]
        assert said == [entry["text"][language] for entry in theirs["log"]]
        assert [filled(line) for line in mine["over"]["words"][language]] == theirs["over"]["words"][language]
        for line in [*(entry["text"][language] for entry in mine["log"]), *mine["over"]["words"][language]]:
            assert not re.search(r"\b(seat|Platz) \d|-\d", line)
    for entry in mine["log"]:
        if entry["seat"] is not None:
            assert all(text.startswith(f"{marks[entry['seat']]} ") for text in entry["text"].values())


@pytest.mark.parametrize("game", offered())
def test_both_languages_say_something_of_their_own_in_every_line(game: str) -> None:
    table, random = table_of(game), Random(8)
    table.begin(1, 8)
    while not table.over:
        table.apply(step(table, random))
    for line in table.log:
        assert line["text"].keys() == {"en", "de"}
        assert line["text"]["en"] != line["text"]["de"]


def test_a_late_player_is_named_in_earlier_lines_as_well() -> None:
    table = table_of("liars_dice")
    table.seats[1] = Seat("open", "")
    table.begin(1, 1)
    table.apply(table.act(0, "1x2", table.version))
    table.state.apply(table.state.parse("1x3"))  # nobody can act at an open seat: this tells only of the words
    table._write([did(1, "move", {"en": "bids", "de": "bietet"})])
    assert table.log[-1]["text"] == {"en": "Seat 2 bids", "de": "Platz 2 bietet"}
    table.apply(table.sit(1, "Grace {0}", "token"))
    assert [line["text"]["de"] for line in table.log] == ["P0 bietet eine Zwei", "Grace {0} bietet"]


def test_a_long_log_is_cut_and_stays_so_when_names_change() -> None:
    table = table_of("nim")
    table.begin(1, 1)
    for number in range(MOST_LOGGED + 30):
        table._write([did(0, "move", {"en": str(number), "de": str(number)})])
    before = table.log
    assert len(before) == MOST_LOGGED
    table.seats[1] = Seat("open", "")
    table.apply(table.sit(1, "Grace", "token"))
    assert table.log == before


@given(st.integers(1, 128), st.integers(1, 20), st.sampled_from(LANGUAGES))
def test_every_bid_has_words_of_its_own(count: int, face: int, language: Language) -> None:
    text = bid_text(f"{count}x{face}", language)
    others = {bid_text(f"{n}x{f}", language) for n in range(1, 129) for f in range(1, 21) if (n, f) != (count, face)}
    assert text not in others
    assert "x" not in text.replace("six", "")


def test_bids_and_bets_as_people_say_them() -> None:
    def said(game: str, moves: list[str], seed: int) -> list[str]:
        table = table_of(game)
        table.begin(1, seed)
        for move in moves:
            assert table.turn is not None
            table.apply(table.act(table.turn, move, table.version))
        return [f"{line['text']['en']} / {line['text']['de']}" for line in table.log]

    assert said("liars_dice", ["1x1", "2x5", "liar"], 1)[:3] == [
        "P0 bids one one / P0 bietet eine Eins",
        "P1 bids two fives / P1 bietet zwei Fünfen",
        "P0 doubts the bid / P0 zweifelt das Gebot an",
    ]
    assert said("kuhn", ["pass", "bet", "pass"], 3) == [
        "P0 checks / P0 schiebt",
        "P1 bets / P1 setzt",
        "P0 folds / P0 steigt aus",
        "P1 wins / P1 gewinnt",
    ]
    assert said("kuhn", ["bet", "bet"], 3)[1] == "P1 calls / P1 geht mit"
    assert said("nim", ["4:7"], 3) == ["P0 takes 7 from heap 4 / P0 nimmt 7 von Haufen 4"]


# --- Series and seeds -------------------------------------------------------------------------------------------------


def test_a_series_of_doppelkopf_lets_the_start_go_round() -> None:
    table = table_of("doppelkopf", games=4)
    starts = []
    for number in range(1, 5):
        table.begin(number, number)
        starts.append(table.snapshot(None)["public"]["start"])
        table.add([0.0] * 4, {})
    assert starts == [0, 1, 2, 3]


def test_seeds_of_bots_tell_nothing_of_the_deal() -> None:
    one, other = table_of("doppelkopf"), table_of("doppelkopf")
    one.begin(1, 1)
    other.begin(1, 2)
    assert [one.bot_seed(seat) for seat in range(4)] == [other.bot_seed(seat) for seat in range(4)]


# --- The store --------------------------------------------------------------------------------------------------------


def test_a_store_of_the_version_before_is_migrated(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config = configuration()
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
    with Store.open(path) as store:
        assert TableStore(store).recent(5) == []
        names = sa.inspect(store.engine).get_table_names()
        assert {"tables", "table_games", "table_events", "shared_records", "runs", "games"} <= set(names)
    assert VERSION != "0001"


@needs_postgres
def test_tables_live_in_postgresql_as_well(url: str) -> None:  # noqa: F811
    from tests.server.running import OPEN, Person, running

    with running(url) as first:
        ada = first.open("doppelkopf", OPEN, OPEN, OPEN)
        people = [ada, *(first.sit(ada.table, seat) for seat in (1, 2, 3))]
        for _ in range(4):
            people[ada.look()["turn"]].acted("healthy")
        people[2].acted("pass")
        before = [person.look() for person in people]
        shared = first.http.post("/api/records", json={"schema": 1, "game": {"name": "nim"}, "actions": []}).json()
    with running(url) as second:
        people = [Person(second, person.table, person.seat, person.token) for person in people]
        assert [person.look() for person in people] == before
        assert second.http.get(f"/api/records/{shared['record']}").status_code == 200
