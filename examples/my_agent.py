"""An agent in one file: it wins at once if it can, stops the next player from doing so, and otherwise plays at random.

kiebitz match connect_four examples/my_agent.py random
kiebitz match connect_four examples/my_agent.py 'examples/my_agent.py(blocks=false)'
kiebitz serve --agents examples/my_agent.py
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from kiebitz import TERMINAL, Game, State, View
from kiebitz.agents import Agent, register
from kiebitz.options import option


@dataclass(frozen=True)
class WatchfulOptions:
    """Its options; `kiebitz agents examples/my_agent.py` lists them."""

    blocks: bool = option(True, "whether it looks at what the next player threatens")


@register("watchful")
class Watchful(Agent):
    """Wins at once if it can, and stops the next player from doing so."""

    Options = WatchfulOptions
    options: WatchfulOptions

    @classmethod
    def unsuitable(cls, game: Game, cheating: bool = False) -> str | None:
        """It looks ahead, so nothing may be hidden."""
        return "watchful plays games in which nothing is hidden" if game.info.hidden else None

    def move(self, view: View) -> int:
        """The view of an open game determines the state."""
        state = view.sample(0)
        wins = winning(state)
        if wins:
            return wins[0]
        safe = [action for action in view.legal() if not self.options.blocks or not winning(after(state, action))]
        return Random(self.seed_for(view)).choice(safe or view.legal())


def after(state: State, action: int) -> State:
    """The state after an action."""
    then = state.copy()
    then.apply(action)
    return then


def winning(state: State) -> list[int]:
    """The actions that end the game with a win for the player to move."""
    player = state.player
    ends = [(action, after(state, action)) for action in (state.legal() if player >= 0 else [])]
    return [action for action, end in ends if end.player == TERMINAL and end.returns()[player] > 0]
