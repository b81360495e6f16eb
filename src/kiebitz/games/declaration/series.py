"""Deals of a series: what changes in the rules from one deal to the next, and who begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kiebitz._core import Game
from kiebitz.games.dealing import draws_start


@dataclass(frozen=True)
class Deal:
    """The rules of the next deal, and the seat that begins; None: as the rules have it."""

    game: Game
    start: int | None


@dataclass(frozen=True)
class Series:
    """A series of equal games; where the rules draw who begins, the start moves on from seat to seat."""

    def remembers(self, game: Game) -> bool:
        """Whether the next deal depends on how those before it ended, and not on their number alone."""
        del game
        return False

    def next(self, game: Game, played: Sequence[Mapping[str, Any]], length: int | None) -> Deal:
        """The next of ``length`` deals (None: without end), after those that ended with these results. After ``length``
        deals another series begins, and the order of who begins goes on.

        >>> import kiebitz as kb
        >>> game = kb.game("kuhn")
        >>> Series().next(game, [], 4).start is None
        True
        """
        single = length == 1 and not played  # as far as anybody knows
        rotates = draws_start(game) and not single
        return Deal(game, len(played) % game.info.players if rotates else None)

    def counts(self, result: Mapping[str, Any]) -> bool:
        """Whether a game with this result is one of the series; if not, it is dealt again."""
        del result
        return True
