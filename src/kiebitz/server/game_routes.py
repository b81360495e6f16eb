"""Routes that say what there is: games, strengths, agents."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Query

import kiebitz
from kiebitz.agents.strengths import strengths
from kiebitz.games import game as make_game
from kiebitz.server.errors import TableError
from kiebitz.server.public import playable_games
from kiebitz.server.safety import listed_agents, listed_parameters
from kiebitz.server.schemas import Health, Plain

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/health", summary="Whether the server runs")
async def health() -> Health:
    """Says ok, and which version this is."""
    return Health(status="ok", version=kiebitz.__version__)


@router.get("/games", summary="The games that can be played")
def games() -> list[Plain]:
    """Each with its presets, its rule parameters with their bounds, and how strong bots can be."""
    return _games()


@cache
def _games() -> list[dict[str, Any]]:
    out = []
    for name in playable_games():
        game = make_game(name)
        out.append(
            {
                "name": name,
                "title": game.info.title,
                "players": game.info.players,
                "hidden": game.info.hidden,
                "presets": [{"name": each.name, "help": each.help, "values": each.values} for each in game.presets],
                "parameters": listed_parameters(game),
                "strengths": [{"key": each.key, "spec": each.spec} for each in strengths(game)],
            }
        )
    return out


@router.get("/agents", summary="The agents that may sit at a table of a game")
async def agents(game: Annotated[str, Query(max_length=40, examples=["doppelkopf"])]) -> list[Plain]:
    """Each with its options and their bounds; ``spec`` of a seat is written with them."""
    if game not in playable_games():
        raise TableError("unknown_game", f"there is no game '{game}'; expected one of {', '.join(playable_games())}")
    return listed_agents(make_game(game))
