"""Who asks: the hub behind a request, the address it came from, and the table and seat that it is about."""

from __future__ import annotations

from fastapi import Request, Response, WebSocket

from kiebitz.agents.strengths import CASUAL, spec_of
from kiebitz.server.errors import TableError
from kiebitz.server.hub import Hub
from kiebitz.server.limits import PROOF
from kiebitz.server.live import Live


def hub_of(request: Request | WebSocket) -> Hub:
    """The hub of the server."""
    hub = request.app.state.hub
    assert isinstance(hub, Hub)
    return hub


def proof_of(request: Request) -> str | None:
    """The proof of a request's token, which the gate has taken; None if it brings no token."""
    proof = request.scope.get(PROOF)
    if proof is None and PROOF in request.scope:
        raise TableError("no_token", "expected the header 'Authorization: Bearer TOKEN'")
    assert proof is None or isinstance(proof, str)
    return proof


async def seated(request: Request, id: str) -> tuple[Live, int | None]:
    """A table as the store has it, which another server may have changed, and the seat that the caller has proved; None
    for spectators and owners."""
    live = await hub_of(request).live(id)
    await live.catch_up()
    proof = proof_of(request)
    return live, None if proof is None else live.table.seat_of(proof)


async def own_seat(request: Request, id: str) -> tuple[Live, int]:
    """The same for what only somebody at the table may do."""
    live = await hub_of(request).live(id)
    proof = proof_of(request)
    if proof is None:
        raise TableError("no_token", "sit down first: this needs the token of a seat")
    seat = await live.seat_of(proof)
    if seat is None:
        raise TableError("foreign_token", "this needs the token of a seat")
    return live, seat


async def stand_in(request: Request, live: Live) -> str:
    """The agent that takes over for a person; to make one may take time."""
    game = live.table.game
    return await hub_of(request).chores.run(lambda: spec_of(game, CASUAL), address_of(request))


def address_of(request: Request) -> str:
    """The address that a request came from."""
    return request.client.host if request.client else "?"


def shown(request: Request, live: Live) -> Response:
    """A snapshot as an answer: the same text that sockets get, for the seat that the caller holds now."""
    seat = live.table.proved(proof_of(request))
    return Response(live.text(seat), media_type="application/json", headers={"cache-control": "no-store"})
