"""The Oware experiments: the tables and figures of the thesis, in two modes, and our best player."""

from __future__ import annotations

import kiebitz as kb
from kiebitz.experiments.oware import actor_critic, against_random, alphazero, dqn, master, times, tree_search
from kiebitz.experiments.run import Comparison, Experiment

__all__ = ["EXPERIMENTS"]


def _game() -> kb.Game:
    return kb.game("oware", preset="thesis")


def _none(preset: str) -> list[Comparison]:
    del preset
    return []


EXPERIMENTS = (
    Experiment(
        "alphabeta",
        "Oware: alpha-beta against random by depth",
        "Tables 5.1 and 5.2: games won and moves needed, alpha-beta moving first, in thesis mode and in strong mode.",
        _game,
        against_random.comparisons,
        against_random.conclude,
    ),
    Experiment(
        "mcts",
        "Oware: MCTS against random and against alpha-beta by cycles",
        "Tables 5.3 and 5.4: games won and moves needed, seats alternating, against alpha-beta in thesis mode and in "
        "strong mode.",
        _game,
        tree_search.comparisons,
        tree_search.conclude,
    ),
    Experiment(
        "depth",
        "Oware: time and nodes of minimax and alpha-beta by depth",
        "Figure 5.1: the cost of a move, measured on the same positions.",
        _game,
        times.no_comparisons,
        times.depth_conclude,
        extra_seconds=times.DEPTH_SECONDS,
    ),
    Experiment(
        "cycles",
        "Oware: time of MCTS by cycles",
        "Figure 5.2: the cost of a move, and whether it grows linearly.",
        _game,
        times.no_comparisons,
        times.cycles_conclude,
        extra_seconds=times.CYCLE_SECONDS,
    ),
    Experiment(
        "master",
        "Oware: our best player against alpha-beta(8)",
        "Beyond the thesis: a deep search with an endgame table against strong alpha-beta, from random openings.",
        _game,
        master.comparisons,
        master.conclude,
        extra_seconds={preset: master.seconds(preset) for preset in master.SIZES},
    ),
    Experiment(
        "dqn",
        "Oware: deep Q-learning, stage after stage",
        "Tables 5.5 to 5.8 and the learning curves: nets that learn from random play, then from alpha-beta and MCTS.",
        _game,
        _none,
        dqn.conclude,
        extra_seconds=dqn.seconds(),
        train=dqn.train,
    ),
    Experiment(
        "actor-critic",
        "Oware: actor and critic",
        "Tables 5.9 and 5.10 and the learning curves: a net that learns from whole games, with both rewards.",
        _game,
        _none,
        actor_critic.conclude,
        extra_seconds=actor_critic.seconds(),
        train=actor_critic.train,
    ),
    Experiment(
        "alphazero",
        "Oware: the net that taught itself",
        "Beyond the thesis: the net that comes with Kiebitz, alone and inside a tree search, against random, "
        "alpha-beta, MCTS and our best untrained player, from random openings.",
        _game,
        alphazero.comparisons,
        alphazero.conclude,
        extra_seconds={preset: alphazero.seconds(preset) for preset in alphazero.TIMED},
    ),
)
"""All experiments, in the order in which they are listed."""
