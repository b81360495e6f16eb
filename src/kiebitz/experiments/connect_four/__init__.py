"""The Connect Four experiments: how often players err, judged by the exact solver."""

from __future__ import annotations

import kiebitz as kb
from kiebitz.experiments.connect_four import alphazero
from kiebitz.experiments.run import Experiment

__all__ = ["EXPERIMENTS"]


EXPERIMENTS = (
    Experiment(
        "alphazero",
        "Connect Four: the net that taught itself",
        "Wrong moves, those that give away a win or a draw, of the net that comes with Kiebitz, alone and inside a "
        "tree search, beside searches without a net; on proven positions of six kinds.",
        lambda: kb.game("connect_four"),
        alphazero.comparisons,
        alphazero.conclude,
        extra_seconds={preset: alphazero.seconds(preset) for preset in alphazero.MOST},
    ),
)
"""All experiments, in the order in which they are listed."""
