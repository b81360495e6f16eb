"""Routes of the kibitz panel at a table: what each option is worth, and where the hidden cards may be."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from kiebitz._core import StopToken, View
from kiebitz.seeds import derive_seed
from kiebitz.server.asking import address_of, hub_of, proof_of, seated
from kiebitz.server.beliefs import beliefs as find_beliefs
from kiebitz.server.control import why_quiet
from kiebitz.server.errors import TableError
from kiebitz.server.kibitz import kibitz
from kiebitz.server.live import Live
from kiebitz.server.schemas import AnalysisChoice, Plain, TableId

router = APIRouter(prefix="/api/tables", tags=["tables"])


def _looking(live: Live, own: int | None, seat: int | None) -> int:
    """The seat whose view the caller may have analysed."""
    table = live.table
    role = "all" if table.over else table.role(own)
    if role == "public":
        raise TableError("not_shown", "spectators see only what is public at this table")
    if (why := why_quiet(table)) is not None:
        raise TableError("fair_table", why)
    if seat is None:
        seat = own if own is not None else table.turn
    if seat is None or not 0 <= seat < len(table.seats):
        raise TableError("wrong_turn", "it is nobody's decision; say whose view is meant")
    if role == "seat" and seat != own:
        raise TableError("not_shown", "you see only your own cards")
    return seat


@router.post("/{id}/analysis", summary="What a strong player thinks of your options")
async def analysis(request: Request, id: TableId, body: AnalysisChoice) -> Plain:
    """From your own view alone. Another request with your token, or going away, ends it early."""
    live, own = await seated(request, id)
    table = live.table
    if body.version is not None:
        table.check_version(body.version)
    seat = _looking(live, own, body.seat)
    view = None if table.over else table.decision_view(seat)
    if view is None:
        raise TableError("wrong_turn", "there is nothing to decide at this seat now")
    game, version, ply = table.number, table.version, table.ply
    proof = proof_of(request)
    running: dict[tuple[str, str], StopToken] = request.app.state.analyses
    stop = StopToken()
    key = None if proof is None else (id, proof)  # an address may be that of many spectators
    if key is not None:
        if key in running:
            running[key].request()
        running[key] = stop
    try:
        seconds = hub_of(request).settings.python_seconds if table.game.needs_interpreter else None
        found = await until_gone(request, stop, lambda: kibitz(view, body.effort, stop), seconds)
    finally:
        if key is not None and running.get(key) is stop:
            del running[key]
    point = {"ply": ply, "seat": seat, "value": found["value"]}
    await hub_of(request).save(lambda store: store.add_to_curve(id, game, point))
    return {**found, "seat": seat, "version": version, "ply": ply}


async def until_gone(
    request: Request, stop: StopToken, work: Callable[[], dict[str, Any]], seconds: float | None = None
) -> dict[str, Any]:
    """Computes something for a caller. If they have gone or ask for something else, it is stopped and refused; after
    ``seconds`` it is stopped and says what it has."""
    future = hub_of(request).analyses.run(work, address_of(request))
    ending = asyncio.get_running_loop().time() + (math.inf if seconds is None else seconds)
    timed_out = False
    try:
        while (timed_out or not stop.requested) and not (await asyncio.wait({future}, timeout=0.2))[0]:
            if not timed_out and await request.is_disconnected():
                stop.request()
            elif asyncio.get_running_loop().time() > ending:
                timed_out = True
                stop.request()
    except asyncio.CancelledError:
        stop.request()
        future.cancel()
        raise
    if stop.requested and not timed_out:
        future.cancel()  # it leaves the queue
        raise TableError("cancelled", "another analysis was asked for")
    return future.result()


@router.get("/{id}/beliefs", summary="Where the hidden cards may be")
async def beliefs(request: Request, id: TableId, seat: Annotated[int | None, Query(ge=0, le=20)] = None) -> Plain:
    """The probability of every card at every seat as one seat knows it, and a few worlds that fit."""
    live, own = await seated(request, id)
    table = live.table
    seat = _looking(live, own, seat)
    view = table.knowledge(seat)
    seed = derive_seed(table.secret, "beliefs", table.version)
    stop = StopToken()
    return {**await until_gone(request, stop, lambda: _beliefs(view, seed)), "seat": seat, "version": table.version}


def _beliefs(view: View, seed: int) -> dict[str, Any]:
    return find_beliefs(view, seed)
