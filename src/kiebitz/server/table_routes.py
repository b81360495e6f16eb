"""Routes of tables: open, look, sit, act, go on, ask what others would do."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response, WebSocket
from fastapi.routing import APIRoute

from kiebitz._core import Game
from kiebitz.agents.strengths import CASUAL
from kiebitz.errors import Error
from kiebitz.games import declaration_of
from kiebitz.server.asking import address_of, hub_of, own_seat, proof_of, seated, shown, stand_in
from kiebitz.server.catalogue import safe_game
from kiebitz.server.errors import TableError
from kiebitz.server.events import BOT, OPEN, PERSON, Event, Options, Seat, Start, why_closed
from kiebitz.server.hub import new_token
from kiebitz.server.safety import level_spec, safe_spec
from kiebitz.server.schemas import (
    LONGEST_ID,
    Action,
    Claim,
    Claimed,
    NewTable,
    Opened,
    Opening,
    Plain,
    Ref,
    SeatChoice,
    Snapshot,
    TableId,
)
from kiebitz.server.table import ServerTable
from kiebitz.server.tokens import digest

router = APIRouter(prefix="/api/tables", tags=["tables"])
Number = Annotated[int, Path(ge=0, le=10**6)]
MINIMAL = "return=minimal"
"""What a client prefers (RFC 7240) that gets the new snapshot anyway."""


# --- Acting: first, because routes are tried in this order and most requests are actions ------------------------------


class ActionRoute(APIRoute):
    """The route of actions: FastAPI describes it and answers what is not as described. For all else its general way to
    find the arguments takes longer than the action itself."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Reads the body of a usual request, and leaves any other to FastAPI."""
        general = super().get_route_handler()

        async def handle(request: Request) -> Response:
            id = request.path_params["id"]
            try:
                usual = len(id) <= LONGEST_ID and request.headers.get("content-type") == "application/json"
                body = Action.model_validate(await request.json()) if usual else None
            except (ValueError, RecursionError):
                body = None
            return await (general(request) if body is None else act(request, id, body))

        return handle


async def act(request: Request, id: TableId, body: Action) -> Response:
    """A move, a card, a reservation, or an answer in a call round; it is stored before this answers.

    A client that also looks at the table over a socket can send `Prefer: return=minimal`: the answer is then empty
    (status 204), unless the action is secret: sockets get no snapshot for those.
    """
    live, _ = await own_seat(request, id)
    proof = proof_of(request) or ""

    def propose(table: ServerTable) -> Event:
        seat = table.seat_of(proof)  # again: somebody may get up meanwhile
        if seat is None:
            raise TableError("foreign_token", "this needs the token of a seat")
        return table.act(seat, body.wish(), body.version)

    public = await live.change(propose)
    preferred = ",".join(request.headers.getlist("prefer")).lower().split(",")
    if public and MINIMAL in map(str.strip, preferred):
        return Response(status_code=204, headers={"preference-applied": MINIMAL})
    return shown(request, live)


router.add_api_route(
    "/{id}/actions",
    act,
    methods=["POST"],
    response_model=Snapshot,
    summary="Act at your seat",
    route_class_override=ActionRoute,
)


# --- Tables -----------------------------------------------------------------------------------------------------------


@router.post("", status_code=201, summary="Open a table")
async def create(request: Request, body: NewTable) -> Opened:
    """Deals the first game at once. If you take a seat you get its token; otherwise you get the token of the owner,
    which starts the next game where bots play alone."""
    chosen = body.game
    return await opened(request, body, lambda: (safe_game(chosen.name, chosen.preset, chosen.params), None))


async def opened(request: Request, body: Opening, prepare: Callable[[], tuple[Game, Start | None]]) -> Opened:
    """Opens a table; ``prepare`` finds its game, and the position to go on from, in a thread."""
    hub, address = hub_of(request), address_of(request)
    token, owner = new_token(), new_token()

    def prepared() -> tuple[Game, Start | None, list[Seat]]:  # it may take time
        game, start = prepare()
        return game, start, _seats(game, body.seats, token)

    game, start, seats = await hub.chores.run(prepared, address)
    mine = next((i for i, seat in enumerate(seats) if seat.kind == PERSON), None)
    options = Options(**body.options.model_dump())
    if options.open and (why := why_closed(game, options, seats)):
        raise TableError("invalid", f"options.open: {why}")
    seed = None
    if isinstance(body, NewTable) and body.lesson:
        seed, start = _lesson(game, seats)
    owned = digest(owner) if mine is None else None
    live = await hub.create(game, options, seats, owned, address, start=start, seed=seed)
    if mine is None:
        return Opened(table=live.table.id, seat=None, token=None, owner=owner)
    return Opened(table=live.table.id, seat=mine, token=token)


def _lesson(game: Game, seats: Sequence[Seat]) -> tuple[int, Start | None]:
    """The deal of a guided first game, or its position. Everybody can know it, so only one person may play for
    themselves."""
    lesson = declaration_of(game).players.lesson
    if lesson is None:
        raise TableError("invalid", f"lesson: {game.name} has no guided first game")
    if [seat.kind for seat in seats] != [PERSON] + [BOT] * (len(seats) - 1):
        raise TableError("invalid", "lesson: expected yourself at the first seat and bots at all others")
    if lesson.position is None:
        return lesson.seed, None
    position = dict(lesson.position(game))
    try:
        game.load(position)
    except Error as error:
        raise TableError("invalid", f"lesson: not by these rules: {error}") from None
    return lesson.seed, Start([], position)


def _seats(game: Game, choices: Sequence[SeatChoice], token: str) -> list[Seat]:
    if len(choices) != game.info.players:
        raise TableError("invalid", f"seats: expected {game.info.players}, got {len(choices)}")
    if sum(choice.me for choice in choices) > 1:
        raise TableError("invalid", "seats: you can sit at one seat only")
    return [_seat(choice, i, game, token) for i, choice in enumerate(choices)]


def _seat(choice: SeatChoice, number: int, game: Game, token: str) -> Seat:
    if choice.kind != BOT:
        if choice.strength is not None or choice.spec is not None:
            raise TableError("invalid", f"seats.{number}: strength and spec are for bots")
        if choice.kind == PERSON and choice.me:
            return Seat(PERSON, _name(choice.name or f"Player {number + 1}"), token=digest(token))
        if choice.me:
            raise TableError("invalid", f"seats.{number}: expected kind person for yourself")
        return Seat(OPEN, _name(choice.name) if choice.name else "")
    if choice.me:
        raise TableError("invalid", f"seats.{number}: you are not a bot")
    strength, text = choice.strength, choice.spec
    if text is None:
        strength = strength or CASUAL
        text = level_spec(game, strength)
    elif strength is not None:
        raise TableError("invalid", f"seats.{number}: expected a strength or a spec, not both")
    return Seat(BOT, _name(choice.name or f"Bot {number + 1}"), strength, safe_spec(text, game))


def _name(text: str) -> str:
    """A name that can be shown: no control characters, no line breaks, no white space around it."""
    name = "".join(char for char in text if char.isprintable()).strip()
    if not name:
        raise TableError("invalid", "name: expected letters")
    return name


@router.get("", summary="Tables to sit down at or to watch")
async def listed(request: Request) -> list[Plain]:
    """The newest first."""
    return hub_of(request).listed()


@router.get("/{id}", response_model=Snapshot, summary="A table as you may see it")
async def look(request: Request, id: TableId) -> Response:
    """The snapshot for the token that comes with the request, or for a spectator."""
    live, _ = await seated(request, id)
    return shown(request, live)


@router.post("/{id}/seats/{seat}", status_code=201, summary="Claim an open seat")
async def sit(request: Request, id: TableId, seat: Number, body: Claim) -> Claimed:
    """The first who asks gets it."""
    live = await hub_of(request).live(id)
    token, name = new_token(), _name(body.name)
    await live.change(lambda table: table.sit(seat, name, token))
    return Claimed(seat=seat, token=token)


@router.delete("/{id}/seats/{seat}", status_code=204, summary="Get up")
async def stand(request: Request, id: TableId, seat: Number) -> Response:
    """A bot takes over, so that the others can go on."""
    live, own = await own_seat(request, id)
    if seat != own:
        raise TableError("foreign_token", "this is not your seat")
    held = live.table.seats[seat]

    def propose(table: ServerTable) -> Event:
        if table.seats[seat] != held:
            raise TableError("foreign_token", "this is not your seat any more")
        return table.stand(seat, CASUAL, spec)

    spec = await stand_in(request, live)
    await live.change(propose)
    return Response(status_code=204)


@router.post("/{id}/next", response_model=Snapshot, summary="The next game of the series")
async def go_on(request: Request, id: TableId) -> Response:
    """Any person at the table may say so; where bots play alone, the owner."""
    live, seat = await seated(request, id)
    if proof_of(request) is None:
        raise TableError("no_token", "this needs the token of a seat, or of the owner")
    live.table.check_next(seat)
    await live.begin(live.table.number + 1, hub_of(request).new_seed())
    return shown(request, live)


# --- Finished games ---------------------------------------------------------------------------------------------------


async def finished_record(request: Request, id: str, number: int) -> dict[str, Any]:
    """The record of a game that is over."""
    hub = hub_of(request)
    await hub.live(id)
    found = await hub.read(lambda store: store.record(id, number))
    if found is None:
        raise TableError("not_found", f"there is no finished game {number} at this table")
    return found


@router.get("/{id}/games/{number}/record", summary="The record of a finished game")
async def record(request: Request, id: TableId, number: Number) -> Plain:
    """As in files of records: download it, replay it, upload it again."""
    return await finished_record(request, id, number)


@router.post("/{id}/games/{number}/share", status_code=201, summary="Share a finished game")
async def share(request: Request, id: TableId, number: Number) -> Ref:
    """Gives the record an id that cannot be guessed, the same every time; everybody who has it can look at the game."""
    found = await finished_record(request, id, number)
    return Ref(record=await hub_of(request).share(found, (id, number)))


@router.get("/{id}/games/{number}/curve", summary="Expected results over a game")
async def curve(request: Request, id: TableId, number: Number) -> list[Plain]:
    """What analyses found for each decision so far; shown once a game is over, or to those who may see everything."""
    live, own = await seated(request, id)
    table = live.table
    if number == table.number and not table.over and table.role(own) != "all":
        raise TableError("not_shown", "the curve is shown once the game is over")
    found = await hub_of(request).read(lambda store: store.curve(id, number))
    if found is None:
        raise TableError("not_found", f"there is no game {number} at this table")
    return found


# --- Live -------------------------------------------------------------------------------------------------------------


@router.websocket("/{id}/live")
async def live(socket: WebSocket, id: str) -> None:
    """Snapshots as the table changes."""
    await socket.app.state.sockets.serve(socket, id)
