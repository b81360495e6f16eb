"""Routes that list what a server offers: games, strengths, agents."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Query

import kiebitz
from kiebitz.agents.strengths import LevelRating
from kiebitz.games import declaration_of, ratings_of
from kiebitz.server.catalogue import listed_parameters, offered, offered_game
from kiebitz.server.errors import TableError
from kiebitz.server.safety import levels, listed_agents
from kiebitz.server.schemas import Health, Plain

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/health", summary="Whether the server runs")
async def health() -> Health:
    """Says ok, and which version this is."""
    return Health(status="ok", version=kiebitz.__version__)


@router.get("/games", summary="The games that can be played")
def games() -> list[Plain]:
    """Each with its presets, its rule parameters with their bounds, and how strong bots can be."""
    return [_listed(name) for name in offered()]


_FACTS = ("chance", "utility", "repetition", "max_length", "min_payoff", "max_payoff")
"""What a page of rules can say about any game."""


@cache
def _listed(name: str) -> dict[str, Any]:
    game, rated = offered_game(name), ratings_of(name)
    ratings = (
        {} if rated is None else {each.spec: each.rating for each in levels(kiebitz.games.from_json(rated["game"]))}
    )
    return {
        "name": name,
        "title": game.info.title,
        "players": game.info.players,
        "hidden": game.info.hidden,
        "facts": {key: getattr(game.info, key) for key in _FACTS} | {"kinds": [each.name for each in game.info.kinds]},
        "unit": declaration_of(game).words.unit(game)._asdict(),
        "presets": [{"name": each.name, "help": each.help, "values": each.values} for each in game.presets],
        "parameters": listed_parameters(game),
        "lesson": declaration_of(game).players.lesson is not None,
        "strengths": [{**dataclasses.asdict(each), "rating": _plain(ratings.get(each.spec))} for each in levels(game)],
        "rated": None if rated is None else rated["game"].get("preset"),
    }


def _plain(rating: LevelRating | None) -> dict[str, Any] | None:
    return None if rating is None else dataclasses.asdict(rating)


@router.get("/agents", summary="The agents that may sit at a table of a game")
async def agents(game: Annotated[str, Query(max_length=40, examples=["doppelkopf"])]) -> list[Plain]:
    """Each with its options and their bounds, as they are written in the `spec` of a seat."""
    if game not in offered():
        raise TableError("unknown_game", f"there is no game '{game}'; expected one of {', '.join(offered())}")
    return listed_agents(offered_game(game))
