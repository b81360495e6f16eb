"""The registry of games: from names to games, and from files and pickles back to games.

Compiled games come from the core; games written in Python are added with `register`.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.util
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kiebitz import _core
from kiebitz.errors import ParameterError, UnknownName, ViewError
from kiebitz.games.declaration import Declaration
from kiebitz.games.python import PythonGame
from kiebitz.plugins import bring as bring_module
from kiebitz.plugins import load_installed, run_file, source_of_module

_python_games: dict[str, type[PythonGame]] = {}

VIEW_SCHEMA = 1
INSTALLED = "kiebitz.games"
"""The group of entry points in which installed packages announce their games."""


def list_games() -> list[str]:
    """Names of all games, compiled ones first; those of installed packages are among them.

    >>> "tic_tac_toe" in list_games()
    True
    """
    load_installed(INSTALLED)
    return [*_core.game_names(), *_python_games]


def register(kind: type[PythonGame]) -> type[PythonGame]:
    """Adds a game written in Python to the registry; a class decorator.

    A class of the same name replaces the earlier one, so that a module can be reloaded; the name of a compiled game is
    refused.
    """
    if kind.name in _core.game_names():
        raise ParameterError(f"the name '{kind.name}' belongs to a compiled game")
    _python_games[kind.name] = kind
    return kind


def declaration_of(game: _core.Game | str) -> Declaration:
    """The declaration of a game, or the generic one.

    >>> import kiebitz as kb
    >>> declaration_of("kuhn") is declaration_of(kb.game("kuhn", players=3))
    True
    >>> declaration_of("a game that declares nothing") == Declaration()
    True
    """
    name = game if isinstance(game, str) else game.name
    return _python_games[name].declaration if name in _python_games else _compiled(name)


@functools.cache
def _compiled(name: str) -> Declaration:
    module = f"kiebitz.games.{name}"
    if name not in _core.game_names() or importlib.util.find_spec(module) is None:
        return Declaration()
    found = importlib.import_module(module).DECLARATION
    assert isinstance(found, Declaration), module
    return found


@functools.cache
def ratings_of(name: str) -> dict[str, Any] | None:
    """The tournament in which the strengths of a compiled game were rated, as ``kiebitz tournament --json`` wrote it;
    None if there was none. The file is beside the declaration.

    >>> ratings_of("nim")["game"], ratings_of("a game that declares nothing")
    ({'name': 'nim'}, None)
    """
    if not name.isidentifier():
        return None
    here = Path(__file__).parent
    found = next((file for file in (here / name / "ratings.json", here / f"{name}.json") if file.is_file()), None)
    return None if found is None else dict(json.loads(found.read_text(encoding="utf-8")))


def shipped_nets(name: str) -> list[Path]:
    """The files of trained nets that come with a compiled game, beside its declaration; the card of each says which
    rules it was made for.

    >>> shipped_nets("a game that declares nothing")
    []
    """
    here = Path(__file__).parent
    return [*here.glob(f"{name}.npz"), *sorted((here / name).glob("*.npz"))] if name.isidentifier() else []


def load_file(path: str | Path) -> str:
    """Runs a Python file that registers a game and returns the game's name; the file is trusted like any program."""
    before = dict(_python_games)
    run_file(path)
    added = [name for name, kind in _python_games.items() if before.get(name) is not kind]
    if not added:
        raise UnknownName(f"{path}: registers no game; expected a class with @kiebitz.register")
    return added[-1]


def reader_of(path: str | Path) -> str | None:
    """The game that is made from files such as this one, judging by the ending; None if there is no such game.

    >>> reader_of("prisoners.EFG"), reader_of("kuhn")
    ('tree', None)
    """
    ending = Path(path).suffix.lower()
    sources = {name: declaration_of(name).source for name in list_games()} if ending else {}
    return next((name for name, source in sources.items() if source is not None and ending in source.files), None)


def source_of(name: str) -> tuple[str, str] | None:
    """Where the class of a game written in Python lives, for other processes: module and file; None for compiled games.

    >>> source_of("oware") is None
    True
    """
    if name not in _python_games:
        return None
    return source_of_module(_python_games[name].__module__)


def bring(name: str, source: tuple[str, str] | None) -> None:
    """Imports a game from the source that another process named."""
    if source is None or name in list_games():
        return
    bring_module(*source)


def game(name: str, preset: str | None = None, **params: Any) -> _core.Game:
    """The game of that name with its rule parameters.

    >>> game("kuhn", players=3).info.players
    3
    """
    if not isinstance(name, str) or not (preset is None or isinstance(preset, str)):
        raise UnknownName(f"expected the name of a game and of a preset as text, got {name!r:.60} and {preset!r:.60}")
    if name not in _python_games and name not in _core.game_names():
        load_installed(INSTALLED)
    if name in _python_games:
        if preset is not None:
            raise UnknownName(f"unknown preset '{preset}': {name} has none")
        return _python_games[name].make(**params)
    if name not in _core.game_names():
        near = difflib.get_close_matches(name, list_games(), n=1)
        hint = f"; did you mean '{near[0]}'?" if near else f"; expected one of: {', '.join(list_games())}"
        raise UnknownName(f"unknown game '{name}'{hint}")
    if preset is not None and not preset.isprintable():
        raise UnknownName(f"unknown preset {preset!r}")
    plain: Mapping[str, Any] = params
    source = declaration_of(name).source
    if source is not None:
        params, plain = source.read(**params)
    origin: dict[str, Any] = {"name": name}
    if preset is not None:
        origin["preset"] = preset
    if params:
        origin["params"] = params
    return _core.make_game(name, preset or "", dict(plain), json.dumps(origin, default=_plain))


def _plain(value: object) -> object:
    if isinstance(value, Iterable):
        return list(value)
    raise ParameterError(f"expected plain values as rule parameters, got {type(value).__name__}")


def from_json(origin: Mapping[str, Any]) -> _core.Game:
    """The inverse of `Game.to_json()`.

    >>> from_json({"name": "kuhn", "params": {"players": 3}}).info.players
    3
    """
    if not isinstance(origin, Mapping) or not isinstance(origin.get("name"), str):
        raise ParameterError("game: expected a mapping with the name of a game")
    unknown = set(origin) - {"name", "preset", "params"}
    if unknown:
        raise ParameterError(f"game: unknown field '{min(map(str, unknown))}'; expected name, preset, params")
    params = origin.get("params", {})
    preset = origin.get("preset")
    if not isinstance(params, Mapping) or not (preset is None or isinstance(preset, str)):
        raise ParameterError("game: expected params as a mapping and preset as text")
    # `name` and `preset` would collide below; a description from elsewhere must not make us read files.
    refused = [key for key in params if not isinstance(key, str) or key in ("name", "preset", "file")]
    if refused:
        raise ParameterError(f"game: unknown parameter '{refused[0]}'")
    return game(origin["name"], preset, **params)


def view_from_json(data: Mapping[str, Any]) -> _core.View:
    """The inverse of `View.to_json()`.

    >>> import kiebitz as kb
    >>> view = kb.game("tic_tac_toe").new().view(0)
    >>> view_from_json(view.to_json()) == view
    True
    """
    if not isinstance(data, Mapping) or data.get("schema") != VIEW_SCHEMA:
        raise ViewError(f"expected a view of schema {VIEW_SCHEMA}")
    if set(data) != {"schema", "game", "view"}:
        raise ViewError("expected exactly the fields schema, game and view")
    if not isinstance(data["view"], dict):
        raise ViewError("view: expected a mapping of names to values")
    return from_json(data["game"]).load_view(data["view"])


def restore_state(
    game: _core.Game,
    start: dict[str, Any],
    seen: Sequence[int],
    history: Sequence[int],
    chance: Sequence[int] | None,
) -> _core.State:
    """Rebuilds a pickled state: the start, the actions since, the generator for chance."""
    state = game.load(start, seen)
    for action in history:
        state.apply(action)
    if chance is not None:
        state.set_chance(chance)
    return state


def restore_view(game: _core.Game, fields: dict[str, Any]) -> _core.View:
    """Rebuilds a pickled view."""
    return game.load_view(fields)
