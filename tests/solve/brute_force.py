"""Values and best responses by plain recursion over states: slow, and independent of the compiled form. And random
trees to compare them on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from random import Random
from typing import Any

import kiebitz as kb
from kiebitz.solve import Policy

Table = Mapping[str, Mapping[int, float]]  # by the key of a view and action


def random_tree(seed: int, players: int = 2, zero_sum: bool = True, depth: int = 5) -> kb.Game:
    """A random tree with chance and hidden moves. Nodes with the same own choices before them and the same random
    signal are one information set, so nobody forgets anything."""
    random = Random(seed)
    widths: dict[str, int] = {}

    def payoffs() -> dict[str, Any]:
        found = [float(random.randint(-3, 3)) for _ in range(players)]
        return {"payoffs": [*found[:-1], -sum(found[:-1])] if zero_sum else found}

    def grow(left: int, own: tuple[str, ...]) -> dict[str, Any]:
        if left == 0 or random.random() < 0.15:
            return payoffs()
        if random.random() < 0.25:
            weights = [random.randint(1, 5) for _ in range(random.randint(1, 3))]
            return {
                "chance": [
                    {"name": str(i), "probability": f"{weight}/{sum(weights)}", "node": grow(left - 1, own)}
                    for i, weight in enumerate(weights)
                ]
            }
        player = random.randrange(players)
        name = f"{player}:{own[player]}:{random.randrange(2)}"
        width = widths.setdefault(name, random.randint(1, 3))
        after = [(*own[:player], f"{name}>{action}", *own[player + 1 :]) for action in range(width)]
        return {
            "player": player,
            "set": name,
            "actions": {str(action): grow(left - 1, after[action]) for action in range(width)},
        }

    names = [f"P{player}" for player in range(players)]
    return kb.game("tree", tree={"players": names, "root": grow(depth, ("",) * players)})


def random_table(game: kb.Game, seed: int, zeros: float = 0.2) -> dict[str, dict[int, float]]:
    """Random probabilities for every information set; a share of the actions gets 0."""
    random = Random(seed)
    table: dict[str, dict[int, float]] = {}
    waiting = [game.root()]
    while waiting:
        state = waiting.pop()
        if state.player >= 0 and (key := state.view(state.player).key) not in table:
            weights = [0.0 if random.random() < zeros else random.random() for _ in state.legal()]
            weights = weights if sum(weights) > 0 else [1.0] * len(weights)
            table[key] = {a: w / sum(weights) for a, w in zip(state.legal(), weights, strict=True)}
        for action in state.legal():
            below = state.copy()
            below.apply(action)
            waiting.append(below)
    return table


def random_policy(game: kb.Game, seed: int) -> Policy:
    """A policy of `random_table`."""
    return Policy.from_table(game, random_table(game, seed))


def values(state: kb.State, table: Table) -> list[float]:
    """What each player gets when all follow the table."""
    if state.player == kb.TERMINAL:
        return state.returns()
    branches = state.outcomes() if state.player == kb.CHANCE else list(table[state.view(state.player).key].items())
    total = [0.0] * state.game.info.players
    for action, probability in branches:
        if probability > 0:
            below = state.copy()
            below.apply(action)
            total = [t + probability * v for t, v in zip(total, values(below, table), strict=True)]
    return total


def best_response(game: kb.Game, table: Table, player: int) -> float:
    """The most that a player can get against the others of the table: information sets from the deepest up."""
    nodes: dict[str, list[tuple[kb.State, float]]] = defaultdict(list)
    depth: dict[str, int] = {}

    def collect(state: kb.State, reach: float, own: int) -> None:
        if state.player == kb.TERMINAL or reach == 0:
            return
        if state.player == kb.CHANCE:
            branches = state.outcomes()
        elif state.player == player:
            key = state.view(player).key
            nodes[key].append((state.copy(), reach))
            depth[key] = own
            branches = [(action, 1.0) for action in state.legal()]
        else:
            branches = list(table[state.view(state.player).key].items())
        for action, probability in branches:
            below = state.copy()
            below.apply(action)
            collect(below, reach * probability, own + (state.player == player))

    collect(game.root(), 1.0, 0)
    chosen: dict[str, int] = {}

    def value(state: kb.State) -> float:
        if state.player == kb.TERMINAL:
            return state.returns()[player]
        if state.player == kb.CHANCE:
            branches = state.outcomes()
        elif state.player == player:
            branches = [(chosen[state.view(player).key], 1.0)]
        else:
            branches = list(table[state.view(state.player).key].items())
        total = 0.0
        for action, probability in branches:
            if probability > 0:
                below = state.copy()
                below.apply(action)
                total += probability * value(below)
        return total

    for key in sorted(nodes, key=lambda key: -depth[key]):
        worth = {}
        for action in nodes[key][0][0].legal():
            worth[action] = 0.0
            for state, reach in nodes[key]:
                below = state.copy()
                below.apply(action)
                worth[action] += reach * value(below)
        chosen[key] = max(worth, key=lambda action: worth[action])
    return value(game.root())
