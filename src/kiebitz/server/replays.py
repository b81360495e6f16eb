"""A recorded game as a sequence of positions with all cards open, for the slider of the replay."""

from __future__ import annotations

from typing import Any

from kiebitz._core import CHANCE, Game, State
from kiebitz.records import Record, RecordError, replay
from kiebitz.server.public import playable_games
from kiebitz.server.views import snapshot_parts

MOST_STEPS = 1200
"""Longer games are refused; the longest that the rules of the games here allow is shorter."""


def steps(record: Record) -> list[dict[str, Any]]:
    """The position before every action of a player, and the last one.

    ``ply`` counts all actions of the record, chance included, as reviews do. ``seat``, ``action`` and ``name`` say what
    is played next, and nothing at the end. Moves of chance are no steps of their own: what they dealt is seen in the
    next one.

    >>> import kiebitz as kb
    >>> state = kb.game("nim").new()
    >>> state.apply(state.parse("4:7"))
    >>> [(step["ply"], step["seat"], step["name"]) for step in steps(kb.records.record_of(state))]
    [(0, 0, '4:7'), (1, None, None)]
    """
    state = beginning(check(record).game, record)
    found: list[dict[str, Any]] = []
    for ply, (action, name) in enumerate(record.actions):
        if state.player != CHANCE:
            found.append(_step(state, ply, action, name))
        state.apply(action)
    if state.player != CHANCE:
        found.append(_step(state, len(record.actions), None, None))
    return found


def check(record: Record) -> State:
    """The end of a game that has a table and follows the rules; RecordError for any other."""
    name = record.game.get("name")
    if not isinstance(name, str) or name not in playable_games():
        raise RecordError(f"game: expected one of {', '.join(playable_games())}")
    if len(record.actions) > MOST_STEPS:
        raise RecordError(f"actions: expected at most {MOST_STEPS:,}, got {len(record.actions):,}")
    return replay(record)


def beginning(game: Game, record: Record) -> State:
    """Where a record begins, its moves of chance still to come."""
    return game.root() if record.start is None else game.load(record.start)


def names_of(record: Record, players: int) -> list[str]:
    """Who sat where: the names of the record, cut to what fits on a page, or the numbers of the seats.

    >>> import kiebitz as kb
    >>> names_of(kb.records.record_of(kb.game("nim").new(), ["Ada", "Bob"]), 2)
    ['Ada', 'Bob']
    """
    seats = record.seats or tuple(str(seat) for seat in range(players))
    return [name if len(name) <= 40 else name[:39] + "…" for name in seats]


def _step(state: State, ply: int, action: int | None, name: str | None) -> dict[str, Any]:
    seat = state.player if state.player >= 0 and action is not None else None
    return {"ply": ply, "seat": seat, "action": action, "name": name, **snapshot_parts(state, "all")}
