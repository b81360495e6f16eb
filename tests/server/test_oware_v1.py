"""The web service of the Oware thesis: whole games over HTTP, every refusal, and what expires."""

from __future__ import annotations

import importlib.util
import random
import re
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
import schemathesis
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from schemathesis.core.result import Ok

import kiebitz as kb
from kiebitz.server.oware.routes import router
from kiebitz.server.oware.service import NAME, OwareService, RefusedError
from tests.server.running import eventually

EXAMPLE = Path(__file__).parents[2] / "examples" / "oware_client.py"
PATH = "/oware/v1"


class Clock:
    """A time that stands still until it is told to move."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def app_of(service: OwareService | None = None) -> FastAPI:
    app = FastAPI()
    app.include_router(router(service=service))
    return app


@pytest.fixture
def http() -> TestClient:
    return TestClient(app_of())


def register(http: TestClient, name: str) -> str:
    answer = http.post(PATH, json={"name": name})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def look(http: TestClient, id: str) -> dict[str, Any]:
    answer = http.get(PATH, params={"id": id})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def put(http: TestClient, id: str, pit: Any) -> httpx.Response:
    answer: httpx.Response = http.put(PATH, json={"id": id, "pit": pit})
    return answer


def load_client() -> ModuleType:
    spec = importlib.util.spec_from_file_location("oware_client", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_test_client(http: TestClient) -> Any:
    def send(verb: str, query: str, body: dict[str, Any] | None) -> tuple[int, Any]:
        answer = http.request(verb, PATH + query, json=body)
        return answer.status_code, answer.json() if answer.content else None

    return send


def check_status(status: dict[str, Any], state: kb.State, seat: int, names: list[str]) -> None:
    """Every field of a status against the rules of the core."""
    at = state.position()
    turn = state.player == seat
    over = state.player == kb.TERMINAL
    assert status["name"] == names[seat]
    assert status["opponent"] == names[1 - seat]
    assert status["your_turn"] is turn
    assert status["board"] == at["pits"][6 * seat :] + at["pits"][: 6 * seat]
    assert (status["captured"], status["opponent_captured"]) == (at["captured"][seat], at["captured"][1 - seat])
    assert status["legal"] == (state.legal() if turn else [])
    assert status["moves"] == at["plies"] == len(state.history)
    assert status["over"] is over
    expected = None
    if over:
        own = state.returns()[seat]
        expected = "you" if own > 0 else "opponent" if own < 0 else "draw"
    assert status["winner"] == expected
    assert status["opponent_left"] is False


# --- Properties -------------------------------------------------------------------------------------------------------

requests: st.SearchStrategy[tuple[Any, ...]] = st.one_of(
    st.tuples(st.just("move"), st.integers(0, 1), st.integers(-1, 6)),
    st.tuples(st.just("bad pit"), st.integers(0, 1), st.sampled_from([None, "3", 2.5, True, [], {}])),
    st.tuples(st.just("third"), st.just(0), st.just(0)),
    st.tuples(st.just("stranger"), st.just(0), st.integers(0, 5)),
    st.tuples(st.just("broken"), st.just(0), st.sampled_from([b"", b"{", b"[]", b"null", b'{"id": 1}', b"\xff"])),
)


@settings(max_examples=25)
@given(st.lists(requests, max_size=50))
def test_random_requests_follow_the_core_and_refusals_change_nothing(todo: list[tuple[Any, ...]]) -> None:
    http = TestClient(app_of())
    ids = [register(http, "Ada"), register(http, "Bob")]
    state = kb.game("oware", preset="thesis").new()
    for kind, seat, value in todo:
        before = [look(http, id) for id in ids]
        if kind == "third":
            answer, expected = http.post(PATH, json={"name": "Cy"}), 409
        elif kind == "stranger":
            answer, expected = put(http, "x" * 24, value), 404
        elif kind == "broken":
            answer, expected = http.put(PATH, content=value), 400
        else:
            answer = put(http, ids[seat], value)
            legal = kind == "move" and 0 <= value <= 5
            expected = 400 if not legal else 409 if state.player != seat else 200 if value in state.legal() else 400
        assert answer.status_code == expected
        if expected == 200:
            state.apply(value)
            assert answer.json() == look(http, ids[seat])
        else:
            assert set(answer.json()["error"]) == {"code", "message"}
            assert [look(http, id) for id in ids] == before
        for place, id in enumerate(ids):
            check_status(look(http, id), state, place, ["Ada", "Bob"])


@given(st.text(max_size=60) | st.none() | st.integers() | st.lists(st.text()))
def test_a_name_is_taken_as_it_can_be_shown_or_refused(name: Any) -> None:
    service = OwareService()
    if isinstance(name, str) and len(name) <= 40 and re.fullmatch(NAME, name):
        assert service.status(service.register(name)["id"])["name"] == name.strip()
        return
    with pytest.raises(RefusedError, match="name") as refused:
        service.register(name)
    assert refused.value.status == 400
    assert service.register("Ada")["opponent"] is None


# --- Whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("OW-48")
def test_two_scripted_clients_play_and_the_status_is_right_after_every_move(
    http: TestClient,
) -> None:
    dice = random.Random(7)
    for number in range(2):  # a new game is possible after both have left
        names = [f"Ada {number}", f"Bob {number}"]
        ids = [register(http, name) for name in names]
        state = kb.game("oware", preset="thesis").new()
        while state.player != kb.TERMINAL:
            for seat, id in enumerate(ids):
                check_status(look(http, id), state, seat, names)
            pit = dice.choice(look(http, ids[state.player])["legal"])
            mover = state.player
            state.apply(pit)
            answer = put(http, ids[mover], pit)
            assert answer.status_code == 200
            check_status(answer.json(), state, mover, names)
            assert answer.json()["last_move"] == {"by": "you", "pit": pit}
            assert look(http, ids[1 - mover])["last_move"] == {"by": "opponent", "pit": pit}
        for seat, id in enumerate(ids):
            check_status(look(http, id), state, seat, names)
            assert put(http, id, 0).json()["error"]["code"] == "game_over"
        assert http.post(PATH, json={"name": "too early"}).status_code == 409
        assert http.delete(PATH, params={"id": ids[0]}).status_code == 204
        assert http.post(PATH, json={"name": "too early"}).status_code == 409
        assert http.delete(PATH, params={"id": ids[1]}).status_code == 204
        assert http.get(PATH, params={"id": ids[1]}).status_code == 404


@pytest.mark.requirement("OW-50")
@pytest.mark.parametrize(
    ("first", "second"), [("random", "random"), ("random", "alphabeta(depth=3)"), ("uct(iterations=30)", "greedy")]
)
def test_bots_and_scripted_people_play_whole_games_by_the_example(http: TestClient, first: str, second: str) -> None:
    example = load_client()
    send = by_test_client(http)
    clients = [
        example.Client(name, example.agent_player(spec, seed=1), send)
        for name, spec in (("one", first), ("two", second))
    ]
    for _ in range(2000):
        statuses = [client.step() for client in clients]
        if statuses[1]["over"]:
            break
    final = [client.status() for client in clients]
    assert all(status["over"] for status in final)
    assert {final[0]["winner"], final[1]["winner"]} in ({"you", "opponent"}, {"draw"})
    for client in clients:
        client.leave()
    assert http.post(PATH, json={"name": "next"}).status_code == 201


@pytest.mark.requirement("OW-50")
def test_a_person_at_the_keyboard_plays_a_bot_over_a_real_server() -> None:
    server = uvicorn.Server(uvicorn.Config(app_of(), host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        eventually(lambda: server.started)
        port = server.servers[0].sockets[0].getsockname()[1]
        command = [sys.executable, str(EXAMPLE), "--url", f"http://127.0.0.1:{port}", "--wait", "0.01"]
        keys = "".join(f"{pit}\n" for pit in range(6)) * 1000  # whatever is asked, the right answer comes up soon
        person = subprocess.Popen(
            [*command, "Ada"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        bot = subprocess.Popen([*command, "Bot", "--agent", "alphabeta(depth=3)"], stdout=subprocess.PIPE, text=True)
        said, _ = person.communicate(keys, timeout=120)
        told, _ = bot.communicate(timeout=120)
    finally:
        server.should_exit = True
        thread.join(timeout=10)
    assert person.returncode == 0, said
    assert bot.returncode == 0
    last = said.strip().splitlines()[-1].split(": ")[-1]
    assert told.strip().split()[-1] in ("you", "opponent", "draw")
    assert last.split()[-1] in ("you", "opponent", "draw")


# --- What is said -----------------------------------------------------------------------------------------------------


def test_registering_gives_an_id_that_nobody_can_guess_and_the_opponents_name(http: TestClient) -> None:
    first = http.post(PATH, json={"name": " Ada "}).json()
    second = http.post(PATH, json={"name": "Bob"}).json()
    assert (first["opponent"], second["opponent"]) == (None, "Ada")
    assert first["id"] != second["id"]
    assert min(len(first["id"]), len(second["id"])) >= 24
    assert look(http, first["id"])["your_turn"] is True
    assert first["id"] not in str(look(http, second["id"]))


def test_the_text_board_has_your_row_below_and_says_whose_turn_it_is(http: TestClient) -> None:
    ada = register(http, "Ada")
    text = http.get(PATH, params={"id": ada}, headers={"accept": "text/plain"})
    assert text.headers["content-type"].startswith("text/plain")
    assert "waiting for an opponent" in text.text
    bob = register(http, "Bob")
    assert put(http, ada, 5).status_code == 200
    text = http.get(PATH, params={"id": bob}, headers={"accept": "text/plain"})
    assert text.text.splitlines() == [
        "Ada: 0 captured",
        "     5   4   3   2   1   0",
        "     0   3   3   3   3   3",
        "     4   4   4   3   3   3",
        "     0   1   2   3   4   5",
        "Bob (you): 0 captured",
        "your turn",
    ]
    refused = http.get(PATH, params={"id": "nobody"}, headers={"accept": "text/plain"})
    assert refused.status_code == 404


# --- Refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("OW-49")
@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'"Ada"', b"{}", b'{"name": 3}', b'{"name": "  "}', b'{"name": "\\ud800"}', b"\xff\xfe"]
)
def test_a_malformed_registration_is_refused(http: TestClient, body: bytes) -> None:
    answer = http.post(PATH, content=body)
    assert answer.status_code == 400
    assert http.post(PATH, json={"name": "Ada"}).json()["opponent"] is None


@pytest.mark.requirement("OW-49")
@pytest.mark.parametrize(
    "extra",
    [{"name": "Ada", "seed": 1}, {"name": "x" * 41}, {"name": "a\nb"}, {"name": "\u202ex"}, {"name": "x" * 9999}],
)
def test_names_have_a_size_and_nothing_beside_them(http: TestClient, extra: dict[str, Any]) -> None:
    assert http.post(PATH, json=extra).status_code == 400


@pytest.mark.requirement("OW-49")
def test_moving_without_an_opponent_out_of_turn_or_from_an_empty_pit(http: TestClient) -> None:
    ada = register(http, "Ada")
    assert put(http, ada, 0).json()["error"]["code"] == "no_opponent"
    bob = register(http, "Bob")
    for id, pit, status, code in (
        (bob, 0, 409, "wrong_turn"),
        (ada, 6, 400, "bad_pit"),
        (ada, True, 400, "bad_pit"),
        ("", 0, 400, "bad_id"),
        ("nobody", 0, 404, "unknown_id"),
    ):
        before = look(http, ada), look(http, bob)
        answer = put(http, id, pit)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
        assert (look(http, ada), look(http, bob)) == before
    for id, pit in ((ada, 2), (bob, 4), (ada, 0), (bob, 0)):
        put(http, id, pit)
    assert 0 in look(http, ada)["board"][:6]
    empty = look(http, ada)["board"].index(0)
    assert put(http, ada, empty).json()["error"]["code"] == "illegal_pit"


@pytest.mark.requirement("OW-49")
def test_unknown_ids_are_refused_everywhere(http: TestClient) -> None:
    register(http, "Ada")
    assert http.get(PATH, params={"id": "nobody"}).status_code == 404
    assert http.delete(PATH, params={"id": "nobody"}).status_code == 404
    assert http.get(PATH).status_code == 400
    assert http.delete(PATH).status_code == 400
    assert http.get(PATH, params={"id": "ä" * 5000}).status_code == 404


def test_leaving_in_the_middle_is_told_to_the_other_and_both_leaving_resets(http: TestClient) -> None:
    ada, bob = register(http, "Ada"), register(http, "Bob")
    put(http, ada, 5)
    assert http.delete(PATH, params={"id": ada}).status_code == 204
    status = look(http, bob)
    assert (status["opponent_left"], status["your_turn"], status["opponent"]) == (True, False, "Ada")
    assert put(http, bob, 0).json()["error"]["code"] == "opponent_left"
    assert http.post(PATH, json={"name": "Cy"}).status_code == 409
    assert http.delete(PATH, params={"id": bob}).status_code == 204
    cy = register(http, "Cy")
    assert look(http, cy)["board"] == [3] * 12
    assert look(http, cy)["moves"] == 0


# --- What expires -----------------------------------------------------------------------------------------------------


def test_a_game_without_a_move_is_given_up_and_polling_does_not_keep_it() -> None:
    clock = Clock()
    http = TestClient(app_of(OwareService(thinking=100, idle=10, clock=clock)))
    ada, bob = register(http, "Ada"), register(http, "Bob")
    clock.now = 99
    assert put(http, ada, 5).status_code == 200
    clock.now = 150
    look(http, bob)
    clock.now = 198
    look(http, bob)
    clock.now = 200
    assert http.get(PATH, params={"id": bob}).status_code == 404
    register(http, "Cy")


def test_a_player_waiting_for_an_opponent_is_kept_while_asking_and_forgotten_otherwise() -> None:
    clock = Clock()
    http = TestClient(app_of(OwareService(thinking=100, idle=10, clock=clock)))
    ada = register(http, "Ada")
    for clock.now in (9, 18, 27):
        look(http, ada)
    clock.now = 38
    assert http.post(PATH, json={"name": "Bob"}).json()["opponent"] is None


def test_a_game_that_is_over_or_left_makes_room_after_a_while() -> None:
    clock = Clock()
    http = TestClient(app_of(OwareService(thinking=100, idle=10, clock=clock)))
    ada = register(http, "Ada")
    bob = register(http, "Bob")
    http.delete(PATH, params={"id": ada})
    clock.now = 9
    look(http, bob)
    clock.now = 11
    assert http.post(PATH, json={"name": "Cy"}).json()["opponent"] is None


def test_the_description_names_all_verbs_and_their_bodies(http: TestClient) -> None:
    paths = http.get("/openapi.json").json()["paths"][PATH]
    assert set(paths) == {"post", "get", "put", "delete"}
    assert "pit" in str(paths["put"]["requestBody"])
    assert "409" in paths["post"]["responses"]


def test_schemathesis_finds_nothing() -> None:
    schema = schemathesis.openapi.from_asgi("/openapi.json", app_of())
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) >= 4
    for operation in operations:

        @settings(max_examples=30)
        @given(operation.as_strategy())
        def ask(case: Any) -> None:
            case.call_and_validate()

        ask()
