"""Draws doppelkopf.svg, the picture in the README: a card decision in `kiebitz play doppelkopf`, and what `hint` says.

python docs/img/doppelkopf.py
"""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

from rich.console import Console

import kiebitz as kb
from kiebitz.agents.advice import study
from kiebitz.games.doppelkopf.drawing import draw, holders_table, points_table
from kiebitz.games.doppelkopf.situation import Situation

SEED = 11
CARDS = 22
"""Cards on the table when the picture is taken."""


def main() -> None:
    """Plays a game of four rules of thumb to a card of seat 0, and shows seat 0 its table and a hint."""
    game = kb.game("doppelkopf")
    state = game.new(seed=SEED)
    agent = kb.agent("rule_of_thumb", game)
    while len(state.view(0).fields()["cards"].split()) < CARDS or state.player != 0 or "pass" in names(state):
        state.apply(agent.act(state.view(state.player)))
    view = state.view(0)
    console = Console(record=True, width=88, highlight=False, file=StringIO())
    console.print("[dim]$[/dim] kiebitz play doppelkopf\n")
    console.print(draw(view, 0))
    console.print("\nyour card: [bold]hint[/bold]\n")
    console.print("expected points for you")
    console.print(points_table(study(view).analysis, view))
    console.print("\nwho may hold one more")
    console.print(holders_table(view.beliefs(), Situation.of(view), 0))
    svg = console.export_svg(title="kiebitz")
    # Fonts of the reader's machine: a picture should not ask another server for any.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    Path(__file__).with_suffix(".svg").write_text(svg, encoding="utf-8")


def names(state: kb.State) -> list[str]:
    """What the player to move can do, in words."""
    return [state.name(action) for action in state.legal()]


if __name__ == "__main__":
    main()
