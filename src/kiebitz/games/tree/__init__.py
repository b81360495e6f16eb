"""Explicit game trees: any finite extensive-form game from a JSON or Gambit file, declared for the layers above."""

from kiebitz.games.declaration import Declaration
from kiebitz.games.declaration.fields import Fields, text, whole
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

FIELDS: Fields = {
    "view.observer": whole("your seat"),
    "view.phase": text("whether you are to move, others are, or the game is over", "move", "wait", "over"),
    "view.set": whole("your information set, by its number in the tree; -1: you are not to move", -1),
    "view.action": whole("your last action by its place in its set; -1: none", -1),
    "view.node": whole("where every set has a single node: that node"),
}

DECLARATION = Declaration(source=SOURCE, fields=FIELDS)
