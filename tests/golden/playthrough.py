"""Writes down a whole random game with all that anybody can see, so that a change of rules shows up as a diff."""

from __future__ import annotations

import json
from random import Random

import kiebitz as kb
from tests.contract.cases import Case
from tests.contract.walks import random_action

SEED = 20
LONGEST_TENSOR = 256


def transcript(case: Case, seed: int = SEED) -> str:
    """The playthrough of a case: the game, then step by step a random game, then how it ended."""
    game = case.make()
    lines = [f"game: {json.dumps(game.to_json(), ensure_ascii=False)}", ""]
    lines += [f"info.{name} = {_value(value)}" for name, value in game.info.to_dict().items()]
    lines += [f"params.{name} = {_value(value)}" for name, value in game.params.items()]
    random = Random(seed)
    state = game.root()
    while True:
        lines += ["", *_state(state)]
        if state.player == kb.TERMINAL:
            break
        action = random_action(state, random)
        lines += ["", f"plays {action} ({state.name(action)})"]
        state.apply(action)
    lines += [f"{name}: {_value(value)}" for name, value in state.result().items()]
    return "\n".join(lines) + "\n"


def _state(state: kb.State) -> list[str]:
    history = list(state.history)
    lines = [f"--- {len(history)} " + "-" * 60, *_block("", str(state))]
    who = {kb.CHANCE: "chance", kb.TERMINAL: "the end"}.get(state.player, f"player {state.player}")
    lines += [f"to move: {who}", f"key: {state.key:016x}", f"position: {_value(state.position())}"]
    if state.player == kb.CHANCE:
        lines += [f"outcomes: {', '.join(f'{a} ({state.name(a)}) {p:.6g}' for a, p in state.outcomes())}"]
    elif state.player != kb.TERMINAL:
        lines += [f"legal: {', '.join(f'{a} ({state.name(a)})' for a in state.legal())}"]
    # Where nothing is hidden all views say the same.
    for player in range(state.game.info.players if state.game.info.hidden else 1):
        lines += _view(state.view(player))
    return lines


def _view(view: kb.View) -> list[str]:
    lines = [f"view of player {view.observer}: {view.key}"]
    if view.game.info.hidden:  # otherwise it is the text of the state
        lines += _block("    ", str(view))
    tensor = view.tensor()
    if 0 < tensor.size <= LONGEST_TENSOR:
        lines += [f"    tensor: {_numbers([float(x) for x in tensor])}"]
    return lines


def _block(indent: str, text: str) -> list[str]:
    return [(indent + line).rstrip() for line in text.rstrip("\n").split("\n")]


def _numbers(numbers: list[float]) -> str:
    if all(x in (0, 1) for x in numbers):
        return "".join(str(int(x)) for x in numbers)
    return " ".join(f"{x:.4g}" for x in numbers)


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.10g}"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 400 else text[:397] + "..."
