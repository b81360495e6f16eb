"""A list of Doppelkopf: who deals, which compulsory solos are still owed, and which deals count twice (Bock).

By the tournament rules of the association a list has 24 deals, 20 around the table and a compulsory solo of everybody.
After a compulsory solo the same seat begins again. When as many deals are left as solos are owed, those who owe one
have to play it, and the start moves on after each.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz._core import Game
from kiebitz.games.declaration.series import Deal, Series
from kiebitz.games.registry import game as make_game

BOCK_DEALS = 4
"""Deals that count twice after the one that asked for it: once around the table."""
TRIGGERS = ("bock", "bock_solo", "bock_hearts")
"""The rules by which a deal asks for it."""


class DoppelkopfSeries(Series):
    """Lists with compulsory solos (`owed`) and Bock rounds (`bock`, `bock_solo`, `bock_hearts`)."""

    def remembers(self, game: Game) -> bool:
        """With compulsory solos, with Bock rounds, and where deals can be thrown in."""
        return any(game.params[name] for name in ("owed", *TRIGGERS, "throw_in", "poverty"))

    def next(self, game: Game, played: Sequence[Mapping[str, Any]], length: int | None) -> Deal:
        """The rules of the next deal follow from the results so far.

        >>> import kiebitz as kb
        >>> game = kb.game("doppelkopf", preset="tournament")
        >>> DoppelkopfSeries().next(game, [], 24).game.params["owed"]
        [0, 1, 2, 3]
        >>> deal = DoppelkopfSeries().next(game, [], 4)
        >>> deal.start, deal.game.params["forced"]
        (0, 0)
        """
        if not self.remembers(game) or (length == 1 and not played):
            return super().next(game, played, length)
        size = length if length not in (None, 1) else sys.maxsize  # single deals in a row have no end
        owed: list[int] = []
        start = bock = 0
        for number, result in enumerate(played):
            if number % size == 0:
                owed, bock = list(game.params["owed"]), 0
            bock = max(bock - 1, 0) + (BOCK_DEALS if asks_for_bock(result, game.params) else 0)
            only_solos_left = size - number % size <= len(owed)
            if (seat := soloist(result)) in owed:
                owed.remove(seat)
                start += only_solos_left
            else:
                start += 1
        start %= game.info.players
        if len(played) % size == 0:
            owed, bock = list(game.params["owed"]), 0
        last = size - len(played) % size <= len(owed)
        forced = next((seat for i in range(4) if (seat := (start + i) % 4) in owed), -1) if last else -1
        changed = {"owed": owed, "forced": forced, "worth": 2 if bock else 1}
        if {name: game.params[name] for name in changed} == changed:
            return Deal(game, start)
        return Deal(make_game(game.name, **{**game.params, **changed}), start)

    def counts(self, result: Mapping[str, Any]) -> bool:
        """Not a deal that was thrown in."""
        return result.get("thrown") is None


def soloist(result: Mapping[str, Any]) -> int | None:
    """Who played a solo that was announced.

    >>> soloist({"type": "solo-jacks", "re": [2]}), soloist({"type": "wedding", "re": [2]})
    (2, None)
    """
    return int(result["re"][0]) if result["type"].startswith("solo-") else None


def asks_for_bock(result: Mapping[str, Any], rules: Mapping[str, Any]) -> bool:
    """Whether Bock deals follow: both parties have 120 eyes, a solo was lost, or a trick had four hearts.

    >>> asks_for_bock({"type": "normal", "eyes_re": 120, "winner": "kontra"}, {"bock": True})
    True
    >>> lost = {"type": "solo-jacks", "eyes_re": 90, "winner": "kontra"}
    >>> asks_for_bock(lost, {"bock": True}), asks_for_bock(lost, {"bock_solo": True})
    (False, True)
    """
    even = result["eyes_re"] == 120
    lost = result["type"].startswith("solo-") and result["winner"] != "re"
    hearts = result.get("heart_tricks", 0) > 0
    return any(rules.get(name) and found for name, found in zip(TRIGGERS, (even, lost, hearts), strict=True))
