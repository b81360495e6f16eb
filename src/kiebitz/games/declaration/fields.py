"""The JSON fields of a game's views and outlines with their values, for programs that play it and know no rules.

A field is named by its path: ``view.hand`` or ``outline.public.rounds[][].kind``, where ``[]`` stands for each item of
a list. docs/protocol.md lists the fields of all games, and the contract tests compare them with what games send.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Field:
    """What a field means, and which values it has."""

    meaning: str
    kind: type[Any]
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    form: str = ""
    """A regular expression that the whole text follows."""
    example: str = ""
    """A text of that form, for people."""
    null: bool = False
    """Whether it can be null."""

    def fits(self, value: Any) -> bool:
        """Whether a value is one of this field.

        >>> whole("a seat", 0, 3).fits(4), text("the phase", "move", null=True).fits(None)
        (False, True)
        """
        if value is None:
            return self.null
        if not isinstance(value, self.kind) or isinstance(value, bool) != (self.kind is bool):
            return False
        if self.kind is str:
            return value in self.choices if self.choices else re.fullmatch(self.form, value) is not None
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    @property
    def values(self) -> str:
        """The values in words.

        >>> whole("a seat", 0, 3).values, truth("whether it folded").values, listed("a trick").values
        ('0 to 3', 'true or false', 'an object')
        """
        if self.kind is dict:
            words = "an object"
        elif self.kind is str:
            words = ", ".join(f"`{choice}`" if choice else "empty" for choice in self.choices)
            words = words or f"a text like `{self.example}`"
        elif self.kind is bool:
            words = "true or false"
        elif self.high is None:
            words = f"{'a whole number' if self.kind is int else 'a number'}, at least {self.low:g}"
        else:
            words = f"{self.low:g} to {self.high:g}"
        return f"{words}, or null" if self.null else words


def whole(meaning: str, low: int = 0, high: int | None = None, *, null: bool = False) -> Field:
    """A whole number."""
    return Field(meaning, int, low, high, null=null)


def number(meaning: str, low: float = 0.0) -> Field:
    """Any number."""
    return Field(meaning, float, low)


def truth(meaning: str) -> Field:
    """True or false."""
    return Field(meaning, bool)


def text(meaning: str, *choices: str, null: bool = False) -> Field:
    """One of some words."""
    return Field(meaning, str, choices=choices, null=null)


def pattern(meaning: str, form: str, example: str, *, null: bool = False) -> Field:
    """A text of some form."""
    return Field(meaning, str, form=form, example=example, null=null)


def listed(meaning: str, *, null: bool = False) -> Field:
    """An object, whose own fields are described by themselves; needed only for one that can be null."""
    return Field(meaning, dict, null=null)


Fields = Mapping[str, Field]


def observer(players: int) -> Field:
    """The field that every view has."""
    return whole("your seat", 0, players - 1)


def leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a JSON value with their paths and values; an empty list has none.

    >>> list(leaves("view", {"hand": ["J"], "bids": [], "last": None}))
    [('view.hand[]', 'J'), ('view.last', None)]
    """
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(f"{path}.{name}", inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from leaves(f"{path}[]", inner)
    else:
        yield path, value
