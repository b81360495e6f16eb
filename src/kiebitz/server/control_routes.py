"""Routes that steer a game: take back an action, give up, how fast bots move; and the chat."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from kiebitz.server import control
from kiebitz.server.asking import hub_of, own_seat, proof_of, seated, shown, stand_in
from kiebitz.server.errors import TableError
from kiebitz.server.events import Event
from kiebitz.server.schemas import Consent, PaceChoice, Resignation, Said, Snapshot, TableId, UndoChoice
from kiebitz.server.table import ServerTable

router = APIRouter(prefix="/api/tables", tags=["tables"])


@router.post("/{id}/undo", response_model=Snapshot, summary="Take back your last action, or agree to that of another")
async def undo(request: Request, id: TableId, body: UndoChoice) -> Response:
    """Against bots at once; with other persons once all have asked for it. Playing on, or deleting this, refuses."""
    live, _ = await own_seat(request, id)
    await live.change(lambda table: control.undo(table, _seat(request, table), body.version))
    return shown(request, live)


@router.delete("/{id}/undo", response_model=Snapshot, summary="Let an action stand")
async def keep(request: Request, id: TableId, version: int) -> Response:
    """Refuses what another person wants to take back, or withdraws your own wish."""
    live, _ = await own_seat(request, id)
    await live.change(lambda table: control.keep(table, _seat(request, table), version))
    return shown(request, live)


@router.post("/{id}/resign", response_model=Snapshot, summary="Give up a game")
async def resign(request: Request, id: TableId, body: Resignation) -> Response:
    """A game that two players win or lose is lost. In any other game a bot plays it to its end for you, and the seat is
    yours again in the next one."""
    live, _ = await own_seat(request, id)
    spec = await stand_in(request, live)
    await live.change(lambda table: control.resign(table, _seat(request, table), body.game, spec))
    return shown(request, live)


@router.post("/{id}/kibitz", response_model=Snapshot, summary="Say whether you want the kibitz panel")
async def want_kibitz(request: Request, id: TableId, body: Consent) -> Response:
    """With other persons at the table it is off while a game runs, unless all of them want it in this game."""
    live, _ = await own_seat(request, id)
    await live.change(lambda table: control.want_kibitz(table, _seat(request, table), body.wanted))
    return shown(request, live)


@router.post("/{id}/rematch", response_model=Snapshot, summary="Play another series")
async def rematch(request: Request, id: TableId, body: Consent) -> Response:
    """After the last game of a series: the next one begins once all persons have asked for it, where bots play alone
    their owner. Options and score sheet stay."""
    live, _ = await seated(request, id)
    proof = proof_of(request)
    if proof is None:
        raise TableError("no_token", "this needs the token of a seat, or of the owner")
    if live.table.persons():
        await live.change(lambda table: control.rematch(table, _seat(request, table), body.wanted))
    if control.all_rematch(live.table):
        await live.begin(live.table.number + 1, hub_of(request).new_seed())
    return shown(request, live)


@router.post("/{id}/pace", response_model=Snapshot, summary="How fast bots move")
async def pace(request: Request, id: TableId, body: PaceChoice) -> Response:
    """For the only person at a table, or its owner where bots play alone: slower, faster, paused, one action at a
    time."""
    live, _ = await seated(request, id)
    if proof_of(request) is None:
        raise TableError("no_token", "this needs the token of a seat, or of the owner")

    def propose(table: ServerTable) -> Event:
        seat = table.seat_of(proof_of(request) or "")
        if not control.steers(table, seat, owner=seat is None):
            raise TableError("foreign_token", "with other persons at the table, nobody decides this alone")
        return control.pace(table, body.pace_ms, body.paused)

    if body.pace_ms is not None or body.paused is not None:
        await live.change(propose)
    else:
        propose(live.table)
    if body.step:
        live.step()
    return shown(request, live)


@router.post("/{id}/chat", response_model=Snapshot, summary="Say something to the others at the table")
async def say(request: Request, id: TableId, body: Said) -> Response:
    """For persons at a table with two or more of them. Everybody who looks at the table can read it; it is not
    stored."""
    live, seat = await own_seat(request, id)
    live.say(seat, body.text)
    return shown(request, live)


def _seat(request: Request, table: ServerTable) -> int:
    """The seat of the caller now: somebody may get up meanwhile."""
    seat = table.proved(proof_of(request))
    if seat is None:
        raise TableError("foreign_token", "this needs the token of a seat")
    return seat
