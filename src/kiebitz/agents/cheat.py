"""cheat(agent): lets an agent look at the full state of a hidden game, as a yardstick and for study.

The arena marks its results. It is the only kind of agent that ever gets a State.
"""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import Game, State, View
from kiebitz.agents.base import Agent, create, register
from kiebitz.analysis import AnalysisLike
from kiebitz.errors import UnsuitableGame
from kiebitz.options import REQUIRED, option
from kiebitz.spec import Spec, parse


@dataclass(frozen=True)
class CheatOptions:
    """Options of ``cheat``."""

    inner: Spec = option(  # noqa: RUF009 (it makes a field)
        REQUIRED, "the agent that may look, such as uct(iterations=1000)"
    )


@register("cheat")
class Cheat(Agent):
    """Plays like the agent inside, which sees everybody's cards."""

    Options = CheatOptions
    sees_state = True

    def __init__(self, game: Game, options: CheatOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        self.inner = create(options.inner, game, seed, cheating=True)
        if self.inner.sees_state:
            raise UnsuitableGame("cheat(...): expected an agent that does not cheat already")
        self.options = CheatOptions(parse(self.inner.spec))

    @property
    def pure(self) -> bool:
        """As the agent inside."""
        return self.inner.pure

    def act_state(self, state: State) -> int:
        """The action for the player to move in a state."""
        return self.analyse_state(state).best

    def analyse_state(self, state: State) -> AnalysisLike:
        """What the agent inside thinks of a state."""
        self._check_turn(state.player, state.player)
        return self.inner.analyse_state(state)

    def move(self, view: View) -> int:
        """Where nothing is hidden the view is enough."""
        return self.analyse(view).best

    def analyse(self, view: View) -> AnalysisLike:
        """What the agent inside thinks, in a game where nothing is hidden."""
        if self.game.info.hidden:
            raise UnsuitableGame("cheat(...) looks at the full state: call act_state(state) or analyse_state(state)")
        return self.inner.analyse(view)
