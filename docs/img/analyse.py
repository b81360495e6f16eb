"""Draws analyse.svg, the picture in the README: what `kiebitz analyse oware --moves 'C d'` prints in a terminal.

python docs/img/analyse.py
"""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

from rich.console import Console

import kiebitz as kb
from kiebitz.cli.tables import print_analysis
from kiebitz.games.render import render


def main() -> None:
    """Prints into a recording console and saves it."""
    console = Console(record=True, width=88, highlight=False, file=StringIO())
    state = kb.game("oware", preset="abapa").new()
    for move in ("C", "d"):
        state.apply(state.parse(move))
    console.print("[dim]$[/dim] kiebitz analyse oware --preset abapa --moves 'C d' --agent 'uct(iterations=20_000)'\n")
    console.print(render(state, 0))
    console.print(f"player {state.player} to move\n")
    print_analysis(kb.agent("uct(iterations=20_000)", state.game).analyse(state.view(0)), console=console)
    svg = console.export_svg(title="kiebitz")
    # Fonts of the reader's machine: a picture should not ask another server for any.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    Path(__file__).with_suffix(".svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
