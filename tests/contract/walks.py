"""Random games and states for the contract tests: repeatable from a seed, chance drawn with its probabilities."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import kiebitz as kb


def random_action(state: kb.State, random: Random) -> int:
    """An outcome with its probability, or a uniformly random action."""
    if state.player == kb.CHANCE:
        actions, weights = zip(*state.outcomes(), strict=True)
        return int(random.choices(actions, weights)[0])
    return int(random.choice(state.legal()))


def walk(game: kb.Game, seed: int) -> Iterator[kb.State]:
    """All states of one random game, the start and the end included; each is a copy."""
    random = Random(seed)
    state = game.root()
    yield state.copy()
    while state.player != kb.TERMINAL:
        state.apply(random_action(state, random))
        yield state.copy()


def some_states(game: kb.Game, count: int, seed: int = 0) -> list[kb.State]:
    """States spread over random games: the start, ends, and whatever lies between."""
    states: list[kb.State] = []
    number = 0
    while len(states) < count:
        path = list(walk(game, seed * 1000 + number))
        keep = Random(number).sample(path[:-1], k=min(4, len(path) - 1))
        states += [path[0], *keep, path[-1]] if number == 0 else [*keep, path[-1]]
        number += 1
    return states[:count]


def finish(state: kb.State, seed: int) -> None:
    """Plays on at random until the end."""
    random = Random(seed)
    while state.player != kb.TERMINAL:
        state.apply(random_action(state, random))


def face(state: kb.State) -> dict[str, Any]:
    """Everything that can be asked of a state without changing it, its history included."""
    return {"history": list(state.history), **face_now(state)}


def face_now(state: kb.State) -> dict[str, Any]:
    """Everything that can be asked of a state without changing it, except for the way there."""
    legal = state.legal()
    return {
        "player": state.player,
        "legal": legal,
        "names": [state.name(action) for action in legal],
        "outcomes": state.outcomes(),
        "text": str(state),
        "key": state.key,
        "position": state.position(),
        "seen": sorted(state.seen()),
        "views": [view_face(state.view(player)) for player in range(state.game.info.players)],
        "returns": state.returns() if state.player == kb.TERMINAL else None,
        "result": state.result() if state.player == kb.TERMINAL else None,
    }


def view_face(view: kb.View) -> dict[str, Any]:
    """Everything that can be asked of a view."""
    legal = view.legal()
    return {
        "observer": view.observer,
        "player": view.player,
        "legal": legal,
        "names": [view.name(action) for action in legal],
        "text": str(view),
        "key": view.key,
        "fields": view.fields(),
        "json": json.dumps(view.to_json(), sort_keys=True),
        "tensor": view.tensor().tobytes(),
        "hash": hash(view),
        "public": answered(view.public),
        "outline": answered(view.outline),
        "phase": view.phase,
    }


def answered(question: Callable[[], dict[str, Any]]) -> dict[str, Any] | None:
    """The answer, where the game has one."""
    try:
        return question()
    except kb.UnsuitableGame:
        return None
