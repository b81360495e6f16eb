"""Oware in OpenSpiel, which cannot be given a position: the game is followed from its start."""

from __future__ import annotations

from collections.abc import Sequence

from kiebitz._core import Game, State, View
from kiebitz.errors import LimitError
from kiebitz.games.declaration import FollowedPeer
from kiebitz.games.registry import game as make_game

FOLLOWED = 100_000
"""Positions looked at to find the moves that lead to a position."""


class OwarePeer(FollowedPeer):
    """Oware by the rules of Abapa, with any number of seeds."""

    def name(self, game: Game) -> str | None:
        """Only Abapa is the same there."""
        seeds = game.params["seeds"]
        same = game.params == make_game("oware", "abapa", seeds=seeds).params
        return f"oware(num_seeds_per_house={seeds})" if same else None

    def follow(self, view: View, line: Sequence[int]) -> list[int]:
        """The moves known so far and what must have been played since.

        The view lists the positions since the last capture, so once nothing more is captured there is only one way on.
        """
        target = view.fields()
        seen = {int(key, 16) for key in target["seen"]}
        left = FOLLOWED

        def search(state: State, moves: list[int]) -> list[int] | None:
            nonlocal left
            left -= 1
            position = state.position()
            if position["plies"] == target["plies"]:
                return moves if all(position[name] == target[name] for name in ("pits", "captured")) else None
            taken, final = position["captured"], target["captured"]
            if any(now > then for now, then in zip(taken, final, strict=True)) or left < 0:
                return None
            if taken == final and state.key not in seen:
                return None
            for action in state.legal():
                after = state.copy()
                after.apply(action)
                if (found := search(after, [*moves, action])) is not None:
                    return found
            return None

        for known in (list(line), []):
            state = view.game.new()
            for action in known:
                state.apply(action)
            if len(known) <= target["plies"] and (found := search(state, known)) is not None:
                return found
        raise LimitError(
            "openspiel cannot tell which moves led to this position of oware: it must see the game from its start"
        )
