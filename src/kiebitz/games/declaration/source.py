"""What a game is made from if it has no rule parameters in the usual sense."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Source:
    """A game that is whatever its source says, such as a tree from a file: people give one thing, the core gets
    another."""

    title: str
    """What the game is called as long as there is no source."""
    parameters: Mapping[str, str]
    """What people can give, one of these, each with a line of help."""
    read: Callable[..., tuple[dict[str, Any], dict[str, Any]]]
    """From what people gave to what is kept with the game as JSON, and to the parameters of the core."""
    examples: Callable[[], list[str]]
    """Names that can be given as ``example``."""
