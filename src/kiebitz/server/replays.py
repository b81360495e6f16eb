"""A recorded game as a sequence of positions with all cards open, for the slider of the replay."""

from __future__ import annotations

from typing import Any

from kiebitz._core import CHANCE, Game, State, View
from kiebitz.agents import list_agents
from kiebitz.games import declaration_of
from kiebitz.games.declaration.words import Names
from kiebitz.games.scene import Scene
from kiebitz.records import Record, RecordError, outcome, replay
from kiebitz.server.catalogue import check_origin
from kiebitz.server.errors import TableError
from kiebitz.server.events import Start
from kiebitz.server.safety import levels as offered_levels
from kiebitz.server.views import Lost, snapshot_parts
from kiebitz.server.wishes import chosen_action
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
        found.append(_step(state, names, len(record.actions), lost=lost(record, state)))
    return found


def lost(record: Record, final: State) -> Lost | None:
    """The seat that lost a recorded game by giving up in its last state."""
    if final.player < 0 or not record.resigned or (returns := outcome(final, record.resigned)) is None:
        return None
    return Lost(record.resigned[0].seat, returns, record.resigned[0].late)


def position(record: Record, ply: int) -> State:
    """The state before action ``ply`` of a record, or after the last one."""
    check(record)
    if ply > len(record.actions):
        raise TableError("not_found", f"ply: expected at most {len(record.actions)}, got {ply}")
    return replay(record, ply)


def decision_view(state: State, seat: int | None = None) -> View:
    """The view of a seat that has something to decide in a state: the player to move, or in a secret round anybody who
    may speak. Raises TableError for any other seat.

    >>> import kiebitz as kb
    >>> decision_view(kb.game("kuhn").new(seed=1)).observer
    0
    """
    scene = Scene(state)
    seat = state.player if seat is None else seat
    view = None
    if not scene.over and 0 <= seat < state.game.info.players:
        asking = scene.round if scene.facts.asks(state) else None
        if asking is None:
            view = scene.view(seat) if seat == state.player else None
        else:
            view = scene.view_if_asked(seat) if seat in asking.able else None
    if view is None:
        raise TableError("wrong_turn", "there is nothing to decide at this seat now")
    return view


def tried(record: Record, ply: int, action: int | str) -> dict[str, Any]:
    """The step that follows if another action is played at ``ply``: what chance brings then is left out."""
    state = position(record, ply)
    if state.player < 0:
        raise TableError("game_over", "the game is over")
    state.apply(chosen_action(state.view(state.player), action))
    return _step(state, names_of(record, state.game.info.players), ply + 1)


def play_on(record: Record, ply: int) -> tuple[Game, Start]:
    """The game of a record, and how a table goes on from the position before action ``ply``.

    A secret round begins anew, so that everybody is asked once more.
    """
    state = position(record, ply)
    if state.player < 0:
        raise TableError("game_over", "the game is over here; expected an earlier position")
    facts, decline = declaration_of(state.game).facts, state.game.info.decline
    actions = [action for action, _ in record.actions[:ply]]
    while actions and actions[-1] == decline and facts.asks(replay(record, len(actions) - 1)):
        actions.pop()
    return state.game, Start(actions, record.start)


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


def _step(
    state: State,
    names: Names,
    ply: int,
    action: int | None = None,
    name: str | None = None,
    *,
    lost: Lost | None = None,
) -> dict[str, Any]:
    seat = state.player if state.player >= 0 and action is not None else None
    shown = snapshot_parts(Scene(state), "all", names=names, lost=lost)
    kind, amount = (None, None) if action is None else (state.kind(action), state.amount(action))
    return {"ply": ply, "seat": seat, "action": action, "name": name, "kind": kind, "amount": amount, **shown}
