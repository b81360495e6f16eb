"""How a game is best played: the recommended search, strengths in words, exact endings, the same game elsewhere.

Agents are named by their specs, as people type them (``kiebitz.spec``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kiebitz._core import Game, Known
from kiebitz.games.declaration.peer import Peer
from kiebitz.games.declaration.proofs import ExactSolver


@dataclass(frozen=True)
class Lesson:
    """How a guided first game begins, for the player at the first seat: a deal, or a prepared position."""

    seed: int = 0
    position: Callable[[Game], Mapping[str, Any]] | None = None
    """The position by the rules that were asked for; None: the beginning."""


@dataclass(frozen=True)
class Players:
    """How a game is best played."""

    levels: Mapping[str, str] = field(default_factory=dict)
    """Specs of strengths (``beginner``, ``casual``, ``strong``, ``best``); for all others the generic ones are used."""
    tree_judges: bool = False
    """Whether a tree search judges unfinished positions better than alpha-beta with an evaluation does."""
    defaults: tuple[str, ...] = ()
    """Kinds of actions for a seat whose player is late: the first of them that is legal is played. A seat that may
    decline declines; otherwise, and where a game says nothing, it plays the first legal action."""
    lesson: Lesson | None = None
    """A guided first game; None: there is none."""
    peer: Peer | None = None
    """The same game in OpenSpiel."""

    def search(self, game: Game, iterations: int, worlds: int) -> str:
        """The spec of the strongest search, with `iterations` for each of `worlds` sampled worlds.

        >>> import kiebitz as kb
        >>> Players().search(kb.game("kuhn"), 100, 20), Players().search(kb.game("nim"), 100, 20)
        ('pimc(uct(iterations=100), worlds=20, fusion=value)', 'uct(iterations=2000)')
        """
        if game.info.hidden:
            return f"pimc(uct(iterations={iterations}), worlds={worlds}, fusion=value)"
        return f"uct(iterations={iterations * worlds})"

    def resignation(self, game: Game, seat: int) -> list[float] | None:
        """The payoffs if a seat gives up: in a game that two players win or lose, the loss of it. None where something
        else is at stake, such as chips or points: a game cannot end with somebody's guess of those, so it is played to
        its end for that seat.

        >>> import kiebitz as kb
        >>> Players().resignation(kb.game("nim"), 1), Players().resignation(kb.game("leduc"), 1)
        ([1.0, -1.0], None)
        """
        info = game.info
        stakes = (info.players, info.utility, info.min_payoff, info.max_payoff)
        return [-1.0 if each == seat else 1.0 for each in (0, 1)] if stakes == (2, "zero_sum", -1.0, 1.0) else None

    def endings(self, game: Game) -> Known | None:
        """Exact values of endings for alpha-beta, if there is a table of them."""
        del game
        return None

    def solver(self, game: Game, table_mb: int | None = None) -> ExactSolver | None:
        """A solver of its own that proves any position, with so much memory for its table; None if there is none for
        these rules."""
        del game, table_mb
        return None
