"""rule_of_thumb: Doppelkopf as a club player plays it, without search (core/players/doppelkopf/thumb.hpp)."""

from __future__ import annotations

from kiebitz._core import Game, View
from kiebitz.agents.base import Agent, register


@register("rule_of_thumb")
class RuleOfThumb(Agent):
    """Plays Doppelkopf by rules of thumb: aces early, fat cards to the partner, fox care, sensible calls and solos.

    >>> import kiebitz as kb
    >>> game = kb.game("doppelkopf")
    >>> state = game.deal(["HT HT CQ SQ SQ HQ CJ CJ CA CT CK SA", "CQ HQ SJ SJ DT D9 SA S9 HA HK H9 C9",
    ...                    "DQ DQ HJ HJ DK DK CA CK ST SK HA H9", "DJ DJ DA DA DT D9 CT C9 ST SK S9 HK"], start=0)
    >>> agent = kb.agent("rule_of_thumb", game)
    >>> state.name(agent.act(state.view(0)))
    'solo-clubs'
    """

    offered = 15
    searches = False

    @classmethod
    def unsuitable(cls, game: Game, cheating: bool = False) -> str | None:
        """It knows one game."""
        return None if game.name == "doppelkopf" else f"rule_of_thumb plays only doppelkopf, not {game.name}"

    def move(self, view: View) -> int:
        """What the rules say; they leave nothing to chance."""
        return view.rule_of_thumb()
