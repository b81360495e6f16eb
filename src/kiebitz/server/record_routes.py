"""Routes of records: upload, replay, review."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Request, Response

from kiebitz import records
from kiebitz.server.asking import address_of, hub_of
from kiebitz.server.errors import TableError
from kiebitz.server.jobs import Jobs
from kiebitz.server.live import to_json
from kiebitz.server.replays import check, seats_of, steps
from kiebitz.server.review import review
from kiebitz.server.schemas import Job, JobRef, Plain, Ref, ReviewChoice
from kiebitz.server.table import game_part

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
    """The record, and all that could be seen at each step."""
    record = await _shared(request, id)
    return await hub_of(request).chores.run(lambda: _replayed(record), address_of(request))


def _replayed(record: records.Record) -> Response:
    """The whole answer, made in a thread: it may be megabytes, and no other request should wait for it."""
    game = check(record).game
    shown = {
        "record": record.to_json(),
        "game": game_part(game),
        "seats": seats_of(record, game),
        "steps": steps(record),
    }
    return Response(to_json(shown), media_type="application/json")


@router.post("/records/{id}/review", status_code=202, summary="Find the mistakes of a game")
async def begin_review(request: Request, id: Id, body: ReviewChoice) -> JobRef:
    """Takes a while: the job has its progress and its result."""
    record = await _shared(request, id)
    work = _jobs(request).begin(lambda stop, progress: review(record, body.effort, stop, progress), address_of(request))
    return JobRef(job=work)


@router.get("/jobs/{id}", summary="The progress of a job", tags=["jobs"])
async def job(request: Request, id: Id) -> Job:
    """State, progress and, at the end, the result."""
    return Job(**_jobs(request).get(id).to_dict())


@router.delete("/jobs/{id}", status_code=204, summary="Cancel a job", tags=["jobs"])
async def cancel(request: Request, id: Id) -> Response:
    """Its state becomes `cancelled`, unless it has ended."""
    _jobs(request).cancel(id)
    return Response(status_code=204)
