"""A recorded game as a sequence of positions with all cards open, for the slider of the replay."""

from __future__ import annotations

from typing import Any

from kiebitz._core import CHANCE, Game, State
from kiebitz.agents import list_agents
from kiebitz.games.declaration.words import Names
from kiebitz.games.scene import Scene
from kiebitz.records import Record, RecordError, replay
from kiebitz.server.catalogue import check_origin
from kiebitz.server.errors import TableError
from kiebitz.server.safety import levels as offered_levels
from kiebitz.server.views import snapshot_parts
from kiebitz.spec import SpecError, parse

LONGEST_NAME = 40
"""Characters of a name that fit on a page."""
MOST_STEPS = 1200
"""Longer games are refused; no game on offer can take that long."""


def steps(record: Record) -> list[dict[str, Any]]:
    """The position before every action of a player, and the last one.

    ``ply`` counts all actions of the record, chance included, as reviews do. ``seat``, ``action`` and ``name`` say what
    is played next; at the end they are None. Chance moves are not steps: the next step shows what they dealt.

    >>> import kiebitz as kb
    >>> state = kb.game("nim").new()
    >>> state.apply(state.parse("4:7"))
    >>> [(step["ply"], step["seat"], step["name"]) for step in steps(kb.records.record_of(state))]
    [(0, 0, '4:7'), (1, None, None)]
    """
    game = check(record).game
    state, names = beginning(game, record), names_of(record, game.info.players)
    found: list[dict[str, Any]] = []
    for ply, (action, name) in enumerate(record.actions):
        if state.player != CHANCE:
            found.append(_step(state, names, ply, action, name))
        state.apply(action)
    if state.player != CHANCE:
        found.append(_step(state, names, len(record.actions)))
    return found


def check(record: Record) -> State:
    """The last state of a recorded game; raises RecordError if it could not have been played at a table here."""
    try:
        check_origin(record.game)
    except TableError as error:
        raise RecordError(f"game: {error}") from None
    if len(record.actions) > MOST_STEPS:
        raise RecordError(f"actions: expected at most {MOST_STEPS:,}, got {len(record.actions):,}")
    return replay(record)


def beginning(game: Game, record: Record) -> State:
    """The state that a record begins with, before any chance move."""
    return game.root() if record.start is None else game.load(record.start)


def names_of(record: Record, players: int) -> list[str]:
    """The names of the players, cut to fit on the page; empty if the record has none.

    If the record has no names, agents go by their specs without options, numbered if two are the same.

    >>> import kiebitz as kb
    >>> start = kb.game("nim").new()
    >>> names_of(kb.records.record_of(start, ["Ada", "uct(c=2)"], names=["Ada", "Bot 2"]), 2)
    ['Ada', 'Bot 2']
    >>> names_of(kb.records.record_of(start, ["uct(c=1)", "uct(c=2)"]), 2)
    ['uct 1', 'uct 2']
    """
    if record.names:
        return [_fitting(name) for name in record.names]
    bare = [_fitting(_without_options(text)) for text in record.seats or ("",) * players]
    return [f"{name} {i}" if name and bare.count(name) > 1 else name for i, name in enumerate(bare, 1)]


def seats_of(record: Record, game: Game) -> list[dict[str, Any]]:
    """The seats as the page shows them: names, and for a table's bots their strength in words.

    >>> import kiebitz as kb
    >>> start = kb.game("nim").new()
    >>> seats_of(kb.records.record_of(start, ["Ada", "nim_perfect"], names=["Ada", "Bot 2"]), start.game)
    [{'name': 'Ada', 'strength': None}, {'name': 'Bot 2', 'strength': 'best'}]
    """
    names = names_of(record, game.info.players)
    words: list[str | None] = [None] * len(names)
    if record.names and record.seats:
        levels = {level.spec: level.key for level in offered_levels(game)}
        pairs = zip(record.seats, record.names, strict=True)
        words = [levels.get(spec) if spec != called else None for spec, called in pairs]
    return [{"name": name, "strength": word} for name, word in zip(names, words, strict=True)]


def _fitting(name: str) -> str:
    name = "".join(char for char in name if char.isprintable()).strip()
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def _without_options(text: str) -> str:
    try:
        name = parse(text).name
    except SpecError:
        return text
    return name if name in list_agents() else text


def _step(state: State, names: Names, ply: int, action: int | None = None, name: str | None = None) -> dict[str, Any]:
    seat = state.player if state.player >= 0 and action is not None else None
    shown = snapshot_parts(Scene(state), "all", names=names)
    kind, amount = (None, None) if action is None else (state.kind(action), state.amount(action))
    return {"ply": ply, "seat": seat, "action": action, "name": name, "kind": kind, "amount": amount, **shown}
