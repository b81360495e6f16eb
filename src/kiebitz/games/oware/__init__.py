"""Oware, declared for the layers above the rules."""

from typing import Any

from kiebitz._core import Game
from kiebitz.games.declaration import Bounds, Declaration, Encoding, Facts
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

MOST_COUNTED = 24
"""Heaps of this size and larger ones look alike to nets."""


class OwareEncoding(Encoding):
    """Seeds in the pits, the mover's first, and seeds captured, as parts of all seeds."""

    def counts(self, game: Game) -> tuple[float, int]:
        """What matters is whether a pit has two seeds or three, not how full it is."""
        return (12.0 * int(game.params["seeds"]), MOST_COUNTED + 1)


LEARNED = {
    "toy": {
        "steps": 10,
        "games": 100,
        "blocks": 2,
        "hidden": 64,
        "simulations": 24,
        "opponent": "uct(iterations=50)",
        "opening_plies": 6,
        "measured_games": 60,
        "measure_every": 2,
    },
    "laptop": {
        "steps": 300,
        "games": 500,
        "blocks": 3,
        "hidden": 256,
        "simulations": 48,
        "fast_simulations": 12,
        "full_share": 0.4,
        "random_plies": 12,
        "threads": 2,
        "window": 500_000,
        "opponent": "uct(iterations=1000)",
        "opening_plies": 6,
        "measured_games": 100,
        "measure_every": 10,
    },
}
"""Options of ``alphazero``; ``laptop`` made the net that is shipped (seed 1)."""

STUDY: dict[str, Any] = {
    "opponent": "random", "seat": 0, "games": 1, "payoff": 100.0, "gains": "difference_no_award", "gain": 36.0,
    "illegal": "punished", "illegal_reward": -100.0, "measure_every": 100,
}  # fmt: skip
"""What the learners of the thesis (Hirsch 2023) have in common: a win is 100, a seed 1, an empty pit -100 and the end.
Where the thesis is silent, values are those of the tutorials that it follows."""

DEEP: dict[str, dict[str, Any]] = {
    "toy": {
        "opponent": "random", "steps": 1500, "games": 16, "hidden": "64,64", "gains": "difference_no_award",
        "measure_every": 500, "measured_games": 200,
    },
    "laptop": {
        "opponent": "random", "steps": 50_000, "games": 16, "hidden": "128,128", "gains": "difference_no_award",
        "double": True, "measure_every": 1000, "measured_games": 500,
    },
    "thesis": {
        **STUDY, "steps": 150_000, "hidden": "100,100,50", "optimizer": "sgd", "rate": 5e-4, "loss": "square",
        "gamma": 0.9, "memory": 100_000, "batch": 64, "updates": 1, "warm_up": 100, "target_every": 200,
        "epsilon": 0.1, "last_epsilon": 0.1, "measured_games": 10,
    },
}  # fmt: skip
"""Options of ``dqn``. The library of the thesis copies its target net after every update unless told otherwise, and the
thesis says no more than that it is copied at intervals; copied every time, the weights grow without bounds (the
experiment shows it)."""

ACTOR: dict[str, dict[str, Any]] = {
    "toy": {
        "opponent": "random", "steps": 400, "games": 32, "gains": "difference_no_award", "entropy": 0.01,
        "measure_every": 100, "measured_games": 200,
    },
    "thesis": {
        **STUDY, "steps": 200_000, "learn": "monte_carlo", "hidden": "250", "optimizer": "adam", "rate": 0.01,
        "gamma": 0.99, "sums": True, "standardised": True, "flows": True, "delta": 1.0, "measured_games": 0,
    },
}  # fmt: skip
"""Options of ``actor_critic``."""

DECLARATION = Declaration(
    players=PLAYERS,
    facts=Facts(drawn=True),
    words=OwareWords(),
    terminal=OwareTerminal(lists_choices=False),
    metrics=METRICS,
    bounds=Bounds(place=2, most={"max_plies": 1000}),
    fields=FIELDS,
    encoding=OwareEncoding(),
    learning={"alphazero": LEARNED, "dqn": DEEP, "actor_critic": ACTOR},
)
