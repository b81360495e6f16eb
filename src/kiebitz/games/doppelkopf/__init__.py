"""Doppelkopf, declared for the layers above the rules."""

from kiebitz.games.declaration import Bounds, Declaration
from kiebitz.games.doppelkopf.facts import FACTS
from kiebitz.games.doppelkopf.fields import FIELDS
from kiebitz.games.doppelkopf.metrics import METRICS
from kiebitz.games.doppelkopf.players import PLAYERS
from kiebitz.games.doppelkopf.series import DoppelkopfSeries
from kiebitz.games.doppelkopf.terminal import DoppelkopfTerminal
from kiebitz.games.doppelkopf.told import DoppelkopfWords

IMITATED = {
    "toy": {"teacher": "rule_of_thumb", "opening_plies": 0, "games": 200, "steps": 8, "blocks": 1},
    "laptop": {"teacher": "rule_of_thumb", "opening_plies": 0, "games": 20_000, "steps": 30, "hidden": 256},
}
"""Options of ``supervised``."""

DECLARATION = Declaration(
    players=PLAYERS,
    facts=FACTS,
    words=DoppelkopfWords(),
    terminal=DoppelkopfTerminal(),
    metrics=METRICS,
    bounds=Bounds(place=1, lengths={"owed": (0, 4)}),
    fields=FIELDS,
    series=DoppelkopfSeries(),
    learning={"supervised": IMITATED},
)
