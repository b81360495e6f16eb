"""Analyses as tables for people."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from kiebitz.agents.analysis import AnalysisLike
from kiebitz.cli.common import number, out, seconds

MOST_ROWS = 30


def print_analysis(analysis: AnalysisLike, rows: int = MOST_ROWS, console: Console = out) -> None:
    """Prints what was found: a line per action, best first, and the principal line."""
    parts = [f"{analysis.method}: best [bold]{analysis.best_name}[/bold]"]
    if analysis.nodes or analysis.iterations:
        parts.append(f"value {number(analysis.value)} for player {analysis.player}")
    if analysis.iterations:
        parts.append(f"{analysis.iterations:,} iterations")
    if analysis.nodes:
        parts.append(f"{analysis.nodes:,} nodes")
    if analysis.depth:
        parts.append(f"depth {analysis.depth}")
    if analysis.seconds:
        parts.append(seconds(analysis.seconds))
    console.print(", ".join(parts))
    if any(action.visits for action in analysis.actions):
        console.print(analysis_table(analysis, rows))
        if len(analysis.actions) > rows:
            console.print(f"... and {len(analysis.actions) - rows} more actions", style="dim")
    if len(analysis.line_names) > 1:
        console.print("line: " + " ".join(analysis.line_names))


def analysis_table(analysis: AnalysisLike, rows: int = MOST_ROWS) -> Table:
    """A line per action: the best first, then by visits and value."""
    table = Table(box=None, pad_edge=False)
    table.add_column("action")
    for title in ("visits", "value", "error"):
        table.add_column(title, justify="right")
    order = sorted(analysis.actions, key=lambda a: (a.action != analysis.best, -a.visits, -a.value))
    for action in order[:rows]:
        # A search with cuts proves the best move; of the others it may know only that they are no better than this.
        bound = "≤ " if not action.exact and not analysis.iterations else ""
        value = f"{bound}{number(action.value)}" if action.visits else ""
        error = "exact" if action.exact else f"±{action.error:.3f}" if action.error else ""
        style = "bold" if action.action == analysis.best else ""
        table.add_row(action.name, f"{action.visits:,}", value, error, style=style)
    return table
