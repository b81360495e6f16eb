"""What everybody at a table knows, game by game: a list of fields for each game and nothing beside it.

Each function builds its answer from named public fields. A field that the rules add to a position later stays out until
somebody puts it here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kiebitz._core import State
from kiebitz.errors import UnsuitableGame
from kiebitz.games.doppelkopf.situation import SEATS
from kiebitz.server.calls import parties_of, sizes_of

Public = dict[str, Any]


def public_part(state: State) -> Public:
    """The public part of a position, for spectators and as the common part of every snapshot.

    >>> import kiebitz as kb
    >>> public_part(kb.game("nim").new())
    {'heaps': [1, 3, 5, 7]}
    """
    build = _BUILDERS.get(state.game.name)
    if build is None:
        raise UnsuitableGame(f"{state.game.name} has no table in the browser")
    return build(state)


def _doppelkopf(state: State) -> Public:
    view = state.view(0)
    seen, told = view.fields(), view.outline()
    tricks = [
        {
            "leader": leader,
            "cards": [{"seat": (leader + i) % SEATS, "card": card} for i, card in enumerate(cards.split())],
            "taker": taker,
            "eyes": eyes,
        }
        for cards, leader, taker, eyes in zip(
            told["tricks"], told["leaders"], told["takers"], told["trick_eyes"], strict=True
        )
    ]
    complete = [trick for trick in tricks if len(trick["cards"]) == SEATS]
    current = tricks[-1] if tricks and len(tricks[-1]["cards"]) < SEATS else None
    taken = [sum(trick["taker"] == seat for trick in complete) for seat in range(SEATS)]
    last = complete[-1] if complete else None
    return {
        "start": seen["start"],
        "contract": told["contract"],
        "declarer": told["declarer"],
        "partner": told["partner"],
        "alone": told["alone"],
        "piglets": told["piglets"],
        "trumps": told["trumps"],
        "turn": told["turn"],
        "led": told["led"],
        "trick": current["cards"] if current else [],
        "leader": current["leader"] if current else told["turn"],
        "last": last and {"cards": last["cards"], "taker": last["taker"], "eyes": last["eyes"]},
        "tricks_taken": taken,
        "eyes": told["eyes"],
        "calls": [_call(text) for text in seen["calls"]],
        "reservations": shown_reservations(state),
        "sizes": sizes_of(told),
        "parties": parties_of(seen, told),
    }


def shown_reservations(state: State) -> list[str]:
    """What each seat said, as the others know it: ``-`` for nothing yet, ``hidden`` for something.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> state.apply(state.parse("wedding"))
    >>> shown_reservations(state)
    ['-', '-', '-', 'hidden']
    """
    by_others = [state.view(seat).fields()["reservations"] for seat in (0, 1)]
    return [by_others[1 if seat == 0 else 0][seat] for seat in range(SEATS)]


def _call(text: str) -> Public:
    at, seat, name = text.split(":")
    return {"seat": int(seat), "call": name, "at": int(at)}


def _oware(state: State) -> Public:
    at = state.position()
    return {"pits": at["pits"], "captured": at["captured"], "turn": _turn(state), "ended": at["ended"]}


def _leduc(state: State) -> Public:
    names = _chance_names(state)
    seen = state.view(0).fields()
    shown = [state.view(1 - seat).fields()["shown"] for seat in range(2)]
    return {
        "public": _card(names, seen["public"]),
        "betting": seen["betting"],
        "pot": leduc_pot(seen["betting"], state.game.params["stakes"], state.game.params["bets"]),
        "shown": [_card(names, card) for card in shown],
    }


def leduc_pot(betting: str, stakes: Sequence[float], bets: Sequence[float]) -> list[float]:
    """What each has put in, from the letters of the betting (r, c, f; a stroke between the rounds).

    >>> leduc_pot("rrc/rrc", [1.0, 1.0], [2.0, 4.0])
    [13.0, 13.0]
    >>> leduc_pot("cc/rf", [1.0, 1.0], [2.0, 4.0])
    [5.0, 1.0]
    """
    paid = [float(stake) for stake in stakes]
    for bet, letters in zip(bets, betting.split("/"), strict=False):
        for i, letter in enumerate(letters):
            if letter != "f":
                paid[i % 2] = max(paid) + (bet if letter == "r" else 0.0)
    return paid


def _kuhn(state: State) -> Public:
    names = _chance_names(state)
    seen = state.view(0).fields()
    players = state.game.info.players
    pot = [1.0] * players
    for i, letter in enumerate(seen["betting"]):
        pot[i % players] += letter == "b"
    return {"betting": seen["betting"], "pot": pot, "shown": [_card(names, card) for card in seen["shown"]]}


def _liars_dice(state: State) -> Public:
    seen, players = state.view(0).fields(), state.game.info.players
    dice, sides = state.game.params["dice"], state.game.params["sides"]
    bids = [{"seat": i % players, "bid": f"{bid // sides + 1}x{bid % sides + 1}"} for i, bid in enumerate(seen["bids"])]
    shown: list[Any] = [None] * players
    if seen["called"]:
        shown = [[face + 1 for face in seen["dice"][dice * i : dice * (i + 1)]] for i in range(players)]
    return {"bids": bids, "called": seen["called"], "counts": [dice] * players, "shown": shown}


def _board(state: State) -> Public:
    return {"board": state.position()["board"]}


def _nim(state: State) -> Public:
    return {"heaps": state.position()["heaps"]}


def _turn(state: State) -> int | None:
    return state.player if state.player >= 0 else None


def _chance_names(state: State) -> list[str]:
    """The names of the cards by their numbers."""
    root = state.game.root()
    return [root.name(card) for card in root.legal()]


def _card(names: list[str], card: int) -> str | None:
    return names[card] if card >= 0 else None


_BUILDERS: dict[str, Callable[[State], Public]] = {
    "doppelkopf": _doppelkopf,
    "oware": _oware,
    "leduc": _leduc,
    "kuhn": _kuhn,
    "liars_dice": _liars_dice,
    "connect_four": _board,
    "tic_tac_toe": _board,
    "nim": _nim,
}
