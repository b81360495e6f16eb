"""Who sees what of a position: everybody the public part, a player also the view of their seat, and the role ``all``
every view. Nothing else of a position leaves the server.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from kiebitz._core import Choice, State, View
from kiebitz.games.declaration.facts import SecretRound
from kiebitz.games.declaration.words import Names
from kiebitz.games.scene import Scene
from kiebitz.server.words import lost_words, result_words

Role = Literal["seat", "public", "all"]
MOST_LISTED = 200
"""Most legal actions that are listed one by one."""


@dataclass
class OpenRound:
    """A secret round at a table: the seats that may be asked, judging by public facts, and the answers so far."""

    round: SecretRound
    answers: dict[int, int] = field(default_factory=dict)

    def asks(self, seat: int) -> bool:
        """Whether a seat still has to answer."""
        return seat in self.round.able and seat not in self.answers


class Lost(NamedTuple):
    """A seat that lost a game by giving up, what everybody gets for that, and whether its time was up."""

    seat: int
    returns: list[float]
    late: bool = False


def snapshot_parts(
    scene: Scene,
    role: Role,
    seat: int | None = None,
    asking: OpenRound | None = None,
    names: Names = (),
    *,
    lost: Lost | None = None,
    acts: bool = True,
) -> dict[str, Any]:
    """The parts of a snapshot that come from the position: ``public``, ``views``, ``phase``, ``turn`` and ``over``.

    ``asking`` is the secret round that the table is in. A replay passes none: in a secret round of the rules, everybody
    who could speak counts as asked. ``names`` are those of the players, for the result. ``lost`` ends the game before
    its rules do, and without ``acts`` somebody else decides for the seat.

    >>> import kiebitz as kb
    >>> parts = snapshot_parts(Scene(kb.game("kuhn").new(seed=1)), "seat", 1)
    >>> parts["phase"], parts["turn"], list(parts["views"])
    ('move', 0, ['1'])
    >>> snapshot_parts(Scene(kb.game("kuhn").new(seed=1)), "public")["views"]
    {}
    """
    over = scene.over or lost is not None
    if asking is None and scene.round is not None and scene.facts.asks(scene.state) and not over:
        asking = OpenRound(scene.round)
    seats: list[int] = []
    if role == "all" or over:
        seats = list(range(scene.game.info.players))
    elif role == "seat" and seat is not None:
        seats = [seat]
    return {
        "public": scene.public,
        "views": {str(each): view_part(scene, each, asking, acts=acts and lost is None) for each in seats},
        "phase": "over" if over else scene.phase if asking is None else asking.round.phase,
        "turn": scene.turn if asking is None and not over else None,
        "over": lost_part(lost, names) if lost else over_part(scene.state, names) if over else None,
    }


def view_part(scene: Scene, seat: int, asking: OpenRound | None = None, *, acts: bool = True) -> dict[str, Any]:
    """What a seat knows: the fields of its view, their outline if the game has one, and what it may do now.

    In a secret round this depends on what the seat knows and has answered, not on which seats the rules ask.
    """
    view, outline = scene.view(seat), scene.outline(seat)
    if asking is None:
        part = {"fields": view.fields(), "outline": outline, **actions_part(scene, view)}
    else:
        asked = scene.view_if_asked(seat) if asking.asks(seat) else None
        part = {"fields": scene.facts.round_fields(scene, seat, asked), "outline": outline, "legal": [], "choices": []}
        if asked is not None:
            part |= actions_part(scene, asked)
        elif asking.asks(seat):
            part |= decline_part(asking.round)
    if not acts:
        part |= {"legal": [], "choices": []}
    return part if scene.facts.drawn else {**part, "text": str(view)}


def actions_part(scene: Scene, view: View) -> dict[str, Any]:
    """What the observer of a view may do: the legal actions, and the same as choices, each of which is an action or a
    run of actions that differ only by an amount. If there are very many actions, runs are listed as choices only.

    >>> import kiebitz as kb
    >>> scene = Scene(kb.game("nim", heaps=[1, 2]).new())
    >>> found = actions_part(scene, scene.view(0))
    >>> [each["name"] for each in found["legal"]]
    ['1:1', '2:1', '2:2']
    >>> found["choices"][1]["name"], [found["choices"][1][key] for key in ("kind", "low", "high", "step", "unit")]
    ('2:1', ['take', 1.0, 2.0, 1.0, 'sticks'])
    """
    choices, legal = view.choices(), view.legal()
    if len(legal) > MOST_LISTED:
        legal = [choice.action for choice in choices if choice.count == 1]
    return {
        "legal": [action_part(scene, view, action) for action in legal],
        "choices": [choice_part(view, choice) for choice in choices],
    }


def action_part(scene: Scene, view: View, action: int) -> dict[str, Any]:
    """A legal action with its name, the code that pages use for it, its kind and its amount.

    >>> import kiebitz as kb
    >>> scene = Scene(kb.game("nim").new())
    >>> action_part(scene, scene.view(0), 0)
    {'action': 0, 'name': '1:1', 'code': '1:1', 'kind': 'take', 'amount': 1.0}
    """
    return {
        "action": action,
        "name": view.name(action),
        "code": scene.facts.code(view, action),
        "kind": view.kind(action),
        "amount": view.amount(action),
    }


def choice_part(view: View, choice: Choice) -> dict[str, Any]:
    """A choice; ``action`` and ``name`` belong to the lowest amount."""
    part = {"kind": choice.kind, "phase": choice.phase, "action": choice.action, "name": view.name(choice.action)}
    if choice.unit:
        part |= {key: getattr(choice, key) for key in ("count", "low", "high", "step", "unit")}
    return part


def decline_part(asked: SecretRound) -> dict[str, Any]:
    """What a seat that has nothing to say may do in a secret round."""
    name = asked.decline_name
    same = {"kind": name, "action": asked.decline, "name": name}
    return {"legal": [{**same, "code": name, "amount": None}], "choices": [{**same, "phase": asked.phase}]}


def over_part(state: State, names: Names) -> dict[str, Any]:
    """The end of a game: payoffs, the items of the result, and the result in words."""
    return {"returns": list(state.returns()), "result": dict(state.result()), "words": result_words(state, names)}


def lost_part(lost: Lost, names: Names) -> dict[str, Any]:
    """The same for a game that somebody gave up.

    >>> lost_part(Lost(0, [-1.0, 1.0]), ["Ada", "Bob"])["words"]["en"]
    ['Ada gave up: Bob wins', 'Ada −1, Bob +1']
    """
    return {"returns": lost.returns, "result": {}, "words": lost_words(lost.seat, lost.returns, names, late=lost.late)}


def prompt_part(scene: Scene, seat: int, asking: OpenRound | None) -> dict[str, Any] | None:
    """The question that a seat is asked now, if any."""
    if asking is not None:
        return {"kind": asking.round.phase, "until": None} if asking.asks(seat) else None
    if scene.turn == seat and scene.phase in scene.facts.prompts:
        return {"kind": scene.phase, "until": None}
    return None
