"""Games: the registry, rule parameters, games written in Python, explicit trees, drawing for people."""

from kiebitz.games.python import PythonGame, PythonState
from kiebitz.games.registry import (
    declaration_of,
    from_json,
    game,
    list_games,
    load_file,
    ratings_of,
    reader_of,
    register,
    view_from_json,
)

__all__ = [
    "PythonGame",
    "PythonState",
    "declaration_of",
    "from_json",
    "game",
    "list_games",
    "load_file",
    "ratings_of",
    "reader_of",
    "register",
    "view_from_json",
]
