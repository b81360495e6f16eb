"""How large games are: the state-space table of the DL4G course, shipped as data.

The exponents are rounded as printed there. What Kiebitz counts or knows more exactly is in `Game.info.log10_states`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources

ATOMS_IN_THE_UNIVERSE = 80
"""For scale: about 10 to the power of this."""


@dataclass(frozen=True)
class Complexity:
    """The size of a game: its number of legal positions is about ten to the power of `exponent`."""

    title: str
    game: str | None
    """The name in the registry, if Kiebitz plays it."""
    exponent: int


def complexity_table() -> list[Complexity]:
    """The table, smallest game first.

    >>> [entry.title for entry in complexity_table() if entry.exponent > ATOMS_IN_THE_UNIVERSE]
    ['Go 19x19']
    """
    text = resources.files("kiebitz.experiments").joinpath("complexity.json").read_text(encoding="utf-8")
    return [Complexity(**entry) for entry in json.loads(text)["games"]]
