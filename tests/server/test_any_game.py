"""Games without a declaration at the table, from Python and from trees; actions with kinds and amounts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz import records
from kiebitz.agents import agent_class, base
from kiebitz.errors import ParameterError
from kiebitz.games.scene import Scene
from kiebitz.games.tree import to_efg
from kiebitz.server import catalogue, game_routes, safety
from kiebitz.server.errors import TableError
from kiebitz.server.events import Options, Seat
from kiebitz.server.replays import check
from kiebitz.server.safety import listed_agents, safe_spec
from kiebitz.server.table import ServerTable
from kiebitz.server.views import MOST_LISTED, actions_part
from kiebitz.server.wishes import Wish
from tests.contract.no_limit import NoLimit
from tests.server.running import BOT, OPEN, Running, running

ROOT = Path(__file__).parents[2]
HEXAPAWN = ROOT / "examples" / "hexapawn.py"
PENNIES: dict[str, Any] = {
    "title": "Matching pennies",
    "players": ["Anna", "Otto"],
    "root": {
        "player": "Anna",
        "actions": {
            shown: {
                "player": "Otto",
                "set": "guess",
                "actions": {guess: {"payoffs": [-1, 1] if guess == shown else [1, -1]} for guess in ("heads", "tails")},
            }
            for shown in ("heads", "tails")
        },
    },
}


@pytest.fixture
def pennies(tmp_path: Path) -> Path:
    path = tmp_path / "coins.json"
    path.write_text(json.dumps(PENNIES))
    return path


@pytest.fixture(autouse=True)
def _nothing_stays_on_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_added", {})


@pytest.fixture
def here(pennies: Path, tmp_path: Path) -> Iterator[Running]:
    """A server that was started with two more games."""
    catalogue.offer(HEXAPAWN)
    catalogue.offer(pennies)
    with running(tmp_path / "tables.db") as server:
        yield server


# --- What is on offer -------------------------------------------------------------------------------------------------


def test_the_lobby_lists_games_of_files_last(here: Running) -> None:
    listed = {game["name"]: game for game in here.http.get("/api/games").json()}
    assert list(listed)[-2:] == ["hexapawn", "coins"]
    assert (listed["coins"]["title"], listed["coins"]["hidden"]) == ("Matching pennies", True)
    assert (listed["coins"]["parameters"], listed["hexapawn"]["parameters"]) == ([], [])
    assert [level["key"] for level in listed["hexapawn"]["strengths"]] == ["beginner", "casual", "strong", "best"]
    for name in ("hexapawn", "coins"):
        assert here.http.get("/api/agents", params={"game": name}).status_code == 200


@pytest.mark.parametrize("name", ["nim.json", "a b.json", "ä.efg"])
def test_a_tree_needs_a_name_of_its_own(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(PENNIES) if name.endswith("json") else to_efg(PENNIES))
    before = catalogue.offered()
    with pytest.raises(ParameterError, match="expected a file named in letters and digits, and not like a game"):
        catalogue.offer(path)
    assert catalogue.offered() == before


def test_files_that_are_no_game_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.py"
    path.write_text("")
    with pytest.raises(kb.UnknownName, match="registers no game"):
        catalogue.offer(path)
    with pytest.raises(kb.TreeError, match="cannot be read"):
        catalogue.offer(tmp_path / "missing.json")
    with pytest.raises(ParameterError, match=r"notes\.txt: expected a file that holds a game"):
        catalogue.offer(tmp_path / "notes.txt")


def test_a_compiled_game_without_a_place_is_offered_by_its_name(tmp_path: Path) -> None:
    assert "rock_paper_scissors" not in catalogue.offered()
    assert catalogue.offer("rock_paper_scissors") == catalogue.offered()[-1] == "rock_paper_scissors"
    with running(tmp_path / "tables.db") as server:
        listed = {game["name"]: game for game in server.http.get("/api/games").json()}
        assert [rule["name"] for rule in listed["rock_paper_scissors"]["parameters"]] == ["rounds", "payoff"]
        ada = server.open("rock_paper_scissors", {"kind": "bot", "strength": "best"})
        assert [each["name"] for each in ada.look()["views"]["0"]["legal"]] == ["rock", "paper", "scissors"]
        ada.acted("rock")
        end = ada.until(lambda seen: seen["over"] is not None)
        shared = ada.post("/games/1/share").json()["record"]
        last = server.http.get(f"/api/records/{shared}").json()["steps"][-1]
        assert last["over"]["returns"] == end["over"]["returns"]


def test_a_game_with_a_place_keeps_it_when_offered_once_more() -> None:
    before = catalogue.offered()
    assert catalogue.offer("nim") == "nim"
    assert catalogue.offered() == before


def test_a_name_that_is_no_game_is_refused() -> None:
    with pytest.raises(kb.UnknownName, match="did you mean 'rock_paper_scissors'"):
        catalogue.offer("rock_paper_scisors")


@pytest.mark.parametrize("params", [{"tree": PENNIES}, {"file": "/etc/passwd"}, {"example": "rps_hidden"}, {"x": 1}])
def test_strangers_cannot_choose_the_rules_of_a_file(params: dict[str, Any], here: Running) -> None:
    for name in ("coins", "hexapawn", "tree"):
        body = {"game": {"name": name, "params": params}, "seats": [BOT, BOT]}
        answer = here.http.post("/api/tables", json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_game")


def test_a_record_of_a_tree_is_taken_only_if_the_tree_is_on_offer(pennies: Path) -> None:
    tree = kb.game("tree", file=pennies)
    state = tree.root()
    state.apply(0)
    state.apply(1)
    with pytest.raises(records.RecordError, match="game: expected one of"):
        check(records.record_of(state))
    catalogue.offer(pennies)
    assert check(records.record_of(state)).returns() == [1.0, -1.0]
    other = kb.game("tree", example="rps_hidden").root()
    with pytest.raises(records.RecordError, match="game: expected one of"):
        check(records.record_of(other))


def test_agents_that_solve_the_game_are_not_for_games_in_python() -> None:
    game = NoLimit.make()
    assert "equilibrium" not in [agent["name"] for agent in listed_agents(game)]
    with pytest.raises(TableError, match="'equilibrium' may not sit here"):
        safe_spec("equilibrium", game)


# --- Playing ----------------------------------------------------------------------------------------------------------


def test_a_game_in_python_is_played_to_its_end_with_a_bot(here: Running) -> None:
    ada = here.open("hexapawn", {"kind": "bot", "strength": "best"})
    seen = ada.look()
    assert seen["views"]["0"]["text"] == seen["public"]["text"] == "3 b b b\n2 . . .\n1 w w w\n  a b c\n"
    assert seen["views"]["0"]["choices"][0] == {"kind": "move", "phase": "move", "action": 57, "name": "a1a2"}
    found = ada.post("/analysis", {"effort": "quick"}).json()
    assert {(entry["kind"], entry["amount"]) for entry in found["actions"]} == {("move", None)}
    end = ada.play_on()
    assert [entry["kind"] for entry in end["log"]][-1] == "result"
    assert end["log"][0]["text"] == {"en": "Ada plays a1a2", "de": "Ada spielt a1a2"}
    assert sum(end["over"]["returns"]) == 0
    shared = ada.post("/games/1/share").json()["record"]
    steps = here.http.get(f"/api/records/{shared}").json()["steps"]
    assert (steps[0]["kind"], steps[0]["amount"], steps[-1]["kind"]) == ("move", None, None)


def test_a_hidden_tree_shows_nobody_what_was_chosen(here: Running) -> None:
    anna = here.open("coins", OPEN)
    otto = here.sit(anna.table, 1, "Otto")
    before = otto.look()
    assert (before["game"]["params"], before["views"]["1"]["text"]) == ({}, "Otto waits\nown last move: none\n")
    with otto.socket() as socket, here.spectator(anna.table).socket() as watching:
        anna.acted("tails")
        shown = [each.until(before["version"] + 1) for each in (socket, watching)]
    for snapshot in shown:
        told = json.dumps({**snapshot, "views": {}})
        assert "tails" not in told
        assert "Anna" not in json.dumps(snapshot["log"])  # Otto is told that it is his turn, and no more
    assert shown[0]["views"]["1"]["text"].startswith("Otto to move")
    end = otto.acted("tails")
    assert end["over"]["returns"] == [-1.0, 1.0]
    assert end["log"][-1]["text"]["en"] == "Otto wins"


def test_tables_of_files_go_on_after_a_restart(pennies: Path, tmp_path: Path) -> None:
    catalogue.offer(HEXAPAWN)
    catalogue.offer(pennies)
    with running(tmp_path / "tables.db") as server:
        people = [server.open(name, OPEN) for name in ("hexapawn", "coins")]
        for person in people:
            person.acted(person.look()["views"]["0"]["legal"][0]["action"])
        before = [person.look() for person in people]
    with running(tmp_path / "tables.db") as server:
        for person, seen in zip(people, before, strict=True):
            person.server = server
            assert person.look() == seen


# --- Kinds and amounts ------------------------------------------------------------------------------------------------


def a_table(game: kb.Game) -> ServerTable:
    table = ServerTable("t", game, Options(), [Seat("person", "A"), Seat("person", "B")], secret=1)
    table.begin(1, 1)
    return table


def test_twenty_thousand_raises_are_one_choice_and_are_not_listed() -> None:
    game = NoLimit.make(stack=20_000)
    scene = Scene(game.root())
    part = actions_part(scene, scene.view(0))
    assert [each["name"] for each in part["legal"]] == ["0", "1"]
    assert [each["kind"] for each in part["choices"]] == ["fold", "call", "raise"]
    raises = part["choices"][2]
    assert (raises["low"], raises["high"], raises["step"], raises["unit"]) == (2, 20_000, 1, "chips")
    assert (raises["action"], raises["count"]) == (2, 19_999)
    assert len(json.dumps(part)) < 2000


def test_a_few_amounts_are_listed_too() -> None:
    scene = Scene(NoLimit.make(stack=20).root())
    assert len(actions_part(scene, scene.view(0))["legal"]) == 21 <= MOST_LISTED


def test_an_action_may_be_given_by_kind_and_amount() -> None:
    table = a_table(NoLimit.make(stack=20_000))
    event = table.act(0, Wish("raise", 12_345), table.version)
    assert table.state.amount(event.action or 0) == 12_345
    table.apply(event)
    assert table.act(1, Wish("fold"), table.version).action == 0
    assert table.act(1, Wish("call"), table.version).action == 1
    assert table.act(1, Wish("call", 12_345), table.version).action == 1


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (Wish("bet", 5), "kind: 'bet' is not possible here; expected fold, call, raise"),
        (Wish("raise"), "raise: expected an amount from 2 to 20000 chips"),
        (Wish("raise", 1), "raise: expected 2 to 20000 in steps of 1 chips"),
        (Wish("raise", 2.5), "raise: expected 2 to 20000 in steps of 1 chips"),
        (Wish("raise", 1e300), "raise: expected 2 to 20000 in steps of 1 chips"),
        (Wish("fold", 3), "fold: has no amount"),
        (Wish("x" * 1000), "is not possible here"),
    ],
)
def test_amounts_that_make_no_sense_are_refused(wish: Wish, told: str) -> None:
    table = a_table(NoLimit.make(stack=20_000))
    with pytest.raises(TableError, match=told) as refused:
        table.act(0, wish, table.version)
    assert refused.value.code == "illegal_action"
    assert len(refused.value.message) < 400


def test_a_kind_that_can_mean_several_actions_is_not_guessed() -> None:
    table = a_table(kb.game("nim", heaps=[3, 3]))
    with pytest.raises(TableError, match="'take' can mean 2 actions here; name one"):
        table.act(0, Wish("take", 2), table.version)
    only = a_table(kb.game("nim", heaps=[1, 3]))
    assert only.state.name(only.act(0, Wish("take", 3), only.version).action or 0) == "2:3"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"kind": "sow", "action": 0},
        {"amount": 1},
        {"kind": 3},
        {"kind": "x" * 41},
        {"kind": "sow", "amount": "1"},
        {"kind": "sow", "amount": True},
        {"kind": "sow", "amount": [1]},
        {"action": None, "kind": None},
    ],
)
def test_bodies_that_say_no_single_thing_are_invalid(body: dict[str, Any], server: Running) -> None:
    ada = server.open("oware", OPEN)
    answer = ada.post("/actions", {"version": ada.look()["version"], **body})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid"), answer.text


def test_amounts_go_over_http(server: Running) -> None:
    ada = server.open("nim", OPEN)
    version = ada.look()["version"]
    assert ada.post("/actions", {"version": version, "kind": "take", "amount": 9}).status_code == 422
    nan = server.http.post(
        f"/api/tables/{ada.table}/actions",
        content=f'{{"version": {version}, "kind": "take", "amount": NaN}}',
        headers={**ada.headers, "content-type": "application/json"},
    )
    assert nan.status_code in (400, 422)
    seen = ada.post("/actions", {"version": version, "kind": "take", "amount": 7}).json()
    assert seen["public"]["heaps"] == [1, 3, 5, 0]


@pytest.mark.parametrize("lowest", [1, "2:1"])
def test_an_action_may_be_given_by_a_choice_and_an_amount(lowest: int | str) -> None:
    """Where several choices are of one kind, the lowest action of a choice says which of them is meant."""
    table = a_table(kb.game("nim", heaps=[3, 3]))
    assert table.state.parse("2:1") == 1
    for amount in (1, 2, 3):
        event = table.act(0, Wish(choice=lowest, amount=amount), table.version)
        assert table.state.name(event.action or 0) == f"2:{amount}"


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (Wish(choice="2:2", amount=2), "action: expected the lowest action of a choice: 1:1, 2:1"),
        (Wish(choice="2:1", amount=4), "take: expected 1 to 3 in steps of 1 sticks, got 4"),
        (Wish(choice="3:1", amount=1), "expected"),
        (Wish(choice=10**6, amount=1), "1000000 is not possible here"),
    ],
)
def test_choices_that_are_none_are_refused(wish: Wish, told: str) -> None:
    table = a_table(kb.game("nim", heaps=[3, 3]))
    with pytest.raises(TableError, match=told) as refused:
        table.act(0, wish, table.version)
    assert refused.value.code == "illegal_action"


def test_a_client_names_a_choice_and_an_amount(tmp_path: Path) -> None:
    with running(tmp_path / "tables.db") as server:
        ada = server.open("nim", OPEN)
        grace = server.sit(ada.table, 1, "Grace")
        version = ada.look()["version"]
        body = {"version": version, "action": "4:1", "amount": 5}
        assert ada.post("/actions", body).status_code == 200
        assert grace.look()["public"]["heaps"] == [1, 3, 5, 2]
        for wrong in ({"amount": 3}, {"action": 0, "kind": "take", "amount": 1}, {}):
            assert grace.post("/actions", {"version": version + 1, **wrong}).status_code == 422


# --- Agents of whoever starts the server ------------------------------------------------------------------------------


def test_own_agents_sit_at_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "_brought", {})
    monkeypatch.setattr(base, "_registry", {name: agent_class(name) for name in kb.list_agents()})
    program = f'process("node {ROOT / "examples" / "process_agent.mjs"}")'
    assert safety.offer_agents(str(ROOT / "examples" / "my_agent.py")) == ["watchful"]
    assert safety.offer_agents(program) == [program]
    game_routes._listed.cache_clear()  # a server is started once
    with running(tmp_path / "tables.db") as server:
        listed = {game["name"]: game for game in server.http.get("/api/games").json()}
        assert [level["key"] for level in listed["nim"]["strengths"]][-2:] == ["watchful", program]
        for level in ("watchful", program):
            ada = server.open("tic_tac_toe", {"kind": "bot", "strength": level})
            ada.acted("b2")
            seen = ada.until(lambda seen: len(seen["views"]["0"]["legal"]) == 7)
            assert (seen["seats"][1]["strength"], seen["log"][-1]["kind"]) == (level, "move")
    assert safe_spec("watchful(blocks=false)", kb.game("nim")) == "watchful(blocks=false)"
    for refused in ('process("sh")', "cheat(watchful)", program.replace("node", "node -i")):
        with pytest.raises(TableError, match="may not sit here"):
            safe_spec(refused, kb.game("nim"))
    with pytest.raises(ParameterError, match="sees hidden cards"):
        safety.offer_agents("cheat(uct)")
    game_routes._listed.cache_clear()
