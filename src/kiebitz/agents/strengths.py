"""How strong an opponent should be, in words: a few levels for each game, from beginner to best, each with its spec.

The best level of each game moves within about a second on an ordinary machine. A game declares the specs that fit it;
levels that it does not declare, and those whose spec cannot play it with unusual rules, get a generic search.

Levels are rated by a tournament among themselves (``kiebitz tournament GAME``), whose result is shipped with the game.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from kiebitz._core import Game
from kiebitz.agents.base import agent_class, says
from kiebitz.errors import UnknownName
from kiebitz.games import declaration_of, ratings_of
from kiebitz.nets import SHIPPED, shipped
from kiebitz.spec import parse

LEVELS = {
    "beginner": ("plays nearly at random", "spielt fast zufällig"),
    "casual": ("easy", "leicht"),
    "strong": ("a good game", "ein guter Gegner"),
    "learned": ("a net that taught itself", "ein Netz, das sich das Spiel selbst beigebracht hat"),
    "best": ("the strongest there is", "der stärkste, den es gibt"),
}
"""All levels in order, with what they mean in English and German."""

CASUAL = "casual"
"""The level of a bot that takes over for a person."""

_HIDDEN = {
    "casual": "best(iterations=50, worlds=5)",
    "strong": "best(iterations=500, worlds=20)",
    "best": "best",
}
_OPEN = {"casual": "uct(iterations=50)", "strong": "uct(iterations=2000)", "best": "uct(iterations=50_000)"}


@dataclass(frozen=True)
class LevelRating:
    """How a level fares against the others: its mean payoff, with a 95 % interval.

    Payoffs rather than Elo points, because who bluffs well wins few hands and much in them.
    """

    value: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Strength:
    """A level of a game and its spec."""

    key: str
    spec: str
    rating: LevelRating | None = None
    """None for rules and agents that were not measured."""

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
    declared = declaration_of(game).players.levels
    generic = _HIDDEN if game.info.hidden else _OPEN
    offers = {key: [specs[key] for specs in (declared, generic) if key in specs] for key in LEVELS}
    offers["beginner"].append("random")
    found, rated = [], _ratings(game)
    for key, specs in offers.items():
        spec = next((spec for spec in specs if _plays(spec, game)), None)
        if spec is not None:
            spec = str(parse(spec))
            found.append(Strength(key, spec, rated.get(spec)))
    return found


def _ratings(game: Game) -> dict[str, LevelRating]:
    """The ratings of agents by their specs; none for rules other than those they were measured with."""
    tournament = ratings_of(game.name)
    if tournament is None or tournament["game"] != game.to_json():
        return {}
    games: Counter[str] = Counter()
    for pair in tournament["pairs"]:
        games.update({pair["a"]: pair["games"], pair["b"]: pair["games"]})
    return {
        str(parse(row["agent"])): LevelRating(**row["payoff"], games=games[row["agent"]])
        for row in tournament["agents"]
    }


def spec_of(game: Game, key: str) -> str:
    """The spec of a level.

    >>> import kiebitz as kb
    >>> spec_of(kb.game("nim"), "best")
    'nim_perfect'
    """
    levels = {level.key: level.spec for level in strengths(game)}
    if key not in levels:
        raise UnknownName(f"strength: expected one of {', '.join(levels)}, got {key!r:.60}")
    return levels[key]


def _plays(spec: str, game: Game) -> bool:
    """Whether an agent can play a game: it suits it, and the net that it needs comes with Kiebitz for these rules."""
    if agent_class(parse(spec).name).unsuitable(game) is not None:
        return False
    return not says(spec, SHIPPED) or shipped(game) is not None
