"""How strong an opponent should be, in words: a few levels for each game, from beginner to best, each with its spec.

The best level of each game moves within about a second on a plain machine. Where a game with unusual rules is too large
for the spec of a level (small hidden games are solved), the next one of that level is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import Game
from kiebitz.agents.base import Agent, agent_class
from kiebitz.errors import UnknownName
from kiebitz.spec import parse

LEVELS = {
    "beginner": ("plays nearly at random", "spielt fast zufällig"),
    "casual": ("easy", "leicht"),
    "strong": ("a good game", "ein guter Gegner"),
    "best": ("the strongest there is", "der stärkste, den es gibt"),
}
"""All levels in order, with what they mean in English and German."""

_SEARCHES = {
    "casual": "best(iterations=50, worlds=5)",
    "strong": "best(iterations=500, worlds=20)",
    "best": "best",
}
_SPECS: dict[str, dict[str, str]] = {
    "doppelkopf": {
        "beginner": "best(iterations=10, worlds=1, calls=false, solos=false)",
        "casual": "rule_of_thumb",
        "strong": "best(iterations=300, worlds=15)",
        "best": "best(iterations=3000, worlds=60)",
    },
    "oware": {
        "casual": "uct(iterations=50)",
        "strong": "alphabeta(depth=4)",
        "best": "oware_master(nodes=3_000_000)",
    },
    "leduc": {
        "casual": "equilibrium(iterations=8)",
        "strong": "equilibrium(iterations=20)",
        "best": "equilibrium",
    },
    "kuhn": {
        "casual": "equilibrium(iterations=2)",
        "strong": "equilibrium(iterations=8)",
        "best": "equilibrium",
    },
    "liars_dice": {
        "casual": "equilibrium(iterations=5)",
        "strong": "equilibrium(iterations=15)",
        "best": "equilibrium",
    },
    "connect_four": {
        "casual": "uct(iterations=100)",
        "strong": "uct(iterations=3000)",
        "best": "alphabeta(nodes=5_000_000)",
    },
    "tic_tac_toe": {
        "casual": "uct(iterations=15)",
        "strong": "uct(iterations=100)",
        "best": "alphabeta(depth=9)",
    },
    "nim": {
        "casual": "uct(iterations=20)",
        "strong": "uct(iterations=300)",
        "best": "nim_perfect",
    },
}
_OTHERS = {"casual": "uct(iterations=50)", "strong": "uct(iterations=2000)", "best": "uct(iterations=50_000)"}


@dataclass(frozen=True)
class Strength:
    """A level of a game and the spec behind it."""

    key: str
    spec: str

    def words(self, german: bool = False) -> str:
        """The level in a few words.

        >>> Strength("strong", "best").words()
        'a good game'
        """
        return LEVELS[self.key][german]


def strengths(game: Game) -> list[Strength]:
    """The levels of a game, the weakest first.

    >>> import kiebitz as kb
    >>> [(level.key, level.spec) for level in strengths(kb.game("kuhn"))][1:3]
    [('casual', 'equilibrium(iterations=2)'), ('strong', 'equilibrium(iterations=8)')]
    """
    own = _SPECS.get(game.name, {})
    usual = _SEARCHES if game.info.hidden else _OTHERS
    offers = {key: [table[key] for table in (own, usual) if key in table] for key in LEVELS}
    offers["beginner"].append("random")
    found = []
    for key, specs in offers.items():
        spec = next((spec for spec in specs if _class(spec).unsuitable(game) is None), None)
        if spec is not None:
            found.append(Strength(key, str(parse(spec))))
    return found


def spec_of(game: Game, key: str) -> str:
    """The spec behind a level.

    >>> import kiebitz as kb
    >>> spec_of(kb.game("nim"), "best")
    'nim_perfect'
    """
    levels = {level.key: level.spec for level in strengths(game)}
    if key not in levels:
        raise UnknownName(f"strength: expected one of {', '.join(levels)}, got {key!r:.60}")
    return levels[key]


def _class(spec: str) -> type[Agent]:
    return agent_class(parse(spec).name)
