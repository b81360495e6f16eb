"""The tic-tac-toe experiments: one small game, learned in five ways (docs/learning.md)."""

from __future__ import annotations

import kiebitz as kb
from kiebitz.experiments.run import Comparison, Experiment
from kiebitz.experiments.tic_tac_toe import ways

__all__ = ["EXPERIMENTS"]


def _none(preset: str) -> list[Comparison]:
    del preset
    return []


EXPERIMENTS = (
    Experiment(
        "ways",
        "Tic-tac-toe, learned in five ways",
        "A table, deep Q-learning, actor and critic, imitation and AlphaZero, each for some seconds; then all of them "
        "without any search against random and against perfect play.",
        lambda: kb.game("tic_tac_toe"),
        _none,
        ways.conclude,
        extra_seconds=ways.seconds(),
        train=ways.train,
    ),
)
"""All experiments, in the order in which they are listed."""
