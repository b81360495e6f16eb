"""Gambit's .nfg files: games in normal form as text, read into the form of kiebitz.games.tree.form.

The format is that of the Gambit manual ("The strategic game (.nfg) file format", version 1): a header
``NFG 1 R "title" { "player 1" "player 2" }``, the strategies (``{ 2 3 }`` by number, ``{ { "a" "b" } { "x" "y" } }`` by
name), an optional comment, and then one of two bodies, both with the strategies of the first player varying fastest:

* payoffs: a number for each player in each cell;
* outcomes: ``{ { "name" payoffs } ... }``, then the number of an outcome for each cell; 0 means that nobody gets any.

The tree has a move for each player, in turn, and one information set each: nobody knows what the others chose.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from kiebitz.errors import LimitError
from kiebitz.games.tree.efg import Tokens
from kiebitz.games.tree.form import MAX_NODES, Tree, unlike

Names = list[list[str]]


def parse_nfg(text: str) -> Tree:
    """Read the text of a Gambit file into the form of kiebitz.games.tree.form (which then checks it).

    >>> tree = parse_nfg('NFG 1 R "Dilemma" { "Anna" "Otto" } { 2 2 } 3 3  5 0  0 5  1 1')
    >>> tree["root"]["actions"]["2"]["actions"]["1"]
    {'payoffs': [5.0, 0.0]}
    """
    reader = Tokens(text)
    title, players = reader.header("NFG", "1")
    strategies = _strategies(reader, len(players))
    comment = reader.take("text", "a comment") if reader.at("text") else ""
    sizes = [len(own) for own in strategies]
    nodes = sum(math.prod(sizes[: depth + 1]) for depth in range(len(sizes)))
    if nodes >= MAX_NODES:
        raise LimitError(f"expected at most {MAX_NODES} nodes, a table of this size needs {nodes + 1}")
    cells = _outcomes(reader, sizes) if reader.at("brace", "{") else _payoffs(reader, sizes)
    reader.take("end", "the end of the file, as the table is complete")
    return {"title": title, "description": comment, "players": players, "root": _node(players, strategies, cells, 0, 0)}


def _strategies(reader: Tokens, players: int) -> Names:
    reader.take("brace", "{ before the strategies", "{")
    strategies: Names = []
    while not reader.at("brace", "}") and len(strategies) < players:
        if reader.at("brace", "{"):
            strategies.append(unlike(reader.texts("the names of strategies")))
        else:
            count = reader.whole("a number of strategies", 1, MAX_NODES)
            strategies.append([str(number + 1) for number in range(count)])
        if not strategies[-1]:
            reader.fail("expected at least one strategy")
    if len(strategies) < players:
        reader.fail(f"expected the strategies of {players} players, got {len(strategies)}")
    reader.take("brace", "} behind the strategies", "}")
    return strategies


def _payoffs(reader: Tokens, sizes: Sequence[int]) -> list[list[float]]:
    return [[reader.number("a payoff") for _ in sizes] for _ in range(math.prod(sizes))]


def _outcomes(reader: Tokens, sizes: Sequence[int]) -> list[list[float]]:
    reader.take("brace", "{ before the outcomes", "{")
    outcomes = [[0.0] * len(sizes)]
    while reader.at("brace", "{"):
        reader.take("brace", "{", "{")
        reader.take("text", "the name of the outcome in quotation marks")
        outcomes.append([reader.number("a payoff") for _ in sizes])
        reader.take("brace", "} behind the payoffs", "}")
    reader.take("brace", "} behind the outcomes", "}")
    most = len(outcomes) - 1
    return [outcomes[reader.whole("the number of an outcome", 0, most)] for _ in range(math.prod(sizes))]


def _node(
    players: Sequence[str], strategies: Names, cells: Sequence[list[float]], player: int, cell: int
) -> dict[str, Any]:
    """The node at which `player` chooses, after choices that lead to `cell` if all others take their first strategy."""
    if player == len(players):
        return {"payoffs": cells[cell]}
    step = math.prod(len(own) for own in strategies[:player])
    actions = {
        name: _node(players, strategies, cells, player + 1, cell + number * step)
        for number, name in enumerate(strategies[player])
    }
    return {"player": player, "set": f"{players[player]} chooses", "actions": actions}
