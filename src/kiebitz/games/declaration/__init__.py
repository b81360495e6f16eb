"""What the layers above the rules need to know of a game: agents, arena, cli and server ask here, never a name.

A compiled game named NAME has the constant ``DECLARATION`` in ``kiebitz.games.NAME``; a game written in Python has a
class attribute ``declaration``. Whatever a game does not say is generic, so that a game without any declaration can be
played at once: legal actions as choices, the view as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kiebitz.games.declaration.bounds import Bounds
from kiebitz.games.declaration.encoding import BoardEncoding, Encoding, Symmetry
from kiebitz.games.declaration.facts import Facts
from kiebitz.games.declaration.fields import Field, Fields
from kiebitz.games.declaration.metrics import Metric, Metrics, ResultMetric
from kiebitz.games.declaration.peer import FollowedPeer, Peer, PlayedPeer
from kiebitz.games.declaration.players import Players
from kiebitz.games.declaration.proofs import ExactSolver, Proven
from kiebitz.games.declaration.series import Deal, Series
from kiebitz.games.declaration.source import Source
from kiebitz.games.declaration.terminal import Terminal, fields_of
from kiebitz.games.declaration.words import LANGUAGES, Language, Words

__all__ = [
    "LANGUAGES",
    "BoardEncoding",
    "Bounds",
    "Deal",
    "Declaration",
    "Encoding",
    "ExactSolver",
    "Facts",
    "Field",
    "Fields",
    "FollowedPeer",
    "Language",
    "Metric",
    "Metrics",
    "Peer",
    "PlayedPeer",
    "Players",
    "Proven",
    "ResultMetric",
    "Series",
    "Source",
    "Symmetry",
    "Terminal",
    "Words",
    "fields_of",
]


@dataclass(frozen=True)
class Declaration:
    """All that one game declares, in parts; each part is generic unless the game brings its own."""

    players: Players = field(default_factory=Players)
    facts: Facts = field(default_factory=Facts)
    words: Words = field(default_factory=Words)
    terminal: Terminal = field(default_factory=Terminal)
    metrics: Metrics = field(default_factory=Metrics)
    bounds: Bounds = field(default_factory=Bounds)
    fields: Fields = field(default_factory=dict)
    series: Series = field(default_factory=Series)
    source: Source | None = None
    encoding: Encoding = field(default_factory=Encoding)
    learning: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    """For methods of learning (`kiebitz.learn`) their presets: toy, laptop, thesis, with the options that differ."""
