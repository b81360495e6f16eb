"""The Leduc experiments: neural fictitious self-play as published, its ablations, and our own setting."""

from __future__ import annotations

import kiebitz as kb
from kiebitz.experiments.leduc import ablations, nfsp
from kiebitz.experiments.run import Comparison, Experiment

__all__ = ["EXPERIMENTS"]


def _none(preset: str) -> list[Comparison]:
    return []


EXPERIMENTS = (
    Experiment(
        "nfsp",
        "Leduc: neural fictitious self-play",
        "The curves of the paper and of the thesis, and our own setting: exact exploitability (half of NashConv, in "
        "chips), mean of three seeds; the trained players against simple ones and an equilibrium, by exact values.",
        lambda: kb.game("leduc"),
        _none,
        nfsp.conclude,
        extra_seconds=nfsp.seconds(),
    ),
    Experiment(
        "nfsp-ablations",
        "Leduc: what each part of neural fictitious self-play is worth",
        "The ablations of the paper, and the defects of the thesis one by one: final exact exploitability (half of "
        "NashConv, in chips), three seeds each.",
        lambda: kb.game("leduc"),
        _none,
        ablations.conclude,
        extra_seconds=ablations.seconds(),
    ),
)
"""All experiments, in the order in which they are listed."""
