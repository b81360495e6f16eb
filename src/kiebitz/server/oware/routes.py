"""The web service of the Oware thesis: one resource, four verbs, two players, each a person or a program.

    POST    register: a name; answers with the player's id and, if somebody is there, the opponent's name
    GET     the status of the game for a player, as JSON or as a text board (Accept: text/plain)
    PUT     a move: id and pit (0 to 5, from the player's left); answers with the new status
    DELETE  leave; when both have left the next game can begin

``examples/oware_client.py`` plays here with any agent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field

from kiebitz.records import RecordError, parse_json
from kiebitz.server.errors import refusal
from kiebitz.server.oware.service import LONGEST_NAME, NAME, PITS, OwareService, RefusedError
from kiebitz.server.schemas import ProblemAnswer

LARGEST_BODY = 4096


class Registration(BaseModel):
    """A player who wants to join."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=LONGEST_NAME, json_schema_extra={"pattern": NAME}, examples=["Ada"])


class Registered(BaseModel):
    """The player's id, to be kept secret: anybody who knows it can move for the player."""

    id: str
    opponent: str | None = Field(description="The opponent's name, if somebody is registered already.")


class Move(BaseModel):
    """A pit to sow from."""

    model_config = ConfigDict(extra="forbid")
    id: str = Field(min_length=1)
    pit: int = Field(ge=0, lt=PITS, description="A pit of the player's own row, from the left.")


class LastMove(BaseModel):
    """The last move; the pit is numbered from the left of the player who moved."""

    by: Literal["you", "opponent"]
    pit: int


class Status(BaseModel):
    """The game as one player sees it."""

    id: str
    name: str
    opponent: str | None
    your_turn: bool
    board: list[int] = Field(description="Twelve pits in the order of sowing: the player's own row first.")
    captured: int
    opponent_captured: int
    legal: list[int] = Field(description="Pits that may be sown from now; none when it is not the player's turn.")
    moves: int
    last_move: LastMove | None
    over: bool
    winner: Literal["you", "opponent", "draw"] | None
    opponent_left: bool


def _problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    words = {
        400: "malformed, or an illegal pit",
        404: "no player has this id",
        409: "not now: wrong turn, no opponent, two players already",
    }
    return {status: {"model": ProblemAnswer, "description": words[status]} for status in statuses}


def _body(model: type[BaseModel]) -> dict[str, Any]:
    """Describes a body that is parsed by hand, so that all errors in it are answered in the same way."""
    schema = model.model_json_schema()
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


_TEXT: dict[str, Any] = {"text/plain": {"schema": {"type": "string"}}}
_ID: dict[str, Any] = {
    "parameters": [
        {
            "name": "id",
            "in": "query",
            "required": True,
            "schema": {"type": "string", "minLength": 1},
            "description": "The id that registering gave.",
        }
    ]
}


def router(service: OwareService | None = None) -> APIRouter:
    """The routes of a service, a new one unless one is given. The game lives in memory: no store is needed."""
    game = service or OwareService()
    routes = APIRouter(prefix="/oware/v1", tags=["oware"])

    @routes.post(
        "",
        status_code=201,
        response_model=Registered,
        responses=_problems(400, 409),
        openapi_extra=_body(Registration),
        summary="Register for the game",
    )
    async def register(request: Request) -> Response:
        """The first to register moves first; a third player has to wait until both have left."""

        def answer(fields: dict[str, Any]) -> dict[str, Any]:
            return game.register(fields["name"])

        return await _with_body(request, ("name",), answer, 201)

    @routes.get(
        "",
        response_model=Status,
        responses={200: {"content": _TEXT}, **_problems(400, 404)},
        openapi_extra=_ID,
        summary="The status of the game",
    )
    async def status(request: Request) -> Response:
        """The board is turned so that the caller's row comes first. With `Accept: text/plain` it is drawn."""
        id = request.query_params.get("id", "")
        if _wants_text(request.headers.get("accept", "")):
            return _answered(lambda: PlainTextResponse(game.board(id), headers=_NO_STORE))
        return _answered(lambda: JSONResponse(game.status(id), headers=_NO_STORE))

    @routes.put(
        "",
        response_model=Status,
        responses=_problems(400, 404, 409),
        openapi_extra=_body(Move),
        summary="Move",
    )
    async def move(request: Request) -> Response:
        """Sows from a pit of the caller's own row, 0 to 5 from the left."""

        def answer(fields: dict[str, Any]) -> dict[str, Any]:
            return game.move(fields["id"], fields["pit"])

        return await _with_body(request, ("id", "pit"), answer, 200)

    @routes.delete("", status_code=204, responses=_problems(400, 404), openapi_extra=_ID, summary="Leave the game")
    async def leave(request: Request) -> Response:
        """When both have left, the next game can begin."""

        def answer() -> Response:
            game.leave(request.query_params.get("id", ""))
            return Response(status_code=204)

        return _answered(answer)

    @routes.api_route("", methods=["HEAD", "OPTIONS", "PATCH", "TRACE"], include_in_schema=False)
    async def no_such_verb() -> Response:
        """Answers other verbs with the list of those that exist."""
        refused = RefusedError(405, "no_such_verb", "expected GET, POST, PUT or DELETE")
        answer = _problem(refused)
        answer.headers["allow"] = "DELETE, GET, POST, PUT"
        return answer

    return routes


_NO_STORE = {"cache-control": "no-store", "vary": "accept"}


async def _with_body(
    request: Request, names: tuple[str, ...], answer: Callable[[dict[str, Any]], dict[str, Any]], status: int
) -> Response:
    data = bytearray()
    async for piece in request.stream():
        data += piece
        if len(data) > LARGEST_BODY:
            return _problem(RefusedError(400, "bad_body", f"expected at most {LARGEST_BODY:,} bytes"))
    return _answered(lambda: JSONResponse(answer(_fields(bytes(data), names)), status, headers=_NO_STORE))


def _fields(data: bytes, names: tuple[str, ...]) -> dict[str, Any]:
    """The fields of a JSON object that has exactly these names."""
    wanted = "expected a JSON object with " + " and ".join(names)
    try:
        fields = parse_json(data.decode())
    except (RecordError, UnicodeDecodeError):
        raise RefusedError(400, "bad_body", wanted) from None
    if not isinstance(fields, dict) or sorted(fields) != sorted(names):
        raise RefusedError(400, "bad_body", wanted)
    return fields


def _answered(answer: Callable[[], Response]) -> Response:
    try:
        return answer()
    except RefusedError as refused:
        return _problem(refused)


def _problem(refused: RefusedError) -> Response:
    content = refusal(refused.code, refused.message)
    return JSONResponse(content, refused.status, headers={"cache-control": "no-store"})


def _wants_text(accept: str) -> bool:
    """Whether text is asked for before JSON.

    >>> _wants_text("text/plain"), _wants_text("application/json, text/plain"), _wants_text("*/*")
    (True, False, False)
    """
    kinds = [part.partition(";")[0].strip().lower() for part in accept.split(",")]
    asked = [kind for kind in kinds if kind in ("text/plain", "application/json")]
    return bool(asked) and asked[0] == "text/plain"
