"""Metrics by name: what a finished game says beyond its payoffs.

Games declare metrics of their own; ``register_metric`` adds others. A metric that nobody registered can be named by
where it lives (``package.module:function``), so that other processes and other machines find it, too.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from kiebitz._core import Game
from kiebitz.errors import ParameterError, UnknownName
from kiebitz.games import declaration_of, list_games
from kiebitz.games.declaration import Metric, ResultMetric


@dataclass(frozen=True)
class _Registered:
    function: Metric | str
    games: tuple[str, ...]
    """Empty: every game."""


_registry: dict[str, _Registered] = {}


def register_metric(name: str, function: Metric | str, games: Sequence[str] = ()) -> None:
    """Adds a metric under a name; ``games`` are those that it is for, all by default. The function may be given as
    ``package.module:function``: it is then loaded when it is first used.

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
    if name in _all():
        raise ParameterError(f"metric: there is already one named '{name}'")
    _registry[name] = _Registered(function, tuple(games))


def find_metric(name: str) -> Metric:
    """The function of a metric, by its name or by where it lives.

    >>> find_metric("moves") is find_metric("kiebitz.arena.metrics:own_moves")
    True
    """
    if not isinstance(name, str):
        raise ParameterError(f"metric: expected a name, got {name!r:.60}")
    if ":" in name:
        return _load(name)
    found = _all()
    if name not in found:
        raise UnknownName(f"metric: expected {', '.join(sorted(found))} or module:function, got '{name:.60}'")
    function = found[name]
    return _load(function) if isinstance(function, str) else function


def metrics_for(game: Game) -> Mapping[str, Metric]:
    """The metrics that can be taken in a game, by name.

    >>> import kiebitz as kb
    >>> sorted(metrics_for(kb.game("oware")))
    ['moves', 'oware']
    """
    general = [name for name, entry in _registry.items() if not entry.games or game.name in entry.games]
    return {name: find_metric(name) for name in (*general, *declaration_of(game).metrics.named)}


def default_metrics(game: Game) -> tuple[str, ...]:
    """The names of the metrics that are made for this game and no other.

    >>> import kiebitz as kb
    >>> default_metrics(kb.game("doppelkopf")), default_metrics(kb.game("nim"))
    (('doppelkopf',), ())
    """
    added = [name for name, entry in _registry.items() if entry.games == (game.name,)]
    return (*declaration_of(game).metrics.named, *added)


def _all() -> dict[str, Metric | str]:
    """All metrics by name: those that games declare, and those that were added."""
    declared = {name: metric for game in list_games() for name, metric in declaration_of(game).metrics.named.items()}
    return declared | {name: entry.function for name, entry in _registry.items()}


def _load(path: str) -> Metric:
    module, _, function = path.partition(":")
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError, TypeError):
        raise UnknownName(f"metric: expected module:function that can be imported, got '{path:.100}'") from None
    if not callable(found):
        raise UnknownName(f"metric: expected a function, got '{path:.100}'")
    return cast(Metric, found)


# --- For every game ---------------------------------------------------------------------------------------------------


def _own_moves(result: Mapping[str, Any], counts: Sequence[int]) -> dict[str, Any]:
    del result
    return {"own_moves": list(counts)}


own_moves = ResultMetric(_own_moves)
"""How many moves each seat made, forced ones included."""

register_metric("moves", own_moves)
