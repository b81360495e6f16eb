"""What is said about a game, in English and German."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = ("en", "de")


@dataclass(frozen=True)
class Words:
    """What is said about a game, in English and German."""
