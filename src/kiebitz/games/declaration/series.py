"""Deals of a series: what changes in the rules from one deal to the next, and who begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kiebitz._core import Game, State
from kiebitz.games.dealing import draws_start


@dataclass(frozen=True)
class Deal:
    """The rules of the next deal, and the seat that begins; None: as the rules have it."""

    game: Game
    start: int | None


class Series:
    """A series of equal games; where the rules draw who begins, the start moves on from seat to seat."""

    def next(self, game: Game, played: Sequence[State], length: int) -> Deal:
        """The next of ``length`` deals, after those that were ``played``.

        >>> import kiebitz as kb
        >>> game = kb.game("kuhn")
        >>> Series().next(game, [], 4).start is None
        True
        """
        rotates = length > 1 and draws_start(game)
        return Deal(game, len(played) % game.info.players if rotates else None)

    def counts(self, state: State) -> bool:
        """Whether a finished game is one of the series; if not, it is dealt again."""
        del state
        return True
