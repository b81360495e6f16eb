"""Each protection of the server, and an attempt to break it."""

from __future__ import annotations

import asyncio
import os
import socket as sockets
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import kiebitz as kb
from kiebitz._core import StopToken
from kiebitz.agents import agent_class, list_agents
from kiebitz.agents.strengths import strengths
from kiebitz.server import Settings, create_app
from kiebitz.server.catalogue import offered
from kiebitz.server.connections import LONGEST_HEAD, network
from kiebitz.server.errors import TableError
from kiebitz.server.hub import Hub
from kiebitz.server.kibitz import kibitz
from kiebitz.server.limits import HEADERS
from kiebitz.server.safety import offered_agents, safe_spec
from kiebitz.store.database import StoreError
from tests.server.running import BOT, OPEN, QUICK, WAIT, Running, Socket, eventually, running

pytestmark = pytest.mark.requirement("DK-80")

LISTED = [
    *("best", "pimc", "ismcts", "uct", "alphabeta", "minimax", "net", "flat_mc", "greedy", "equilibrium"),
    *("oware_master", "nim_perfect", "rule_of_thumb", "random"),
]
BOUNDS = {"iterations": 200_000, "nodes": 5_000_000, "seconds": 5.0, "worlds": 200, "threads": 2, "streams": 8}
BOUNDS |= {"memory_mb": 256, "table_mb": 16, "depth": 20, "seeds": 10, "solve_last": 16, "exact_last": 16}
REFUSED = [
    "cheat(uct(iterations=10))",
    "cheat(pimc(leak=true))",
    "pimc(uct(iterations=10), leak=true)",
    "pimc(cheat(uct))",
    'pimc(process(command="touch /tmp/x"))',
    'process(command="touch /tmp/x")',
    'policy(file="/etc/passwd")',
    "openspiel(mcts)",
    "best(iterations=1_000_000)",
    "best(worlds=10_000)",
    "best(threads=64)",
    "best(iterations=20_000, worlds=200)",
    "pimc(uct(iterations=1_000_000), worlds=2)",
    "pimc(uct(iterations=200_000), worlds=200)",
    "pimc(uct(seconds=1000))",
    "pimc(uct(memory_mb=100_000))",
    "pimc(uct(reuse=true))",
    "pimc(threads=64)",
    "pimc(exact_last=32)",
    "pimc(belief=nothing)",
    "ismcts(seconds=100)",
    "ismcts(iterations=10_000_000)",
    "ismcts(nodes=10_000_000_000)",
    "ismcts(memory_mb=4096)",
    "ismcts(streams=256)",
    "uct(iterations=100)",  # a hidden game
    "nobody",
    "best(",
    "best" + " " * 500,
    "best(iterations=" + "9" * 39 + ")",
    "",
]


@pytest.mark.parametrize("spec", REFUSED, ids=range(len(REFUSED)))
def test_agents_that_may_not_sit_at_a_table(spec: str, server: Running) -> None:
    with pytest.raises(TableError):
        safe_spec(spec, kb.game("doppelkopf"))
    if len(spec) <= 500:
        seats = [{"kind": "bot", "spec": spec}, *[BOT] * 3]
        answer = server.http.post("/api/tables", json={"game": {"name": "doppelkopf"}, "seats": seats})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_agent")


def test_listed_agents_run_nothing_and_look_at_nothing_hidden() -> None:
    for name in offered_agents():
        assert not agent_class(name).runs_code
        assert not agent_class(name).sees_state
    assert not {"cheat", "process", "policy", "openspiel", "every_move"} & set(offered_agents())
    assert set(offered_agents()) <= set(list_agents())


@pytest.mark.parametrize("game", offered())
def test_every_strength_is_within_the_bounds(game: str) -> None:
    rules = kb.game(game)
    for level in strengths(rules):
        spec = safe_spec(level.spec, rules)
        assert safe_spec(spec, rules) == spec


@pytest.mark.parametrize("game", offered())
def test_agents_are_offered_with_their_bounds(game: str, server: Running) -> None:
    offered = server.http.get("/api/agents", params={"game": game}).json()
    assert {"random", "best"} <= {each["name"] for each in offered} <= set(offered_agents())
    for each in offered:
        for option in each["options"]:
            if option["name"] in BOUNDS:
                assert option["high"] <= BOUNDS[option["name"]]
    assert [each["name"] for each in offered] == [name for name in LISTED if name in {each["name"] for each in offered}]


def test_the_search_behind_best_has_bounds_too() -> None:
    assert safe_spec("best", kb.game("doppelkopf")) == "best"
    assert "table_mb=16" in safe_spec("best", kb.game("oware"))
    with pytest.raises(TableError, match="oware_master: nodes: expected at most 5,000,000"):
        safe_spec("best(iterations=20000, worlds=100)", kb.game("oware"))


# --- Who sees what ----------------------------------------------------------------------------------------------------

ME = {"kind": "person", "me": True}


@pytest.mark.parametrize(
    ("seats", "fair", "good"),
    [
        ([ME, BOT], False, True),
        ([OPEN, BOT], False, True),
        ([BOT, BOT], False, True),
        ([ME, OPEN], False, False),
        ([OPEN, OPEN], False, False),
        ([ME, BOT], True, False),
        ([BOT, BOT], True, False),
    ],
)
def test_open_tables_that_would_show_hands_to_players_are_refused(
    seats: list[dict[str, Any]], fair: bool, good: bool, server: Running
) -> None:
    for game, status in (("kuhn", 201 if good else 422), ("nim", 201)):
        body = {"game": {"name": game}, "seats": seats, "options": {"open": True, "fair": fair}}
        answer = server.http.post("/api/tables", json=body)
        assert answer.status_code == status, answer.text
        if status == 422:
            assert answer.json()["error"]["code"] == "invalid"
            assert "all hands" in answer.json()["error"]["message"]


def test_a_second_window_asks_nothing_at_a_fair_table(server: Running) -> None:
    person = server.open("nim", OPEN, open=True, fair=True)
    for who in (person, server.spectator(person.table)):
        assert who.post("/analysis", {}).json()["error"]["code"] == "fair_table"
        assert who.get("/beliefs", seat=0).json()["error"]["code"] == "fair_table"


def test_spectators_behind_one_address_do_not_end_each_others_analyses(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = threading.Event()

    def analyse(view: kb.View, effort: str, stop: StopToken) -> dict[str, Any]:
        eventually(lambda: free.is_set() or stop.requested)
        return kibitz(view, "quick", stop)

    monkeypatch.setattr("kiebitz.server.analysis_routes.kibitz", analyse)
    watcher = server.spectator(server.open("tic_tac_toe", OPEN, open=True).table)
    answers: list[int] = []
    askers = [threading.Thread(target=lambda: answers.append(watcher.post("/analysis", {}).status_code)) for _ in "ab"]
    for asker in askers:
        asker.start()
    eventually(lambda: server.hub.analyses.waiting == 2 or bool(answers))
    free.set()
    for asker in askers:
        asker.join(WAIT)
    assert answers == [200, 200]


# --- The gate ---------------------------------------------------------------------------------------------------------


def test_every_answer_has_the_headers_that_protect_a_page(server: Running) -> None:
    for answer in (server.http.get("/"), server.http.get("/api/nothing"), server.http.get("/docs")):
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
    policy = HEADERS["content-security-policy"]
    assert "unsafe" not in policy
    assert "http" not in policy
    refused = server.http.get("/api/health", headers={"host": "evil.example"})
    assert refused.headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.", "[::1", "\x7f"])
def test_another_name_of_the_server_is_refused(host: str, server: Running) -> None:
    """A page elsewhere whose name is pointed at this machine gets nothing (DNS rebinding)."""
    answer = server.http.get("/api/tables", headers={"host": host})
    assert answer.status_code in (400, 421)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "http://[broken"},
        {"sec-fetch-site": "cross-site"},
    ],
    ids=str,
)
def test_requests_from_other_sites_change_nothing(headers: dict[str, str], server: Running) -> None:
    person = server.open("nim", OPEN)
    before = person.look()
    body = {"version": before["version"], "action": 0}
    answer = server.http.post(f"/api/tables/{person.table}/actions", json=body, headers={**person.headers, **headers})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign_origin")
    assert person.look() == before
    with pytest.raises(InvalidStatus):
        connect(f"ws://{server.netloc}/api/tables/{person.table}/live", additional_headers=headers).__enter__()


def test_our_own_page_may_do_both(server: Running) -> None:
    person = server.open("nim", OPEN)
    headers = {**person.headers, "origin": f"http://{server.netloc}", "sec-fetch-site": "same-origin"}
    body = {"version": person.look()["version"], "action": 0}
    assert server.http.post(f"/api/tables/{person.table}/actions", json=body, headers=headers).status_code == 200


def test_bodies_are_limited_with_and_without_a_length(server: Running) -> None:
    def pieces() -> list[bytes]:
        return [b"a" * 50_000] * 7

    answer = server.http.post("/api/tables", content=iter(pieces()), headers={"content-type": "application/json"})
    assert answer.status_code == 413
    answer = server.http.post("/api/tables", content=b"".join(pieces()))
    assert answer.status_code == 413
    with sockets.create_connection(tuple(server.netloc.split(":"))) as raw:  # type: ignore[arg-type]
        head = f"POST /api/tables HTTP/1.1\r\nHost: {server.netloc}\r\nContent-Length: 99999999999999999999\r\n\r\n"
        raw.sendall(head.encode())
        assert raw.recv(200).split()[1] in (b"400", b"413")


def test_too_many_requests_are_refused_for_a_while(tmp_path: Path) -> None:
    with running(tmp_path / "t.db", replace(QUICK, rate=0.001, burst=20)) as server:
        answers = [server.http.get("/api/health") for _ in range(30)]
        assert [answer.status_code for answer in answers] == [200] * 20 + [429] * 10
        assert answers[-1].headers["retry-after"] == "1"
        assert answers[-1].json()["error"]["code"] == "too_many"


@pytest.mark.parametrize(
    ("behind_proxy", "address", "believed"),
    [(False, "127.0.0.1", False), (True, "127.0.0.1", True), (True, "::1", True), (True, "10.0.0.7", False)],
)
def test_nobody_but_a_proxy_on_this_machine_says_for_whom_it_asks(
    behind_proxy: bool, address: str, believed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Limits are by address: a client that could make one up would have none."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    app = create_app(replace(QUICK, db=tmp_path / "t.db", rate=0.001, burst=3))
    config = network(app, behind_proxy)
    config.load()

    async def ask() -> list[int]:
        transport = httpx.ASGITransport(app=config.loaded_app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            each = [{"x-forwarded-for": f"203.0.113.{number}"} for number in range(5)]
            codes = [(await client.get("/api/health", headers=headers)).status_code for headers in each]
        await app.state.hub.close()
        return codes

    assert asyncio.run(ask()) == ([200] * 5 if believed else [200, 200, 200, 429, 429])


def test_too_many_tables_are_refused(tmp_path: Path) -> None:
    with running(tmp_path / "t.db", replace(QUICK, table_rate=0.001, table_burst=3)) as server:
        body = {"game": {"name": "nim"}, "seats": [BOT, BOT]}
        codes = [server.http.post("/api/tables", json=body).status_code for _ in range(5)]
        assert codes == [201, 201, 201, 429, 429]
    with running(tmp_path / "u.db", replace(QUICK, tables=2)) as server:
        people = [server.open("nim", OPEN) for _ in range(2)]
        with people[0].socket() as one, people[1].socket() as two:
            one.receive()
            two.receive()
            codes = [server.http.post("/api/tables", json=body).status_code for _ in range(2)]
            assert codes == [429, 429]
            people[0].acted(0)


def test_replays_count_as_the_work_they_are(tmp_path: Path) -> None:
    with running(tmp_path / "t.db", replace(QUICK, table_rate=0.001, table_burst=4)) as server:
        record = server.http.post("/api/records", json={"schema": 1, "game": {"name": "nim"}, "actions": []}).json()
        codes = [server.http.get(f"/api/records/{record['record']}").status_code for _ in range(5)]
        assert codes == [200, 200, 200, 429, 429]
        assert server.http.get("/api/games").status_code == 200


def test_tables_leave_the_memory_but_not_the_store(tmp_path: Path) -> None:
    with running(tmp_path / "t.db", replace(QUICK, tables=2, idle_seconds=0.0)) as server:
        people = [server.open("nim", OPEN) for _ in range(5)]
        assert len(server.hub.lives) <= 2
        for person in people:
            person.acted(0)


def test_connections_are_limited(tmp_path: Path) -> None:
    with running(tmp_path / "t.db", replace(QUICK, sockets_per_address=2)) as server:
        person = server.open("nim", OPEN)
        with person.socket() as one, person.socket() as two:
            one.receive()
            two.receive()
            with pytest.raises((InvalidStatus, ConnectionClosed)):
                person.socket().receive()
        person.until(lambda seen: not seen["seats"][0]["connected"])
        with person.socket() as again:
            again.receive()


def test_failures_inside_show_nothing_of_the_inside(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("secret words")

    monkeypatch.setattr(server.hub, "listed", fail)
    answer = server.http.get("/api/tables")
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "internal"
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text


def test_what_cannot_be_stored_has_not_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(tmp_path / "t.db") as server:
        person = server.open("nim", OPEN)
        before = person.look()

        def full(*_: object) -> None:
            raise StoreError("the disk is full")

        with monkeypatch.context() as broken:
            broken.setattr("kiebitz.server.storage.TableStore.add", full)
            answer = person.act(0)
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store")
        assert "disk" not in answer.text
        assert person.look() == before
        person.acted(0)


def test_ids_and_tokens_cannot_be_guessed_and_only_hashes_are_stored(tmp_path: Path) -> None:
    with running(tmp_path / "t.db") as server:
        people = [server.open("nim", OPEN) for _ in range(20)]
        assert len({person.table for person in people}) == len({person.token for person in people}) == 20
        assert all(len(person.token or "") >= 32 and len(person.table) >= 12 for person in people)
        tokens = [str(person.token).encode() for person in people]
        listed = server.http.get("/api/tables").text
        assert not any(str(person.token) in listed for person in people)
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert not any(token in stored for token in tokens)


def answers(url: str) -> bool:
    try:
        return bool(httpx.get(url, trust_env=False, timeout=WAIT).json()["status"] == "ok")
    except httpx.TransportError:
        return False


def test_serve_listens_on_this_machine_only_unless_told(tmp_path: Path) -> None:
    """A real `kiebitz serve`: by its loopback address it answers, by another address of the machine it does not."""
    command = [sys.executable, "-m", "kiebitz", "serve", "--no-open", "--port", "0", "--db", str(tmp_path / "t.db")]
    env = {**os.environ, "PYTHONPATH": str(Path(kb.__file__).parents[1])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("The table is at http://127.0.0.1:"), line
            port = int(line.split(":")[2].split("/")[0])
            eventually(lambda: answers(f"http://127.0.0.1:{port}/api/health"))
            with pytest.raises(ConnectionRefusedError), sockets.create_connection(("127.0.0.2", port), timeout=2):
                pass
            with sockets.create_connection(("127.0.0.1", port), timeout=WAIT) as raw:
                raw.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * LONGEST_HEAD)
                assert raw.recv(200).split()[1] == b"400"
        finally:
            process.terminate()
            process.wait(WAIT)


def test_a_socket_of_one_server_is_not_let_in_without_a_hello(server: Running) -> None:
    person = server.open("nim", OPEN)
    with Socket(server, person.table, None, hello=False) as silent:
        silent.send({"type": "pong"})
        assert silent.receive()["error"]["code"] == "bad_request"


def test_deals_come_from_the_random_source_of_the_system(tmp_path: Path) -> None:
    """Nothing decides the deals of a server beforehand: servers that are started alike deal differently."""
    hubs = [Hub(Settings(db=tmp_path / f"{number}.db")) for number in range(2)]
    seeds = [hub.new_seed() for hub in hubs for _ in range(20)]
    for hub in hubs:
        asyncio.run(hub.close())
    assert len(set(seeds)) == 40
    assert 0 <= min(seeds) <= max(seeds) < 2**53
    assert len({seed >> 43 for seed in seeds}) > 20
