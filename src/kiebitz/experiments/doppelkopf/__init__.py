"""The Doppelkopf experiments: one for each table of the thesis that needs no trained network, and some of our own."""

from __future__ import annotations

import kiebitz as kb
from kiebitz.experiments.doppelkopf import beliefs, hidden_information, one_tree, perfect_information, risk
from kiebitz.experiments.doppelkopf.agents import BEST, best, determinized, perfect
from kiebitz.experiments.run import Experiment

__all__ = ["BEST", "EXPERIMENTS", "best", "determinized", "perfect"]


def _game() -> kb.Game:
    return kb.game("doppelkopf", preset="thesis")


EXPERIMENTS = (
    Experiment(
        "c-study",
        "Doppelkopf: the exploration constant C",
        "Values of C against each other, with perfect information: does a larger C call better, and does it cost "
        "points?",
        _game,
        perfect_information.c_comparisons,
        perfect_information.c_conclude,
    ),
    Experiment(
        "random",
        "Doppelkopf: MCTS with perfect information against random players",
        "How soon a search with perfect information beats players that choose at random and never call, at equal "
        "numbers of 3-1, 2-2 and 1-3 tables.",
        _game,
        perfect_information.random_comparisons,
        perfect_information.random_conclude,
    ),
    Experiment(
        "ladder",
        "Doppelkopf: more iterations against fewer",
        "Each number of iterations against the next smaller one, with perfect information: does every step help?",
        _game,
        perfect_information.ladder_comparisons,
        perfect_information.ladder_conclude,
    ),
    Experiment(
        "style",
        "Doppelkopf: style of MCTS with perfect information",
        "Self-play by iterations: which contracts are played, who calls what, how often both parties call.",
        _game,
        perfect_information.style_comparisons,
        perfect_information.style_conclude,
    ),
    Experiment(
        "six-way",
        "Doppelkopf: strategies with hidden cards against each other",
        "The thesis' determinized search with two ways to fuse its worlds, fair and knowing the parties, a player by "
        "rules of thumb, and our best.",
        _game,
        hidden_information.six_way_comparisons,
        hidden_information.six_way_conclude,
    ),
    Experiment(
        "worlds",
        "Doppelkopf: how many worlds",
        "More sampled worlds against fewer, and worlds against iterations.",
        _game,
        hidden_information.worlds_comparisons,
        hidden_information.worlds_conclude,
    ),
    Experiment(
        "imperfect",
        "Doppelkopf: hidden against open cards",
        "How the same search plays with hidden and with open cards, and what seeing all cards is worth.",
        _game,
        hidden_information.imperfect_comparisons,
        hidden_information.imperfect_conclude,
    ),
    Experiment(
        "one-tree",
        "Doppelkopf: one tree for all worlds, or one for each",
        "Information-set search against determinization at equal numbers of iterations, and how their trees look.",
        _game,
        one_tree.comparisons,
        one_tree.conclude,
    ),
    Experiment(
        "best",
        "Doppelkopf: the best player",
        "Our best player without training against the thesis', against itself without calls and without solos, against "
        "rules of thumb, and its style in self-play.",
        _game,
        hidden_information.best_comparisons,
        hidden_information.best_conclude,
    ),
    Experiment(
        "ablations",
        "Doppelkopf: what each option is worth",
        "Each named option added to the thesis' players: with open cards what it does to calls, with hidden cards what "
        "it gains.",
        _game,
        hidden_information.ablation_comparisons,
        hidden_information.ablation_conclude,
    ),
    Experiment(
        "beliefs",
        "Doppelkopf: CAP against the exact belief",
        "How far the worlds of the thesis' rule-based sampler are from drawing every deal with its probability.",
        _game,
        beliefs.comparisons,
        beliefs.conclude,
        extra_seconds={preset: beliefs.seconds(preset) for preset in beliefs.SIZES},
    ),
    Experiment(
        "risk",
        "Doppelkopf: how much calls and solos are overrated",
        "The gain that a search predicts for a call or a solo against the gain that playing both ways shows.",
        _game,
        risk.comparisons,
        risk.conclude,
        extra_seconds={preset: risk.seconds(preset) for preset in risk.SIZES},
    ),
)
"""All experiments, in the order in which they are listed."""
