"""net: plays from a trained net alone, without any search."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kiebitz._core import Game, View
from kiebitz.agents.base import Agent, register
from kiebitz.nets import NetFile
from kiebitz.options import REQUIRED, option


@dataclass(frozen=True)
class NetOptions:
    """Options of ``net``."""

    file: str = option(REQUIRED, "a file written by `kiebitz train`")


@register("net")
class NetAgent(Agent):
    """Plays what a trained net says, without looking ahead."""

    Options = NetOptions
    options: NetOptions
    searches = False

    def __init__(self, game: Game, options: NetOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        self.file = NetFile.load(options.file, game)

    @classmethod
    def files(cls, options: NetOptions) -> list[Path]:
        """The net."""
        return [Path(options.file)]

    def distribution(self, view: View) -> dict[int, float]:
        """The probability of each action."""
        chances = self.file.probabilities(view)
        if self.file.card.chooses == "draw":
            return chances
        best = max(chances, key=lambda action: chances[action])
        return {action: float(action == best) for action in chances}

    def move(self, view: View) -> int:
        """A draw that depends on seed and view alone, or the best action."""
        return self.draw(view, self.distribution(view))
