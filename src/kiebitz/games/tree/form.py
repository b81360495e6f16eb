"""Explicit game trees for people: any finite extensive-form game as readable JSON, checked and turned into arrays.

The rules live in core/games/tree/; this module reads what people write and refuses what is not a game (Kuhn 1953).
A tree is a JSON object::

    {"title": "Matching pennies", "players": ["Anna", "Otto"],
     "root": {"player": "Anna", "actions": {
         "heads": {"player": "Otto", "set": "guess", "actions": {"heads": {"payoffs": [-1, 1]},
                                                                  "tails": {"payoffs": [1, -1]}}},
         "tails": {"player": "Otto", "set": "guess", "actions": {"heads": {"payoffs": [1, -1]},
                                                                  "tails": {"payoffs": [-1, 1]}}}}}}

A node is one of three things, and may have a ``name`` (by default the moves that lead to it, as in ``heads/tails``):

* a decision: ``player`` (name, or number from 0), ``actions`` (label -> node) and, where the player cannot tell several
  nodes apart, the same ``set`` in each of them; a node without ``set`` is alone in its own;
* chance: ``chance``, a list of ``{"name": ..., "probability": ..., "node": ...}``; a move of probability 0 never
  happens, and repeated names are numbered;
* an end: ``payoffs``, one number per player.

Numbers may be texts with fractions such as ``"1/3"``. Gambit's files are read by :mod:`kiebitz.games.tree.efg` and
:mod:`kiebitz.games.tree.nfg`.
"""

from __future__ import annotations

import math
import re
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from kiebitz.errors import LimitError, TreeError

Tree = dict[str, Any]

CHANCE = -1
TERMINAL = -2

MAX_PLAYERS = 10
MAX_NODES = 1_000_000
MAX_DEPTH = 200  # deeper nesting cannot be written back as JSON
MAX_PAYOFF = 1e18

_NUMBER = re.compile(r"[-+]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})([eE][-+]?\d{1,2})?(/\d{1,30})?")
_TREE_FIELDS = {"title", "description", "players", "root"}
_NODE_FIELDS = {
    "decision": {"name", "player", "set", "actions"},
    "chance": {"name", "chance"},
    "end": {"name", "payoffs"},
}


@dataclass
class Node:
    """One node of a flattened tree; ``first`` is the number of its first child, the others follow."""

    name: str
    depth: int
    mover: int = TERMINAL
    set: str | None = None
    labels: list[str] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)
    payoffs: list[float] = field(default_factory=list)
    first: int = 0


@dataclass
class Flat:
    """A tree as a list of nodes, breadth first: what the checks and the core work on."""

    title: str
    description: str
    players: list[str]
    nodes: list[Node]


def number(value: object, what: str) -> float:
    """Read a number that may be a text with a fraction.

    >>> number("1/4", "payoff")
    0.25
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if abs(value) <= MAX_PAYOFF:  # false for NaN as well
            return float(value)
        raise TreeError(f"{what}: expected a number between {-MAX_PAYOFF:g} and {MAX_PAYOFF:g}")
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        top, _, bottom = value.partition("/")
        if not bottom or int(bottom) != 0:
            return number(float(Fraction(top) / int(bottom or 1)), what)
    raise TreeError(f"{what}: expected a number, got {show(value)}")


def unlike(labels: Sequence[str]) -> list[str]:
    """Names that tell moves apart: moves without a name get their number, and a repeated name is numbered.

    >>> unlike(["red", "", "red", "red"])
    ['red', '2', 'red (2)', 'red (3)']
    """
    names = [label.strip() or str(number_ + 1) for number_, label in enumerate(labels)]
    taken, times = set(names), Counter[str]()
    for place, name in enumerate(names):
        times[name] += 1
        if times[name] > 1:
            while (numbered := f"{name} ({times[name]})") in taken:
                times[name] += 1
            taken.add(numbered)
            names[place] = numbered
    return names


def flatten(tree: Mapping[str, Any]) -> Flat:
    """Turn the nested form into a list of nodes, with every part checked for its type and size.

    >>> [node.name for node in flatten({"players": ["A"], "root": {"player": "A", "actions": {
    ...     "x": {"payoffs": [1]}, "y": {"payoffs": [0]}}}}).nodes]
    ['root', 'x', 'y']
    """
    if not isinstance(tree, Mapping):
        raise TreeError(f"a tree is an object with players and root, got {type(tree).__name__}")
    _only(tree, _TREE_FIELDS, "tree")
    players = _players(tree.get("players"))
    texts = {key: tree.get(key, "") for key in ("title", "description")}
    for key, text in texts.items():
        if not isinstance(text, str):
            raise TreeError(f"{key}: expected text, got {show(text)}")
    if "root" not in tree:
        raise TreeError("root: missing")

    nodes: list[Node] = []
    alone: list[tuple[Node, str]] = []  # decisions without a set
    order: dict[str, list[str]] = {}  # the labels of each set, in the order of its first node
    waiting: deque[tuple[object, str, int]] = deque([(tree["root"], "root", 0)])
    while waiting:
        data, default, depth = waiting.popleft()
        node, children = _node(data, default, depth, players, order)
        node.first = len(nodes) + 1 + len(waiting) if children else 0
        nodes.append(node)
        if node.mover >= 0 and node.set is None:
            alone.append((node, default))
        if children and depth >= MAX_DEPTH:
            raise LimitError(f"node '{node.name}': expected at most {MAX_DEPTH} moves from the root to an end")
        if len(nodes) + len(waiting) + len(children) > MAX_NODES:
            raise LimitError(f"expected at most {MAX_NODES} nodes, got more")
        for label, child in zip(node.labels, children, strict=True):
            waiting.append((child, label if depth == 0 else f"{default}/{label}", depth + 1))
    for node, path in alone:
        node.set = path
        while node.set in order:  # somebody gave that name to another set
            node.set += "'"
        order[node.set] = node.labels
    return Flat(texts["title"] or "Tree", texts["description"], players, nodes)


def check_tree(tree: Mapping[str, Any]) -> None:
    """Check that a tree is a game: same actions within an information set, perfect recall, probabilities that add up.

    Raises TreeError with the names of the node and the information set.

    >>> check_tree({"players": ["A"], "root": {"payoffs": [0]}})
    """
    check(flatten(tree))


def check(flat: Flat) -> None:
    """Check both rules of information sets and the probabilities on a flattened tree.

    >>> check(flatten({"players": ["A"], "root": {"payoffs": [0]}}))
    """
    # A player's own history is their last (set, action): earlier ones follow from the set if recall is perfect.
    histories: list[dict[int, tuple[str, str]]] = [{} for _ in flat.nodes]
    seen: dict[str, int] = {}
    for number_, node in enumerate(flat.nodes):
        if node.mover == CHANCE and abs(math.fsum(node.probabilities) - 1) > 1e-9:
            raise TreeError(
                f"node '{node.name}': probabilities must add up to 1, got {math.fsum(node.probabilities):g}"
            )
        if node.set is not None:
            _check_alike(flat, histories, seen.setdefault(node.set, number_), number_)
        for i, label in enumerate(node.labels):
            below = histories[number_]
            if node.set is not None:
                below = {**below, node.mover: (node.set, label)}
            histories[node.first + i] = below


def to_fields(tree: Mapping[str, Any]) -> dict[str, Any]:
    """The flat lists that the tree game of the core is built from: its rule parameters.

    >>> to_fields({"players": ["A"], "root": {"payoffs": [1]}})["movers"]
    [-2]
    """
    flat = flatten(tree)
    check(flat)
    sets: dict[str, int] = {}
    labels = [""] * len(flat.nodes)
    chances = [0.0] * len(flat.nodes)
    for node in flat.nodes:
        if node.set is not None:
            sets.setdefault(node.set, len(sets))
        labels[node.first : node.first + len(node.labels)] = node.labels
        chances[node.first : node.first + len(node.probabilities)] = node.probabilities
    return {
        "title": flat.title,
        "players": flat.players,
        "nodes": [node.name for node in flat.nodes],
        "movers": [node.mover for node in flat.nodes],
        "first": [node.first for node in flat.nodes],
        "counts": [len(node.labels) for node in flat.nodes],
        "sets": [-1 if node.set is None else sets[node.set] for node in flat.nodes],
        "set_names": list(sets),
        "labels": labels,
        "chances": chances,
        "payoffs": [payoff for node in flat.nodes for payoff in node.payoffs],
    }


def unroll(game: Any, limit: int = 100_000) -> Tree:
    """Write any small game as an explicit tree, with information sets from what its players see.

    With hidden information, nodes where the mover has the same view are in one set; otherwise each node is alone.

    >>> import kiebitz
    >>> len(flatten(unroll(kiebitz.game("kuhn"))).nodes)
    58
    """
    players = [f"Player {p}" for p in range(game.info.players)]
    hidden = game.info.hidden
    root: dict[str, Any] = {}
    count = 1
    waiting: list[tuple[Any, dict[str, Any], int]] = [(game.root(), root, 0)]
    while waiting:
        state, node, depth = waiting.pop()
        if state.player == TERMINAL:
            node["payoffs"] = [float(x) for x in state.returns()]
            continue
        actions = list(state.legal())
        count += len(actions)
        if count > limit or depth >= MAX_DEPTH:
            raise LimitError(f"expected at most {limit} nodes and {MAX_DEPTH} moves to the end; the game has more")
        children: list[dict[str, Any]] = [{} for _ in actions]
        names = [state.name(a) for a in actions]
        if state.player == CHANCE:
            chances = [p for _, p in state.outcomes()]
            node["chance"] = [
                {"name": n, "probability": p, "node": c} for n, p, c in zip(names, chances, children, strict=True)
            ]
        else:
            node["player"] = players[state.player]
            if hidden:
                node["set"] = f"{state.player}: {state.view(state.player).key}"
            node["actions"] = dict(zip(names, children, strict=True))
        for action, child in zip(actions, children, strict=True):
            below = state.copy()
            below.apply(action)
            waiting.append((below, child, depth + 1))
    return complete({"title": game.info.title, "players": players, "root": root})


def complete(tree: Mapping[str, Any]) -> Tree:
    """A tree, checked, with everything filled in that may be left out: names, sets, players by name, plain numbers.

    >>> complete({"players": ["A"], "root": {"player": 0, "actions": {"stop": {"payoffs": ["1/2"]}}}})["root"]
    {'name': 'root', 'player': 'A', 'set': 'root', 'actions': {'stop': {'name': 'stop', 'payoffs': [0.5]}}}
    """
    flat = flatten(tree)
    check(flat)
    return nested(flat)


def nested(flat: Flat) -> Tree:
    """The readable form of a flattened tree, with nothing left out.

    >>> nested(flatten({"players": ["A"], "root": {"payoffs": [1]}}))["root"]
    {'name': 'root', 'payoffs': [1.0]}
    """
    # Children come after their parents, so building from the end needs no recursion.
    built: list[dict[str, Any]] = [{} for _ in flat.nodes]
    for i in range(len(flat.nodes) - 1, -1, -1):
        node = flat.nodes[i]
        children = built[node.first : node.first + len(node.labels)]
        built[i]["name"] = node.name
        if node.mover == TERMINAL:
            built[i]["payoffs"] = node.payoffs
        elif node.mover == CHANCE:
            built[i]["chance"] = [
                {"name": label, "probability": p, "node": child}
                for label, p, child in zip(node.labels, node.probabilities, children, strict=True)
            ]
        else:
            built[i]["player"] = flat.players[node.mover]
            built[i]["set"] = node.set
            built[i]["actions"] = dict(zip(node.labels, children, strict=True))
    return {"title": flat.title, "description": flat.description, "players": flat.players, "root": built[0]}


def show(value: object) -> str:
    """A value in a message: short, and without walking through its contents."""
    return repr(value[:60]) if isinstance(value, str) else type(value).__name__


def _only(data: Mapping[str, Any], known: set[str], what: str) -> None:
    for key in data:
        if key not in known:
            raise TreeError(f"{what}: unknown field {show(key)}; expected {', '.join(sorted(known))}")


def _players(value: object) -> list[str]:
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= MAX_PLAYERS:
        raise TreeError(f"players: expected a list of 1 to {MAX_PLAYERS} names")
    if not all(isinstance(name, str) and name for name in value) or len(set(value)) != len(value):
        raise TreeError("players: expected names that differ from each other")
    return list(value)


def _node(
    data: object, default: str, depth: int, players: list[str], order: dict[str, list[str]]
) -> tuple[Node, list[object]]:
    """One node and the data of its children."""
    if not isinstance(data, Mapping):
        raise TreeError(f"node '{default}': expected an object, got {show(data)}")
    name = data.get("name", default)
    if not isinstance(name, str) or not name:
        raise TreeError(f"node '{default}': name: expected text, got {show(name)}")
    where = f"node '{name}'"
    kinds = [kind for kind, key in (("decision", "actions"), ("chance", "chance"), ("end", "payoffs")) if key in data]
    if len(kinds) != 1:
        raise TreeError(f"{where}: expected exactly one of actions, chance and payoffs")
    _only(data, _NODE_FIELDS[kinds[0]], where)
    node = Node(name, depth)
    if kinds[0] == "end":
        payoffs = data["payoffs"]
        if not isinstance(payoffs, (list, tuple)) or len(payoffs) != len(players):
            raise TreeError(f"{where}: payoffs: expected {len(players)} numbers, one per player")
        node.payoffs = [number(x, f"{where}: payoffs") for x in payoffs]
        return node, []
    if kinds[0] == "chance":
        node.mover = CHANCE
        return node, _outcomes(node, data["chance"])
    node.mover = _mover(data.get("player"), players, where)
    actions = data["actions"]
    if not isinstance(actions, Mapping) or not actions:
        raise TreeError(f"{where}: actions: expected an object with at least one move")
    for label in actions:
        _check_label(label, where)
    node.labels = list(actions)
    if "set" in data:
        node.set = data["set"]
        if not isinstance(node.set, str) or not node.set:
            raise TreeError(f"{where}: set: expected text, got {show(node.set)}")
        known = order.setdefault(node.set, node.labels)
        if set(known) == set(node.labels):
            node.labels = list(known)
    return node, [actions[label] for label in node.labels]


def _outcomes(node: Node, chance: object) -> list[object]:
    where = f"node '{node.name}'"
    if not isinstance(chance, (list, tuple)) or not chance:
        raise TreeError(f"{where}: chance: expected a list with at least one outcome")
    children: list[object] = []
    for outcome in chance:
        if not isinstance(outcome, Mapping) or set(outcome) != {"name", "probability", "node"}:
            raise TreeError(f"{where}: chance: expected objects with name, probability and node")
        label = outcome["name"]
        _check_label(label, where)
        probability = number(outcome["probability"], f"{where}: probability of '{label}'")
        if not 0 <= probability <= 1:
            raise TreeError(f"{where}: probability of '{label}': expected 0 to 1, got {probability:g}")
        node.labels.append(label)
        node.probabilities.append(probability)
        children.append(outcome["node"])
    node.labels = unlike(node.labels)
    return children


def _check_label(label: object, where: str) -> None:
    if not isinstance(label, str) or not label or label != label.strip():
        raise TreeError(f"{where}: a move needs a name without blanks around it, got {show(label)}")


def _mover(value: object, players: list[str], where: str) -> int:
    if isinstance(value, str) and value in players:
        return players.index(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(players):
        return value
    raise TreeError(f"{where}: player: expected one of {', '.join(players)}, got {show(value)}")


def _check_alike(flat: Flat, histories: list[dict[int, tuple[str, str]]], one: int, other: int) -> None:
    a, b = flat.nodes[one], flat.nodes[other]
    both = f"nodes '{a.name}' and '{b.name}' of information set '{a.set}'"
    if a.mover != b.mover:
        raise TreeError(f"{both} belong to different players: {flat.players[a.mover]} and {flat.players[b.mover]}")
    if a.labels != b.labels:
        raise TreeError(f"{both} do not offer the same actions: {', '.join(a.labels)} and {', '.join(b.labels)}")
    first, second = histories[one].get(a.mover), histories[other].get(b.mover)
    if first != second:
        told = " and ".join("no move" if h is None else f"'{h[1]}' in '{h[0]}'" for h in (first, second))
        raise TreeError(f"{both} follow different own moves, so the set forgets what its player knew: {told}")
