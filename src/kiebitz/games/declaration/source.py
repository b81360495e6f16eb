"""What a game is made from if it has no rule parameters in the usual sense."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Source:
    """Where a game without fixed rules comes from, such as a tree's file: people give one thing, the core gets
    another."""

    title: str
    """The title of the game before a source is given."""
    parameters: Mapping[str, str]
    """The arguments of which people give one, each with a line of help."""
    read: Callable[..., tuple[dict[str, Any], dict[str, Any]]]
    """Turns that argument into what is kept with the game as JSON, and into the parameters of the core."""
    examples: Callable[[], list[str]]
    """Names that can be given as ``example``."""
    files: tuple[str, ...] = ()
    """Endings of the files that can be given as ``file``."""
