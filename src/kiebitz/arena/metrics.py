"""Metrics: what a finished game says beyond its payoffs, by plug-in.

A metric has a name, the games it is made for and a function of the final state and the moves. Those of this package are
listed here; ``register_metric`` adds others, and a metric that no one registered can be named by where it lives
(``package.module:function``), so that other processes and other machines find it too.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from kiebitz._core import Game, State
from kiebitz.errors import ParameterError, UnknownName

Metrics = Callable[[State, Sequence[tuple[int, int]]], dict[str, Any]]
"""From the final state of a game and its moves (seat, action): true or false, numbers or text for the whole game, lists
for one value a seat."""


@dataclass(frozen=True)
class _Entry:
    function: Metrics | str
    games: tuple[str, ...]
    """Nothing: every game."""


_registry: dict[str, _Entry] = {}


def register_metric(name: str, function: Metrics | str, games: Sequence[str] = ()) -> None:
    """Adds a metric under a name; ``games`` are the names of those it is made for, without any all. The function may be
    given as ``package.module:function``: it is then loaded when it is first used.

    >>> def first_mover(state, moves):
    ...     return {"first": moves[0][0]}
    >>> register_metric("first_mover", first_mover, ["nim"])
    >>> import kiebitz as kb
    >>> sorted(metrics_for(kb.game("nim")))
    ['first_mover', 'moves']
    >>> del _registry["first_mover"]
    """
    if not name.isidentifier():
        raise ParameterError(f"metric: expected a name of letters, digits and _, got {name!r:.60}")
    if name in _registry:
        raise ParameterError(f"metric: there is already one named '{name}'")
    _registry[name] = _Entry(function, tuple(games))


def find_metric(name: str) -> Metrics:
    """The function of a metric, by its name or by where it lives.

    >>> find_metric("moves").__name__, find_metric("kiebitz.arena.metrics:own_moves").__name__
    ('own_moves', 'own_moves')
    """
    if not isinstance(name, str):
        raise ParameterError(f"metric: expected a name, got {name!r:.60}")
    if ":" in name:
        return _load(name)
    if name not in _registry:
        raise UnknownName(f"metric: expected {', '.join(sorted(_registry))} or module:function, got '{name:.60}'")
    function = _registry[name].function
    return _load(function) if isinstance(function, str) else function


def metrics_for(game: Game) -> Mapping[str, Metrics]:
    """The metrics that are made for a game, by name.

    >>> import kiebitz as kb
    >>> sorted(metrics_for(kb.game("oware")))
    ['moves', 'oware']
    """
    return {name: find_metric(name) for name, entry in _registry.items() if not entry.games or game.name in entry.games}


def default_metrics(game: Game) -> tuple[str, ...]:
    """The names of the metrics that are made for this game and no other.

    >>> import kiebitz as kb
    >>> default_metrics(kb.game("doppelkopf")), default_metrics(kb.game("nim"))
    (('doppelkopf',), ())
    """
    return tuple(name for name, entry in _registry.items() if entry.games == (game.name,))


def bet_of(game: Game) -> float | None:
    """What a bet is worth in a poker-like game, the unit of bets per hand; nothing in other games.

    >>> import kiebitz as kb
    >>> bet_of(kb.game("leduc")), bet_of(kb.game("kuhn")), bet_of(kb.game("oware"))
    (2.0, 1.0, None)
    """
    if game.name == "kuhn":
        return 1.0
    return float(game.params["bets"][0]) if game.name == "leduc" else None


def _load(path: str) -> Metrics:
    module, _, function = path.partition(":")
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError, TypeError):
        raise UnknownName(f"metric: expected module:function that can be imported, got '{path:.100}'") from None
    if not callable(found):
        raise UnknownName(f"metric: expected a function, got '{path:.100}'")
    return cast(Metrics, found)


# --- The metrics of this package --------------------------------------------------------------------------------------


def own_moves(state: State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """How many moves each seat made, forced ones included."""
    return own_moves_of({}, _counts(state, moves))


def oware(state: State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Own moves and captured seeds of each seat, how the game ended and whether the guard against endless play ended
    it."""
    return oware_of(state.result(), _counts(state, moves))


def own_moves_of(result: Mapping[str, Any], counts: Sequence[int]) -> dict[str, Any]:
    """`own_moves` from the moves of each seat, for batches."""
    del result
    return {"own_moves": list(counts)}


def oware_of(result: Mapping[str, Any], counts: Sequence[int]) -> dict[str, Any]:
    """`oware` from the result and the moves of each seat, for batches."""
    return {
        "own_moves": list(counts),
        "captured": list(result["captured"]),
        "ended": result["ended"],
        "guarded": result["ended"] == "guard",
    }


def _counts(state: State, moves: Sequence[tuple[int, int]]) -> list[int]:
    counts = [0] * len(state.returns())
    for seat, _ in moves:
        counts[seat] += 1
    return counts


def leduc(state: State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """For each seat whether it folded and how often it bet or raised; for the hand whether cards were shown."""
    fold, bet = 0, 2
    return {
        "folded": [(seat, fold) in moves for seat in range(2)],
        "bets": [sum(move == (seat, bet) for move in moves) for seat in range(2)],
        "showdown": state.result()["by"] == "showdown",
    }


def kuhn(state: State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """For each seat whether it folded and how often it bet or called; for the hand whether cards were shown."""
    bet = 1
    players = len(state.returns())
    paid = {seat for seat, action in moves if action == bet}
    return {
        "folded": [bool(paid) and seat not in paid for seat in range(players)],
        "bets": [int(seat in paid) for seat in range(players)],
        "showdown": len(paid) != 1,
    }


register_metric("moves", own_moves)
register_metric("oware", oware, ["oware"])
register_metric("leduc", leduc, ["leduc"])
register_metric("kuhn", kuhn, ["kuhn"])
register_metric("doppelkopf", "kiebitz.games.doppelkopf.metrics:metrics", ["doppelkopf"])
