"""Oware, declared for the layers above the rules."""

from kiebitz.games.declaration import Bounds, Declaration
from kiebitz.games.oware.facts import OwareFacts, OwareWords
from kiebitz.games.oware.metrics import METRICS
from kiebitz.games.oware.players import PLAYERS
from kiebitz.games.oware.terminal import OwareTerminal

DECLARATION = Declaration(
    players=PLAYERS,
    facts=OwareFacts(),
    words=OwareWords(),
    terminal=OwareTerminal(lists_choices=False),
    metrics=METRICS,
    bounds=Bounds(place=2, most={"max_plies": 1000}),
)
