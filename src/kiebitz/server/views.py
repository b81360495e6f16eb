"""Who sees what of a position: the public part for everybody, a seat's own view for that seat, all views for those who
may look into all hands. Nothing else of a position leaves the server.
"""

from __future__ import annotations

from typing import Any, Literal

from kiebitz._core import TERMINAL, State, View
from kiebitz.games.doppelkopf.situation import FIRST_CALL, FIRST_RESERVATION, card_code
from kiebitz.server.calls import PASS, CallRound, able_seats, asks, call_view
from kiebitz.server.public import public_part
from kiebitz.server.words import Names, result_words

Role = Literal["seat", "public", "all"]


def snapshot_parts(
    state: State, role: Role, seat: int | None = None, calls: CallRound | None = None, names: Names = ()
) -> dict[str, Any]:
    """The parts of a snapshot that come from the position: ``public``, ``views``, ``phase``, ``turn`` and ``over``.

    ``calls`` is the round of prompts that a table of Doppelkopf is in. Without it, where the rules ask for a call (in a
    replay), everybody who could speak counts as asked. ``names`` are those of the players, for the result.

    >>> import kiebitz as kb
    >>> parts = snapshot_parts(kb.game("kuhn").new(seed=1), "seat", 1)
    >>> parts["phase"], parts["turn"], list(parts["views"])
    ('move', 0, ['1'])
    >>> snapshot_parts(kb.game("kuhn").new(seed=1), "public")["views"]
    {}
    """
    if calls is None and state.game.name == "doppelkopf" and asks(state):
        calls = CallRound(able_seats(state))
    over = state.player == TERMINAL
    seats: list[int] = []
    if role == "all" or over:
        seats = list(range(state.game.info.players))
    elif role == "seat" and seat is not None:
        seats = [seat]
    phase = phase_of(state, calls)
    return {
        "public": public_part(state),
        "views": {str(each): view_part(state, each, calls) for each in seats},
        "phase": phase,
        "turn": None if phase in ("call", "over") else state.player,
        "over": over_part(state, names) if over else None,
    }


def phase_of(state: State, calls: CallRound | None) -> str:
    """The public phase: reservation, call or card in Doppelkopf, move elsewhere, and over."""
    if state.player == TERMINAL:
        return "over"
    if state.game.name != "doppelkopf":
        return "move"
    if calls is not None:
        return "call"
    return "reservation" if state.legal()[0] >= FIRST_RESERVATION else "card"


def view_part(state: State, seat: int, calls: CallRound | None = None) -> dict[str, Any]:
    """What a seat knows: the fields of its view, their outline where the game has one, and what it may do now.

    In a call round this depends on what the seat knows and has answered, not on whom the rules ask.
    """
    view = state.view(seat)
    fields = view.fields()
    legal = view.legal()
    outline = view.outline() if state.game.name == "doppelkopf" else None
    if calls is not None:
        asked = seat in calls.able and seat not in calls.answers
        own = call_view(state, seat) if asked else None
        fields["phase"] = "call" if own is not None else "wait" if outline and outline["turn"] == seat else "card"
        view = own or view
        legal = own.legal() if own is not None else [PASS] if asked else []
    return {"fields": fields, "outline": outline, "legal": [action_part(view, action) for action in legal]}


def action_part(view: View, action: int) -> dict[str, Any]:
    """An action with its name and, for cards, the code of the card.

    >>> import kiebitz as kb
    >>> action_part(kb.game("nim").new().view(0), 0)
    {'action': 0, 'name': '1:1', 'code': '1:1'}
    """
    if view.game.name == "doppelkopf":
        name = "pass" if action == PASS else view.name(action)
        return {"action": action, "name": name, "code": card_code(action) if action < FIRST_RESERVATION else name}
    name = view.name(action)
    return {"action": action, "name": name, "code": name}


def over_part(state: State, names: Names) -> dict[str, Any]:
    """The end of a game: payoffs, the items of the result, and both in words."""
    result = dict(state.result())
    return {"returns": list(state.returns()), "result": result, "words": result_words(state, names)}


def prompt_part(state: State, seat: int, calls: CallRound | None) -> dict[str, Any] | None:
    """What a seat is asked now beside a card or a move."""
    if calls is not None:
        asked = seat in calls.able and seat not in calls.answers
        return {"kind": "call", "until": None} if asked else None
    if state.game.name == "doppelkopf" and state.player == seat:
        first = state.legal()[0]
        if FIRST_RESERVATION <= first < FIRST_CALL:
            return {"kind": "reservation", "until": None}
    return None
