"""Every route of a table at two servers on one store: each answers by the newest state, never by its own older one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.running import OPEN, Person, Running, running

Pair = tuple[Running, Running]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Two servers with the same store."""
    db: Path = tmp_path_factory.mktemp("two") / "t.db"
    with running(db, seed=1) as one, running(db, seed=2) as other:
        yield one, other


def code(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["code"])


def meeting(pair: Pair) -> tuple[list[Person], list[Person]]:
    """Two persons at a table of Kuhn poker that both servers have in memory, as they are here and there."""
    one, other = pair
    ada = one.open("kuhn", OPEN, games=None)
    here = [ada, one.sit(ada.table, 1)]
    there = [Person(other, each.table, each.seat, each.token) for each in here]
    for person in there:
        person.want_kibitz()
    return here, there


def finish(here: list[Person]) -> None:
    """Plays the game to its end at one server."""
    while (seen := here[0].look())["over"] is None:
        here[seen["turn"]].acted("bet")


def actions(here: list[Person], there: list[Person]) -> None:
    version = here[0].acted("bet")["version"]
    assert there[1].act("bet", version).status_code == 200


def look(here: list[Person], there: list[Person]) -> None:
    version = here[0].acted("bet")["version"]
    assert there[1].look()["version"] == version


def claim(here: list[Person], there: list[Person]) -> None:
    table = here[0].server.open("kuhn", OPEN).table
    there[0].server.spectator(table).look()
    here[0].server.sit(table, 1)
    assert code(there[0].server.http.post(f"/api/tables/{table}/seats/1", json={"name": "Bob"})) == "seat_taken"


def get_up(here: list[Person], there: list[Person]) -> None:
    here[0].acted("bet")
    assert there[1].delete("/seats/1").status_code == 204
    assert here[1].get().status_code == 403
    assert here[0].look()["seats"][1]["kind"] == "bot"


def go_on(here: list[Person], there: list[Person]) -> None:
    finish(here)
    assert there[0].post("/next").json()["number"] == 2
    assert code(here[0].post("/next")) == "game_runs"


def undo(here: list[Person], there: list[Person]) -> None:
    """One asks at one server, and the other agrees at the other."""
    version = here[0].acted("bet")["version"]
    asked = there[0].post("/undo", {"version": version}).json()
    assert asked["control"]["undoing"] == [0]
    assert here[1].post("/undo", {"version": asked["version"]}).json()["turn"] == 0
    assert there[1].look()["turn"] == 0


def keep(here: list[Person], there: list[Person]) -> None:
    version = here[0].acted("bet")["version"]
    version = here[0].post("/undo", {"version": version}).json()["version"]
    assert there[1].delete(f"/undo?version={version}").json()["control"]["undoing"] == []
    assert code(here[1].delete(f"/undo?version={version + 1}")) == "wrong_turn"


def resign(here: list[Person], there: list[Person]) -> None:
    assert there[0].post("/resign", {"game": 1}).json()["control"]["resigned"] == [0]
    assert code(here[0].post("/resign", {"game": 1})) in ("wrong_turn", "game_over")
    assert there[1].look()["control"]["resigned"] == [0]


def rematch(here: list[Person], there: list[Person]) -> None:
    """One wants it at one server, and the other at the other."""
    one = here[0].server
    ada = one.open("kuhn", OPEN, games=1)
    grace = one.sit(ada.table, 1)
    finish([ada, grace])
    elsewhere = Person(there[0].server, ada.table, 1, grace.token)
    assert elsewhere.post("/rematch", {"wanted": True}).json()["control"]["rematching"] == [1]
    assert ada.post("/rematch", {"wanted": True}).json()["number"] == 2
    assert code(elsewhere.post("/rematch", {"wanted": True})) == "game_runs"


def say(here: list[Person], there: list[Person]) -> None:
    """Somebody who got up here has nothing to say there; the other finds nobody to talk to."""
    assert there[1].post("/chat", {"text": "hello"}).status_code == 200
    assert here[1].delete("/seats/1").status_code == 204
    assert there[0].look()["seats"][1]["kind"] == "bot"
    assert code(there[1].post("/chat", {"text": "hello"})) == "foreign_token"
    assert code(there[0].post("/chat", {"text": "hello"})) == "no_chat"


def want_kibitz(here: list[Person], there: list[Person]) -> None:
    """Both have said so there; one no longer does here."""
    assert here[0].look()["control"]["kibitz"]
    assert here[0].post("/kibitz", {"wanted": False}).status_code == 200
    assert code(there[0].post("/analysis", {})) == "fair_table"


def pace(here: list[Person], there: list[Person]) -> None:
    assert here[1].delete("/seats/1").status_code == 204
    assert there[0].post("/pace", {"paused": True}).status_code == 200
    assert here[0].look()["control"]["paused"]


def analysis(here: list[Person], there: list[Person]) -> None:
    version = here[0].acted("bet")["version"]
    assert code(there[0].post("/analysis", {})) == "wrong_turn"
    assert there[1].post("/analysis", {}).json()["version"] == version


def beliefs(here: list[Person], there: list[Person]) -> None:
    version = here[0].acted("bet")["version"]
    assert there[0].get("/beliefs").json()["version"] == version


def record(here: list[Person], there: list[Person]) -> None:
    assert code(there[0].get("/games/1/record")) == "not_found"
    finish(here)
    assert there[0].get("/games/1/record").json() == here[0].get("/games/1/record").json()


def share(here: list[Person], there: list[Person]) -> None:
    finish(here)
    id = there[0].post("/games/1/share").json()["record"]
    assert here[0].server.http.get(f"/api/records/{id}").status_code == 200


def curve(here: list[Person], there: list[Person]) -> None:
    """Points from both servers, once the game is over; nothing while it runs, wherever that is."""
    assert here[0].post("/analysis", {}).status_code == 200
    here[0].acted("bet")
    assert there[1].post("/analysis", {}).status_code == 200
    for person in (*here, *there):
        assert code(person.get("/games/1/curve")) == "not_shown"
    finish(here)
    for person in (*here, *there):
        assert [point["seat"] for point in person.get("/games/1/curve").json()] == [0, 1]
    assert here[0].post("/next").status_code == 200
    assert code(there[0].get("/games/2/curve")) == "not_shown"
    assert there[0].get("/games/1/curve").status_code == 200


def live(here: list[Person], there: list[Person]) -> None:
    version = here[0].acted("bet")["version"]
    with there[1].socket() as socket:
        assert socket.receive()["snapshot"]["version"] == version


ROUTES: dict[str, Callable[[list[Person], list[Person]], None]] = {
    "POST /api/tables/{id}/actions": actions,
    "GET /api/tables/{id}": look,
    "POST /api/tables/{id}/seats/{seat}": claim,
    "DELETE /api/tables/{id}/seats/{seat}": get_up,
    "POST /api/tables/{id}/next": go_on,
    "POST /api/tables/{id}/undo": undo,
    "DELETE /api/tables/{id}/undo": keep,
    "POST /api/tables/{id}/kibitz": want_kibitz,
    "POST /api/tables/{id}/resign": resign,
    "POST /api/tables/{id}/chat": say,
    "POST /api/tables/{id}/rematch": rematch,
    "POST /api/tables/{id}/pace": pace,
    "POST /api/tables/{id}/analysis": analysis,
    "GET /api/tables/{id}/beliefs": beliefs,
    "GET /api/tables/{id}/games/{number}/record": record,
    "POST /api/tables/{id}/games/{number}/share": share,
    "GET /api/tables/{id}/games/{number}/curve": curve,
    "WebSocket /api/tables/{id}/live": live,
}


@pytest.mark.parametrize("route", ROUTES)
def test_the_newest_state_counts(route: str, pair: Pair) -> None:
    ROUTES[route](*meeting(pair))


def test_no_route_of_a_table_is_left_out(pair: Pair) -> None:
    paths = pair[0].app.openapi()["paths"]
    found = {
        f"{method.upper()} {path}" for path in paths if path.startswith("/api/tables/{id}") for method in paths[path]
    }
    assert {*found, "WebSocket /api/tables/{id}/live"} == set(ROUTES)
