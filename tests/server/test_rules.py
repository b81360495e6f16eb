"""House rules: what the page is told about them, bots at every extreme, and attempts to ask for too much."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.agents.strengths import LEVELS, strengths
from kiebitz.server.catalogue import offered, safe_game
from kiebitz.server.game_routes import games
from kiebitz.server.replays import MOST_STEPS
from tests.server.running import BOT, Person, Running

FIXTURE = Path(__file__).parents[2] / "web" / "src" / "lobby" / "fixtures" / "games.json"
GAMES: dict[str, dict[str, Any]] = {each["name"]: each for each in games()}
MOVES = 4
COMPANY: dict[tuple[str, str], dict[str, Any]] = {
    ("rows", "12"): {"columns": 4},
    ("rows", "2"): {"connect": 3},
    ("connect", "8"): {"columns": 8},
    ("ranks", "2"): {"suits": 2},
    ("forced", "3"): {"owed": [3]},
}
"""What else has to change so that an extreme can be played."""


def extremes(rule: dict[str, Any]) -> list[Any]:
    """The ends of what a rule may be."""
    if rule["type"] == "boolean":
        return [False, True]
    if rule["type"] == "text":
        return list(rule["choices"])
    ends = [rule["low"], rule["high"]]
    return ends if rule["length"] is None else [[end] * count for end in ends for count in sorted(set(rule["length"]))]


CASES = [
    pytest.param(game, {rule["name"]: value}, id=f"{game}-{rule['name']}-{json.dumps(value)}")
    for game, about in GAMES.items()
    for rule in about["parameters"]
    for value in extremes(rule)
]


def table_of_bots(server: Running, game: str, params: dict[str, Any], *strengths: str) -> Person:
    players = safe_game(game, None, params).info.players
    seats = [{"kind": "bot", "strength": strengths[i % len(strengths)]} for i in range(players)]
    body = {"game": {"name": game, "params": params}, "seats": seats, "options": {"pace_ms": 0, "open": True}}
    answer = server.http.post("/api/tables", json=body)
    assert answer.status_code == 201, answer.text
    return Person(server, answer.json()["table"], None, answer.json()["owner"])


def bots_play(person: Person) -> dict[str, Any]:
    """Waits for a few moves: by the bots themselves, not by the table for them."""
    seen = person.until(
        lambda seen: seen["over"] is not None or sum(entry["seat"] is not None for entry in seen["log"]) >= MOVES
    )
    person.stop_bots()
    assert not [entry for entry in seen["log"] if entry["kind"] == "note"]
    return seen


@pytest.mark.parametrize(("game", "params"), CASES)
def test_bots_play_with_every_rule_at_its_ends(game: str, params: dict[str, Any], server: Running) -> None:
    [(name, value)] = params.items()
    if name == "heaps" and not any(value):
        answer = server.http.post("/api/tables", json={"game": {"name": game, "params": params}, "seats": [BOT, BOT]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_game")
        return
    params = {**params, **COMPANY.get((name, str(value)), {})}
    seen = bots_play(table_of_bots(server, game, params, "casual", "best"))
    assert seen["game"]["params"] == {**kb.game(game).params, **params}


TOGETHER: dict[str, dict[str, Any]] = {
    "doppelkopf": {"nines": False},
    "oware": {"grand_slam": "nothing"},
    "liars_dice": {"dice": 2},
    "connect_four": {"rows": 7},
}
"""What has to be smaller, or different, where not every rule can be at its end at the same time."""


def largest(game: str) -> dict[str, Any]:
    """The rules of the largest game that is allowed."""
    ends = {rule["name"]: extremes(rule)[-1] for rule in GAMES[game]["parameters"] if rule["type"] != "text"}
    return {**ends, **TOGETHER.get(game, {})}


@pytest.mark.parametrize("game", offered())
def test_every_strength_plays_the_largest_games_that_are_allowed(game: str, server: Running) -> None:
    levels = strengths(kb.game(game, **largest(game)))
    assert {"beginner", "best"} <= {level.key for level in levels} <= set(LEVELS)
    tables = [table_of_bots(server, game, largest(game), level.key) for level in levels]
    for person in tables:
        bots_play(person)


def test_a_whole_game_without_nines(server: Running) -> None:
    seats = [{"kind": "person", "name": "Ada", "me": True}, *[{"kind": "bot", "strength": "casual"}] * 3]
    rules = {"name": "doppelkopf", "params": {"nines": False, "piglets": True, "second_ten": True}}
    made = server.http.post("/api/tables", json={"game": rules, "seats": seats, "options": {"pace_ms": 0}}).json()
    ada = Person(server, made["table"], made["seat"], made["token"])
    assert ada.look()["public"]["sizes"] == [10] * 4
    assert sum(ada.play_on()["over"]["returns"]) == 0


# --- What the page is told --------------------------------------------------------------------------------------------


def test_the_page_is_tested_with_the_rules_that_there_are(server: Running) -> None:
    """If this fails, write what /api/games answers about these games to the file."""
    tested = json.loads(FIXTURE.read_text())
    names = {each["name"] for each in tested}
    shown = [each for each in server.http.get("/api/games").json() if each["name"] in names]
    assert [{**each, "strengths": []} for each in shown] == [{**each, "strengths": []} for each in tested]


@pytest.mark.parametrize("game", offered())
def test_defaults_and_presets_are_within_the_bounds_that_are_told(game: str) -> None:
    about = GAMES[game]
    rules = {rule["name"]: rule for rule in about["parameters"]}
    assert {name: rule["default"] for name, rule in rules.items()} == kb.game(game).params
    for preset in about["presets"]:
        assert {**kb.game(game).params, **preset["values"]} == kb.game(game, preset=preset["name"]).params
        for name, value in preset["values"].items():
            rule = rules[name]
            values = value if isinstance(value, list) else [value]
            assert rule["length"] is None or rule["length"][0] <= len(values) <= rule["length"][1]
            assert rule["low"] is None or all(rule["low"] <= each <= rule["high"] for each in values)
            assert not rule["choices"] or value in rule["choices"]


# --- Attempts to ask for too much -------------------------------------------------------------------------------------

TOO_MUCH: list[tuple[str, Any]] = [
    ('{"name": "nim", "params": {"heaps": %s}}', [33]),
    ('{"name": "nim", "params": {"heaps": %s}}', [1] * 13),
    ('{"name": "nim", "params": {"heaps": %s}}', [255] * 16),
    ('{"name": "nim", "params": {"heaps": %s}}', [10**30]),
    ('{"name": "nim", "params": {"heaps": %s}}', [-1]),
    ('{"name": "nim", "params": {"heaps": %s}}', [[32] * 12] * 12),
    ('{"name": "nim", "params": {"heaps": %s}}', [1.5]),
    ('{"name": "nim", "params": {"heaps": %s}}', []),
    ('{"name": "nim", "params": {"heaps": %s}}', [0] * 60_000),
    ('{"name": "nim", "params": {"heaps": %s}}', {"0": 1}),
    ('{"name": "leduc", "params": {"ranks": %s}}', 14),
    ('{"name": "leduc", "params": {"ranks": %s}}', 10**18),
    ('{"name": "leduc", "params": {"suits": %s}}', 5),
    ('{"name": "leduc", "params": {"raises": %s}}', 7),
    ('{"name": "leduc", "params": {"stakes": %s}}', [1e300, 1e300]),
    ('{"name": "leduc", "params": {"stakes": %s}}', [1] * 3),
    ('{"name": "leduc", "params": {"bets": %s}}', [0, 0]),
    ('{"name": "leduc", "params": {"bets": %s}}', [float("nan")] * 2),
    ('{"name": "leduc", "params": {"bets": %s}}', [float("inf")] * 2),
    ('{"name": "kuhn", "params": {"players": %s}}', 7),
    ('{"name": "kuhn", "params": {"players": %s}}', 10**9),
    ('{"name": "liars_dice", "params": {"dice": %s}}', 6),
    ('{"name": "liars_dice", "params": {"sides": %s}}', 11),
    ('{"name": "liars_dice", "params": {"players": 6, "dice": 5, "sides": %s}}', 10),
    ('{"name": "oware", "params": {"seeds": %s}}', 11),
    ('{"name": "oware", "params": {"max_plies": %s}}', 1001),
    ('{"name": "oware", "params": {"payoff": %s}}', "x" * 100_000),
    ('{"name": "connect_four", "params": {"rows": %s}}', 13),
    ('{"name": "connect_four", "params": {"rows": 12, "columns": %s}}', 8),
    ('{"name": "doppelkopf", "params": {"nines": %s}}', 2),
    ('{"name": "tic_tac_toe", "params": {"size": %s}}', 100),
]


@pytest.mark.parametrize(("game", "value"), TOO_MUCH, ids=[f"{g[10:18]}-{i}" for i, (g, _) in enumerate(TOO_MUCH)])
def test_rules_that_ask_for_too_much_are_refused(game: str, value: Any, server: Running) -> None:
    tables = len(server.hub.lives)
    body = f'{{"game": {game % json.dumps(value)}, "seats": [{json.dumps(BOT)}, {json.dumps(BOT)}]}}'
    answer = server.http.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_game"), answer.text[:500]
    assert len(answer.json()["error"]["message"]) <= 500
    assert len(server.hub.lives) == tables


@pytest.mark.parametrize("game", offered())
def test_the_longest_game_of_a_table_can_be_looked_at_afterwards(game: str) -> None:
    assert safe_game(game, None, largest(game)).info.max_length <= MOST_STEPS
