"""policy: plays from a file that a solver wrote."""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import Game, View
from kiebitz.agents.base import Agent, register
from kiebitz.options import REQUIRED, option
from kiebitz.solve.policy import Policy


@dataclass(frozen=True)
class PolicyOptions:
    """Options of ``policy``."""

    file: str = option(REQUIRED, "a file written by `kiebitz solve ... --save FILE` or Policy.save", file=())


@register("policy")
class PolicyAgent(Agent):
    """Draws its actions with the probabilities of a solved policy.

    >>> import tempfile, kiebitz as kb
    >>> kuhn = kb.game("kuhn")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kb.solve.solve(kuhn, "lp").save(folder + "/kuhn.npz")
    ...     agent = kb.agent(f'policy(file="{folder}/kuhn.npz")', kuhn)
    ...     agent.act(kuhn.deal(["Q", "J"], start=0).view(0))
    0
    """

    Options = PolicyOptions
    options: PolicyOptions

    def __init__(self, game: Game, options: PolicyOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        self._policy = Policy.load(options.file, game)

    def distribution(self, view: View) -> dict[int, float]:
        """The probability of each action."""
        return self._policy.probabilities(view)

    def move(self, view: View) -> int:
        """A draw that depends on seed and view alone."""
        return self.draw(view, self.distribution(view))
