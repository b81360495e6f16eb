"""Explicit game trees: any finite extensive-form game from a JSON or Gambit file, declared for the layers above."""

from kiebitz.games.declaration import Declaration
from kiebitz.games.tree.efg import to_efg
from kiebitz.games.tree.form import MAX_DEPTH, check_tree, flatten, to_fields, unroll
from kiebitz.games.tree.source import (
    DEFAULT_EXAMPLE,
    SOURCE,
    list_examples,
    load_example,
    load_tree,
    parse_tree,
)

__all__ = [
    "DEFAULT_EXAMPLE",
    "MAX_DEPTH",
    "check_tree",
    "flatten",
    "list_examples",
    "load_example",
    "load_tree",
    "parse_tree",
    "to_efg",
    "to_fields",
    "unroll",
]

DECLARATION = Declaration(source=SOURCE)
