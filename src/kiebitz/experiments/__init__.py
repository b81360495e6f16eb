"""Experiments as commands: what is played, what the literature found, what we find, side by side.

An experiment plays comparisons (``kiebitz.arena``) in one of three sizes and writes a report, a plot and all
figures. ``report`` is the shape of tables and verdicts, ``run`` plays and writes; each folder beside them is a game.
"""

from kiebitz.experiments.registry import experiment, list_experiments
from kiebitz.experiments.report import Finding, Report, Table
from kiebitz.experiments.run import PRESETS, Experiment, Run, run

__all__ = ["PRESETS", "Experiment", "Finding", "Report", "Run", "Table", "experiment", "list_experiments", "run"]
