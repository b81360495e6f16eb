"""The games that a server offers, with bounds on their rules: those with a place in the lobby, and those that it was
started with.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kiebitz._core import Game
from kiebitz.errors import Error, ParameterError
from kiebitz.games import declaration_of, from_json, list_games, load_file, reader_of
from kiebitz.games import game as make_game
from kiebitz.server.errors import TableError

_TYPES = {bool: "boolean", int: "integer", float: "number", str: "text"}
_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
_added: dict[str, Game] = {}


def offered() -> list[str]:
    """The names of the games on offer, in the order of the lobby.

    >>> [name for name in offered() if name in ("nim", "oware", "rock_paper_scissors")]
    ['oware', 'nim']
    """
    places = {name: declaration_of(name).bounds.place for name in list_games()}
    listed = sorted((place, name) for name, place in places.items() if place is not None)
    return [*dict.fromkeys([*(name for _, name in listed), *_added])]


def offer(game: str | Path) -> str:
    """Offers one more game, by its name or from a file, and returns its name in the lobby.

    A Python file is run, and trusted like any program: it has to register a game. Any other file has to be one that a
    game is made from, such as a tree in JSON or in Gambit's format, and is listed by the name of its file.
    """
    path, name = Path(game), str(game)
    if name in list_games() or not path.suffix:
        _added[name] = make_game(name)
        return name
    if path.suffix == ".py":
        name = load_file(path)
        _added[name] = make_game(name)
        return name
    reader = reader_of(path)
    if reader is None:
        raise ParameterError(f"{path}: expected a file that holds a game, such as .py, .json, .efg or .nfg")
    made = make_game(reader, file=path)
    if not _NAME.fullmatch(path.stem) or path.stem in list_games():
        raise ParameterError(f"{path}: expected a file named in letters and digits, and not like a game")
    _added[path.stem] = made
    return path.stem


def offered_game(name: str) -> Game:
    """A game on offer with its usual rules; raises TableError for any other name."""
    if name not in offered():
        raise TableError("bad_game", f"'{name:.40}' has no table; expected one of {', '.join(offered())}")
    return _added[name] if name in _added else make_game(name)


def safe_game(name: str, preset: str | None, params: dict[str, Any]) -> Game:
    """A game on offer with rules that a server can afford; raises TableError for any other.

    >>> safe_game("nim", None, {"heaps": [2, 3]}).params["heaps"]
    [2, 3]
    """
    usual = offered_game(name)
    if not rules_can_be_chosen(usual):
        if preset is not None or params:
            raise TableError("bad_game", f"{name}: expected the rules that the server was started with")
        return usual
    bounds = declaration_of(name).bounds
    for key, most in bounds.most.items():
        given = params.get(key)
        numbers = given if isinstance(given, list) else [given]
        longest = bounds.lengths.get(key, (1, 1))[1]
        if len(numbers) > longest:
            raise TableError("bad_game", f"{name}: {key}: expected at most {longest} values")
        if any(isinstance(each, int | float) and each > most for each in numbers):
            raise TableError("bad_game", f"{name}: {key}: expected at most {most:g}")
    try:
        return from_json({"name": name, "preset": preset, "params": params})
    except (Error, MemoryError) as error:
        raise TableError("bad_game", str(error)[:500]) from None


def rules_can_be_chosen(game: Game) -> bool:
    """Whether strangers may choose the rules of a game: not for trees, nor for games written in Python, whose
    parameters have no ranges.

    >>> rules_can_be_chosen(make_game("nim")), rules_can_be_chosen(make_game("tree"))
    (True, False)
    """
    return declaration_of(game).source is None and not game.needs_interpreter


def check_origin(origin: Mapping[str, Any]) -> None:
    """Raises TableError if a record's game cannot be played here; ``origin`` is how the game was asked for."""
    name, params = origin.get("name"), origin.get("params", {})
    if any(origin == game.to_json() for game in _added.values()):
        return
    if not isinstance(name, str) or name not in offered():
        raise TableError("bad_game", f"expected one of {', '.join(offered())}")
    if isinstance(params, dict):  # anything else is refused when the game is built
        safe_game(name, origin.get("preset"), params)


def listed_parameters(game: Game) -> list[dict[str, Any]]:
    """The rule parameters of a game as a form needs them, with the bounds of this server.

    >>> import kiebitz as kb
    >>> heaps, misere = listed_parameters(kb.game("nim"))
    >>> [heaps[key] for key in ("type", "default", "low", "high", "length")]
    ['integer', [1, 3, 5, 7], 0, 32, [1, 12]]
    >>> [misere[key] for key in ("type", "default", "low", "high", "length")]
    ['boolean', False, None, None, None]
    """
    if not rules_can_be_chosen(game):
        return []
    bounds = declaration_of(game).bounds
    out = []
    for each in game.parameters:
        initial = each.initial
        listed = isinstance(initial, list)
        sort = type((initial or [0])[0] if listed else initial)  # an empty list is one of whole numbers
        ranged = sort in (int, float) and each.low != each.high
        most = min(each.high, bounds.most.get(each.name, each.high))
        usual = (len(initial), len(initial)) if listed else None
        length = bounds.lengths.get(each.name, usual)
        out.append(
            {
                "name": each.name,
                "help": each.help,
                "type": _TYPES[sort],
                "default": initial,
                "low": sort(each.low) if ranged else None,
                "high": sort(most) if ranged else None,
                "choices": list(each.choices),
                "length": list(length) if length else None,
            }
        )
    return out
