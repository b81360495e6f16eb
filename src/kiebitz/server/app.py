"""The server: routes for games, tables, records and analyses over one hub, behind one gate."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

import kiebitz
from kiebitz.errors import Error
from kiebitz.server import analysis_routes, control_routes, game_routes, pages, record_routes, table_routes
from kiebitz.server.errors import TableError, refusal
from kiebitz.server.hub import Hub
from kiebitz.server.jobs import Jobs
from kiebitz.server.limits import Gate
from kiebitz.server.schemas import ProblemAnswer
from kiebitz.server.services import services
from kiebitz.server.settings import Settings
from kiebitz.server.sockets import Sockets
from kiebitz.server.validation import complaints
from kiebitz.store.database import StoreError

logger = logging.getLogger("kiebitz.server")

_STATUS_CODES = {404: "not_found", 405: "bad_request", 400: "bad_request", 413: "too_large"}


def create_app(settings: Settings | None = None, hub: Hub | None = None) -> FastAPI:
    """A server that is ready to run; tests pass a ``hub`` with deals of their own."""
    settings = settings or Settings()
    hub = hub or Hub(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        await hub.open()
        yield
        jobs.close()
        await hub.close()

    app = FastAPI(
        title="Kiebitz",
        version=kiebitz.__version__,
        description="Tables for people and programs: games, bots, analyses, records.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},
        responses={
            status: {"model": ProblemAnswer, "description": words}
            for status, words in (
                (400, "broken request"),
                (401, "a token is needed"),
                (403, "not allowed"),
                (404, "there is no such thing"),
                (409, "not now"),
                (413, "too large"),
                (422, "not possible"),
                (429, "too many requests"),
                (503, "too busy"),
            )
        },
    )
    jobs = Jobs(hub.reviews, settings.jobs, settings.jobs_per_address)
    app.state.hub, app.state.jobs, app.state.sockets = hub, jobs, Sockets(hub)
    app.state.analyses = {}
    app.include_router(table_routes.router)  # first: most requests go there
    app.include_router(control_routes.router)
    app.include_router(analysis_routes.router)
    app.include_router(game_routes.router)
    app.include_router(record_routes.router)
    own = services()
    for service in own:
        app.include_router(service)
    prefixes = [service.prefix for service in own]
    app.include_router(pages.router(settings.page, prefixes))
    _handle_errors(app)
    app.add_middleware(Gate, settings=settings, services=prefixes)
    return app


def _handle_errors(app: FastAPI) -> None:
    """Gives every refusal the same shape, without internal details."""

    @app.exception_handler(TableError)
    async def refused(_: Request, error: TableError) -> JSONResponse:
        return problem(error.status, error.code, error.message)

    @app.exception_handler(StoreError)
    async def not_stored(_: Request, error: StoreError) -> JSONResponse:
        logger.error("%s", error)
        return problem(503, "store", "this could not be stored; nothing has changed, try again")

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        broken = any(each.get("type") == "json_invalid" for each in error.errors())
        code = "bad_request" if broken else "invalid"
        return problem(400 if broken else 422, code, complaints(error.errors())[:500])

    @app.exception_handler(Error)
    async def impossible(_: Request, error: Error) -> JSONResponse:
        return problem(422, "invalid", str(error)[:500])

    @app.exception_handler(HTTPException)
    async def http_error(_: Request, error: HTTPException) -> JSONResponse:
        code = _STATUS_CODES.get(error.status_code, "bad_request")
        return problem(error.status_code, code, str(error.detail)[:300], error.headers)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> JSONResponse:
        logger.error("%s %s", request.method, request.url.path, exc_info=error)
        return problem(500, "internal", "something went wrong here; it was noted")


def problem(status: int, code: str, message: str, headers: Any = None) -> JSONResponse:
    """A refusal as an HTTP response."""
    return JSONResponse(refusal(code, message), status, headers)
