"""Routes of records: upload, replay, kibitz, another try, playing on, review."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Query, Request, Response

from kiebitz import records
from kiebitz._core import Game, StopToken
from kiebitz.server.analysis_routes import until_gone
from kiebitz.server.asking import address_of, hub_of
from kiebitz.server.beliefs import beliefs as find_beliefs
from kiebitz.server.errors import TableError
from kiebitz.server.events import BOT, Start
from kiebitz.server.jobs import Jobs
from kiebitz.server.kibitz import kibitz
from kiebitz.server.live import to_json
from kiebitz.server.replays import check, decision_view, play_on, position, seats_of, steps, tried
from kiebitz.server.review import EFFORTS, FORM, review
from kiebitz.server.schemas import (
    Job,
    JobRef,
    Opened,
    Plain,
    PlayOn,
    Ref,
    ReplayChoice,
    ReviewChoice,
    Try,
)
from kiebitz.server.table import game_part
from kiebitz.server.table_routes import opened
from kiebitz.store.database import StoreError

logger = logging.getLogger("kiebitz.server")
router = APIRouter(prefix="/api", tags=["records"])
Id = Annotated[str, Path(max_length=40)]


def _jobs(request: Request) -> Jobs:
    jobs = request.app.state.jobs
    assert isinstance(jobs, Jobs)
    return jobs


async def _shared(request: Request, id: str) -> records.Record:
    found = await hub_of(request).read(lambda store: store.shared(id))
    if found is None:
        raise TableError("unknown_record", "there is no such record")
    return records.from_json(found)


@router.post("/records", status_code=201, summary="Upload a record")
async def upload(
    request: Request, body: Annotated[Plain, Body(examples=[{"schema": 1, "game": {"name": "nim"}, "actions": []}])]
) -> Ref:
    """One game as `kiebitz` writes it; it is replayed by the rules before it is stored."""
    hub = hub_of(request)
    await hub.chores.run(lambda: _checked(body), address_of(request))
    return Ref(record=await hub.share(body))


def _checked(data: dict[str, Any]) -> None:
    try:
        check(records.from_json(data))
    except records.RecordError as error:
        raise TableError("bad_record", str(error)[:500]) from None


@router.get("/records/{id}", response_model=Plain, summary="A game step by step")
async def look(request: Request, id: Id) -> Response:
    """The record, all that could be seen at each step, and the table where it was played, if that was here."""
    hub, record = hub_of(request), await _shared(request, id)
    table = await hub.read(lambda store: store.source(id))
    return await hub.chores.run(lambda: _replayed(record, table), address_of(request))


def _replayed(record: records.Record, table: Plain | None) -> Response:
    """The whole answer, made in a thread: it may be megabytes, and no other request should wait for it."""
    game = check(record).game
    shown = {
        "record": record.to_json(),
        "game": game_part(game),
        "seats": seats_of(record, game),
        "steps": steps(record),
        "table": table,
    }
    return Response(to_json(shown), media_type="application/json")


# --- At a position ----------------------------------------------------------------------------------------------------


@router.post("/records/{id}/analysis", summary="What a strong player thinks of a position of a game")
async def analysis(request: Request, id: Id, body: ReplayChoice) -> Plain:
    """From the view of a seat that has to decide there: what it could not see, the kibitz does not see either."""
    hub, record = hub_of(request), await _shared(request, id)
    view = await hub.chores.run(lambda: decision_view(position(record, body.ply), body.seat), address_of(request))
    stop, seconds = StopToken(), hub.settings.python_seconds if view.game.needs_interpreter else None
    found = await until_gone(request, stop, lambda: kibitz(view, body.effort, stop), seconds)
    return {**found, "seat": view.observer, "version": body.ply, "ply": body.ply}


@router.get("/records/{id}/beliefs", summary="Where the hidden cards may have been")
async def beliefs(
    request: Request, id: Id, ply: Annotated[int, Query(ge=0, le=10**6)], seat: Annotated[int, Query(ge=0, le=20)]
) -> Plain:
    """The probability of every card at every seat as any seat knew it, and a few worlds that fit."""
    record = await _shared(request, id)

    def found() -> Plain:
        state = position(record, ply)
        if seat >= state.game.info.players:
            raise TableError("not_found", f"seat: expected 0 to {state.game.info.players - 1}, got {seat}")
        return {**find_beliefs(state.view(seat), ply), "seat": seat, "version": ply}

    return await until_gone(request, StopToken(), found)


@router.post("/records/{id}/tries", summary="Another action in a position of a game")
async def another_try(request: Request, id: Id, body: Try) -> Plain:
    """The step that would have followed. Nothing is stored."""
    record = await _shared(request, id)
    return await hub_of(request).chores.run(lambda: tried(record, body.ply, body.action), address_of(request))


@router.post("/records/{id}/tables", status_code=201, summary="Play on from a position of a game")
async def play_on_from(request: Request, id: Id, body: PlayOn) -> Opened:
    """A new table with the same cards. Who has seen a replay knows all hands, so in a game with hidden cards or dice
    there is one person at most, against bots."""
    record = await _shared(request, id)

    def prepared() -> tuple[Game, Start]:
        game, start = play_on(record, body.ply)
        if game.info.hidden and sum(choice.kind != BOT for choice in body.seats) > 1:
            raise TableError("invalid", "seats: expected one person at most: who has seen the replay knows all hands")
        if body.options.games != 1:
            raise TableError("invalid", "options.games: expected 1: only one game goes on from a position")
        return game, start

    return await opened(request, body, prepared)


# --- Reviews ----------------------------------------------------------------------------------------------------------


async def _kept(request: Request, id: str, effort: str) -> Plain | None:
    """The review that is kept with a record, unless it is of an older form."""
    found = await hub_of(request).read(lambda store: store.review(id, effort))
    return found if found is not None and found.get("form") == FORM else None


@router.get("/records/{id}/review", summary="The review that is kept with a game")
async def kept_review(request: Request, id: Id) -> Plain | None:
    """The most thorough one, with its `effort`; null if there is none yet."""
    await _shared(request, id)
    for effort in reversed(EFFORTS):
        found = await _kept(request, id, effort)
        if found is not None:
            return {**found, "effort": effort}
    return None


@router.post("/records/{id}/review", status_code=202, summary="Find the mistakes of a game")
async def begin_review(request: Request, id: Id, body: ReviewChoice) -> JobRef:
    """Takes a while: the job has its progress and its result. What was found is kept with the game; asked again, it is
    there at once."""
    hub, record = hub_of(request), await _shared(request, id)
    address, most = address_of(request), hub.settings.records_bytes
    kept, loop = await _kept(request, id, body.effort), asyncio.get_running_loop()
    if kept is not None:
        return JobRef(job=_jobs(request).done(kept, address))

    def work(stop: StopToken, progress: Callable[[float], None]) -> Plain:
        found = review(record, body.effort, stop, progress)
        saving = hub.save(lambda store: store.save_review(id, body.effort, found, most))
        try:
            asyncio.run_coroutine_threadsafe(saving, loop).result()
        except StoreError:  # it can be looked at all the same
            logger.exception("a review could not be stored")
        except RuntimeError:  # the server has stopped meanwhile
            saving.close()
        return found

    return JobRef(job=_jobs(request).begin(work, address))


@router.get("/jobs/{id}", summary="The progress of a job", tags=["jobs"])
async def job(request: Request, id: Id) -> Job:
    """State, progress and, at the end, the result."""
    return Job(**_jobs(request).get(id).to_dict())


@router.delete("/jobs/{id}", status_code=204, summary="Cancel a job", tags=["jobs"])
async def cancel(request: Request, id: Id) -> Response:
    """Its state becomes `cancelled`, unless it has ended."""
    _jobs(request).cancel(id)
    return Response(status_code=204)
