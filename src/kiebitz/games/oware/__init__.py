"""Oware, declared for the layers above the rules."""

from kiebitz.games.declaration import Bounds, Declaration, Facts
from kiebitz.games.declaration.fields import Fields, observer, pattern, text, whole
from kiebitz.games.oware.metrics import METRICS
from kiebitz.games.oware.players import PLAYERS
from kiebitz.games.oware.terminal import OwareTerminal
from kiebitz.games.oware.words import OwareWords

ENDS = ("", "starvation", "majority", "repetition", "guard")
KEY = "[0-9a-f]{1,16}"

FIELDS: Fields = {
    "view.observer": observer(2),
    "view.pits[]": whole("seeds in each of the 12 pits, six for each player, in the order of sowing"),
    "view.captured[]": whole("seeds that each player has captured"),
    "view.player": whole("the player to move", 0, 1),
    "view.plies": whole("moves so far"),
    "view.ended": text("why the game is over, or empty", *ENDS),
    "view.awarded[]": whole("seeds that each player got when the game ended"),
    "view.seen[]": pattern(
        "where a repetition ends the game: keys of positions that may come up again", KEY, "100a00d87e92fdbe"
    ),
    "outline.public.pits[]": whole("as in the view"),
    "outline.public.captured[]": whole("as in the view"),
    "outline.public.sowing[][]": whole(
        "for each pit, those that its seeds would fall into; none if it may not be sown", 0, 11
    ),
    "outline.public.turn": whole("the player to move", 0, 1, null=True),
    "outline.public.ended": text("as in the view", *ENDS),
}

DECLARATION = Declaration(
    players=PLAYERS,
    facts=Facts(drawn=True),
    words=OwareWords(),
    terminal=OwareTerminal(lists_choices=False),
    metrics=METRICS,
    bounds=Bounds(place=2, most={"max_plies": 1000}),
    fields=FIELDS,
)
