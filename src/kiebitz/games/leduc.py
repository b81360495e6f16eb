"""Leduc hold'em, declared for the layers above the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import Game, State
from kiebitz.games.betting import BettingTerminal, BettingWords, betting_fields, card_text
from kiebitz.games.declaration import Bounds, Declaration, Encoding, Facts, Metrics, PlayedPeer, Players
from kiebitz.games.declaration.fields import Fields, observer, pattern, whole
from kiebitz.games.declaration.words import Line, happened, phrase
from kiebitz.games.registry import game as make_game
from kiebitz.games.scene import Scene


class LeducPeer(PlayedPeer):
    """``leduc_poker`` of OpenSpiel."""

    draws_worlds = True

    def name(self, game: Game) -> str | None:
        """Only the standard rules are the same there."""
        return "leduc_poker" if game.params == make_game("leduc", "standard").params else None

    def actions(self, position: Mapping[str, Any]) -> Sequence[int]:
        """Cards, then the betting with the public card between its rounds."""
        numbers = {"f": 0, "c": 1, "r": 2, "/": position["public"]}
        return [*position["cards"], *(numbers[letter] for letter in position["betting"])]


PLAYERS = Players(
    levels={
        "casual": "equilibrium(iterations=8)",
        "strong": "equilibrium(iterations=20)",
        "learned": "net(shipped)",
        "best": "equilibrium",
    },
    defaults=("check", "call"),
    peer=LeducPeer(),
)


def betting(state: State, moves: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """For each seat whether it folded and how often it bet or raised; for the hand whether cards were shown."""
    del moves
    done = [(each["seat"], each["kind"]) for betting in state.view(0).public()["rounds"] for each in betting]
    return {
        "folded": [(seat, "fold") in done for seat in range(2)],
        "bets": [sum(who == seat and kind in ("bet", "raise") for who, kind in done) for seat in range(2)],
        "showdown": state.result()["by"] == "showdown",
    }


class LeducMetrics(Metrics):
    """Folds, bets and showdowns; the unit is the bet of the first round."""

    def bet(self, game: Game) -> float:
        """The bet of the first round."""
        return float(game.params["bets"][0])


class LeducWords(BettingWords):
    """Bets, and the card between the rounds."""

    def events(self, before: Scene, after: Scene) -> list[Line]:
        """What everybody saw."""
        events, card = super().events(before, after), after.public["public"]
        if card is not None and before.public["public"] is None:
            english, german = card_text(card, "en"), card_text(card, "de")
            events.append(happened("card", phrase(f"The public card is {english}", f"Offen liegt {german}")))
        return events


CARD = "[2-9TJQKA][cdhs]"
ACTIONS = "[fcr]*(/[fcr]*)?"

FIELDS: Fields = {
    "view.observer": observer(2),
    "view.dealt": whole("private cards dealt so far", 0, 2),
    "view.card": whole("your card: rank times the number of suits, plus suit"),
    "view.public": whole("the public card in the same way; -1: not yet dealt", -1),
    "view.betting": pattern(
        "the actions in order: f, c (check or call), r (bet or raise), / between rounds", ACTIONS, "crc/r"
    ),
    "view.shown": whole("the card that the other player shows at the end; -1: none", -1),
    "outline.hand[]": pattern("your card by name", CARD, "Ks"),
    "outline.public.public": pattern("the public card by name", CARD, "Jh", null=True),
    "outline.public.betting": pattern("as in the view", ACTIONS, "crc/r"),
    "outline.public.shown[]": pattern("the card that each seat shows at the end", CARD, "Qh", null=True),
    **betting_fields(2, "check", "bet", "call", "raise", "fold"),
}


class LeducEncoding(Encoding):
    """Ranks, then for each seat, round and number of earlier raises, whether it called or raised."""

    def paid(self, game: Game, seats: NDArray[np.int64], tensors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Beyond the forced stakes: calls up to the raises before them, raises one more.

        >>> import kiebitz as kb
        >>> game = kb.game("leduc")
        >>> state = game.deal(["Ks", "Qh"])
        >>> for name in ("check", "bet", "raise", "call"):
        ...     state.apply(state.parse(name))
        >>> state.apply(0)
        >>> views = np.array([state.view(seat).tensor() for seat in range(2)], np.float32)
        >>> LeducEncoding().paid(game, np.arange(2), views)
        array([4., 4.], dtype=float32)
        """
        rules = game.params
        levels, stakes = int(rules["raises"]) + 1, np.array(rules["stakes"])
        done = tensors[:, 2 * int(rules["ranks"]) :].reshape(-1, 2, 2, levels, 2)[np.arange(len(tensors)), seats]
        raises = (done * (np.arange(levels)[:, None] + np.arange(2))).max(axis=(2, 3))  # rows x rounds
        forced = np.where(done.any(axis=(1, 2, 3)), stakes.max(), stakes[seats])
        paid: NDArray[np.float32] = (raises @ np.array(rules["bets"]) + forced - stakes[seats]).astype(np.float32)
        return paid


TRAINED: dict[str, dict[str, Any]] = {
    "toy": {"steps": 1500, "measure_every": 250, "rl_rate": 0.05, "sl_rate": 0.05, "start": 200},
    "laptop": {
        "steps": 1_200_000,
        "hidden": 128,
        "rewards": "paid",
        "rl_rate": 0.02,
        "recency": 1.0,
        "measure_every": 10_000,
    },
    "thesis": {"steps": 400_000, "instead": 1, "rewards": "paid", "reward_scale": 0.0385},
}
"""Neural fictitious self-play: ``thesis`` as published, where the actions that are not legal mean to call; rewards are
parts of the largest pot, as in the authors' release."""

IMITATED = {"toy": {"opening_plies": 0, "games": 1500, "steps": 10, "blocks": 1, "chooses": "draw"}}
"""Options of ``supervised``."""

DECLARATION = Declaration(
    players=PLAYERS,
    facts=Facts(drawn=True),
    words=LeducWords(),
    terminal=BettingTerminal(),
    metrics=LeducMetrics({"leduc": betting}),
    bounds=Bounds(place=3),
    fields=FIELDS,
    encoding=LeducEncoding(),
    learning={"nfsp": TRAINED, "supervised": IMITATED},
)
