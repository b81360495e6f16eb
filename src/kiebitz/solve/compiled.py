"""Compiled games: a game as flat arrays, made once and kept for solvers and measures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kiebitz import _core
from kiebitz._core import CompiledGame, Game, View
from kiebitz.errors import ParameterError
from kiebitz.games import game as make_game

_KEPT = 500_000_000  # bytes of arrays that are kept besides those of the game used last
_MOST = 2**40  # no limit is larger
_cache: dict[str, CompiledGame] = {}  # by rules, the last one used at the end

GameLike = Game | str


def game_of(game: GameLike) -> Game:
    """A game, given as such or by name.

    >>> game_of("kuhn").name
    'kuhn'
    """
    if isinstance(game, str):
        return make_game(game)
    if not isinstance(game, Game):
        raise ParameterError(f"game: expected a game or the name of one, got {type(game).__name__}")
    return game


def rules_of(game: Game) -> str:
    """The rules as text: one text for all ways to ask for them.

    >>> rules_of(make_game("leduc")) == rules_of(make_game("leduc", preset="standard", ranks=3))
    True
    """
    return json.dumps([game.name, game.params], sort_keys=True)


def compile_game(game: GameLike, nodes: int | None = None, memory_mb: int | None = None) -> CompiledGame:
    """The game as flat arrays. `LimitError` if it exceeds the limits, `UnsuitableGame` if a player forgets something.

    Compiled games are kept for the next call; the limits apply to kept games as well.

    >>> leduc = compile_game("leduc")
    >>> leduc.nodes, leduc.sets(0) + leduc.sets(1)
    (9457, 936)
    """
    game = game_of(game)
    limits: dict[str, Any] = {
        name: limit for name, limit in (("nodes", nodes), ("memory_mb", memory_mb)) if limit is not None
    }
    for name, limit in limits.items():
        if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= _MOST:
            raise ParameterError(f"{name}: expected a whole number from 1 up, got {limit!r:.60}")
    key = rules_of(game)
    compiled = _cache.get(key)
    # The class of a Python game can have been replaced. A game that exceeds the limits is compiled again, so that it is
    # refused with the same message.
    if (
        compiled is None
        or (game.needs_interpreter and compiled.game is not game)
        or compiled.nodes > limits.get("nodes", _MOST)
        or compiled.bytes > limits.get("memory_mb", _MOST) << 20
    ):
        compiled = _core.compile(game, **limits)
    _cache.pop(key, None)
    _cache[key] = compiled
    kept = sum(one.bytes for one in _cache.values()) - compiled.bytes
    for old in list(_cache)[:-1]:
        if kept <= _KEPT:
            break
        kept -= _cache.pop(old).bytes
    return compiled


def view_of(compiled: CompiledGame, player: int, number: int) -> View:
    """What a player sees in an information set, for names and words.

    >>> view = view_of(compile_game("kuhn"), 0, 0)
    >>> [view.name(action) for action in view.legal()]
    ['pass', 'bet']
    """
    state = compiled.game.root()
    for action in compiled.path(player, number):
        state.apply(action)
    return state.view(player)


def read_path(path: str | Path) -> Path:
    """A file that must be there.

    >>> read_path("nowhere.npz")
    Traceback (most recent call last):
    kiebitz._core.ParameterError: nowhere.npz: there is no such file
    """
    if not isinstance(path, str | Path):
        raise ParameterError(f"file: expected its name, got {type(path).__name__}")
    path = Path(path)
    try:
        if not path.is_file():
            kind = "a folder" if path.is_dir() else "not a plain file" if path.exists() else None
            raise ParameterError(f"{path}: there is no such file" if kind is None else f"{path}: this is {kind}")
    except OSError as error:
        raise ParameterError(f"{path}: cannot be read: {error.strerror}") from None
    return path
