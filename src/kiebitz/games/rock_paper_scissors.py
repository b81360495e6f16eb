"""Rock, paper, scissors, declared for the layers above the rules."""

from kiebitz.games.declaration import Declaration
from kiebitz.games.declaration.fields import Fields, observer, pattern, text, whole

FIELDS: Fields = {
    "view.observer": observer(2),
    "view.choices": pattern("all choices in order, both players in turn; ? is still hidden", r"[rps]*\??", "rps?"),
    "outline.public.rounds[][]": text("the choices of each finished round, by seat", "rock", "paper", "scissors"),
    "outline.public.total": whole("rounds of the game", 1),
    "outline.public.wins[]": whole("rounds that each player has won"),
    "outline.public.turn": whole("who chooses next", 0, 1, null=True),
}

DECLARATION = Declaration(fields=FIELDS)
