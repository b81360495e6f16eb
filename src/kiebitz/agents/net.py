"""net: plays from a trained net alone, without any search."""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import Game, View
from kiebitz.agents.base import Agent, register
from kiebitz.agents.guided import net_with
from kiebitz.analysis import AnalysisLike, PlainActionValue, PlainAnalysis
from kiebitz.nets import SHIPPED
from kiebitz.options import REQUIRED, option


@dataclass(frozen=True)
class NetOptions:
    """Options of ``net``."""

    file: str = option(REQUIRED, "a file written by `kiebitz train`; or shipped", file=(SHIPPED,))
    masked: bool = option(
        True, "leave illegal actions out; false: where a net that plays its best action prefers one, draw a legal one"
    )


@register("net")
class NetAgent(Agent):
    """Plays what a trained net says, without looking ahead."""

    Options = NetOptions
    options: NetOptions
    searches = False
    offered = 65

    asked = 0
    """How often a net that plays its best action was asked."""
    overruled = 0
    """... and how often it preferred an illegal one."""

    def __init__(self, game: Game, options: NetOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        self.file = net_with("policy", options.file, game, "file")

    def distribution(self, view: View) -> dict[int, float]:
        """The probability of each action."""
        chances = self.file.probabilities(view)
        if self.file.card.chooses == "draw":
            return chances
        best = max(chances, key=lambda action: chances[action])
        return {action: float(action == best) for action in chances}

    def analyse(self, view: View) -> AnalysisLike:
        """Its policy and its value."""
        self._check_turn(view.player, view.observer)
        best = self.move(view)
        name = view.name(best)
        actions = [PlainActionValue(a, view.name(a), prior=p) for a, p in self.file.probabilities(view).items()]
        value = self.file.values(view)[view.observer] if self.file.has("value") else None
        return PlainAnalysis(
            self.name, view.player, best, name, value or 0.0, actions, [best], [name], prior_value=value
        )

    def move(self, view: View) -> int:
        """A draw that depends on seed and view alone, or the best action."""
        if self.file.card.chooses == "draw" or self.file.card.instead is not None:
            return self.draw(view, self.distribution(view))
        logits, legal = self.file.judge([view])[0][0], view.legal()
        self.asked += 1
        if int(logits.argmax()) not in legal:
            self.overruled += 1
            if not self.options.masked:
                return self.draw(view, dict.fromkeys(legal, 1 / len(legal)))
        return legal[int(logits[legal].argmax())]
