"""Published experiments as commands: the literature's figures and ours, side by side.

An experiment plays comparisons (``kiebitz.arena``) in one of three sizes and writes a report, a plot and all figures.
``report`` has tables and verdicts, ``run`` plays and writes, and each game with experiments has a folder of its own.
"""

from kiebitz.experiments.registry import GAMES, experiment, list_experiments
from kiebitz.experiments.report import Finding, Report, ReportTable
from kiebitz.experiments.run import PRESETS, Comparison, Experiment, run

__all__ = [
    "GAMES",
    "PRESETS",
    "Comparison",
    "Experiment",
    "Finding",
    "Report",
    "ReportTable",
    "experiment",
    "list_experiments",
    "run",
]
