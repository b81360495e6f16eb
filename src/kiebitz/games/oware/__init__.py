"""Oware, declared for the layers above the rules."""

from kiebitz.games.declaration import Bounds, Declaration, Facts
from kiebitz.games.oware.metrics import METRICS
from kiebitz.games.oware.players import PLAYERS
from kiebitz.games.oware.terminal import OwareTerminal
from kiebitz.games.oware.words import OwareWords

DECLARATION = Declaration(
    players=PLAYERS,
    facts=Facts(drawn=True),
    words=OwareWords(),
    terminal=OwareTerminal(lists_choices=False),
    metrics=METRICS,
    bounds=Bounds(place=2, most={"max_plies": 1000}),
)
